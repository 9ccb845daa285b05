//! Numbers as strings: reads the literals that Cast defines, spells numbers, and judges other spellings of a number.

use std::cmp::Ordering;

use plumbline_tensor::{DType, FloatFormat};

/// A literal that Cast defines: what a string stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal<'a> {
    /// A number without a fraction and without an exponent: `1000`, `-7`.
    Integer(&'a str),
    /// A number in plain or scientific notation: `3.14`, `1e-5`.
    Number(&'a str),
    /// `INF`, `+INF` or `-INF`; upper and lower case are equal.
    Infinity(f64),
    /// `NaN`; upper and lower case are equal.
    Nan,
}

/// Reads a string; returns `None` if it is not one of the literals that Cast defines.
pub fn read(string: &[u8]) -> Option<Literal<'_>> {
    let text = std::str::from_utf8(string).ok()?;
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" => return Some(Literal::Infinity(f64::INFINITY)),
        "-inf" => return Some(Literal::Infinity(f64::NEG_INFINITY)),
        "nan" => return Some(Literal::Nan),
        _ => {}
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let wellformed = digits(whole)
        && digits(fraction)
        && whole.len() + fraction.len() > 0
        && exponent.is_none_or(|e| digits(e) && !e.is_empty());
    match wellformed {
        false => None,
        true if exponent.is_none() && !mantissa.contains('.') => Some(Literal::Integer(text)),
        true => Some(Literal::Number(text)),
    }
}

/// Returns the number that a literal stands for, rounded to float64 once.
pub fn value(literal: Literal) -> f64 {
    match literal {
        Literal::Integer(text) | Literal::Number(text) => text.parse().unwrap_or(f64::NAN),
        Literal::Infinity(x) => x,
        Literal::Nan => f64::NAN,
    }
}

/// Returns the number that a literal stands for, rounded to odd: rounding the result once more, to at most 51 bits,
/// gives the same as rounding the literal's number directly.
pub fn odd(literal: Literal) -> f64 {
    let nearest = value(literal);
    let (Literal::Integer(text) | Literal::Number(text)) = literal else { return nearest };
    // A number that rounds to infinity becomes the largest finite number, and one that rounds to zero, but is not zero,
    // becomes the smallest subnormal number.
    let bits = nearest.to_bits();
    match digits(text).cmp(&digits(&format!("{:.800e}", nearest.abs().min(f64::MAX)))) {
        _ if nearest.is_infinite() => f64::MAX.copysign(nearest),
        Ordering::Greater if bits & 1 == 0 => f64::from_bits(bits + 1),
        Ordering::Less if bits & 1 == 0 => f64::from_bits(bits - 1),
        _ => nearest,
    }
}

/// Reads a number in plain or scientific notation, and returns its magnitude as a pair: the place of its first digit
/// other than 0, and its digits from there on. Pairs compare as the magnitudes do; zero has no digits, and is the
/// smallest.
fn digits(text: &str) -> (i64, Vec<u8>) {
    let unsigned = text.trim_start_matches(['+', '-']);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let leading = all.bytes().take_while(|&b| b == b'0').count();
    let kept = all[leading..].trim_end_matches('0').as_bytes().to_vec();
    if kept.is_empty() {
        return (i64::MIN, kept);
    }
    // An exponent with too many digits for an i64 counts as very large or very small.
    let far = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    let exponent = exponent.trim_start_matches('+').parse::<i64>().unwrap_or(far).clamp(i64::MIN / 2, i64::MAX / 2);
    (exponent + whole.len() as i64 - leading as i64, kept)
}

/// Writes a number in plain notation, with as few digits as distinguish it from its neighbours in float32, or in
/// float64 for a double.
pub fn spell(value: f64, dtype: DType) -> String {
    match value {
        x if x.is_nan() => "NaN".to_owned(),
        x if x.is_infinite() => if x > 0.0 { "INF" } else { "-INF" }.to_owned(),
        x if dtype == DType::Double => format!("{x}"),
        x => format!("{}", x as f32),
    }
}

/// The result of comparing a string with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelled {
    /// The number in plain notation, with enough digits.
    Same,
    /// The number with fewer digits, or in another notation.
    Close,
    /// Another number, or no number.
    Other,
}

/// The largest relative error at which a string counts as a short spelling of a number: twice that of rounding to six
/// significant digits (C's `%g`).
const SHORT_RELATIVE: f64 = 1e-5;
/// The largest absolute error at which a string counts as a short spelling: that of six decimals (C's `%f`), and a
/// little more.
pub const SHORT_ABSOLUTE: f64 = 5.1e-7;

/// Judges whether a string that is not the preferred spelling of `value` is another spelling of it. `value` is a number
/// of type `dtype`.
pub fn judge(string: &[u8], value: f64, dtype: DType) -> Spelled {
    let lower = String::from_utf8_lossy(string).to_ascii_lowercase();
    let close = |yes: bool| if yes { Spelled::Close } else { Spelled::Other };
    if dtype == DType::Bool {
        let truth = lower == "true" || lower == "false";
        return close(if truth { (lower == "true") == (value != 0.0) } else { number(string) == Some(value) });
    }
    if value.is_nan() {
        return if lower == "nan" { Spelled::Same } else { close(lower.contains("nan")) };
    }
    if value.is_infinite() {
        let same = matches!(read(string), Some(Literal::Infinity(x)) if x == value);
        return if same {
            Spelled::Same
        } else {
            close(lower.contains("inf") && lower.starts_with('-') == (value < 0.0))
        };
    }
    let Some(found) = number(string) else { return Spelled::Other };
    let Some(format) = FloatFormat::for_dtype(dtype) else {
        // An integer literal that is not the preferred spelling counts as another number.
        return close(!matches!(read(string), Some(Literal::Integer(_))) && found == value);
    };
    let exact = match dtype {
        DType::Float => lower.parse::<f32>().is_ok_and(|x| f64::from(x) == value),
        _ => format.nearest(found) == value,
    };
    match exact {
        true if !lower.contains('e') => Spelled::Same,
        true => Spelled::Close,
        false => close((found - value).abs() <= (SHORT_RELATIVE * value.abs()).max(SHORT_ABSOLUTE)),
    }
}

fn number(string: &[u8]) -> Option<f64> {
    match read(string)? {
        literal @ (Literal::Integer(_) | Literal::Number(_)) => Some(value(literal)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_cast_reads_them() {
        assert_eq!(read(b"1000"), Some(Literal::Integer("1000")));
        assert_eq!(read(b"-0.5"), Some(Literal::Number("-0.5")));
        assert_eq!(read(b"1E8"), Some(Literal::Number("1E8")));
        assert_eq!(read(b"+iNf"), Some(Literal::Infinity(f64::INFINITY)));
        assert_eq!(read(b"nan"), Some(Literal::Nan));
        for other in
            [&b""[..], b".", b"+", b"e5", b"1e", b"--1", b" 1", b"1 ", b"0x10", b"infinity", b"+nan", b"1_0", b"\xff"]
        {
            assert_eq!(read(other), None, "{}", String::from_utf8_lossy(other));
        }
    }

    #[test]
    fn rounding_to_odd_sees_every_digit() {
        let odd = |text: &str| odd(read(text.as_bytes()).unwrap());
        assert_eq!(odd("0.5"), 0.5);
        assert_eq!(odd("-12.500"), -12.5);
        assert_eq!(odd("1e2"), 100.0);
        // The significand of 1 is even; a number just above or below it becomes the odd neighbour on that side.
        assert_eq!(odd("1.00000000000000000000000001"), 1.0 + f64::EPSILON);
        assert_eq!(odd("-0.99999999999999999999999999"), -1.0 + f64::EPSILON / 2.0);
        assert_eq!(odd("100000000000000000000000001e-26"), 1.0 + f64::EPSILON);
        assert_eq!(odd("1e-400"), f64::from_bits(1));
        assert_eq!(odd("-1e-99999999999999999999"), -f64::from_bits(1));
        assert_eq!(odd("1e400"), f64::MAX);
        assert_eq!(odd("0e5").to_bits(), 0);
        assert_eq!(odd("-0.000").to_bits(), (-0.0f64).to_bits());
        // Float64 cannot represent 0.1; the nearest float64, 0x3fb999999999999a, is larger.
        assert_eq!(odd("0.1").to_bits(), 0x3fb9_9999_9999_9999);
        assert_eq!(odd("INF"), f64::INFINITY);
    }

    #[test]
    fn numbers_are_spelled_in_plain_notation() {
        assert_eq!(spell(f64::from(0.1f32), DType::Float), "0.1");
        assert_eq!(spell(448.0, DType::Float8e4m3fn), "448");
        assert_eq!(spell(1e21, DType::Double), "1000000000000000000000");
        assert_eq!(spell(f64::NEG_INFINITY, DType::Float), "-INF");
    }

    #[test]
    fn strings_are_judged_as_spellings_of_a_number() {
        let pi = f64::from(std::f32::consts::PI);
        for (text, want) in [
            ("3.1415927", Spelled::Same),
            ("3.14159274101257324", Spelled::Same),
            ("3.1415927e0", Spelled::Close),
            ("3.14159", Spelled::Close),
            ("3.1415", Spelled::Other),
            ("3", Spelled::Other),
            ("pi", Spelled::Other),
        ] {
            assert_eq!(judge(text.as_bytes(), pi, DType::Float), want, "{text}");
        }
        assert_eq!(judge(b"5.0", 5.0, DType::Int32), Spelled::Close);
        assert_eq!(judge(b"6", 5.0, DType::Int32), Spelled::Other);
        assert_eq!(judge(b"9007199254740992", 9007199254740993i64 as f64, DType::Int64), Spelled::Other);
        assert_eq!(judge(b"True", 1.0, DType::Bool), Spelled::Close);
        assert_eq!(judge(b"False", 1.0, DType::Bool), Spelled::Other);
        assert_eq!(judge(b"-nan", f64::NAN, DType::Float), Spelled::Close);
        assert_eq!(judge(b"-inf", f64::INFINITY, DType::Float), Spelled::Other);
        assert_eq!(judge(b"0", 1e-39, DType::Float), Spelled::Close);
        assert_eq!(judge(b"0", 0.25, DType::Float), Spelled::Other);
    }
}
