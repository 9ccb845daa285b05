//! A builder for operator descriptions, which sets one field at a time.

use super::attribute::{Attribute, Given, declared};
use super::description::{FieldValue, OperatorDescription};
use super::tensor::TensorDescription;
use plumbline_spec::directml::{DirectMl, Field, FieldType};

/// The reason why a description cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DescriptionError {
    /// No operator has this name.
    #[error("{0}")]
    Operator(String),
    /// The operator has no such field.
    #[error("{operator} has no field {field}; it has {known}")]
    NoField { operator: &'static str, field: String, known: String },
    /// The field is set twice.
    #[error("{operator}.{field}: comes twice")]
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

/// An unfinished description. [`DescriptionBuilder::build`] reports the first error of any call.
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
                _ => return Err(Some(format!("is {}, and no tensor", declared(field)))),
            }
            Ok(())
        })
    }

    /// Sets the tensor of a field, or leaves it out if it is `None`.
    pub fn optional_tensor(self, field: &str, tensor: Option<TensorDescription>) -> DescriptionBuilder {
        match tensor {
            Some(tensor) => self.tensor(field, tensor),
            None => self.set(field, |field, _| match field.is_tensor() {
                true => Ok(()),
                false => Err(Some(format!("is {}, and no tensor", declared(field)))),
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
                return Err(Some("is a tensor".to_owned()));
            }
            *value = FieldValue::Attribute(given.into_attribute(field).map_err(Some)?);
            Ok(())
        })
    }

    /// Sets the value of an attribute, or leaves it out if it is `None`.
    pub fn optional_attribute(self, field: &str, given: Option<impl Into<Given>>) -> DescriptionBuilder {
        match given {
            Some(given) => self.attribute(field, given),
            None => self,
        }
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
    /// The first error of any call, with the field's name.
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

    /// Builds the description of an activation that another operator calls. It has no tensors.
    ///
    /// # Errors
    /// The same as for [`DescriptionBuilder::build`].
    pub fn build_fused(self) -> Result<OperatorDescription, DescriptionError> {
        let built = self.counted()?;
        for (field, value) in built.fields() {
            let (operator, field_name, absent) = (built.name(), field.name.as_str(), *value == FieldValue::Absent);
            if field.is_tensor() && !absent {
                let message = "an operator that another one calls has no tensors".to_owned();
                return Err(DescriptionError::Value { operator, field: field_name, message });
            }
            if !field.is_tensor() && !field.optional && absent {
                return Err(DescriptionError::Missing { operator, field: field_name });
            }
        }
        Ok(built)
    }

    /// Builds the description as it is: the lengths of arrays are filled in, and other fields may be unset.
    ///
    /// # Errors
    /// The first error in a value that was set.
    pub fn build_partial(self) -> Result<OperatorDescription, DescriptionError> {
        self.counted()
    }

    /// Returns the description with the lengths of the arrays that are set.
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
    fn numbers_become_what_the_field_holds() {
        let built = reduce().attribute("Function", "SUM").attribute("Axes", [2]).build().unwrap();
        assert_eq!((built.uint("Function"), built.uint("AxisCount")), (Some(10), Some(1)));
        assert_eq!(built.uints("Axes"), Some(&[2][..]));
        let relu = OperatorDescription::new("ACTIVATION_LEAKY_RELU").attribute("Alpha", 1);
        let gemm = OperatorDescription::new("GEMM").attribute("FusedActivation", relu).attribute("Alpha", 0.5);
        let gemm = gemm.attribute("TransA", "DML_MATRIX_TRANSFORM_TRANSPOSE").build_partial().unwrap();
        assert_eq!((gemm.float("Alpha"), gemm.uint("TransA")), (Some(0.5), Some(1)));
        let Some(Attribute::Operator(fused)) = gemm.attribute("FusedActivation") else { panic!("{gemm:?}") };
        assert_eq!(fused.float("Alpha"), Some(1.0));
    }

    #[test]
    fn errors_name_the_field() {
        let reduce_error = |builder: DescriptionBuilder| builder.build().unwrap_err().to_string();
        for (builder, message) in [
            (reduce().attribute("Function", "SUM"), "REDUCE.Axes: is missing"),
            (reduce().attribute("Function", "MODE"), "REDUCE.Function: `MODE` is none of DML_REDUCE_FUNCTION_ARGMAX,"),
            (reduce().attribute("Axes", [-1]), "REDUCE.Axes: is UINT[AxisCount], and not [-1]"),
            (reduce().attribute("Axes", 1), "REDUCE.Axes: is UINT[AxisCount], and not 1"),
            (reduce().tensor("InputTensor", tensor()), "REDUCE.InputTensor: comes twice"),
            (reduce().tensor("Axes", tensor()), "REDUCE.Axes: is UINT[AxisCount], and no tensor"),
            (reduce().attribute("InputTensor", 1), "REDUCE.InputTensor: comes twice"),
            (reduce().attribute("Axis", 1), "REDUCE has no field Axis; it has Function, InputTensor,"),
            (OperatorDescription::new("ELEMENT_WISE_MINN"), "there is no operator"),
        ] {
            let said = reduce_error(builder);
            assert!(said.starts_with(message) || message.starts_with("there") && said.contains("MIN"), "{said}");
        }
    }

    #[test]
    fn arrays_of_tensors() {
        let join = OperatorDescription::new("JOIN").tensors("InputTensors", [tensor(), tensor()]);
        let join = join.tensor("OutputTensor", TensorDescription::packed(Float32, [1, 2, 6, 4])).attribute("Axis", 2);
        let join = join.build().unwrap();
        assert_eq!((join.inputs().len(), join.uint("InputCount")), (2, Some(2)));
        assert_eq!((join.index_of("InputTensors"), join.index_of("OutputTensor")), (Some(0), Some(0)));
    }
}
