//! Parts of a graph: a few nodes with the inputs and constants that only they need.

use std::collections::HashMap;

use plumbline_generator::{Case, Cell, Choices};
use plumbline_tensor::Value;
use plumbline_tensor::onnx::{NodeProto, TensorProto};

use crate::cases::renamed;
use crate::cases::union::with_prefix;

/// The cases of a cell from which a graph draws. The first two are steered, so that each of them is always the same.
const CASES: std::ops::Range<u64> = 2..4096;
/// The largest number of draws until a case of the usual size is found.
const TRIES: usize = 8;

/// A value that is given to a part.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub name: String,
    pub value: Value,
    /// Whether the value is an initializer.
    pub constant: bool,
}

/// Nodes that are added to a graph together.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragment {
    pub nodes: Vec<NodeProto>,
    pub given: Vec<Given>,
    pub initializers: Vec<TensorProto>,
    pub features: Vec<String>,
}

impl Fragment {
    /// Draws a case of a cell as a part whose names begin with `prefix`.
    pub fn of_cell(cell: &Cell, prefix: &str, choices: &mut Choices) -> Option<Fragment> {
        let mut drawn = None;
        for _ in 0..TRIES {
            let index = CASES.start + choices.below(CASES.end - CASES.start);
            if cell.is_small(index) {
                drawn = Some(index);
                break;
            }
        }
        Some(Fragment::of_case(cell.first_draw(None, drawn?, 0)?, prefix))
    }

    fn of_case(case: Case, prefix: &str) -> Fragment {
        let mut graph = case.model.graph().clone();
        with_prefix(&mut graph, prefix);
        let names = graph.input.iter().filter_map(|info| info.name.clone());
        let is_given = |name: &String| !graph.initializer.iter().any(|tensor| tensor.name.as_ref() == Some(name));
        let given = names.filter(is_given).zip(case.inputs);
        let given = given.map(|(name, value)| Given { name, value, constant: false }).collect();
        Fragment { nodes: graph.node, given, initializers: graph.initializer, features: vec![] }
    }

    /// Returns the part with values of the graph in place of some that are given.
    pub fn wired(&self, to: &HashMap<String, String>) -> Fragment {
        let nodes = self.nodes.iter().map(|node| renamed(node, to)).collect();
        let given = self.given.iter().filter(|given| !to.contains_key(&given.name)).cloned().collect();
        Fragment { nodes, given, ..self.clone() }
    }

    /// Returns the part behind the nodes of another one.
    pub fn behind(mut self, mut first: Fragment) -> Fragment {
        first.nodes.append(&mut self.nodes);
        first.given.append(&mut self.given);
        first.initializers.append(&mut self.initializers);
        first.features.append(&mut self.features);
        first
    }
}
