//! Shrinks an example that shows how two operator versions differ: cuts extents, drops dimensions, attributes and
//! inputs, changes the element type to float, and replaces elements by simpler ones. A smaller example counts only if
//! the two operator versions still differ in the same way.

use plumbline_spec::{FormalOption, OperatorVersion};
use plumbline_tensor::{DType, Tensor, element_count};

use super::example::{Example, strangeness};
use super::translate::Setting;

/// The number of tried candidates after which no further round of candidates starts.
const MOST: usize = 400;

/// Returns the smallest example found for which `again` still sees the same kind of difference. `side` is the index of
/// the version whose recipe drew the example.
pub(super) fn shrink(
    mut best: Example,
    side: usize,
    versions: [&OperatorVersion; 2],
    again: impl Fn(Setting) -> Option<Example>,
) -> Example {
    let own = versions[side];
    let mut tried = 0;
    let mut smaller = true;
    while smaller && tried < MOST {
        smaller = false;
        for candidate in candidates(&best.settings[side], own) {
            tried += 1;
            if let Some(found) = again(candidate).filter(|found| found.reading_effort() < best.reading_effort()) {
                best = found;
                smaller = true;
                break;
            }
        }
    }
    // The elements 1, 2, 3, ... show which element moves where.
    for at in best.settings[side].numbers(own) {
        let mut setting = best.settings[side].clone();
        let Some(numbered) = setting.tensor(at).and_then(|t| numbered(t.dtype(), t.shape().to_vec())) else { continue };
        setting.inputs[at] = Some(numbered.into());
        best = again(setting).unwrap_or(best);
    }
    best
}

impl Setting {
    fn tensor(&self, at: usize) -> Option<&Tensor> {
        self.inputs.get(at)?.as_ref()?.as_tensor()
    }

    /// Returns the inputs that hold numbers to compute with: those of the same type as the first input, and all
    /// floating-point ones.
    fn numbers(&self, version: &OperatorVersion) -> Vec<usize> {
        let data = self.data(version);
        let float = |at: usize| self.tensor(at).is_some_and(|t| t.dtype().is_float());
        (0..self.inputs.len()).filter(|&at| data.contains(&at) || float(at)).collect()
    }

    fn with(&self, at: usize, tensor: Tensor) -> Setting {
        let mut setting = self.clone();
        setting.inputs[at] = Some(tensor.into());
        setting
    }
}

/// Returns settings that are each simpler in one way.
fn candidates(setting: &Setting, version: &OperatorVersion) -> Vec<Setting> {
    let mut found = Vec::new();
    for at in 0..setting.attributes.len() {
        let mut without = setting.clone();
        without.attributes.remove(at);
        found.push(without);
    }
    for at in (0..setting.inputs.len()).rev() {
        let option = version.input_at(at).map(|f| f.option);
        let mut without = setting.clone();
        match option {
            Some(FormalOption::Variadic) => drop(without.inputs.remove(at)),
            Some(FormalOption::Optional) => without.inputs[at] = None,
            _ => continue,
        }
        while without.inputs.last().is_some_and(Option::is_none) {
            without.inputs.pop();
        }
        found.push(without);
    }
    found.extend(retyped(setting, version));
    let data = setting.data(version);
    let extents = |at: &usize| setting.tensor(*at).map(|t| t.shape().to_vec()).unwrap_or_default();
    let mut all: Vec<usize> = data.iter().flat_map(extents).filter(|&e| e > 1).collect();
    all.sort_unstable();
    all.dedup();
    for &extent in all.iter().rev() {
        for to in [1, 2, extent - 1] {
            if to < extent {
                found.push(cut(setting, &data, |_, e| if e == extent { to } else { e }));
            }
        }
    }
    for &at in &data {
        let shape = extents(&at);
        for (dimension, &extent) in shape.iter().enumerate() {
            for to in [1, 2, extent.saturating_sub(1)] {
                if to < extent && to > 0 {
                    found.push(cut(setting, &[at], |d, e| if d == dimension { to } else { e }));
                }
            }
        }
    }
    // Each candidate drops one dimension: from the tensors of the largest rank, from all tensors in which the dimension
    // has the extent 1, or from a single tensor in which it has the extent 1.
    let rank = data.iter().map(|at| extents(at).len()).max().unwrap_or(0);
    let largest: Vec<usize> = data.iter().filter(|at| extents(at).len() == rank).copied().collect();
    for dimension in 0..rank {
        let has = |at: &&usize| extents(at).get(dimension) == Some(&1);
        let aligned: Vec<usize> = data.iter().filter(has).copied().collect();
        found.extend(squeezed(setting, &largest, dimension));
        found.extend(squeezed(setting, &aligned, dimension));
        for at in aligned {
            found.extend(squeezed(setting, &[at], dimension));
        }
    }
    found
}

/// Returns the setting with extents of at most 2 in its data ([`Setting::data`]), or `None` if nothing changes.
pub(super) fn squared(setting: &Setting, version: &OperatorVersion) -> Option<Setting> {
    let smaller = cut(setting, &setting.data(version), |_, extent| extent.min(2));
    (smaller.inputs != setting.inputs).then_some(smaller)
}

/// Returns the setting with only the first elements along each dimension of some inputs. `to` maps (dimension, extent)
/// to the new extent.
fn cut(setting: &Setting, inputs: &[usize], to: impl Fn(usize, usize) -> usize) -> Setting {
    let mut result = setting.clone();
    for &at in inputs {
        let Some(tensor) = setting.tensor(at) else { continue };
        let shape: Vec<usize> = tensor.shape().iter().enumerate().map(|(d, &e)| to(d, e)).collect();
        if let Some(cut) = first_elements(tensor, shape) {
            result.inputs[at] = Some(cut.into());
        }
    }
    result
}

fn first_elements(tensor: &Tensor, shape: Vec<usize>) -> Option<Tensor> {
    let count = element_count(&shape)?;
    let source = |index: usize| {
        let (mut rest, mut at, mut stride) = (index, 0, 1);
        for (&new, &old) in shape.iter().zip(tensor.shape()).rev() {
            at += rest % new * stride;
            rest /= new;
            stride *= old;
        }
        at
    };
    let sources: Vec<usize> = (0..count).map(source).collect();
    if tensor.dtype() == DType::String {
        let strings = sources.iter().map(|&i| tensor.strings()[i].clone()).collect();
        return Tensor::from_strings(shape, strings).ok();
    }
    let size = tensor.dtype().size();
    let bytes = sources.iter().flat_map(|&i| tensor.bytes()[i * size..(i + 1) * size].to_vec()).collect();
    Tensor::from_bytes(tensor.dtype(), shape, bytes).ok()
}

/// Drops a dimension from some inputs. Returns no setting if one of these inputs lacks the dimension or has another
/// extent than 1 in it. Otherwise lowers axis attributes above the dropped dimension by one. If this changes an
/// attribute, also returns the setting with unchanged attributes.
fn squeezed(setting: &Setting, inputs: &[usize], dimension: usize) -> Vec<Setting> {
    let mut result = setting.clone();
    for &at in inputs {
        let Some(tensor) = setting.tensor(at).filter(|t| t.rank() > dimension) else { return vec![] };
        let mut shape = tensor.shape().to_vec();
        if shape.remove(dimension) != 1 {
            return vec![];
        }
        let Ok(tensor) = tensor.clone().reshaped(shape) else { return vec![] };
        result = result.with(at, tensor);
    }
    let mut moved = result.clone();
    for attribute in &mut moved.attributes {
        let lower = |value: &mut i64| *value -= i64::from(*value > dimension as i64);
        if matches!(attribute.name.as_deref(), Some("axis" | "axes")) {
            attribute.i.as_mut().into_iter().chain(&mut attribute.ints).for_each(lower);
        }
    }
    if moved.attributes == result.attributes { vec![result] } else { vec![moved, result] }
}

/// Returns the setting with the float elements 1, 2, 3, ..., or `None` if its elements are of type float already.
fn retyped(setting: &Setting, version: &OperatorVersion) -> Option<Setting> {
    let data = setting.data(version);
    let dtype = setting.tensor(*data.first()?)?.dtype();
    if strangeness(dtype) == strangeness(DType::Float) {
        return None;
    }
    let mut result = setting.clone();
    for at in data {
        let tensor = setting.tensor(at)?;
        let floats = numbered(DType::Float, tensor.shape().to_vec())?;
        result = result.with(at, floats);
    }
    Some(result)
}

/// Returns a tensor of the elements 1, 2, 3, ..., or `None` if the type cannot hold them.
fn numbered(dtype: DType, shape: Vec<usize>) -> Option<Tensor> {
    let count = element_count(&shape)?;
    let fits = match dtype.integer_range() {
        Some((_, most)) => most >= count as i128,
        None => dtype.is_float() && dtype.size() >= 2,
    };
    let elements: Vec<f64> = (1..=count).map(|x| x as f64).collect();
    if fits { Tensor::from_f64s(dtype, shape, &elements).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_tensor::Value;

    fn setting(inputs: Vec<Tensor>) -> Setting {
        let inputs = inputs.into_iter().map(|t| Some(Value::from(t))).collect();
        Setting { attributes: vec![], inputs, outputs: vec!["Y".to_owned()], outer: vec![], dropped: vec![] }
    }

    #[test]
    fn a_tensor_is_cut_to_its_first_elements() {
        let tensor = numbered(DType::Float, vec![2, 3]).unwrap();
        let cut = first_elements(&tensor, vec![2, 2]).unwrap();
        assert_eq!(cut.to_string(), "float[2,2] [[1, 2], [4, 5]]");
        let strings = Tensor::from_strings(vec![2], vec![b"a".to_vec(), b"b".to_vec()]).unwrap();
        assert_eq!(first_elements(&strings, vec![1]).unwrap().to_string(), "string[1] [\"a\"]");
    }

    #[test]
    fn an_axis_moves_with_its_dimension() {
        let mut setting = setting(vec![numbered(DType::Float, vec![1, 2]).unwrap()]);
        setting.attributes.push(plumbline_tensor::onnx::AttributeProto {
            name: Some("axis".to_owned()),
            i: Some(1),
            r#type: Some(2),
            ..Default::default()
        });
        let found = squeezed(&setting, &[0], 0);
        assert_eq!(found.iter().map(|s| s.attributes[0].i).collect::<Vec<_>>(), [Some(0), Some(1)]);
        assert_eq!(found[0].tensor(0).unwrap().shape(), [2]);
        assert!(squeezed(&setting, &[0], 1).is_empty(), "an extent of 2 is not dropped");
    }
}
