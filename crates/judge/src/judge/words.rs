//! Elements in words.

use plumbline_oracle::Expected;
use plumbline_tensor::Tensor;

/// Describes one element of an output: the observed value and the accepted ones.
pub fn describe(name: &str, expected: &Expected, tensor: &Tensor, index: usize) -> String {
    let at = plumbline_oracle::shape::coordinates(index, expected.shape());
    format!("output `{name}`{at:?} is {}, {}", element(tensor, index), expected.describe(index))
}

/// Formats one element for people.
pub fn element(tensor: &Tensor, index: usize) -> String {
    let dtype = tensor.dtype();
    if dtype.is_float() {
        let (value, width) = (tensor.f64_at(index), dtype.size() * 2);
        return format!("{value:?} (0x{:0width$x})", tensor.bits_at(index));
    }
    if let Some(string) = tensor.strings().get(index) {
        return format!("{:?}", String::from_utf8_lossy(string));
    }
    if dtype.size() > 8 || !dtype.is_integer() && dtype != plumbline_tensor::DType::Bool {
        let size = dtype.size();
        return format!("{:02x?}", &tensor.bytes()[index * size..(index + 1) * size]);
    }
    tensor.i128_at(index).to_string()
}
