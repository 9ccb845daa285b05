//! Tests that graphs reach everything: each operator version, each feature, each pattern with each thing broken, and that
//! what they compute is decided. The tests print what is reached least.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumbline_generator::{Case, cells, profiles};
use plumbline_graph::Library;
use plumbline_oracle::Oracle;
use plumbline_spec::{OperatorId, Spec};
use plumbline_tensor::onnx::NodeProto;

use super::{Pattern, Start, decided, draw, menu};

/// The least number of graphs with each operator version, in a run of the profile `nightly`.
const LEAST_GRAPHS: f64 = 100.0;
/// The graphs that are drawn for each pattern besides those that break nothing or one thing each.
const FURTHER: u64 = 8;
/// The least share of decided elements of each pattern, in percent.
const LEAST_DECIDED: usize = 80;
/// The least share of the graphs with each feature, in percent.
const LEAST_SHARES: [(&str, f64); 24] = [
    ("a value with several readers", 30.0),
    ("one value as two inputs", 5.0),
    ("a value between nodes is an output", 20.0),
    ("constants", 50.0),
    ("a node that reads only constants", 10.0),
    ("equal nodes", 10.0),
    ("more than 16 nodes", 5.0),
    ("a computed shape", 2.0),
    ("form initializers", 3.0),
    ("form inputs with initializers", 3.0),
    ("form constant nodes", 3.0),
    ("form constant weights", 3.0),
    ("form symbolic extents", 3.0),
    ("some extents have names", 5.0),
    ("a value goes from one domain to another", 2.0),
    ("a node in an If with a constant condition", 1.0),
    ("a node in an If with a condition at run time", 1.0),
    ("a node in an If with other nodes in the other branch", 1.0),
    ("a node in a Loop", 1.0),
    ("a node in a Scan", 1.0),
    ("a node in a function", 1.0),
    ("an If with other nodes in each branch", 1.0),
    ("a Loop that reads a value of the graph around it", 1.0),
    ("a Scan that reads a value of the graph around it", 0.5),
];

/// Draws `count` graphs of each start on all cores, and hands them over.
fn each(starts: &[Start], count: impl Fn(&Start) -> u64 + Sync, take: impl Fn(&Start, Case) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        while let Some(start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
            (0..count(start)).filter_map(|index| draw(start, index, 0)).for_each(|case| take(start, case));
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
}

/// Returns the operator versions of a graph.
fn versions(case: &Case) -> BTreeSet<OperatorId> {
    let library = Library::new(&case.model);
    let functions = case.model.proto.functions.iter().flat_map(|function| &function.node);
    let nodes = case.model.graph().node.iter().chain(functions).flat_map(NodeProto::with_nested);
    nodes.filter_map(|node| Some(library.resolve(node).ok()?.id.clone())).collect()
}

#[test]
fn every_operator_version_and_feature_is_drawn_often() {
    let starts: Vec<Start> = cells().into_iter().filter_map(Start::of_cell).chain(Start::patterns()).collect();
    let counted = Mutex::new((0u32, BTreeMap::<OperatorId, u32>::new(), BTreeMap::<String, u32>::new()));
    let of_start = |start: &Start| start.count(1.0, 0).unwrap_or(0);
    each(&starts, of_start, |_, case| {
        let versions = versions(&case);
        let (graphs, of_version, of_feature) = &mut *counted.lock().unwrap();
        *graphs += 1;
        versions.into_iter().for_each(|id| *of_version.entry(id).or_default() += 1);
        case.features.into_iter().for_each(|feature| *of_feature.entry(feature).or_default() += 1);
    });
    let (graphs, of_version, of_feature) = counted.into_inner().unwrap();
    let nightly = profiles().unwrap()["nightly"].graph_cases;
    println!("{graphs} graphs of {} starts; a nightly run has {nightly} times as many", starts.len());
    let all: BTreeSet<&OperatorId> = Spec::embedded().operators().flat_map(|o| &o.versions).map(|v| &v.id).collect();
    let of_cells: BTreeSet<OperatorId> = starts
        .iter()
        .filter_map(|start| if let Start::Cell(cell) = start { Some(cell.version.id.clone()) } else { None })
        .collect();
    let mut least: Vec<(u32, &OperatorId)> =
        of_cells.iter().map(|id| (of_version.get(id).copied().unwrap_or(0), id)).collect();
    least.sort();
    println!("of {} operator versions, {} can be in a graph", all.len(), least.len());
    least.iter().take(20).for_each(|(count, id)| println!("{id} is in {count} graphs"));
    let share = |feature: &str| 100.0 * f64::from(of_feature.get(feature).copied().unwrap_or(0)) / f64::from(graphs);
    LEAST_SHARES.iter().for_each(|(feature, _)| println!("{:5.1} % {feature}", share(feature)));
    let opsets: Vec<String> = (super::OLDEST_OPSET..=menu::newest()).map(|opset| format!("opset {opset}")).collect();
    opsets.iter().for_each(|opset| println!("{:5.1} % {opset}", share(opset)));
    let rare: Vec<&(u32, &OperatorId)> =
        least.iter().take_while(|(count, _)| f64::from(*count) * nightly < LEAST_GRAPHS).collect();
    assert!(rare.is_empty(), "{rare:?} are in too few graphs");
    let of_opsets = opsets.iter().map(|opset| (opset.as_str(), 1.0));
    let rare: Vec<(&str, f64)> =
        LEAST_SHARES.into_iter().chain(of_opsets).filter(|(feature, least)| share(feature) < *least).collect();
    assert!(rare.is_empty(), "{rare:?} are drawn too rarely");
}

#[test]
fn every_pattern_is_decided_and_drawn_with_each_thing_broken() {
    let starts: Vec<Start> = Start::patterns().collect();
    let counted = Mutex::new((BTreeMap::<String, (usize, usize)>::new(), BTreeSet::<String>::new()));
    let of_start = |start: &Start| match start {
        Start::Pattern(pattern) => 1 + pattern.all_guards().len() as u64 + FURTHER,
        Start::Cell(_) | Start::Canonical(_) => 0,
    };
    each(&starts, of_start, |start, case| {
        let evaluation = Oracle::default().evaluate(&case.model, &case.inputs);
        let evaluation = evaluation.unwrap_or_else(|refusal| panic!("{}: {refusal}\n{}", case.id, case.model));
        let tensors = evaluation.outputs.iter().filter_map(|operand| operand.tensor().ok());
        let (some, all) = tensors.map(decided).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let (shares, features) = &mut *counted.lock().unwrap();
        let share = shares.entry(start.to_string()).or_default();
        *share = (share.0 + some, share.1 + all);
        features.extend(case.features);
    });
    let (shares, features) = counted.into_inner().unwrap();
    let mut shares: Vec<(usize, &String)> =
        shares.iter().map(|(name, (some, all))| (100 * some / (*all).max(1), name)).collect();
    shares.sort();
    shares.iter().take(20).for_each(|(share, name)| println!("{share} % of the elements of {name} are decided"));
    let open: Vec<&(usize, &String)> = shares.iter().take_while(|(share, _)| *share < LEAST_DECIDED).collect();
    assert!(
        open.is_empty() && shares.len() == starts.len(),
        "{} patterns; too little is decided: {open:?}",
        shares.len()
    );
    let broken = |pattern: &Pattern| {
        let feature = |guard: &str| format!("pattern {} broken: {guard}", pattern.name);
        pattern.all_guards().into_iter().map(feature).filter(|feature| !features.contains(feature)).collect::<Vec<_>>()
    };
    let missing: Vec<String> = Pattern::all().iter().flat_map(broken).collect();
    assert!(missing.is_empty(), "never drawn: {missing:#?}");
}
