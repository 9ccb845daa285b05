//! Conversions between element types, for Cast and CastLike. The rules named here are Cast's; CastLike has the same
//! ones.

// Over 400 lines: every pair of element types, with what each leaves open.

use plumbline_tensor::{Data, FloatFormat, RoundMode, Saturation};

use crate::precision;
use crate::prelude::*;
use crate::text::{self, Literal};
use crate::{Allowed, Int, Latitude, wrap};

/// A conversion: its target type, and the rules that apply to it.
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    /// The version of Cast whose rules apply.
    pub since: u32,
    /// The target type.
    pub to: DType,
    /// The attribute `saturate`, for conversions to 8-bit floats.
    pub saturate: bool,
    /// The attribute `round_mode`, for conversions to float8e8m0.
    pub round_mode: RoundMode,
}

/// Converts a tensor to another type. An implementation that flushes subnormal numbers of 16 bits and more may do so if
/// both types are the same.
pub fn cast(input: &Expected, cast: Cast) -> Result<Expected, Refusal> {
    match (input.dtype(), cast.to) {
        (from, to) if from == to && !(precision::flushing() && to.is_float() && to.size() > 1) => Ok(input.clone()),
        (_, DType::String) => spelled(input),
        _ => Expected::from_numbers(cast.to, input.shape().to_vec(), (0..input.len()).map(|i| cast.element(input, i))),
    }
}

/// Spells numbers as strings. The number of digits and the notation are left open (`number-to-string`).
fn spelled(input: &Expected) -> Result<Expected, Refusal> {
    let dtype = input.dtype();
    let mut strings = Vec::with_capacity(input.len());
    let mut latitude = Vec::with_capacity(input.len());
    for (index, number) in input.numbers().enumerate() {
        if !number.is_point() && !is_spelled_as_zero(number) {
            return Err(Refusal::unsupported(
                "a number that is known only as an interval has no single spelling as a string",
            ));
        }
        let string = match number.kind {
            NumberKind::Int(x) => x.mid.to_string(),
            NumberKind::Real(x) => text::spell(x.mid, dtype),
        };
        strings.push(string.into_bytes());
        latitude
            .push((index, Latitude { label: rule::NUMBER_TO_STRING, allowed: Allowed::Spelling(number.mid(), dtype) }));
    }
    let tensor = Tensor::new(DType::String, input.shape().to_vec(), Data::Strings(strings))?;
    Ok(Expected { latitude, ..tensor.into() })
}

/// Returns whether all values that a number accepts are so close to zero that a backend may spell any of them: each
/// counts as the preferred value, spelled with few digits. An example is a subnormal float32 that a backend may flush.
fn is_spelled_as_zero(number: Number) -> bool {
    let is_tiny = |x: f64| x.abs() <= text::SHORT_ABSOLUTE / 2.0;
    matches!(number.kind, NumberKind::Real(x) if !x.nan && is_tiny(x.low) && is_tiny(x.high))
        && number.latitude.is_none()
}

/// A function that removes the fraction of a number.
type Step = fn(f64) -> f64;

impl Cast {
    /// Converts element `index` of a tensor to the target type, which is not string.
    pub fn element(&self, input: &Expected, index: usize) -> Number {
        match input.tensor.strings().get(index) {
            Some(string) => match input.latitude_at(index) {
                Some(open) => self.string(string).undecided(open.label),
                None => self.string(string),
            },
            None => self.number(input.number(index)),
        }
    }

    /// Converts a number to the target type, which is not string.
    pub fn number(&self, x: Number) -> Number {
        let converted = |x: Number| match (x.kind, self.to) {
            (NumberKind::Real(real), DType::Bool) => self.truth(x, real.low, real.high),
            (NumberKind::Int(int), DType::Bool) => self.truth(x, int.low as f64, int.high as f64),
            (NumberKind::Real(real), to) if to.is_float() => self.real_to_float(real),
            (NumberKind::Int(int), to) if to.is_float() => self.int_to_float(int),
            (NumberKind::Real(real), _) => self.real_to_int(real),
            (NumberKind::Int(int), _) => self.int_to_int(int),
        };
        if x.dtype().is_float() { x.each_part(converted) } else { x.each_way(converted) }
    }

    /// Converts a number to bool: zero is false, and every other number is true. Before version 13 no text says so for
    /// numbers other than 0 and 1 (`bool-conversion`). In version 9, finite real numbers of 1 and more have to be true
    /// nevertheless, because the function body of Range-11 casts its number of elements to bool.
    fn truth(&self, x: Number, low: f64, high: f64) -> Number {
        let truth = i128::from(x.mid() != 0.0);
        let certain = low > 0.0 || high < 0.0 || low == high || low.is_nan();
        let counts = self.since == 9 && matches!(x.kind, NumberKind::Real(_)) && low >= 1.0 && high.is_finite();
        let (low, high) = if certain { (truth, truth) } else { (0, 1) };
        let result = Number::from(Int { low, mid: truth, high, dtype: DType::Bool });
        let is_defined = x.is_point() && (x.mid() == 0.0 || x.mid() == 1.0);
        let open = self.since < 13 && !is_defined && !counts;
        if open { result.or(Number::int(1 - truth, DType::Bool), rule::BOOL_CONVERSION) } else { result }
    }

    /// Converts between integer types. From version 13 on, bits that do not fit are lost; before, the result is left
    /// open (`integer-overflow`).
    fn int_to_int(&self, x: Int) -> Number {
        let converted = Number::from(Int { dtype: self.to, ..x });
        let fits = wrap(x.low, self.to) == x.low && wrap(x.high, self.to) == x.high;
        match fits {
            true => converted,
            false if self.since < 13 => converted.wraps(rule::INTEGER_OVERFLOW),
            false if x.low == x.high => converted.wrapped(),
            false => {
                let (low, high) = self.to.integer_range().unwrap_or((0, 1));
                Number::from(Int { low, mid: wrap(x.mid, self.to), high, dtype: self.to })
            }
        }
    }

    /// Converts a real number to an integer type. For types of a byte or more, the fraction is cut off, and rounding to
    /// the nearest integer is another outcome. For types smaller than a byte, the number is rounded to the nearest
    /// integer, and cutting off the fraction is another outcome (`integer-rounding`). The result for numbers out of
    /// range is undefined (`float-out-of-range`).
    fn real_to_int(&self, x: Real) -> Number {
        let small = self.to.bits().is_some_and(|bits| bits < 8);
        let (taken, other): (Step, Step) =
            if small { (f64::round_ties_even, f64::trunc) } else { (f64::trunc, f64::round_ties_even) };
        let fits = |x: f64| x.is_finite() && wrap(x as i128, self.to) == x as i128;
        let int = |x: f64| x as i128;
        let (low, mid, high) = (taken(x.low), taken(x.mid), taken(x.high));
        if x.low < x.high && !x.nan {
            return self.range_to_int(x, taken, other);
        }
        if !fits(mid) {
            let result = self.out_of_range(mid).or(self.out_of_range(other(x.mid)), rule::FLOAT_OUT_OF_RANGE);
            let ends = [low, high].into_iter().filter(|&end| end != mid && !end.is_nan());
            let result = if x.nan && !mid.is_nan() {
                result.or(self.out_of_range(f64::NAN), rule::FLOAT_OUT_OF_RANGE)
            } else {
                result
            };
            return ends.fold(result, |result, end| {
                result.or(self.real_to_int(Real::exact(end, x.dtype)), rule::FLOAT_OUT_OF_RANGE)
            });
        }
        if !fits(low) || !fits(high) || x.nan {
            // Some of the accepted values fit the type, and others do not.
            let (least, most) = self.to.integer_range().unwrap_or((0, 1));
            let kept = |end: f64| if end.is_nan() { int(mid) } else { int(end).clamp(least, most) };
            let result = Number::from(Int { low: kept(low), mid: int(mid), high: kept(high), dtype: self.to });
            let others = [low, high, if x.nan { f64::NAN } else { mid }];
            return others
                .into_iter()
                .filter(|&end| !fits(end))
                .fold(result, |r, end| r.or(self.out_of_range(end), rule::FLOAT_OUT_OF_RANGE));
        }
        let result = Number::from(Int { low: int(low), mid: int(mid), high: int(high), dtype: self.to });
        match other(x.mid) {
            other if other != mid => result.or(Allowed::int(int(other)), rule::INTEGER_ROUNDING),
            _ => result,
        }
    }

    /// Converts a number in whose place an interval is accepted.
    fn range_to_int(&self, x: Real, taken: Step, other: Step) -> Number {
        let (least, most) = self.to.integer_range().unwrap_or((0, 1));
        // The cast to `i128` already saturates, also for infinities.
        let range = |step: Step| {
            let [low, mid, high] = [x.low, x.mid, x.high].map(|x| (step(x) as i128).clamp(least, most));
            Number::from(Int { low, mid, high, dtype: self.to })
        };
        let result = range(taken).or(range(other), rule::INTEGER_ROUNDING);
        let fits = |x: f64| x.is_finite() && (least..=most).contains(&(x as i128));
        if [taken, other].iter().all(|step| fits(step(x.low)) && fits(step(x.high))) {
            return result;
        }
        let anything = Number::from(Int { low: least, mid: least, high: most, dtype: self.to });
        result.or(anything, rule::FLOAT_OUT_OF_RANGE).or(self.out_of_range(x.high), rule::FLOAT_OUT_OF_RANGE)
    }

    /// Converts a number that the target type, an integer type, cannot hold (`float-out-of-range`). From version 13 on
    /// the text calls the result undefined, so that any value is accepted. Earlier texts do not mention such numbers.
    fn out_of_range(&self, x: f64) -> Number {
        let number = outside(x, self.to, rule::FLOAT_OUT_OF_RANGE);
        if self.since < 13 { number } else { number.undecided(rule::FLOAT_OUT_OF_RANGE) }
    }

    fn int_to_float(&self, x: Int) -> Number {
        if x.low == x.high {
            // An implementation that converts through a wider format may round twice.
            let (double, exact) = (x.mid as f64, odd(x.mid));
            let rounded = [double, f64::from(exact as f32), f64::from(double as f32)];
            let (from, rounded_before) = match self.to {
                DType::Double => (double, &rounded[..0]),
                DType::Float => (exact, &rounded[..1]),
                _ => (exact, &rounded[..]),
            };
            return self.rounded_float(Real::exact(from, DType::Double), rounded_before);
        }
        let (low, high) = ((x.low as f64).min(odd(x.low)), (x.high as f64).max(odd(x.high)));
        let real = Real { low, high, ..Real::exact(x.mid as f64, DType::Double) };
        let rounded = |x: i128| [f64::from(x as f64 as f32), f64::from(odd(x) as f32)];
        let before = [rounded(x.low), rounded(x.high)].concat();
        self.rounded_float(real, if self.to == DType::Double { &[] } else { &before })
    }

    fn real_to_float(&self, x: Real) -> Number {
        let rounded = [f64::from(x.mid as f32)];
        self.rounded_float(x, if x.dtype == DType::Double { &rounded } else { &[] })
    }

    /// Rounds `x` to the target type. An implementation may round twice: `rounded_before` lists what its first rounding
    /// may make of `x`, for example the nearest float32. For bfloat16, an implementation may also truncate `x`. The
    /// results of rounding twice and of truncation are other outcomes (`float-rounding`).
    fn rounded_float(&self, x: Real, rounded_before: &[f64]) -> Number {
        let Some(format) = FloatFormat::for_dtype(self.to) else { return x.into() };
        let round = |x: f64| self.rounded(x, format);
        let (low, mid, high) = (round(x.low), round(x.mid), round(x.high));
        let sign = x.signed_zero && format.has_negative_zero() && !is_float6(self.to);
        let nan = mid.is_nan() || x.nan && format.has_nan();
        // An end that becomes NaN lies beyond the numbers of the type.
        let (low, high, nan) = match low.is_nan() != high.is_nan() {
            true if high.is_nan() => (low, format.max_finite(), true),
            true => (-format.max_finite(), high, true),
            false => (low, high, nan),
        };
        let (low, high) =
            if precision::keeps_unrounded(self.to) { (low.min(x.low), high.max(x.high)) } else { (low, high) };
        let ends = Real { low, mid, high, nan, signed_zero: sign, ..Real::constant(mid, self.to) };
        let result = Number::from(ends.flushed_where_allowed());
        if let Some(open) = self.special(x, result) {
            return open;
        }
        if mid.is_nan() {
            return result;
        }
        if x.low != x.high {
            let other_rounding = !rounded_before.is_empty() || self.to == DType::Bfloat16;
            let largest = format.max_finite();
            let down = if low == f64::INFINITY { largest } else { low - format.ulp(low) };
            let up = if high == f64::NEG_INFINITY { -largest } else { high + format.ulp(high) };
            let around = Allowed::between(down, up);
            return if other_rounding { result.or(around, rule::FLOAT_ROUNDING) } else { result };
        }
        let mut others: Vec<f64> = rounded_before.iter().map(|&before| round(before)).collect();
        if self.to == DType::Bfloat16 && x.mid.is_finite() {
            others.push(cut_off(x.mid, mid, format));
        }
        let low = others.iter().copied().fold(mid, f64::min);
        let high = others.iter().copied().fold(mid, f64::max);
        if low < high { result.or(Allowed::between(low, high), rule::FLOAT_ROUNDING) } else { result }
    }

    /// Returns `x` rounded to the nearest value of the target type; for float8e8m0, `round_mode` says how to round. For
    /// numbers out of range, 8-bit floats follow the tables of Cast (`float8-saturation`). In floats of less than 8
    /// bits, NaN becomes the largest number.
    fn rounded(&self, x: f64, format: &FloatFormat) -> f64 {
        let bits = match self.to {
            DType::Float8e8m0 => FloatFormat::encode_e8m0(x, self.round_mode, self.saturation()),
            DType::Float4e2m1 | DType::Float6e2m3 | DType::Float6e3m2 if x.is_nan() => return format.max_finite(),
            _ => format.encode(x, self.saturation()),
        };
        format.decode(bits)
    }

    fn saturation(&self) -> Saturation {
        match self.to {
            DType::Float8e4m3fn | DType::Float8e5m2 | DType::Float8e8m0 if self.saturate => Saturation::Saturate,
            DType::Float8e4m3fnuz | DType::Float8e5m2fnuz if self.saturate && self.since >= 24 => Saturation::Saturate,
            DType::Float8e4m3fnuz | DType::Float8e5m2fnuz if self.saturate => Saturation::SaturateFinite,
            _ => Saturation::None,
        }
    }

    /// Returns the result for infinities, NaN, zeros and other values that the type cannot hold, where the sources say
    /// nothing or disagree (`float8-saturation`, `float8e8m0`, `types-without-infinity`). Returns `None` for all other
    /// values.
    fn special(&self, x: Real, result: Number) -> Option<Number> {
        match self.to {
            // The table says NaN; the published cases of these versions have the largest number.
            DType::Float8e4m3fnuz | DType::Float8e5m2fnuz
                if self.saturate && self.since < 24 && x.mid.is_infinite() =>
            {
                let largest = FloatFormat::for_dtype(self.to).map_or(0.0, FloatFormat::max_finite);
                Some(result.or(result.like(largest.copysign(x.mid)), rule::FLOAT8_SATURATION))
            }
            DType::Float4e2m1 | DType::Float6e2m3 | DType::Float6e3m2 if x.mid.is_nan() => {
                Some(result.or(result.like(0.0), rule::TYPES_WITHOUT_INFINITY))
            }
            DType::Float8e8m0 => self.exponent(x, result),
            _ => None,
        }
    }

    /// Does the same as [`Cast::special_exponent`] for a number that an implementation may have flushed to zero.
    fn exponent(&self, x: Real, result: Number) -> Option<Number> {
        let open = self.special_exponent(x.mid, result);
        let zero = Number::constant(self.rounded(0.0, FloatFormat::for_dtype(self.to)?), self.to);
        let zero = self.special_exponent(0.0, zero).unwrap_or(zero);
        let ends_are_open = || [x.low, x.high].into_iter().any(|end| self.special_exponent(end, result).is_some());
        let flushed = x.low == 0.0 && x.mid != 0.0;
        if !x.is_point() && !flushed && (open.is_some() || ends_are_open()) {
            return Some(result.undecided(rule::FLOAT8E8M0));
        }
        if flushed { Some(open.unwrap_or(result).or(zero, rule::FLOAT8E8M0)) } else { open }
    }

    /// Returns the result of a conversion to float8e8m0 if it is left open (`float8e8m0`), and `None` otherwise.
    ///
    /// Negative values are unspecified. For zeros and values out of range, the table decides two of the six
    /// combinations of attributes. ONNX's ReferenceEvaluator reads the exponent field of float32; where it does not
    /// follow the table, its answer is another outcome.
    fn special_exponent(&self, x: f64, result: Number) -> Option<Number> {
        const SMALLEST: f64 = f64::from_bits((1023 - 127) << 52);
        const LARGEST: f64 = f64::from_bits((1023 + 127) << 52);
        let up = self.round_mode == RoundMode::Up;
        let in_table = if self.saturate { up } else { self.round_mode == RoundMode::Nearest };
        if x.is_nan() {
            return None;
        }
        if x.is_sign_negative() || !in_table && !(SMALLEST..=LARGEST).contains(&x) {
            return Some(result.undecided(rule::FLOAT8E8M0));
        }
        let other = match x {
            x if x == f64::INFINITY => f64::NAN,
            x if x > LARGEST => LARGEST,
            x if x >= 2.0 * SMALLEST || x >= SMALLEST && self.round_mode == RoundMode::Down => return None,
            // These numbers are subnormal in float32: their exponent field is 0, which is 2^-127 in float8e8m0. The
            // evaluator rounds numbers above 2^-127 up to 2^-126, and with `up` all positive numbers.
            x if x > SMALLEST || x > 0.0 && up => 2.0 * SMALLEST,
            _ => SMALLEST,
        };
        let same = other == result.mid() || other.is_nan() && result.is_nan();
        (!same).then(|| result.or(result.like(other), rule::FLOAT8E8M0))
    }

    /// Converts a string (`string-to-number`). The conversion of any string to bool is undefined, and so is the
    /// conversion of a string that is not the literal of a number. The conversion of a fraction, an infinity or NaN to
    /// an integer type is undefined, too.
    fn string(&self, string: &[u8]) -> Number {
        let Some(literal) = text::read(string) else {
            return if self.to.is_float() { Number::constant(0.0, self.to) } else { Number::int(0, self.to) }
                .undecided(rule::STRING_TO_NUMBER);
        };
        let value = Real::constant(text::value(literal), DType::Double);
        match (literal, self.to) {
            (Literal::Integer(text), to) if to.is_integer() => match text.parse::<i128>() {
                Ok(x) if wrap(x, to) == x => Number::int(x, to),
                Ok(x) => Number::int(x, to)
                    .overflowed(rule::STRING_TO_NUMBER)
                    .or(outside(value.mid, to, rule::STRING_TO_NUMBER), rule::STRING_TO_NUMBER),
                Err(_) => outside(value.mid, to, rule::STRING_TO_NUMBER),
            },
            (_, DType::Bool) => {
                Number::int(i128::from(value.mid != 0.0), DType::Bool).or(Allowed::Among(0b11), rule::STRING_TO_NUMBER)
            }
            (Literal::Number(text), to) if !to.is_float() && value.mid.fract() == 0.0 => {
                // An implementation may stop at the exponent or the point: the digits before it are an integer, too.
                let prefix =
                    text.split(['e', 'E', '.']).next().and_then(|digits| digits.parse::<i128>().ok()).unwrap_or(0);
                self.number(value.into()).or(Number::int(wrap(prefix, to), to), rule::STRING_TO_NUMBER)
            }
            (_, to) if !to.is_float() => self.number(value.into()).undecided(rule::STRING_TO_NUMBER),
            (Literal::Integer(_) | Literal::Number(_), to) if to != DType::Double => {
                // An implementation that converts through float64 or float32 rounds twice.
                let (double, exact) = (value.mid, text::odd(literal));
                let rounded = [double, f64::from(exact as f32), f64::from(double as f32)];
                let rounded_before = if to == DType::Float { &rounded[..1] } else { &rounded[..] };
                self.rounded_float(Real::constant(exact, DType::Double), rounded_before)
            }
            _ => self.number(value.into()),
        }
    }
}

/// Converts a number that an integer type cannot hold: a whole number out of range, an infinity or NaN. The result is
/// left open (`label`). Conversions in use return one of the following:
///
/// - the lower bits of the number, which are zeros if the number is very large;
/// - an end of the range;
/// - the lower bits of the largest number of a wider type, which are all set;
/// - the number that processors return for every number that they cannot convert: the smallest integer, or half of the
///   range for unsigned types.
///
/// For NaN, the conversions return 0, the number that processors return, or, for unsigned types, the largest number.
pub fn outside(x: f64, dtype: DType, label: Label) -> Number {
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    let lower_bits = if x.abs() < f64::from(2.0f32.powi(120)) { wrap(x as i128, dtype) } else { 0 };
    let preferred = match x {
        x if x.is_infinite() => {
            if x > 0.0 {
                high
            } else {
                low
            }
        }
        x if x.is_nan() => 0,
        _ => lower_bits,
    };
    let indefinite = if low < 0 { low } else { high / 2 + 1 };
    let narrow = dtype.bits().is_some_and(|bits| bits < 64);
    let all_bits = (x > 0.0 && narrow).then(|| wrap(-1, dtype));
    let others = [Some(0), Some(low), Some(indefinite), (!x.is_nan() || low == 0).then_some(high), all_bits];
    let outcomes =
        others.into_iter().flatten().filter(|&other| other != preferred).map(Allowed::int).reduce(Allowed::with);
    let number = Number::int(preferred, dtype);
    outcomes.map_or(number, |outcomes| number.or(outcomes, label))
}

/// Returns an integer as float64, rounded to odd. Rounding the result once more, to at most 51 bits, gives the same
/// number as rounding the integer itself.
fn odd(x: i128) -> f64 {
    let nearest = x as f64;
    let error = x - nearest as i128;
    if error == 0 || nearest.to_bits() & 1 == 1 {
        return nearest;
    }
    // The exact value lies between this even neighbour and an odd one.
    if (error > 0) == (nearest > 0.0) {
        f64::from_bits(nearest.to_bits() + 1)
    } else {
        f64::from_bits(nearest.to_bits() - 1)
    }
}

fn is_float6(dtype: DType) -> bool {
    matches!(dtype, DType::Float6e2m3 | DType::Float6e3m2)
}

/// Drops the bits of `x` that the format does not hold. `nearest` is the value of the format that is nearest to `x`.
fn cut_off(x: f64, nearest: f64, format: &FloatFormat) -> f64 {
    if nearest.abs() <= x.abs() {
        return nearest;
    }
    if nearest.is_infinite() {
        return format.max_finite().copysign(x);
    }
    // One step towards zero: the bit patterns of one sign ascend with the magnitude.
    format.decode(format.encode(nearest, Saturation::None) - 1)
}

#[cfg(test)]
#[path = "cast_tests.rs"]
mod tests;
