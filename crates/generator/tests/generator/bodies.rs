//! Checks kernels against the function bodies that ONNX gives for their operators.
//!
//! A function body is a graph of other operators and one correct way to compute its operator. So the operator's kernel
//! has to accept the body's answer in every case, computed in two ways: by the oracle, which rounds at the end, and by
//! a plain runtime, which rounds after each step. The converse does not hold. A body may lose more precision than the
//! operator has to (it may round attributes to the element type, for example), and it says nothing if one of its own
//! operators leaves an element open. `PLUMBLINE_OP=Softplus` restricts the test to one operator.

mod steps;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use plumbline_generator::{Case, Cell, case_of};
use plumbline_graph::RefusalKind;
use plumbline_oracle::{Answer, Bounds, Expected, Judged, Operand, Oracle, Policy, Real};
use plumbline_spec::{Determinism, Domain, Spec};
use plumbline_tensor::{Model, Tensor, Value};

use crate::selected_cells;
use steps::stepped;

/// The number of cases per cell.
const CASES: u64 = 8;

/// Function bodies that contradict the rest of the specification: the operator version, the behaviour in its rules that
/// says so, and a part of the message that the contradiction causes. Cases without a valid body (see [`no_such_body`])
/// need no line here.
const CONTRADICTIONS: &[(&str, &str, &str)] = &[
    ("Celu-12", "scalar-input", "has shape [1], expected []"),
    ("LayerNormalization-17", "scale-shape", "do not broadcast"),
    ("LayerNormalization-17", "scale-shape", "cannot become"),
];

/// Returns the cells of deterministic operators that have a function body in the onnx package.
fn cells_with_bodies() -> Vec<Cell> {
    let random = |cell: &Cell| cell.version.deterministic == Determinism::NonDeterministic;
    let of_onnx = |cell: &Cell| Domain::find(&cell.version.id.domain).is_some_and(|domain| domain.origin == "onnx");
    selected_cells().into_iter().filter(|cell| cell.version.function && of_onnx(cell) && !random(cell)).collect()
}

/// Returns the models of each case with a function body in place of the operator, one model for each body. Returns
/// `None` if `PLUMBLINE_PYTHON` is not set.
fn bodies(cases: &[Case]) -> Option<Vec<Vec<Model>>> {
    let Some(python) = std::env::var_os("PLUMBLINE_PYTHON") else {
        eprintln!(
            "SKIPPED: PLUMBLINE_PYTHON is not set; `cargo xtask test` sets it to a Python that has the onnx package"
        );
        return None;
    };
    let dir = tempfile::tempdir().unwrap();
    let [models, found] = ["cases", "bodies"].map(|name| dir.path().join(name));
    let mut bytes = Vec::new();
    for case in cases {
        let model = case.model.to_bytes();
        bytes.extend(u32::try_from(model.len()).unwrap().to_le_bytes());
        bytes.extend(model);
    }
    std::fs::write(&models, bytes).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/function_bodies.py");
    let output = Command::new(python).arg(script).args([&models, &found]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&found).unwrap();
    let mut rest = &bytes[..];
    let of_case = |_| (0..number(&mut rest)).map(|_| next_model(&mut rest)).collect();
    let found: Vec<Vec<Model>> = cases.iter().map(of_case).collect();
    assert!(rest.is_empty(), "the script wrote more than the bodies of these cases");
    Some(found)
}

fn number(bytes: &mut &[u8]) -> usize {
    u32::from_le_bytes(bytes.split_off(..4).unwrap().try_into().unwrap()) as usize
}

fn next_model(bytes: &mut &[u8]) -> Model {
    let length = number(bytes);
    Model::from_bytes(bytes.split_off(..length).unwrap()).unwrap()
}

/// The result of comparing a kernel with function bodies.
#[derive(Debug, Default)]
struct Tally {
    /// How many elements of the bodies' answers the kernel accepts. A map or an empty optional counts as one element.
    compared: u64,
    /// The reasons why some bodies were not run.
    not_run: BTreeSet<String>,
    wrong: Vec<String>,
}

/// Returns whether an element is left open: by a rule, or because so much is uncertain on the way to it that an infinity
/// and NaN are accepted beside numbers.
fn is_open(tensor: &Expected, index: usize) -> bool {
    let is_undecided = |x: &Real| x.nan && (x.low.is_infinite() || x.high.is_infinite());
    tensor.latitude.iter().any(|(at, _)| *at == index)
        || matches!(&tensor.bounds, Some(Bounds::Real(reals)) if is_undecided(&reals[index]))
}

impl Tally {
    fn operands(&mut self, case: &str, kernel: &Operand, body: &Operand) {
        match (kernel, body) {
            (Operand::Tensor(kernel), Operand::Tensor(body)) => self.tensors(case, kernel, body),
            (Operand::Sequence { items: kernel, .. }, Operand::Sequence { items: body, .. })
                if kernel.len() == body.len() =>
            {
                kernel.iter().zip(body).for_each(|(kernel, body)| self.operands(case, kernel, body));
            }
            (Operand::Optional { item: Some(kernel), .. }, Operand::Optional { item: Some(body), .. }) => {
                self.operands(case, kernel, body);
            }
            _ if kernel.to_value() == body.to_value() => self.compared += 1,
            _ => self.wrong.push(format!(
                "{case}: the body's operand differs from the kernel's in kind, length or value: {:?}",
                body.to_value()
            )),
        }
    }

    fn tensors(&mut self, case: &str, kernel: &Expected, body: &Expected) {
        if kernel.dtype() != body.dtype() {
            return self.wrong.push(format!(
                "{case}: the body's output is {}, expected {}",
                body.dtype(),
                kernel.dtype()
            ));
        }
        if kernel.shape() != body.shape() {
            let (body, kernel) = (body.shape(), kernel.shape());
            return self.wrong.push(format!("{case}: the body's output has shape {body:?}, expected {kernel:?}"));
        }
        for i in 0..kernel.len() {
            let open = is_open(body, i);
            match kernel.judge(&body.tensor, i) {
                Judged::Wrong if open && body.judge(&kernel.tensor, i) != Judged::Wrong => {}
                Judged::Wrong => {
                    let (kernel, body) = (kernel.describe(i), body.describe(i));
                    self.wrong
                        .push(format!("{case}: element {i} is {kernel} from the kernel, but {body} from the body"));
                }
                Judged::Accepted => self.compared += 1,
                // An outcome that a rule lists for an open element is neither accepted nor wrong.
                Judged::Latitude(_) => {}
            }
        }
    }

    fn body(&mut self, case: &Case, body: &Model) {
        // Of all policies, this one allows the smallest errors.
        let oracle = Oracle::new(Policy::of_cpu());
        let evaluation = match oracle.evaluate(&case.model, &case.inputs) {
            Ok(evaluation) => evaluation,
            Err(refusal) => return self.wrong.push(format!("{}: the oracle refuses the case: {refusal}", case.id)),
        };
        // The body may follow another reading of a rule than the preferred one.
        let others = evaluation.others.into_iter().map(|other| other.outputs);
        let kernel: Vec<Vec<Operand>> = std::iter::once(evaluation.outputs).chain(others).collect();
        let whole = oracle.answer(body, &case.inputs);
        self.outputs(case, &case.id, &kernel, whole);
        let steps = stepped(body, &case.inputs);
        // If an element on the way is left open, the elements that depend on it are unknown.
        if !matches!(&steps, Ok(stepped) if stepped.open) {
            let outputs = steps.map(|stepped| stepped.outputs.iter().map(Operand::from).collect());
            self.outputs(case, &format!("{} in steps", case.id), &kernel, outputs);
        }
    }

    /// Compares the answer of a body with the answers of the kernel, one for each reading. One of them has to accept it.
    fn outputs(&mut self, case: &Case, id: &str, kernel: &[Vec<Operand>], body: Answer) {
        match body {
            Ok(body) => {
                let compared = |kernel: &Vec<Operand>| {
                    assert_eq!(kernel.len(), body.len(), "{id}");
                    let mut tally = Tally::default();
                    kernel.iter().zip(&body).for_each(|(kernel, body)| tally.operands(id, kernel, body));
                    tally
                };
                let tallies: Vec<Tally> = kernel.iter().map(compared).collect();
                let accepting = tallies.iter().position(|tally| tally.wrong.is_empty()).unwrap_or(0);
                let Some(tally) = tallies.into_iter().nth(accepting) else { return };
                self.compared += tally.compared;
                self.wrong.extend(tally.wrong);
            }
            Err(refusal) if refusal.kind == RefusalKind::Unsupported || no_such_body(case, &refusal.to_string()) => {
                self.not_run.insert(refusal.to_string());
            }
            Err(refusal) => self.wrong.push(format!("{id}: the oracle refuses the body: {refusal}")),
        }
    }
}

/// Returns whether a refusal means that the body is not valid for this case. There are three reasons:
/// - The body's operators do not take the types that the operator takes.
/// - An input is empty, and the body uses Reshape. A 0 in the shape then copies an extent, and a -1 cannot be inferred.
/// - The body's loop runs once for each element along a large extent, and so runs more nodes than the oracle takes.
fn no_such_body(case: &Case, refusal: &str) -> bool {
    let type_ =
        refusal.contains(" is tensor(") && (refusal.ends_with(" does not take") || refusal.ends_with(" already"));
    let empty = case.inputs.iter().filter_map(Value::as_tensor).any(Tensor::is_empty);
    let long = ["Loop-", "Scan-"].iter().any(|operator| refusal.starts_with(operator))
        && refusal.ends_with("more nodes than the oracle takes");
    type_ || empty && refusal.starts_with("Reshape-") || long
}

#[test]
fn kernels_accept_the_answers_of_function_bodies() {
    let cells = cells_with_bodies();
    let cases: Vec<Case> = cells.iter().flat_map(|c| (0..CASES).filter_map(|i| c.case(None, i, 0))).collect();
    let Some(bodies) = bodies(&cases) else { return };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (case, bodies) in cases.iter().zip(&bodies) {
        let tally = tallies.entry(case.version.to_string()).or_default();
        bodies.iter().for_each(|body| tally.body(case, body));
    }
    let mut problems = Vec::new();
    for (version, tally) in &mut tallies {
        for (_, label, what) in CONTRADICTIONS.iter().filter(|(v, ..)| v == version) {
            let all = tally.wrong.len();
            tally.wrong.retain(|line| !line.contains(what));
            if tally.wrong.len() == all {
                problems.push(format!("{version}: no case contradicts the body any more ({label})"));
            }
        }
        if !tally.not_run.is_empty() {
            println!("{version}: {} elements compared; {:?}", tally.compared, tally.not_run);
        }
        let lacks_kernels = tally.not_run.iter().any(|reason| reason.ends_with("no kernel for this operator"));
        if tally.compared == 0 && !lacks_kernels {
            problems.push(format!("{version}: the kernel accepts no element of a body"));
        }
        problems.extend(tally.wrong.iter().take(5).cloned());
    }
    println!("{} operator versions, {} cases", tallies.len(), cases.len());
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn contradictions_with_bodies_are_in_the_rules() {
    for (version, label, _) in CONTRADICTIONS {
        let id = version.parse().unwrap();
        let operator = Spec::embedded().version(&id).and_then(|v| Spec::embedded().operator(&v.id.domain, &v.id.name));
        let rules = operator.and_then(|o| o.rules.as_ref()).unwrap();
        let behaviour = rules.behaviours.iter().find(|b| b.label == *label && b.text.contains("function body"));
        assert!(behaviour.is_some(), "{version}: the text of {label} does not mention a function body");
    }
}

/// Checks that a difference between kernel and body is found. Here the bodies are changed, not the kernels.
#[test]
fn bodies_of_other_operators_are_not_accepted() {
    for cell in ["Softplus-22/T=float", "LogSoftmax-13/T=double", "GreaterOrEqual-16/T=int8"] {
        let cases: Vec<Case> = (0..8).map(|i| case_of(&format!("{cell}/{i}@0")).unwrap()).collect();
        let Some(bodies) = bodies(&cases) else { return };
        let (mut right, mut wrong) = (Tally::default(), Tally::default());
        for (case, mut body) in cases.iter().zip(bodies).flat_map(|(case, of)| of.into_iter().map(move |b| (case, b))) {
            right.body(case, &body);
            for node in body.proto.functions.iter_mut().flat_map(|f| &mut f.node) {
                let other = match node.op_type.as_deref() {
                    Some("Exp") => "Abs",
                    Some("Greater") => "Less",
                    _ => continue,
                };
                node.op_type = Some(other.to_owned());
            }
            wrong.body(case, &body);
        }
        assert!(right.wrong.is_empty() && right.compared > 100, "{cell}: {right:?}");
        assert!(!wrong.wrong.is_empty(), "{cell}: the body of another operator is accepted");
    }
}
