//! A builder for operator descriptions, which sets one field at a time.

// Over 400 lines: the builder and the values that it takes refer to each other.

use super::description::{Attribute, FieldValue, OperatorDescription, Scalar, ScaleBias, Size2d, declared};
use super::tensor::TensorDescription;
use plumbline_spec::directml::{DirectMl, Field, FieldType, TensorDataType};

/// The reason why a description cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DescriptionError {
    /// No operator has this name.
    #[error("{0}")]
    Operator(String),
    /// The operator has no such field.
    #[error("{operator} has no field {field}; its fields are {known}")]
    NoField { operator: &'static str, field: String, known: String },
    /// The field is set twice.
    #[error("{operator}.{field}: is given twice")]
    Twice { operator: &'static str, field: &'static str },
    /// A required field is not set.
    #[error("{operator}.{field}: is missing")]
    Missing { operator: &'static str, field: &'static str },
    /// The value does not fit the type of the field.
    #[error("{operator}.{field}: {message}")]
    Value { operator: &'static str, field: &'static str, message: String },
    /// No wire is connected to an input tensor.
    #[error("{operator}.{field}: nothing is connected to it")]
    Unconnected { operator: &'static str, field: &'static str },
}

impl OperatorDescription {
    /// Starts the description of the operator with this name, such as `ELEMENT_WISE_MIN` or
    /// `DML_OPERATOR_ELEMENT_WISE_MIN`.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(operator: &str) -> DescriptionBuilder {
        DescriptionBuilder::new(operator)
    }
}

/// An unfinished description. If several calls fail, [`DescriptionBuilder::build`] reports the first error.
#[derive(Clone, Debug)]
pub struct DescriptionBuilder {
    state: Result<OperatorDescription, DescriptionError>,
}

impl DescriptionBuilder {
    pub(super) fn new(operator: &str) -> DescriptionBuilder {
        let found = DirectMl::embedded().find(operator);
        let state = found.map(OperatorDescription::empty);
        DescriptionBuilder { state: state.map_err(|error| DescriptionError::Operator(error.to_string())) }
    }

    /// Sets the tensor of a field. If the field is an array, appends the tensor to it.
    pub fn tensor(self, field: &str, tensor: TensorDescription) -> DescriptionBuilder {
        self.set(field, |field, value| {
            match (field.type_, &mut *value) {
                (FieldType::TensorDesc, FieldValue::Absent) => *value = FieldValue::Tensor(tensor),
                (FieldType::TensorDescArray, FieldValue::Tensors(tensors)) => tensors.push(tensor),
                (FieldType::TensorDescArray, FieldValue::Absent) => *value = FieldValue::Tensors(vec![tensor]),
                (FieldType::TensorDesc, _) => return Err(None),
                _ => return Err(Some(format!("expected {}, found a tensor", declared(field)))),
            }
            Ok(())
        })
    }

    /// Sets the tensor of a field; `None` leaves the tensor out.
    pub fn optional_tensor(self, field: &str, tensor: Option<TensorDescription>) -> DescriptionBuilder {
        match tensor {
            Some(tensor) => self.tensor(field, tensor),
            None => self.set(field, |field, _| match field.is_tensor() {
                true => Ok(()),
                false => Err(Some(format!("expected {}, found an optional tensor", declared(field)))),
            }),
        }
    }

    /// Sets all tensors of a field that is an array.
    pub fn tensors(self, field: &str, tensors: impl IntoIterator<Item = TensorDescription>) -> DescriptionBuilder {
        tensors.into_iter().fold(self, |builder, tensor| builder.tensor(field, tensor))
    }

    /// Sets the value of an attribute. Numbers are converted to the type of the field, and enumerations may be given by
    /// name. [`DescriptionBuilder::build`] fills in the fields for the lengths of arrays.
    pub fn attribute(self, field: &str, given: impl Into<Given>) -> DescriptionBuilder {
        let given = given.into();
        self.set(field, |field, value| {
            if *value != FieldValue::Absent {
                return Err(None);
            }
            if field.is_tensor() {
                return Err(Some("expected a tensor, found an attribute".to_owned()));
            }
            *value = FieldValue::Attribute(given.into_attribute(field).map_err(Some)?);
            Ok(())
        })
    }

    /// Changes the value of a field. `change` returns `Err(None)` if the field is already set.
    fn set(
        mut self,
        name: &str,
        change: impl FnOnce(&'static Field, &mut FieldValue) -> Result<(), Option<String>>,
    ) -> DescriptionBuilder {
        let Ok(description) = &mut self.state else { return self };
        let (operator, known) = (description.name(), description.operator());
        let failed = match (known.field(name), description.get_mut(name)) {
            (Some(field), Some(value)) => change(field, value).err().map(|message| match message {
                Some(message) => DescriptionError::Value { operator, field: &field.name, message },
                None => DescriptionError::Twice { operator, field: &field.name },
            }),
            _ => {
                let known: Vec<&str> = known.fields.iter().map(|field| field.name.as_str()).collect();
                Some(DescriptionError::NoField { operator, field: name.to_owned(), known: known.join(", ") })
            }
        };
        if let Some(error) = failed {
            self.state = Err(error);
        }
        self
    }

    /// Builds the description. Every field that is not optional must have a value; whether DirectML accepts the
    /// description is not checked here.
    ///
    /// # Errors
    /// The first error of the earlier calls; if none of them failed, a required field without a value.
    pub fn build(self) -> Result<OperatorDescription, DescriptionError> {
        let built = self.counted()?;
        let counts = |name: &str| built.fields().any(|(field, _)| field.array_length_field.as_deref() == Some(name));
        // Report a missing array before the field for its length.
        let missing = |(field, value): &(&'static Field, &FieldValue)| !field.optional && **value == FieldValue::Absent;
        let missing = built.fields().filter(missing).min_by_key(|(field, _)| counts(&field.name));
        match missing {
            Some((field, _)) => Err(DescriptionError::Missing { operator: built.name(), field: &field.name }),
            None => Ok(built),
        }
    }

    /// Builds the description of an activation that another operator fuses or calls. Such a description has no tensors.
    ///
    /// # Errors
    /// The same as for [`DescriptionBuilder::build`], except for tensors: a tensor that is set is an error, and a
    /// missing tensor is not.
    pub fn build_fused(self) -> Result<OperatorDescription, DescriptionError> {
        let built = self.counted()?;
        for (field, value) in built.fields() {
            let (operator, field_name, absent) = (built.name(), field.name.as_str(), *value == FieldValue::Absent);
            if field.is_tensor() && !absent {
                let message = "is a tensor, but the description of a fused operator has no tensors".to_owned();
                return Err(DescriptionError::Value { operator, field: field_name, message });
            }
            if !field.is_tensor() && !field.optional && absent {
                return Err(DescriptionError::Missing { operator, field: field_name });
            }
        }
        Ok(built)
    }

    /// Returns the description, with the fields for the lengths of arrays filled in.
    fn counted(self) -> Result<OperatorDescription, DescriptionError> {
        let mut built = self.state?;
        for field in built.operator().fields.iter() {
            let Some(length_field) = &field.array_length_field else { continue };
            let length = match built.get(&field.name) {
                Some(FieldValue::Tensors(tensors)) => Some(tensors.len()),
                Some(FieldValue::Attribute(attribute)) => attribute.array_length(),
                _ => None,
            };
            if let (Some(length), Some(value @ FieldValue::Absent)) = (length, built.get_mut(length_field)) {
                *value = FieldValue::Attribute(Attribute::Uint(u32::try_from(length).unwrap_or(u32::MAX)));
            }
        }
        Ok(built)
    }
}

/// A value that a caller passes for an attribute. It is converted to the type of the field.
#[derive(Clone, Debug)]
pub enum Given {
    /// For fields of type `UINT`, `INT` or `FLOAT`, for enumerations, and (0 or 1 only) for fields of type `BOOL`.
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
    /// For operators that another operator fuses or calls. The flag is `true` if they are given as a list.
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
    /// Converts the value to the type of the field. If that is impossible, the error says why.
    pub(super) fn into_attribute(self, field: &Field) -> Result<Attribute, String> {
        use FieldType as F;
        let found = self.describe();
        let wrong = || format!("expected {}, found {found}", declared(field));
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
    fn describe(&self) -> String {
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

/// Returns the number of the value with this name in the field's enumeration.
fn number_of(field: &Field, name: &str) -> Result<u32, String> {
    let known = field.enumeration().and_then(|known| DirectMl::embedded().enumeration(known));
    let known = known.ok_or_else(|| format!("expected {}, found `{name}`", declared(field)))?;
    let value = known.named(name).or_else(|| known.named(&format!("{}_{name}", known.name)));
    value.map(|value| value.value).ok_or_else(|| {
        let names: Vec<&str> = known.values.iter().map(|value| value.name.as_str()).collect();
        format!("expected one of {}, found `{name}`", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_spec::directml::TensorDataType::Float32;

    fn tensor() -> TensorDescription {
        TensorDescription::packed(Float32, [1, 2, 3, 4])
    }

    fn reduce() -> DescriptionBuilder {
        let out = TensorDescription::packed(Float32, [1, 2, 1, 4]);
        OperatorDescription::new("REDUCE").tensor("InputTensor", tensor()).tensor("OutputTensor", out)
    }

    #[test]
    fn numbers_and_names_get_the_type_of_the_field() {
        let built = reduce().attribute("Function", "SUM").attribute("Axes", [2]).build().unwrap();
        assert_eq!((built.uint("Function"), built.uint("AxisCount")), (Some(10), Some(1)));
        assert_eq!(built.uints("Axes"), Some(&[2][..]));
        let relu = OperatorDescription::new("ACTIVATION_LEAKY_RELU").attribute("Alpha", 1);
        let gemm = OperatorDescription::new("GEMM").attribute("FusedActivation", relu).attribute("Alpha", 0.5);
        let gemm = gemm.attribute("TransA", "DML_MATRIX_TRANSFORM_TRANSPOSE").counted().unwrap();
        assert_eq!((gemm.float("Alpha"), gemm.uint("TransA")), (Some(0.5), Some(1)));
        let Some(Attribute::Operator(fused)) = gemm.attribute("FusedActivation") else { panic!("{gemm:?}") };
        assert_eq!(fused.float("Alpha"), Some(1.0));
    }

    #[test]
    fn errors_name_the_field() {
        let reduce_error = |builder: DescriptionBuilder| builder.build().unwrap_err().to_string();
        for (builder, message) in [
            (reduce().attribute("Function", "SUM"), "REDUCE.Axes: is missing"),
            (reduce().attribute("Function", "MODE"), "REDUCE.Function: expected one of DML_REDUCE_FUNCTION_ARGMAX,"),
            (reduce().attribute("Axes", [-1]), "REDUCE.Axes: expected UINT[AxisCount], found [-1]"),
            (reduce().attribute("Axes", 1), "REDUCE.Axes: expected UINT[AxisCount], found 1"),
            (reduce().tensor("InputTensor", tensor()), "REDUCE.InputTensor: is given twice"),
            (reduce().tensor("Axes", tensor()), "REDUCE.Axes: expected UINT[AxisCount], found a tensor"),
            (reduce().attribute("InputTensor", 1), "REDUCE.InputTensor: is given twice"),
            (reduce().attribute("Axis", 1), "REDUCE has no field Axis; its fields are Function, InputTensor,"),
            (OperatorDescription::new("ELEMENT_WISE_MINN"), "there is no operator"),
        ] {
            let said = reduce_error(builder);
            assert!(said.starts_with(message) || message.starts_with("there") && said.contains("MIN"), "{said}");
        }
    }

    #[test]
    fn the_length_of_a_tensor_array_is_filled_in() {
        let join = OperatorDescription::new("JOIN").tensors("InputTensors", [tensor(), tensor()]);
        let join = join.tensor("OutputTensor", TensorDescription::packed(Float32, [1, 2, 6, 4])).attribute("Axis", 2);
        let join = join.build().unwrap();
        assert_eq!((join.inputs().len(), join.uint("InputCount")), (2, Some(2)));
        assert_eq!((join.index_of("InputTensors"), join.index_of("OutputTensor")), (Some(0), Some(0)));
    }
}
