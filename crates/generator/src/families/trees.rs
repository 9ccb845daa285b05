//! Decision trees, their examples and their votes, for all operators with tree ensembles.

use plumbline_tensor::onnx::AttributeProto;

use crate::prelude::*;

/// The index of BRANCH_NEQ in the list of modes.
const NOT_EQUAL: usize = 5;

/// A node that is no leaf: the feature it compares, the mode of the comparison, the number it compares with, where
/// missing values go, and the nodes that its true and its false branch lead to.
#[derive(Clone, Debug)]
pub struct Branch {
    pub feature: usize,
    pub mode: usize,
    pub split: f32,
    pub tracks: bool,
    pub next: [usize; 2],
}

/// The nodes of a tree level by level, the root first. A leaf is `None`.
pub type Tree = Vec<Option<Branch>>;

/// The modes in the order in which the first cases of a cell use them for the root of the first tree. Set membership,
/// which only TreeEnsemble-5 has, comes early.
const ROOTS: [usize; 7] = [0, 6, 1, 3, 2, 4, 5];

/// Draws one to three trees with at least `least` (0 or 1) and at most four branching nodes each. `modes` is the number
/// of modes that the operator has.
pub fn trees(draw: &mut Draw, features: usize, modes: usize, least: usize) -> Vec<Tree> {
    let count = draw.turn(&[1, 2, 3]);
    let roots: Vec<usize> = ROOTS.into_iter().filter(|&mode| mode < modes).collect();
    let root = draw.turn(&roots);
    let mut trees: Vec<Tree> = (0..count).map(|_| tree(draw, features, modes, least)).collect();
    if let Some(branch) = trees[0].first_mut().and_then(Option::as_mut) {
        branch.mode = root;
    }
    if trees.iter().flatten().flatten().any(|branch| branch.mode == NOT_EQUAL) {
        draw.feature("BRANCH_NEQ");
    }
    trees
}

/// Draws one tree.
fn tree(draw: &mut Draw, features: usize, modes: usize, least: usize) -> Tree {
    let leaf = least == 0 && draw.once_in(6);
    let mut left = if leaf { 0 } else { draw.range(1..=4) as usize };
    if left == 0 {
        draw.feature("tree of one leaf");
    }
    let splits = if draw.flag() { Values::Moderate } else { Values::Integers };
    let mut nodes: Tree = Vec::new();
    let mut count = 1;
    while nodes.len() < count {
        let last = nodes.len() + 1 == count;
        let branches = left > 0 && (last || draw.flag());
        nodes.push(branches.then(|| {
            left -= 1;
            count += 2;
            let split = draw.elements(DType::Float, &[], splits).f64_at(0) as f32;
            let (feature, mode) = (draw.below(features), draw.below(modes));
            Branch { feature, mode, split, tracks: draw.flag(), next: [count - 2, count - 1] }
        }));
    }
    nodes
}

/// A feature, and a number that a node compares it with.
pub type Threshold = (usize, f64);

/// Returns the thresholds of the trees, in the order of their nodes.
pub fn thresholds(trees: &[Tree]) -> Vec<Threshold> {
    trees.iter().flatten().flatten().map(|branch| (branch.feature, f64::from(branch.split))).collect()
}

/// Gives the examples. Up to half of their elements are equal to a threshold of the element's feature. In the first
/// example, the feature of the first threshold is equal to that threshold. In some cases, elements are missing (NaN).
pub fn examples(draw: &mut Draw, features: usize, thresholds: &[Threshold]) {
    let dtype = draw.input_dtype("X");
    let count = draw.turn(&[3, 4, 5, 2, 1, 0]);
    let count = draw.extent(count, 8);
    let values = draw.choose(&[Values::Integers, Values::Moderate, Values::Finite]);
    let x = draw.elements(dtype, &[count, features], values);
    let equal = draw.block(x.len(), 2 * thresholds.len() as u64);
    let missing = dtype.is_float() && draw.turn(&[false, true, true, false]);
    let missing = draw.block(if missing { x.len() } else { 0 }, 4);
    if !missing.is_empty() {
        draw.feature("missing value");
    }
    let mut on_threshold = false;
    let values: Vec<f64> = (0..x.len())
        .map(|i| {
            let threshold = thresholds.get(if i < features { 0 } else { equal[i] as usize });
            match threshold {
                // The last example misses features more often.
                _ if missing.get(i).is_some_and(|&m| m == 1 || m > 1 && i + features >= x.len()) => f64::NAN,
                Some(&(feature, at)) if feature == i % features => {
                    on_threshold = true;
                    at
                }
                _ => x.f64_at(i),
            }
        })
        .collect();
    if on_threshold {
        draw.feature("a feature at a threshold");
    }
    let x = match dtype.integer_range() {
        Some((low, high)) => {
            let whole: Vec<i128> = values.iter().map(|&v| (v as i128).clamp(low, high)).collect();
            Tensor::from_i128s(dtype, vec![count, features], &whole)
        }
        None => Tensor::from_f64s(dtype, vec![count, features], &values),
    };
    draw.input("X", x.expect("the number of elements stays the same"));
}

/// Draws the weights of votes; small positive ones if they have to add up to probabilities.
pub fn weights(draw: &mut Draw, dtype: DType, count: usize, probabilities: bool) -> Vec<f64> {
    let values = if probabilities { Values::Between(0.05, 0.25) } else { Values::Moderate };
    draw.elements(dtype, &[count], values).to_f64s()
}

/// Returns the attribute of this name, if it has been drawn.
pub fn drawn_attribute<'d>(draw: &'d mut Draw, name: &str) -> Option<&'d mut AttributeProto> {
    draw.attributes.iter_mut().find(|a| a.name.as_deref() == Some(name))
}

/// Sets one element in a list of integers.
pub fn set_int(draw: &mut Draw, name: &str, at: usize, value: i64) {
    if let Some(slot) = drawn_attribute(draw, name).and_then(|a| a.ints.get_mut(at)) {
        *slot = value;
    }
}

/// Gives a number of targets below 1.
pub fn too_few_targets(draw: &mut Draw) {
    let targets = draw.under(1);
    draw.attributes.retain(|a| a.name.as_deref() != Some("n_targets"));
    draw.int_attribute("n_targets", targets);
}

/// Makes a list of integers longer or shorter by one element.
pub fn change_length(draw: &mut Draw, name: &str) {
    let shorter = draw.way(2) == 1;
    if let Some(attribute) = drawn_attribute(draw, name) {
        match shorter {
            true => drop(attribute.ints.pop()),
            false => attribute.ints.push(0),
        }
    }
}

/// Replaces the input by one of rank 3, 1 or 0.
pub fn wrong_rank(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3, 1], vec![3], vec![]]);
    let dtype = draw.input_dtype("X");
    let x = draw.elements(dtype, &shape, Values::Integers);
    draw.replace_last_input(x);
}
