//! The changes that a mutant makes to a tensor, by name: `negated`, `times 2`, `through float16`.
//!
//! The same names apply to inputs, attributes (as tensors) and outputs. `docs/architecture.md` lists them.

use plumbline_tensor::{DType, Tensor, Value};

use super::wreck::wrecked;
use crate::cases::{Element, converted, map, map_bits, moved, stepped};

/// A change of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    Absolute,
    All(f64),
    Append(String),
    AtLeast(f64),
    AtMost(f64),
    Ceiled,
    Exponential,
    FirstRepeated,
    Flattened,
    Floored,
    Flushed,
    HalvesSwapped,
    InfinityAsLargest,
    Interleaved,
    Inverted,
    ItemDropped,
    ItemsReversed,
    LastZeroed,
    LeadingAxis,
    Logarithm,
    Lower,
    NanAs(f64),
    Negated,
    OnePerturbed,
    Plus(f64),
    PositiveZeros,
    Reciprocal,
    Reversed,
    RoundedEven,
    RoundedAway,
    RowsReversed,
    Shifted,
    Sign,
    Sorted,
    SquareRoot,
    Squared,
    Steps(i64),
    Through(DType),
    Times(f64),
    Transposed,
    Truncated,
    Upper,
    WreckedAffine,
    WreckedConstant,
}

use Change::*;

/// Makes a change that has this number: `times 2` from 2.
type MakeChange = fn(f64) -> Change;

/// Changes without a number, by name.
const NAMES: &[(&str, Change)] = &[
    ("absolute", Absolute),
    ("ceiled", Ceiled),
    ("exponential", Exponential),
    ("first repeated", FirstRepeated),
    ("flattened", Flattened),
    ("floored", Floored),
    ("flushed", Flushed),
    ("halves swapped", HalvesSwapped),
    ("infinity as largest", InfinityAsLargest),
    ("interleaved", Interleaved),
    ("inverted", Inverted),
    ("item dropped", ItemDropped),
    ("items reversed", ItemsReversed),
    ("last zeroed", LastZeroed),
    ("leading axis", LeadingAxis),
    ("logarithm", Logarithm),
    ("lower", Lower),
    ("negated", Negated),
    ("one perturbed", OnePerturbed),
    ("positive zeros", PositiveZeros),
    ("reciprocal", Reciprocal),
    ("reversed", Reversed),
    ("rounded away", RoundedAway),
    ("rounded even", RoundedEven),
    ("rows reversed", RowsReversed),
    ("shifted", Shifted),
    ("sign", Sign),
    ("sorted", Sorted),
    ("square root", SquareRoot),
    ("squared", Squared),
    ("transposed", Transposed),
    ("truncated", Truncated),
    ("upper", Upper),
];

impl std::str::FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Change, String> {
        if let Some((_, change)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(change.clone());
        }
        let with = |word: &str| text.strip_prefix(word)?.strip_prefix(' ');
        let number = |word: &str| with(word)?.parse::<f64>().ok();
        let numbered: [(&str, MakeChange); 7] = [
            ("all", All),
            ("at least", AtLeast),
            ("at most", AtMost),
            ("NaN as", NanAs),
            ("plus", Plus),
            ("times", Times),
            ("steps", |n| Steps(n as i64)),
        ];
        if let Some(change) = numbered.iter().find_map(|(word, make)| number(word).map(make)) {
            return Ok(change);
        }
        if let Some(dtype) = with("through").and_then(DType::from_name) {
            return Ok(Through(dtype));
        }
        if let Some(suffix) = with("append") {
            return Ok(Append(suffix.to_owned()));
        }
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        let numbered: Vec<String> = numbered.iter().map(|(word, _)| format!("{word} NUMBER")).collect();
        let known = [names.join(", "), numbered.join(", ")].join(", ");
        Err(format!("`{text}` is not a change; the changes are {known}, through TYPE, append TEXT"))
    }
}

impl Change {
    /// Applies the change to every tensor inside a value; a change of items applies to the list of items of a sequence
    /// or map. Returns `None` if the change does not apply. [`OnePerturbed`] changes a single element, which `salt`
    /// selects.
    pub(super) fn value(&self, value: &Value, salt: usize) -> Option<Value> {
        let all = |items: &[Value]| items.iter().map(|i| self.value(i, salt)).collect::<Option<Vec<_>>>();
        Some(match value {
            Value::Tensor(tensor) => Value::Tensor(self.tensor(tensor, salt)?),
            Value::Sequence { element, items } => {
                let mut items = items.clone();
                match self {
                    ItemsReversed => items.reverse(),
                    ItemDropped => drop(items.pop()?),
                    OnePerturbed => perturb_one(&mut items, salt)?,
                    _ => items = all(&items)?,
                }
                Value::Sequence { element: element.clone(), items }
            }
            Value::Optional { element, item } => {
                let item = Some(Box::new(self.value(item.as_deref()?, salt)?));
                Value::Optional { element: element.clone(), item }
            }
            Value::Map { keys, element, items } => {
                let mut items = items.clone();
                match self {
                    ItemsReversed => items.reverse(),
                    OnePerturbed => perturb_one(&mut items, salt)?,
                    _ => items = all(&items)?,
                }
                Value::Map { keys: keys.clone(), element: element.clone(), items }
            }
            Value::SparseTensor(_) => return None,
        })
    }

    /// Applies the change to a tensor. If the change does not apply to the shape or type of the tensor, most changes of
    /// elements return the tensor as it is, and so do changes of the halves of a tensor and of the items of a sequence
    /// or map. Any other change returns `None`.
    pub(super) fn tensor(&self, tensor: &Tensor, salt: usize) -> Option<Tensor> {
        let len = tensor.len();
        let shape = || tensor.shape().to_vec();
        let dtype = tensor.dtype();
        match self {
            Flattened => tensor.clone().reshaped(vec![len]).ok(),
            LeadingAxis => tensor.clone().reshaped([&[1], tensor.shape()].concat()).ok(),
            Reversed => moved(tensor, shape(), |i| len - 1 - i),
            Shifted => moved(tensor, shape(), |i| (i + len - 1) % len),
            FirstRepeated => moved(tensor, shape(), |_| 0),
            HalvesSwapped if len.is_multiple_of(2) => moved(tensor, shape(), |i| (i + len / 2) % len),
            // [a0, a1, b0, b1] becomes [a0, b0, a1, b1].
            Interleaved if len.is_multiple_of(2) => moved(tensor, shape(), |i| i / 2 + i % 2 * (len / 2)),
            RowsReversed => {
                let extent = *tensor.shape().last()?;
                moved(tensor, shape(), |i| i / extent * extent + extent - 1 - i % extent)
            }
            Transposed => transposed(tensor),
            Sorted => sorted(tensor),
            Through(other) => converted(&converted(tensor, *other, true)?, dtype, true),
            Steps(steps) => map_bits(tensor, |_, bits, format| stepped(bits, format, *steps)),
            Flushed => map_bits(tensor, |_, bits, format| {
                let value = format.decode(bits);
                let sign =
                    if format.is_signed() { bits & (1 << (format.exponent_bits + format.mantissa_bits)) } else { 0 };
                let flushed = if format.has_negative_zero() { sign } else { 0 };
                if value != 0.0 && value.abs() < format.min_normal() { flushed } else { bits }
            }),
            OnePerturbed if len > 0 => {
                let at = salt % (len * element_parts(dtype));
                map(tensor, |i, element| if i == at { perturbed(element) } else { element })
            }
            LastZeroed if len > 0 => {
                map(tensor, |i, element| if i == len * element_parts(dtype) - 1 { zero(&element) } else { element })
            }
            WreckedConstant | WreckedAffine => wrecked(tensor, *self == WreckedConstant),
            _ if len > 0 => map(tensor, |_, element| self.element(element, dtype)),
            _ => None,
        }
    }

    fn element(&self, element: Element, dtype: DType) -> Element {
        match element {
            Element::Float(x) => Element::Float(self.float(x, dtype)),
            Element::Int(x) if dtype == DType::Bool => Element::Int(match self {
                Inverted | Negated | Plus(_) => 1 - x,
                All(n) => i128::from(*n != 0.0),
                _ => x,
            }),
            Element::Int(x) => Element::Int(match self {
                Negated => -x,
                Absolute => x.abs(),
                Squared => x.wrapping_mul(x),
                Sign => x.signum(),
                Inverted => i128::from(x == 0),
                Plus(n) => x + *n as i128,
                Times(n) if n.fract() == 0.0 => x.wrapping_mul(*n as i128),
                Times(n) => (x as f64 * n) as i128,
                All(n) => *n as i128,
                AtLeast(n) => x.max(*n as i128),
                AtMost(n) => x.min(*n as i128),
                _ => x,
            }),
            Element::Text(mut text) => Element::Text(match self {
                Upper => text.to_ascii_uppercase(),
                Lower => text.to_ascii_lowercase(),
                Append(suffix) => {
                    text.extend_from_slice(suffix.as_bytes());
                    text
                }
                _ => text,
            }),
        }
    }

    fn float(&self, x: f64, dtype: DType) -> f64 {
        match self {
            Negated => -x,
            Absolute => x.abs(),
            Squared => x * x,
            SquareRoot => x.sqrt(),
            Reciprocal => 1.0 / x,
            Exponential => x.exp(),
            Logarithm => x.ln(),
            Sign if x > 0.0 => 1.0,
            Sign if x < 0.0 => -1.0,
            Inverted => f64::from(u8::from(x == 0.0)),
            Floored => x.floor(),
            Ceiled => x.ceil(),
            Truncated => x.trunc(),
            RoundedEven => x.round_ties_even(),
            RoundedAway => x.round(),
            Plus(n) => x + n,
            Times(n) => x * n,
            All(n) => *n,
            AtLeast(n) if x < *n => *n,
            AtMost(n) if x > *n => *n,
            NanAs(n) if x.is_nan() => *n,
            PositiveZeros if x == 0.0 => 0.0,
            InfinityAsLargest if x.is_infinite() => {
                dtype.float_format().map_or(x, |format| format.max_finite().copysign(x))
            }
            _ => x,
        }
    }
}

/// Returns how many numbers an element consists of, as [`map`] counts them.
fn element_parts(dtype: DType) -> usize {
    if matches!(dtype, DType::Complex64 | DType::Complex128) { 2 } else { 1 }
}

fn perturb_one(items: &mut [Value], salt: usize) -> Option<()> {
    let count = items.len();
    let item = items.get_mut(salt.checked_rem(count)?)?;
    *item = OnePerturbed.value(item, salt / count)?;
    Some(())
}

/// Returns a different element: a finite float grows by a quarter of its magnitude but at least by 0.5, any other float
/// becomes 1, the lowest bit of an integer is flipped, and a string gets one more letter.
fn perturbed(element: Element) -> Element {
    match element {
        Element::Float(x) if x.is_finite() => Element::Float(x + (x.abs() * 0.25).max(0.5)),
        Element::Float(_) => Element::Float(1.0),
        Element::Int(x) => Element::Int(x ^ 1),
        Element::Text(text) => Element::Text([text.as_slice(), b"x"].concat()),
    }
}

fn zero(element: &Element) -> Element {
    match element {
        Element::Float(_) => Element::Float(0.0),
        Element::Int(_) => Element::Int(0),
        Element::Text(_) => Element::Text(vec![]),
    }
}

/// Transposes the last two dimensions, but keeps the old shape.
fn transposed(tensor: &Tensor) -> Option<Tensor> {
    let [.., rows, columns] = *tensor.shape() else { return None };
    let size = rows * columns;
    moved(tensor, tensor.shape().to_vec(), |i| {
        let (matrix, at) = (i / size, i % size);
        matrix * size + at % rows * columns + at / rows
    })
}

fn sorted(tensor: &Tensor) -> Option<Tensor> {
    let mut order: Vec<usize> = (0..tensor.len()).collect();
    match tensor.strings() {
        [] => order.sort_by(|&a, &b| tensor.f64_at(a).total_cmp(&tensor.f64_at(b))),
        strings => order.sort_by_key(|&i| &strings[i]),
    }
    moved(tensor, tensor.shape().to_vec(), |i| order[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_f32s(vec![values.len()], values).unwrap()
    }

    fn changed(text: &str, tensor: &Tensor) -> Vec<f64> {
        text.parse::<Change>().unwrap().tensor(tensor, 0).unwrap().to_f64s()
    }

    #[test]
    fn changes_are_parsed_by_name() {
        let x = floats(&[1.0, -2.0, 3.5, 0.0]);
        assert_eq!(changed("negated", &x), [-1.0, 2.0, -3.5, -0.0]);
        assert_eq!(changed("times 2", &x), [2.0, -4.0, 7.0, 0.0]);
        assert_eq!(changed("at least -1.5", &x), [1.0, -1.5, 3.5, 0.0]);
        assert_eq!(changed("shifted", &x), [0.0, 1.0, -2.0, 3.5]);
        assert_eq!(changed("interleaved", &x), [1.0, 3.5, -2.0, 0.0]);
        assert_eq!(changed("sorted", &x), [-2.0, 0.0, 1.0, 3.5]);
        assert_eq!(changed("one perturbed", &x), [1.5, -2.0, 3.5, 0.0]);
        assert_eq!(changed("through int8", &x), [1.0, -2.0, 4.0, 0.0]);
        assert_eq!(changed("steps 3", &floats(&[1.0]))[0], 1.0 + 3.0 * f64::from(f32::EPSILON));
        assert_eq!(changed("steps -1", &floats(&[-1.0]))[0], -1.0 + f64::from(f32::EPSILON) / 2.0);
        assert_eq!(changed("flushed", &floats(&[1e-40, 1e-30])), [0.0, f64::from(1e-30f32)]);
        assert!(
            "time 2".parse::<Change>().unwrap_err().contains("`time 2` is not a change; the changes are absolute, ")
        );
    }

    #[test]
    fn wrecking_changes_every_element() {
        for dtype in DType::ALL.into_iter().filter(|d| d.size() > 0) {
            let bytes: Vec<u8> = (0..dtype.size() * 2).map(|i| (i >= dtype.size()) as u8).collect();
            let tensor = Tensor::from_bytes(dtype, vec![2], bytes).unwrap();
            for change in [WreckedConstant, WreckedAffine] {
                let wrecked = change.tensor(&tensor, 0).unwrap();
                for i in 0..2 {
                    let at = i * dtype.size()..(i + 1) * dtype.size();
                    assert_ne!(wrecked.bytes()[at.clone()], tensor.bytes()[at], "{dtype} {change:?}");
                }
            }
        }
    }

    #[test]
    fn a_matrix_is_transposed_or_its_rows_are_reversed() {
        let x = Tensor::from_f32s(vec![2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!(changed("transposed", &x), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(changed("rows reversed", &x), [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    }
}
