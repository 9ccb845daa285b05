//! Runs ONNX's published cases on a backend.
//!
//! If the oracle has an answer, the backend is judged by it. The `reference` backend stands for the oracle itself: for
//! it, the published outputs are judged instead. If the oracle has no kernel, other backends are judged by the
//! published outputs with the suite's own tolerance. If the outputs that are needed were not published, the case is not
//! run. If the oracle refuses a case as invalid, a backend passes if it also refuses the case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plumbline_backend::Observation;
use plumbline_generator::{Case, Origin};
use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::{Expected, Operand, Oracle};
use plumbline_spec::Label;
use plumbline_spec::{OperatorId, Spec};
use plumbline_tensor::{Model, Value, ValueKind, tensor_from_proto};

use crate::examine::{conclude, examine_one};
use crate::judge::Judgement;
use crate::prepared::PreparedCase;
use crate::repro::Failure;
use crate::rerun::Runs;
use crate::right::Right;
use crate::suite::{CaseDir, CaseFolder, SuiteError, case_dirs};
use crate::{CaseResult, Reason, Role, Subject, Verdict};

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

/// The tolerance of the published suite, which applies if the oracle has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The relative tolerance.
    pub relative: f64,
    /// The absolute tolerance.
    pub absolute: f64,
}

impl Default for Tolerance {
    /// Returns the tolerance of ONNX's own test runner.
    fn default() -> Tolerance {
        Tolerance { relative: 1e-3, absolute: 1e-7 }
    }
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
/// nodes of that function, and `Constant` nodes are dropped unless the graph has no other nodes.
fn inlined(model: &Model) -> Model {
    let mut proto = model.proto.clone();
    if let ([function], Some(graph)) = (proto.functions.as_slice(), proto.graph.as_mut())
        && let [call] = graph.node.as_slice()
        && call.op_type == function.name
        && call.domain == function.domain
    {
        graph.node = function.node.clone();
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

    /// Runs the case on one backend and judges it. The result of a case with several data sets is that of the worst
    /// one.
    pub fn judge(&self, subject: &Subject, deadline: Duration, tolerance: Tolerance) -> (CaseResult, Option<Failure>) {
        let not_run = |model: &Model, reason: &str| {
            let case = self.case(model, &[]);
            (CaseResult::new(&case, &self.suite, subject, &Judgement::not_run(reason)), None)
        };
        let folder = match CaseFolder::read(&self.path) {
            Ok(folder) => folder,
            Err(error) => return not_run(&Model::default(), &error.to_string()),
        };
        let sets = folder.data_sets.iter().map(|set| {
            let prepared = PreparedCase::alone(self.case(&folder.model, &set.inputs));
            examine_set(subject, &prepared, &set.outputs, deadline, tolerance)
        });
        // Of several equally bad data sets, the first one counts.
        let worst = sets.reduce(|worst, set| {
            let worse = rank(set.judgement.verdict) > rank(worst.judgement.verdict);
            if worse { set } else { worst }
        });
        let Some(failure) = worst else { return not_run(&folder.model, "the folder has no test_data_set_0") };
        let result = CaseResult::new(&failure.case, &self.suite, subject, &failure.judgement);
        let failure = result.signature.is_some().then_some(failure);
        (result, failure)
    }

    /// Returns the case with these inputs. If it does not test a single operator, its operator is named after the
    /// published case.
    fn case(&self, model: &Model, inputs: &[Value]) -> Case {
        let name = self.name.rsplit('/').next().unwrap_or(&self.name);
        let version = self.operator_of(model).unwrap_or_else(|| OperatorId::new("", name, 0));
        case_of_version(version, self.id(), model.clone(), inputs.to_vec(), None)
    }
}

/// Ranks verdicts: a case with several data sets gets the verdict with the highest rank.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Latitude => 1,
        Verdict::Unsupported => 2,
        Verdict::NotRun => 3,
        Verdict::Timeout => 4,
        Verdict::DeviceLost => 5,
        Verdict::Fail => 6,
        Verdict::Crash => 7,
    }
}

/// Runs one data set of a published case and judges it.
fn examine_set(
    subject: &Subject,
    prepared: &PreparedCase,
    published: &[Value],
    deadline: Duration,
    tolerance: Tolerance,
) -> Failure {
    let PreparedCase { case, .. } = prepared;
    let reference = Oracle::new(subject.policy.clone());
    let oracle = reference.evaluate(&case.model, &case.inputs);
    let observed = |right: Right, observation: Observation| {
        conclude(subject, &Runs::new(&reference, case, &right, &[]), &[observation], None, deadline).failure
    };
    let not_run = |reason: String| observed(Right::from(vec![]), Observation::NotRun { reason });
    // A data set has all outputs of the model or none.
    let has_outputs = published.len() == case.model.output_names().len();
    let right = match oracle {
        Ok(_) if subject.role == Role::Oracle && !has_outputs => {
            return not_run("the data set has no outputs to judge".to_owned());
        }
        Ok(evaluation) if subject.role == Role::Oracle => {
            let published = Observation::Outputs { values: published.to_vec(), seconds: 0.0 };
            return observed(evaluation.into(), published);
        }
        Err(refusal) if subject.role == Role::Oracle => {
            return observed(Right::from(vec![]), Observation::Refused { refusal, seconds: 0.0 });
        }
        Ok(evaluation) => evaluation.into(),
        Err(refusal) => match refusal.kind {
            RefusalKind::Unsupported if !has_outputs => {
                let reason = format!("the data set has no outputs, and the oracle has no answer: {refusal}");
                return not_run(reason);
            }
            RefusalKind::Unsupported => Right::from(published.iter().map(|v| within(v, tolerance)).collect::<Vec<_>>()),
            RefusalKind::Invalid => return examine_refused(subject, prepared, &refusal, deadline),
            _ => return not_run(format!("the oracle fails on the case: {refusal}")),
        },
    };
    examine_one(subject, prepared, &right, deadline).failure
}

/// Runs a case of a folder and judges it by the oracle. If the oracle has no kernel for the case, the outputs of the
/// folder are what is right, with the suite's tolerance. If the oracle refuses the case as invalid, the backend must
/// refuse it too. `prepare` gets the case once the expected outcome is known. If the backend is the oracle itself, the
/// outputs of the folder are judged.
///
/// # Errors
/// Fails if nothing says what is expected, or if the oracle answers a case that violates a constraint.
pub fn examine_folder(
    subject: &Subject,
    mut case: Case,
    outputs: &[Value],
    deadline: Duration,
    prepare: impl FnOnce(Case, &Right) -> PreparedCase,
) -> Result<(Failure, PreparedCase), String> {
    if subject.role == Role::Oracle {
        let prepared = PreparedCase::alone(case);
        return Ok((examine_set(subject, &prepared, outputs, deadline, Tolerance::default()), prepared));
    }
    let right = match Oracle::new(subject.policy.clone()).evaluate(&case.model, &case.inputs) {
        Err(refusal) if refusal.kind == RefusalKind::Invalid => {
            case.violates = refusal.label;
            Right::Refusal(refusal.label)
        }
        Err(refusal) if refusal.kind == RefusalKind::Unsupported && !outputs.is_empty() => {
            Right::from(outputs.iter().map(|value| within(value, Tolerance::default())).collect::<Vec<_>>())
        }
        Err(refusal) => return Err(format!("{}: the oracle has no answer: {refusal}", case.id)),
        Ok(_) if case.violates.is_some() => {
            let label = case.violates.map_or("", Label::name);
            return Err(format!("{}: the case violates {label}, but the oracle answers it", case.id));
        }
        Ok(evaluation) => evaluation.into(),
    };
    let prepared = prepare(case, &right);
    Ok((examine_one(subject, &prepared, &right, deadline).failure, prepared))
}

/// Runs a case that the oracle refuses. The backend passes if it also refuses the case. If the backend answers, nothing
/// says which answer is right, and the case is not judged.
fn examine_refused(subject: &Subject, prepared: &PreparedCase, refusal: &Refusal, deadline: Duration) -> Failure {
    let failure = examine_one(subject, prepared, &Right::Refusal(refusal.label), deadline).failure;
    match failure.observation {
        Observation::Outputs { .. } => {
            Failure { judgement: Judgement::not_run(Reason::OracleRefuses(refusal.clone())), ..failure }
        }
        _ => failure,
    }
}

/// Returns what is accepted for a published value: the suite's tolerance around each element of a floating-point
/// tensor, and only the value itself for any other type.
fn within(value: &Value, tolerance: Tolerance) -> Operand {
    match value {
        Value::Tensor(tensor) if tensor.dtype().is_float() => {
            let dtype = tensor.dtype();
            let numbers = tensor.to_f64s().into_iter().map(|x| {
                let reach = if x.is_finite() { tolerance.absolute + tolerance.relative * x.abs() } else { 0.0 };
                let real = plumbline_oracle::Real::constant(x, dtype);
                plumbline_oracle::Real { low: x - reach, high: x + reach, ..real }.into()
            });
            match Expected::from_numbers(dtype, tensor.shape().to_vec(), numbers.collect::<Vec<_>>()) {
                Ok(expected) => expected.into(),
                Err(_) => value.into(),
            }
        }
        other => other.into(),
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
    use plumbline_backend::{Identity, Job, Profile, Runner};
    use plumbline_tensor::{DType, Tensor};

    use super::*;

    fn float() -> Value {
        Value::Tensor(Tensor::from_f64s(DType::Float, vec![1], &[1.0]).unwrap())
    }

    /// A backend that answers every case with the same value.
    struct Answers {
        identity: Identity,
        profile: Profile,
    }

    impl Runner for Answers {
        fn identity(&self) -> &Identity {
            &self.identity
        }
        fn profile(&self) -> &Profile {
            &self.profile
        }
        fn run(&mut self, _: &Model, _: &[Value], _: Duration) -> Observation {
            Observation::Outputs { values: vec![float()], seconds: 0.0 }
        }
        fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
            jobs.iter().map(|job| self.run(job.model, job.inputs, deadline)).collect()
        }
    }

    #[test]
    fn a_data_set_that_lacks_the_outputs_it_needs_is_not_run() {
        let open = || {
            let identity = Identity { name: "answers".to_owned(), version: "1".to_owned() };
            Ok(Box::new(Answers { identity, profile: Profile::default() }) as Box<dyn Runner>)
        };
        let backend = Subject::start("answers", Box::new(open)).unwrap();
        let verdict = |subject: &Subject, operator: &str, published: &[Value]| {
            let opsets = r#"<ir_version: 8, opset_import: ["" : 13, "elsewhere" : 1]>"#;
            let text = format!("{opsets} one (float[1] x) => (float[1] y) {{ y = {operator} (x) }}");
            let case = case_of_model("one".to_owned(), text.parse().unwrap(), vec![float()], None);
            let prepared = PreparedCase::alone(case);
            let deadline = Duration::from_secs(10);
            examine_set(subject, &prepared, published, deadline, Tolerance::default()).judgement.verdict
        };
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[]), Verdict::NotRun);
        assert_eq!(verdict(&backend, "elsewhere.Strange", &[float()]), Verdict::Pass);
        assert_eq!(verdict(&backend, "Abs", &[]), Verdict::Pass);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[]), Verdict::NotRun);
        assert_eq!(verdict(&Subject::oracle(), "Abs", &[float()]), Verdict::Pass);
    }
}
