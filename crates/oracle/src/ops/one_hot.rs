use crate::prelude::*;

/// Returns a one-hot encoding: along a new axis, the `on` value at the class that each index names, and the `off` value
/// elsewhere.
///
/// An index outside of the classes gives only `off` values (`index-out-of-range`). From version 11 on, negative indices
/// count from the end; version 9 contradicts itself about them (`negative-index`). Constraints: `depth` is one number
/// that is not negative (`depth-valid`), `values` holds `off` and `on` (`values-are-pair`), and `axis` is an axis of
/// the output (`axis-in-range`). Indices of rank 0 are accepted (`scalar-indices`), and so is a depth of rank 1, which
/// the text of earlier releases does not mention (`depth-of-rank-one`).
pub fn one_hot(call: &Call) -> Answer {
    let (indices, values) = (call.tensor("indices")?, call.tensor("values")?);
    if call.tensor("depth")?.rank() == 1 && call.follows(rule::DEPTH_OF_RANK_ONE) {
        call.leaves_open(rule::DEPTH_OF_RANK_ONE);
    }
    let depth = depth(call.tensor("depth")?)?;
    if values.shape() != [2] {
        return Err(Refusal::violates(
            rule::VALUES_ARE_PAIR,
            format!("`values` has shape {:?}, expected [2]", values.shape()),
        ));
    }
    if indices.rank() == 0 {
        call.leaves_open(rule::SCALAR_INDICES);
    }
    let axis = call.axis(call.int("axis")?, indices.rank() + 1, rule::AXIS_IN_RANGE)?;
    if !indices.is_certain() {
        return Err(Refusal::unsupported(
            "input `indices` decides what is computed, but the oracle accepts more than one value for one of its elements",
        ));
    }
    // `None` marks an index that is NaN or beyond int64 (`unconvertible-index`).
    let hot: Vec<Option<i128>> = (0..indices.len()).map(|i| truncated(&indices.tensor, i)).collect();
    let mut shape = indices.shape().to_vec();
    shape.insert(axis, depth);
    shape::affordable(&shape)?;
    let place = |i: usize| {
        let mut at = shape::coordinates(i, &shape);
        let class = at.remove(axis) as i128;
        (class, hot[shape::index_of(&at, indices.shape())])
    };
    let depth = depth as i128;
    let is_on = |i: usize| match place(i) {
        (class, Some(index)) if index < 0 && call.since() >= 11 => index + depth == class,
        (class, index) => index == Some(class),
    };
    let output = values.rearranged(shape.clone(), |i| usize::from(is_on(i)))?;
    // An index that is NaN or beyond int64 may become any integer, so the value of every class may be `on`.
    let unknown = |i: usize| if place(i).1.is_none() { vec![1] } else { vec![] };
    let output =
        if hot.contains(&None) { output.or_elements(rule::UNCONVERTIBLE_INDEX, values, unknown) } else { output };
    // Version 9 contradicts itself about negative indices, so they may also count from the end (`negative-index`).
    let from_end = |i: usize| match place(i) {
        (class, Some(index)) if index < 0 && index + depth == class => vec![1],
        _ => vec![],
    };
    let is_negative = |i: usize| match indices.dtype().is_float() {
        true => indices.tensor.f64_at(i) < 0.0,
        false => indices.tensor.i128_at(i) < 0,
    };
    if call.since() >= 11 || !(0..indices.len()).any(is_negative) {
        return one(output);
    }
    call.leaves_open(rule::NEGATIVE_INDEX);
    one(output.or_elements(rule::NEGATIVE_INDEX, values, from_end))
}

/// Returns the number of classes. A depth that is no integer is truncated.
fn depth(depth: &Expected) -> Result<usize, Refusal> {
    if depth.rank() > 1 || depth.len() != 1 {
        return Err(Refusal::violates(
            rule::DEPTH_VALID,
            format!("`depth` has shape {:?}, expected one element", depth.shape()),
        ));
    }
    if !depth.is_certain() {
        return Err(Refusal::unsupported(
            "input `depth` decides what is computed, but the oracle accepts more than one value for it",
        ));
    }
    let refused = || Refusal::violates(rule::DEPTH_VALID, "`depth` is negative, NaN or too large");
    usize::try_from(truncated(&depth.tensor, 0).ok_or_else(refused)?).map_err(|_| refused())
}

/// Returns an element as an integer; a float is truncated towards zero (`fractional-index`). Returns `None` for an
/// element that is NaN or beyond int64.
fn truncated(tensor: &Tensor, i: usize) -> Option<i128> {
    if !tensor.dtype().is_float() {
        return Some(tensor.i128_at(i)).filter(|&x| i64::try_from(x).is_ok());
    }
    let x = tensor.f64_at(i).trunc();
    (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x).then_some(x as i128)
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, refusable_by};
    use plumbline_tensor::Tensor;

    #[test]
    fn an_index_below_zero_may_be_refused_before_version_11() {
        let refusable = |index: f32, opset: i64| {
            let inputs = [floats(&[1], &[index]), Tensor::from_i64(3), floats(&[2], &[0.0, 1.0])];
            refusable_by("1.20", "OneHot", opset, &inputs, 1)
        };
        for index in [-1.0, -0.5, -1e30, f32::NEG_INFINITY] {
            assert!(refusable(index, 9).is_some_and(|rule| rule.contains("negative-index")), "{index}");
        }
        assert_eq!((refusable(1.0, 9), refusable(-1.0, 11)), (None, None));
    }

    #[test]
    fn older_texts_say_that_the_depth_is_a_scalar() {
        let by = |release: &str, depth: Tensor| {
            refusable_by(release, "OneHot", 11, &[Tensor::from_i64s(&[1]), depth, floats(&[2], &[0.0, 1.0])], 1)
        };
        assert!(by("1.14", Tensor::from_i64s(&[3])).is_some_and(|rule| rule.contains("depth-of-rank-one")));
        assert_eq!((by("1.14", Tensor::from_i64(3)), by("1.15", Tensor::from_i64s(&[3]))), (None, None));
    }
}
