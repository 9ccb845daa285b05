//! Runs models of DxDispatch on a [`Device`].

use std::path::{Path, PathBuf};

use plumbline_graph::Refusal;
use plumbline_spec::directml::{FieldKind, TensorDataType};
use serde_json::{Map, Value};

use super::{Finding, npy, operator, read_operator};
use crate::description::OperatorDescription;
use crate::software::{Device, DeviceError};
use crate::validate::{Binding, Violation};

/// What a model did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ran {
    /// The names of the dispatchables that ran, in order.
    pub dispatched: Vec<String>,
    /// The resources of the `print` commands, with their elements as text.
    pub printed: Vec<(String, Vec<String>)>,
    /// The files of the `writeFile` commands: the path as the model has it, and the content.
    pub written: Vec<(PathBuf, Vec<u8>)>,
}

/// The reason why a model did not run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The model cannot be read.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Model(Vec<Finding>),
    /// DirectML rejects an operator or its bindings.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Invalid(Vec<Violation>),
    /// The device did not run an operator.
    #[error("{0}")]
    Refused(Refusal),
}

fn wrong(path: impl Into<String>, message: impl Into<String>) -> RunError {
    RunError::Model(vec![Finding { path: path.into(), message: message.into(), violation: None }])
}

/// A resource.
struct Resource {
    name: String,
    data_type: TensorDataType,
    bytes: Vec<u8>,
}

/// Runs all commands of a model. `folder` is that of the model, which files are relative to. No file is written.
///
/// # Errors
/// [`RunError`]: the model or a file that it names cannot be read, a part of it is not supported here (dispatchables
/// that are not operators, images), DirectML rejects an operator, or the device does not run one.
pub fn run_model(model: &Value, folder: &Path, device: &dyn Device) -> Result<Ran, RunError> {
    let empty = Map::new();
    let object = |name: &str| model.get(name).and_then(Value::as_object);
    let resources = object("resources").unwrap_or(&empty).iter();
    let mut resources =
        resources.map(|(name, resource)| read_resource(name, resource, folder)).collect::<Result<Vec<_>, _>>()?;
    let mut operators = Vec::new();
    for (name, dispatchable) in object("dispatchables").unwrap_or(&empty) {
        let description = read_operator(dispatchable).map_err(RunError::Model)?;
        operators.push((name, description, dispatchable));
    }
    let mut ran = Ran::default();
    for (at, command) in model.get("commands").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let path = format!("$.commands[{at}]");
        let text = |name: &str| command.get(name).and_then(Value::as_str).unwrap_or_default();
        let resource = |name: &str| {
            let found = resources.iter().position(|resource| resource.name == name);
            found.ok_or_else(|| wrong(&path, format!("there is no resource `{name}`")))
        };
        match text("type").to_lowercase().as_str() {
            "dispatch" => {
                let (name, description, dispatchable) = operators
                    .iter()
                    .find(|(name, ..)| *name == text("dispatchable"))
                    .ok_or_else(|| wrong(&path, format!("there is no dispatchable `{}`", text("dispatchable"))))?;
                let bindings = |value: &Value| value.get("bindings").and_then(Value::as_object).cloned();
                let mut all = bindings(dispatchable).unwrap_or_default();
                all.extend(bindings(command).unwrap_or_default());
                dispatch(description, &all, &mut resources, device, &path)?;
                ran.dispatched.push((*name).clone());
            }
            "print" => {
                let resource = &resources[resource(text("resource"))?];
                ran.printed.push((resource.name.clone(), elements(resource)));
            }
            "writefile" => {
                let resource = &resources[resource(text("resource"))?];
                let target = PathBuf::from(text("targetPath"));
                let content = match is_npy(&target) {
                    true => array(resource, command.get("dimensions")),
                    false => resource.bytes.clone(),
                };
                ran.written.push((target, content));
            }
            other => return Err(wrong(path, format!("`{other}` is not a command"))),
        }
    }
    Ok(ran)
}

fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

fn read_resource(name: &str, resource: &Value, folder: &Path) -> Result<Resource, RunError> {
    let path = format!("$.resources.{name}");
    let told = resource.get("initialValuesDataType").and_then(Value::as_str);
    let told: Option<TensorDataType> = told.and_then(|name| name.parse().ok());
    let values = resource.get("initialValues").unwrap_or(&Value::Null);
    let typed = || told.ok_or_else(|| wrong(&path, "has no `initialValuesDataType`"));
    let element = |value: &Value, data_type: TensorDataType| {
        let scalar = operator::typed_scalar(value, data_type);
        let scalar = scalar.ok_or_else(|| wrong(&path, format!("{value} is not a value of {data_type}")))?;
        Ok(scalar.bytes(data_type).to_vec())
    };
    let source = values.get("sourcePath").and_then(Value::as_str);
    let (data_type, mut bytes) = match (values, source) {
        (Value::Array(values), _) => {
            let data_type = typed()?;
            let bytes: Vec<Vec<u8>> = values.iter().map(|value| element(value, data_type)).collect::<Result<_, _>>()?;
            (data_type, bytes.concat())
        }
        (_, Some(source)) => {
            let file = folder.join(source);
            let content = std::fs::read(&file).map_err(|error| wrong(&path, format!("{}: {error}", file.display())))?;
            let bytes = match is_npy(&file) {
                true => {
                    npy::read(&content).map_err(|error| wrong(&path, format!("{}: {error}", file.display())))?.bytes
                }
                false => content,
            };
            (typed()?, bytes)
        }
        (Value::Object(values), None) => {
            let (data_type, count) = (typed()?, values.get("valueCount").and_then(Value::as_u64).unwrap_or(0));
            if count > crate::execution::LARGEST_ARENA_BYTES {
                return Err(wrong(
                    format!("{path}.initialValues.valueCount"),
                    format!("is {count}, which is too many"),
                ));
            }
            let elements: Vec<Vec<u8>> = match (values.get("value"), values.get("valueStart"), values.get("valueDelta"))
            {
                (Some(value), ..) => vec![element(value, data_type)?; count as usize],
                (None, Some(start), Some(delta)) => sequence(start, delta, count)
                    .iter()
                    .map(|value| element(value, data_type))
                    .collect::<Result<_, _>>()?,
                _ => return Err(wrong(&path, "has neither values nor a file")),
            };
            (data_type, elements.concat())
        }
        _ => return Err(wrong(path, "has no `initialValues`")),
    };
    let least = bytes.len().next_multiple_of(4) as u64;
    let size = resource.get("sizeInBytes").and_then(Value::as_u64).unwrap_or(least);
    if size < bytes.len() as u64 || size > crate::execution::LARGEST_ARENA_BYTES {
        return Err(wrong(
            format!("{path}.sizeInBytes"),
            format!("is {size}, the initial values take {}", bytes.len()),
        ));
    }
    bytes.resize(size as usize, 0);
    Ok(Resource { name: name.to_owned(), data_type, bytes })
}

/// Returns the numbers from `start` on, each by `delta` larger than the one before.
fn sequence(start: &Value, delta: &Value, count: u64) -> Vec<Value> {
    match (start.as_i64(), delta.as_i64()) {
        (Some(start), Some(delta)) => {
            (0..count as i64).map(|at| start.wrapping_add(delta.wrapping_mul(at)).into()).collect()
        }
        _ => {
            let (start, delta) = (start.as_f64().unwrap_or(f64::NAN), delta.as_f64().unwrap_or(f64::NAN));
            (0..count).map(|at| (start + delta * at as f64).into()).collect()
        }
    }
}

fn dispatch(
    description: &OperatorDescription,
    bindings: &Map<String, Value>,
    resources: &mut [Resource],
    device: &dyn Device,
    path: &str,
) -> Result<(), RunError> {
    let bound = |kind: FieldKind| {
        let place = |(at, (field, _)): (usize, (&plumbline_spec::directml::Field, Option<_>))| {
            let first = description.index_of(&field.name).unwrap_or(at);
            let value = match bindings.get(&field.name) {
                Some(Value::Array(values)) => values.get(at - first),
                value => value,
            };
            let Some(value) = value else { return Ok(None) };
            let name = value.as_str().or_else(|| value.get("name")?.as_str()).unwrap_or_default();
            let missing = || wrong(format!("{path}.bindings.{}", field.name), format!("there is no resource `{name}`"));
            let buffer = resources.iter().position(|resource| resource.name == name).ok_or_else(missing)?;
            let number = |key: &str| value.get(key).and_then(Value::as_u64).unwrap_or(0);
            let offset = number("elementOffset").saturating_mul(number("elementSizeInBytes"));
            let size_in_bytes = (resources[buffer].bytes.len() as u64).saturating_sub(offset);
            Ok(Some(Binding { buffer, offset, size_in_bytes }))
        };
        let places: Vec<(&plumbline_spec::directml::Field, Option<&crate::TensorDescription>)> =
            description.places(kind);
        places.into_iter().enumerate().map(place).collect::<Result<Vec<_>, RunError>>()
    };
    let (inputs, outputs) = (bound(FieldKind::InputTensor)?, bound(FieldKind::OutputTensor)?);
    let mut buffers: Vec<Vec<u8>> = resources.iter_mut().map(|resource| std::mem::take(&mut resource.bytes)).collect();
    let done = device.dispatch(description, &mut buffers, &inputs, &outputs);
    resources.iter_mut().zip(buffers).for_each(|(resource, bytes)| resource.bytes = bytes);
    done.map_err(|error| match error {
        DeviceError::Invalid(found) => RunError::Invalid(found),
        DeviceError::NotThere(refusal) => RunError::Refused(refusal),
    })
}

/// Returns a `.npy` file with a resource, which has one dimension if the command gives no others.
fn array(resource: &Resource, dimensions: Option<&Value>) -> Vec<u8> {
    let size = resource.data_type.bits().map_or(1, |bits| bits as usize / 8).max(1);
    let given = dimensions.and_then(Value::as_array).map(|all| all.iter().filter_map(Value::as_u64));
    let given: Option<Vec<usize>> = given.map(|all| all.map(|extent| extent as usize).collect());
    let shape = given.filter(|all| !all.is_empty()).unwrap_or_else(|| vec![resource.bytes.len() / size]);
    npy::write(npy::descr(resource.data_type).unwrap_or("|u1"), &shape, &resource.bytes)
}

/// Returns the elements of a resource as text.
fn elements(resource: &Resource) -> Vec<String> {
    let size = resource.data_type.bits().map_or(1, |bits| bits as usize / 8).max(1);
    let dtype = crate::tensor::dtype_of(resource.data_type).filter(|_| npy::descr(resource.data_type).is_some());
    let count = resource.bytes.len() / size;
    let bytes = resource.bytes[..count * size].to_vec();
    let tensor = dtype.and_then(|dtype| plumbline_tensor::Tensor::from_bytes(dtype, vec![count], bytes).ok());
    match tensor {
        Some(tensor) if tensor.dtype().is_float() => tensor.to_f64s().iter().map(f64::to_string).collect(),
        Some(tensor) => tensor.to_i128s().iter().map(ToString::to_string).collect(),
        None => resource.bytes.iter().map(ToString::to_string).collect(),
    }
}
