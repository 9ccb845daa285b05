//! What attributes hold, and what a program may write for them.

use super::builder::DescriptionBuilder;
use super::description::OperatorDescription;
use plumbline_spec::directml::{DirectMl, Field, FieldType, TensorDataType};

/// The value of an attribute, as its field holds it. An enumeration is its number.
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

/// `DML_SCALE_BIAS`: `f(x * scale + bias)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleBias {
    /// Factor.
    pub scale: f32,
    /// What is added.
    pub bias: f32,
}

/// `DML_SIZE_2D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Size2d {
    pub width: u32,
    pub height: u32,
}

/// `DML_SCALAR_UNION`: the bytes of one element, little end first, the rest zero. Another field tells its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar(pub [u8; 8]);

impl Scalar {
    /// The scalar of these bytes, at most 8.
    pub fn of_bytes(bytes: &[u8]) -> Option<Scalar> {
        let mut scalar = Scalar::default();
        scalar.0.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(scalar)
    }

    /// The bytes of an element of this type; none of those of 4 bits.
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
    /// Whether it is what a field of this type holds.
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

    /// Number of elements of an array; `None` of anything else.
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

/// What a program writes for an attribute; the field decides what it becomes.
#[derive(Clone, Debug)]
pub enum Given {
    /// For `UINT`, `INT`, `FLOAT`, enumerations.
    Integer(i128),
    /// For arrays of `UINT`, `INT`, `FLOAT`.
    Integers(Vec<i128>),
    /// For `FLOAT`.
    Float(f64),
    /// For arrays of `FLOAT`.
    Floats(Vec<f64>),
    /// For `BOOL`.
    Bool(bool),
    /// For enumerations: `DML_REDUCE_FUNCTION_SUM` or `SUM`.
    Name(String),
    /// For `DML_SCALE_BIAS`.
    ScaleBias(ScaleBias),
    /// For `DML_SCALAR_UNION`.
    Scalar(Scalar),
    /// For `DML_SIZE_2D`.
    Size2d(Size2d),
    /// For operators that are fused or called.
    Operators(Vec<DescriptionBuilder>, bool),
    /// The value itself.
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
    /// What it becomes in a field; an error says in words why it cannot.
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

    /// What it is, in words.
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

/// How a field is declared: `UINT`, `UINT[DimensionCount]`.
pub(super) fn declared(field: &Field) -> String {
    let element = field.c_type.trim_start_matches("const ").trim_end_matches('*');
    match &field.array_length_field {
        Some(length) => format!("{element}[{length}]"),
        None => element.to_owned(),
    }
}

/// The number of a name in the enumeration of a field.
fn number_of(field: &Field, name: &str) -> Result<u32, String> {
    let known = field.enumeration().and_then(|known| DirectMl::embedded().enumeration(known));
    let known = known.ok_or_else(|| format!("is {}, and not `{name}`", declared(field)))?;
    let value = known.named(name).or_else(|| known.named(&format!("{}_{name}", known.name)));
    value.map(|value| value.value).ok_or_else(|| {
        let names: Vec<&str> = known.values.iter().map(|value| value.name.as_str()).collect();
        format!("`{name}` is none of {}", names.join(", "))
    })
}
