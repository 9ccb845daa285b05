//! The attributes of TreeEnsembleClassifier and TreeEnsembleRegressor, the predecessors of TreeEnsemble-5: parallel
//! lists for nodes and for votes. Both operators use the same names for the rules that they share.

use std::collections::BTreeMap;

use crate::families::post_transform::PostTransform;
use crate::families::traditional::certain;
use crate::families::trees::{Aggregate, Forest, Mode, Next, Node, Tally, Vote};
use crate::prelude::*;

/// One of the two operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnsembleKind {
    /// TreeEnsembleClassifier. The attributes of its votes begin with `class_`.
    Classifier,
    /// TreeEnsembleRegressor. The attributes of its votes begin with `target_`.
    Regressor,
}

impl EnsembleKind {
    fn prefix(self) -> &'static str {
        if self == EnsembleKind::Classifier { "class" } else { "target" }
    }

    /// Returns the number of targets or classes.
    fn targets(self, call: &Call) -> Result<usize, Refusal> {
        let count = match self {
            EnsembleKind::Regressor => usize::try_from(call.int("n_targets")?).ok(),
            EnsembleKind::Classifier => {
                let ints = call.optional_int_list("classlabels_int64s").map(|l| l.len());
                ints.or(call.optional_string_list("classlabels_strings").map(|l| l.len()))
            }
        };
        count.filter(|c| *c > 0).ok_or_else(|| {
            Refusal::violates(rule::VOTES_IN_RANGE, "the number of targets or classes is missing or not positive")
        })
    }
}

fn ints(call: &Call, name: &str) -> Result<Vec<i64>, Refusal> {
    call.optional_int_list(name)
        .ok_or_else(|| Refusal::violates(rule::NODE_LISTS_EQUAL_LENGTH, format!("`{name}` is missing")))
}

/// Returns the numbers of a list of floats, or of the tensor of doubles that may replace it
/// (`floats-or-doubles-given`).
fn reals(call: &Call, name: &str) -> Result<Option<Vec<Number>>, Refusal> {
    let other = format!("{name}_as_tensor");
    let tensor = if call.since() >= 3 { call.optional_tensor_attribute(&other)? } else { None };
    match (call.optional_float_list(name), tensor) {
        (Some(_), Some(_)) => {
            Err(Refusal::violates(rule::FLOATS_OR_DOUBLES_GIVEN, format!("both `{name}` and `{other}` are given")))
        }
        (Some(list), None) => {
            let exact = |x: f32| Real::exact(f64::from(x), DType::Float).into();
            Ok(Some(list.into_iter().map(exact).collect()))
        }
        (None, tensor) => Ok(tensor.map(|tensor| Expected::from(tensor).numbers().collect())),
    }
}

fn same_length(lists: &[(&str, usize)], label: Label) -> Result<(), Refusal> {
    match lists.iter().find(|(_, length)| *length != lists[0].1) {
        Some((name, length)) => Err(Refusal::violates(
            label,
            format!("`{name}` has {length} entries, but `{}` has {}", lists[0].0, lists[0].1),
        )),
        None => Ok(()),
    }
}

/// Reads the trees and their votes.
pub fn read(call: &Call, kind: EnsembleKind) -> Result<Forest, Refusal> {
    let x = call.tensor("X")?;
    if x.rank() != 2 {
        return Err(Refusal::violates(rule::RANK_TWO, format!("`X` has shape {:?}, expected rank 2", x.shape())));
    }
    certain(x)?;
    let [trees, ids, features] = ["nodes_treeids", "nodes_nodeids", "nodes_featureids"].map(|name| ints(call, name));
    let (trees, ids, features) = (trees?, ids?, features?);
    let (yes, no) = (ints(call, "nodes_truenodeids")?, ints(call, "nodes_falsenodeids")?);
    let modes = call.optional_string_list("nodes_modes").unwrap_or_default();
    let values = reals(call, "nodes_values")?.unwrap_or_default();
    let missing = call.optional_int_list("nodes_missing_value_tracks_true").unwrap_or(vec![0; trees.len()]);
    let hitrates = reals(call, "nodes_hitrates")?.map_or(trees.len(), |h| h.len());
    let lengths = [
        ("nodes_treeids", trees.len()),
        ("nodes_nodeids", ids.len()),
        ("nodes_featureids", features.len()),
        ("nodes_truenodeids", yes.len()),
        ("nodes_falsenodeids", no.len()),
        ("nodes_modes", modes.len()),
        ("nodes_values", values.len()),
        ("nodes_missing_value_tracks_true", missing.len()),
        ("nodes_hitrates", hitrates),
    ];
    same_length(&lengths, rule::NODE_LISTS_EQUAL_LENGTH)?;
    let mut places: BTreeMap<(i64, i64), usize> = BTreeMap::new();
    let mut roots: BTreeMap<i64, usize> = BTreeMap::new();
    for at in 0..trees.len() {
        if places.insert((trees[at], ids[at]), at).is_some() {
            let label = if kind == EnsembleKind::Regressor { rule::NODE_IDS_UNIQUE } else { rule::BRANCHES_FORM_TREES };
            return Err(Refusal::violates(label, format!("node {} of tree {} is listed twice", ids[at], trees[at])));
        }
        // The first node of a tree is its root.
        roots.entry(trees[at]).or_insert(at);
    }
    let place = |tree: i64, id: i64| {
        let found = places.get(&(tree, id)).copied();
        found.ok_or_else(|| Refusal::violates(rule::BRANCHES_FORM_TREES, format!("tree {tree} has no node {id}")))
    };
    let leaf = |at: usize| modes[at] == b"LEAF";
    let next = |at: usize| if leaf(at) { Next::Leaf(at) } else { Next::Node(at) };
    let mut nodes = Vec::with_capacity(trees.len());
    for at in 0..trees.len() {
        let name = String::from_utf8_lossy(&modes[at]).into_owned();
        let mode = Mode::ALL.iter().find(|(n, mode)| *n == name && *mode != Mode::Member);
        let (mode, yes, no) = match mode {
            Some((_, mode)) => (*mode, next(place(trees[at], yes[at])?), next(place(trees[at], no[at])?)),
            None if leaf(at) => (Mode::Eq, Next::Leaf(at), Next::Leaf(at)),
            None => {
                return Err(Refusal::violates(
                    rule::NODE_MODES_KNOWN,
                    format!("a node has the mode `{name}`, which is not a known mode"),
                ));
            }
        };
        let feature = usize::try_from(features[at]).ok().filter(|&f| f < x.extent(1) || leaf(at));
        let feature = feature.or(leaf(at).then_some(0));
        let feature = feature.ok_or_else(|| {
            Refusal::violates(
                rule::FEATURES_IN_RANGE,
                format!("a node compares feature {}, but `X` has {} features", features[at], x.extent(1)),
            )
        })?;
        let splits = vec![values[at].mid()];
        nodes.push(Node { feature, mode, splits, missing_is_true: missing[at] != 0, yes, no });
    }
    let leaves = votes(call, kind, trees.len(), |tree, id| place(tree, id).ok().filter(|&at| leaf(at)))?;
    let forest = Forest { nodes, roots: roots.into_values().map(next).collect(), leaves };
    forest.check(rule::BRANCHES_FORM_TREES)?;
    Ok(forest)
}

/// Reads the votes of each node.
fn votes(
    call: &Call,
    kind: EnsembleKind,
    nodes: usize,
    leaf: impl Fn(i64, i64) -> Option<usize>,
) -> Result<Vec<Vec<Vote>>, Refusal> {
    let prefix = kind.prefix();
    let list = |name: &str| {
        let name = format!("{prefix}_{name}");
        call.optional_int_list(&name)
            .ok_or_else(|| Refusal::violates(rule::VOTE_LISTS_EQUAL_LENGTH, format!("`{name}` is missing")))
    };
    let (trees, ids, targets) = (list("treeids")?, list("nodeids")?, list("ids")?);
    let weights = reals(call, &format!("{prefix}_weights"))?.unwrap_or_default();
    let names = ["treeids", "nodeids", "ids", "weights"].map(|name| format!("{prefix}_{name}"));
    let counts = [trees.len(), ids.len(), targets.len(), weights.len()];
    let lengths: Vec<(&str, usize)> = names.iter().map(String::as_str).zip(counts).collect();
    same_length(&lengths, rule::VOTE_LISTS_EQUAL_LENGTH)?;
    let count = kind.targets(call)?;
    let mut leaves = vec![Vec::new(); nodes];
    for (at, weight) in weights.into_iter().enumerate() {
        let target = usize::try_from(targets[at]).ok().filter(|&t| t < count);
        let target = target.ok_or_else(|| {
            Refusal::violates(
                rule::VOTES_IN_RANGE,
                format!("a vote is for {prefix} {}, expected one in [0, {count})", targets[at]),
            )
        })?;
        let leaf = leaf(trees[at], ids[at]);
        let leaf = leaf.ok_or_else(|| {
            Refusal::violates(
                rule::BRANCHES_FORM_TREES,
                format!("a vote belongs to node {} of tree {}, but there is no such leaf", ids[at], trees[at]),
            )
        })?;
        leaves[leaf].push((target, weight));
    }
    Ok(leaves)
}

/// Reads how the votes are combined.
pub fn tally(call: &Call, kind: EnsembleKind, forest: &Forest) -> Result<Tally, Refusal> {
    let targets = kind.targets(call)?;
    let base = reals(call, "base_values")?.unwrap_or_default();
    if !base.is_empty() && base.len() != targets {
        return Err(Refusal::violates(
            rule::BASE_VALUES_FIT,
            format!("there are {} base values, expected {targets}, one for each {}", base.len(), kind.prefix()),
        ));
    }
    let aggregate = match kind {
        EnsembleKind::Classifier => Aggregate::Sum,
        EnsembleKind::Regressor => {
            let name = call.string("aggregate_function")?;
            let found = Aggregate::ALL.iter().find(|(n, _)| *n == name).map(|(_, a)| *a);
            found.ok_or_else(|| {
                Refusal::violates(
                    rule::ATTRIBUTE_VALUES_KNOWN,
                    format!("`aggregate_function` is `{name}`, which is not a known function"),
                )
            })?
        }
    };
    let transform = PostTransform::named(&call.string("post_transform")?, rule::ATTRIBUTE_VALUES_KNOWN)?;
    Ok(Tally {
        trees: forest.roots.len(),
        targets,
        aggregate,
        base,
        transform,
        open: [rule::AVERAGE_DIVISOR, rule::NO_VOTES, rule::POST_TRANSFORM],
    })
}
