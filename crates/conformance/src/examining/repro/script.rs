//! `repro.py`: a script that shows a failure with nothing but the runtime and numpy, for the runtime's issue tracker.

use std::collections::BTreeMap;
use std::fmt::Write;

use plumbline_executor::snippet::{keeps_opset, snippet, with_bodies, without_optimizer};
use plumbline_executor::stamp::{Known, stamp};
use plumbline_executor::{BackendName, Observation};
use plumbline_judge::{Right, wrong_elements};
use plumbline_spec::Spec;
use plumbline_tensor::{DType, Model, Tensor, Value};

use super::Failure;

/// The most lines of the model's text that the script quotes.
const MODEL_LINES: usize = 12;

/// The most elements of all arrays in a script together.
const MOST_ELEMENTS: usize = 4096;

/// The largest model in a script, in bytes.
const LARGEST_MODEL: usize = 1 << 16;

/// The most lines about wrong elements that the script quotes.
const MOST_WRONG: usize = 4;

/// The longest line that the script quotes, in characters.
const LONGEST_LINE: usize = 160;

/// Returns a Python script, of at most 40 lines for a runtime, that runs the failing case and prints what is expected
/// and what is found. `found_on` is the name and version of the backend.
///
/// Returns `None` if the backend has no package for Python, if the case needs more than one run, if its model or inputs
/// are large, or if an input has an unusual name or is not of a type that numpy has.
pub(super) fn script(failure: &Failure, found_on: &str) -> Option<String> {
    let Failure { case, right, observation, judgement, .. } = failure;
    if !failure.further.is_empty() {
        return None;
    }
    let name = BackendName::parse(&failure.backend);
    let runtime = snippet(&name.base, name.argument.as_deref())?;
    // The settings of the backend's name follow the version.
    let version = found_on.split(' ').nth(1).and_then(|text| text.split(',').next());
    let version = version.filter(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    let mut package = version.map_or(runtime.package.to_owned(), |version| format!("{}=={version}", runtime.package));
    let (mut imports, mut bodies) = (format!("import {}", runtime.package), String::new());
    if let Some(release) = name.body_release() {
        let separator = if release.is_empty() { "" } else { "==" };
        package = format!("onnx{separator}{release} {package}");
        (imports, bodies) = (format!("import onnx\n{imports}"), with_bodies() + "\n");
    }
    // A function and a conversion belong to the opset that the model has.
    let keeps = name.body_release().is_some() || keeps_opset(&name.base, name.argument.as_deref());
    let model = if keeps { case.model.to_bytes() } else { lowered(&case.model).to_bytes() };
    if model.len() > LARGEST_MODEL {
        return None;
    }
    let names = case.model.input_names();
    let inputs = arrays(names.iter().copied().zip(&case.inputs))?;
    let what = if case.version.since == 0 { "A graph".to_owned() } else { case.version.to_string() };
    let mut text = format!("\"\"\"{what} on {}: {}.\n\n", quoted(found_on), judgement.verdict);
    let outputs = case.model.output_names();
    let each = |what: &str| {
        // A JSON string is a Python string as well.
        let entries: Vec<String> =
            outputs.iter().map(|name| format!("{}: \"{what}\"", serde_json::json!(name))).collect();
        format!("{{{}}}", entries.join(", "))
    };
    let expected = match right {
        Right::Outputs { operands, .. } => {
            let wrong = wrong_elements(right, observation, judgement, &outputs, MOST_WRONG, "");
            let detail = judgement.detail().and_then(|detail| detail.lines().next().map(str::to_owned));
            let said = if wrong.is_empty() { detail.into_iter().collect() } else { wrong };
            said.iter().take(MOST_WRONG).for_each(|line| _ = writeln!(text, "{}", quoted(line)));
            let values: Vec<Value> = operands.iter().map(plumbline_oracle::Operand::to_value).collect();
            // The script prints the expected values without comparing them, so a text may stand in for values that
            // `arrays` cannot write.
            arrays(outputs.iter().copied().zip(&values)).unwrap_or_else(|| each("another value"))
        }
        Right::Refusal(violation) | Right::ByRelease { violation, .. } => {
            let rule = violation.label.map_or("a rule that holds for every operator", plumbline_spec::Label::name);
            let answered = matches!(observation, Observation::Outputs { .. });
            let found = if answered { ", but the runtime answers it" } else { "" };
            let _ = writeln!(text, "The model or its input is invalid ({rule}){found}.");
            each("a refusal")
        }
        Right::Open { .. } => each("any value"),
    };
    text.push('\n');
    let whole = case.model.to_string();
    let mut lines = whole.lines().skip_while(|line| line.starts_with(['<', ' ', '>']));
    lines.by_ref().take(MODEL_LINES).for_each(|line| _ = writeln!(text, "{}", quoted(line)));
    if lines.next().is_some() {
        text.push_str("...\n");
    }
    // A runtime that refuses the model ends the script, so it runs without its optimizer first.
    let plain = failure.optimizer.as_ref().and_then(|fault| {
        let name = if fault.passes.is_empty() { "its optimizer".to_owned() } else { fault.passes.join(", ") };
        let lines = without_optimizer(&name_of(failure), &fault.passes)?;
        Some(format!("{lines}\nprint(\"without {name}:\", *plain, sep=\"\\n\")\n"))
    });
    let _ = write!(
        text,
        "\npip install numpy {}\n\"\"\"\n\nimport numpy\n{imports}\nfrom numpy import inf, nan  # noqa: F401\n\n\
         MODEL = bytes.fromhex(\"{}\")\nINPUTS = {inputs}\nEXPECTED = {expected}\n\n{bodies}{}{}\n\
         print(\"{module}\", getattr({module}, \"__version__\", \"\"))\n\
         for (name, right), value in zip(EXPECTED.items(), found):\n    \
         print(name, \"expected:\", right, \"found:\", value, sep=\"\\n\")\n",
        quoted(&package),
        hexadecimal(&model),
        plain.unwrap_or_default(),
        runtime.run,
        module = runtime.package,
    );
    Some(text)
}

/// Returns the name of the backend without its version and settings.
fn name_of(failure: &Failure) -> String {
    BackendName::parse(&failure.backend).base
}

/// Returns the model with an earlier opset and IR version, which older releases of a runtime can read, if its meaning
/// stays the same. Otherwise returns the model as it is.
fn lowered(model: &Model) -> std::borrow::Cow<'_, Model> {
    let opsets: BTreeMap<String, i64> = [("ai.onnx".to_owned(), 21), ("ai.onnx.ml".to_owned(), 3)].into();
    let known = Known { opsets, ir_version: 10 };
    stamp(model, Spec::embedded, &known).unwrap_or(std::borrow::Cow::Borrowed(model))
}

/// Shortens and escapes a line for a Python string in triple quotes.
fn quoted(line: &str) -> String {
    let line: String = line.chars().take(LONGEST_LINE).collect();
    let line = line.replace('\\', "\\\\").replace("\"\"\"", "'''");
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim_end().to_owned()
}

/// Returns a Python dict of arrays.
fn arrays<'a>(values: impl Iterator<Item = (&'a str, &'a Value)>) -> Option<String> {
    let mut elements = 0;
    let array = |(name, value): (&str, &Value)| {
        let Value::Tensor(tensor) = value else { return None };
        elements += tensor.len();
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_.-/:".contains(c));
        (is_plain && elements <= MOST_ELEMENTS).then(|| Some(format!("\"{name}\": {}", array(tensor)?)))?
    };
    let arrays: Vec<String> = values.map(array).collect::<Option<_>>()?;
    Some(format!("{{{}}}", arrays.join(", ")))
}

/// Returns a numpy array with these elements, if numpy has the type.
fn array(tensor: &Tensor) -> Option<String> {
    let dtype = match tensor.dtype() {
        DType::Float => "float32",
        DType::Double => "float64",
        DType::Bool
        | DType::Float16
        | DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::Uint8
        | DType::Uint16
        | DType::Uint32
        | DType::Uint64 => tensor.dtype().name(),
        _ => return None,
    };
    let element = |i: usize| match tensor.dtype() {
        DType::Bool => if tensor.i128_at(i) != 0 { "True" } else { "False" }.to_owned(),
        DType::Double => number(&format!("{:?}", tensor.f64_at(i))),
        // Each of these values is exactly a float32, so the shortest text of a float32 is enough.
        DType::Float | DType::Float16 => number(&format!("{:?}", tensor.f64_at(i) as f32)),
        _ => tensor.i128_at(i).to_string(),
    };
    let elements: Vec<String> = (0..tensor.len()).map(element).collect();
    let shape = tensor.shape().iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let shape = if tensor.rank() == 1 {
        String::new()
    } else {
        format!(".reshape({})", if tensor.rank() == 0 { "()" } else { &shape })
    };
    Some(format!("numpy.array([{}], \"{dtype}\"){shape}", elements.join(", ")))
}

/// Returns a number as Python writes it.
fn number(text: &str) -> String {
    text.replace("NaN", "nan")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use plumbline_generator::case_of;
    use plumbline_graph::Refusal;
    use plumbline_judge::judge;
    use plumbline_oracle::{Operand, Oracle};

    use super::*;

    /// What a backend does with a case whose right answer has these values.
    type Observe = fn(Vec<Value>) -> Observation;

    /// Answers with the lowest bit of each element flipped.
    fn changed(values: Vec<Value>) -> Observation {
        let flipped = |value: Value| match value {
            Value::Tensor(tensor) if tensor.dtype() != DType::String => {
                let bits: Vec<u64> = (0..tensor.len()).map(|at| tensor.bits_at(at) ^ 1).collect();
                let shape = tensor.shape().to_vec();
                Value::Tensor(Tensor::from_bits(tensor.dtype(), shape, bits.into_iter()).unwrap())
            }
            other => other,
        };
        Observation::Outputs { values: values.into_iter().map(flipped).collect(), seconds: 0.0 }
    }

    fn refused(_: Vec<Value>) -> Observation {
        Observation::Refused { refusal: Refusal::failed("a message with \"\"\" and \\ in it"), seconds: 0.0 }
    }

    fn script_of(id: &str, backend: &str, observe: Observe) -> Option<String> {
        let case = case_of(id).unwrap();
        let right = crate::examining::expected::right(&Oracle::default(), &case).unwrap();
        let values = match &right {
            Right::Outputs { operands, .. } => operands.iter().map(Operand::to_value).collect(),
            _ => case.inputs.clone(),
        };
        let observation = observe(values);
        let judgement = judge(&right, &case.model.output_names(), &observation);
        let failure = Failure {
            case,
            right,
            observation,
            judgement,
            further: vec![],
            backend: backend.to_owned(),
            optimizer: None,
        };
        script(&failure, "onnxruntime 1.31.1,flush=true")
    }

    #[test]
    fn a_script_has_the_model_the_inputs_and_what_is_expected() {
        insta::assert_snapshot!(script_of("Floor-13/T=float/3@0", "onnxruntime@1.31.1", changed).unwrap());
    }

    #[test]
    fn there_is_a_script_only_where_it_can_run() {
        for backend in ["rten", "process:./mine", "onnxruntime:ep=ggml", "cpu"] {
            assert_eq!(script_of("Floor-13/T=float/0@0", backend, changed), None, "{backend}");
        }
        assert_eq!(script_of("Floor-13/T=bfloat16/0@0", "onnxruntime", changed), None, "numpy has no such type");
    }

    /// Runs scripts with a module `onnxruntime` that answers each model with its first input.
    #[test]
    fn scripts_are_short_and_print_what_is_expected_and_what_is_found() {
        const MODULE: &str = "\
__version__ = '1'
class InferenceSession:
    def __init__(self, model, providers):
        assert isinstance(model, bytes) and providers == ['CPUExecutionProvider']
    def run(self, names, inputs):
        return [next(iter(inputs.values()))]
";
        let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let with_numpy = Command::new(&python).args(["-c", "import numpy"]).output();
        let runs = with_numpy.is_ok_and(|done| done.status.success());
        if !runs {
            eprintln!("SKIPPED: {python} cannot import numpy");
        }
        let folder = std::env::temp_dir().join(format!("plumbline-script-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("onnxruntime.py"), MODULE).unwrap();
        let cells =
            ["Conv-22/T=float", "LSTM-22/T=double", "Where-16/T=bool", "Resize-19/T1=int32", "Floor-13/T=float16"];
        let mut written = 0;
        for (cell, at) in cells.into_iter().flat_map(|cell| (0..6).map(move |at| (cell, at))) {
            let observe: Observe = if at % 2 == 0 { changed } else { refused };
            let Some(text) = script_of(&format!("{cell}/{at}@0"), "onnxruntime", observe) else { continue };
            written += 1;
            assert!(text.lines().count() <= 40, "{text}");
            if runs {
                let done = Command::new(&python).args(["-c", &text]).env("PYTHONPATH", &folder).output().unwrap();
                let printed = String::from_utf8_lossy(&done.stdout);
                assert!(done.status.success(), "{}\n{text}", String::from_utf8_lossy(&done.stderr));
                assert!(printed.starts_with("onnxruntime 1\n") && printed.contains("\nfound:\n"), "{printed}");
            }
        }
        _ = std::fs::remove_dir_all(&folder);
        assert!(written > 15, "{written} scripts were written");
    }
}
