//! `--model`: the parts of models that somebody gives, as work of a run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use plumbline_backend::{Observation, Runner};
use plumbline_conformance::excerpts::{self, Constants, Cut, Cutting};
use plumbline_conformance::suite::read_inputs;
use plumbline_conformance::{Selection, Work};
use plumbline_tensor::{Model, Value};

use crate::output::counted;

/// The cases for each part of a model, if `--cases` does not say it.
pub(super) const CASES: u64 = 2;

/// The backend that computes what takes the oracle too long.
const FAST: &str = "cpu";
/// The longest time that it may take for a node.
const DEADLINE: Duration = Duration::from_secs(20);

/// The largest number of names in a line about nodes that are left out.
const MOST_NAMED: usize = 4;

/// What becomes of the constants of the models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    #[default]
    Kept,
    Drawn,
}

/// The models of a run.
#[derive(clap::Args)]
pub(super) struct Models {
    /// A model whose nodes and connected subgraphs of two to six nodes run as cases: an .onnx file, or a .txt file in ONNX's text syntax; other suites run only if --suite names them
    #[arg(long, value_name = "FILE")]
    pub(super) model: Vec<PathBuf>,
    /// Whether cases keep the constants of --model, or get drawn ones that are distributed alike, so that they do not show what the model has learned [default: kept]
    #[arg(long, value_name = "WHICH", value_enum, requires = "model")]
    constants: Option<Kind>,
    /// The largest number of subgraphs of each model [default: 300]
    #[arg(long, value_name = "N", requires = "model")]
    subgraphs: Option<usize>,
    /// A folder with input_0.pb, input_1.pb, ... for the only --model, instead of drawn inputs
    #[arg(long, value_name = "DIR", requires = "model")]
    inputs: Option<PathBuf>,
}

impl Models {
    /// Cuts the models, and returns the selected parts. Hands lines about each model to `say`.
    pub(super) fn work(
        &self,
        selection: &Selection,
        seed: u64,
        say: &mut dyn FnMut(String),
    ) -> anyhow::Result<Vec<Work>> {
        if self.inputs.is_some() && self.model.len() > 1 {
            anyhow::bail!("--inputs is for one model, and there are {}", self.model.len());
        }
        let fast = RefCell::new(None);
        let mut work = Vec::new();
        let mut names = BTreeSet::new();
        for path in &self.model {
            let fail = || format!("--model {}", path.display());
            let model = crate::model_file::read(path).with_context(fail)?;
            let inputs = self.inputs.as_ref().map(|folder| read_inputs(path, &model, folder)).transpose()?;
            let cutting = Cutting {
                constants: match self.constants.unwrap_or_default() {
                    Kind::Kept => Constants::Kept,
                    Kind::Drawn => Constants::Drawn,
                },
                subgraphs: self.subgraphs.unwrap_or(excerpts::SUBGRAPHS),
                seed,
                inputs,
                compute: Some(&|model, inputs| computed(&fast, model, inputs)),
            };
            let name = new_name(path, &mut names);
            let cut = excerpts::cut(&name, model, &cutting).with_context(fail)?;
            lines(&name, &cut).into_iter().for_each(&mut *say);
            let taken = cut.excerpts.into_iter().filter(|excerpt| selection.takes_excerpt(excerpt));
            work.extend(taken.map(Work::Excerpt));
        }
        Ok(work)
    }
}

/// Runs a model on our own backend, which is started when it is first needed.
fn computed(fast: &RefCell<Option<Box<dyn Runner>>>, model: &Model, inputs: &[Value]) -> Option<Vec<Value>> {
    let mut fast = fast.borrow_mut();
    if fast.is_none() {
        *fast = crate::backends::registry(crate::backends::options()).start(FAST).ok();
    }
    match fast.as_mut()?.run(model, inputs, DEADLINE) {
        Observation::Outputs { values, .. } => Some(values),
        _ => None,
    }
}

/// Returns the name of a model in ids: that of its file without the extension, with a number if another model has it.
fn new_name(path: &Path, names: &mut BTreeSet<String>) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let stem: String = stem.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let numbered = (2..).map(|number| format!("{stem}~{number}"));
    let name = [stem.clone()].into_iter().chain(numbered).find(|name| !names.contains(name)).unwrap_or(stem);
    names.insert(name.clone());
    name
}

/// Says what a model was cut into.
fn lines(name: &str, cut: &Cut) -> Vec<String> {
    let taken = cut.excerpts.len() - cut.distinct;
    let mut lines = vec![format!(
        "model {name}: {}, {} distinct; {taken} of {}",
        counted(cut.nodes as u64, "node"),
        cut.distinct,
        counted(cut.subgraphs as u64, "connected subgraph")
    )];
    for (reason, nodes) in &cut.left_out {
        let named = nodes.iter().take(MOST_NAMED).map(|node| format!("node {} {}", node.index, node.operator));
        let named: Vec<String> = named.collect();
        let more = if nodes.len() > MOST_NAMED { ", ..." } else { "" };
        let count = counted(nodes.len() as u64, "node");
        lines.push(format!("model {name}: left out {count} ({reason}): {}{more}", named.join(", ")));
    }
    lines
}
