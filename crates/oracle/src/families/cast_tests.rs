//! Conversions with results that were worked out by hand from the text of Cast.

use super::*;
use crate::Judged;

fn to(to: DType, since: u32) -> Cast {
    Cast { since, to, saturate: true, round_mode: RoundMode::Up }
}

fn real(x: f64) -> Number {
    Real::exact(x, DType::Double).into()
}

fn single(x: f32) -> Number {
    Real::exact(f64::from(x), DType::Float).into()
}

fn int(x: i128) -> Number {
    Number::int(x, DType::Int64)
}

fn allowed(x: Number) -> Option<Allowed> {
    x.latitude.map(|l| l.allowed)
}

#[test]
fn fractions_go_towards_zero_or_to_the_nearest_integer() {
    let whole = to(DType::Int32, 13).number(single(-2.75));
    assert_eq!((whole.mid_int(), allowed(whole)), (-2, Some(Allowed::int(-3))));
    let small = to(DType::Int4, 21).number(single(-2.75));
    assert_eq!((small.mid_int(), allowed(small)), (-3, Some(Allowed::int(-2))));
    let tie = to(DType::Uint8, 13).number(single(2.5));
    assert_eq!((tie.mid_int(), allowed(tie)), (2, None));
    for outside in [128.0, -129.0, f32::NAN, f32::INFINITY, f32::MAX] {
        assert_eq!(allowed(to(DType::Int8, 13).number(single(outside))), Some(Allowed::Anything), "{outside}");
        // Before version 13, the result is an end of the range, zero, or the lower bits.
        let x = to(DType::Int8, 9).number(single(outside));
        let takes =
            |value| x.mid_int() == value || matches!(allowed(x), Some(Allowed::Ints(ints)) if ints.contains(value));
        assert!(takes(-128) && takes(0) && takes(127) != outside.is_nan() && !takes(7), "{outside} {x:?}");
    }
    assert_eq!(allowed(to(DType::Int8, 13).number(single(127.0))), None);
    assert_eq!(allowed(to(DType::Uint64, 13).number(single(-0.25))), None);
}

#[test]
fn integers_lose_their_higher_bits() {
    assert_eq!(to(DType::Int8, 13).number(Number::int(200, DType::Int16)), Number::int(-56, DType::Int8));
    assert_eq!(to(DType::Uint2, 25).number(int(-1)), Number::int(3, DType::Uint2));
    let x = to(DType::Int8, 9).number(int(200));
    assert_eq!((x.mid_int(), allowed(x)), (-56, Some(Allowed::int(-128).with(Allowed::int(127)))));
}

#[test]
fn only_zero_becomes_false() {
    for (x, want) in [(-0.0, 0), (0.25, 1), (f32::NAN, 1), (f32::NEG_INFINITY, 1)] {
        assert_eq!(to(DType::Bool, 13).number(single(x)), Number::int(want, DType::Bool));
    }
    assert_eq!(allowed(to(DType::Bool, 9).number(int(36))), Some(Allowed::int(0)));
    assert_eq!(allowed(to(DType::Bool, 9).number(int(1))), None);
}

#[test]
fn eight_bit_floats_follow_the_tables() {
    use DType::{Float8e4m3fn, Float8e4m3fnuz, Float8e5m2, Float8e5m2fnuz};
    let nan = f64::NAN;
    // For each type: its largest number, which infinity becomes with `saturate` in version 24; what infinity becomes
    // with `saturate` in version 19; and what large numbers and infinity become without `saturate`.
    for (dtype, largest, in_19, otherwise) in [
        (Float8e4m3fn, 448.0, 448.0, nan),
        (Float8e4m3fnuz, 240.0, nan, nan),
        (Float8e5m2, 57344.0, 57344.0, f64::INFINITY),
        (Float8e5m2fnuz, 57344.0, nan, nan),
    ] {
        let same = |x: Number, want: f64| {
            assert!(x.mid() == want || x.is_nan() && want.is_nan(), "{dtype}: found {x:?}, expected {want}");
            assert_eq!(x.latitude, None);
        };
        let open = |saturate: bool, since| Cast { saturate, ..to(dtype, since) };
        let infinite = open(true, 19).number(single(f32::INFINITY));
        assert_eq!(allowed(infinite), in_19.is_nan().then_some(Allowed::real(largest)));
        same(Number { latitude: None, ..infinite }, in_19);
        same(open(true, 24).number(single(f32::INFINITY)), largest);
        same(open(true, 19).number(single(-1e6)), -largest);
        same(open(false, 24).number(single(1e6)), otherwise);
        same(open(false, 24).number(single(f32::INFINITY)), otherwise);
        same(open(true, 24).number(single(f32::NAN)), nan);
        let zero = open(true, 24).number(single(-0.0)).real();
        let unsigned = matches!(dtype, Float8e4m3fnuz | Float8e5m2fnuz);
        assert_eq!((zero.mid.is_sign_negative(), zero.signed_zero), (!unsigned, !unsigned));
    }
    // 448 has an even significand, so that 464, half a step above it, is still rounded to it. Numbers above 464 are
    // not.
    let plain = Cast { saturate: false, ..to(Float8e4m3fn, 24) };
    assert_eq!(plain.number(single(464.0)).mid(), 448.0);
    assert!(plain.number(single(464.5)).is_nan());
}

#[test]
fn float8e8m0_follows_its_table_and_leaves_the_rest_open() {
    let smallest = f32::from_bits(0x0040_0000);
    let up = to(DType::Float8e8m0, 24);
    let nearest = Cast { saturate: false, round_mode: RoundMode::Nearest, ..up };
    assert_eq!(up.number(single(1.125)).mid(), 2.0);
    assert_eq!(nearest.number(single(1.5)).mid(), 2.0);
    assert_eq!((nearest.number(single(1.25)).mid(), allowed(nearest.number(single(1.25)))), (1.0, None));
    assert_eq!(up.number(single(0.0)).mid(), f64::from(smallest));
    assert_eq!(allowed(up.number(single(0.0))), None);
    assert!(nearest.number(single(0.0)).is_nan());
    assert_eq!(up.number(single(f32::INFINITY)).mid(), 2f64.powi(127));
    assert!(nearest.number(single(f32::MAX)).is_nan());
    let exact = nearest.number(single(smallest));
    assert_eq!((exact.mid(), allowed(exact)), (f64::from(smallest), None));
    for open in [-0.0, -1.0] {
        assert_eq!(allowed(up.number(single(open))), Some(Allowed::Anything));
    }
    let down = Cast { round_mode: RoundMode::Down, ..up };
    assert_eq!(allowed(down.number(single(f32::MAX))), Some(Allowed::Anything));
    assert_eq!((down.number(single(7.0)).mid(), allowed(down.number(single(7.0)))), (4.0, None));
}

#[test]
fn one_rounding_is_expected_and_two_are_left_open() {
    // Half a step of float16 above 1, and a little more that float32 does not hold.
    let x = real(1.0 + 2f64.powi(-11) + 2f64.powi(-40));
    let half = to(DType::Float16, 13).number(x);
    assert_eq!((half.mid(), allowed(half)), (1.0 + 2f64.powi(-10), Some(Allowed::between(1.0, half.mid()))));
    // The same case as an integer that float64 does not hold.
    let x = (1i128 << 60) + (1 << 52) + 1;
    let brain = to(DType::Bfloat16, 13).number(int(x));
    assert_eq!(brain.mid(), 2f64.powi(60) + 2f64.powi(53));
    assert_eq!(allowed(brain), Some(Allowed::between(2f64.powi(60), brain.mid())));
    let x = (1i128 << 54) + (1 << 30) + 1;
    let float = to(DType::Float, 13).number(int(x));
    assert_eq!(
        (float.mid(), allowed(float)),
        (2f64.powi(54) + 2f64.powi(31), Some(Allowed::between(2f64.powi(54), float.mid())))
    );
    assert_eq!(to(DType::Double, 13).number(int(x)).mid(), x as f64);
    // An implementation may round float32 to bfloat16 or truncate it.
    let cut = to(DType::Bfloat16, 13).number(single(1.0 + 3.0 / 256.0));
    assert_eq!((cut.mid(), allowed(cut)), (1.015625, Some(Allowed::between(1.0078125, 1.015625))));
    let ordinary = to(DType::Float16, 13).number(single(1.0 + 3.0 / 2048.0));
    assert_eq!((ordinary.mid(), allowed(ordinary)), (1.001953125, None));
}

#[test]
fn values_out_of_range_become_an_infinity_if_the_type_has_one() {
    assert_eq!(to(DType::Float16, 13).number(single(65519.0)).mid(), 65504.0);
    assert_eq!(to(DType::Float16, 13).number(single(65520.0)).mid(), f64::INFINITY);
    assert_eq!(to(DType::Float4e2m1, 23).number(single(f32::NEG_INFINITY)).mid(), -6.0);
    let nan = to(DType::Float4e2m1, 23).number(single(f32::NAN));
    assert_eq!((nan.mid(), allowed(nan)), (6.0, Some(Allowed::real(0.0))));
}

#[test]
fn digits_after_the_middle_of_two_neighbours_decide_the_rounding() {
    // 1 + 2^-11 is halfway between 1 and the next float16. An implementation that converts through float64 drops the
    // last digits, and rounds the tie to the even neighbour.
    let one = 1.0;
    let next = one + 2f64.powi(-10);
    let string = |text: &str| to(DType::Float16, 13).string(text.as_bytes());
    assert_eq!((string("1.00048828125").mid(), allowed(string("1.00048828125"))), (one, None));
    let above = string("1.000488281250000000000000000001");
    assert_eq!((above.mid(), allowed(above)), (next, Some(Allowed::between(one, next))));
    let below = string("1.0014648437499999999999999999");
    let even = one + 2.0 * 2f64.powi(-10);
    assert_eq!((below.mid(), allowed(below)), (next, Some(Allowed::between(next, even))));
    assert_eq!(string("65519.99999999999999999999999").mid(), 65504.0);
    assert_eq!(string("65520").mid(), f64::INFINITY);
}

#[test]
fn strings_are_parsed_as_numbers() {
    let string = |text: &str, dtype| to(dtype, 13).string(text.as_bytes());
    assert_eq!(string("1e-5", DType::Float).mid(), f64::from(1e-5f32));
    assert_eq!(string("-iNf", DType::Float16).mid(), f64::NEG_INFINITY);
    assert!(string("nan", DType::Double).is_nan());
    assert_eq!(string("-9223372036854775808", DType::Int64), int(i128::from(i64::MIN)));
    for (text, dtype) in [("2.718", DType::Int32), ("inf", DType::Int8), ("Hello World!", DType::Float)] {
        assert_eq!(allowed(string(text, dtype)), Some(Allowed::Anything), "{text}");
    }
    let thousand = string("1e3", DType::Int32);
    assert_eq!((thousand.mid_int(), allowed(thousand)), (1000, Some(Allowed::int(1))));
    assert_eq!(string("300", DType::Int8).mid_int(), 44);
    // A digit that float64 does not hold makes the upper of two neighbours the nearest float32.
    let text = "1.00000005960464477539062500000001";
    let float = string(text, DType::Float);
    assert_eq!(
        (float.mid(), allowed(float)),
        (1.0 + 2f64.powi(-23), Some(Allowed::between(1.0, 1.0 + 2f64.powi(-23))))
    );
}

#[test]
fn a_subnormal_number_that_may_be_flushed_is_spelled() {
    let mut flush = crate::Policy::default();
    flush.flush_subnormals = true;
    let flushed = |x: Real| crate::precision::under(&flush, || x.flushed_where_allowed());
    let spelled = |number: Real| {
        let input = Expected::from_numbers(number.dtype, vec![1], [number.into()]).unwrap();
        cast(&input, to(DType::String, 19))
    };
    let small = spelled(flushed(Real::exact(f64::from(1e-40_f32), DType::Float))).unwrap();
    let judged = |string: &str| {
        let answer = Tensor::new(DType::String, vec![1], Data::Strings(vec![string.as_bytes().to_vec()])).unwrap();
        small.judge(&answer, 0)
    };
    for string in ["0", "-0.0", "1e-40"] {
        assert!(matches!(judged(string), Judged::Latitude(_)), "{string}: {:?}", judged(string));
    }
    assert!(matches!(judged("0.001"), Judged::Wrong));
    // The accepted values of these numbers are too far apart for one short spelling.
    for number in [flushed(Real::exact(3e-5, DType::Float16)), Real { high: 2.0, ..Real::exact(1.0, DType::Float) }] {
        assert!(!number.is_point() && spelled(number).is_err(), "{number:?}");
    }
}
