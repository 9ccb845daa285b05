	B	attn_maskJ
