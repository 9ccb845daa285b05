//! The [rten](https://docs.rs/rten) crate: a runtime in Rust, so that there is a real backend to test on a machine with
//! nothing installed.
//!
//! Models are loaded from their ONNX bytes with the optimizations that rten's users get by default, or with none, and run
//! on one thread. [`values`] refuses what rten cannot store, before rten sees it.

mod values;

use std::sync::Arc;

use plumbline_tensor::{Model, Value, ValueKind};
use rten::{LoadError, LoadErrorKind, ModelOptions, NodeId, RunError, RunErrorKind, RunOptions};

use crate::{Backend, Identity, Prepared, Profile, Refusal, at_once};

/// The version of the rten crate that this crate is built with.
const VERSION: &str = "0.27.0";

/// The release of ONNX whose texts rten's operators follow. rten does not name one. Its repository had the operators of
/// this version in August 2026, when 1.22 was the newest release.
const RELEASE: &str = "1.22";

thread_local! {
    // rten's options cannot be shared between threads, and take too long to make for every model.
    static OPTIMIZED: ModelOptions = options(true);
    static PLAIN: ModelOptions = options(false);
}

fn options(is_optimized: bool) -> ModelOptions {
    let mut options = ModelOptions::with_all_ops();
    options.enable_optimization(is_optimized);
    options
}

/// The rten crate as a backend.
pub struct Rten {
    is_optimized: bool,
    run_options: RunOptions,
    profile: Profile,
}

impl Rten {
    /// Returns rten with all its operators, with or without its graph optimizer.
    pub fn new(is_optimized: bool) -> Rten {
        let one_thread = Arc::new(rten::ThreadPool::with_num_threads(1));
        Rten {
            is_optimized,
            run_options: RunOptions::default().with_thread_pool(Some(one_thread)),
            profile: Profile {
                needs_worker: true,
                concurrent_runs: true,
                onnx: RELEASE.parse().ok(),
                ..Profile::of_cpu()
            },
        }
    }
}

impl Default for Rten {
    fn default() -> Rten {
        Rten::new(true)
    }
}

impl Backend for Rten {
    fn identity(&self) -> Identity {
        crate::identity("rten", VERSION, self.is_optimized)
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        values::check_model(model)?;
        let options = if self.is_optimized { &OPTIMIZED } else { &PLAIN };
        let loaded = options.with(|options| options.load(model.to_bytes())).map_err(|error| load_refusal(&error))?;
        let find = |name: &str| loaded.node_id(name).map_err(|error| run_refusal(&error));
        let inputs = model.input_names().into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let outputs = model.output_names().into_iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let kind_of = |o: &plumbline_tensor::onnx::ValueInfoProto| ValueKind::from_proto(o.r#type.as_ref()?);
        let kinds = model.graph().output.iter().map(kind_of).collect();
        Ok(Box::new(RtenPrepared { model: loaded, run_options: self.run_options.clone(), inputs, outputs, kinds }))
    }
}

struct RtenPrepared {
    model: rten::Model,
    run_options: RunOptions,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
    /// The types that the model declares for its outputs.
    kinds: Vec<Option<ValueKind>>,
}

impl Prepared for RtenPrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        self.answer(inputs)
    }

    fn run_at_once(&mut self, inputs: [&[Value]; 2]) -> Result<[Vec<Value>; 2], Refusal> {
        at_once(inputs, |inputs| self.answer(inputs))
    }
}

impl RtenPrepared {
    fn answer(&self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        if inputs.len() != self.inputs.len() {
            return Err(Refusal::invalid(format!(
                "{} inputs are given, the model has {}",
                inputs.len(),
                self.inputs.len()
            )));
        }
        let inputs = inputs.iter().map(values::to_rten).collect::<Result<Vec<_>, _>>()?;
        let inputs = self.inputs.iter().copied().zip(inputs.into_iter().map(Into::into)).collect();
        let outputs = self
            .model
            .run(inputs, &self.outputs, Some(self.run_options.clone()))
            .map_err(|error| run_refusal(&error))?;
        outputs.into_iter().zip(&self.kinds).map(|(value, kind)| values::from_rten(value, kind.as_ref())).collect()
    }
}

/// Parts of rten's messages about what it does not support. The first three are those of `ReadOpError`, when a model is
/// loaded: rten does not have the operator or its version. The others are those of `OpError`: an operator does not
/// support a type, a value or an output. rten does not export these enums, and the error kinds that it exports do not
/// distinguish their variants.
const UNSUPPORTED: [&str; 7] = [
    " operator not supported or not enabled",
    " and later are supported",
    " operator not enabled because ",
    " failed: unsupported input type",
    " failed: unsupported input or attribute value: ",
    " failed: unsupported output: ",
    ": expected tensor with type ",
];

/// Parts of rten's messages that refuse one attribute or one value of it, of an operator that rten has.
const LIMITS: [&str; 4] = [
    ": unsupported value",
    ": unsupported attribute ",
    ": unsupported or duplicated attributes: ",
    ": unsupported data type ",
];

fn refusal(text: String, otherwise: fn(String) -> Refusal) -> Refusal {
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    match () {
        () if says(&UNSUPPORTED) => Refusal::unsupported(text),
        () if says(&LIMITS) => Refusal::limit(text),
        () => otherwise(text),
    }
}

fn load_refusal(error: &LoadError) -> Refusal {
    let text = error.to_string();
    match error.kind() {
        LoadErrorKind::OperatorInvalid => refusal(text, Refusal::invalid),
        LoadErrorKind::GraphError | LoadErrorKind::ParseError => Refusal::invalid(text),
        LoadErrorKind::ExternalDataError | LoadErrorKind::FormatNotEnabled => Refusal::unsupported(text),
        // Nodes with constant inputs are run when a model is loaded, so loading may fail with a message about running.
        _ => refusal(text, Refusal::failed),
    }
}

fn run_refusal(error: &RunError) -> Refusal {
    let text = error.to_string();
    match error.kind() {
        RunErrorKind::OperatorError => refusal(text, Refusal::invalid),
        RunErrorKind::InvalidInput => Refusal::invalid(text),
        _ => Refusal::failed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_names_a_release_of_onnx() {
        assert_eq!(Rten::default().profile().onnx.map(|release| release.to_string()).as_deref(), Some(RELEASE));
    }

    /// With its optimizer, rten 0.27 does not load a model two of whose outputs become one constant.
    #[test]
    fn without_the_optimizer_nodes_run_as_they_are() {
        let text = "<ir_version: 8, opset_import: [\"\" : 18]> g () => (int64[1] a, int64[1] b) <float[2] x = {1, 2}> \
                    { a = Shape (x) b = Shape (x) }";
        let model: Model = text.parse().unwrap();
        let plain = Rten::new(false);
        assert_eq!(plain.identity().version, format!("{VERSION},optimization=none"));
        let outputs = plain.prepare(&model).and_then(|mut prepared| prepared.run(&[])).unwrap();
        let two: Value =
            plumbline_tensor::Tensor::from_i128s(plumbline_tensor::DType::Int64, vec![1], &[2]).unwrap().into();
        assert_eq!(outputs, [two.clone(), two]);
        assert!(Rten::new(true).prepare(&model).is_err());
    }
}
