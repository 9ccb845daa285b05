//! Draws elements: mixtures of ordinary numbers and the edge values of `generators/values.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use plumbline_tensor::{DType, FloatFormat, Saturation};
use serde::Deserialize;

/// Which elements to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// Everything the type has: ordinary numbers, ties, both zeros, subnormals, extremes, infinities, NaN.
    Any,
    /// Everything the type has except NaN and infinities.
    Finite,
    /// Numbers of moderate size: floating-point numbers up to 512 in magnitude, or integers below 10.
    Moderate,
    /// Numbers between two bounds. The bounds are drawn more often, and so are their neighbours in floating-point
    /// types.
    Between(f64, f64),
    /// Numbers between two bounds; one element in eight is drawn from everything the type has.
    Mostly(f64, f64),
    /// Numbers between two bounds. In a tensor with one special element, that element is the exception: it may lie
    /// outside of the bounds, or be NaN or an infinity.
    Around(f64, f64),
    /// Integers below 10 in magnitude. Every type of at least 16 bits holds them, and sums of 30 of them, exactly.
    Integers,
    /// Integers from 1 to 3 in magnitude.
    Nonzero,
    /// Powers of two from 1/4 to 2 in magnitude, and 1 and 2 in integer types.
    Powers,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeFile {
    float: BTreeMap<String, f64>,
    strings: Vec<String>,
}

fn edge_file() -> &'static EdgeFile {
    static FILE: OnceLock<EdgeFile> = OnceLock::new();
    FILE.get_or_init(|| read_edges().expect("a test checks that generators/values.toml is valid"))
}

fn read_edges() -> Result<EdgeFile, String> {
    let text = plumbline_spec::embedded::text(&plumbline_generator_data::FOLDER, "values.toml");
    toml::from_str(text).map_err(|e| format!("generators/values.toml: {e}"))
}

/// Checks `generators/values.toml` as it was when this program was built.
///
/// # Errors
/// Returns a text that says what is wrong in the file, with the line.
pub fn check_values() -> Result<(), String> {
    read_edges().map(|_| ())
}

/// Returns the edge values of a floating-point type as bit patterns: first the finite ones, then infinities and NaN.
fn float_edges(dtype: DType) -> &'static (Vec<u64>, Vec<u64>) {
    static EDGES: OnceLock<Vec<(Vec<u64>, Vec<u64>)>> = OnceLock::new();
    let table =
        EDGES.get_or_init(|| DType::ALL.iter().map(|d| d.float_format().map(edges_of).unwrap_or_default()).collect());
    &table[dtype.code() as usize - 1]
}

fn edges_of(format: &'static FloatFormat) -> (Vec<u64>, Vec<u64>) {
    let encode = |x: f64| format.encode(x, Saturation::Saturate);
    let mut finite: Vec<u64> = Vec::new();
    let limits = [
        format.min_positive(),
        format.min_normal(),
        format.min_normal() - format.min_positive(),
        format.max_finite(),
        format.max_finite() - format.ulp(format.max_finite()),
        1.0 + format.ulp(1.0),
        1.0 - format.ulp(0.75),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for x in limits.into_iter().chain(edge_file().float.values().copied()) {
        for x in [x, -x] {
            let bits = encode(x);
            if format.decode(bits).is_finite() && seen.insert(bits) {
                finite.push(bits);
            }
        }
    }
    let mut special = Vec::new();
    if format.has_infinity() {
        special.extend([f64::INFINITY, f64::NEG_INFINITY].map(|x| format.encode(x, Saturation::None)));
    }
    if format.has_nan() {
        special.push(format.encode(f64::NAN, Saturation::None));
    }
    (finite, special)
}

/// Returns a number made of random bits: an integer near zero, a fraction, a tie or a number with a random exponent.
fn ordinary(choice: u64) -> f64 {
    let sign = if choice & 1 == 1 { -1.0 } else { 1.0 };
    let payload = choice >> 3;
    let magnitude = match choice >> 1 & 3 {
        0 => (payload % 11) as f64,
        1 => (payload % 64) as f64 / 8.0,
        2 => ((payload % 20) as f64) + 0.5,
        _ => {
            let exponent = (payload % 17) as i32 - 8;
            let fraction = (payload / 17 % (1 << 24)) as f64 / f64::from(1 << 24);
            (1.0 + fraction) * f64::powi(2.0, exponent)
        }
    };
    sign * magnitude
}

/// The random number `choice` that decides one element is below this.
pub(crate) const BOUND: u64 = 1 << 40;

/// Returns the bit pattern of an element that `choice` (below [`BOUND`]) stands for. The type is a floating-point,
/// integer or bool type.
pub(crate) fn element(dtype: DType, values: Values, choice: u64) -> u64 {
    let (values, choice) = match values {
        Values::Mostly(low, high) if choice % 8 != 7 => (Values::Between(low, high), choice / 8),
        Values::Mostly(..) => (Values::Any, choice / 8),
        Values::Around(low, high) => (Values::Between(low, high), choice),
        other => (other, choice),
    };
    match dtype.float_format() {
        Some(format) => float(dtype, format, values, choice),
        None if dtype == DType::Bool => choice & 1,
        None => integer(dtype, values, choice) as u64,
    }
}

/// Returns the special elements of a type, and the values to draw for the ordinary elements beside a special one. The
/// special elements of a floating-point type are NaN, infinities and both zeros. With [`Values::Finite`] they are both
/// zeros and the largest number of either sign instead. Those of an integer type are the ends of its range. Returns
/// `None` if the values or the type have no special elements.
pub(crate) fn specials(dtype: DType, values: Values) -> Option<(Vec<u64>, Values)> {
    let ordinary = match values {
        Values::Any | Values::Finite => Values::Moderate,
        Values::Mostly(low, high) | Values::Around(low, high) => Values::Between(low, high),
        Values::Moderate | Values::Between(..) | Values::Integers | Values::Nonzero | Values::Powers => return None,
    };
    let special = match (dtype.float_format(), dtype.integer_range()) {
        (Some(format), _) => {
            let (_, outside) = float_edges(dtype);
            let largest = format.max_finite();
            let finite = [-0.0, 0.0, largest, -largest].map(|x| format.encode(x, Saturation::Saturate));
            if values == Values::Finite { finite.to_vec() } else { [outside, &finite[..2]].concat() }
        }
        (None, Some((low, high))) if dtype != DType::Bool => vec![high as u64, low as u64],
        _ => return None,
    };
    Some((special, ordinary))
}

fn float(dtype: DType, format: &FloatFormat, values: Values, choice: u64) -> u64 {
    let (kind, rest) = (choice % 16, choice / 16);
    let round = |x: f64| format.encode(x, Saturation::Saturate);
    let (finite, special) = float_edges(dtype);
    let pick = |list: &[u64]| list.get((rest % list.len().max(1) as u64) as usize).copied().unwrap_or(0);
    match values {
        Values::Integers => round(integers(rest)),
        Values::Nonzero | Values::Powers => {
            let magnitude = if values == Values::Nonzero {
                [1.0, 2.0, 3.0][(rest / 2 % 3) as usize]
            } else {
                [1.0, 0.5, 2.0, 0.25][(rest / 2 % 4) as usize]
            };
            round(if rest & 1 == 1 { -magnitude } else { magnitude })
        }
        Values::Moderate => match kind {
            15 => round(0.0),
            14 => round(-0.0),
            _ => round(ordinary(rest)),
        },
        Values::Between(low, high) => {
            let unit = (rest % (1 << 30)) as f64 / f64::from((1 << 30) - 1);
            let x = match kind {
                15 => low,
                14 => high,
                13 => low + format.ulp(low),
                12 => high - format.ulp(high),
                11 if low <= 0.0 && high >= 0.0 => 0.0,
                _ => low + (high - low) * unit,
            };
            round(x.clamp(low, high))
        }
        Values::Any if kind == 15 && !special.is_empty() => pick(special),
        Values::Any | Values::Finite if kind >= 12 => pick(finite),
        Values::Any | Values::Finite | Values::Mostly(..) | Values::Around(..) => round(ordinary(rest)),
    }
}

fn integers(payload: u64) -> f64 {
    let magnitude = (payload / 2 % 9) as f64;
    if payload & 1 == 1 { -magnitude } else { magnitude }
}

fn integer(dtype: DType, values: Values, choice: u64) -> i128 {
    let (low, high) = dtype.integer_range().unwrap_or((0, 0));
    let (kind, rest) = (choice % 16, choice / 16);
    let near_zero = |span: u64| {
        let magnitude = i128::from(rest / 2 % span);
        if rest & 1 == 1 && low < 0 { -magnitude } else { magnitude }
    };
    let value = match values {
        Values::Between(a, b) => {
            let (a, b) = (a.ceil() as i128, b.floor() as i128);
            match kind {
                15 => a,
                14 => b,
                _ => a + i128::from(rest) % (b - a + 1).max(1),
            }
        }
        Values::Integers | Values::Moderate => near_zero(10),
        Values::Nonzero | Values::Powers => {
            let magnitude = 1 + i128::from(rest / 2 % if values == Values::Nonzero { 3 } else { 2 });
            if rest & 1 == 1 && low < 0 { -magnitude } else { magnitude }
        }
        Values::Any | Values::Finite | Values::Mostly(..) | Values::Around(..) => match kind {
            15 => low,
            14 => high,
            13 => low + i128::from(rest % 3),
            12 => high - i128::from(rest % 3),
            10 | 11 => low + (i128::from(rest) * 0x9e37_79b9_7f4a_7c15) % (high - low + 1),
            8 | 9 => near_zero(1 << 15),
            _ => near_zero(20),
        },
    };
    value.clamp(low, high)
}

/// Returns the string that `choice` stands for.
pub(crate) fn string(choice: u64) -> Vec<u8> {
    let strings = &edge_file().strings;
    strings[(choice % strings.len().max(1) as u64) as usize].clone().into_bytes()
}
