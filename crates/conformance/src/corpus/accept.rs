//! Writes into a corpus what the oracle accepts for a value: a description in JSON, and files with the ends of the
//! accepted intervals. `docs/corpus.md` says what each key means.

use std::collections::BTreeMap;

use plumbline_oracle::{Allowed, Bounds, Distribution, Expected, Latitude, Operand, Real, UnorderedParts};
use plumbline_tensor::{DType, Tensor, Value};
use serde::Serialize;
use serde_json::json;

use super::encoding::Encoding;
use super::inward;

/// The files of a case, by their path in its folder.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Ranges of element indices in row-major order. A range consists of its first index and the index after its last.
type Ranges = Vec<[usize; 2]>;

/// Says which answers are accepted for one value. Where nothing is said, only the preferred answer is accepted.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Accept {
    /// The file of the preferred value. Set only for the tensors `kept` and `dropped` of a distribution, which are not
    /// outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// The file of the smallest accepted elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<String>,
    /// The file of the largest accepted elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<String>,
    /// The elements for which NaN is accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nan: Ranges,
    /// The elements that must not be -0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positive_zero: Ranges,
    /// The elements that must not be +0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    negative_zero: Ranges,
    /// The elements that have to be whole numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    integral: Ranges,
    /// Whether zeros of both signs are equal. Set only without `low` and `high`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    any_zero: bool,
    /// The elements on which the specification does not decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    latitude: Vec<Open>,
    /// The parts that may come in any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    unordered: Option<serde_json::Value>,
    /// The distribution that the elements are drawn from.
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<serde_json::Value>,
    /// What is accepted for the items of a sequence, the values of a map, or the value of an optional.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<Option<Accept>>>,
}

/// Elements on which the specification does not decide.
#[derive(Debug, PartialEq, Serialize)]
struct Open {
    rule: String,
    at: Ranges,
    allowed: serde_json::Value,
}

/// Describes what is accepted for the values of a case, and writes files beside the description.
pub(super) struct Writer<'a> {
    /// The form of the files with values.
    pub encoding: Encoding,
    /// The path of a run's folder (`test_data_set_0`) in the folder of the case.
    pub folder: String,
    /// The files of the case.
    pub files: &'a mut Files,
}

impl Writer<'_> {
    /// Writes the preferred value of an output, and describes what else is accepted. The names of all files begin with
    /// `prefix`. Returns `None` if the value is exact.
    ///
    /// # Errors
    /// Returns a sentence if the format cannot hold the value or what is accepted.
    pub fn output(&mut self, prefix: &str, at: usize, name: &str, operand: &Operand) -> Result<Option<Accept>, String> {
        let bytes = self.encoding.bytes(&operand.to_value(), name)?;
        let extension = self.encoding.extension();
        self.files.insert(format!("{}/{prefix}output_{at}.{extension}", self.folder), bytes);
        self.operand(&format!("{prefix}accept_{at}"), operand)
    }

    fn operand(&mut self, prefix: &str, operand: &Operand) -> Result<Option<Accept>, String> {
        let items: Vec<&Operand> = match operand {
            Operand::Tensor(expected) => {
                let accept = self.tensor(prefix, expected)?;
                return Ok((accept != Accept::default()).then_some(accept));
            }
            Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().collect(),
            Operand::Optional { item, .. } => item.iter().map(AsRef::as_ref).collect(),
            Operand::Other(_) => vec![],
        };
        let items = items.iter().enumerate().map(|(at, item)| self.operand(&format!("{prefix}_{at}"), item));
        let items = items.collect::<Result<Vec<_>, _>>()?;
        let exact = items.iter().all(Option::is_none);
        Ok((!exact).then(|| Accept { items: Some(items), ..Accept::default() }))
    }

    fn tensor(&mut self, prefix: &str, expected: &Expected) -> Result<Accept, String> {
        let unordered = expected.unordered.map(|unordered| match unordered.parts {
            UnorderedParts::Lanes(axis) => json!({ "lanes": axis, "node": unordered.node }),
            UnorderedParts::Rows => json!({ "rows": 0, "node": unordered.node }),
        });
        if let Some(distribution) = &expected.random {
            let random = Some(self.distribution(prefix, distribution)?);
            return Ok(Accept { random, unordered, ..Accept::default() });
        }
        let mut accept = match &expected.bounds {
            None => Accept { any_zero: expected.dtype().is_float() && !expected.signed_zero, ..Accept::default() },
            Some(Bounds::Real(reals)) => self.reals(prefix, &expected.tensor, reals)?,
            Some(Bounds::Int(ints)) => {
                let dtype = expected.dtype();
                let (least, most) = dtype.integer_range().unwrap_or((0, 1));
                let ends = ints.iter().map(|x| (x.low.max(least), x.high.min(most)));
                // An interval that holds no element of the type is written with a lower end of 1 and an upper end of 0.
                let ends = ends.map(|(low, high)| if low > high { (1, 0) } else { (low, high) });
                let (low, high): (Vec<i128>, Vec<i128>) = ends.unzip();
                let made = |ends: &[i128]| Tensor::from_i128s(dtype, expected.shape().to_vec(), ends);
                let (low, high) = (made(&low).map_err(text)?, made(&high).map_err(text)?);
                self.interval(prefix, &expected.tensor, &low, &high)?
            }
        };
        accept.latitude = self.latitude(prefix, expected)?;
        Ok(Accept { unordered, ..accept })
    }

    fn reals(&mut self, prefix: &str, tensor: &Tensor, reals: &[Real]) -> Result<Accept, String> {
        let dtype = tensor.dtype();
        let format = dtype
            .float_format()
            .ok_or_else(|| format!("the format has no intervals of real numbers for {dtype} elements"))?;
        let (low, high): (Vec<u64>, Vec<u64>) =
            reals.iter().map(|x| inward::ends(format, x.low, x.high)).collect::<Vec<_>>().into_iter().unzip();
        let made = |bits: Vec<u64>| Tensor::from_bits(dtype, tensor.shape().to_vec(), bits.into_iter()).map_err(text);
        let (low, high) = (made(low)?, made(high)?);
        let zero =
            |negative: bool| move |x: &Real| x.signed_zero && x.mid == 0.0 && x.mid.is_sign_negative() == negative;
        let where_ = |is: &dyn Fn(&Real) -> bool| ranges((0..reals.len()).filter(|&i| is(&reals[i])));
        let mut accept = self.interval(prefix, tensor, &low, &high)?;
        accept.nan = where_(&|x| x.nan);
        accept.positive_zero = where_(&zero(false));
        accept.negative_zero = where_(&zero(true));
        accept.integral = where_(&|x| x.integral);
        if accept.low.is_none() {
            return Ok(accept);
        }
        // Most outputs are exact, and then need no files.
        let values = tensor.to_f64s();
        let is_point = (0..reals.len()).all(|i| match values[i].is_nan() {
            true => reals[i].nan && low.f64_at(i).is_nan(),
            false => !reals[i].nan && low.f64_at(i) == values[i] && high.f64_at(i) == values[i],
        });
        let at = |sign: bool| {
            ranges((0..values.len()).filter(|&i| values[i] == 0.0 && values[i].is_sign_negative() == sign))
        };
        let strict = accept.positive_zero == at(false) && accept.negative_zero == at(true);
        let lenient = accept.positive_zero.is_empty() && accept.negative_zero.is_empty();
        if is_point && (strict || lenient) {
            for end in [accept.low.take(), accept.high.take()].into_iter().flatten() {
                self.files.remove(&format!("{}/{end}", self.folder));
            }
            return Ok(Accept { any_zero: !strict, ..Accept::default() });
        }
        Ok(accept)
    }

    /// Writes the ends of intervals. Writes nothing for integers if each interval holds only the preferred element.
    fn interval(&mut self, prefix: &str, tensor: &Tensor, low: &Tensor, high: &Tensor) -> Result<Accept, String> {
        if !tensor.dtype().is_float() && low.data() == tensor.data() && high.data() == tensor.data() {
            return Ok(Accept::default());
        }
        let low = Some(self.write(&format!("{prefix}_low"), low)?);
        let high = Some(self.write(&format!("{prefix}_high"), high)?);
        Ok(Accept { low, high, ..Accept::default() })
    }

    /// Writes a tensor, and returns the name of the file, which is `name` with the extension of the encoding.
    fn write(&mut self, name: &str, tensor: &Tensor) -> Result<String, String> {
        let bytes = self.encoding.bytes(&Value::Tensor(tensor.clone()), "")?;
        let name = format!("{name}.{}", self.encoding.extension());
        self.files.insert(format!("{}/{name}", self.folder), bytes);
        Ok(name)
    }

    /// Describes the elements on which the specification does not decide, in groups with the same rule and outcomes.
    /// Only the last 16 groups are searched for one that an element can join, so two groups may be alike.
    fn latitude(&mut self, prefix: &str, expected: &Expected) -> Result<Vec<Open>, String> {
        let mut groups: Vec<(Latitude, Vec<usize>)> = Vec::new();
        for &(index, latitude) in &expected.latitude {
            match groups.iter_mut().rev().take(16).find(|(known, _)| same(known, &latitude)) {
                Some((_, indices)) => indices.push(index),
                None => groups.push((latitude, vec![index])),
            }
        }
        let open = |(number, (latitude, indices)): (usize, (Latitude, Vec<usize>))| {
            let allowed = match latitude.allowed {
                Allowed::Elements(elements) => {
                    let elements = expected.listed.tensor(&elements, expected.dtype());
                    let elements = elements.ok_or("the bytes of allowed elements are unknown")?.map_err(text)?;
                    json!({ "elements": self.write(&format!("{prefix}_elements_{number}"), &elements)? })
                }
                other => allowed(&other, expected.dtype()),
            };
            Ok(Open { rule: latitude.label.to_string(), at: ranges(indices.into_iter()), allowed })
        };
        groups.into_iter().enumerate().map(open).collect()
    }

    fn distribution(&mut self, prefix: &str, distribution: &Distribution) -> Result<serde_json::Value, String> {
        Ok(match distribution {
            Distribution::Uniform { low, high } => json!({ "uniform": { "low": number(*low), "high": number(*high) } }),
            Distribution::Normal { mean, deviation } => {
                json!({ "normal": { "mean": number(*mean), "deviation": number(*deviation) } })
            }
            Distribution::Bernoulli { ones, or_zeros } => {
                let ones: Vec<serde_json::Value> = ones.iter().map(|&p| number(p)).collect();
                json!({ "bernoulli": { "ones": ones, "or_zeros": or_zeros.map(|label| label.to_string()) } })
            }
            Distribution::Classes { rows, samples } => {
                let row = |row: &Vec<f64>| row.iter().map(|&p| number(p)).collect::<Vec<_>>();
                json!({ "classes": { "rows": rows.iter().map(row).collect::<Vec<_>>(), "samples": samples } })
            }
            Distribution::Mask { keep } => json!({ "mask": { "keep": number(*keep) } }),
            Distribution::Dropped { kept, dropped, keep } => {
                let mut part = |word: &str, expected: &Expected| -> Result<Accept, String> {
                    let prefix = format!("{prefix}_{word}");
                    let value = Some(self.write(&prefix, &expected.tensor)?);
                    Ok(Accept { value, ..self.tensor(&prefix, expected)? })
                };
                let (kept, dropped) = (part("kept", kept)?, part("dropped", dropped)?);
                json!({ "dropped": { "kept": kept, "dropped": dropped, "keep": number(*keep) } })
            }
        })
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Returns whether two latitudes are the same, where NaN equals NaN.
fn same(a: &Latitude, b: &Latitude) -> bool {
    match (a.allowed, b.allowed) {
        (Allowed::Spelling(x, _), Allowed::Spelling(y, _)) => a.label == b.label && x.to_bits() == y.to_bits(),
        _ => a == b,
    }
}

/// Returns a float64 for JSON, which has no numbers for infinities and NaN.
fn number(x: f64) -> serde_json::Value {
    match x {
        x if x.is_finite() => json!(x),
        x if x.is_nan() => json!("nan"),
        x => json!(if x > 0.0 { "inf" } else { "-inf" }),
    }
}

/// Joins ascending indices into ranges.
fn ranges(indices: impl Iterator<Item = usize>) -> Ranges {
    let mut found: Ranges = Vec::new();
    for index in indices {
        match found.last_mut() {
            Some([_, end]) if *end == index => *end += 1,
            _ => found.push([index, index + 1]),
        }
    }
    found
}

fn allowed(allowed: &Allowed, dtype: DType) -> serde_json::Value {
    let (least, most) = dtype.integer_range().unwrap_or((0, 1));
    // An outcome beyond the range of the type cannot be observed.
    let inside = |&(low, high): &(i128, i128)| {
        let (low, high) = (low.max(least), high.min(most));
        (low <= high).then(|| [integer(low), integer(high)])
    };
    match allowed {
        Allowed::Anything => json!({ "anything": true }),
        Allowed::Reals(reals) => {
            let ranges: Vec<_> = reals.ranges().iter().map(|&(low, high)| [number(low), number(high)]).collect();
            json!({ "reals": ranges, "nan": reals.nan })
        }
        Allowed::Ints(ints) => json!({ "integers": ints.ranges().iter().filter_map(inside).collect::<Vec<_>>() }),
        Allowed::Among(set) => {
            let ones = (0..128).filter(|bit| set >> bit & 1 == 1).map(|bit| (bit, bit)).collect::<Vec<_>>();
            json!({ "integers": ones.iter().filter_map(inside).collect::<Vec<_>>() })
        }
        Allowed::Spelling(value, dtype) => json!({ "spelling": number(*value), "of": dtype.name() }),
        Allowed::Trimmed => json!({ "trimmed": true }),
        // Not reached: the caller writes these elements to a file.
        Allowed::Elements(_) => json!({}),
    }
}

fn integer(x: i128) -> serde_json::Value {
    i64::try_from(x).map_or_else(|_| json!(u64::try_from(x).unwrap_or(u64::MAX)), |x| json!(x))
}
