//! A case in ONNX's folder form: `model.onnx`, `test_data_set_0/input_0.pb`, `test_data_set_0/output_0.pb`.

use std::path::{Path, PathBuf};

use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{
    DType, Model, SyntaxError, Tensor, Value, ValueKind, load_model, value_from_bytes, value_to_bytes,
};

/// The reason why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file or folder has invalid contents.
    #[error("{path}: {reason}")]
    Data {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl SuiteError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SuiteError {
        let path = path.to_owned();
        move |source| SuiteError::Io { path, source }
    }

    pub(crate) fn data(path: &Path, reason: impl ToString) -> SuiteError {
        SuiteError::Data { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// The inputs and the published outputs of one run of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSet {
    /// The inputs in the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
    /// The outputs in the order of [`Model::output_names`]. They are empty if no expected outputs are stored.
    pub outputs: Vec<Value>,
}

/// A model with its data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseFolder {
    /// The name of the folder: `test_min_int8`.
    pub name: String,
    /// The model.
    pub model: Model,
    /// Its data sets.
    pub data_sets: Vec<DataSet>,
}

impl CaseFolder {
    /// Reads a folder, and the files in which its model stores tensors. A folder without `model.onnx` may hold the
    /// model in ONNX's text syntax, `model.txt`, which a person can edit.
    ///
    /// # Errors
    /// Fails if a file cannot be read, if there are data sets but the model declares no known type for an input or
    /// output, if an input is missing, if some but not all outputs are missing, if there are files for inputs or
    /// outputs that the model does not have, if a value does not have the type that the model declares, or if the
    /// numbers of the data sets have a gap.
    pub fn read(dir: &Path) -> Result<CaseFolder, SuiteError> {
        let (model, path) = read_model(dir)?;
        let graph = model.graph();
        let kinds = |names: Vec<&str>, infos: &[ValueInfoProto]| declared_kinds(&path, &names, infos);
        let data_sets = match numbered(dir, &listing(dir)?, "test_data_set_", "")? {
            0 => Vec::new(),
            count => {
                let inputs = kinds(model.input_names(), &graph.input)?;
                let outputs = kinds(model.output_names(), &graph.output)?;
                let read_set = |number| -> Result<DataSet, SuiteError> {
                    let set = dir.join(format!("test_data_set_{number}"));
                    let files = listing(&set)?;
                    let outputs = if numbered(&set, &files, "output_", ".pb")? == 0 { &[] } else { &outputs[..] };
                    Ok(DataSet {
                        inputs: read_values(&set, &files, "input", &inputs)?,
                        outputs: read_values(&set, &files, "output", outputs)?,
                    })
                };
                (0..count).map(read_set).collect::<Result<_, _>>()?
            }
        };
        let name = dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(CaseFolder { name, model, data_sets })
    }

    /// Writes the folder and creates its parents. Other files in the folder stay.
    pub fn write(&self, dir: &Path) -> Result<(), SuiteError> {
        let make = |path: &Path| std::fs::create_dir_all(path).map_err(SuiteError::io(path));
        let write = |path: &Path, bytes: &[u8]| std::fs::write(path, bytes).map_err(SuiteError::io(path));
        make(dir)?;
        write(&dir.join("model.onnx"), &self.model.to_bytes())?;
        let (inputs, outputs) = (self.model.input_names(), self.model.output_names());
        for (number, set) in self.data_sets.iter().enumerate() {
            let folder = dir.join(format!("test_data_set_{number}"));
            make(&folder)?;
            for (what, names, values) in [("input", &inputs, &set.inputs), ("output", &outputs, &set.outputs)] {
                for (at, value) in values.iter().enumerate() {
                    let path = folder.join(format!("{what}_{at}.pb"));
                    let bytes = value_to_bytes(value, names.get(at).copied().unwrap_or(""));
                    write(&path, &bytes.map_err(|e| SuiteError::data(&path, e))?)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads `model.onnx`, or else `model.txt`, and returns the path of the file.
fn read_model(dir: &Path) -> Result<(Model, PathBuf), SuiteError> {
    let [path, text_path] = ["model.onnx", "model.txt"].map(|name| dir.join(name));
    if !path.exists() && text_path.exists() {
        let text = std::fs::read_to_string(&text_path).map_err(SuiteError::io(&text_path))?;
        let model = text.parse().map_err(|e: SyntaxError| SuiteError::data(&text_path, e))?;
        return Ok((model, text_path));
    }
    let model = load_model(&path).map_err(|e| match e {
        plumbline_tensor::WireError::File { path, reason } => SuiteError::Data { path, reason },
        e => SuiteError::data(&path, e),
    })?;
    Ok((model, path))
}

/// Returns the types that a model declares for its inputs or outputs with these names. Fails if a type is missing,
/// opaque or incomplete, or if ONNX does not define its element type.
fn declared_kinds(path: &Path, names: &[&str], infos: &[ValueInfoProto]) -> Result<Vec<ValueKind>, SuiteError> {
    let declared = |name: &&str| {
        let info = infos.iter().find(|info| info.name.as_deref() == Some(name));
        let kind = info.and_then(|info| info.r#type.as_ref()).and_then(ValueKind::from_proto);
        kind.ok_or_else(|| {
            SuiteError::data(
                path,
                format!("the model declares no known type for `{name}`, so its values cannot be read"),
            )
        })
    };
    names.iter().map(declared).collect()
}

/// Reads `input_0.pb` and so on, the inputs of a model in the order of [`Model::input_names`], from a folder. `path` is
/// the file of the model, for messages.
///
/// # Errors
/// Fails if the model declares no known type for an input, if there is not exactly one file for each input, if a file
/// cannot be read, or if a value has another type than the model declares.
pub fn read_inputs(path: &Path, model: &Model, folder: &Path) -> Result<Vec<Value>, SuiteError> {
    let kinds = declared_kinds(path, &model.input_names(), &model.graph().input)?;
    read_values(folder, &listing(folder)?, "input", &kinds)
}

/// Reads `output_0.pb` and so on, the outputs of a model, whose types are `kinds`. A tensor may have another element
/// type than its kind says, so that the judge can find this mistake.
///
/// # Errors
/// Fails if there is not exactly one file for each type, or if a file cannot be read.
pub fn read_outputs(folder: &Path, kinds: &[ValueKind]) -> Result<Vec<Value>, SuiteError> {
    let files = listing(folder)?;
    same_count(folder, &files, "output", kinds.len())?;
    (0..kinds.len()).map(|at| read_value(&folder.join(format!("output_{at}.pb")), &kinds[at])).collect()
}

/// Reads a file with a value. A tensor may have another element type than `kind`.
pub(crate) fn read_value(path: &Path, kind: &ValueKind) -> Result<Value, SuiteError> {
    let bytes = std::fs::read(path).map_err(SuiteError::io(path))?;
    let value = value_from_bytes(&bytes, kind).map_err(|e| SuiteError::data(path, e))?;
    Ok(bfloat16_in_uint16(value, kind))
}

/// Checks that there are as many files as the model has inputs or outputs.
fn same_count(set: &Path, files: &[String], what: &str, expected: usize) -> Result<(), SuiteError> {
    match numbered(set, files, &format!("{what}_"), ".pb")? {
        found if found == expected => Ok(()),
        found => Err(SuiteError::data(set, format!("the data set has {found} {what}s, but the model has {expected}"))),
    }
}

fn read_values(set: &Path, files: &[String], what: &str, kinds: &[ValueKind]) -> Result<Vec<Value>, SuiteError> {
    same_count(set, files, what, kinds.len())?;
    let read = |(at, kind): (usize, &ValueKind)| {
        let path = set.join(format!("{what}_{at}.pb"));
        let value = read_value(&path, kind)?;
        if value.kind() != *kind {
            return Err(SuiteError::data(
                &path,
                format!("the value is a {}, but the model declares {kind}", value.kind()),
            ));
        }
        Ok(value)
    };
    kinds.iter().enumerate().map(read).collect()
}

/// Turns a uint16 tensor into a bfloat16 tensor if the model declares bfloat16. Some releases of ONNX (1.10 to 1.18,
/// but no longer 1.22) publish the bfloat16 values of `test_cast_FLOAT_to_BFLOAT16` and five other cases as uint16
/// tensors with the same bits.
fn bfloat16_in_uint16(value: Value, kind: &ValueKind) -> Value {
    match value {
        Value::Tensor(t) if t.dtype() == DType::Uint16 && *kind == ValueKind::Tensor(DType::Bfloat16) => {
            let bits = (0..t.len()).map(|at| t.bits_at(at));
            Tensor::from_bits(DType::Bfloat16, t.shape().to_vec(), bits).map_or(Value::Tensor(t.clone()), Value::Tensor)
        }
        value => value,
    }
}

/// Lists the names in a folder.
pub(crate) fn listing(dir: &Path) -> Result<Vec<String>, SuiteError> {
    let entries = std::fs::read_dir(dir).map_err(SuiteError::io(dir))?;
    let names = entries.map(|entry| Ok(entry.map_err(SuiteError::io(dir))?.file_name().into_string().ok()));
    Ok(names.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Counts the names `<prefix>0<suffix>`, `<prefix>1<suffix>` and so on among the names in a folder. A gap in the
/// numbers is an error.
fn numbered(dir: &Path, names: &[String], prefix: &str, suffix: &str) -> Result<usize, SuiteError> {
    let number = |name: &String| name.strip_prefix(prefix)?.strip_suffix(suffix)?.parse::<usize>().ok();
    let mut numbers: Vec<usize> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    match numbers.iter().enumerate().find(|&(at, &number)| at != number) {
        None => Ok(numbers.len()),
        Some((at, _)) => Err(SuiteError::data(dir, format!("{prefix}{at}{suffix} is missing"))),
    }
}
