//! Reads an operator of a DxDispatch model.

use super::Finding;
use crate::builder::Given;
use crate::description::{Attribute, Scalar, ScaleBias, Size2d, declared};
use crate::description::{FieldValue, OperatorDescription};
use crate::tensor::{TensorDescription, TensorFlags};
use plumbline_cpu::element::Number;
use plumbline_spec::directml::{DirectMl, Field, FieldType, TensorDataType};
use serde_json::{Map, Value};

/// The reason why a value cannot be read: the place within the value, and a message.
struct Wrong(String, String);

type Read<T> = Result<T, Wrong>;

fn wrong<T>(below: &str, message: impl Into<String>) -> Read<T> {
    Err(Wrong(below.to_owned(), message.into()))
}

/// Reads the description of an operator as far as possible, and returns the errors as well.
pub(super) fn read(value: &Value, path: &str) -> (Option<OperatorDescription>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut add = |below: &str, message: String| {
        findings.push(Finding { path: format!("{path}{below}"), message, violation: None });
    };
    let (Some(object), Some(kind)) = (value.as_object(), member(value, "type").and_then(Value::as_str)) else {
        add(".type", "is missing; expected DML_OPERATOR_...".to_owned());
        return (None, findings);
    };
    let operator = match DirectMl::embedded().find(kind) {
        Ok(operator) => operator,
        Err(error) => {
            add(".type", error.to_string());
            return (None, findings);
        }
    };
    // The fields are in `desc`, or next to the type.
    let (below, fields) = match ["desc", "Desc"].iter().find_map(|name| Some((name, object.get(*name)?))) {
        Some((name, Value::Object(fields))) => (format!(".{name}"), fields),
        Some((name, _)) => {
            add(&format!(".{name}"), "is not an object".to_owned());
            return (None, findings);
        }
        None => (String::new(), object),
    };
    let beside = ["type", "Type", "desc", "Desc", "executionFlags", "dmlCompileType", "bindings"];
    let mut description = OperatorDescription::empty(operator);
    for (name, value) in fields {
        if below.is_empty() && beside.contains(&name.as_str()) {
            continue;
        }
        let Some(field) = operator.field(name) else {
            let known: Vec<&str> = operator.fields.iter().map(|field| field.name.as_str()).collect();
            add(&format!("{below}.{name}"), format!("{} has no such field; its fields are {}", kind, known.join(", ")));
            continue;
        };
        if value.is_null() {
            continue;
        }
        let (read, inner) = field_value(field, value, fields, &format!("{path}{below}.{name}"));
        match read {
            Ok(read) => {
                if let Some(place) = description.get_mut(name) {
                    *place = read;
                }
            }
            Err(Wrong(at, message)) => add(&format!("{below}.{name}{at}"), message),
        }
        inner
            .into_iter()
            .for_each(|finding| add(finding.path.strip_prefix(path).unwrap_or(&finding.path), finding.message));
    }
    counts(&mut description);
    (Some(description), findings)
}

/// Returns a member by its name, which may start with a small or a capital letter.
fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let mut capital = name.to_owned();
    capital[..1].make_ascii_uppercase();
    value.get(name).or_else(|| value.get(&capital))
}

/// Fills in the fields for the lengths of arrays, where they are left out.
fn counts(description: &mut OperatorDescription) {
    for field in &description.operator().fields {
        let Some(length_field) = &field.array_length_field else { continue };
        let length = match description.get(&field.name) {
            Some(FieldValue::Tensors(tensors)) => Some(tensors.len()),
            Some(FieldValue::Attribute(attribute)) => attribute.array_length(),
            _ => None,
        };
        if let (Some(length), Some(value @ FieldValue::Absent)) = (length, description.get_mut(length_field)) {
            *value = FieldValue::Attribute(Attribute::Uint(u32::try_from(length).unwrap_or(u32::MAX)));
        }
    }
}

/// Reads the value of a field. If it is one or more operators (fused activations), also returns the errors in them.
fn field_value(
    field: &Field,
    value: &Value,
    fields: &Map<String, Value>,
    path: &str,
) -> (Read<FieldValue>, Vec<Finding>) {
    let elements = |value: &Value| match value.as_array() {
        Some(elements) => Ok(elements.clone()),
        None => wrong("", format!("expected {}, found no array", declared(field))),
    };
    let mut inner = Vec::new();
    let mut operator = |value: &Value, path: String| {
        let (read, findings) = read(value, &path);
        inner.extend(findings);
        read
    };
    let read = match field.type_ {
        FieldType::TensorDesc => tensor(value).map(FieldValue::Tensor),
        FieldType::TensorDescArray => elements(value).and_then(|values| {
            let one = |(at, value)| tensor(value).map_err(|Wrong(below, said)| Wrong(format!("[{at}]{below}"), said));
            values.iter().enumerate().map(one).collect::<Read<_>>().map(FieldValue::Tensors)
        }),
        FieldType::OperatorDesc => Ok(match operator(value, path.to_owned()) {
            Some(found) => FieldValue::Attribute(Attribute::Operator(Box::new(found))),
            None => FieldValue::Absent,
        }),
        FieldType::OperatorDescArray => elements(value).map(|values| {
            let one = |(at, value)| operator(value, format!("{path}[{at}]"));
            FieldValue::Attribute(Attribute::Operators(values.iter().enumerate().filter_map(one).collect()))
        }),
        _ => attribute(field, value, fields).map(FieldValue::Attribute),
    };
    (read, inner)
}

fn attribute(field: &Field, value: &Value, fields: &Map<String, Value>) -> Read<Attribute> {
    let number = |value: &Value, name: &str| match value.get(name).map(|found| found.as_f64()) {
        Some(Some(number)) => Ok(number),
        Some(None) => wrong(&format!(".{name}"), "is not a number"),
        None => wrong(&format!(".{name}"), "is missing"),
    };
    let given = match (field.type_, value) {
        (FieldType::ScaleBias, Value::Object(_)) => {
            let (scale, bias) = (number(value, "Scale")? as f32, number(value, "Bias")? as f32);
            Given::ScaleBias(ScaleBias { scale, bias })
        }
        (FieldType::Size2d, Value::Object(_)) => {
            let whole =
                |name: &str| match value.get(name).map(|found| found.as_u64().and_then(|x| u32::try_from(x).ok())) {
                    Some(Some(number)) => Ok(number),
                    Some(None) => wrong(&format!(".{name}"), "is not an integer from 0 to 4294967295"),
                    None => wrong(&format!(".{name}"), "is missing"),
                };
            let (width, height) = (whole("Width")?, whole("Height")?);
            Given::Size2d(Size2d { width, height })
        }
        (FieldType::ScalarUnion, _) => Given::Scalar(scalar(value, fields)?),
        (FieldType::Float, _) if floating(value).is_some() => Given::Float(floating(value).unwrap_or(0.0)),
        (FieldType::FloatArray, Value::Array(values)) => match values.iter().map(floating).collect() {
            Some(values) => Given::Floats(values),
            None => return wrong("", format!("expected {}, found {value}", declared(field))),
        },
        (_, Value::Bool(found)) => Given::Bool(*found),
        (_, Value::String(name)) => Given::Name(name.clone()),
        (_, Value::Number(found)) => match found.as_i64().map(i128::from).or(found.as_u64().map(i128::from)) {
            Some(found) => Given::Integer(found),
            None => Given::Float(found.as_f64().unwrap_or(f64::NAN)),
        },
        (_, Value::Array(values)) => match values.iter().map(|value| value.as_i64().map(i128::from)).collect() {
            Some(values) => Given::Integers(values),
            None => return wrong("", format!("expected {}, found {value}", declared(field))),
        },
        _ => return wrong("", format!("expected {}, found {value}", declared(field))),
    };
    given.into_attribute(field).map_err(|message| Wrong(String::new(), message))
}

/// Reads a floating-point number; strings stand for the numbers that JSON cannot express.
fn floating(value: &Value) -> Option<f64> {
    match value.as_str().map(str::to_lowercase).as_deref() {
        Some("nan") => Some(f64::NAN),
        Some("inf" | "infinity") => Some(f64::INFINITY),
        Some("-inf" | "-infinity") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    }
}

/// Reads a value of a known type; `None` if it is not one.
pub(super) fn typed_scalar(value: &Value, data_type: TensorDataType) -> Option<Scalar> {
    let inline = Value::Object(Map::from_iter([(data_type.name().to_owned(), value.clone())]));
    scalar(&inline, &Map::new()).ok()
}

/// Reads a scalar. Another field gives its type, or the scalar is an object with its type as the key: `{"FLOAT32": 1}`.
fn scalar(value: &Value, fields: &Map<String, Value>) -> Read<Scalar> {
    use TensorDataType::*;
    let told = fields.iter().find(|(name, _)| name.ends_with("DataType")).and_then(|(_, value)| value.as_str());
    let inline = value.as_object().and_then(|object| object.iter().next());
    let (name, value) = match inline {
        Some((name, value)) => (Some(name.as_str()), value),
        None => (told, value),
    };
    let Some(data_type) = name.and_then(|name| name.to_uppercase().parse::<TensorDataType>().ok()) else {
        return wrong(
            "",
            "has no known type: the field for its data type must name it, or the value must be like {\"FLOAT32\": 1}",
        );
    };
    let integer = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let scalar = match data_type {
        Float32 => floating(value).map(|x| Scalar::from(x as f32)),
        Float64 => floating(value).map(Scalar::from),
        Float16 => floating(value).map(|x| Scalar::from(<half::f16 as Number>::from_double(x).to_bits())),
        Uint8 => integer.and_then(|x| u8::try_from(x).ok()).map(Scalar::from),
        Uint16 => integer.and_then(|x| u16::try_from(x).ok()).map(Scalar::from),
        Uint32 => integer.and_then(|x| u32::try_from(x).ok()).map(Scalar::from),
        Uint64 => integer.and_then(|x| u64::try_from(x).ok()).map(Scalar::from),
        Int8 => integer.and_then(|x| i8::try_from(x).ok()).map(Scalar::from),
        Int16 => integer.and_then(|x| i16::try_from(x).ok()).map(Scalar::from),
        Int32 => integer.and_then(|x| i32::try_from(x).ok()).map(Scalar::from),
        Int64 => integer.and_then(|x| i64::try_from(x).ok()).map(Scalar::from),
        Unknown | Uint4 | Int4 => None,
    };
    scalar.map_or_else(|| wrong("", format!("{value} is not a value of {data_type}")), Ok)
}

fn tensor(value: &Value) -> Read<TensorDescription> {
    let Some(outer) = value.as_object() else {
        return wrong("", "expected a tensor, which is an object with `DataType` and `Sizes`");
    };
    let inner = ["Desc", "desc"].into_iter().find_map(|name| Some((name, outer.get(name)?)));
    let (at, object) = match inner {
        Some((name, Value::Object(inner))) => (format!(".{name}"), inner),
        Some((name, _)) => return wrong(&format!(".{name}"), "is not an object"),
        None => (String::new(), outer),
    };
    let place = |name: &str| format!("{at}.{name}");
    let known = [
        "Type",
        "DataType",
        "Flags",
        "DimensionCount",
        "Sizes",
        "Strides",
        "TotalTensorSizeInBytes",
        "GuaranteedBaseOffsetAlignment",
    ];
    if let Some(name) = object.keys().find(|name| !known.contains(&name.as_str())) {
        return wrong(&place(name), format!("a tensor has no such field; its fields are {}", known.join(", ")));
    }
    let kind = outer.get("Type").map(|kind| kind.as_str().unwrap_or_default());
    if kind.is_some_and(|kind| !["BUFFER", "DML_TENSOR_TYPE_BUFFER"].contains(&kind)) {
        return wrong(".Type", "must be DML_TENSOR_TYPE_BUFFER, the only type of tensors");
    }
    let data_type = match object.get("DataType") {
        Some(Value::String(name)) => match name.parse() {
            Ok(data_type) => data_type,
            Err(error) => return wrong(&place("DataType"), format!("{error}")),
        },
        Some(other) => {
            return wrong(&place("DataType"), format!("is {other}, expected the name of a tensor data type"));
        }
        None => return wrong(&place("DataType"), "is missing"),
    };
    let list = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(values)) => {
            let values: Option<Vec<u32>> =
                values.iter().map(|v| v.as_u64().and_then(|v| u32::try_from(v).ok())).collect();
            values.map_or_else(|| wrong(&place(name), "is not an array of UINT"), |values| Ok(Some(values)))
        }
        Some(_) => wrong(&place(name), "is not an array of UINT"),
    };
    let number = |name: &str| match object.get(name).map(Value::as_u64) {
        None => Ok(None),
        Some(Some(number)) => Ok(Some(number)),
        Some(None) => wrong(&place(name), "is not a non-negative integer"),
    };
    let Some(sizes) = list("Sizes")? else { return wrong(&place("Sizes"), "is missing") };
    if let Some(count) = number("DimensionCount")?.filter(|count| *count != sizes.len() as u64) {
        return wrong(&place("DimensionCount"), format!("is {count}, but there are {} sizes", sizes.len()));
    }
    let mut tensor = match list("Strides")? {
        Some(strides) => TensorDescription::strided(data_type, sizes, strides),
        None => TensorDescription::packed(data_type, sizes),
    };
    if let Some(total) = number("TotalTensorSizeInBytes")? {
        tensor.total_size_in_bytes = total;
    }
    tensor.guaranteed_base_offset_alignment =
        u32::try_from(number("GuaranteedBaseOffsetAlignment")?.unwrap_or(0)).unwrap_or(u32::MAX);
    let flag = |value: &Value| {
        let name = value.as_str().unwrap_or_default();
        match name.strip_prefix("DML_TENSOR_FLAG_").unwrap_or(name) {
            "NONE" => Ok(0),
            "OWNED_BY_DML" => Ok(1),
            _ => wrong(
                &place("Flags"),
                format!("{value} is neither DML_TENSOR_FLAG_NONE nor DML_TENSOR_FLAG_OWNED_BY_DML"),
            ),
        }
    };
    tensor.flags = TensorFlags(match object.get("Flags") {
        None => 0,
        Some(Value::Array(values)) => values.iter().map(flag).try_fold(0, |bits, flag| flag.map(|flag| bits | flag))?,
        Some(value) => flag(value)?,
    });
    Ok(tensor)
}
