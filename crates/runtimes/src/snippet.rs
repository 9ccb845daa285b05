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
            "function-bodies" => ("onnx", format!("{BODIES}\n{BODIES_RUN}")),
            _ => return None,
        },
        ("rewriter", Some(argument)) if argument.split(['@', ',']).next() == Some("version-converter") => {
            let target = argument.split(',').find_map(|setting| setting.strip_prefix("to="));
            ("onnx", converted(target))
        }
        _ => return None,
    };
    Some(Snippet { package, run })
}

/// Returns lines that put ONNX's function bodies in the place of the nodes of `MODEL`, for a runtime that then runs it.
/// They need the package onnx.
pub fn with_bodies() -> String {
    format!("{BODIES}\nMODEL = inline_local_functions(model).SerializeToString()")
}

/// Returns whether the lines of a backend are about a model of a certain opset.
pub fn keeps_opset(base: &str, argument: Option<&str>) -> bool {
    let tool = argument.and_then(|argument| argument.split(['@', ',']).next());
    [("tool", Some("function-bodies")), ("rewriter", Some("version-converter"))].contains(&(base, tool))
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

/// Replaces each node that ONNX defines by a function with a call of this function.
const BODIES: &str = "\
from onnx.inliner import inline_local_functions
from onnx.reference import ReferenceEvaluator
model = onnx.shape_inference.infer_shapes(onnx.load_from_string(MODEL))
opsets = {entry.domain: entry.version for entry in model.opset_import}
types = {info.name: info.type for info in [*model.graph.input, *model.graph.value_info]}
types |= {t.name: onnx.helper.make_tensor_type_proto(t.data_type, t.dims) for t in model.graph.initializer}
for node in model.graph.node:
    schema = onnx.defs.get_schema(node.op_type, opsets[node.domain], node.domain)
    known = [types.get(name, onnx.TypeProto()).SerializeToString() for name in node.input]
    fits = [v for v in schema.function_opset_versions if v <= opsets[node.domain]]
    content = schema.get_function_with_opset_version(max(fits)) if fits else None
    fits = [v for v in schema.context_dependent_function_opset_versions if v <= opsets[node.domain]]
    if fits and not content:
        text = node.SerializeToString()
        content = schema.get_context_dependent_function_with_opset_version(max(fits), text, known)
    if not content:
        continue
    body = onnx.FunctionProto.FromString(content)
    given = {attribute.name for attribute in node.attribute}
    defaults = [schema.attributes[name].default_value for name in body.attribute if name not in given]
    node.attribute.extend(value for value in defaults if value.name)
    node.domain, node.op_type, body.domain, body.name = \"bodies\", node.op_type, \"bodies\", node.op_type
    model.functions.append(body)
    model.opset_import.extend(entry for entry in body.opset_import if entry.domain not in opsets)
    print(onnx.printer.to_text(body))
model.opset_import.append(onnx.helper.make_opsetid(\"bodies\", 1))";

const BODIES_RUN: &str = "\
onnx.checker.check_model(model, full_check=True)
found = ReferenceEvaluator(inline_local_functions(model)).run(None, INPUTS)";

/// Converts the model to an opset, to the newest one, or to all.
fn converted(target: Option<&str>) -> String {
    let opset = match target {
        Some("all") => return format!("{CONVERT}\n{CONVERT_TO_ALL}"),
        Some(number) if number.parse::<u32>().is_ok() => number,
        _ => "onnx.defs.onnx_opset_version()",
    };
    format!("{CONVERT}\nfound = converted({opset})")
}

const CONVERT: &str = "\
from onnx.reference import ReferenceEvaluator
from onnx.version_converter import convert_version


def converted(opset):
    model = convert_version(onnx.load_from_string(MODEL), opset)
    print(onnx.printer.to_text(model))
    onnx.checker.check_model(model, full_check=True)
    return ReferenceEvaluator(model).run(None, INPUTS)

";

/// The last answer is that of the newest opset, so each is printed.
const CONVERT_TO_ALL: &str = "\
for opset in range(1, onnx.defs.onnx_opset_version() + 1):
    try:
        found = converted(opset)
        print(\"to opset\", opset, *found, sep=\"\\n\")
    except Exception as error:
        found = []
        print(\"to opset\", opset, error)";

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
    fn a_conversion_keeps_the_opset_of_its_model() {
        let run = |argument| snippet("rewriter", Some(argument)).map(|snippet| snippet.run).unwrap_or_default();
        assert!(run("version-converter@1.21.0,to=13").ends_with("found = converted(13)"));
        assert!(run("version-converter").ends_with("found = converted(onnx.defs.onnx_opset_version())"));
        assert!(run("version-converter,to=all").contains("for opset in range(1, "));
        assert!(keeps_opset("rewriter", Some("version-converter,to=13")));
        assert!(keeps_opset("tool", Some("function-bodies@1.21.0")) && !keeps_opset("tool", Some("checker")));
        assert_eq!(snippet("rewriter", Some("onnxsim")), None);
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
