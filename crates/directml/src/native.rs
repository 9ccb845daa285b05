//! Converts descriptions from plain data to DirectML's memory layout.

use super::packed::{PackError, Packed, RawTensor};
use super::{Attribute, FieldValue, OperatorDescription, TensorDescription};

impl From<&TensorDescription> for RawTensor {
    fn from(tensor: &TensorDescription) -> RawTensor {
        RawTensor {
            data_type: tensor.data_type.value(),
            flags: tensor.flags.0,
            sizes: tensor.sizes.clone(),
            strides: tensor.strides.clone(),
            total_size_in_bytes: tensor.total_size_in_bytes,
            guaranteed_base_offset_alignment: tensor.guaranteed_base_offset_alignment,
        }
    }
}

impl TryFrom<&OperatorDescription> for Packed {
    type Error = PackError;

    fn try_from(description: &OperatorDescription) -> Result<Packed, PackError> {
        let operator = description.operator();
        let mut packed = Packed::new(operator.value, &operator.desc_struct)?;
        for (field, value) in description.fields() {
            let name = field.name.as_str();
            match value {
                FieldValue::Absent => {}
                FieldValue::Tensor(tensor) => {
                    packed.tensors(name, &[tensor.into()])?;
                }
                FieldValue::Tensors(tensors) => {
                    let tensors: Vec<RawTensor> = tensors.iter().map(RawTensor::from).collect();
                    packed.tensors(name, &tensors)?;
                }
                FieldValue::Attribute(attribute) => attribute.pack(name, &mut packed)?,
            }
        }
        Ok(packed)
    }
}

impl Attribute {
    fn pack(&self, name: &str, packed: &mut Packed) -> Result<(), PackError> {
        match self {
            Attribute::Uint(value) => packed.uint(name, *value)?,
            Attribute::UintArray(values) => packed.uints(name, values)?,
            Attribute::Int(value) => packed.int(name, *value)?,
            Attribute::IntArray(values) => packed.ints(name, values)?,
            Attribute::Float(value) => packed.float(name, *value)?,
            Attribute::FloatArray(values) => packed.floats(name, values)?,
            Attribute::Bool(value) => packed.uint(name, u32::from(*value))?,
            Attribute::ScaleBias(value) => packed.scale_bias(name, value.scale, value.bias)?,
            Attribute::Scalar(value) => packed.scalar(name, value.0)?,
            Attribute::Size2d(value) => packed.size_2d(name, value.width, value.height)?,
            Attribute::Operator(value) => packed.operators(name, vec![value.as_ref().try_into()?])?,
            Attribute::Operators(values) => {
                let values = values.iter().map(Packed::try_from).collect::<Result<_, _>>()?;
                packed.operators(name, values)?
            }
        };
        Ok(())
    }
}

#[cfg(test)]
#[allow(unsafe_code, reason = "reads what is pointed to, as DirectML does")]
mod tests {
    use super::super::abi::element_wise::DML_ELEMENT_WISE_MIN_OPERATOR_DESC;
    use super::super::abi::{DML_BUFFER_TENSOR_DESC, layout};
    use super::*;
    use plumbline_spec::directml::{DirectMl, TensorDataType};

    #[test]
    fn a_description_is_packed_field_by_field() {
        let row = TensorDescription::packed(TensorDataType::Float16, [2, 3]);
        let min = OperatorDescription::new("ELEMENT_WISE_MIN")
            .tensor("ATensor", row.clone())
            .tensor("BTensor", TensorDescription::strided(TensorDataType::Float16, [2, 3], [1, 0]))
            .tensor("OutputTensor", row)
            .build()
            .unwrap();
        let packed = Packed::try_from(&min).unwrap();
        assert_eq!(packed.desc().Type, min.operator().value);
        // SAFETY: `packed` is alive and holds this struct; a test compares its layout with the header.
        unsafe {
            let seen = &*packed.desc().Desc.cast::<DML_ELEMENT_WISE_MIN_OPERATOR_DESC>();
            let a = &*(*seen.ATensor).Desc.cast::<DML_BUFFER_TENSOR_DESC>();
            assert_eq!((a.DataType, a.DimensionCount, a.TotalTensorSizeInBytes), (2, 2, 12));
            let b = &*(*seen.BTensor).Desc.cast::<DML_BUFFER_TENSOR_DESC>();
            assert_eq!(std::slice::from_raw_parts(b.Strides, 2), [1, 0]);
        }
    }

    #[test]
    fn every_operator_has_a_struct_with_its_fields() {
        for operator in DirectMl::embedded().operators() {
            let layout = layout(&operator.desc_struct).unwrap();
            let names: Vec<&str> = operator.fields.iter().map(|field| field.name.as_str()).collect();
            assert!(layout.fields.iter().map(|(name, ..)| *name).eq(names), "{}", operator.name);
            assert!(Packed::try_from(&OperatorDescription::empty(operator)).is_ok(), "{}", operator.name);
        }
    }
}
