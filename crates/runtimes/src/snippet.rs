//! How a runtime is used from Python without Plumbline: for scripts that show a bug to the runtime's authors.

/// The lines of a script that are about the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The package that the script imports, by the name that pip and Python have for it.
    pub package: &'static str,
    /// Lines that run the model `MODEL` (bytes) on `INPUTS` (a dict of arrays) and define `found`, a list of arrays.
    pub run: String,
}

/// Returns how the backend `base` with the settings `argument` is used from Python. `None` if it is not a runtime with
/// a Python package, or if no lines are known for these settings.
pub fn snippet(base: &str, argument: Option<&str>) -> Option<Snippet> {
    let (package, run) = match (base, argument) {
        ("onnxruntime", None) => ("onnxruntime", onnxruntime("CPUExecutionProvider")),
        ("onnxruntime", Some(argument)) => {
            // A script would have to register a plug-in before it makes the session; there is no snippet for this.
            let provider = argument.strip_prefix("ep=").filter(|name| name.ends_with("ExecutionProvider"))?;
            ("onnxruntime", onnxruntime(provider))
        }
        ("openvino", None) => ("openvino", OPENVINO.to_owned()),
        ("tract-python", None) => ("tract", TRACT.to_owned()),
        _ => return None,
    };
    Some(Snippet { package, run })
}

fn onnxruntime(provider: &str) -> String {
    format!(
        "session = onnxruntime.InferenceSession(MODEL, providers=[\"{provider}\"])\nfound = session.run(None, INPUTS)"
    )
}

/// Sets `EXECUTION_MODE_HINT`, as Plumbline's adapter does: without it, OpenVINO may compute in another type than the
/// model's.
const OPENVINO: &str = "\
core = openvino.Core()
model = core.compile_model(core.read_model(MODEL), \"CPU\", {\"EXECUTION_MODE_HINT\": \"ACCURACY\"})
found = list(model(list(INPUTS.values())).values())";

const TRACT: &str = "\
with open(\"model.onnx\", \"wb\") as file:
    file.write(MODEL)
model = tract.onnx().load(\"model.onnx\").into_model().into_runnable()
found = [value.to_numpy() for value in model.run(list(INPUTS.values()))]";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_of_the_library_has_a_snippet_and_a_plug_in_has_none() {
        let run = |argument| snippet("onnxruntime", argument).map(|snippet| snippet.run);
        assert!(run(None).is_some_and(|run| run.contains("[\"CPUExecutionProvider\"]")));
        assert!(run(Some("ep=CUDAExecutionProvider")).is_some_and(|run| run.contains("[\"CUDAExecutionProvider\"]")));
        assert_eq!(run(Some("ep=ggml")), None);
        assert_eq!(snippet("rten", None), None);
    }
}
