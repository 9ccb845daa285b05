//! Converts values to and from ONNX Runtime. This is the only place that knows which values ONNX Runtime cannot hold.

use plumbline_tensor::{
    DType, MapKeys, SparseTensor, Tensor, Value, ValueKind, element_count, onnx::TensorProto, tensor_from_proto,
    tensor_to_proto,
};

use super::api::{OrtValueKind, OwnedValue};
use super::elements::{dtype_of, element_of};
use super::refusal;
use super::status::Error;
use crate::Refusal;

fn unsupported(what: impl std::fmt::Display) -> Refusal {
    Refusal::unsupported(format!("ONNX Runtime's interface has no {what}"))
}

fn failed(what: impl std::fmt::Display) -> Refusal {
    Refusal::failed(format!("ONNX Runtime returned an invalid value: {what}"))
}

/// Returns a function that turns an error into a refusal: a value that ONNX Runtime cannot create is unsupported, and
/// the reason ends with ONNX Runtime's message.
fn cannot_make(kind: &ValueKind) -> impl Fn(Error) -> Refusal {
    let kind = kind.to_string();
    move |error| Refusal::unsupported(format!("ONNX Runtime cannot make a value of type {kind}: {}", error.message()))
}

/// Converts a value for ONNX Runtime.
pub fn to_ort(value: &Value) -> Result<OwnedValue, Refusal> {
    let kind = value.kind();
    match value {
        Value::Tensor(tensor) => tensor_to_ort(tensor),
        Value::Sequence { items, .. } if items.is_empty() => Err(unsupported(format!("way to make an empty {kind}"))),
        Value::Sequence { items, .. } => {
            let items = items.iter().map(to_ort).collect::<Result<Vec<_>, _>>()?;
            OwnedValue::sequence(&items).map_err(cannot_make(&kind))
        }
        // An optional that has a value is passed as this value.
        Value::Optional { item: Some(item), .. } => to_ort(item),
        Value::Optional { item: None, .. } => Err(unsupported(format!("way to make {kind} without a value"))),
        Value::Map { keys, items, element } => {
            let keys = match keys {
                MapKeys::Integers(dtype, keys) => {
                    let keys: Vec<i128> = keys.iter().map(|k| i128::from(*k)).collect();
                    Tensor::from_i128s(*dtype, vec![keys.len()], &keys)
                }
                MapKeys::Strings(keys) => Tensor::from_strings(vec![keys.len()], keys.clone()),
            };
            let ValueKind::Tensor(dtype) = element else { return Err(unsupported(format!("way to make {kind}"))) };
            let (mut bytes, mut strings) = (Vec::new(), Vec::new());
            for item in items {
                match item {
                    Value::Tensor(tensor) if tensor.len() == 1 && *dtype == DType::String => {
                        strings.extend_from_slice(tensor.strings());
                    }
                    Value::Tensor(tensor) if tensor.len() == 1 => bytes.extend_from_slice(tensor.bytes()),
                    _ => return Err(unsupported(format!("way to make {kind} of values that are not scalars"))),
                }
            }
            let values = match dtype {
                DType::String => Tensor::from_strings(vec![items.len()], strings),
                _ => Tensor::from_bytes(*dtype, vec![items.len()], bytes),
            };
            let or_invalid = |tensor: Result<Tensor, _>| tensor.map_err(|e| Refusal::invalid(format!("{kind}: {e}")));
            let parts = [tensor_to_ort(&or_invalid(keys)?)?, tensor_to_ort(&or_invalid(values)?)?];
            OwnedValue::map(&parts).map_err(cannot_make(&kind))
        }
        Value::SparseTensor(_) => Err(unsupported(format!("way to make {kind}"))),
    }
}

fn tensor_to_ort(tensor: &Tensor) -> Result<OwnedValue, Refusal> {
    let (dtype, kind) = (tensor.dtype(), ValueKind::Tensor(tensor.dtype()));
    let element = element_of(dtype).ok_or_else(|| unsupported(&kind))?;
    let shape: Vec<i64> = tensor.shape().iter().map(|&extent| extent as i64).collect();
    if dtype == DType::String {
        return OwnedValue::strings(&shape, tensor.strings()).map_err(cannot_make(&kind));
    }
    let packed;
    let bytes = if dtype.bits().is_some_and(|bits| bits < 8) {
        packed = tensor_to_proto(tensor, "").raw_data.unwrap_or_default();
        &packed[..]
    } else {
        tensor.bytes()
    };
    OwnedValue::tensor(element, &shape, bytes).map_err(cannot_make(&kind))
}

/// Converts a value of ONNX Runtime. `declared` is the type that the model declares for it. Only this type tells
/// whether the value is an optional, and which element type an empty sequence or an optional without a value has.
pub fn from_ort(value: &OwnedValue, declared: Option<&ValueKind>) -> Result<Value, Refusal> {
    if let Some(ValueKind::Optional(element)) = declared {
        let item = match value.is_some().map_err(refusal)? {
            true => Some(Box::new(from_ort(value, Some(element))?)),
            false => None,
        };
        return Ok(Value::Optional { element: element.as_ref().clone(), item });
    }
    match value.kind().map_err(refusal)? {
        OrtValueKind::Tensor => Ok(Value::Tensor(tensor_from_ort(value)?)),
        OrtValueKind::Sequence => {
            let declared = match declared {
                Some(ValueKind::Sequence(of)) => Some(of.as_ref()),
                _ => None,
            };
            let parts = value.items().map_err(refusal)?;
            let items = parts.iter().map(|part| from_ort(part, declared)).collect::<Result<Vec<_>, _>>()?;
            let element = match (items.first(), declared) {
                (Some(item), _) => item.kind(),
                (None, Some(declared)) => declared.clone(),
                (None, None) => {
                    return Err(failed("an empty sequence for an output that is not declared as a sequence"));
                }
            };
            Ok(Value::Sequence { element, items })
        }
        OrtValueKind::Map => {
            let parts = value.items().map_err(refusal)?;
            let [keys, values] = parts.as_slice() else { return Err(failed("a map without keys and values")) };
            map_from_ort(&tensor_from_ort(keys)?, &tensor_from_ort(values)?)
        }
        OrtValueKind::Sparse => sparse_from_ort(value),
        OrtValueKind::Other(code) => Err(unsupported(format!("way to read values of kind {code}"))),
    }
}

fn sparse_from_ort(value: &OwnedValue) -> Result<Value, Refusal> {
    let (_, extents) = value.tensor_info().map_err(refusal)?;
    let parts = value.coordinates().map_err(refusal)?;
    let dtype = dtype_of(parts.element).filter(|dtype| dtype.bits().is_some_and(|bits| bits >= 8));
    let dtype = dtype.ok_or_else(|| unsupported(format!("way to read sparse values of type {}", parts.element)))?;
    let shape = |extents: &[i64]| extents.iter().map(|&extent| extent as usize).collect::<Vec<_>>();
    let values = Tensor::from_bytes(dtype, vec![parts.values.len() / dtype.size()], parts.values).map_err(failed)?;
    let indices = Tensor::from_bytes(DType::Int64, shape(&parts.indices_shape), parts.indices).map_err(failed)?;
    Ok(Value::SparseTensor(SparseTensor::new(values, indices, shape(&extents)).map_err(failed)?))
}

fn map_from_ort(keys: &Tensor, values: &Tensor) -> Result<Value, Refusal> {
    let keys = match keys.dtype() {
        DType::String => MapKeys::Strings(keys.strings().to_vec()),
        dtype => MapKeys::Integers(dtype, keys.to_i128s().into_iter().map(|key| key as i64).collect()),
    };
    let (dtype, size) = (values.dtype(), values.dtype().size());
    let item = |bytes: &[u8]| Tensor::from_bytes(dtype, vec![], bytes.to_vec()).map(Value::Tensor);
    let items = match dtype {
        DType::String => {
            let scalar = |s: &Vec<u8>| Tensor::from_strings(vec![], vec![s.clone()]).map(Value::Tensor);
            values.strings().iter().map(scalar).collect::<Result<Vec<_>, _>>()
        }
        _ => values.bytes().chunks(size).map(item).collect(),
    };
    Ok(Value::Map { keys, element: ValueKind::Tensor(dtype), items: items.map_err(failed)? })
}

fn tensor_from_ort(value: &OwnedValue) -> Result<Tensor, Refusal> {
    let (code, extents) = value.tensor_info().map_err(refusal)?;
    let dtype = dtype_of(code).ok_or_else(|| failed(format!("elements of the unknown type number {code}")))?;
    let shape = extents
        .iter()
        .map(|&extent| usize::try_from(extent).map_err(|_| failed(format!("the invalid shape {extents:?}"))))
        .collect::<Result<Vec<_>, _>>()?;
    let too_large = || failed(format!("a tensor of shape {extents:?}, which does not fit in memory"));
    let count = element_count(&shape).ok_or_else(too_large)?;
    if dtype == DType::String {
        let strings = value.string_elements(count).map_err(refusal)?;
        return Tensor::from_strings(shape, strings).map_err(failed);
    }
    let bytes = value.bytes().map_err(refusal)?;
    if dtype.bits().is_some_and(|bits| bits < 8) {
        let proto = TensorProto {
            dims: extents,
            data_type: Some(dtype.code()),
            raw_data: Some(bytes.into()),
            ..TensorProto::default()
        };
        return tensor_from_proto(&proto).map_err(failed);
    }
    Tensor::from_bytes(dtype, shape, bytes).map_err(failed)
}
