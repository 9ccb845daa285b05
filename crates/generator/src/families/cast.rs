//! Elements to convert, for Cast and CastLike.

use plumbline_tensor::{FloatFormat, Saturation};

use crate::prelude::*;

/// Literals of whole numbers that Cast accepts. `literals` selects those that suit a type.
const WHOLE_NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "+3",
    "7",
    "100",
    "-100",
    "1000",
    "2147483647",
    "9223372036854775807",
    "18446744073709551615",
];

/// Literals of fractions, infinities and NaN that Cast accepts.
const FRACTIONS: [&str; 16] = [
    "0.5", "-1.5", "3.14", "1e-5", "1E2", "2.5e+1", "-0.0", "INF", "+INF", "-INF", "NaN", "inf", "nan", "-Inf", "+iNf",
    "nAn",
];

/// Literals that 8-bit floats do not hold.
const BEYOND_8_BITS: [&str; 6] = ["1e4", "1E4", "60000", "1234.5678", "0.1", "16777.217"];

/// Gives the attributes besides `to`, and an input with elements to convert to the type `to`.
pub fn conversion(draw: &mut Draw, to: DType) {
    let from = draw.input_dtype("input");
    let shape = draw.shape(0..=8);
    let small = matches!(
        to,
        DType::Float8e4m3fn | DType::Float8e4m3fnuz | DType::Float8e5m2 | DType::Float8e5m2fnuz | DType::Float8e8m0
    );
    if give_attribute(draw, "saturate", small) {
        let saturate = draw.range(0..=1);
        draw.int_attribute("saturate", saturate);
    }
    if give_attribute(draw, "round_mode", to == DType::Float8e8m0) {
        let mode = draw.choose(&["up", "down", "nearest"]);
        draw.string_attribute("round_mode", mode);
    }
    let tensor = input_elements(draw, from, to, &shape);
    draw.input("input", tensor);
}

/// Returns whether to give an attribute: half of the time if it has an effect, one time in 16 if it has none.
fn give_attribute(draw: &mut Draw, name: &str, counts: bool) -> bool {
    if counts || !draw.has_attribute(name) {
        return draw.give_attribute(name);
    }
    let given = draw.once_in(16);
    if given {
        draw.feature("an attribute that does not count");
    }
    given
}

/// Draws elements of the type `from` that a conversion to the type `to` has to round or spell.
fn input_elements(draw: &mut Draw, from: DType, to: DType, shape: &[usize]) -> Tensor {
    if from == DType::String && to != DType::String {
        return literals(draw, to, shape);
    }
    let values = match (from.is_float(), to.integer_range()) {
        // A number out of the range of the integer type gives an undefined result, so it is rare.
        (true, Some((low, high))) if to != DType::Bool && !draw.once_in(6) => {
            draw.feature("fractions in range");
            let (low, high) = (low as f64, high as f64);
            if draw.flag() {
                Values::Between(low / 2.0, high / 2.0)
            } else {
                Values::Between(low.max(-9.5), high.min(9.5))
            }
        }
        _ => {
            let narrower = to.is_float() && bits_held(to) < bits_held(from);
            // The specification leaves open what a negative number becomes in float8e8m0, so these numbers are rare.
            let often = if to == DType::Float8e8m0 { 4 } else { 2 };
            if narrower && draw.below(often) > 0 {
                return halfway(draw, from, to, shape);
            }
            Values::Any
        }
    };
    draw.elements(from, shape, values)
}

/// Returns how many bits of a number the type holds: the precision of a floating-point type, or the width of an integer
/// without its sign.
fn bits_held(dtype: DType) -> u32 {
    match (FloatFormat::for_dtype(dtype), dtype.bits()) {
        (Some(format), _) => format.precision(),
        (None, Some(bits)) if dtype.is_integer() => bits - u32::from(dtype.is_signed_integer()),
        _ => 0,
    }
}

/// Draws values between two neighbours of the target type `to`, which holds fewer bits than `from`: exactly in the
/// middle, or next to it on either side.
fn halfway(draw: &mut Draw, from: DType, to: DType, shape: &[usize]) -> Tensor {
    draw.feature("halfway between neighbours");
    let choices = draw.block(shape.iter().product(), 1 << 44).into_iter().map(|choice| (choice / 4, choice % 4));
    let tensor = match (FloatFormat::for_dtype(from), FloatFormat::for_dtype(to)) {
        (Some(source), Some(target)) => {
            let bits = choices.map(|(rest, nudge)| {
                let pattern = rest % (1 << to.bits().unwrap_or(32));
                let (one, next) = (target.decode(pattern), target.decode(pattern + 1));
                let middle = (one + next) / 2.0;
                // The last pattern of each sign has no next number.
                let between = (one < next) == (one >= 0.0) && middle.is_finite();
                let bits = source.encode(if between { middle } else { 1.0 }, Saturation::Saturate);
                match nudge {
                    2 => bits + 1,
                    3 => bits.saturating_sub(1),
                    _ => bits,
                }
            });
            Tensor::from_bits(from, shape.to_vec(), bits)
        }
        _ => {
            // An odd number with one bit more than the type holds, shifted to the left.
            let precision = bits_held(to);
            let numbers = choices.map(|(rest, nudge)| {
                let significand = (1i128 << (precision - 1)) + i128::from(rest) % (1i128 << (precision - 1));
                let shift = (rest >> 32) as u32 % (bits_held(from) - precision);
                let number = (2 * significand + 1) << shift;
                let number = if shift > 0 { number + [0, 0, 1, -1][nudge as usize] } else { number };
                if from.is_signed_integer() && nudge == 1 { -number } else { number }
            });
            Tensor::from_i128s(from, shape.to_vec(), &numbers.collect::<Vec<_>>())
        }
    };
    tensor.expect("there are as many values as the shape has elements")
}

/// Draws strings that spell numbers: integers in the range of an integer type, 0 and 1 for bool, and for a
/// floating-point type also numbers that it rounds or that are too large for it.
fn literals(draw: &mut Draw, to: DType, shape: &[usize]) -> Tensor {
    let fits = |text: &&str| match to.integer_range() {
        Some((low, high)) => text.parse::<i128>().is_ok_and(|x| (low..=high).contains(&x)),
        None => text.len() < 4 || to.size() > 1,
    };
    let mut list: Vec<String> = WHOLE_NUMBERS.iter().filter(|text| fits(text)).map(|text| text.to_string()).collect();
    if let Some((low, high)) = to.integer_range().filter(|_| to != DType::Bool) {
        list.extend([low.to_string(), high.to_string(), format!("+{high}"), format!("00{high}")]);
    }
    if to.is_float() {
        list.retain(|text| text.len() < 5);
        let of_type = |text: &&&str| to.size() > 1 || !text.to_ascii_lowercase().contains("inf");
        list.extend(FRACTIONS.iter().filter(of_type).map(|text| text.to_string()));
        if to.size() > 1 {
            list.extend(BEYOND_8_BITS.map(str::to_owned));
        }
    }
    let count: usize = shape.iter().product();
    let printed = FloatFormat::for_dtype(to).filter(|_| to.size() > 1);
    let of_list = |choice: u64| list[(choice % list.len() as u64) as usize].clone();
    let strings = draw.block(count, 1 << 44).into_iter().map(|choice| match printed {
        Some(format) if choice % 2 == 1 => literal(format, choice / 2),
        _ => of_list(choice / 2),
    });
    let strings = strings.map(String::into_bytes).collect();
    Tensor::from_strings(shape.to_vec(), strings).expect("there are as many values as the shape has elements")
}

/// Writes a number in one of the notations of Cast: a number of the type, the middle of two neighbours, a number beside
/// one of these, or a number out of the range of the type.
fn literal(format: &FloatFormat, choice: u64) -> String {
    let (notation, place, pattern) = (choice % 4, choice / 4 % 4, choice / 16);
    let (one, next) = (format.decode(pattern), format.decode(pattern + 1));
    let number = match place {
        0 if next.is_finite() => one + (next - one) / 2.0,
        // A number larger in magnitude than every number of the type, or smaller than every number except 0.
        1 if pattern % 8 == 0 => {
            return ["1e400", "-1e400", "1e-400", "-1E-400"][(pattern / 8 % 4) as usize].to_owned();
        }
        2 => [format.max_finite(), -format.max_finite(), format.min_positive(), format.min_normal()]
            [(pattern % 4) as usize],
        _ => one,
    };
    let number = if number.is_finite() { number } else { 1.0 };
    match notation {
        0 => format!("{number}"),
        1 => format!("{number:e}"),
        // All digits of the number, and one more.
        2 if number.abs() > 1e-9 => format!("{}1", format!("{number:.90}").trim_end_matches('0')),
        _ => format!("{number:E}").replace("E", if number.abs() < 1.0 { "E" } else { "E+0" }),
    }
}

/// Gives an unknown rounding mode.
pub fn unknown_round_mode(draw: &mut Draw) {
    if !draw.bind("T2", DType::Float8e8m0) {
        return draw.decline();
    }
    let mode = draw.way_of(&["sideways", "UP", ""]);
    draw.string_attribute("round_mode", mode);
    let shape = draw.full_shape(1..=3);
    let from = draw.input_dtype("input");
    // An input that already has the type needs no conversion.
    if from == DType::Float8e8m0 {
        return draw.decline();
    }
    let tensor = input_elements(draw, from, DType::Float8e8m0, &shape);
    draw.input("input", tensor);
}
