//! Conversion of numbers to strings.

use plumbline_tensor::DType;

use crate::array::Array;
use crate::element::{Integer, Number, with_float, with_integer};
use plumbline_graph::Refusal;

/// Converts numbers to strings in decimal notation without exponent. A float64 has the fewest digits that distinguish
/// it from its neighbours in float64. All other floats have the fewest digits that distinguish them in float32. NaN and
/// infinities are "NaN", "INF" and "-INF".
pub fn to_strings(a: &Array) -> Result<Array, Refusal> {
    fn float(x: impl Into<f64> + std::fmt::Display + Copy) -> Vec<u8> {
        match x.into() {
            x if x.is_nan() => b"NaN".to_vec(),
            f64::INFINITY => b"INF".to_vec(),
            f64::NEG_INFINITY => b"-INF".to_vec(),
            _ => x.to_string().into_bytes(),
        }
    }
    let strings = match a.dtype() {
        DType::Double => a.slice::<f64>().iter().map(|&x| float(x)).collect(),
        dtype if dtype.is_integer() => with_integer!(dtype, T => {
            Ok(a.slice::<T>().iter().map(|x| x.to_i128().to_string().into_bytes()).collect::<Vec<_>>())
        })?,
        dtype => with_float!(dtype, T => {
            Ok(a.slice::<T>().iter().map(|x| float(x.to_f64() as f32)).collect::<Vec<_>>())
        })?,
    };
    Array::strings_of(a.shape(), strings)
}
