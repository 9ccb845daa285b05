//! Writes models of DxDispatch that run one operator.
//!
//! The schema is that of DxDispatch 0.18.1 (repository microsoft/DirectML, folder DxDispatch, commit a9614e82 of
//! 2025-07-21). What matters here: a resource holds exactly the initial values, and is rounded up to a multiple of 4
//! bytes; `sourcePath` is relative to the model; the whole resource is bound, whatever a binding says of its size;
//! `writeFile` writes the whole resource, relative to the current folder; and fields with the length of an array have
//! to be there, apart from those of tensors.

use std::collections::BTreeMap;

use plumbline_spec::directml::{DirectMl, Field, FieldKind, FieldType, TensorDataType};
use serde_json::{Map, Value, json};

use super::npy;
use crate::description::{Attribute, FieldValue, OperatorDescription, Scalar};
use crate::execution::Buffers;
use crate::tensor::{TensorDescription, TensorFlags};

/// The name of the operator in `dispatchables`.
const NAME: &str = "operator";

/// How many bytes follow the tensor in the resource of an output, at least. An operator must not change them.
const GUARD_BYTES: usize = 64;

/// A model with the files that it reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenModel {
    /// The model.
    pub json: Value,
    /// The files with initial values, by the names that the model gives them.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The outputs by binding index; `None` for an output that is left out.
    pub outputs: Vec<Option<WrittenOutput>>,
    /// Files that the model writes, and that have to hold what they held before: inputs, apart from that which an output
    /// shares.
    pub unchanged: Vec<String>,
}

/// Where a model writes an output.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenOutput {
    /// The file that the model writes, and the one with its content before the run. It holds the whole resource: the
    /// tensor with its gaps and padding, and behind `TotalTensorSizeInBytes` bytes that must not change.
    pub file: String,
    /// The tensor.
    pub tensor: TensorDescription,
}

/// Returns a model that runs an operator once and writes all of its tensors to files.
pub fn write_model(description: &OperatorDescription, buffers: &Buffers) -> WrittenModel {
    let mut model = WrittenModel::default();
    let (mut resources, mut bindings, mut owned) = (Map::new(), Map::new(), Map::new());
    let mut commands = vec![Value::Null];
    let mut shared = None;
    let inputs = labelled(description, FieldKind::InputTensor);
    let outputs = labelled(description, FieldKind::OutputTensor);
    let first = outputs.first().and_then(|(_, _, tensor)| *tensor);
    for (at, (field, label, tensor)) in inputs.iter().enumerate() {
        let (Some(tensor), Some(bytes)) = (tensor, buffers.inputs.get(at).and_then(Option::as_ref)) else { continue };
        let mut bytes = bytes.clone();
        let is_shared = buffers.in_place == Some(at) && first.is_some();
        if let Some(output) = first.filter(|_| is_shared) {
            guarded(&mut bytes, output.total_size_in_bytes);
            shared = Some(label.clone());
        } else {
            model.unchanged.push(format!("{label}.npy"));
        }
        let bound = if tensor.flags.is_owned_by_dml() { &mut owned } else { &mut bindings };
        bind(bound, field, label);
        model.resource(&mut resources, &mut commands, label, tensor.data_type, bytes);
    }
    for (at, (field, label, tensor)) in outputs.iter().enumerate() {
        let Some(tensor) = tensor else {
            model.outputs.push(None);
            continue;
        };
        let place = match shared.take().filter(|_| at == 0) {
            Some(input) => input,
            None => {
                let mut bytes = Vec::new();
                guarded(&mut bytes, tensor.total_size_in_bytes);
                model.resource(&mut resources, &mut commands, label, tensor.data_type, bytes);
                label.clone()
            }
        };
        bind(&mut bindings, field, &place);
        model.outputs.push(Some(WrittenOutput { file: format!("{place}.npy"), tensor: (*tensor).clone() }));
    }
    commands[0] = json!({ "type": "dispatch", "dispatchable": NAME, "bindings": bindings });
    let mut operator = operator_json(description);
    if let Some(object) = operator.as_object_mut().filter(|_| !owned.is_empty()) {
        object.insert("bindings".to_owned(), owned.into());
    }
    model.json = json!({ "resources": resources, "dispatchables": { NAME: operator }, "commands": commands });
    model
}

impl WrittenModel {
    /// Adds a resource with its file, and the command that writes it.
    fn resource(
        &mut self,
        resources: &mut Map<String, Value>,
        commands: &mut Vec<Value>,
        name: &str,
        data_type: TensorDataType,
        bytes: Vec<u8>,
    ) {
        let size = data_type.bits().map_or(1, |bits| bits as usize / 8).max(1);
        // Bytes stand for elements that NumPy does not have, and for a buffer that ends within an element.
        let data_type =
            Some(data_type).filter(|known| npy::descr(*known).is_some() && bytes.len().is_multiple_of(size));
        let data_type = data_type.unwrap_or(TensorDataType::Uint8);
        let count = bytes.len() / data_type.bits().map_or(1, |bits| bits as usize / 8);
        let file = format!("{name}.npy");
        resources.insert(
            name.to_owned(),
            json!({ "initialValuesDataType": data_type.name(), "initialValues": { "sourcePath": file } }),
        );
        commands.push(json!({ "type": "writeFile", "resource": name, "targetPath": file }));
        self.files.insert(file, npy::write(npy::descr(data_type).unwrap_or("|u1"), &[count], &bytes));
    }
}

/// Returns the fields of tensors with a name for each binding index: `ATensor`, `InputTensors_1`.
fn labelled(
    description: &OperatorDescription,
    kind: FieldKind,
) -> Vec<(&'static Field, String, Option<&TensorDescription>)> {
    let label = |(at, (field, tensor)): (usize, (&'static Field, Option<_>))| {
        let label = match field.type_ {
            FieldType::TensorDescArray => {
                format!("{}_{}", field.name, at - description.index_of(&field.name).unwrap_or(at))
            }
            _ => field.name.clone(),
        };
        (field, label, tensor)
    };
    description.places(kind).into_iter().enumerate().map(label).collect()
}

fn bind(bindings: &mut Map<String, Value>, field: &Field, resource: &str) {
    match field.type_ {
        FieldType::TensorDescArray => match bindings.entry(field.name.clone()).or_insert_with(|| json!([])) {
            Value::Array(all) => all.push(resource.into()),
            other => *other = json!([resource]),
        },
        _ => {
            bindings.insert(field.name.clone(), resource.into());
        }
    }
}

/// Makes a buffer long enough for an output of this size and the bytes behind it. Neighbouring bytes differ, and few of
/// them are numbers that an operator gives.
fn guarded(bytes: &mut Vec<u8>, total: u64) {
    let least = (total as usize).next_multiple_of(16) + GUARD_BYTES;
    let end = bytes.len().next_multiple_of(16).max(least);
    bytes.extend((bytes.len()..end).map(|at| 0xa5 ^ (at as u8).wrapping_mul(29)));
}

/// Returns an operator as it stands in `dispatchables`.
pub fn operator_json(description: &OperatorDescription) -> Value {
    let mut fields = Map::new();
    for (field, value) in description.fields() {
        let value = match value {
            FieldValue::Absent => continue,
            FieldValue::Tensor(tensor) => tensor_json(tensor),
            FieldValue::Tensors(tensors) => tensors.iter().map(tensor_json).collect(),
            FieldValue::Attribute(attribute) => attribute_json(description, field, attribute),
        };
        fields.insert(field.name.clone(), value);
    }
    json!({ "type": description.operator().name, "desc": fields })
}

fn tensor_json(tensor: &TensorDescription) -> Value {
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| object.insert(name.to_owned(), value);
    add("DataType", tensor.data_type.name().into());
    add("Sizes", tensor.sizes.clone().into());
    if let Some(strides) = &tensor.strides {
        add("Strides", strides.clone().into());
    }
    add("TotalTensorSizeInBytes", tensor.total_size_in_bytes.into());
    if tensor.guaranteed_base_offset_alignment != 0 {
        add("GuaranteedBaseOffsetAlignment", tensor.guaranteed_base_offset_alignment.into());
    }
    match tensor.flags {
        TensorFlags::NONE => None,
        TensorFlags::OWNED_BY_DML => add("Flags", "OWNED_BY_DML".into()),
        // No name stands for further bits, so that readers refuse them.
        TensorFlags(bits) => add("Flags", bits.into()),
    };
    object.into()
}

/// Returns a number, or the string that stands for it if JSON has none.
fn float_json(value: f64) -> Value {
    match value {
        value if value.is_nan() => "nan".into(),
        value if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.into(),
        value => value.into(),
    }
}

fn attribute_json(description: &OperatorDescription, field: &Field, attribute: &Attribute) -> Value {
    let floats = |values: &[f32]| values.iter().map(|&value| float_json(value.into())).collect();
    match attribute {
        Attribute::Uint(value) => {
            let known = field.enumeration().and_then(|name| DirectMl::embedded().enumeration(name));
            known
                .and_then(|known| known.value(*value))
                .map_or_else(|| (*value).into(), |value| value.name.clone().into())
        }
        Attribute::UintArray(values) => values.clone().into(),
        Attribute::Int(value) => (*value).into(),
        Attribute::IntArray(values) => values.clone().into(),
        Attribute::Float(value) => float_json((*value).into()),
        Attribute::FloatArray(values) => floats(values),
        Attribute::Bool(value) => (*value).into(),
        Attribute::ScaleBias(value) => {
            json!({ "Scale": float_json(value.scale.into()), "Bias": float_json(value.bias.into()) })
        }
        Attribute::Scalar(value) => scalar_json(*value, data_type_of_scalars(description)),
        Attribute::Size2d(value) => json!({ "Width": value.width, "Height": value.height }),
        Attribute::Operator(inner) => operator_json(inner),
        Attribute::Operators(inner) => inner.iter().map(operator_json).collect(),
    }
}

/// Returns the type of an operator's scalars, which another field gives.
fn data_type_of_scalars(description: &OperatorDescription) -> TensorDataType {
    let mut named = description.fields().filter(|(field, _)| field.enumeration() == Some("DML_TENSOR_DATA_TYPE"));
    let found = named.find_map(|(field, _)| description.uint(&field.name));
    found.and_then(TensorDataType::from_value).unwrap_or(TensorDataType::Unknown)
}

/// Returns a scalar as an object, whose key is the name of the union's member. A float16 is its bits there.
fn scalar_json(Scalar(bytes): Scalar, data_type: TensorDataType) -> Value {
    let bits = u64::from_le_bytes(bytes);
    match data_type {
        TensorDataType::Float32 => json!({ "Float32": float_json(f32::from_bits(bits as u32).into()) }),
        TensorDataType::Float64 => json!({ "Float64": float_json(f64::from_bits(bits)) }),
        TensorDataType::Float16 | TensorDataType::Uint16 => json!({ "UInt16": bits as u16 }),
        TensorDataType::Uint8 => json!({ "UInt8": bits as u8 }),
        TensorDataType::Uint32 => json!({ "UInt32": bits as u32 }),
        TensorDataType::Uint64 => json!({ "UInt64": bits }),
        TensorDataType::Int8 => json!({ "Int8": bits as i8 }),
        TensorDataType::Int16 => json!({ "Int16": bits as i16 }),
        TensorDataType::Int32 => json!({ "Int32": bits as i32 }),
        TensorDataType::Int64 => json!({ "Int64": bits as i64 }),
        TensorDataType::Uint4 | TensorDataType::Int4 | TensorDataType::Unknown => bits.into(),
    }
}
