//! Tests for the class of an element: NaN or infinite.

use plumbline_tensor::DType;

use crate::{Int, Number, NumberKind};

/// Tests whether `holds` is true of an element. If it is true of some accepted values of the element and false of
/// others, both answers are accepted.
///
/// The function `holds` tests for NaN, +infinity, -infinity, or several of them. The two ends of an interval then show
/// whether the interval contains a value of the class.
pub fn predicate(x: Number, holds: impl Fn(f64) -> bool) -> Number {
    x.each_way(|x| {
        let real = x.real();
        let mid = holds(real.mid);
        let others = [real.low, real.high].map(&holds);
        let nan = real.nan && holds(f64::NAN);
        let certain = others == [true, true] && (!real.nan || nan);
        let possible = others != [false, false] || nan;
        let (low, high) = (i128::from(mid && certain), i128::from(mid || possible));
        let kind = NumberKind::Int(Int { low, mid: i128::from(mid), high, dtype: DType::Bool });
        Number { kind, latitude: None }
    })
}
