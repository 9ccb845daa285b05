//! Draws tensors that are distributed like a given one.

use std::collections::BTreeMap;

use plumbline_generator::Choices;
use plumbline_tensor::{DType, Tensor, Value};

/// Which tensors stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// Short lists of integers, which are often shapes, axes or indices.
    Short,
    /// All that have no floats.
    Integers,
    /// Those of [`Kept::Short`]. Strings are replaced, so that none of them shows.
    ShortWithoutStrings,
}

/// The longest list of integers that counts as short.
const SHORT: usize = 64;

/// A tensor with few distinct elements, such as a mask, gets some of these. Each of them occurs at least this often on
/// average.
const MOST_DISTINCT: usize = 8;
const OFTEN: usize = 4;

/// The resolution of a drawn number between 0 and 1.
const STEPS: u64 = 1 << 24;

/// Returns a value of the same type and shapes. Tensors in sequences, optionals and maps stay as they are.
pub(super) fn alike(value: &Value, kept: Kept, choices: &mut Choices) -> Value {
    match value {
        Value::Tensor(tensor) => Value::Tensor(tensor_alike(tensor, kept, choices).unwrap_or_else(|| tensor.clone())),
        other => other.clone(),
    }
}

/// Returns whether a tensor is not drawn anew: one that is kept, one whose elements are all equal, and one of complex
/// numbers.
pub(super) fn stays(tensor: &Tensor, kept: Kept) -> bool {
    let all_are_equal = || (1..tensor.len()).all(|at| tensor.bits_at(at) == tensor.bits_at(0));
    match tensor.dtype() {
        DType::String => kept != Kept::ShortWithoutStrings,
        DType::Complex64 | DType::Complex128 => true,
        dtype if !dtype.is_float() && kept == Kept::Integers => true,
        DType::Int32 | DType::Int64 if tensor.len() <= SHORT => true,
        _ => all_are_equal(),
    }
}

/// Returns a tensor of the same type and shape, whose elements are distributed alike. Returns `None` for a tensor that
/// stays as it is.
pub(super) fn tensor_alike(tensor: &Tensor, kept: Kept, choices: &mut Choices) -> Option<Tensor> {
    if stays(tensor, kept) {
        return None;
    }
    let dtype = tensor.dtype();
    let count = tensor.len();
    if dtype == DType::String {
        return renamed(tensor);
    }
    let mut of_bits: BTreeMap<u64, u64> = BTreeMap::new();
    for at in 0..count {
        *of_bits.entry(tensor.bits_at(at)).or_default() += 1;
    }
    let shape = tensor.shape().to_vec();
    if dtype == DType::Bool || of_bits.len() <= MOST_DISTINCT && of_bits.len() * OFTEN <= count {
        let choice = |at: u64| {
            let mut left = at;
            let found = of_bits.iter().find(|(_, times)| {
                let is_here = left < **times;
                left = left.saturating_sub(**times);
                is_here
            });
            found.map_or(0, |(bits, _)| *bits)
        };
        let drawn: Vec<u64> = choices.block(count, count as u64).into_iter().map(choice).collect();
        return Tensor::from_bits(dtype, shape, drawn.into_iter()).ok();
    }
    if !dtype.is_float() {
        let integers = tensor.to_i128s();
        let (low, high) = (*integers.iter().min()?, *integers.iter().max()?);
        let bound = u64::try_from(high - low).ok()?.checked_add(1)?;
        let drawn: Vec<i128> = choices.block(count, bound).into_iter().map(|step| low + i128::from(step)).collect();
        return Tensor::from_i128s(dtype, shape, &drawn).ok();
    }
    let floats: Vec<f64> = (0..count).map(|at| tensor.f64_at(at)).collect();
    let numbers: Vec<f64> = floats.iter().copied().filter(|x| x.is_finite() && *x != 0.0).collect();
    let (low, high) = (fold(&numbers, f64::min)?, fold(&numbers, f64::max)?);
    let whole = numbers.iter().all(|x| x.fract() == 0.0);
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let spread = (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64).sqrt();
    // Zeros, infinities and NaN are as frequent as in the given tensor, and elsewhere.
    let others: Vec<f64> = floats.into_iter().filter(|x| !x.is_finite() || *x == 0.0).collect();
    let places = choices.block(count, count as u64);
    let mut draw = || {
        // The sum of twelve numbers between 0 and 1 has the variance 1, and is nearly normal.
        let sum: u64 = (0..12).map(|_| choices.below(STEPS)).sum();
        let x = mean + spread * (sum as f64 / STEPS as f64 - 6.0);
        (if whole { x.round() } else { x }).clamp(low, high)
    };
    let drawn = places.into_iter().map(|place| others.get(place as usize).copied().unwrap_or_else(&mut draw));
    let drawn: Vec<f64> = drawn.collect();
    Tensor::from_f64s(dtype, shape, &drawn).ok()
}

fn fold(numbers: &[f64], choose: fn(f64, f64) -> f64) -> Option<f64> {
    numbers.iter().copied().reduce(choose)
}

/// Replaces each string. Equal strings stay equal.
fn renamed(tensor: &Tensor) -> Option<Tensor> {
    let mut names: BTreeMap<&[u8], Vec<u8>> = BTreeMap::new();
    let strings = tensor.strings().iter().map(|text| {
        let number = names.len();
        names.entry(text).or_insert_with(|| format!("s{number}").into_bytes()).clone()
    });
    let strings = strings.collect();
    Tensor::from_strings(tensor.shape().to_vec(), strings).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use super::*;

    fn drawn(tensor: &Tensor) -> Option<Tensor> {
        tensor_alike(tensor, Kept::ShortWithoutStrings, &mut Choices::random(7))
    }

    #[test]
    fn floats_keep_their_mean_spread_and_zeros() {
        let given: Vec<f64> =
            (0..4000).map(|i| if i % 4 == 0 { 0.0 } else { 5.0 + f64::from(i % 100) / 100.0 }).collect();
        let tensor = Tensor::from_f64s(DType::Float, vec![40, 100], &given).unwrap();
        let other = drawn(&tensor).unwrap();
        assert_eq!((other.dtype(), other.shape()), (DType::Float, &[40, 100][..]));
        let numbers: Vec<f64> = other.to_f64s().into_iter().filter(|x| *x != 0.0).collect();
        assert!((2800..3200).contains(&numbers.len()), "{} are not zero", numbers.len());
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        assert!((mean - 5.5).abs() < 0.05 && numbers.iter().all(|x| (5.0..6.0).contains(x)), "{mean}");
        let same = other.to_f64s().iter().zip(&given).filter(|(a, b)| **a == **b && **a != 0.0).count();
        assert!(same < 40, "{same} elements are the given ones");
    }

    #[test]
    fn what_shapes_and_scalars_say_is_kept() {
        let scalar = Tensor::from_f32s(vec![], &[1e-5]).unwrap();
        assert!(drawn(&scalar).is_none() && drawn(&Tensor::from_i64s(&[1, -1, 64])).is_none());
        let names = Tensor::from_strings(vec![3], vec![b"secret".to_vec(), b"b".to_vec(), b"secret".to_vec()]).unwrap();
        assert_eq!(drawn(&names).unwrap().strings(), [b"s0", b"s1", b"s0"]);
        assert!(tensor_alike(&names, Kept::Short, &mut Choices::random(7)).is_none());
    }

    #[test]
    fn masks_and_integers_stay_in_their_range() {
        let mask = Tensor::from_f32s(vec![100], &[[0.0; 50], [f32::NEG_INFINITY; 50]].concat()).unwrap();
        let other = drawn(&mask).unwrap().to_f64s();
        assert!(other.iter().all(|x| *x == 0.0 || *x == f64::NEG_INFINITY) && other.contains(&0.0));
        let bytes = Tensor::from_i128s(DType::Int8, vec![200], &(-100..100).collect::<Vec<i128>>()).unwrap();
        let other = drawn(&bytes).unwrap();
        assert!(other.to_i128s().iter().all(|x| (-100..100).contains(x)) && other != bytes);
        assert!(tensor_alike(&bytes, Kept::Integers, &mut Choices::random(7)).is_none());
    }
}
