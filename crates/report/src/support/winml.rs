//! Rule files of winml-cli, Microsoft's command that says whether a model runs on an execution provider of Windows.
//!
//! `winml analyze` reads the folder that the variable `WINMLCLI_RULES_DIR` names. It has a folder for each provider and
//! device, and in it a Parquet file for each operator version
//! (`CPUExecutionProvider_CPU/Add_CPUExecutionProvider_CPU_ai.onnx_opset14.parquet`). Each row is a rule. All columns but
//! `compile_run_success`, `compile_reason` and `run_reason` are conditions: a node has to have their values. Conditions
//! are JSON with the type of the value. The first of the two truth values says whether the provider takes the node, and
//! the second whether the model runs at all; winml-cli calls a node *supported* if both are true, *partial* if only the
//! second is, and *unsupported* otherwise. Source: winml-cli's `runtime_checker_query.py`, `rule_loader.py` and
//! `model_utils.py` at commit 0876e5a. The two reasons are columns that winml-cli leaves out of the conditions and does
//! not print.
//!
//! winml-cli's own rules have conditions on shapes and attributes. These have conditions on types only, so that one rule
//! says what holds for all cases of these types: a node is supported only if every judged case was right.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use plumbline_spec::{FormalOption, OperatorVersion, Spec};
use plumbline_tensor::DType;

use super::{BackendSupport, Failures, State, Tested, VersionSupport};

/// The domains that winml-cli knows.
const DOMAINS: [&str; 2] = ["ai.onnx", "com.microsoft"];

/// The devices that the names of rule files may have.
const DEVICES: [&str; 3] = ["CPU", "GPU", "NPU"];

/// The reason why rule files cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum WinmlError {
    /// The name cannot be a part of the names of rule files.
    #[error(
        "`{0}` is not the name of an execution provider; it has letters and digits only, such as QNNExecutionProvider"
    )]
    Provider(String),
    /// There is no such device.
    #[error("`{0}` is not a device of winml-cli; the devices are CPU, GPU and NPU")]
    Device(String),
    /// A file could not be made. This is a bug in this project.
    #[error("a rule file could not be made")]
    Parquet(#[from] ParquetError),
}

/// The execution provider and the device that rules are for, as winml-cli names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    provider: String,
    device: String,
}

impl Target {
    /// Checks the names of a provider (`QNNExecutionProvider`) and a device (`CPU`, `GPU` or `NPU`).
    ///
    /// # Errors
    /// Fails if a name cannot be a part of the names of rule files.
    pub fn new(provider: &str, device: &str) -> Result<Target, WinmlError> {
        // winml-cli splits the names of files at underscores.
        if provider.is_empty() || !provider.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(WinmlError::Provider(provider.to_owned()));
        }
        if !DEVICES.contains(&device) {
            return Err(WinmlError::Device(device.to_owned()));
        }
        Ok(Target { provider: provider.to_owned(), device: device.to_owned() })
    }
}

/// Rule files, and what they leave out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// The files by their paths below the folder of rules.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The number of rules.
    pub rules: u64,
    /// The number of operator versions in domains that winml-cli does not know.
    pub other_domains: u64,
    /// The number of bindings with types that winml-cli does not know (bfloat16, strings, sequences, ...).
    pub other_types: u64,
}

/// Makes the rule files of a backend. Operator versions and types without results have no rule, which winml-cli calls
/// unknown.
///
/// # Errors
/// Passes on the errors of the crate parquet. No input can cause them.
pub fn rules(backend: &BackendSupport, target: &Target) -> Result<Rules, WinmlError> {
    let mut rules = Rules::default();
    let Target { provider, device } = target;
    for version in &backend.versions {
        let id = &version.id;
        let Some(specified) = Spec::embedded().version(id).filter(|_| DOMAINS.contains(&id.domain.as_str())) else {
            rules.other_domains += 1;
            continue;
        };
        let variables = condition_variables(specified);
        let (rows, other_types) = rows(version, &variables);
        rules.other_types += other_types;
        if rows.is_empty() {
            continue;
        }
        rules.rules += rows.len() as u64;
        let columns: Vec<String> = variables.iter().map(|variable| format!("{variable}_{}", id.name)).collect();
        let name = format!("{}_{provider}_{device}_{}_opset{}.parquet", id.name, id.domain, id.since);
        rules.files.insert(format!("{provider}_{device}/{name}"), file(&columns, &rows)?);
    }
    Ok(rules)
}

/// Returns the type variables that are conditions: those of inputs that every node has. winml-cli gives others a
/// default if the node does not have the input.
fn condition_variables(version: &OperatorVersion) -> Vec<&str> {
    let inputs = version.inputs.iter().filter(|input| input.option != FormalOption::Optional);
    let used: BTreeSet<&str> = inputs.map(|input| input.type_.as_str()).collect();
    version.types.keys().map(String::as_str).filter(|variable| used.contains(variable)).collect()
}

/// A rule: the values of the conditions, the two truth values, and the reasons.
#[derive(Debug, PartialEq)]
struct Row {
    conditions: Vec<String>,
    takes: bool,
    runs: bool,
    reason: Option<String>,
}

/// Returns the rules of an operator version, and the number of bindings with types that winml-cli does not know.
fn rows(version: &VersionSupport, variables: &[&str]) -> (Vec<Row>, u64) {
    let mut tested: BTreeMap<Vec<String>, Tested> = BTreeMap::new();
    let mut other_types = 0;
    for (types, results) in version.types.iter().flat_map(|one| &one.bindings) {
        let annotations: Option<Vec<String>> =
            variables.iter().map(|variable| annotation(types.get(*variable)?)).collect();
        match annotations {
            Some(annotations) => tested.entry(annotations).or_default().merge(results),
            None => other_types += 1,
        }
    }
    let rows = tested.iter().filter(|(_, results)| results.state() != State::NotTested);
    (rows.map(|(annotations, results)| row(annotations, results, &version.failures)).collect(), other_types)
}

fn row(annotations: &[String], results: &Tested, failures: &[Failures]) -> Row {
    let state = results.state();
    let takes = matches!(state, State::Correct | State::Lenient) && !results.is_partial();
    let runs = results.valid.pass + results.valid.latitude > 0;
    let conditions = annotations.iter().map(|name| format!(r#"{{"t":"str","v":"{name}"}}"#)).collect();
    Row { conditions, takes: takes && runs, runs, reason: reason(results, failures) }
}

/// Describes what is not right: `wrong: wrong-value 3 of 8 cases (attribute axis given)`.
fn reason(results: &Tested, failures: &[Failures]) -> Option<String> {
    let mut sentences = Vec::new();
    for (kind, count) in &results.failures {
        let known = failures.iter().filter(|failures| failures.kind == *kind).flat_map(|failures| &failures.features);
        let features: Vec<&str> = known.map(|feature| feature.feature.as_str()).collect();
        let features = if features.is_empty() { String::new() } else { format!(" ({})", features.join("; ")) };
        sentences.push(format!("{kind} {count} of {} cases{features}", results.judged()));
    }
    if results.valid.unsupported > 0 {
        sentences.push(format!("unsupported {} of {} valid cases", results.valid.unsupported, results.valid.all()));
    }
    (!sentences.is_empty()).then(|| format!("{}: {}", results.state(), sentences.join(", ")))
}

/// Returns winml-cli's name for an element type, if it knows the type.
fn annotation(type_: &str) -> Option<String> {
    use DType::*;
    let dtype = DType::from_name(type_)?;
    let known = [Float, Bool, Double, Float16, Int4, Int8, Int16, Int32, Int64, Uint4, Uint8, Uint16, Uint32, Uint64];
    known.contains(&dtype).then(|| type_.to_uppercase())
}

/// Returns a Parquet file with these rules.
fn file(columns: &[String], rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
    let conditions: String = columns.iter().map(|name| format!("optional binary {name} (STRING);\n")).collect();
    let schema = parse_message_type(&format!(
        "message schema {{
            {conditions}
            optional group compile_run_success (LIST) {{ repeated group list {{ optional boolean element; }} }}
            optional binary compile_reason (STRING);
            optional binary run_reason (STRING);
        }}"
    ))?;
    let properties = WriterProperties::builder()
        .set_created_by("plumbline".to_owned())
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for at in 0..columns.len() {
        texts(&mut group, rows.iter().map(|row| row.conditions.get(at).map(String::as_str)))?;
    }
    truths(&mut group, rows)?;
    texts(&mut group, rows.iter().map(|row| row.reason.as_deref().filter(|_| !row.takes)))?;
    texts(&mut group, rows.iter().map(|row| row.reason.as_deref().filter(|_| !row.runs)))?;
    group.close()?;
    writer.into_inner()
}

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

/// Writes a column of texts, some of which are absent.
fn texts<'a>(group: &mut Group, values: impl Iterator<Item = Option<&'a str>>) -> Result<(), ParquetError> {
    let values: Vec<Option<&str>> = values.collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let present: Vec<ByteArray> = values.into_iter().flatten().map(ByteArray::from).collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
    column.close()
}

/// Writes the column of the two truth values of each rule.
fn truths(group: &mut Group, rows: &[Row]) -> Result<(), ParquetError> {
    let values: Vec<bool> = rows.iter().flat_map(|row| [row.takes, row.runs]).collect();
    // The list is there, it has an element, and the element is there. The second element belongs to the same list.
    let definitions = vec![3; values.len()];
    let repetitions: Vec<i16> = rows.iter().flat_map(|_| [0, 1]).collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<BoolType>().write_batch(&values, Some(&definitions), Some(&repetitions))?;
    column.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use plumbline_conformance::{CaseResult, FailKind, Verdict};

    use super::*;

    fn tested(results: &[(Verdict, Option<FailKind>)]) -> Tested {
        let mut tested = Tested::default();
        for &(verdict, kind) in results {
            let suite = if kind == Some(FailKind::AcceptsInvalid) { "negative" } else { "generated" }.to_owned();
            tested.add(&CaseResult { suite, verdict, kind, ..CaseResult::default() });
        }
        tested
    }

    #[test]
    fn a_node_is_supported_only_if_every_case_is_right() {
        use Verdict::*;
        let of = |results: &[(Verdict, Option<FailKind>)]| {
            let row = row(&["FLOAT".to_owned()], &tested(results), &[]);
            (row.takes, row.runs, row.reason)
        };
        let pass = (Pass, None);
        assert_eq!(of(&[pass]), (true, true, None));
        assert_eq!(of(&[pass, (Latitude, None)]), (true, true, None));
        let text = |text: &str| Some(text.to_owned());
        let wrong = (Fail, Some(FailKind::WrongValue));
        assert_eq!(of(&[pass, wrong]), (false, true, text("wrong: wrong-value 1 of 2 cases")));
        assert_eq!(of(&[wrong]), (false, false, text("wrong: wrong-value 1 of 1 cases")));
        let limit = (Fail, Some(FailKind::Limit));
        assert_eq!(of(&[pass, limit]), (false, true, text("limits: limit 1 of 2 cases")));
        let partly = text("correct: unsupported 1 of 2 valid cases");
        assert_eq!(of(&[pass, (Unsupported, None)]), (false, true, partly));
        let unsupported = text("unsupported: unsupported 1 of 1 valid cases");
        assert_eq!(of(&[(Unsupported, None)]), (false, false, unsupported));
        let lenient = text("lenient: accepts-invalid 1 of 2 cases");
        assert_eq!(of(&[pass, (Fail, Some(FailKind::AcceptsInvalid))]), (true, true, lenient));
    }

    #[test]
    fn files_hold_the_rules() {
        let row = |type_: &str, takes, reason: Option<&str>| Row {
            conditions: vec![format!(r#"{{"t":"str","v":"{type_}"}}"#)],
            takes,
            runs: true,
            reason: reason.map(str::to_owned),
        };
        let rows = [row("FLOAT", true, None), row("INT8", false, Some("wrong"))];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rules.parquet");
        std::fs::write(&path, file(&["T_Add".to_owned()], &rows).unwrap()).unwrap();
        let read = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<String> = read.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        let expected = [
            r#"{T_Add: "{"t":"str","v":"FLOAT"}", compile_run_success: [true, true], compile_reason: null, run_reason: null}"#,
            r#"{T_Add: "{"t":"str","v":"INT8"}", compile_run_success: [false, true], compile_reason: "wrong", run_reason: null}"#,
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn conditions_are_the_types_of_inputs_that_every_node_has() {
        let of = |name: &str, since| {
            condition_variables(Spec::embedded().operator("", name).unwrap().version(since).unwrap())
        };
        assert_eq!(of("Add", 14), ["T"]);
        assert_eq!(of("Cast", 13), ["T1"]);
        assert_eq!(of("Gather", 13), ["T", "Tind"]);
        assert_eq!(of("Resize", 13), ["T1"], "roi and scales may be absent");
        assert_eq!(of("NonMaxSuppression", 11), [""; 0]);
    }

    #[test]
    fn names_that_winml_cannot_read_are_refused() {
        assert!(Target::new("QNNExecutionProvider", "NPU").is_ok());
        for (provider, device) in
            [("", "CPU"), ("My_Provider", "CPU"), ("../x", "CPU"), ("QNNExecutionProvider", "TPU")]
        {
            assert!(Target::new(provider, device).is_err(), "{provider} {device}");
        }
    }
}
