use crate::families::post_transform::PostTransform;
use crate::families::traditional::certain;
use crate::families::trees::{Aggregate, Forest, Mode, Next, Node, Tally, Vote};
use crate::prelude::*;

/// Evaluates an ensemble of decision trees whose nodes and leaves are listed separately, and aggregates the weights of
/// the leaves per target.
///
/// The only version is 5. Constraints: the rank of `X` (`rank-two`), lists of equal length for the nodes
/// (`node-lists-equal-length`) and for the leaves (`vote-lists-equal-length`), the types of tensor attributes
/// (`tensor-types-fit`), roots and branches that lead to existing nodes and leaves (`branches-form-trees`), feature
/// indices (`features-in-range`), modes (`node-modes-known`), targets (`votes-in-range`), one set for each
/// `BRANCH_MEMBER` node (`member-sets-complete`), and the codes of the transform and the aggregate function
/// (`attribute-values-known`).
///
/// NaN: `nan`; the divisor of averages: `average-divisor`; targets without a vote: `no-votes`; transforms:
/// `post-transform`; the order of the sets: `member-set-order`.
pub fn tree_ensemble(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    if x.rank() != 2 {
        return Err(Refusal::violates(rule::RANK_TWO, format!("`X` has shape {:?}, expected rank 2", x.shape())));
    }
    certain(x)?;
    let forest = Forest { nodes: nodes(call, x)?, roots: roots(call)?, leaves: leaves(call, x.dtype())? };
    reachable(&forest)?;
    forest.check(rule::BRANCHES_FORM_TREES)?;
    let targets = usize::try_from(call.int("n_targets")?).ok().filter(|n| *n > 0);
    let targets = targets.ok_or_else(|| Refusal::violates(rule::VOTES_IN_RANGE, "`n_targets` is not positive"))?;
    if let Some((target, _)) = forest.leaves.iter().flatten().find(|(target, _)| *target >= targets) {
        return Err(Refusal::violates(
            rule::VOTES_IN_RANGE,
            format!("a leaf is for target {target}, expected one in [0, {targets})"),
        ));
    }
    let aggregate = usize::try_from(call.int("aggregate_function")?).ok().and_then(|n| Aggregate::ALL.get(n));
    let (_, aggregate) = *aggregate
        .ok_or_else(|| Refusal::violates(rule::ATTRIBUTE_VALUES_KNOWN, "`aggregate_function` is out of range"))?;
    let transform = PostTransform::numbered(call.int("post_transform")?, rule::ATTRIBUTE_VALUES_KNOWN)?;
    let tally = Tally {
        trees: forest.roots.len(),
        targets,
        aggregate,
        base: vec![],
        transform,
        open: [rule::AVERAGE_DIVISOR, rule::NO_VOTES, rule::POST_TRANSFORM],
    };
    shape::affordable(&[x.extent(0), targets])?;
    let mut numbers = Vec::new();
    for (votes, _) in forest.votes(x, false) {
        let scores = tally.scores(&votes, &[], x.dtype());
        numbers.extend(transform.apply_to_targets(&scores, rule::POST_TRANSFORM));
    }
    call.answer(vec![x.extent(0), targets], numbers)
}

fn tensor(call: &Call, name: &str, dtype: DType) -> Result<Option<Tensor>, Refusal> {
    let Some(tensor) = call.optional_tensor_attribute(name)? else { return Ok(None) };
    match tensor.dtype() == dtype && tensor.rank() == 1 {
        true => Ok(Some(tensor)),
        false => Err(Refusal::violates(
            rule::TENSOR_TYPES_FIT,
            format!("`{name}` has type {} and shape {:?}, expected a list of {dtype}", tensor.dtype(), tensor.shape()),
        )),
    }
}

fn nodes(call: &Call, x: &Expected) -> Result<Vec<Node>, Refusal> {
    let missing = |name: &str| Refusal::invalid(format!("attribute `{name}` is missing"));
    let splits = tensor(call, "nodes_splits", x.dtype())?.ok_or_else(|| missing("nodes_splits"))?;
    let modes = tensor(call, "nodes_modes", DType::Uint8)?.ok_or_else(|| missing("nodes_modes"))?;
    let count = splits.len();
    let list = |name: &str| {
        let list = call.int_list(name)?;
        match list.len() == count {
            true => Ok(list),
            false => Err(Refusal::violates(
                rule::NODE_LISTS_EQUAL_LENGTH,
                format!("`{name}` has {} entries, expected one for each of {count} nodes", list.len()),
            )),
        }
    };
    let features = list("nodes_featureids")?;
    let (yes, no) = (list("nodes_truenodeids")?, list("nodes_falsenodeids")?);
    let (yes_leaf, no_leaf) = (list("nodes_trueleafs")?, list("nodes_falseleafs")?);
    let tracks = match call.has_attribute("nodes_missing_value_tracks_true") {
        true => list("nodes_missing_value_tracks_true")?,
        false => vec![0; count],
    };
    let hitrates = tensor(call, "nodes_hitrates", DType::Float)?.map_or(count, |h| h.len());
    if modes.len() != count || hitrates != count {
        return Err(Refusal::violates(
            rule::NODE_LISTS_EQUAL_LENGTH,
            format!("there are {} modes and {hitrates} hit rates, expected one for each of {count} nodes", modes.len()),
        ));
    }
    let mut sets = sets(tensor(call, "membership_values", x.dtype())?).into_iter();
    let branch = |id: i64, leaf: i64| {
        let at = usize::try_from(id).map_err(|_| {
            Refusal::violates(rule::BRANCHES_FORM_TREES, format!("a branch leads to index {id}, which is negative"))
        })?;
        Ok::<Next, Refusal>(if leaf != 0 { Next::Leaf(at) } else { Next::Node(at) })
    };
    let mut nodes = Vec::with_capacity(count);
    for at in 0..count {
        let number = modes.bits_at(at) as usize;
        let (_, mode) = *Mode::ALL.get(number).ok_or_else(|| {
            Refusal::violates(
                rule::NODE_MODES_KNOWN,
                format!("a node has the mode {number}, which is not a known mode"),
            )
        })?;
        let feature = usize::try_from(features[at]).ok().filter(|&f| f < x.extent(1));
        let feature = feature.ok_or_else(|| {
            Refusal::violates(
                rule::FEATURES_IN_RANGE,
                format!("a node compares feature {}, but `X` has {} features", features[at], x.extent(1)),
            )
        })?;
        let splits = match mode {
            Mode::Member => sets.next().ok_or_else(|| {
                Refusal::violates(
                    rule::MEMBER_SETS_COMPLETE,
                    "a node with the mode BRANCH_MEMBER has no set of members",
                )
            })?,
            _ => vec![splits.f64_at(at)],
        };
        let (yes, no) = (branch(yes[at], yes_leaf[at])?, branch(no[at], no_leaf[at])?);
        nodes.push(Node { feature, mode, splits, missing_is_true: tracks[at] != 0, yes, no });
    }
    match sets.next() {
        Some(_) => Err(Refusal::violates(
            rule::MEMBER_SETS_COMPLETE,
            "there are more sets of members than nodes with the mode BRANCH_MEMBER",
        )),
        None => Ok(nodes),
    }
}

/// Splits the values into sets; a NaN ends each set.
fn sets(values: Option<Tensor>) -> Vec<Vec<f64>> {
    let values = values.map(|v| v.to_f64s()).unwrap_or_default();
    let mut sets: Vec<Vec<f64>> = values.split(|v| v.is_nan()).map(<[f64]>::to_vec).collect();
    // The last set ends with a NaN too, so the rest after it is empty.
    if sets.last().is_some_and(Vec::is_empty) {
        sets.pop();
    }
    sets
}

fn roots(call: &Call) -> Result<Vec<Next>, Refusal> {
    let root = |&id: &i64| {
        let at = usize::try_from(id).map_err(|_| {
            Refusal::violates(rule::BRANCHES_FORM_TREES, format!("a root is node {id}, which is negative"))
        })?;
        Ok(Next::Node(at))
    };
    call.int_list("tree_roots")?.iter().map(root).collect()
}

fn leaves(call: &Call, dtype: DType) -> Result<Vec<Vec<Vote>>, Refusal> {
    let weights = tensor(call, "leaf_weights", dtype)?.ok_or_else(|| Refusal::invalid("`leaf_weights` is missing"))?;
    let targets = call.int_list("leaf_targetids")?;
    if targets.len() != weights.len() {
        return Err(Refusal::violates(
            rule::VOTE_LISTS_EQUAL_LENGTH,
            format!(
                "there are {} leaf weights and {} leaf targets, expected equal numbers",
                weights.len(),
                targets.len()
            ),
        ));
    }
    let leaf = |(&target, weight): (&i64, Number)| {
        let target = usize::try_from(target).map_err(|_| {
            Refusal::violates(rule::VOTES_IN_RANGE, format!("a leaf is for target {target}, which is negative"))
        })?;
        Ok(vec![(target, weight)])
    };
    targets.iter().zip(Expected::from(weights).numbers()).map(leaf).collect()
}

/// Rejects roots and branches that lead to no existing node or leaf (`branches-form-trees`).
fn reachable(forest: &Forest) -> Result<(), Refusal> {
    let branches = forest.nodes.iter().flat_map(|node| [node.yes, node.no]);
    let lost = |next: &Next| match *next {
        Next::Node(at) => at >= forest.nodes.len(),
        Next::Leaf(at) => at >= forest.leaves.len(),
    };
    match branches.chain(forest.roots.iter().copied()).find(lost) {
        Some(next) => Err(Refusal::violates(
            rule::BRANCHES_FORM_TREES,
            format!("a branch or root leads to {next:?}, which does not exist"),
        )),
        None => Ok(()),
    }
}
