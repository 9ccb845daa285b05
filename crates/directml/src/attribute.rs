//! Values of attributes, and the Rust values that a caller may pass for them.

use super::builder::DescriptionBuilder;
use super::description::OperatorDescription;
use plumbline_spec::directml::{DirectMl, Field, FieldType, TensorDataType};

/// The value of an attribute, with the type of its field. An enumeration is stored as its number.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Attribute {
    Uint(u32),
    UintArray(Vec<u32>),
    Int(i32),
    IntArray(Vec<i32>),
    Float(f32),
    FloatArray(Vec<f32>),
    Bool(bool),
    ScaleBias(ScaleBias),
    Scalar(Scalar),
    Size2d(Size2d),
    Operator(Box<OperatorDescription>),
    Operators(Vec<OperatorDescription>),
}

/// `DML_SCALE_BIAS`: the activation `f` computes `f(x * scale + bias)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleBias {
    /// The factor.
    pub scale: f32,
    /// The summand.
    pub bias: f32,
}

/// `DML_SIZE_2D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Size2d {
    pub width: u32,
    pub height: u32,
}

/// `DML_SCALAR_UNION`: the bytes of one element, little-endian, padded with zeros. Another field gives its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar(pub [u8; 8]);

impl Scalar {
    /// Makes a scalar of at most 8 bytes; returns `None` if there are more.
    pub fn of_bytes(bytes: &[u8]) -> Option<Scalar> {
        let mut scalar = Scalar::default();
        scalar.0.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(scalar)
    }

    /// Returns the bytes of an element of this type; the slice is empty for 4-bit types.
    pub fn bytes(&self, data_type: TensorDataType) -> &[u8] {
        &self.0[..data_type.bits().map_or(0, |bits| bits as usize / 8)]
    }
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl From<$t> for Scalar {
            fn from(value: $t) -> Scalar {
                let mut scalar = Scalar::default();
                scalar.0[..size_of::<$t>()].copy_from_slice(&value.to_le_bytes());
                scalar
            }
        }
    )*};
}

scalars! { f32 f64 u8 u16 u32 u64 i8 i16 i32 i64 }

impl Attribute {
    /// Returns whether a field of this type can hold this value.
    pub fn is_of(&self, field: &Field) -> bool {
        use FieldType::*;
        match (self, field.type_) {
            (Attribute::Bool(_), Bool | Uint) => field.is_bool(),
            (Attribute::Uint(_), Uint) => !field.is_bool(),
            (Attribute::UintArray(_), UintArray)
            | (Attribute::Int(_), Int)
            | (Attribute::IntArray(_), IntArray)
            | (Attribute::Float(_), Float)
            | (Attribute::FloatArray(_), FloatArray)
            | (Attribute::ScaleBias(_), ScaleBias)
            | (Attribute::Scalar(_), ScalarUnion)
            | (Attribute::Size2d(_), Size2d)
            | (Attribute::Operator(_), OperatorDesc)
            | (Attribute::Operators(_), OperatorDescArray) => true,
            _ => false,
        }
    }

    /// Returns the number of elements of an array; `None` for any other value.
    pub fn array_length(&self) -> Option<usize> {
        match self {
            Attribute::UintArray(values) => Some(values.len()),
            Attribute::IntArray(values) => Some(values.len()),
            Attribute::FloatArray(values) => Some(values.len()),
            Attribute::Operators(values) => Some(values.len()),
            _ => None,
        }
    }
}

/// A value that a caller passes for an attribute. It is converted to the type of the field.
#[derive(Clone, Debug)]
pub enum Given {
    /// For fields of type `UINT`, `INT`, `FLOAT` and for enumerations.
    Integer(i128),
    /// For arrays of `UINT`, `INT`, `FLOAT`.
    Integers(Vec<i128>),
    /// For fields of type `FLOAT`.
    Float(f64),
    /// For arrays of `FLOAT`.
    Floats(Vec<f64>),
    /// For fields of type `BOOL`.
    Bool(bool),
    /// For enumerations, with or without the enumeration's prefix: `DML_REDUCE_FUNCTION_SUM` or `SUM`.
    Name(String),
    /// For fields of type `DML_SCALE_BIAS`.
    ScaleBias(ScaleBias),
    /// For fields of type `DML_SCALAR_UNION`.
    Scalar(Scalar),
    /// For fields of type `DML_SIZE_2D`.
    Size2d(Size2d),
    /// For operators that are fused into or called by another one; `true` if the field is an array of operators.
    Operators(Vec<DescriptionBuilder>, bool),
    /// A value that already has the type of the field.
    Attribute(Attribute),
}

macro_rules! given_integers {
    ($($t:ty)*) => {$(
        impl From<$t> for Given {
            fn from(value: $t) -> Given {
                Given::Integer(value as i128)
            }
        }
        impl From<Vec<$t>> for Given {
            fn from(values: Vec<$t>) -> Given {
                Given::Integers(values.into_iter().map(|value| value as i128).collect())
            }
        }
        impl From<&[$t]> for Given {
            fn from(values: &[$t]) -> Given {
                values.to_vec().into()
            }
        }
        impl<const N: usize> From<[$t; N]> for Given {
            fn from(values: [$t; N]) -> Given {
                values.to_vec().into()
            }
        }
    )*};
}

given_integers! { i32 u32 i64 u64 usize }

macro_rules! given_floats {
    ($($t:ty)*) => {$(
        impl From<$t> for Given {
            fn from(value: $t) -> Given {
                Given::Float(value.into())
            }
        }
        impl From<Vec<$t>> for Given {
            fn from(values: Vec<$t>) -> Given {
                Given::Floats(values.into_iter().map(f64::from).collect())
            }
        }
        impl<const N: usize> From<[$t; N]> for Given {
            fn from(values: [$t; N]) -> Given {
                values.to_vec().into()
            }
        }
    )*};
}

given_floats! { f32 f64 }

macro_rules! given {
    ($($t:ty: $value:pat => $given:expr;)*) => {$(
        impl From<$t> for Given {
            fn from($value: $t) -> Given {
                $given
            }
        }
    )*};
}

given! {
    bool: value => Given::Bool(value);
    &str: value => Given::Name(value.to_owned());
    String: value => Given::Name(value);
    ScaleBias: value => Given::ScaleBias(value);
    Scalar: value => Given::Scalar(value);
    Size2d: value => Given::Size2d(value);
    TensorDataType: value => Given::Integer(value.value().into());
    DescriptionBuilder: value => Given::Operators(vec![value], false);
    Vec<DescriptionBuilder>: value => Given::Operators(value, true);
    OperatorDescription: value => Given::Attribute(Attribute::Operator(Box::new(value)));
    Attribute: value => Given::Attribute(value);
}

impl Given {
    /// Converts the value to the type of the field; the error says why that is impossible.
    pub(super) fn into_attribute(self, field: &Field) -> Result<Attribute, String> {
        use FieldType as F;
        let found = self.words();
        let wrong = || format!("is {}, and not {found}", declared(field));
        let uint = |value: i128| u32::try_from(value).map_err(|_| wrong());
        let int = |value: i128| i32::try_from(value).map_err(|_| wrong());
        let attribute = match (self, field.type_) {
            (Given::Integer(0 | 1), _) if field.is_bool() && found == "0" => Attribute::Bool(false),
            (Given::Integer(0 | 1), _) if field.is_bool() => Attribute::Bool(true),
            (Given::Integer(value), F::Uint) => Attribute::Uint(uint(value)?),
            (Given::Integer(value), F::Int) => Attribute::Int(int(value)?),
            (Given::Integer(value), F::Float) => Attribute::Float(value as f32),
            (Given::Integers(values), F::UintArray) => {
                Attribute::UintArray(values.into_iter().map(uint).collect::<Result<_, _>>()?)
            }
            (Given::Integers(values), F::IntArray) => {
                Attribute::IntArray(values.into_iter().map(int).collect::<Result<_, _>>()?)
            }
            (Given::Integers(values), F::FloatArray) => {
                Attribute::FloatArray(values.into_iter().map(|value| value as f32).collect())
            }
            (Given::Float(value), F::Float) => Attribute::Float(value as f32),
            (Given::Floats(values), F::FloatArray) => {
                Attribute::FloatArray(values.into_iter().map(|value| value as f32).collect())
            }
            (Given::Bool(value), _) if field.is_bool() => Attribute::Bool(value),
            (Given::Name(name), F::Uint) => Attribute::Uint(number_of(field, &name)?),
            (Given::ScaleBias(value), F::ScaleBias) => Attribute::ScaleBias(value),
            (Given::Scalar(value), F::ScalarUnion) => Attribute::Scalar(value),
            (Given::Size2d(value), F::Size2d) => Attribute::Size2d(value),
            (Given::Operators(mut builders, false), F::OperatorDesc) if builders.len() == 1 => {
                Attribute::Operator(Box::new(builders.remove(0).build_fused().map_err(|error| error.to_string())?))
            }
            (Given::Operators(builders, _), F::OperatorDescArray) => {
                let built = builders.into_iter().map(DescriptionBuilder::build_fused);
                Attribute::Operators(built.collect::<Result<_, _>>().map_err(|error| error.to_string())?)
            }
            (Given::Attribute(attribute), _) if attribute.is_of(field) => attribute,
            _ => return Err(wrong()),
        };
        Ok(attribute)
    }

    /// Describes the value for an error message.
    fn words(&self) -> String {
        match self {
            Given::Integer(value) => value.to_string(),
            Given::Integers(values) => format!("{values:?}"),
            Given::Float(value) => format!("{value:?}"),
            Given::Floats(values) => format!("{values:?}"),
            Given::Bool(value) => value.to_string(),
            Given::Name(name) => format!("`{name}`"),
            Given::ScaleBias(_) => "a scale and bias".to_owned(),
            Given::Scalar(_) => "a scalar".to_owned(),
            Given::Size2d(_) => "a 2D size".to_owned(),
            Given::Operators(_, false) => "an operator".to_owned(),
            Given::Operators(_, true) => "operators".to_owned(),
            Given::Attribute(attribute) => format!("{attribute:?}"),
        }
    }
}

/// Returns the type that a field is declared with: `UINT`, `UINT[DimensionCount]`.
pub(super) fn declared(field: &Field) -> String {
    let element = field.c_type.trim_start_matches("const ").trim_end_matches('*');
    match &field.array_length_field {
        Some(length) => format!("{element}[{length}]"),
        None => element.to_owned(),
    }
}

/// Returns the number of the value with this name in the field's enumeration.
fn number_of(field: &Field, name: &str) -> Result<u32, String> {
    let known = field.enumeration().and_then(|known| DirectMl::embedded().enumeration(known));
    let known = known.ok_or_else(|| format!("is {}, and not `{name}`", declared(field)))?;
    let value = known.named(name).or_else(|| known.named(&format!("{}_{name}", known.name)));
    value.map(|value| value.value).ok_or_else(|| {
        let names: Vec<&str> = known.values.iter().map(|value| value.name.as_str()).collect();
        format!("`{name}` is none of {}", names.join(", "))
    })
}
