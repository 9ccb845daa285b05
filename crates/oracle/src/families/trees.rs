//! Trees that lead from the features of an example to a leaf, and the votes of the leaves.

use crate::families::post_transform::PostTransform;
use crate::families::traditional::in_float;
use crate::prelude::*;
use crate::steps;

/// The comparison made at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `BRANCH_LEQ`: the feature is less than or equal to the split.
    Leq,
    /// `BRANCH_LT`: the feature is less than the split.
    Lt,
    /// `BRANCH_GTE`: the feature is greater than or equal to the split.
    Gte,
    /// `BRANCH_GT`: the feature is greater than the split.
    Gt,
    /// `BRANCH_EQ`: the feature equals the split.
    Eq,
    /// `BRANCH_NEQ`: the feature does not equal the split.
    Neq,
    /// `BRANCH_MEMBER`: the feature is a member of a set.
    Member,
}

impl Mode {
    /// All modes, in the order of their numbers in TreeEnsemble-5.
    pub const ALL: [(&str, Mode); 7] = [
        ("BRANCH_LEQ", Mode::Leq),
        ("BRANCH_LT", Mode::Lt),
        ("BRANCH_GTE", Mode::Gte),
        ("BRANCH_GT", Mode::Gt),
        ("BRANCH_EQ", Mode::Eq),
        ("BRANCH_NEQ", Mode::Neq),
        ("BRANCH_MEMBER", Mode::Member),
    ];
}

/// The place that a branch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The branch leads to a node.
    Node(usize),
    /// The branch leads to a leaf.
    Leaf(usize),
}

/// A node that branches.
#[derive(Clone, Debug)]
pub struct Node {
    /// The feature that is compared.
    pub feature: usize,
    /// The comparison.
    pub mode: Mode,
    /// The number to compare with, or the members of a set.
    pub splits: Vec<f64>,
    /// Whether NaN takes the true branch instead of the false one.
    pub missing_is_true: bool,
    /// The true branch.
    pub yes: Next,
    /// The false branch.
    pub no: Next,
}

impl Node {
    fn holds(&self, x: f64) -> bool {
        let split = self.splits.first().copied().unwrap_or(f64::NAN);
        match self.mode {
            _ if x.is_nan() => self.missing_is_true,
            Mode::Leq => x <= split,
            Mode::Lt => x < split,
            Mode::Gte => x >= split,
            Mode::Gt => x > split,
            Mode::Eq => x == split,
            Mode::Neq => x != split,
            Mode::Member => self.splits.contains(&x),
        }
    }
}

/// The vote of a leaf: a target or class, and a weight.
pub type Vote = (usize, Number);

/// Trees, and the votes of their leaves.
pub struct Forest {
    /// The nodes that branch, at the indices in [`Next::Node`]. Entries at other indices are not used.
    pub nodes: Vec<Node>,
    /// The place where each tree begins.
    pub roots: Vec<Next>,
    /// The votes of each leaf, at the index in [`Next::Leaf`].
    pub leaves: Vec<Vec<Vote>>,
}

impl Forest {
    /// Refuses a forest if the branches from its roots reach a node twice, as they do if a node leads back to itself.
    /// Nodes that no root leads to are not checked. `label` names the rule that is violated.
    pub fn check(&self, label: Label) -> Result<(), Refusal> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open: Vec<Next> = self.roots.clone();
        while let Some(next) = open.pop() {
            let Next::Node(at) = next else { continue };
            if std::mem::replace(&mut seen[at], true) {
                return Err(Refusal::violates(label, format!("node {at} is reached by two branches")));
            }
            open.extend([self.nodes[at].yes, self.nodes[at].no]);
        }
        Ok(())
    }

    /// Returns the leaves that the features of an example lead to, one for each tree. The forest must have passed
    /// [`Forest::check`].
    fn reached(&self, features: &[f64]) -> Vec<usize> {
        let leaf = |root: &Next| {
            let mut next = *root;
            while let Next::Node(at) = next {
                steps::take(1);
                let node = &self.nodes[at];
                next = if node.holds(features[node.feature]) { node.yes } else { node.no };
            }
            if let Next::Leaf(leaf) = next { leaf } else { 0 }
        };
        self.roots.iter().map(leaf).collect()
    }

    /// Returns the votes for each example, which is a row of `x`. If `rounded` is true, an implementation may round
    /// elements to float before it compares them. If the rounded elements lead to other leaves, the second member of
    /// the pair has the votes of those leaves.
    pub fn votes(&self, x: &Expected, rounded: bool) -> Vec<(Vec<Vote>, Option<Vec<Vote>>)> {
        let features = x.extent(1);
        let row = |row: usize| {
            let numbers = (row * features..(row + 1) * features).map(|i| x.number(i));
            let exact: Vec<f64> = numbers.map(|n| n.mid()).collect();
            let as_float: Vec<f64> = exact.iter().map(|&v| f64::from(v as f32)).collect();
            let (leaves, others) = (self.reached(&exact), self.reached(&as_float));
            let of = |leaves: &[usize]| leaves.iter().flat_map(|&leaf| self.leaves[leaf].iter().copied()).collect();
            (of(&leaves), (rounded && leaves != others).then(|| of(&others)))
        };
        (0..x.extent(0)).map(row).collect()
    }
}

/// How several votes for one target are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// `AVERAGE`: the sum of the votes divided by the number of trees.
    Average,
    /// `SUM`: the sum of the votes.
    Sum,
    /// `MIN`: the smallest vote.
    Min,
    /// `MAX`: the largest vote.
    Max,
}

impl Aggregate {
    /// All aggregates, in the order of their numbers in TreeEnsemble-5.
    pub const ALL: [(&str, Aggregate); 4] =
        [("AVERAGE", Aggregate::Average), ("SUM", Aggregate::Sum), ("MIN", Aggregate::Min), ("MAX", Aggregate::Max)];

    /// Returns the score of one target. If the target does not have one vote for each tree, the rule `average` leaves
    /// open the divisor of an average. If it has no votes, the rule `none` leaves open the smallest and the largest
    /// vote.
    fn combine(self, votes: &[Number], trees: usize, dtype: DType, average: Label, none: Label) -> Number {
        let zero = Number::constant(0.0, dtype);
        let sum = || crate::sum_inside(votes.iter().copied(), dtype, average);
        // Without votes, the result is 0, or the number at which a search for an extremum begins.
        let extremum = |pick: fn(f64, f64) -> f64, beginning: f64| {
            let chosen = votes.iter().copied().reduce(|a, b| if pick(a.mid(), b.mid()) == a.mid() { a } else { b });
            let largest = dtype.float_format().map_or(f64::MAX, |f| f.max_finite()).copysign(beginning);
            let nothing = || zero.or(zero.like(beginning), none).or(zero.like(largest), none);
            chosen.map_or_else(nothing, Number::with_any_zero)
        };
        match self {
            Aggregate::Sum => sum(),
            Aggregate::Average => {
                let mean = sum() / zero.like(trees as f64);
                let stepwise = votes.iter().map(|&vote| vote / zero.like(trees as f64));
                let mean = mean.hull(crate::sum_inside(stepwise, dtype, average));
                match votes.len() {
                    count if count == trees => mean,
                    0 => mean.or(zero.like(f64::NAN), average),
                    count => mean.or(sum() / zero.like(count as f64), average),
                }
            }
            Aggregate::Min => extremum(f64::min, f64::INFINITY),
            Aggregate::Max => extremum(f64::max, f64::NEG_INFINITY),
        }
    }
}

/// How votes become scores.
pub struct Tally {
    /// The number of trees.
    pub trees: usize,
    /// The number of targets or classes.
    pub targets: usize,
    /// How several votes for one target are combined.
    pub aggregate: Aggregate,
    /// The number that is added for each target; empty if nothing is added.
    pub base: Vec<Number>,
    /// The transform that is applied to the scores.
    pub transform: PostTransform,
    /// Three rules, for what the specification leaves open: the average if there are more or fewer votes than trees,
    /// the score of a target without a vote, and the transform.
    pub open: [Label; 3],
}

impl Tally {
    /// Returns the scores of one example before they are transformed.
    pub fn scores(&self, votes: &[(usize, Number)], base: &[Number], dtype: DType) -> Vec<Number> {
        let [average, none, _] = self.open;
        let score = |target: usize| {
            let own: Vec<Number> = votes.iter().filter(|(t, _)| *t == target).map(|(_, w)| *w).collect();
            let score = self.aggregate.combine(&own, self.trees, dtype, average, none);
            match (base.get(target), self.aggregate) {
                (None, _) => score,
                (Some(&base), Aggregate::Sum) => {
                    let all = own.into_iter().chain([base]);
                    (score + base).hull(crate::sum_inside(all, dtype, average))
                }
                (Some(&base), _) => score + base,
            }
        };
        (0..self.targets).map(score).collect()
    }

    /// Returns the scores as float, before and after they are transformed. The weights may have any type.
    pub fn float_scores(&self, votes: &[Vote]) -> (Vec<Number>, Vec<Number>) {
        let all: Vec<Number> = votes.iter().map(|(_, w)| *w).chain(self.base.iter().copied()).collect();
        let scored = |numbers: &[Number]| {
            let (weights, base) = numbers.split_at(votes.len());
            let votes: Vec<Vote> = votes.iter().zip(weights).map(|((t, _), w)| (*t, *w)).collect();
            let dtype = numbers.first().map_or(DType::Float, Number::dtype);
            self.scores(&votes, base, dtype)
        };
        let raw = in_float(&all, scored);
        let transformed = in_float(&all, |numbers| self.transform.apply_to_targets(&scored(numbers), self.open[2]));
        (raw, transformed)
    }
}
