//! Which operators a graph can have at an opset.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use plumbline_generator::{Cell, Choices, cells_of, recipe};
use plumbline_spec::{Domain, Operator, OperatorId, OperatorVersion, Opsets, Spec};
use plumbline_tensor::DType;
use plumbline_tensor::onnx::OperatorSetIdProto;

use super::OLDEST_OPSET;
use crate::cases::IR_OF_FREE_INITIALIZERS;

const ONNX: &str = "ai.onnx";
/// The domain whose operators are drawn among those of `ai.onnx`, in the graphs that import it.
pub(super) const ML: &str = "ai.onnx.ml";

/// Operators that optimizers and planners look for most. Each is drawn as often as [`WEIGHT`] others.
const USUAL: [&str; 34] = [
    "Add",
    "BatchNormalization",
    "Cast",
    "Clip",
    "Concat",
    "Conv",
    "DequantizeLinear",
    "Div",
    "Expand",
    "Gather",
    "Gemm",
    "Identity",
    "LayerNormalization",
    "MatMul",
    "Max",
    "Min",
    "Mul",
    "Pad",
    "Pow",
    "QuantizeLinear",
    "ReduceMean",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Shape",
    "Slice",
    "Softmax",
    "Split",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Transpose",
    "Unsqueeze",
    "Where",
];
const WEIGHT: usize = 4;

/// The operators of one opset.
#[derive(Debug)]
pub(super) struct Menu {
    pub opset: u32,
    /// The opsets that a model of this menu imports, by domain.
    pub imports: Vec<OperatorSetIdProto>,
    pub ir_version: i64,
    /// The cells of each operator; operators of [`USUAL`] and of [`ML`] are there several times.
    operators: Vec<Arc<[Cell]>>,
}

/// The menus by opset and further imports.
type Menus = BTreeMap<(u32, Vec<(String, u32)>), Arc<Menu>>;

static MENUS: Mutex<Menus> = Mutex::new(BTreeMap::new());

/// Returns the newest opset of `ai.onnx`.
pub(super) fn newest() -> u32 {
    let release = Opsets::embedded().releases.last();
    release.and_then(|release| u32::try_from(*release.opsets.get(ONNX)?).ok()).unwrap_or(OLDEST_OPSET)
}

/// Returns the opset of another domain in the release of ONNX that has this opset of `ai.onnx`.
pub(super) fn opset_beside(domain: &str, opset: u32) -> Option<u32> {
    Domain::find(domain)?.opset_beside(opset)
}

/// Returns the opset of an operator's domain that a graph with it imports beside this opset of `ai.onnx`. `None` for an
/// operator of `ai.onnx`.
pub(super) fn import_of(id: &OperatorId, opset: u32) -> Option<(String, u32)> {
    let version = opset_beside(&id.domain, opset).unwrap_or(id.since);
    (id.domain != ONNX).then(|| (id.domain.clone(), version))
}

/// Returns the opsets of `ai.onnx` with which this operator version can be in a graph.
pub(super) fn opsets(version: &OperatorVersion) -> Option<RangeInclusive<u32>> {
    let domain = Domain::find(&version.id.domain)?;
    let operator = Spec::embedded().operator(&version.id.domain, &version.id.name)?;
    let is_selected = |opset: u32| operator.resolve(i64::from(opset)).is_some_and(|found| found.id == version.id);
    let fits = |opset: &u32| match domain.name.as_str() {
        ONNX => is_selected(*opset),
        _ => domain.opset_beside(*opset).is_some_and(is_selected),
    };
    let mut fitting = (OLDEST_OPSET..=newest()).filter(fits);
    if let Some(first) = fitting.next() {
        return Some(first..=fitting.next_back().unwrap_or(first));
    }
    // No release has the domain: beside it is the opset of the release that stands for it.
    let beside = domain.onnx_opset(version.since()).and_then(|opset| u32::try_from(opset).ok())?.max(OLDEST_OPSET);
    Some(beside..=beside)
}

impl Menu {
    /// Returns the menu of a graph that also imports these opsets of other domains.
    pub fn beside(imports: &[(String, u32)], opset: u32) -> Arc<Menu> {
        let key = (opset, imports.to_vec());
        let known = MENUS.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let menu = Arc::new(Menu::new(opset, imports));
            MENUS.lock().unwrap_or_else(PoisonError::into_inner).insert(key, menu.clone());
            menu
        })
    }

    fn new(opset: u32, others: &[(String, u32)]) -> Menu {
        let import = |domain: &str, version: u32| OperatorSetIdProto {
            domain: Some(if domain == ONNX { String::new() } else { domain.to_owned() }),
            version: Some(i64::from(version)),
        };
        let mut operators = Vec::new();
        let imported = |operator: &Operator| match operator.domain.as_str() {
            ONNX => Some(opset),
            ML => others.iter().find(|(domain, _)| domain == ML).map(|(_, version)| *version),
            _ => None,
        };
        for operator in Spec::embedded().operators() {
            let version = imported(operator).and_then(|opset| operator.resolve(i64::from(opset)));
            let Some(version) = version.filter(|version| version.is_callable()) else { continue };
            if recipe(&operator.domain, &operator.name).is_some() {
                let cells: Arc<[Cell]> = cells_of(version).into();
                let often = operator.domain == ML || USUAL.contains(&operator.name.as_str());
                operators.extend(std::iter::repeat_n(cells, if often { WEIGHT } else { 1 }));
            }
        }
        let release = Domain::find(ONNX).and_then(|domain| domain.release(opset));
        let imports =
            [import(ONNX, opset)].into_iter().chain(others.iter().map(|(domain, version)| import(domain, *version)));
        Menu {
            opset,
            imports: imports.collect(),
            ir_version: release.map_or(0, |release| release.ir).max(IR_OF_FREE_INITIALIZERS),
            operators,
        }
    }

    /// Draws a cell: of any operator, with one of these element types if the operator has it.
    pub fn cell(&self, wanted: &[DType], choices: &mut Choices) -> Option<Cell> {
        let cells = self.operators.get(choices.below(self.operators.len() as u64) as usize)?;
        let of_type = |cell: &&Cell| cell.bound.as_ref().is_some_and(|(_, type_)| wanted.contains(&type_.leaf_dtype()));
        let fitting: Vec<&Cell> = cells.iter().filter(of_type).collect();
        let at = choices.below(if fitting.is_empty() { cells.len() } else { fitting.len() } as u64) as usize;
        fitting.get(at).copied().or_else(|| cells.get(at)).cloned()
    }
}
