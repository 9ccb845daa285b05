use crate::prelude::*;

/// Computes the Gauss error function of each element.
///
/// Version 9 takes floats and integers (`integer-rounding`), version 13 only floats. NaN and infinities:
/// `nan-and-infinity`.
pub fn erf(call: &Call) -> Answer {
    call.map("input", |x| match x.kind {
        NumberKind::Real(_) => x.erf(),
        NumberKind::Int(n) => of_integer(x, n.mid),
    })
}

/// Computes the error function of an integer. The result is between -1 and 1, so truncation gives 0. For an integer
/// other than 0, rounding gives 1 or -1 (`integer-rounding`).
fn of_integer(x: Number, n: i128) -> Number {
    let zero = x.like(0.0);
    if n == 0 { zero } else { zero.or(Number::int(n.signum(), x.dtype()), rule::INTEGER_ROUNDING) }
}

#[cfg(test)]
mod tests {
    use crate::testing::run;
    use crate::{Allowed, Number};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn integers_are_cut_off_or_rounded() {
        let x = Tensor::from_i128s(DType::Int16, vec![3], &[-3, 0, 1]).expect("the shape has three elements");
        let y = &run("Erf", 9, &[x], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_i128s(), [0, 0, 0]);
        let others: Vec<_> = y.numbers().map(|n: Number| n.latitude.map(|l| l.allowed)).collect();
        assert_eq!(others, [Some(Allowed::int(-1)), None, Some(Allowed::int(1))]);
    }
}
