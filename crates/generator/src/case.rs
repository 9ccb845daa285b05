//! Test cases.

use std::collections::BTreeMap;

use plumbline_spec::{Label, OperatorId};
use plumbline_tensor::{Model, Value};

use crate::cell::Cell;
use crate::choices::Sequence;
use crate::directml_cell::{DirectMlCell, Violated};

/// A model of one operator, with the values of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The stable id: `Min-13/T=float16/17@0`. The id of a negative case also names the violated constraint
    /// (`Min-13/T=float16/shapes-broadcast/3@0`).
    pub id: String,
    /// The operator version that the case tests.
    pub version: OperatorId,
    /// The type that each type variable is bound to: `T` -> `float16`. Types other than tensors are written in full:
    /// `seq(tensor(float))`.
    pub types: BTreeMap<String, String>,
    /// The model.
    pub model: Model,
    /// The input values, in the order of [`Model::input_names`].
    pub inputs: Vec<Value>,
    /// The features of this case, by name: properties that coverage counts.
    pub features: Vec<String>,
    /// The constraint that the case violates, if it is negative.
    pub violates: Option<Label>,
    /// Where the case comes from.
    pub origin: Origin,
    /// The form of the case. A recipe draws every model as in [`Form::AsDrawn`]; [`Case::in_form`] then puts the
    /// model into this form.
    pub form: Form,
    /// The choices that the case was drawn with.
    pub choices: Sequence,
}

/// Where a case comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Origin {
    /// Its model was given: a published or kept case, or one of a caller.
    #[default]
    Given,
    /// A recipe drew it.
    Drawn(Place),
    /// A valid case was changed at random.
    Mutated {
        /// The place in the suite of changed cases.
        place: Place,
        /// The valid case.
        base: Box<Case>,
        /// What was changed, in words.
        changes: Vec<String>,
    },
    /// It was drawn for an operator of DirectML.
    DirectMl(DirectMlPlace),
    /// A graph of several operators was drawn.
    Graph {
        /// The number of the graph among those that begin in the same way.
        index: u64,
        /// The seed.
        seed: u64,
    },
}

/// The place of a case among those that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The cell.
    pub cell: Cell,
    /// The number of the case in its cell.
    pub index: u64,
    /// The seed.
    pub seed: u64,
    /// Whether it is one of the large cases of the cell, which have numbers of their own.
    pub large: bool,
}

/// The place of a case of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectMlPlace {
    /// The cell.
    pub cell: DirectMlCell,
    /// The number of the case in its cell.
    pub index: u64,
    /// The seed.
    pub seed: u64,
    /// The rule that the case breaks, and the valid case that it was made from.
    pub broken: Option<(Violated, Box<Case>)>,
}

impl Origin {
    /// Returns the place of a case that was drawn for a cell, or changed.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Origin::Given | Origin::DirectMl(_) | Origin::Graph { .. } => None,
            Origin::Drawn(place) | Origin::Mutated { place, .. } => Some(place),
        }
    }

    /// Returns the seed of a case that was drawn or changed.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Origin::Given => None,
            Origin::Drawn(place) | Origin::Mutated { place, .. } => Some(place.seed),
            Origin::DirectMl(place) => Some(place.seed),
            Origin::Graph { seed, .. } => Some(*seed),
        }
    }

    /// Returns the valid case that the case was made from, if it was changed at random, or breaks a rule of DirectML.
    pub fn base(&self) -> Option<&Case> {
        match self {
            Origin::Mutated { base, .. } => Some(base),
            Origin::DirectMl(place) => place.broken.as_ref().map(|(_, base)| &**base),
            Origin::Given | Origin::Drawn(_) | Origin::Graph { .. } => None,
        }
    }

    /// Returns the rule of DirectML that the case breaks on purpose.
    pub fn broken(&self) -> Option<Violated> {
        match self {
            Origin::DirectMl(place) => place.broken.as_ref().map(|(rule, _)| *rule),
            _ => None,
        }
    }

    /// Returns what was changed at random, in words.
    pub fn changes(&self) -> &[String] {
        match self {
            Origin::Mutated { changes, .. } => changes,
            Origin::Given | Origin::Drawn(_) | Origin::DirectMl(_) | Origin::Graph { .. } => &[],
        }
    }
}

/// How the inputs, the attributes and the node of a case are put into a model. The operator, the types and the values
/// are the same in every form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// As the recipe drew it: inputs come at run time, except for some initializers, such as shapes, axes, counts, and
    /// values that graphs in attributes refer to. Those are initializers in every other form, too.
    #[default]
    AsDrawn,
    /// All tensors are initializers and not inputs of the graph, so that the whole graph can be folded. This form needs
    /// IR version 4.
    Initializers,
    /// All tensors that come at run time in [`Form::AsDrawn`] are inputs of the graph with an initializer as their
    /// default.
    DefaultInputs,
    /// All tensors except the first are initializers, like the weights of a layer.
    Weights,
    /// All tensors that come at run time in [`Form::AsDrawn`] come from `Constant` nodes here, if `Constant` allows
    /// their type.
    ConstantNodes,
    /// The extents of the inputs are names instead of numbers, except for lists such as sizes and axes. In about half
    /// of these cases, equal extents share a name; in the others, each extent has a name of its own.
    SymbolicExtents,
    /// The node is in a function that the model defines. The model declares at least IR version 8.
    Function,
    /// Attributes that the case leaves to their defaults are given, with the default values.
    GivenDefaults,
}

impl Form {
    /// All forms, the plainest first.
    pub const ALL: [Form; 8] = [
        Form::AsDrawn,
        Form::Initializers,
        Form::DefaultInputs,
        Form::Weights,
        Form::ConstantNodes,
        Form::SymbolicExtents,
        Form::Function,
        Form::GivenDefaults,
    ];

    /// Returns the name of the form in features and reports.
    pub fn name(self) -> &'static str {
        match self {
            Form::AsDrawn => "as drawn",
            Form::Initializers => "initializers",
            Form::DefaultInputs => "inputs with initializers",
            Form::Weights => "constant weights",
            Form::ConstantNodes => "constant nodes",
            Form::SymbolicExtents => "symbolic extents",
            Form::Function => "function",
            Form::GivenDefaults => "defaults given",
        }
    }

    /// Returns the name of the feature that a case in this form has.
    pub fn feature(self) -> String {
        format!("form {}", self.name())
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
