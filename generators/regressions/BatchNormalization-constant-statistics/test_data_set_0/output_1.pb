
Bmean_outJl7ö°Ì8¬\2¥%