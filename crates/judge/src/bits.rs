//! Compares values bit for bit, for runs and implementations that are compared with each other and not with the oracle.

use plumbline_tensor::{DType, Tensor, Value};

/// Returns whether two values have the same type, shape and bits. All NaN are the same, except in sparse tensors. Empty
/// sequences are the same whatever the type of their elements.
pub fn same_bits(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Tensor(a), Value::Tensor(b)) => {
            a.dtype() == b.dtype() && a.shape() == b.shape() && (0..a.len()).all(|at| same_element(a, b, at))
        }
        (Value::Sequence { items: a, .. }, Value::Sequence { items: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_bits(a, b))
        }
        (Value::Optional { item: Some(a), .. }, Value::Optional { item: Some(b), .. }) => same_bits(a, b),
        (
            Value::Map { keys: a, element: x, items: values },
            Value::Map { keys: b, element: y, items: other_values },
        ) => {
            let same = |(a, b): (&Value, &Value)| same_bits(a, b);
            a == b && x == y && values.len() == other_values.len() && values.iter().zip(other_values).all(same)
        }
        _ => a == b,
    }
}

/// Returns whether two tensors of the same type and shape have the same bits in one element. All NaN are the same.
pub fn same_element(a: &Tensor, b: &Tensor, at: usize) -> bool {
    if a.dtype().is_float() {
        return a.bits_at(at) == b.bits_at(at) || a.f64_at(at).is_nan() && b.f64_at(at).is_nan();
    }
    if !a.strings().is_empty() {
        return a.strings()[at] == b.strings()[at];
    }
    if matches!(a.dtype(), DType::Complex64 | DType::Complex128) {
        let mut parts = a.complex_at(at).into_iter().zip(b.complex_at(at));
        return parts.all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
    }
    let size = a.dtype().size();
    a.bytes()[at * size..(at + 1) * size] == b.bytes()[at * size..(at + 1) * size]
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::{MapKeys, ValueKind};

    use super::*;

    #[test]
    fn all_nan_are_the_same_in_maps_too() {
        let map = |key: i64, value: f32| {
            let value = Tensor::from_f32s(vec![1], &[value]).expect("the shape has one element");
            Value::Map {
                keys: MapKeys::Integers(DType::Int64, vec![key]),
                element: ValueKind::Tensor(DType::Float),
                items: vec![value.into()],
            }
        };
        let (quiet, other) = (f32::from_bits(0x7fc0_0000), f32::from_bits(0x7fc0_0001));
        assert!(same_bits(&map(1, quiet), &map(1, other)));
        assert!(!same_bits(&map(1, quiet), &map(2, quiet)));
        assert!(!same_bits(&map(1, 0.0), &map(1, -0.0)));
    }

    #[test]
    fn all_nan_are_the_same_in_complex_numbers_too() {
        let complex = |real: u32, imaginary: u32| {
            let bytes = [real.to_le_bytes(), imaginary.to_le_bytes()].concat();
            let data = plumbline_tensor::Data::Bytes(bytes.into());
            Value::Tensor(Tensor::new(DType::Complex64, vec![1], data).expect("the shape has one element"))
        };
        let one = 1.0f32.to_bits();
        assert!(same_bits(&complex(0x7fc0_0000, one), &complex(0x7fc0_0001, one)));
        assert!(!same_bits(&complex(0x7fc0_0000, one), &complex(0x7fc0_0000, 0)));
    }
}
