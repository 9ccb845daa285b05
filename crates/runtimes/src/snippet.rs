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
        ("onnxruntime", None) => ("onnxruntime", onnxruntime(CPU)),
        ("onnxruntime", Some(argument)) => {
            // A script would have to register a plug-in before it makes the session; there is no snippet for this.
            let provider = argument.strip_prefix("ep=").filter(|name| name.ends_with("ExecutionProvider"))?;
            ("onnxruntime", onnxruntime(provider))
        }
        ("openvino", None) => ("openvino", OPENVINO.to_owned()),
        ("tract-python", None) => ("tract", TRACT.to_owned()),
        ("onnx-reference", None) => ("onnx", REFERENCE.to_owned()),
        ("tool", Some(argument)) => match argument.split(['@', ',']).next()? {
            "shape-inference" => ("onnx", SHAPE_INFERENCE.to_owned()),
            "checker" => ("onnx", CHECKER.to_owned()),
            _ => return None,
        },
        _ => return None,
    };
    Some(Snippet { package, run })
}

/// Returns lines that run the model without these passes of the runtime's graph optimizer, or without the optimizer if
/// there are none, and define `plain`, a list of arrays. `None` if no lines are known for the runtime.
pub fn without_optimizer(base: &str, passes: &[String]) -> Option<String> {
    let names: Vec<String> = passes.iter().map(|pass| format!("\"{pass}\"")).collect();
    match (base, passes) {
        ("onnxruntime", []) => Some(format!(
            "options = onnxruntime.SessionOptions()\n\
             options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL\n\
             session = onnxruntime.InferenceSession(MODEL, options, providers=[\"{CPU}\"])\n\
             plain = session.run(None, INPUTS)"
        )),
        ("onnxruntime", _) => Some(format!(
            "session = onnxruntime.InferenceSession(MODEL, providers=[\"{CPU}\"], disabled_optimizers=[{}])\n\
             plain = session.run(None, INPUTS)",
            names.join(", ")
        )),
        _ => None,
    }
}

const CPU: &str = "CPUExecutionProvider";

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

const REFERENCE: &str = "\
from onnx.reference import ReferenceEvaluator
evaluator = ReferenceEvaluator(onnx.load_from_string(MODEL))
found = [numpy.asarray(value) for value in evaluator.run(None, INPUTS)]";

/// Where nothing is inferred for an extent, it is 1.
const SHAPE_INFERENCE: &str = "\
model = onnx.load_from_string(MODEL)
for output in model.graph.output:
    output.ClearField(\"type\")
model = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
types = [output.type.tensor_type for output in model.graph.output]
shapes = [[dim.dim_value if dim.HasField(\"dim_value\") else 1 for dim in type.shape.dim] for type in types]
dtypes = [onnx.helper.tensor_dtype_to_np_dtype(type.elem_type) for type in types]
found = [numpy.zeros(shape, dtype) for shape, dtype in zip(shapes, dtypes)]";

const CHECKER: &str = "\
onnx.checker.check_model(MODEL, full_check=True)
found = [\"the checker takes the model\" for _ in EXPECTED]";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_left_out_by_name() {
        let lines = without_optimizer("onnxruntime", &["ConstantFolding".to_owned()]).unwrap_or_default();
        assert!(lines.contains("disabled_optimizers=[\"ConstantFolding\"]"), "{lines}");
        assert!(without_optimizer("onnxruntime", &[]).is_some_and(|lines| lines.contains("ORT_DISABLE_ALL")));
        assert_eq!(without_optimizer("openvino", &[]), None);
    }

    #[test]
    fn a_provider_of_the_library_has_a_snippet_and_a_plug_in_has_none() {
        let run = |argument| snippet("onnxruntime", argument).map(|snippet| snippet.run);
        assert!(run(None).is_some_and(|run| run.contains("[\"CPUExecutionProvider\"]")));
        assert!(run(Some("ep=CUDAExecutionProvider")).is_some_and(|run| run.contains("[\"CUDAExecutionProvider\"]")));
        assert_eq!(run(Some("ep=ggml")), None);
        assert_eq!(snippet("rten", None), None);
    }
}
