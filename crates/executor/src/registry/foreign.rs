//! Operators of other domains than ONNX's in rewritten models. The oracle does not have them, ONNX Runtime has its own.

use std::time::Duration;

use plumbline_oracle::Oracle;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::NodeProto;

use crate::{Job, Observation, Refusal, Runner, StartError};

/// The backend that runs rewritten models with such operators. It does not change them any further.
pub(super) const RUNTIME: &str = "onnxruntime:optimization=none";

/// Starts ONNX Runtime.
pub(super) type Start = Box<dyn Fn() -> Result<Box<dyn Runner>, StartError> + Send>;

/// ONNX Runtime, which is started when it is needed for the first time.
pub(super) enum Runtime {
    /// It cannot be started, for this reason.
    Missing(String),
    /// It was not needed yet.
    Idle(Start),
    /// It runs.
    Started(Box<dyn Runner>),
}

impl Runtime {
    /// Runs a job on another model that takes the same inputs.
    pub(super) fn run(&mut self, model: &Model, job: &Job<'_>, deadline: Duration) -> Observation {
        if let Runtime::Idle(start) = self {
            let started = start().map_err(|error| error.to_string());
            *self = started.map_or_else(Runtime::Missing, Runtime::Started);
        }
        match self {
            Runtime::Started(runner) => runner.run(model, job.inputs, deadline),
            Runtime::Missing(reason) => Observation::Refused { refusal: Refusal::unsupported(&*reason), seconds: 0.0 },
            Runtime::Idle(_) => Observation::NotRun { reason: format!("{RUNTIME} was not started") },
        }
    }
}

/// Returns the first operator of a rewritten model that neither ONNX has nor a function of this or the original model
/// defines.
pub(super) fn foreign_operator(original: &Model, model: &Model) -> Option<String> {
    let is_own = |domain: &str| domain.is_empty() || domain == "ai.onnx" || domain.starts_with("ai.onnx.");
    let functions = &model.proto.functions;
    let is_function = |node: &NodeProto| {
        let mut defined = functions.iter().chain(&original.proto.functions);
        defined.any(|function| function.name() == node.op_type() && function.domain() == node.domain())
    };
    let nodes = model.graph().node.iter().chain(functions.iter().flat_map(|function| &function.node));
    let is_foreign = |node: &&NodeProto| {
        !is_own(node.domain()) && !is_function(node) && !Oracle::knows(node.domain(), node.op_type())
    };
    let found = nodes.flat_map(NodeProto::with_nested).find(is_foreign);
    found.map(|node| format!("{}.{}", node.domain(), node.op_type()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_that_nobody_defines_are_foreign() {
        let model = |body: &str| -> Model {
            let opsets = "<ir_version: 8, opset_import: [\"\" : 18, \"com.microsoft\" : 1, \"own\" : 1]>";
            format!("{opsets} g (float[2] a, bool c) => (float[2] b) {{ {body} }}").parse().unwrap()
        };
        let found = |model: &Model| foreign_operator(model, model);
        assert_eq!(found(&model("b = Abs (a)")), None);
        assert_eq!(found(&model("b = com.microsoft.Gelu (a)")), Some("com.microsoft.Gelu".to_owned()));
        let nested = "b = If (c) <then_branch = t () => (float[2] d) { d = own.Part (a) },
            else_branch = e () => (float[2] f) { f = Neg (a) }>";
        assert_eq!(found(&model(nested)), Some("own.Part".to_owned()));
        let opsets = "<ir_version: 8, opset_import: [\"\" : 18, \"own\" : 1]>";
        let function = "<domain: \"own\", opset_import: [\"\" : 18]> Part (x) => (y) { y = Neg (x) }";
        let whole: Model =
            format!("{opsets} g (float[2] a) => (float[2] b) {{ b = own.Part (a) }} {function}").parse().unwrap();
        assert_eq!(found(&whole), None);
        let mut lost = whole.clone();
        lost.proto.functions.clear();
        assert_eq!(foreign_operator(&whole, &lost), None, "the tool has lost the function");
    }
}
