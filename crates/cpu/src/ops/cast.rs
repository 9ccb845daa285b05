//! Cast, CastLike, BitCast and Clip.

use half::{bf16, f16};
use plumbline_tensor::{DType, DTypeKind, FloatFormat, RoundMode, Saturation};

use super::unary::{converted, mapped};
use crate::array::Array;
use crate::element::{Number, unsupported_type, with_number};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("BitCast", bit_cast), ("Cast", cast), ("CastLike", cast_like), ("Clip", clip)];

/// Conversion of a number to another type. To a float it rounds to nearest. From an integer to an integer it wraps.
/// From a float to an integer it drops the fraction and saturates, and NaN becomes 0.
trait As<O> {
    fn cast(self) -> O;
}

macro_rules! as_machine {
    ($($a:ident)* => $o:tt) => {$( as_machine!(@ $a $o); )*};
    (@ $a:ident [$($o:ident)*]) => {
        $(impl As<$o> for $a { #[inline(always)] fn cast(self) -> $o { self as $o } })*
        impl As<f16> for $a { #[inline(always)] fn cast(self) -> f16 { half_of(self as f64) } }
        impl As<bf16> for $a { #[inline(always)] fn cast(self) -> bf16 { bfloat_of(self as f64) } }
    };
}
as_machine!(f64 i8 i16 i32 i64 u8 u16 u32 u64 => [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64]);

macro_rules! through_float {
    ($($o:ident)*) => {$(
        impl As<$o> for f16 { #[inline(always)] fn cast(self) -> $o { As::cast(self.to_f32()) } }
        impl As<$o> for bf16 { #[inline(always)] fn cast(self) -> $o { As::cast(self.to_f32()) } }
    )*};
}
through_float!(f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! from_float {
    ($($o:ident)*) => {$( impl As<$o> for f32 { #[inline(always)] fn cast(self) -> $o { self as $o } } )*};
}
from_float!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
impl As<f16> for f32 {
    #[inline(always)]
    fn cast(self) -> f16 {
        f16::from_f32(self)
    }
}
impl As<bf16> for f32 {
    #[inline(always)]
    fn cast(self) -> bf16 {
        bf16::from_f32(self)
    }
}

fn format_of(dtype: DType) -> &'static FloatFormat {
    FloatFormat::for_dtype(dtype).expect("callers pass floating-point types")
}

fn half_of(x: f64) -> f16 {
    f16::from_bits(format_of(DType::Float16).encode(x, Saturation::None) as u16)
}

fn bfloat_of(x: f64) -> bf16 {
    bf16::from_bits(format_of(DType::Bfloat16).encode(x, Saturation::None) as u16)
}

/// The saturation and the rounding mode of a conversion.
#[derive(Clone, Copy)]
pub struct Manner {
    saturation: Saturation,
    round_mode: RoundMode,
}

impl Manner {
    /// Returns the conversion that turns a number out of range into the largest finite number of the same sign.
    pub fn saturating() -> Manner {
        Manner { saturation: Saturation::Saturate, round_mode: RoundMode::Up }
    }
}

/// Reads saturation and rounding mode from the attributes of a node that converts to the type `to`.
pub fn manner(node: &Node, to: DType) -> Result<Manner, Refusal> {
    let unsigned_zero = matches!(to, DType::Float8e4m3fnuz | DType::Float8e5m2fnuz);
    let saturation = match node.int("saturate") {
        0 => Saturation::None,
        _ if node.since() < 24 && unsigned_zero => Saturation::SaturateFinite,
        _ => Saturation::Saturate,
    };
    let name = node.string("round_mode")?;
    let round_mode = match RoundMode::from_name(name) {
        Some(mode) => mode,
        None if to == DType::Float8e8m0 => {
            return Err(Refusal::invalid(format!("`round_mode` is `{name}`, expected `up`, `down` or `nearest`")));
        }
        None => RoundMode::Up,
    };
    Ok(Manner { saturation, round_mode })
}

/// Returns the element type if the version may convert to it, else refuses it.
fn allowed(node: &Node, dtype: DType) -> Result<DType, Refusal> {
    let types = node.version.types.get("T2");
    match types.is_some_and(|types| types.iter().any(|t| t.tensor_dtype() == Some(dtype))) {
        true => Ok(dtype),
        false => Err(Refusal::invalid(format!("`to` is {dtype}, which {} does not convert to", node.version.id))),
    }
}

fn named_type(node: &Node) -> Result<DType, Refusal> {
    let found = if node.since() < 6 && node.version.id.name == "Cast" {
        let name = node.string("to")?;
        DType::from_name(name).filter(|dtype| dtype.name().to_uppercase() == name)
    } else {
        DType::from_code(node.int("to"))
    };
    allowed(node, found.ok_or_else(|| Refusal::invalid("`to` is not an element type"))?)
}

fn cast(node: &Node) -> Outputs {
    let to = named_type(node)?;
    one(converted_to(node.input(0)?, to, manner(node, to)?)?)
}

fn cast_like(node: &Node) -> Outputs {
    let to = node.input(1)?.dtype();
    one(converted_to(node.input(0)?, to, manner(node, to)?)?)
}

fn bit_cast(node: &Node) -> Outputs {
    let (a, to) = (node.input(0)?, named_type(node)?);
    if a.dtype().bits() != to.bits() || to == DType::String {
        return Err(Refusal::invalid(format!("{} and {to} have different numbers of bits", a.dtype())));
    }
    match to {
        // A byte with any bit set becomes true.
        DType::Bool => one(mapped(&a.retyped(to), |x: u8| x.min(1))?),
        _ => one(a.retyped(to)),
    }
}

/// Returns whether the machine computes with this element type.
fn is_native(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Double | DType::Float16 | DType::Bfloat16)
        || (dtype.is_integer() && dtype.bits() >= Some(8))
}

/// Converts the elements to another type.
pub fn converted_to(a: &Array, to: DType, manner: Manner) -> Result<Array, Refusal> {
    if a.dtype() == to {
        return Ok(a.clone());
    }
    match (a.dtype(), to) {
        (DType::String, _) => return from_strings(a, to, manner),
        (_, DType::String) => return super::strings::to_strings(&readable(a)?),
        _ => {}
    }
    let a = readable(a)?;
    match to.kind() {
        _ if is_native(to) => {
            with_number!(a.dtype(), A => with_number!(to, B => converted(&a, to, |x: A| -> B { As::<B>::cast(x) })))
        }
        DTypeKind::Bool => with_number!(a.dtype(), A => converted(&a, to, |x: A| u8::from(x != A::zero()))),
        DTypeKind::Float => {
            let format = format_of(to);
            with_number!(a.dtype(), A => converted(&a, to, |x: A| encoded(format, x.to_f64(), to, manner)))
        }
        DTypeKind::SignedInteger | DTypeKind::UnsignedInteger => {
            let (low, high) = to.integer_range().unwrap_or((0, 0));
            let mask = ((1u16 << to.bits().unwrap_or(8)) - 1) as u8;
            if a.dtype().is_float() {
                let number = |x: f64| x.round_ties_even().clamp(low as f64, high as f64) as i64 as u8 & mask;
                return with_number!(a.dtype(), A => converted(&a, to, |x: A| number(x.to_f64())));
            }
            with_number!(a.dtype(), A => converted(&a, to, |x: A| As::<u8>::cast(x) & mask))
        }
        DTypeKind::Complex | DTypeKind::String => Err(unsupported_type(to)),
    }
}

fn encoded(format: &FloatFormat, x: f64, to: DType, manner: Manner) -> u8 {
    (match to {
        DType::Float8e8m0 => FloatFormat::encode_e8m0(x, manner.round_mode, manner.saturation),
        // In a type without NaN, a NaN becomes the largest number.
        _ if x.is_nan() && !format.has_nan() => format.encode(format.max_finite(), Saturation::None),
        _ => format.encode(x, manner.saturation),
    }) as u8
}

/// Converts the elements, without loss, to a type that the machine computes with.
pub fn readable(a: &Array) -> Result<Array, Refusal> {
    let dtype = a.dtype();
    match (dtype.kind(), dtype.bits()) {
        _ if is_native(dtype) => Ok(a.clone()),
        (DTypeKind::Bool, _) => Ok(a.retyped(DType::Uint8)),
        (DTypeKind::UnsignedInteger, _) => Ok(a.retyped(DType::Uint8)),
        (DTypeKind::SignedInteger, Some(bits)) => {
            let above = 8 - bits;
            mapped(&a.retyped(DType::Int8), |x: i8| x << above >> above)
        }
        (DTypeKind::Float, _) => {
            let format = format_of(dtype);
            converted(a, DType::Float, |x: u8| format.decode(u64::from(x)) as f32)
        }
        _ => Err(unsupported_type(dtype)),
    }
}

/// Converts strings to numbers. A float32 is parsed as float32, so that it is rounded only once, and other floats are
/// parsed as float64.
fn from_strings(a: &Array, to: DType, manner: Manner) -> Result<Array, Refusal> {
    let text = |s: &Vec<u8>| String::from_utf8_lossy(s).trim().to_owned();
    if to.is_integer() {
        let number = |s: &Vec<u8>| {
            let text = text(s);
            text.parse::<i128>().unwrap_or_else(|_| text.parse::<f64>().map_or(0, |x| x as i128)) as i64
        };
        let numbers: Vec<i64> = a.strings().iter().map(number).collect();
        return converted_to(&Array::from_elements(DType::Int64, a.shape(), &numbers)?, to, manner);
    }
    if to == DType::Float {
        let numbers: Vec<f32> = a.strings().iter().map(|s| text(s).parse().unwrap_or(f32::NAN)).collect();
        return Array::from_elements(to, a.shape(), &numbers);
    }
    let numbers: Vec<f64> = a.strings().iter().map(|s| text(s).parse().unwrap_or(f64::NAN)).collect();
    converted_to(&Array::from_elements(DType::Double, a.shape(), &numbers)?, to, manner)
}

/// Computes Clip. The bounds are attributes before version 11; from version 11 on they are inputs. If max is below min,
/// the result is max. NaN stays NaN.
fn clip(node: &Node) -> Outputs {
    let a = node.input(0)?;
    let bound = |at: usize| match node.optional(at)? {
        Some(bound) if bound.rank() != 0 => {
            Err(Refusal::invalid(format!("a bound has shape {:?}, expected a scalar", bound.shape())))
        }
        bound => Ok(bound),
    };
    let (low, high) = (bound(1)?, bound(2)?);
    // In version 6 the defaults of the attributes are the lowest and the largest float32.
    let attribute = |name: &str| node.optional_float(name).map(f64::from);
    let (least, most) = (attribute("min"), attribute("max"));
    one(with_number!(a.dtype(), T => {
        let low: Option<T> = low.map(|b| b.slice::<T>()[0]).or(least.map(T::from_double));
        let high: Option<T> = high.map(|b| b.slice::<T>()[0]).or(most.map(T::from_double));
        mapped(a, |x: T| {
            let x = low.filter(|low| x < *low).unwrap_or(x);
            high.filter(|high| x > *high).unwrap_or(x)
        })
    })?)
}
