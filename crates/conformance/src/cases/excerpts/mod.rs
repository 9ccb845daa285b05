//! The suite `model`: parts of a model that somebody gives, as cases.
//!
//! [`cut`] cuts a model into its distinct nodes, and into connected subgraphs of two to six nodes. Each of them is an
//! [`Excerpt`], with the attributes, constants, types and shapes that it has in the model. Equal ones are taken once. The
//! cases of an excerpt answer whether a backend computes the operators of this model right.
//!
//! The model is run node by node, to know the values that its nodes get. The first case of an excerpt has these values as
//! inputs. Further cases draw values that are distributed alike.
//!
//! Only the nodes of the main graph are cut out. A node with graphs in its attributes (If, Loop, Scan), or one that calls
//! a function of the model, is a single node.
//!
//! A case has the id `model/NAME/12/0@0` or `model/NAME/12+13+15/0@0`: the positions of its nodes in the main graph, its
//! index and the seed.

mod alike;
mod connected;
mod inputs;
mod submodel;
mod walk;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use plumbline_generator::{Case, Choices, Origin};
use plumbline_graph::Library;
use plumbline_judge::hash;
use plumbline_oracle::Oracle;
use plumbline_spec::{OperatorId, Opsets, canonical_domain};
use plumbline_tensor::{DType, Model, Value};

use self::alike::{Kept, alike};
pub use self::walk::Compute;
use self::walk::Walked;
use crate::cases::{Layout, NodePlace, case_of_model};

/// The name of the suite. The ids of its cases begin with it.
pub const SUITE: &str = "model";

/// The number of subgraphs that are taken of a model if nothing else is asked for.
pub const SUBGRAPHS: usize = 300;

/// The largest number of nodes of a subgraph.
const MOST_NODES: usize = 6;

/// The largest number of elements of the inputs, constants and outputs of a node, and of all values of a subgraph.
const MOST_ELEMENTS: usize = 1 << 20;

/// The largest number of elements of a constant, and of the inputs of a node that is only run to know what comes after
/// it.
const MOST_COMPUTED: usize = 1 << 24;

/// The largest number of steps of the oracle for one node (see [`Oracle::with_most_steps`]).
const MOST_STEPS: u64 = 1 << 24;

/// What becomes of the constants of a model: its initializers, and the values of its `Constant` nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constants {
    /// They stay as they are.
    #[default]
    Kept,
    /// Others that are distributed alike take their place, so that cases do not show what the model has learned. Nodes
    /// whose attributes have graphs or long lists, and nodes that call functions of the model, are left out.
    Drawn,
}

/// How a model is cut.
#[derive(Clone)]
pub struct Cutting<'a> {
    /// What becomes of the constants.
    pub constants: Constants,
    /// The largest number of subgraphs.
    pub subgraphs: usize,
    /// The seed of the values and extents that are drawn.
    pub seed: u64,
    /// The inputs of the model, in the order of [`Model::input_names`]. If there are none, they are drawn.
    pub inputs: Option<Vec<Value>>,
    /// Computes a node that is too large for a case, so that the nodes after it have values.
    pub compute: Option<Compute<'a>>,
}

/// A model cannot be cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// The model has no nodes.
    #[error("the model has no nodes")]
    Empty,
    /// An opset is newer than the newest one that is known.
    #[error("the model imports opset {opset} of `{domain}`; the newest one that is known is {newest}")]
    Opset {
        /// The domain.
        domain: String,
        /// The imported version.
        opset: i64,
        /// The newest known version.
        newest: i64,
    },
    /// No node is an operator of a known version.
    #[error("no node of the model is an operator of ONNX at an opset that the model imports: {reason}")]
    Operators {
        /// What is wrong with the first node.
        reason: String,
    },
    /// The number of given inputs is wrong.
    #[error("{found} inputs are given, but the model has {expected}")]
    Inputs {
        /// How many are given.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
}

/// A model that was cut.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The excerpts: first the single nodes, then subgraphs of two, three and more nodes.
    pub excerpts: Vec<Arc<Excerpt>>,
    /// The number of nodes of the main graph, without `Constant` nodes.
    pub nodes: usize,
    /// The number of distinct nodes among those that could be cut out.
    pub distinct: usize,
    /// The number of subgraphs that were found. The excerpts have some of them.
    pub subgraphs: usize,
    /// The nodes that are in no excerpt, by the reason.
    pub left_out: BTreeMap<LeftOut, Vec<NodePlace>>,
}

/// Why a node is in no excerpt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// It has too many elements.
    Elements,
    /// It takes the oracle too many steps.
    Steps,
    /// The value of an input is not known, because a node before it is left out.
    NoInput,
    /// Its attributes may show what the model has learned, and constants are to be drawn.
    Confidential,
    /// The oracle has no answer, for this reason.
    Refused(String),
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LeftOut::Elements => write!(f, "more than {MOST_ELEMENTS} elements"),
            LeftOut::Steps => write!(f, "more than {MOST_STEPS} steps of the oracle"),
            LeftOut::NoInput => f.write_str("no value is known for an input"),
            LeftOut::Confidential => f.write_str("attributes that are not drawn anew"),
            LeftOut::Refused(reason) => f.write_str(reason),
        }
    }
}

/// A model with the values of a run.
#[derive(Debug)]
struct Source {
    name: String,
    model: Model,
    constants: Constants,
    walked: Walked,
}

/// A part of a model: one node, or several nodes that are connected.
#[derive(Clone, Debug)]
pub struct Excerpt {
    source: Arc<Source>,
    nodes: Vec<usize>,
    operators: Vec<OperatorId>,
    dtypes: Vec<DType>,
}

impl Excerpt {
    /// Returns the operator of each node. A node that calls a function of the model has none.
    pub fn operators(&self) -> &[OperatorId] {
        &self.operators
    }

    /// Returns the element types of the inputs, constants and outputs.
    pub fn dtypes(&self) -> &[DType] {
        &self.dtypes
    }

    /// Returns the operator of a single node, or else how many nodes there are.
    pub fn operator(&self) -> String {
        match (self.nodes.as_slice(), self.operators.as_slice()) {
            ([_], [id]) => format!("{}.{}", id.domain, id.name),
            (nodes, _) => format!("{SUITE}/{} nodes", nodes.len()),
        }
    }

    /// Returns case `index`: the first one on the values of the run, and the others on drawn ones. Returns `None` if the
    /// oracle refuses the values that were drawn.
    pub fn draw(&self, index: u64, seed: u64) -> Option<Case> {
        let id = format!("{self}/{index}@{seed}");
        let part = submodel::part(&self.source, &self.nodes)?;
        let case = |inputs| {
            let origin = Origin::Graph { index, seed };
            Case { origin, ..case_of_model(id.clone(), part.model.clone(), inputs, None) }
        };
        if index == 0 {
            return Some(case(part.inputs));
        }
        let mut choices = Choices::random(hash(&id));
        // Indices and the like are not valid with any value, so the second attempt keeps what is no float.
        [Kept::Short, Kept::Integers].into_iter().find_map(|kept| {
            let inputs: Vec<Value> = part.inputs.iter().map(|value| alike(value, kept, &mut choices)).collect();
            let is_valid = inputs == part.inputs || Oracle::default().evaluate(&part.model, &inputs).is_ok();
            is_valid.then(|| case(inputs))
        })
    }
}

/// Writes what an id has before the index: `model/NAME/12+13`.
impl std::fmt::Display for Excerpt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nodes: Vec<String> = self.nodes.iter().map(usize::to_string).collect();
        write!(f, "{SUITE}/{}/{}", self.source.name, nodes.join("+"))
    }
}

/// Returns whether this is the id of a case that was cut out of a model.
pub fn is_id(id: &str) -> bool {
    id.split_once('/').is_some_and(|(suite, _)| suite == SUITE)
}

/// Cuts a model. `name` is the name of the model in the ids of its cases.
///
/// # Errors
/// Fails if the model has no nodes, if it imports an unknown opset, or if the number of inputs is wrong. A node that
/// cannot be cut out is listed in [`Cut::left_out`].
pub fn cut(name: &str, model: Model, cutting: &Cutting) -> Result<Cut, CutError> {
    check(&model)?;
    let expected = model.input_names().len();
    if let Some(found) = cutting.inputs.as_ref().map(Vec::len).filter(|found| *found != expected) {
        return Err(CutError::Inputs { found, expected });
    }
    let walked = walk::walk(name, &model, cutting);
    let source = Arc::new(Source { name: name.to_owned(), model, constants: cutting.constants, walked });
    let layout = Layout::new(&source.model);
    let is_node = |at: &usize| !walk::is_constant(&layout.nodes()[*at]);
    let all: Vec<usize> = (0..layout.nodes().len()).filter(is_node).collect();
    let mut left_out: BTreeMap<LeftOut, Vec<NodePlace>> = BTreeMap::new();
    for (&at, reason) in &source.walked.left_out {
        left_out.entry(reason.clone()).or_default().push(layout.place(at));
    }
    let is_usable = |at: &usize| !source.walked.left_out.contains_key(at);
    let usable: Vec<usize> = all.iter().copied().filter(is_usable).collect();
    let mut seen = HashSet::new();
    let mut taken = |nodes: &[usize]| {
        let part = submodel::part(&source, nodes)?;
        let is_small = nodes.len() == 1 || part.elements <= MOST_ELEMENTS;
        let library = Library::new(&source.model);
        let called = |&at: &usize| library.function(&layout.nodes()[at]).is_some();
        let version = |&at: &usize| library.resolve(&layout.nodes()[at]).ok().map(|version| version.id.clone());
        (is_small && seen.insert(part.key)).then(|| {
            let operators = nodes.iter().filter(|at| !called(at)).filter_map(version).collect();
            Arc::new(Excerpt { source: source.clone(), nodes: nodes.to_vec(), operators, dtypes: part.dtypes })
        })
    };
    let mut excerpts: Vec<Arc<Excerpt>> = usable.iter().filter_map(|&at| taken(&[at])).collect();
    let distinct = excerpts.len();
    let found = connected::subgraphs(&layout, &usable, hash(&format!("{name}@{}", cutting.seed)));
    let subgraphs = found.iter().map(Vec::len).sum();
    for (at, of_size) in found.iter().enumerate() {
        // What smaller subgraphs leave goes to the larger ones.
        let quota = (distinct + cutting.subgraphs).saturating_sub(excerpts.len()).div_ceil(found.len() - at);
        excerpts.extend(of_size.iter().filter_map(|nodes| taken(nodes)).take(quota));
    }
    Ok(Cut { excerpts, nodes: all.len(), distinct, subgraphs, left_out })
}

/// Checks that the model has nodes of operators that are known.
fn check(model: &Model) -> Result<(), CutError> {
    for import in &model.proto.opset_import {
        let domain = canonical_domain(import.domain.as_deref().unwrap_or_default());
        let opset = import.version.unwrap_or(1);
        if let Some(newest) = Opsets::embedded().last(domain).filter(|newest| opset > *newest) {
            return Err(CutError::Opset { domain: domain.to_owned(), opset, newest });
        }
    }
    let library = Library::new(model);
    let reason = |node| match (library.function(node), library.resolve(node)) {
        (None, Err(refusal)) => Some(refusal.to_string()),
        _ => None,
    };
    let reasons: Vec<Option<String>> = model.graph().node.iter().map(reason).collect();
    match reasons.into_iter().collect::<Option<Vec<String>>>() {
        Some(reasons) => match reasons.into_iter().next() {
            None => Err(CutError::Empty),
            Some(reason) => Err(CutError::Operators { reason }),
        },
        None => Ok(()),
    }
}
