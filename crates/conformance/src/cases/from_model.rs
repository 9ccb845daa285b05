//! Cases that are made from a model: published ones, kept ones, and models that somebody gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plumbline_generator::{Case, Origin};
use plumbline_spec::{Label, OperatorId, Spec};
use plumbline_tensor::{Model, Value, ValueKind, tensor_from_proto};

use crate::cases::suite::{CaseDir, CaseFolder, SuiteError, case_dirs};

/// A published case: its name and its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteCase {
    /// The name of the suite: `onnx:1.23.2`.
    pub suite: String,
    /// The kind and the name of the case: `node/test_min_int8`.
    pub name: String,
    /// The folder of the case.
    pub path: PathBuf,
}

/// Lists the published cases below a suite's folder (`target/suites/onnx-1.23.2`), sorted by name.
pub fn suite_cases(suite: &str, dir: &Path) -> Result<Vec<SuiteCase>, SuiteError> {
    let case = |found: CaseDir| SuiteCase {
        suite: suite.to_owned(),
        name: if found.kind.is_empty() { found.name } else { format!("{}/{}", found.kind, found.name) },
        path: found.path,
    };
    Ok(case_dirs(dir)?.into_iter().map(case).collect())
}

/// Returns the model without what a form puts around its node. A call of the model's only function is replaced by the
/// nodes of that function, with its opsets, and `Constant` nodes are dropped unless the graph has no other nodes.
fn inlined(model: &Model) -> Model {
    let mut proto = model.proto.clone();
    if let ([function], Some(graph)) = (proto.functions.as_slice(), proto.graph.as_mut())
        && let [call] = graph.node.as_slice()
        && call.op_type == function.name
        && call.domain == function.domain
    {
        graph.node = function.node.clone();
        // The nodes of a function have the opsets that it imports, which may be others than those of the model.
        proto.opset_import = function.opset_import.clone();
    }
    if let Some(graph) = proto.graph.as_mut()
        && graph.node.iter().any(|n| n.op_type.as_deref() != Some("Constant"))
    {
        graph.node.retain(|n| n.op_type.as_deref() != Some("Constant"));
    }
    Model { proto }
}

/// Resolves the operators of a model's nodes. Nodes of unknown operators, of nested graphs and of model-local functions
/// are left out.
fn operators(model: &Model) -> Vec<OperatorId> {
    let spec = Spec::embedded();
    let resolve = |node: &plumbline_tensor::onnx::NodeProto| {
        let domain = node.domain.as_deref().unwrap_or("");
        Some(spec.resolve(domain, node.op_type.as_deref()?, model.opset(domain)?)?.id.clone())
    };
    model.graph().node.iter().filter_map(resolve).collect()
}

impl SuiteCase {
    /// Returns the id of the case: `onnx:1.23.2/node/test_min_int8`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// Returns the operator version that the case tests, if its graph has exactly one node of a known operator.
    pub fn operator(&self) -> Option<OperatorId> {
        let folder = CaseFolder::read(&self.path).ok()?;
        self.operator_of(&folder.model)
    }

    fn operator_of(&self, model: &Model) -> Option<OperatorId> {
        let found = operators(model);
        match found.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// Returns the case with these inputs. If it does not test a single operator, its operator is named after the
    /// published case.
    pub(crate) fn case(&self, model: &Model, inputs: &[Value]) -> Case {
        let name = self.name.rsplit('/').next().unwrap_or(&self.name);
        let version = self.operator_of(model).unwrap_or_else(|| OperatorId::new("", name, 0));
        case_of_version(version, self.id(), model.clone(), inputs.to_vec(), None)
    }
}

/// Returns what the type variables of an operator are bound to. The types come from the inputs, constants and outputs
/// of the model's first node.
fn types(id: &OperatorId, model: &Model, inputs: &[Value]) -> BTreeMap<String, String> {
    let mut types = BTreeMap::new();
    let Some(version) = Spec::embedded().version(id) else { return types };
    let graph = model.graph();
    let Some(node) = graph.node.first() else { return types };
    let names = model.input_names();
    let kind_of = |name: &String| {
        let given = names.iter().position(|n| n == name).and_then(|at| inputs.get(at)).map(Value::kind);
        let constant = graph.initializer.iter().find(|t| t.name.as_ref() == Some(name));
        let constant = || Some(ValueKind::Tensor(tensor_from_proto(constant?).ok()?.dtype()));
        let output = || graph.output.iter().find(|o| o.name.as_ref() == Some(name))?.r#type.as_ref();
        given.or_else(constant).or_else(|| ValueKind::from_proto(output()?))
    };
    let inputs = node.input.iter().zip(version.inputs.iter().chain(version.inputs.last().into_iter().cycle()));
    let outputs = node.output.iter().zip(version.outputs.iter().chain(version.outputs.last().into_iter().cycle()));
    for (name, formal) in inputs.chain(outputs) {
        if let (true, Some(kind)) = (version.types.contains_key(&formal.type_), kind_of(name)) {
            types.entry(formal.type_.clone()).or_insert_with(|| plumbline_generator::short_type(&kind.to_string()));
        }
    }
    types
}

/// Makes a case from a model. If the model has exactly one node of a known operator, not counting what a form puts
/// around it, the case has the version of this operator. Otherwise the operator is named `graph`.
pub fn case_of_model(id: String, model: Model, inputs: Vec<Value>, violates: Option<Label>) -> Case {
    let version = match operators(&inlined(&model)).as_slice() {
        [only] => only.clone(),
        _ => OperatorId::new("", "graph", 0),
    };
    case_of_version(version, id, model, inputs, violates)
}

/// Makes a case of this operator version. For a case that does not test a single operator, the name in `version` is the
/// published case's name, or `graph`.
fn case_of_version(version: OperatorId, id: String, model: Model, inputs: Vec<Value>, violates: Option<Label>) -> Case {
    let types = types(&version, &model, &inputs);
    Case {
        id,
        version,
        types,
        model,
        inputs,
        features: vec![],
        violates,
        origin: Origin::Given,
        form: Default::default(),
        choices: Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_of_a_function_has_the_opsets_of_the_function() {
        let text = r#"<ir_version: 9, opset_import: ["" : 20, "f" : 1]>
            graph (float[2] x) => (float[2] y) { y = f.Part (x) }
            <domain: "f", opset_import: ["ai.onnx.ml" : 4, "" : 8]>
            Part (x) => (y) { y = ai.onnx.ml.Binarizer (x) }"#;
        let operator = |text: &str| case_of_model(String::new(), text.parse().unwrap(), vec![], None).version;
        assert_eq!(operator(text).to_string(), "ai.onnx.ml.Binarizer-1");
        let older = text.replace("ai.onnx.ml.Binarizer", "Min");
        assert_eq!(operator(&older).to_string(), "Min-8");
    }
}
