//! Graph optimizers that rewrite wrongly: the suite of graphs has to find nearly all of them, and to name the rewrite.
//!
//! The rewrites are in `wrong_rewrites.txt`. The backend that has such an optimizer answers with the oracle's own answers
//! to the rewritten model, so nothing but the rewrite can be wrong. `wrong_tools.rs` uses them for ONNX's own tools.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plumbline_backend::{Backend, Identity, Prepared, Profile};
use plumbline_conformance::graphs::{Pattern, Start};
use plumbline_conformance::{CaseResult, Minimization, Optimizer, Run, Settings, Subject, Work};
use plumbline_executor::OracleBackend;
use plumbline_generator::cells;
use plumbline_graph::Refusal;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto, TensorProto};

use crate::common::{Silent, local, new_folder, results};

const FILE: &str = include_str!("wrong_rewrites.txt");

/// The graphs that are drawn for each pattern with the operators of the rewrite, and for each cell of its last one.
const CASES: u64 = 40;
/// At most this many cells of an operator are drawn.
const CELLS: usize = 6;
/// The share of the rewrites that has to be found.
const LEAST_FOUND: f64 = 0.95;

#[derive(Clone, Debug, Default)]
pub(crate) struct Rewrite {
    pub(crate) name: String,
    pub(crate) find: Vec<NodeProto>,
    make: Vec<NodeProto>,
    /// The variable whose node gives its attributes to the last made node, and those that it does not give.
    like: Option<(String, Vec<String>)>,
    constants: Vec<TensorProto>,
    /// The variables that attributes of that node become, by the names of these attributes.
    attributes: Vec<(String, String)>,
    /// The opset of ONNX that the model imports after it. Only models of older opsets are rewritten.
    pub(crate) opset: Option<i64>,
    /// The kind of failure that it has to cause; empty for any.
    pub(crate) fails: String,
    aliases: Vec<(String, String)>,
}

/// Reads nodes in ONNX's text syntax, and constants.
fn graph(nodes: &str, constants: &str) -> GraphProto {
    let text = format!("<ir_version: 8, opset_import: [\"\" : 18]> g () => () <{constants}> {{ {nodes} }}");
    let model: Model = text.parse().unwrap_or_else(|error| panic!("{error} in {text}"));
    model.graph().clone()
}

/// Reads the rewrites of a file.
pub(crate) fn rewrites(file: &str) -> Vec<Rewrite> {
    let mut all: Vec<Rewrite> = Vec::new();
    for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap();
        if word == "rewrite" {
            assert!(all.iter().all(|other| other.name != rest), "{rest} is there twice");
            all.push(Rewrite { name: rest.to_owned(), ..Rewrite::default() });
            continue;
        }
        let rewrite = all.last_mut().unwrap();
        let pair = |text: &str| text.split_once(" = ").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        match word {
            "find" => rewrite.find = graph(&rest.replace(';', "\n"), "").node,
            "make" => rewrite.make = graph(&rest.replace(';', "\n"), "").node,
            "like" => rewrite.like = Some((rest.to_owned(), vec![])),
            "without" => {
                let names = rest.split(", ").map(str::to_owned).collect();
                rewrite.like.as_mut().unwrap().1 = names;
            }
            "constant" => {
                let (name, value) = pair(rest);
                let (type_, elements) = value.split_once(' ').unwrap();
                rewrite.constants.extend(graph("", &format!("{type_} {name} = {elements}")).initializer);
            }
            "attribute" => rewrite.attributes.push(pair(rest)),
            "fails" => rest.clone_into(&mut rewrite.fails),
            "opset" => rewrite.opset = Some(rest.parse().unwrap()),
            "alias" => rewrite.aliases.push(pair(rest)),
            other => panic!("`{other}` is no word of a rewrite"),
        }
    }
    all
}

/// The names in a graph that the variables of a rewrite stand for, and the positions of the nodes that were found.
#[derive(Clone, Default)]
struct Match {
    names: BTreeMap<String, String>,
    nodes: Vec<usize>,
}

impl Match {
    fn bind(&mut self, variables: &[String], names: &[String]) -> bool {
        variables.len() == names.len()
            && variables.iter().zip(names).all(|(variable, name)| {
                !name.is_empty() && self.names.entry(variable.clone()).or_insert_with(|| name.clone()) == name
            })
    }
}

impl Rewrite {
    fn matches(&self, nodes: &[NodeProto], found: &Match, used: &BTreeSet<String>) -> Option<Match> {
        let Some(wanted) = self.find.get(found.nodes.len()) else { return Some(found.clone()) };
        nodes.iter().enumerate().find_map(|(at, node)| {
            let is_new = !found.nodes.contains(&at) && !node.output.iter().any(|output| used.contains(output));
            let attributes = wanted.attribute.iter().all(|attribute| node.attribute.contains(attribute));
            let is_plain = node.domain.as_deref().unwrap_or_default().is_empty() && node.op_type == wanted.op_type;
            let mut next = found.clone();
            let fits = is_new && attributes && is_plain && next.bind(&wanted.input, &node.input);
            if !fits || !next.bind(&wanted.output, &node.output) {
                return None;
            }
            next.nodes.push(at);
            self.matches(nodes, &next, used)
        })
    }

    /// Applies the rewrite wherever its nodes are. Returns whether they are anywhere.
    pub(crate) fn rewrite(&self, model: &mut Model) -> bool {
        let mut opsets = model.proto.opset_import.iter_mut();
        let opset = opsets.find(|opset| opset.domain().is_empty()).map(|opset| &mut opset.version);
        if self.opset.is_some() && opset.as_deref().is_none_or(|own| *own >= self.opset) {
            return false;
        }
        let mut used = BTreeSet::new();
        let Some(graph) = &mut model.proto.graph else { return false };
        while self.apply(graph, &mut used) {}
        if let (Some(own), Some(next), false) = (opset, self.opset, used.is_empty()) {
            *own = Some(next);
        }
        !used.is_empty()
    }

    /// Applies the rewrite once, to nodes that it has not touched.
    fn apply(&self, graph: &mut GraphProto, used: &mut BTreeSet<String>) -> bool {
        let Some(Match { names, nodes: found }) = self.matches(&graph.node, &Match::default(), used) else {
            return false;
        };
        let number = used.len();
        let name =
            |variable: &String| names.get(variable).cloned().unwrap_or_else(|| format!("made{number}_{variable}"));
        let mut made: Vec<NodeProto> = self.make.clone();
        if let (Some((variable, without)), Some(last)) = (&self.like, made.last_mut()) {
            let like = graph.node.iter().find(|node| node.output.contains(&name(variable))).unwrap();
            let kept = like
                .attribute
                .iter()
                .filter(|attribute| !without.iter().any(|name| attribute.name.as_ref() == Some(name)));
            last.attribute.extend(kept.cloned());
            let values = self.attributes.iter().filter_map(|(variable, attribute)| {
                let found = like.attribute.iter().find(|given| given.name.as_ref() == Some(attribute))?;
                Some(TensorProto { name: Some(name(variable)), ..tensor_of(found) })
            });
            let values: Vec<TensorProto> = values.collect();
            graph.initializer.extend(values);
        }
        for node in &mut made {
            node.input.iter_mut().chain(&mut node.output).for_each(|variable| *variable = name(variable));
        }
        for constant in &self.constants {
            let named = name(constant.name.as_ref().unwrap());
            graph.initializer.push(TensorProto { name: Some(named), ..constant.clone() });
        }
        let defined: BTreeSet<String> = made.iter().flat_map(|node| node.output.clone()).collect();
        used.extend(found.iter().flat_map(|&at| graph.node[at].output.clone()));
        used.extend(defined.iter().cloned());
        for (of, by) in &self.aliases {
            let (of, by) = (name(of), name(by));
            let place = *found.iter().max().unwrap();
            for node in graph.node.iter_mut().skip(place + 1) {
                node.input.iter_mut().filter(|input| **input == of).for_each(|input| input.clone_from(&by));
            }
        }
        let place = *found.iter().max().unwrap();
        let gone = |at: usize, node: &NodeProto| found.contains(&at) && node.output.iter().any(|o| defined.contains(o));
        let before = std::mem::take(&mut graph.node);
        for (at, node) in before.into_iter().enumerate() {
            if !gone(at, &node) {
                graph.node.push(node);
            }
            if at == place {
                graph.node.append(&mut made);
            }
        }
        true
    }
}

/// Returns the value of an attribute that has numbers.
fn tensor_of(attribute: &AttributeProto) -> TensorProto {
    let (floats, ints) = (&attribute.floats, &attribute.ints);
    let length = |count: usize| vec![i64::try_from(count).unwrap()];
    match (attribute.f, attribute.i) {
        (Some(number), _) => TensorProto { data_type: Some(1), float_data: vec![number], ..Default::default() },
        (_, Some(number)) => {
            TensorProto { data_type: Some(7), dims: vec![1], int64_data: vec![number], ..Default::default() }
        }
        _ if !floats.is_empty() => TensorProto {
            data_type: Some(1),
            dims: length(floats.len()),
            float_data: floats.clone(),
            ..Default::default()
        },
        _ => {
            TensorProto { data_type: Some(7), dims: length(ints.len()), int64_data: ints.clone(), ..Default::default() }
        }
    }
}

/// The oracle behind an optimizer with one pass.
struct Optimizing {
    rewrite: Option<Rewrite>,
    inner: OracleBackend,
}

impl Backend for Optimizing {
    fn identity(&self) -> Identity {
        Identity { name: "optimizing".to_owned(), version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        self.inner.profile()
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let mut model = model.clone();
        if let Some(rewrite) = &self.rewrite {
            rewrite.rewrite(&mut model);
        }
        self.inner.prepare(&model)
    }
}

pub(crate) fn subject(rewrite: Option<Rewrite>) -> Subject {
    local("optimizing", move || Box::new(Optimizing { rewrite: rewrite.clone(), inner: OracleBackend::default() }))
}

/// Runs graphs on a backend with this optimizer, what has all operators that the optimizer looks for first, until one
/// fails. The optimizer has these passes that can be left out by name.
fn run(rewrite: &Rewrite, passes: &[String]) -> Vec<CaseResult> {
    let operators: Vec<&str> = rewrite.find.iter().filter_map(|node| node.op_type.as_deref()).collect();
    let has_all = |pattern: &Pattern| operators.iter().all(|name| pattern.has_operator(name));
    let patterns = Start::patterns().filter(|start| matches!(start, Start::Pattern(pattern) if has_all(pattern)));
    let last = operators.last().copied().unwrap_or_default();
    let newest = cells().into_iter().rev().filter(|cell| cell.version.id.name == last);
    let starts = patterns.chain(newest.filter_map(Start::of_cell).take(CELLS));
    let mut subject = subject(Some(rewrite.clone()));
    let optimizer = Optimizer::new(passes.to_vec(), |_| Ok(self::subject(None)));
    subject.optimizer = Some(Arc::new(optimizer));
    let subjects = [subject];
    let mut rows = Vec::new();
    for start in starts {
        let settings = Settings { cases: CASES, out: new_folder(), jobs: 1, ..Settings::default() };
        let settings = Settings { minimization: Minimization::Off, ..settings };
        let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
        let outcome = run.run(vec![Work::Graphs(start)]).unwrap();
        assert!(outcome.broken.is_empty(), "{}: {:?}", rewrite.name, outcome.broken);
        rows.extend(results(&settings.out));
        if rows.iter().any(|row| row.verdict.is_bad()) {
            break;
        }
    }
    rows
}

#[test]
fn wrong_rewrites_are_found_and_named() {
    let all = rewrites(FILE);
    assert!(all.len() >= 60, "{} rewrites", all.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let missed = std::sync::Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(rewrite) = all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let rows = run(rewrite, std::slice::from_ref(&rewrite.name));
                    let failed = rows.iter().filter(|row| row.verdict.is_bad());
                    let named = failed.clone().filter(|row| {
                        row.optimizer.as_ref().is_some_and(|fault| fault.passes == [rewrite.name.clone()])
                    });
                    let (failed, named) = (failed.count(), named.count());
                    println!("{}: {failed} of {} graphs fail, {named} name the rewrite", rewrite.name, rows.len());
                    if failed == 0 || named == 0 {
                        missed.lock().unwrap().push(rewrite.name.clone());
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().unwrap();
    let found = all.len() - missed.len();
    println!("{found} of {} wrong rewrites are found; missed: {missed:?}", all.len());
    assert!(found as f64 >= LEAST_FOUND * all.len() as f64, "missed: {missed:?}");
}

/// A backend that has kernels for the operators of one pattern only, and whose optimizer refuses the pattern before the
/// backend says that.
struct Picky {
    optimizes: bool,
    inner: OracleBackend,
}

impl Backend for Picky {
    fn identity(&self) -> Identity {
        Identity { name: "picky".to_owned(), version: "1".to_owned() }
    }

    fn profile(&self) -> &Profile {
        self.inner.profile()
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let is = |node: &NodeProto, name: &str| node.op_type.as_deref() == Some(name);
        let nodes = &model.graph().node;
        let of_relu = |name: &String| nodes.iter().any(|node| is(node, "Relu") && node.output.contains(name));
        let is_pattern = |node: &NodeProto| is(node, "Clip") && node.input.first().is_some_and(of_relu);
        if self.optimizes && nodes.iter().any(is_pattern) {
            return Err(Refusal::failed("the pass cannot join these nodes"));
        }
        let known = ["Relu", "Clip", "Constant", "Cast", "Reshape", "Slice", "Tile"];
        let mut names = nodes.iter().filter_map(|node| node.op_type.as_deref());
        match names.find(|name| !known.contains(name)) {
            Some(name) => Err(Refusal::unsupported(format!("no kernel for {name}"))),
            None => self.inner.prepare(model),
        }
    }
}

/// Two passes are listed, and the pattern is only refused if neither is left out: the last one is named.
#[test]
fn passes_are_named_in_graphs_that_the_backend_does_not_support_without_them() {
    let picky =
        |optimizes: bool| local("picky", move || Box::new(Picky { optimizes, inner: OracleBackend::default() }));
    let mut subject = picky(true);
    let passes = vec!["first".to_owned(), "second".to_owned()];
    subject.optimizer = Some(Arc::new(Optimizer::new(passes, move |_| Ok(picky(false)))));
    let subjects = [subject];
    let settings = Settings { cases: 40, out: new_folder(), jobs: 1, ..Settings::default() };
    let settings = Settings { minimization: Minimization::Off, ..settings };
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let start = Start::Pattern(Pattern::find("relu-clip").unwrap());
    run.run(vec![Work::Graphs(start)]).unwrap();
    let rows = results(&settings.out);
    let failed: Vec<&CaseResult> = rows.iter().filter(|row| row.verdict.is_bad() && row.op == "graph").collect();
    assert!(failed.len() >= 5, "{} of {} graphs fail", failed.len(), rows.len());
    for row in failed {
        let passes = row.optimizer.as_ref().map(|fault| fault.passes.as_slice());
        assert_eq!(passes, Some(["second".to_owned()].as_slice()), "{row:#?}");
    }
}

/// An optimizer that can only be switched off as a whole is named as a whole, and its faults are told apart.
#[test]
fn an_optimizer_without_names_for_its_passes_is_found() {
    let all = rewrites(FILE);
    let mut signatures = BTreeSet::new();
    for rewrite in all.iter().step_by(all.len() / 4) {
        let rows = run(rewrite, &[]);
        let failed: Vec<&CaseResult> = rows.iter().filter(|row| row.verdict.is_bad()).collect();
        let is_whole = |row: &&&CaseResult| row.optimizer.as_ref().is_some_and(|fault| fault.passes.is_empty());
        assert!(failed.iter().filter(is_whole).count() > 0, "{}: {failed:?}", rewrite.name);
        signatures.extend(failed.iter().filter_map(|row| row.signature.clone()));
    }
    assert!(signatures.len() > 2 && signatures.iter().all(|name| name.contains("-optimizer-")), "{signatures:?}");
}

#[test]
fn without_a_rewrite_no_graph_fails() {
    let starts = Start::patterns().chain(cells().into_iter().step_by(41).filter_map(Start::of_cell));
    let settings = Settings { cases: 2, out: new_folder(), ..Settings::default() };
    let subjects = [subject(None)];
    let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
    let outcome = run.run(starts.map(Work::Graphs).collect()).unwrap();
    assert!(outcome.broken.is_empty(), "{:?}", outcome.broken);
    let rows = results(&settings.out);
    let failed: Vec<&CaseResult> = rows.iter().filter(|row| row.verdict.is_bad()).collect();
    assert!(failed.is_empty() && rows.len() > 300, "{} rows; {failed:#?}", rows.len());
}
