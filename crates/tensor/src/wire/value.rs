//! Converts values of every type to and from `input_N.pb` and `output_N.pb`.

use prost::Message;

use super::WireError;
use super::tensor::{sparse_tensor_from_proto, sparse_tensor_to_proto, tensor_from_proto, tensor_to_proto};
use crate::onnx::{MapProto, OptionalProto, SequenceProto, element};
use crate::{DType, MapKeys, Value, ValueKind};

fn decode<M: Message + Default>(bytes: &[u8], what: &'static str) -> Result<M, WireError> {
    M::decode(bytes).map_err(|e| WireError::Decode { what, reason: e.to_string() })
}

/// Reads `input_N.pb` or `output_N.pb` with the type that the model states for it.
///
/// `kind` says which message the bytes encode, and which type an empty sequence or optional has. The elements of
/// sequences, optionals and maps must have the stated type. If the value itself is a dense or sparse tensor, its
/// element type may differ from the stated one; the caller has to check that.
pub fn value_from_bytes(bytes: &[u8], kind: &ValueKind) -> Result<Value, WireError> {
    match kind {
        ValueKind::Tensor(_) => Ok(Value::Tensor(tensor_from_proto(&decode(bytes, "a tensor")?)?)),
        ValueKind::SparseTensor(_) => {
            Ok(Value::SparseTensor(sparse_tensor_from_proto(&decode(bytes, "a sparse tensor")?)?))
        }
        ValueKind::Sequence(of) => sequence_from_proto(&decode(bytes, "a sequence")?, of),
        ValueKind::Optional(of) => optional_from_proto(&decode(bytes, "an optional")?, of),
        ValueKind::Map(key, of) => map_from_proto(&decode(bytes, "a map")?, *key, of),
    }
}

/// Returns the bytes of `input_N.pb` or `output_N.pb`, as ONNX's own `numpy_helper` writes them, except that inner
/// values have no names, and that an empty sequence states the kind of its elements.
///
/// An element of a sequence, optional or map that does not have the stated type is an error, and so is a map with
/// different numbers of keys and values.
pub fn value_to_bytes(value: &Value, name: &str) -> Result<Vec<u8>, WireError> {
    let mut bytes = Vec::new();
    append_value(value, name, &mut bytes)?;
    Ok(bytes)
}

/// Does the same as [`value_to_bytes`], but appends the bytes to those in `bytes`. An error leaves them as they are.
pub fn append_value(value: &Value, name: &str, bytes: &mut Vec<u8>) -> Result<(), WireError> {
    match value {
        Value::Tensor(tensor) => append(&tensor_to_proto(tensor, name), name, bytes),
        Value::SparseTensor(sparse) => append(&sparse_tensor_to_proto(sparse, name), name, bytes),
        Value::Sequence { element, items } => append(&sequence_to_proto(element, items, name)?, name, bytes),
        Value::Optional { element, item } => append(&optional_to_proto(element, item.as_deref(), name)?, name, bytes),
        Value::Map { keys, element, items } => append(&map_to_proto(keys, element, items, name)?, name, bytes),
    }
}

fn append(message: &impl Message, name: &str, bytes: &mut Vec<u8>) -> Result<(), WireError> {
    bytes.reserve(message.encoded_len());
    message.encode(bytes).map_err(|error| WireError::Value { name: name.to_owned(), reason: error.to_string() })
}

/// Returns the number with which sequences and optionals state the kind of their elements.
fn element_code(kind: &ValueKind) -> i32 {
    match kind {
        ValueKind::Tensor(_) => element::TENSOR,
        ValueKind::SparseTensor(_) => element::SPARSE_TENSOR,
        ValueKind::Sequence(_) => element::SEQUENCE,
        ValueKind::Map(..) => element::MAP,
        ValueKind::Optional(_) => element::OPTIONAL,
    }
}

fn bad(name: &Option<String>, reason: impl Into<String>) -> WireError {
    WireError::Value { name: name.clone().unwrap_or_default(), reason: reason.into() }
}

fn checked(value: Value, kind: &ValueKind, name: &Option<String>) -> Result<Value, WireError> {
    if value.kind() == *kind {
        return Ok(value);
    }
    Err(bad(name, format!("it contains a value of type {}, but {kind} is declared", value.kind())))
}

fn sequence_from_proto(proto: &SequenceProto, of: &ValueKind) -> Result<Value, WireError> {
    let name = &proto.name;
    let count = proto.tensor_values.len()
        + proto.sparse_tensor_values.len()
        + proto.sequence_values.len()
        + proto.map_values.len()
        + proto.optional_values.len();
    let stated = proto.elem_type.unwrap_or(element::UNDEFINED);
    // The kind does not matter for an empty sequence: ONNX's helper then writes TENSOR, whatever the type is.
    if count > 0 && stated != element_code(of) {
        return Err(bad(
            name,
            format!("it is a sequence with `elem_type` {stated}, but elements of type {of} are declared"),
        ));
    }
    let items = match of {
        ValueKind::Tensor(_) => proto
            .tensor_values
            .iter()
            .map(|p| checked(Value::Tensor(tensor_from_proto(p)?), of, name))
            .collect::<Result<Vec<_>, _>>()?,
        ValueKind::SparseTensor(_) => proto
            .sparse_tensor_values
            .iter()
            .map(|p| checked(Value::SparseTensor(sparse_tensor_from_proto(p)?), of, name))
            .collect::<Result<_, _>>()?,
        ValueKind::Sequence(inner) => {
            proto.sequence_values.iter().map(|p| sequence_from_proto(p, inner)).collect::<Result<_, _>>()?
        }
        ValueKind::Map(key, inner) => {
            proto.map_values.iter().map(|p| map_from_proto(p, *key, inner)).collect::<Result<_, _>>()?
        }
        ValueKind::Optional(inner) => {
            proto.optional_values.iter().map(|p| optional_from_proto(p, inner)).collect::<Result<_, _>>()?
        }
    };
    if items.len() != count {
        return Err(bad(name, format!("it is a sequence of {of}, but has other values too")));
    }
    Ok(Value::Sequence { element: of.clone(), items })
}

fn optional_from_proto(proto: &OptionalProto, of: &ValueKind) -> Result<Value, WireError> {
    let name = &proto.name;
    let stated = proto.elem_type.unwrap_or(element::UNDEFINED);
    let held = [
        proto.tensor_value.is_some(),
        proto.sparse_tensor_value.is_some(),
        proto.sequence_value.is_some(),
        proto.map_value.is_some(),
        proto.optional_value.is_some(),
    ];
    let count = held.iter().filter(|&&h| h).count();
    if count > 1 {
        return Err(bad(name, format!("it is an optional with {count} values, expected one at most")));
    }
    if count == 1 && stated != element_code(of) {
        return Err(bad(
            name,
            format!("it is an optional with `elem_type` {stated}, but an optional of {of} is declared"),
        ));
    }
    let item = match of {
        ValueKind::Tensor(_) => proto.tensor_value.as_ref().map(|p| tensor_from_proto(p).map(Value::Tensor)),
        ValueKind::SparseTensor(_) => {
            proto.sparse_tensor_value.as_ref().map(|p| sparse_tensor_from_proto(p).map(Value::SparseTensor))
        }
        ValueKind::Sequence(inner) => proto.sequence_value.as_ref().map(|p| sequence_from_proto(p, inner)),
        ValueKind::Map(key, inner) => proto.map_value.as_ref().map(|p| map_from_proto(p, *key, inner)),
        ValueKind::Optional(inner) => proto.optional_value.as_ref().map(|p| optional_from_proto(p, inner)),
    };
    let item = item.transpose()?.map(|item| checked(item, of, name)).transpose()?;
    if item.is_none() && count > 0 {
        return Err(bad(name, format!("it is an optional of {of}, but its value is of another type")));
    }
    Ok(Value::Optional { element: of.clone(), item: item.map(Box::new) })
}

fn map_from_proto(proto: &MapProto, key: DType, of: &ValueKind) -> Result<Value, WireError> {
    let name = &proto.name;
    let stated = proto.key_type.unwrap_or(0);
    if stated != key.code() {
        return Err(bad(name, format!("it is a map with `key_type` {stated}, but keys of type {key} are declared")));
    }
    let keys = match key {
        DType::String => MapKeys::Strings(proto.string_keys.clone()),
        _ if key.is_integer() => MapKeys::Integers(key, proto.keys.clone()),
        _ => return Err(bad(name, format!("{key} is not a type of map keys"))),
    };
    let items = match proto.values.as_deref() {
        Some(values) => match sequence_from_proto(values, of)? {
            Value::Sequence { items, .. } => items,
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    if keys.len() != items.len() {
        return Err(bad(
            name,
            format!("it is a map with {} keys and {} values, expected equal numbers", keys.len(), items.len()),
        ));
    }
    Ok(Value::Map { keys, element: of.clone(), items })
}

fn named(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

/// Checks that a value inside another one has the type that the outer value states. Building a `Value` does not check
/// this.
fn check_kind(value: &Value, of: &ValueKind, name: &str) -> Result<(), WireError> {
    match value.kind() == *of {
        true => Ok(()),
        false => Err(bad(&named(name), format!("it contains a value of type {}, but {of} is declared", value.kind()))),
    }
}

fn sequence_to_proto(of: &ValueKind, items: &[Value], name: &str) -> Result<SequenceProto, WireError> {
    let mut proto = SequenceProto { name: named(name), elem_type: Some(element_code(of)), ..SequenceProto::default() };
    for item in items {
        check_kind(item, of, name)?;
        match item {
            Value::Tensor(tensor) => proto.tensor_values.push(tensor_to_proto(tensor, "")),
            Value::SparseTensor(sparse) => proto.sparse_tensor_values.push(sparse_tensor_to_proto(sparse, "")),
            Value::Sequence { element, items } => proto.sequence_values.push(sequence_to_proto(element, items, "")?),
            Value::Map { keys, element, items } => proto.map_values.push(map_to_proto(keys, element, items, "")?),
            Value::Optional { element, item } => {
                proto.optional_values.push(optional_to_proto(element, item.as_deref(), "")?);
            }
        }
    }
    Ok(proto)
}

fn optional_to_proto(of: &ValueKind, item: Option<&Value>, name: &str) -> Result<OptionalProto, WireError> {
    if let Some(item) = item {
        check_kind(item, of, name)?;
    }
    // ONNX's helper writes UNDEFINED for an empty optional.
    let code = item.map_or(element::UNDEFINED, |item| element_code(&item.kind()));
    let mut proto = OptionalProto { name: named(name), elem_type: Some(code), ..OptionalProto::default() };
    match item {
        None => {}
        Some(Value::Tensor(tensor)) => proto.tensor_value = Some(tensor_to_proto(tensor, "")),
        Some(Value::SparseTensor(sparse)) => proto.sparse_tensor_value = Some(sparse_tensor_to_proto(sparse, "")),
        Some(Value::Sequence { element, items }) => {
            proto.sequence_value = Some(Box::new(sequence_to_proto(element, items, "")?));
        }
        Some(Value::Map { keys, element, items }) => {
            proto.map_value = Some(Box::new(map_to_proto(keys, element, items, "")?));
        }
        Some(Value::Optional { element, item }) => {
            proto.optional_value = Some(Box::new(optional_to_proto(element, item.as_deref(), "")?));
        }
    }
    Ok(proto)
}

fn map_to_proto(keys: &MapKeys, of: &ValueKind, items: &[Value], name: &str) -> Result<MapProto, WireError> {
    if keys.len() != items.len() {
        return Err(bad(
            &named(name),
            format!("it is a map with {} keys and {} values, expected equal numbers", keys.len(), items.len()),
        ));
    }
    let mut proto = MapProto { name: named(name), ..MapProto::default() };
    match keys {
        MapKeys::Integers(dtype, keys) => {
            proto.key_type = Some(dtype.code());
            proto.keys = keys.clone();
        }
        MapKeys::Strings(keys) => {
            proto.key_type = Some(DType::String.code());
            proto.string_keys = keys.clone();
        }
    }
    proto.values = Some(Box::new(sequence_to_proto(of, items, "")?));
    Ok(proto)
}
