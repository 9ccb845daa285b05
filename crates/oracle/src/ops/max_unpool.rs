use crate::families::spatial::{Settings, spatial};
use crate::prelude::*;

/// Puts each element of `X` at the position that its index names, and zeros elsewhere (`uncovered-elements`).
///
/// Versions 9, 11 and 22 have the same meaning; version 22 adds bfloat16. Windows follow the rules
/// `input-has-spatial-axes` and `window-attributes-valid`. Constraints: no negative output extents
/// (`output-extents-non-negative`), the shape of the indices (`indices-match-input`) and their range
/// (`indices-in-range`), and `output_shape` (`output-shape-fits`; if its rank is not 1: `list-rank`).
///
/// Several elements with the same index: `duplicate-indices`; the tensor that indices refer to if `output_shape` is
/// given: `indices-under-output-shape`; an `output_shape` that is too small for any pads: `small-output-shape`.
pub fn max_unpool(call: &Call) -> Answer {
    let (x, indices) = (call.tensor("X")?, call.tensor("I")?);
    let extents = spatial(x)?;
    if indices.shape() != x.shape() {
        return Err(Refusal::violates(
            rule::INDICES_MATCH_INPUT,
            format!("the indices have shape {:?}, expected that of `X`, {:?}", indices.shape(), x.shape()),
        ));
    }
    let pooled = pooled_shape(call, x, extents)?;
    let given = call.optional_list("output_shape")?;
    let shape = match &given {
        None => pooled.clone(),
        Some(list) => {
            let shape = given_shape(list, x)?;
            if is_too_small(call, &shape, extents)? {
                call.leaves_open(rule::SMALL_OUTPUT_SHAPE);
            }
            shape
        }
    };
    let count = shape::affordable(&shape)?;
    shape::affordable(&pooled)?;
    let all = call.ints("I")?;
    let linear = |&index: &i64| {
        usize::try_from(index)
            .ok()
            .filter(|&i| i < count)
            .ok_or_else(|| Refusal::violates(rule::INDICES_IN_RANGE, format!("index {index} is outside [0, {count})")))
    };
    let places = all.iter().map(linear).collect::<Result<Vec<usize>, _>>()?;
    let mut numbers = placed(x, &places, count);
    if given.is_some() && shape != pooled {
        // Alternatively, indices refer to the tensor that the windows cover. This needs every index to lie in that
        // tensor and in the output (`indices-under-output-shape`).
        let inside = |&place: &usize| {
            let at = shape::coordinates(place, &pooled);
            let fits = place < pooled.iter().product() && at.iter().zip(&shape).all(|(a, e)| a < e);
            fits.then(|| shape::index_of(&at, &shape))
        };
        if let Some(others) = places.iter().map(inside).collect::<Option<Vec<usize>>>() {
            let others = placed(x, &others, count);
            numbers
                .iter_mut()
                .zip(others)
                .for_each(|(n, o)| *n = if *n == o { *n } else { n.or(o, rule::INDICES_UNDER_OUTPUT_SHAPE) });
        }
    }
    call.answer(shape, numbers)
}

/// Returns the shape of the tensor that the windows cover. The output has this shape unless `output_shape` is given.
fn pooled_shape(call: &Call, x: &Expected, extents: &[usize]) -> Result<Vec<usize>, Refusal> {
    let kernel = call.int_list("kernel_shape")?;
    if kernel.len() != extents.len() {
        return Err(Refusal::violates(
            rule::WINDOW_ATTRIBUTES_VALID,
            format!("the kernel {kernel:?} and the spatial extents {extents:?} have different ranks"),
        ));
    }
    let settings = Settings::read(call, &kernel)?;
    let mut shape = x.shape()[..2].to_vec();
    for (at, &windows) in extents.iter().enumerate() {
        let axis = settings.axis(at, 0);
        let covered = (windows as i64 - 1) * axis.stride as i64 + axis.reach() - axis.pads.0 - axis.pads.1;
        let extent = usize::try_from(covered);
        shape.push(extent.map_err(|_| {
            Refusal::violates(
                rule::OUTPUT_EXTENTS_NON_NEGATIVE,
                format!("the output would have {covered} elements along an axis"),
            )
        })?);
    }
    Ok(shape)
}

/// Returns whether some axis of the output is so short that the pads would not be smaller than the kernel.
fn is_too_small(call: &Call, shape: &[usize], extents: &[usize]) -> Result<bool, Refusal> {
    let settings = Settings::read(call, &call.int_list("kernel_shape")?)?;
    let pads_too_much = |(at, (&extent, &windows)): (usize, (&usize, &usize))| {
        let axis = settings.axis(at, 0);
        let covered = (windows as i64 - 1) * axis.stride as i64 + axis.reach();
        covered - extent as i64 > 2 * (axis.reach() - 1)
    };
    Ok(shape[2..].iter().zip(extents).enumerate().any(pads_too_much))
}

/// Reads `output_shape`, which must have the rank, batches and channels of `X`.
fn given_shape(list: &[i64], x: &Expected) -> Result<Vec<usize>, Refusal> {
    let shape: Option<Vec<usize>> = list.iter().map(|&e| usize::try_from(e).ok()).collect();
    match shape {
        Some(shape) if shape.len() == x.rank() && shape[..2] == x.shape()[..2] => Ok(shape),
        _ => Err(Refusal::violates(
            rule::OUTPUT_SHAPE_FITS,
            format!("`output_shape` is {list:?}, which does not fit `X` of shape {:?}", x.shape()),
        )),
    }
}

/// Puts the elements of `x` at these positions among zeros. If several elements share a position, the last one is
/// preferred (`duplicate-indices`).
fn placed(x: &Expected, places: &[usize], count: usize) -> Vec<Number> {
    let mut out: Vec<Option<Number>> = vec![None; count];
    for (i, &place) in places.iter().enumerate() {
        let number = x.number(i);
        out[place] = Some(match out[place] {
            Some(other) if other != number => number.or(other, rule::DUPLICATE_INDICES),
            _ => number,
        });
    }
    out.into_iter().map(|n| n.unwrap_or_else(|| Number::constant(0.0, x.dtype()))).collect()
}

#[cfg(test)]
mod tests {
    use crate::Allowed;
    use crate::testing::{floats, refusable_by, run};
    use plumbline_tensor::Tensor;

    #[test]
    fn elements_go_where_indices_say() {
        let x = floats(&[1, 1, 2], &[5.0, 7.0]);
        let i = Tensor::from_i64s(&[1, 2]).reshaped(vec![1, 1, 2]).expect("two values fill the shape");
        let y = &run("MaxUnpool <kernel_shape = [2], strides = [2]>", 11, &[x, i], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 4], &[0.0, 5.0, 7.0, 0.0]));
    }

    #[test]
    fn an_output_that_no_pads_give_may_be_refused() {
        let refusable = |extent: i64| {
            let x = floats(&[1, 1, 3], &[5.0, 6.0, 7.0]);
            let i = Tensor::from_i64s(&[0, 1, 0]).reshaped(vec![1, 1, 3]).expect("three values fill the shape");
            let inputs = [x, i, Tensor::from_i64s(&[1, 1, extent])];
            refusable_by("1.20", "MaxUnpool <kernel_shape = [2], strides = [2]>", 11, &inputs, 1)
        };
        // The windows cover six elements; pads are at most one at each side.
        assert_eq!(refusable(4), None);
        assert!(refusable(3).is_some_and(|rule| rule.contains("small-output-shape")));
    }

    #[test]
    fn the_tensor_that_indices_refer_to_is_open_if_the_output_is_larger() {
        let x = floats(&[1, 1, 1, 1], &[5.0]);
        let i = Tensor::from_i64s(&[3]).reshaped(vec![1, 1, 1, 1]).expect("the shape has one element");
        let inputs = [x, i, Tensor::from_i64s(&[1, 1, 3, 3])];
        let y = &run("MaxUnpool <kernel_shape = [2, 2]>", 11, &inputs, 1).expect("the node is valid")[0];
        // Index 3 is the element (1, 0) if rows have three columns, and (1, 1) if they have two.
        assert_eq!(y.tensor.f64_at(3), 5.0);
        assert_eq!(
            y.latitude.iter().map(|(i, l)| (*i, l.allowed)).collect::<Vec<_>>(),
            [(3, Allowed::real(0.0)), (4, Allowed::real(5.0))]
        );
    }
}
