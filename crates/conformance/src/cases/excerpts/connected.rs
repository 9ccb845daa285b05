//! Connected subgraphs of a model.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::Choices;
use plumbline_judge::hash;

use super::MOST_NODES;
use crate::cases::Layout;

/// The largest number of neighbours of a node from which subgraphs of three nodes are made.
const MOST_NEIGHBOURS: usize = 12;

/// How many subgraphs of each larger size grow from each node.
const GROWN: usize = 4;

/// Returns connected subgraphs of two to six of these nodes, by their sizes: all pairs of a node and one that reads its
/// output, all triples unless a node has very many neighbours, and a sample of the larger ones. Those of a size come in
/// random order.
pub(super) fn subgraphs(layout: &Layout, nodes: &[usize], seed: u64) -> Vec<Vec<Vec<usize>>> {
    let mut neighbours: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for &at in nodes {
        for before in layout.reads(at).iter().filter_map(|name| layout.producer(name)) {
            if nodes.binary_search(&before).is_ok() {
                neighbours.entry(at).or_default().insert(before);
                neighbours.entry(before).or_default().insert(at);
            }
        }
    }
    let mut of_size = vec![BTreeSet::new(); MOST_NODES - 1];
    let mut choices = Choices::random(seed);
    for (&at, around) in &neighbours {
        of_size[0].extend(around.iter().map(|&other| sorted(&[at, other])));
        let some: Vec<usize> = around.iter().copied().take(MOST_NEIGHBOURS).collect();
        for (number, &first) in some.iter().enumerate() {
            of_size[1].extend(some[number + 1..].iter().map(|&second| sorted(&[at, first, second])));
        }
        for (place, found) in of_size.iter_mut().enumerate().skip(2) {
            found.extend((0..GROWN).filter_map(|_| grown(&neighbours, at, place + 2, &mut choices)));
        }
    }
    let mixed = |found: BTreeSet<Vec<usize>>| {
        let mut keyed: Vec<(u64, Vec<usize>)> =
            found.into_iter().map(|nodes| (hash(&format!("{nodes:?}@{seed}")), nodes)).collect();
        keyed.sort();
        keyed.into_iter().map(|(_, nodes)| nodes).collect()
    };
    of_size.into_iter().map(mixed).collect()
}

fn sorted(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes
}

/// Grows a subgraph of this size from a node, one neighbour after the other. Returns `None` if there are too few.
fn grown(
    neighbours: &BTreeMap<usize, BTreeSet<usize>>,
    start: usize,
    size: usize,
    choices: &mut Choices,
) -> Option<Vec<usize>> {
    let mut nodes = BTreeSet::from([start]);
    while nodes.len() < size {
        let around = nodes.iter().filter_map(|at| neighbours.get(at)).flatten();
        let around: BTreeSet<usize> = around.copied().filter(|at| !nodes.contains(at)).collect();
        let place = choices.below(around.len() as u64) as usize;
        nodes.insert(*around.iter().nth(place)?);
    }
    Some(nodes.into_iter().collect())
}
