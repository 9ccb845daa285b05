//! Models of DirectML's tool DxDispatch: JSON with `resources`, `dispatchables` and `commands`. This module checks them,
//! [writes](write_model) those that run one operator, and [runs](run_model) them on a device.
//!
//! Operators are read as that tool reads them: the values of enumerations may be written with or without their prefix,
//! the fields of a tensor or of a fused activation may be inside a `Desc` or not, and sizes in bytes and lengths of
//! arrays are computed where the file leaves them out. Dispatchables that are not operators (`hlsl`, `onnx`, serialized
//! graphs) are listed and not checked.

pub mod npy;
mod operator;
mod run;
mod write;

use super::description::OperatorDescription;
use super::validate::{Binding, Rule, Violation, binding_violations, violations};
use plumbline_spec::directml::{FeatureLevel, FieldKind, TensorDataType};
use serde_json::{Map, Value};
use std::fmt;

pub use run::{Ran, RunError, run_model};
pub use write::{WrittenModel, WrittenOutput, operator_json, write_model};

/// An error in a model, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The place in the file, such as `$.dispatchables.add.desc.ATensor.Sizes`.
    pub path: String,
    /// A description of the error.
    pub message: String,
    /// The rule of DirectML that is broken; `None` for an error in the file itself, such as a missing field or an
    /// unknown name.
    pub violation: Option<Violation>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The result of checking a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The operators that could be read, at least in part, with the names of their dispatchables.
    pub operators: Vec<(String, OperatorDescription)>,
    /// The names of the dispatchables that are not operators of DirectML, which are not checked.
    pub left_alone: Vec<String>,
    /// The number of dispatch commands whose bindings were checked.
    pub dispatches: usize,
    /// The errors: those of the model, then those of its resources, dispatchables and commands.
    pub findings: Vec<Finding>,
}

/// Reads an operator as it stands in `dispatchables`: `{"type": "DML_OPERATOR_...", "desc": {...}}`.
///
/// # Errors
/// Everything that cannot be read. What DirectML would reject is no error here.
pub fn read_operator(dispatchable: &Value) -> Result<OperatorDescription, Vec<Finding>> {
    match operator::read(dispatchable, "$") {
        (Some(description), findings) if findings.is_empty() => Ok(description),
        (_, findings) => Err(findings),
    }
}

/// Checks a model at a feature level.
pub fn check(model: &Value, level: FeatureLevel) -> Checked {
    let mut checked = Checked::default();
    let Some(model) = model.as_object() else {
        checked.wrong(
            "$".to_owned(),
            "is not a model: expected an object with `resources`, `dispatchables` and `commands`",
        );
        return checked;
    };
    for name in model.keys().filter(|name| !["$schema", "resources", "dispatchables", "commands"].contains(&&***name)) {
        checked.wrong(format!("$.{name}"), "is unknown; a model has `resources`, `dispatchables` and `commands`");
    }
    let empty = Map::new();
    let resources = checked.object(model, "resources").unwrap_or(&empty);
    let buffers: Vec<(String, Option<u64>)> =
        resources.iter().map(|(name, resource)| (name.clone(), checked.buffer(name, resource))).collect();
    match checked.object(model, "dispatchables") {
        Some(dispatchables) => {
            for (name, dispatchable) in dispatchables {
                checked.dispatchable(name, dispatchable, level);
            }
        }
        None if !model.contains_key("dispatchables") => checked.wrong("$.dispatchables".to_owned(), "is missing"),
        None => {}
    }
    match model.get("commands") {
        Some(Value::Array(commands)) => {
            for (at, command) in commands.iter().enumerate() {
                checked.command(at, command, &buffers, level);
            }
        }
        Some(_) => checked.wrong("$.commands".to_owned(), "is not an array"),
        None => {}
    }
    checked
}

impl Checked {
    /// Records an error in the file itself, as opposed to a violation of a rule of DirectML.
    fn wrong(&mut self, path: String, message: impl Into<String>) {
        self.findings.push(Finding { path, message: message.into(), violation: None });
    }

    fn object<'a>(&mut self, model: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
        match model.get(name)? {
            Value::Object(object) => Some(object),
            _ => {
                self.wrong(format!("$.{name}"), "is not an object");
                None
            }
        }
    }

    /// Returns the size of a buffer in bytes, rounded up to a multiple of 4, if the file gives or implies it. Records
    /// the errors.
    fn buffer(&mut self, name: &str, resource: &Value) -> Option<u64> {
        let path = format!("$.resources.{name}");
        let Some(resource) = resource.as_object() else {
            self.wrong(path, "is not an object");
            return None;
        };
        let given = resource.get("sizeInBytes").map(|size| size.as_u64());
        if given == Some(None) {
            self.wrong(format!("{path}.sizeInBytes"), "is not a number of bytes");
        }
        let values = resource.get("initialValues");
        if values.is_none() {
            self.wrong(format!("{path}.initialValues"), "is missing");
        }
        let data_type = resource.get("initialValuesDataType").map(|found| {
            found.as_str().and_then(|name| name.parse::<TensorDataType>().ok()).ok_or_else(|| found.to_string())
        });
        let bits = match data_type {
            Some(Ok(found)) => found.bits(),
            Some(Err(found)) => {
                let path = format!("{path}.initialValuesDataType");
                self.wrong(path, format!("{found} is not a tensor data type such as FLOAT32 or INT64"));
                None
            }
            None => None,
        };
        let count = match values {
            Some(Value::Array(values)) => Some(values.len() as u64),
            Some(Value::Object(values)) => match values.get("valueCount") {
                Some(count) => {
                    if count.as_u64().is_none_or(|count| count == 0) {
                        self.wrong(
                            format!("{path}.initialValues.valueCount"),
                            format!("is {count}, expected at least 1"),
                        );
                    }
                    count.as_u64()
                }
                None if values.contains_key("sourcePath") => None,
                None => {
                    self.wrong(format!("{path}.initialValues"), "has neither `valueCount` nor `sourcePath`");
                    None
                }
            },
            _ => None,
        };
        let implied = bits.zip(count).and_then(|(bits, count)| u64::from(bits).checked_mul(count));
        let implied = implied.map(|bits| bits.div_ceil(8));
        if let (Some(Some(given)), Some(implied)) = (given, implied)
            && given < implied
        {
            self.wrong(format!("{path}.sizeInBytes"), format!("is {given}, but the initial values take {implied}"));
        }
        given.flatten().max(implied)?.checked_next_multiple_of(4)
    }

    fn dispatchable(&mut self, name: &str, dispatchable: &Value, level: FeatureLevel) {
        let path = format!("$.dispatchables.{name}");
        let Some(kind) = dispatchable.get("type").or_else(|| dispatchable.get("Type")).and_then(Value::as_str) else {
            self.wrong(
                format!("{path}.type"),
                "is missing; expected DML_OPERATOR_..., hlsl, onnx or dmlSerializedGraph",
            );
            return;
        };
        if ["hlsl", "onnx", "dmlserializedgraph"].contains(&&*kind.to_lowercase()) {
            self.left_alone.push(name.to_owned());
            return;
        }
        let (description, findings) = operator::read(dispatchable, &path);
        let readable = findings.is_empty();
        self.findings.extend(findings);
        let Some(description) = description else { return };
        let found = violations(&description, level);
        // A field that could not be read is missing in the description, but its error is already reported.
        let found = found.into_iter().filter(|violation| readable || violation.rule != Rule::Field);
        let key = if dispatchable.get("desc").is_some() {
            ".desc"
        } else if dispatchable.get("Desc").is_some() {
            ".Desc"
        } else {
            ""
        };
        let at = |violation: &Violation| match violation.field.is_empty() {
            true => path.clone(),
            false => format!("{path}{key}.{}", violation.field),
        };
        self.findings.extend(found.map(|violation| Finding {
            path: at(&violation),
            message: violation.to_string(),
            violation: Some(violation),
        }));
        self.operators.push((name.to_owned(), description));
    }

    fn command(&mut self, at: usize, command: &Value, buffers: &[(String, Option<u64>)], level: FeatureLevel) {
        let path = format!("$.commands[{at}]");
        if command.get("type").and_then(Value::as_str) != Some("dispatch") {
            return;
        }
        let Some(name) = command.get("dispatchable").and_then(Value::as_str) else {
            self.wrong(format!("{path}.dispatchable"), "is missing");
            return;
        };
        if self.left_alone.iter().any(|known| known == name) {
            return;
        }
        let Some((_, description)) = self.operators.iter().find(|(known, _)| known == name).cloned() else {
            let place = format!("$.dispatchables.{name}");
            let is_of_it = |path: &str| {
                path.strip_prefix(&place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if !self.findings.iter().any(|finding| is_of_it(&finding.path)) {
                self.wrong(format!("{path}.dispatchable"), format!("there is no dispatchable `{name}`"));
            }
            return;
        };
        self.dispatches += 1;
        let empty = Map::new();
        let bindings = command.get("bindings").and_then(Value::as_object).unwrap_or(&empty);
        for field in
            bindings.keys().filter(|field| !description.operator().tensors().any(|known| known.name == **field))
        {
            self.wrong(format!("{path}.bindings.{field}"), format!("{} has no tensor {field}", description.name()));
        }
        // A buffer of unknown size is taken to be large enough.
        let sizes: Vec<u64> = buffers.iter().map(|(_, size)| size.unwrap_or(u64::MAX)).collect();
        for kind in [FieldKind::InputTensor, FieldKind::OutputTensor] {
            let mut bound = Vec::new();
            let mut known = true;
            for (at, (field, tensor)) in description.places(kind).into_iter().enumerate() {
                let first = description.index_of(&field.name).unwrap_or(at);
                // Tensors that DirectML owns are bound when the operator is initialized.
                let owned = tensor.is_some_and(|tensor| tensor.flags.is_owned_by_dml());
                let value = match bindings.get(&field.name) {
                    Some(Value::Array(values)) => values.get(at - first),
                    value => value,
                };
                let name = value.and_then(|value| value.as_str().or_else(|| value.get("name")?.as_str()));
                let of = |key: &str| value.and_then(|value| value.get(key)?.as_u64());
                bound.push(match name.map(|name| (name, buffers.iter().position(|(known, _)| known == name))) {
                    Some((_, Some(buffer))) => {
                        let element = of("elementSizeInBytes").unwrap_or(1);
                        let offset = of("elementOffset").unwrap_or(0).saturating_mul(element);
                        let size = of("elementCount").map(|count| count.saturating_mul(element));
                        let rest = sizes[buffer].saturating_sub(offset);
                        Some(Binding { buffer, offset, size_in_bytes: size.unwrap_or(rest) })
                    }
                    Some((name, None)) => {
                        self.wrong(format!("{path}.bindings.{}", field.name), format!("there is no resource `{name}`"));
                        known = false;
                        None
                    }
                    None if owned => tensor.map(|tensor| Binding {
                        buffer: sizes.len(),
                        offset: 0,
                        size_in_bytes: tensor.total_size_in_bytes,
                    }),
                    None => None,
                });
            }
            let sizes: Vec<u64> = sizes.iter().copied().chain([u64::MAX]).collect();
            let found = binding_violations(&description, kind, &bound, &sizes, level);
            self.findings.extend(found.into_iter().filter(|_| known).map(|violation| Finding {
                path: format!("{path}.bindings.{}", violation.field),
                message: violation.to_string(),
                violation: Some(violation),
            }));
        }
    }
}
