//! Slice, which takes elements at regular distances along axes.

use super::moved::on_bits;
use super::shapes::numbers;
use crate::array::Array;
use crate::element::with_bits;
use crate::kernels::copy::copy;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Slice", slice)];

/// Returns the first index, the step and the number of elements along one axis. The bounds are clamped to the axis. If
/// no element is taken, the first index is 0 and the step is 1.
fn taken(start: i64, end: i64, step: i64, extent: usize) -> Result<(usize, isize, usize), Refusal> {
    let n = extent as i128;
    if step == 0 {
        return Err(Refusal::invalid("a step is 0"));
    }
    if extent == 0 {
        return Ok((0, 1, 0));
    }
    // With a negative step, `start` is clamped to the index of an element, and `end` may be -1, before the first index.
    let (last, before) = if step > 0 { (n, 0) } else { (n - 1, -1) };
    let from_start = |value: i64| i128::from(value) + if value < 0 { n } else { 0 };
    let (start, end) = (from_start(start).clamp(0, last), from_start(end).clamp(before, last));
    let step = i128::from(step);
    let count = match step {
        1.. => (end - start + step - 1).div_euclid(step).max(0),
        _ => (start - end - step - 1).div_euclid(-step).max(0),
    };
    if count == 0 {
        return Ok((0, 1, 0));
    }
    // A step of at least the extent reaches no second element, so clamping the step to the extent changes nothing.
    Ok((start as usize, step.clamp(-n, n) as isize, count as usize))
}

fn slice(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let list = |name: &str, at: usize| numbers(node, name, at, 10);
    let missing = |name: &str| Refusal::invalid(format!("`{name}` is missing"));
    let starts = list("starts", 1)?.ok_or_else(|| missing("starts"))?;
    let ends = list("ends", 2)?.ok_or_else(|| missing("ends"))?;
    let axes = list("axes", 3)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = match node.since() {
        10.. => list("steps", 4)?,
        _ => None,
    };
    let steps = steps.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()].iter().any(|&n| n != starts.len()) {
        return Err(Refusal::invalid("`starts` differs in length from `ends`, `axes` or `steps`"));
    }
    let mut cuts: Vec<(usize, usize, isize, usize)> = Vec::new();
    let mut shape = data.shape().to_vec();
    for (at, &axis) in axes.iter().enumerate() {
        let axis = super::axes::axis(axis, data.rank())?;
        if cuts.iter().any(|&(cut, ..)| cut == axis) {
            return Err(Refusal::unsupported("an axis is sliced twice"));
        }
        let (start, step, count) = taken(starts[at], ends[at], steps[at], data.shape()[axis])?;
        shape[axis] = count;
        cuts.push((axis, start, step, count));
    }
    on_bits(&[data], |data| {
        let data = &data[0];
        let sliced = with_bits!(data.dtype().size(), T => Array::written::<T>(data.dtype(), &shape, |out| {
            let mut view = data.view::<T>();
            for &(axis, start, step, count) in &cuts {
                view = view.sliced(axis, start, step, count);
            }
            copy(out, &view);
            Ok(())
        }))?;
        Ok(vec![sliced])
    })
}

#[cfg(test)]
mod tests {
    use super::taken;

    #[test]
    fn bounds_are_clamped_and_steps_may_be_negative() {
        let of = |start, end, step, extent| taken(start, end, step, extent).expect("the step is not 0");
        assert_eq!(of(0, i64::MAX, 1, 5), (0, 1, 5));
        assert_eq!(of(-1, i64::MIN, -1, 5), (4, -1, 5));
        assert_eq!(of(i64::MAX, i64::MIN, -2, 5), (4, -2, 3));
        assert_eq!(of(1, 5, 3, 5), (1, 3, 2));
        assert_eq!(of(1, 4, i64::MAX, 5), (1, 5, 1));
        assert_eq!(of(4, 1, 1, 5), (0, 1, 0));
        assert_eq!(of(0, 1, i64::MIN, 5), (0, 1, 0));
        assert_eq!(of(-9, i64::MIN, -1, 5), (0, -1, 1));
        assert_eq!(of(0, 1, 1, 0), (0, 1, 0));
        assert!(taken(0, 1, 0, 5).is_err() && taken(0, 1, 0, 0).is_err());
    }
}
