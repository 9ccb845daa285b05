//! Arithmetics that are less accurate than the one that the type of a tensor stands for. An answer that is wrong may be
//! right for an implementation that computes in one of them.

use plumbline_spec::Products;
use plumbline_tensor::{DType, FloatFormat, Saturation};
use serde::{Deserialize, Serialize};

/// An arithmetic that is less accurate than the type of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// The sigmoid `1 / (1 + e^-x)` is computed as `(1 + tanh(x / 2)) / 2`, which loses the digits of small results: its
    /// absolute error is that of a number near 1. Approximations of the form `0.5 + p(x) / q(x)` do the same.
    SigmoidByTanh,
    /// Elements of double are rounded to float, and all steps are computed in float.
    DoubleAsFloat,
    /// The factors of products of float that are summed up are rounded to TensorFloat-32 (8 bits of exponent, 10 of
    /// significand); the sums are kept in float.
    ProductsInTf32,
    /// The same with factors that are rounded to bfloat16.
    ProductsInBfloat16,
    /// The same with factors that are rounded to float16.
    ProductsInFloat16,
    /// Numbers that a node converts to a 16-bit float are not rounded to it: nodes that follow read the number as it was.
    HalvesInFloat,
    /// Sums of 16-bit floats are kept in their own type.
    SumsInType,
}

impl Arithmetic {
    /// All arithmetics. Of those that concern the same type, the more accurate one comes first.
    pub const ALL: [Arithmetic; 7] = [
        Arithmetic::SigmoidByTanh,
        Arithmetic::DoubleAsFloat,
        Arithmetic::ProductsInTf32,
        Arithmetic::ProductsInBfloat16,
        Arithmetic::ProductsInFloat16,
        Arithmetic::HalvesInFloat,
        Arithmetic::SumsInType,
    ];

    /// Returns the word that the file format uses.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::SigmoidByTanh => "sigmoid-by-tanh",
            Arithmetic::DoubleAsFloat => "double-as-float",
            Arithmetic::ProductsInTf32 => "products-in-tf32",
            Arithmetic::ProductsInBfloat16 => "products-in-bfloat16",
            Arithmetic::ProductsInFloat16 => "products-in-float16",
            Arithmetic::SumsInType => "sums-in-type",
            Arithmetic::HalvesInFloat => "halves-in-float",
        }
    }

    /// Describes the arithmetic: what an implementation does that computes in it.
    pub fn description(self) -> &'static str {
        match self {
            Arithmetic::SigmoidByTanh => "computes the sigmoid as (1 + tanh(x / 2)) / 2",
            Arithmetic::DoubleAsFloat => "computes double in float",
            Arithmetic::ProductsInTf32 => "rounds the factors of products to tf32",
            Arithmetic::ProductsInBfloat16 => "rounds the factors of products to bfloat16",
            Arithmetic::ProductsInFloat16 => "rounds the factors of products to float16",
            Arithmetic::SumsInType => "keeps sums of 16-bit floats in their own type",
            Arithmetic::HalvesInFloat => "keeps numbers that are cast to 16-bit floats in float",
        }
    }

    /// Returns whether computations on elements of this type are different in this arithmetic.
    pub fn concerns(self, dtype: DType) -> bool {
        match self {
            Arithmetic::SigmoidByTanh => dtype.is_float(),
            Arithmetic::DoubleAsFloat => dtype == DType::Double,
            Arithmetic::ProductsInTf32 | Arithmetic::ProductsInBfloat16 | Arithmetic::ProductsInFloat16 => {
                dtype == DType::Float
            }
            Arithmetic::SumsInType => matches!(dtype, DType::Float16 | DType::Bfloat16),
            // The 16-bit floats may lie between two nodes.
            Arithmetic::HalvesInFloat => matches!(dtype, DType::Float | DType::Float16 | DType::Bfloat16),
        }
    }
}

/// Returns the format to which the factors of products of float are rounded, if they are.
pub(crate) fn format_of(products: Products) -> Option<&'static FloatFormat> {
    match products {
        Products::Float => None,
        Products::Tf32 => Some(FloatFormat::tf32()),
        Products::Bfloat16 => FloatFormat::for_dtype(DType::Bfloat16),
        Products::Float16 => FloatFormat::for_dtype(DType::Float16),
    }
}

/// Returns the smallest and the largest of a number, the nearest number of a format, and the one next to it towards
/// zero. Hardware rounds factors to the nearest number, or cuts off their last bits.
pub(crate) fn rounded_or_cut(x: f64, format: &FloatFormat) -> (f64, f64) {
    let bits = format.encode(x, Saturation::None);
    let nearest = format.decode(bits);
    if !x.is_finite() || nearest == x {
        return (x, x);
    }
    // The number next to the nearest one is closer to zero by one in the last place of the significand.
    let cut = if nearest.abs() > x.abs() { format.decode(bits - 1) } else { nearest };
    (x.min(nearest).min(cut), x.max(nearest).max(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_rounded_to_the_nearest_number_or_cut_off() {
        let tf32 = FloatFormat::tf32();
        let (step, above) = (2f64.powi(-10), 1.0 + 0.75 * 2f64.powi(-10));
        assert_eq!(rounded_or_cut(above, tf32), (1.0, 1.0 + step));
        assert_eq!(rounded_or_cut(-above, tf32), (-1.0 - step, -1.0));
        assert_eq!(rounded_or_cut(1.0 + 0.25 * step, tf32), (1.0, 1.0 + 0.25 * step));
        assert_eq!(rounded_or_cut(1.0 + step, tf32), (1.0 + step, 1.0 + step));
        let half = FloatFormat::for_dtype(DType::Float16).unwrap();
        assert_eq!(rounded_or_cut(1e5, half), (65504.0, f64::INFINITY));
        assert_eq!(rounded_or_cut(1e-9, half), (0.0, 1e-9));
    }

    #[test]
    fn names_are_those_of_the_file_format() {
        for arithmetic in Arithmetic::ALL {
            assert_eq!(
                serde::Deserialize::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(
                    arithmetic.name()
                )),
                Ok(arithmetic)
            );
        }
    }
}
