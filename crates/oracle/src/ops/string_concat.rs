use crate::prelude::*;
use crate::steps;

/// Concatenates the strings of X and Y, element by element. The shapes broadcast (`shapes-broadcast`).
///
/// The only version is 20.
pub fn string_concat(call: &Call) -> Answer {
    let (x, y) = (call.tensor("X")?, call.tensor("Y")?);
    let shape = broadcast_shape(&[x, y], rule::SHAPES_BROADCAST)?;
    let pairs =
        shape::broadcast_indices(x.shape(), &shape).into_iter().zip(shape::broadcast_indices(y.shape(), &shape));
    let joined = |(i, j): (usize, usize)| {
        let pair = [x.tensor.strings()[i].as_slice(), &y.tensor.strings()[j]];
        steps::take(pair[0].len() + pair[1].len());
        pair.concat()
    };
    let z = Expected::from(Tensor::from_strings(shape.clone(), pairs.map(joined).collect())?);
    // If a string of an input is left open, so are all strings of the result.
    let open = |of: &Expected| of.latitude.first().map(|(_, l)| l.label);
    Ok(vec![match open(x).or(open(y)) {
        Some(label) => z.undecided_where(label, |_| true).into(),
        None => z.into(),
    }])
}
