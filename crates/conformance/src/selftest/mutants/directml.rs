//! Mutants of DirectML's operators, derived from what the operators compute: a case carries that as a function, and a
//! mutant changes one node of it, the places from which a tensor is read, or the answer.

use std::collections::BTreeMap;

use plumbline_generator::Case;
use plumbline_generator::directml::{DirectMlCell, id_of};
use plumbline_oracle::{Oracle, Policy};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Tensor, Value, tensor_from_proto, tensor_to_proto};
use rayon::prelude::*;

use super::change::Change;
use super::run::{JudgeFn, MutantSettings, Question, question};
use super::{Fate, MutantKind, MutantReport, MutantResult};
use crate::running::{Advance, Progress};

/// Operators that a mutant runs in place of another.
const INSTEAD: [(&str, &str); 54] = [
    ("Add", "Sub"),
    ("And", "Or"),
    ("ArgMax", "ArgMin"),
    ("ArgMin", "ArgMax"),
    ("Asin", "Atan"),
    ("Atan", "Asin"),
    ("BitShift", "BitwiseAnd"),
    ("BitwiseAnd", "BitwiseOr"),
    ("BitwiseOr", "BitwiseXor"),
    ("BitwiseXor", "BitwiseOr"),
    ("Ceil", "Floor"),
    ("Celu", "Elu"),
    ("Cos", "Sin"),
    ("Cosh", "Sinh"),
    ("Div", "Mul"),
    ("Elu", "LeakyRelu"),
    ("Equal", "GreaterOrEqual"),
    ("Exp", "Softplus"),
    ("Floor", "Ceil"),
    ("Gelu", "Relu"),
    ("Greater", "GreaterOrEqual"),
    ("GreaterOrEqual", "Greater"),
    ("Hardmax", "Softmax"),
    ("LeakyRelu", "Elu"),
    ("Less", "LessOrEqual"),
    ("LessOrEqual", "Less"),
    ("LogSoftmax", "Softmax"),
    ("Max", "Min"),
    ("MaxPool", "AveragePool"),
    ("Min", "Max"),
    ("Mul", "Add"),
    ("Or", "Xor"),
    ("ReduceL1", "ReduceL2"),
    ("ReduceL2", "ReduceL1"),
    ("ReduceLogSum", "ReduceLogSumExp"),
    ("ReduceLogSumExp", "ReduceLogSum"),
    ("ReduceMax", "ReduceMin"),
    ("ReduceMean", "ReduceSum"),
    ("ReduceMin", "ReduceMax"),
    ("ReduceProd", "ReduceSum"),
    ("ReduceSum", "ReduceMean"),
    ("ReduceSumSquare", "ReduceL2"),
    ("Relu", "LeakyRelu"),
    ("Round", "Floor"),
    ("Selu", "Elu"),
    ("Sigmoid", "HardSigmoid"),
    ("Sin", "Cos"),
    ("Sinh", "Cosh"),
    ("Softmax", "LogSoftmax"),
    ("Softplus", "Relu"),
    ("Sqrt", "Abs"),
    ("Sub", "Add"),
    ("Tanh", "Sigmoid"),
    ("Xor", "Or"),
];

/// What a mutant does differently. A node is named by its first output.
#[derive(Clone, Debug)]
enum Fault {
    /// A node runs another operator.
    Operator(String, &'static str),
    /// The first two inputs of a node are exchanged.
    Swapped(String),
    /// A node gives its first input.
    Skipped(String),
    /// The last input of a node is left out.
    NoInput(String),
    /// An attribute of a node is left out.
    NoAttribute(String, String),
    /// All numbers in an attribute of a node, or in a constant, are larger by this.
    Number(String, String, f64),
    /// An input is read as if its elements lay one after the other.
    Packed(String),
    /// The elements of an input are read in the opposite order.
    Reversed(String),
    /// Every output is changed.
    Output(Change),
}

/// A mutant of an operator.
struct DirectMlMutant {
    name: String,
    kind: MutantKind,
    fault: Fault,
}

/// Runs every wanted mutant of the selected operators of DirectML.
pub fn run_directml(settings: &MutantSettings, judge: &JudgeFn, progress: &dyn Progress) -> MutantReport {
    let mut by_operator: BTreeMap<u32, Vec<DirectMlCell>> = BTreeMap::new();
    for cell in DirectMlCell::all().into_iter().filter(|cell| settings.selection.takes_directml(cell)) {
        by_operator.entry(cell.operator.value).or_default().push(cell);
    }
    progress.start(by_operator.len() as u64);
    let work: Vec<Vec<DirectMlCell>> = by_operator.into_values().collect();
    let done: Vec<MutantReport> = work
        .par_iter()
        .with_max_len(1)
        .map(|cells| {
            let report = one_operator(settings, judge, cells);
            let survivors = report.results.iter().filter(|result| result.fate == Fate::Survived).count() as u64;
            progress.advance(Advance { pieces: 1, cases: report.cases, unexpected: survivors, causes: survivors });
            report
        })
        .collect();
    progress.finish();
    let mut whole = MutantReport::default();
    for report in done {
        whole.results.extend(report.results);
        whole.broken.extend(report.broken);
        whole.cases += report.cases;
    }
    whole
}

fn one_operator(settings: &MutantSettings, judge: &JudgeFn, cells: &[DirectMlCell]) -> MutantReport {
    let reference = Oracle::new(Policy::of_cpu());
    let mut report = MutantReport::default();
    let drawn = (0..settings.cases)
        .flat_map(|index| cells.iter().filter_map(move |cell| cell.case(None, index, settings.seed)));
    let mut questions = Vec::new();
    for case in drawn {
        report.cases += 1;
        match question(&reference, judge, case) {
            Ok(question) => questions.push(question),
            Err(reason) => report.broken.push(reason),
        }
    }
    let Some(cell) = cells.first() else { return report };
    let mut mutants = derived(questions.iter().map(|question| &question.case));
    mutants.sort_by(|a, b| a.name.cmp(&b.name));
    mutants.dedup_by(|a, b| a.name == b.name);
    mutants.retain(|mutant| settings.takes(mutant.kind));
    for mutant in mutants {
        let mut result = MutantResult::unchanged(id_of(cell.operator), mutant.name, mutant.kind, None);
        result.count(judge, &questions, |_, question| mutant.fault.answer(&reference, question), |_, _| ());
        report.results.push(result);
    }
    report
}

/// Returns the mutants that change something in one of these cases.
fn derived<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<DirectMlMutant> {
    let mut mutants = Vec::new();
    let mut add = |kind, name: String, fault| mutants.push(DirectMlMutant { name, kind, fault });
    for (name, kind, change) in [
        ("outputs-reversed", MutantKind::Order, Change::Reversed),
        ("outputs-last-zeroed", MutantKind::Order, Change::LastZeroed),
        ("outputs-first-repeated", MutantKind::Order, Change::FirstRepeated),
        ("outputs-in-16-bits", MutantKind::Precision, Change::Through(DType::Bfloat16)),
    ] {
        add(kind, name.to_owned(), Fault::Output(change));
    }
    for case in cases {
        for node in case.model.proto.functions.iter().flat_map(|function| &function.node) {
            let [output, ..] = node.output.as_slice() else { continue };
            let operator = node.op_type.as_deref().unwrap_or_default();
            if let Some(input) = output.strip_suffix("_places") {
                add(MutantKind::Layout, format!("{input}-read-as-packed"), Fault::Packed(output.clone()));
                add(MutantKind::Layout, format!("{input}-read-backward"), Fault::Reversed(output.clone()));
                continue;
            }
            if output.ends_with("_flat") || node.input.first().is_some_and(|input| input.ends_with("_flat")) {
                continue;
            }
            let is_sizes = output.ends_with("_sizes");
            let place = format!("{output}-{operator}");
            if let Some((_, other)) = INSTEAD.iter().find(|(known, _)| *known == operator) {
                add(MutantKind::Meaning, format!("{place}-as-{other}"), Fault::Operator(output.clone(), other));
            }
            let given = node.input.iter().filter(|input| !input.is_empty()).count();
            if given > 0 {
                add(MutantKind::Meaning, format!("{place}-skipped"), Fault::Skipped(output.clone()));
            }
            if given > 1 {
                add(MutantKind::Meaning, format!("{place}-inputs-swapped"), Fault::Swapped(output.clone()));
                add(MutantKind::Meaning, format!("{place}-last-input-ignored"), Fault::NoInput(output.clone()));
            }
            for attribute in node.attribute.iter().filter(|_| !is_sizes) {
                let name = attribute.name.clone().unwrap_or_default();
                if operator != "Constant" {
                    let fault = Fault::NoAttribute(output.clone(), name.clone());
                    add(MutantKind::Meaning, format!("{place}-{name}-ignored"), fault);
                }
                if name == "to" {
                    continue;
                }
                for by in [1.0, -1.0] {
                    let fault = Fault::Number(output.clone(), name.clone(), by);
                    add(MutantKind::Meaning, format!("{place}-{name}-plus-{by}"), fault);
                }
            }
        }
    }
    mutants
}

impl Fault {
    /// Returns what the mutant answers. `None` if it does nothing different in this case, or if the changed function has no
    /// answer.
    fn answer(&self, reference: &Oracle, question: &Question) -> Option<Vec<Value>> {
        if let Fault::Output(change) = self {
            return question.preferred.iter().map(|value| change.value(value, 0)).collect();
        }
        let mut model = question.case.model.clone();
        self.edit(&mut model)?;
        let operands = reference.answer(&model, &question.case.inputs).ok()?;
        let values: Vec<Value> = operands.iter().map(|operand| operand.to_value()).collect();
        // An answer of another shape or type is noticed, but says nothing about the judge.
        let is_alike = |(a, b): (&Value, &Value)| match (a.as_tensor(), b.as_tensor()) {
            (Some(a), Some(b)) => a.shape() == b.shape() && a.dtype() == b.dtype(),
            _ => false,
        };
        values.iter().zip(&question.preferred).all(is_alike).then_some(values)
    }

    fn edit(&self, model: &mut Model) -> Option<()> {
        let (Fault::Operator(place, _)
        | Fault::Swapped(place)
        | Fault::Skipped(place)
        | Fault::NoInput(place)
        | Fault::NoAttribute(place, _)
        | Fault::Number(place, ..)
        | Fault::Packed(place)
        | Fault::Reversed(place)) = self
        else {
            return None;
        };
        let mut nodes = model.proto.functions.iter_mut().flat_map(|function| &mut function.node);
        let node = nodes.find(|node| node.output.first() == Some(place))?;
        match self {
            Fault::Operator(_, other) => node.op_type = Some((*other).to_owned()),
            Fault::Swapped(_) if node.input.len() > 1 => node.input.swap(0, 1),
            Fault::Skipped(_) => {
                let input = node.input.first()?.clone();
                let op_type = Some("Identity".to_owned());
                *node = NodeProto { op_type, input: vec![input], output: vec![place.clone()], ..NodeProto::default() };
            }
            Fault::NoInput(_) => _ = node.input.pop()?,
            Fault::NoAttribute(_, name) => node.attribute.retain(|attribute| attribute.name.as_deref() != Some(name)),
            Fault::Number(_, name, by) => {
                let attribute = node.attribute.iter_mut().find(|attribute| attribute.name.as_deref() == Some(name))?;
                attribute.i = attribute.i.map(|value| value + *by as i64);
                attribute.f = attribute.f.map(|value| value + *by as f32);
                attribute.ints.iter_mut().for_each(|value| *value += *by as i64);
                attribute.floats.iter_mut().for_each(|value| *value += *by as f32);
                if let Some(constant) = &mut attribute.t {
                    let changed = Change::Plus(*by).tensor(&tensor_from_proto(constant).ok()?, 0)?;
                    *constant = tensor_to_proto(&changed, "");
                }
            }
            Fault::Packed(_) => relaid(node, |places| (0..places.len() as i64).collect())?,
            Fault::Reversed(_) => relaid(node, |places| places.iter().rev().copied().collect())?,
            _ => return None,
        }
        Some(())
    }
}

/// Changes the places from which the elements of an input are read.
fn relaid(node: &mut NodeProto, places: impl Fn(&[i64]) -> Vec<i64>) -> Option<()> {
    let constant = node.attribute.first_mut()?.t.as_mut()?;
    let was = tensor_from_proto(constant).ok()?;
    let was: Vec<i64> = (0..was.len()).map(|at| was.i128_at(at) as i64).collect();
    *constant = tensor_to_proto(&Tensor::from_i64s(&places(&was)), "");
    Some(())
}
