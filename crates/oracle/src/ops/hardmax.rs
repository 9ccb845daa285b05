use crate::families::select::{End, Tie, arg};
use crate::families::softmax::per_row;
use crate::prelude::*;

/// Returns 1 for the largest element of each row and 0 for all others.
///
/// Up to version 11, a row contains all elements from `axis` on; in version 13, it runs along `axis`. The axis is in
/// range (`axis-in-range`). NaN: `nan`; of equal elements, the first one counts: `ties`.
pub fn hardmax(call: &Call) -> Answer {
    per_row(call, |row| {
        let dtype = row[0].dtype();
        let (zero, one) = (Number::constant(0.0, dtype), Number::constant(1.0, dtype));
        let first = arg(row, End::Largest, Tie::First, rule::NAN, rule::TIES);
        let NumberKind::Int(index) = first.kind else { return vec![zero; row.len()] };
        // If the row contains NaN, any element or none may count as the largest.
        let any = row.iter().any(|x| x.is_nan() || x.may_be_nan()) || first.latitude.is_some();
        let element = |i: usize| {
            let i = i as i128;
            let (chosen, other) = if i == index.mid { (one, zero) } else { (zero, one) };
            match index.low <= i && i <= index.high && index.low != index.high {
                _ if any => chosen.or(other, rule::NAN),
                true => Number::from(Real { low: 0.0, high: 1.0, integral: true, ..chosen.real() }),
                false => chosen,
            }
        };
        (0..row.len()).map(element).collect()
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn the_first_largest_element_of_a_row_counts() {
        let x = floats(&[2, 3, 2], &[1.0, 5.0, 5.0, 2.0, 0.0, 5.0, -1.0, -3.0, -1.0, -2.0, -7.0, -2.0]);
        let along = &run("Hardmax <axis = 1>", 13, std::slice::from_ref(&x), 1).expect("the node is valid")[0];
        assert_eq!(along.tensor.to_f64s(), [0., 1., 1., 0., 0., 0., 1., 0., 0., 1., 0., 0.]);
        let flat = &run("Hardmax", 11, &[x], 1).expect("the node is valid")[0];
        assert_eq!(flat.tensor.to_f64s(), [0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0.]);
    }
}
