//! Our own CPU backend. It runs ONNX operators in the machine's precision, on strided kernels that split large tensors
//! between threads. It has no kernel in common with the oracle, because the tests compare the two. Both use the crates
//! for models and number formats.
//!
//! The [`kernels`] compute on views (sizes, and strides in elements), slices and arrays, and know nothing about ONNX's
//! nodes. The [`ops`] translate ONNX nodes into calls of kernels. The tables in [`ops`] list every operator that this
//! backend runs; it refuses all others as unsupported.

pub mod array;
mod body;
mod buffers;
mod drive;
pub mod element;
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
    /// Creates the backend with all its operators.
    pub fn new() -> Cpu {
        // The backend is safe Rust, but a kernel could run forever. Then only its worker process can be stopped.
        Cpu { profile: Profile { needs_worker: true, ..Profile::of_cpu() } }
    }

    /// Returns the domain and the name of every operator that the backend runs.
    pub fn operators() -> BTreeSet<(&'static str, &'static str)> {
        ops::all().map(|(domain, name, _)| (domain, name)).collect()
    }
}

/// A model together with inputs that were converted once, for running it many times: [`Bound::run`] copies no tensor in
/// or out.
pub struct Bound {
    graph: graph::Graph,
    inputs: Vec<array::Held>,
}

impl Bound {
    /// Prepares the model and converts the inputs to this backend's arrays.
    pub fn new(model: &Model, inputs: &[Value]) -> Result<Bound, Refusal> {
        let graph = graph::Graph::new(model, ops::find)?;
        let inputs = graph.taken(inputs)?;
        Ok(Bound { graph, inputs })
    }

    /// Computes the outputs and returns how many there are.
    pub fn run(&self) -> Result<usize, Refusal> {
        Ok(self.graph.answer(&self.inputs, None)?.len())
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
        Ok(Box::new(graph::Graph::new(model, ops::find)?))
    }
}
