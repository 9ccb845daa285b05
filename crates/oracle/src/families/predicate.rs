//! Questions about the class of an element.

use plumbline_tensor::DType;

use crate::{Int, Kind, Number};

/// Whether `holds` of an element: both answers are accepted where accepted values disagree. `holds` is one of the classes NaN,
/// +infinity and -infinity, or several of them, so that the ends of an interval show whether it has one.
pub fn predicate(x: Number, holds: impl Fn(f64) -> bool) -> Number {
    x.each_way(|x| {
        let real = x.real();
        let mid = holds(real.mid);
        let others = [real.low, real.high].map(&holds);
        let nan = real.nan && holds(f64::NAN);
        let certain = others == [true, true] && (!real.nan || nan);
        let possible = others != [false, false] || nan;
        let (low, high) = (i128::from(mid && certain), i128::from(mid || possible));
        let kind = Kind::Int(Int { low, mid: i128::from(mid), high, dtype: DType::Bool });
        Number { kind, latitude: None }
    })
}
