//! Draws tensors in which about half of the elements are set to zero. Tensors of strings have no zeros.

use plumbline_tensor::Data;

use crate::prelude::*;

pub fn non_zero(draw: &mut Draw) {
    let dtype = draw.input_dtype("X");
    let shape = draw.shape(0..=5);
    if shape.is_empty() {
        draw.feature("scalar");
    }
    let full = draw.elements(dtype, &shape, Values::Any);
    let size = dtype.size();
    // About half of the elements are set to zero. The specification does not say which strings are zero, so no string
    // here is empty or only white space.
    let data = match full.into_data() {
        Data::Strings(strings) => Data::Strings(
            strings.into_iter().map(|s| if s.trim_ascii().is_empty() { b"a".to_vec() } else { s }).collect(),
        ),
        Data::Bytes(bytes) => {
            let mut bytes = Vec::from(bytes);
            for element in bytes.chunks_mut(size.max(1)) {
                if draw.flag() {
                    element.fill(0);
                }
            }
            Data::Bytes(bytes.into())
        }
    };
    draw.input("X", Tensor::new(dtype, shape, data).expect("the number of elements stays the same"));
}
