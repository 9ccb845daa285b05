//! Our own CPU backend: ONNX operators in the machine's precision, on strided kernels that split large tensors between
//! threads. It shares nothing with the oracle, which is what it is held against.
//!
//! [`kernels`] read and write views (sizes, and strides in elements) and know no ONNX; [`ops`] turns nodes into calls of
//! them. What runs is in the tables of [`ops`]; everything else is refused as unsupported.

pub mod array;
mod buffers;
mod drive;
pub mod element;
mod function;
mod graph;
pub mod kernels;
pub mod node;
pub mod ops;
pub mod threads;
pub mod view;

use std::collections::BTreeSet;

use plumbline_tensor::{Model, Value};

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_graph::Refusal;

/// Our own CPU backend.
#[derive(Clone, Debug)]
pub struct Cpu {
    profile: Profile,
}

impl Cpu {
    /// The backend with all its operators.
    pub fn new() -> Cpu {
        // It is safe Rust, but a kernel may panic or not come to an end: the run survives that in a worker only.
        Cpu { profile: Profile { needs_worker: true, ..Profile::default() } }
    }

    /// Every operator it has, by domain and name.
    pub fn operators() -> BTreeSet<(&'static str, &'static str)> {
        ops::all().map(|(domain, name, _)| (domain, name)).collect()
    }
}

/// A model with inputs that were taken over once, to be run again and again: no tensor is copied in or out.
pub struct Bound {
    graph: graph::Graph,
    inputs: Vec<array::Held>,
}

impl Bound {
    /// Finds the operators and takes over the inputs.
    pub fn new(model: &Model, inputs: &[Value]) -> Result<Bound, Refusal> {
        let graph = graph::Graph::new(model)?;
        let inputs = graph.taken(inputs)?;
        Ok(Bound { graph, inputs })
    }

    /// Computes the outputs, and how many there are.
    pub fn run(&self) -> Result<usize, Refusal> {
        Ok(self.graph.answer(&self.inputs, None)?.len())
    }

    /// Computes the outputs and hands them out.
    pub fn outputs(&self) -> Result<Vec<Value>, Refusal> {
        self.graph.answer(&self.inputs, None)?.iter().map(array::Held::to_value).collect()
    }
}

impl Default for Cpu {
    fn default() -> Cpu {
        Cpu::new()
    }
}

impl Backend for Cpu {
    fn identity(&self) -> Identity {
        Identity { name: "cpu".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(graph::Graph::new(model)?))
    }
}
