//! The ends of an accepted interval as elements of the output's type.
//!
//! The oracle has the ends in float64. An answer is an element of the output's type, so the interval accepts the same
//! answers if its ends are rounded inward to that type.

use plumbline_tensor::{FloatFormat, Saturation};

/// Returns the bits of the smallest element that is not below `x`, or `None` if there is none.
fn at_least(format: &FloatFormat, x: f64) -> Option<u64> {
    if !format.is_signed() && x <= format.decode(0) {
        return Some(0);
    }
    if !format.has_infinity() && x.abs() > format.max_finite() {
        return (x < 0.0).then(|| format.encode(-format.max_finite(), NEAREST));
    }
    let bits = format.encode(x, NEAREST);
    if format.decode(bits) >= x { Some(bits) } else { next_up(format, bits) }
}

/// Returns the bits of the largest element that is not above `x`, or `None` if there is none.
fn at_most(format: &FloatFormat, x: f64) -> Option<u64> {
    if !format.is_signed() && x < format.decode(0) {
        return None;
    }
    if !format.has_infinity() && x.abs() > format.max_finite() {
        return (x > 0.0).then(|| format.encode(format.max_finite(), NEAREST));
    }
    let bits = format.encode(x, NEAREST);
    if format.decode(bits) <= x { Some(bits) } else { next_down(format, bits) }
}

const NEAREST: Saturation = Saturation::None;

/// Returns the elements at the two ends of an interval, as bits. If the interval holds no element, returns 2.0 as
/// the lower end and 1.0 as the upper end. If only NaN is accepted and the type has NaN, both ends are NaN.
pub(super) fn ends(format: &FloatFormat, low: f64, high: f64) -> (u64, u64) {
    let encode = |x: f64| format.encode(x, NEAREST);
    if low.is_nan() && format.has_nan() {
        return (encode(f64::NAN), encode(f64::NAN));
    }
    let empty = (encode(2.0), encode(1.0));
    if low.is_nan() || high.is_nan() {
        return empty;
    }
    match (at_least(format, low), at_most(format, high)) {
        (Some(first), Some(last)) if format.decode(first) <= format.decode(last) => (first, last),
        _ => empty,
    }
}

/// Returns the bits of the next larger element.
fn next_up(format: &FloatFormat, bits: u64) -> Option<u64> {
    let width = format.exponent_bits + format.mantissa_bits;
    let (negative, magnitude) = (format.is_signed() && bits >> width & 1 == 1, bits & ((1 << width) - 1));
    let next = match (negative, magnitude) {
        (true, 0 | 1) => magnitude ^ 1,
        (true, _) => 1 << width | (magnitude - 1),
        (false, _) => magnitude + 1,
    };
    // The bit pattern after that of the largest element is NaN, or decodes as a smaller number.
    (format.decode(next) > format.decode(bits)).then_some(next)
}

/// Returns the bits of the next smaller element.
fn next_down(format: &FloatFormat, bits: u64) -> Option<u64> {
    if !format.is_signed() {
        return bits.checked_sub(1);
    }
    let sign = 1 << (format.exponent_bits + format.mantissa_bits);
    let zero = |bits: u64| if bits & !sign == 0 { 0 } else { bits };
    if zero(bits) == 0 {
        return Some(sign | 1);
    }
    next_up(format, bits ^ sign).map(|up| zero(up ^ sign))
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::DType;

    use super::*;

    /// Returns the decoded ends for a type.
    fn decoded(dtype: DType, low: f64, high: f64) -> (f64, f64) {
        let format = FloatFormat::for_dtype(dtype).unwrap();
        let (low, high) = ends(format, low, high);
        (format.decode(low), format.decode(high))
    }

    #[test]
    fn ends_are_rounded_inward() {
        assert_eq!(decoded(DType::Float8e4m3fn, 1.01, 1.49), (1.125, 1.375));
        assert_eq!(decoded(DType::Float8e4m3fn, -1.49, -1.01), (-1.375, -1.125));
        assert_eq!(decoded(DType::Float, 1.0, 1.0), (1.0, 1.0));
        assert_eq!(decoded(DType::Float, 3.5e38, f64::INFINITY), (f64::INFINITY, f64::INFINITY));
        assert_eq!(decoded(DType::Float, 0.0, 3.5e38), (0.0, f64::from(f32::MAX)));
        assert_eq!(decoded(DType::Float8e4m3fn, f64::NEG_INFINITY, f64::INFINITY), (-448.0, 448.0));
        assert_eq!(decoded(DType::Float8e8m0, 0.0, 0.9).1, 0.5);
        let (low, high) = decoded(DType::Float16, f64::NAN, f64::NAN);
        assert!(low.is_nan() && high.is_nan());
        assert_eq!(decoded(DType::Double, 0.1, f64::INFINITY), (0.1, f64::INFINITY));
    }

    #[test]
    fn an_interval_without_an_element_accepts_none() {
        assert_eq!(decoded(DType::Float8e4m3fn, 1.01, 1.02), (2.0, 1.0));
        assert_eq!(decoded(DType::Float8e4m3fn, 500.0, 600.0), (2.0, 1.0));
        assert_eq!(decoded(DType::Float8e4m3fn, -600.0, -500.0), (2.0, 1.0));
        assert_eq!(decoded(DType::Float8e8m0, -2.0, -1.0), (2.0, 1.0));
        assert_eq!(decoded(DType::Double, 0.5, f64::NAN), (2.0, 1.0));
        assert_eq!(decoded(DType::Float4e2m1, f64::NAN, f64::NAN), (2.0, 1.0));
    }

    /// The rounded ends accept exactly the elements that the interval accepts. The test tries each type of up to 8
    /// bits, with many intervals whose ends are elements or numbers between elements.
    #[test]
    fn rounded_ends_accept_the_same_elements() {
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_float() && dtype.bits().is_some_and(|b| b <= 8)) {
            let format = FloatFormat::for_dtype(dtype).unwrap();
            let count = 1u64 << dtype.bits().unwrap();
            let elements: Vec<f64> = (0..count).map(|bits| format.decode(bits)).filter(|x| !x.is_nan()).collect();
            let mut places: Vec<f64> = elements.clone();
            places.extend(elements.iter().flat_map(|x| [x.next_up(), x.next_down(), x * 1.01]));
            places.extend([f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300]);
            places.sort_by(f64::total_cmp);
            for (at, &low) in places.iter().enumerate().step_by(3) {
                for &high in places[at..].iter().step_by(7) {
                    let (first, last) = decoded(dtype, low, high);
                    let differs = |x: &&f64| (low <= **x && **x <= high) != (first <= **x && **x <= last);
                    let wrong = elements.iter().find(differs);
                    assert_eq!(wrong, None, "{dtype}: [{low:?}, {high:?}] became [{first:?}, {last:?}]");
                }
            }
        }
    }
}
