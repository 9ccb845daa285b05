//! The judgement of the answer to a model: of its outputs and of its nodes.

use plumbline_judge::{ElementJudgement, FailKind, Judgement, Verdict};
use plumbline_tensor::{Value, ValueKind};

use crate::cases::NodePlace;

/// The judgement of one output of a model, or of one of its intermediate values.
#[derive(Clone, Debug)]
pub struct OutputJudgement {
    /// The name of the value.
    pub name: String,
    /// The type of the value that was found.
    pub kind: ValueKind,
    /// The shape of the tensor that was found; `None` if the value is not a tensor.
    pub shape: Option<Vec<usize>>,
    /// The judgement.
    pub judgement: Judgement,
    /// How many elements are wrong. It is 0 for an output of a wrong type or shape, whose elements are not compared.
    pub wrong: usize,
    /// The first elements that are wrong, or right only because a rule leaves them open. If there are too many, those
    /// that a rule leaves open are left out first.
    pub elements: Vec<ElementJudgement>,
}

impl OutputJudgement {
    pub(super) fn new(name: &str, value: &Value, judgement: Judgement) -> OutputJudgement {
        OutputJudgement {
            name: name.to_owned(),
            kind: value.kind(),
            shape: value.as_tensor().map(|tensor| tensor.shape().to_vec()),
            judgement,
            wrong: 0,
            elements: vec![],
        }
    }
}

/// The judgement of a node alone, or why there is none.
#[derive(Clone, Debug)]
pub enum NodeOutcome {
    /// The values of its outputs were judged.
    Judged {
        /// The verdict on all of them.
        verdict: Verdict,
        /// How they fail.
        kind: Option<FailKind>,
        /// What is wrong, or which rule leaves something open.
        detail: Option<String>,
        /// The judgement of each output whose value is given.
        outputs: Vec<OutputJudgement>,
    },
    /// It was not judged, for this reason.
    NotJudged {
        /// The reason.
        reason: String,
        /// Whether it would have been judged if the work had not ended.
        is_late: bool,
    },
}

/// The judgement of one node on the values that the implementation itself had as the node's inputs.
#[derive(Clone, Debug)]
pub struct NodeJudgement {
    /// The node.
    pub node: NodePlace,
    /// The nodes before it that were judged together with it, because their outputs are not given. `Constant` nodes are
    /// not among them.
    pub together_with: Vec<NodePlace>,
    /// The result.
    pub outcome: NodeOutcome,
    /// The positions of wrong nodes whose outputs this node reads, directly or through other nodes. If this node is
    /// accepted, its output is right for the wrong values that it read. If this node is not accepted, it has an error
    /// of its own as well.
    pub after_wrong: Vec<usize>,
}

impl NodeJudgement {
    /// Returns the verdict, if the node was judged.
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.outcome {
            NodeOutcome::Judged { verdict, .. } => Some(*verdict),
            NodeOutcome::NotJudged { .. } => None,
        }
    }

    /// Returns how the node fails, if it was judged and is not accepted.
    pub fn kind(&self) -> Option<FailKind> {
        match &self.outcome {
            NodeOutcome::Judged { kind, .. } => *kind,
            NodeOutcome::NotJudged { .. } => None,
        }
    }

    /// Returns whether the node was judged and is not accepted.
    pub fn is_wrong(&self) -> bool {
        self.verdict().is_some_and(|verdict| !is_accepted(verdict))
    }

    /// Returns whether the node was judged and is not accepted, but only inaccurate.
    pub fn is_inaccurate(&self) -> bool {
        self.kind() == Some(FailKind::Inaccurate)
    }
}

/// The judgement of the answer to a model.
#[derive(Clone, Debug)]
pub struct ModelJudgement {
    /// The verdict on the outputs and on all nodes that were judged.
    pub verdict: Verdict,
    /// How the answer fails. It is [`FailKind::Inaccurate`] if every output and every node that fails is inaccurate.
    pub kind: Option<FailKind>,
    /// What is wrong, or which rule leaves something open.
    pub detail: Option<String>,
    /// The accuracy table by which functions were judged.
    pub accuracy: String,
    /// The outputs that were judged, in the order of the model.
    pub outputs: Vec<OutputJudgement>,
    /// Why the oracle could not compute the outputs from the inputs of the model. Each output then takes its
    /// judgement from the node that computes it. `None` if the oracle could compute the outputs.
    pub by_nodes: Option<String>,
    /// The nodes in their order; empty if no values were given.
    pub nodes: Vec<NodeJudgement>,
    /// The names of given values that the model does not have.
    pub unknown_values: Vec<String>,
    /// How far the work got, if it ended before every node was judged whose values are given; `None` otherwise.
    pub incomplete: Option<Incomplete>,
}

/// How far the work got that ended before everything was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// How many nodes were judged.
    pub judged: usize,
    /// How many would have been judged.
    pub nodes: usize,
}

impl ModelJudgement {
    /// Returns whether the answer is accepted: everything is right, or differs only where the specification does not
    /// decide.
    pub fn is_accepted(&self) -> bool {
        is_accepted(self.verdict)
    }

    /// Returns the node that explains best why the answer is not accepted: the first one that is wrong or, if all
    /// nodes that are not accepted are inaccurate, the first of these.
    pub fn first_at_fault(&self) -> Option<&NodeJudgement> {
        let wrong = self.nodes.iter().find(|node| node.is_wrong() && !node.is_inaccurate());
        wrong.or_else(|| self.first_wrong())
    }

    /// Returns the first node that is not accepted, in the order of the graph.
    pub fn first_wrong(&self) -> Option<&NodeJudgement> {
        self.nodes.iter().find(|node| node.is_wrong())
    }
}

/// Returns whether a verdict means that an answer is accepted.
pub(super) fn is_accepted(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Pass | Verdict::Latitude)
}
