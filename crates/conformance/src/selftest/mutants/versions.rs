//! Checks that generated cases tell apart the versions that answer differently according to `reports/behaviour`.

use std::path::Path;

use plumbline_spec::{Operator, Spec};

use super::{Fate, MutantKind, MutantResult};
use crate::behaviour::snapshot_path;

/// Two versions of an operator that answer the same valid case differently, although no generated case tells one from
/// the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The operator.
    pub operator: String,
    /// The earlier version.
    pub from: u32,
    /// The later version.
    pub to: u32,
    /// The mutants of this pair and their fates. None of them is killed.
    pub fates: Vec<(String, Fate)>,
}

/// Returns the pairs of versions that answer differently according to their snapshot, but for which no version mutant
/// in `results` is killed. Pairs without a mutant in `results` do not count. The second value is the number of pairs
/// that count.
pub fn unnoticed_pairs(root: &Path, results: &[MutantResult]) -> (Vec<Pair>, usize) {
    let (mut unnoticed, mut count) = (Vec::new(), 0);
    for operator in Spec::embedded().operators() {
        let Ok(text) = std::fs::read_to_string(snapshot_path(root, operator)) else { continue };
        for (from, to) in differing(operator, &text) {
            let of_pair = |result: &&MutantResult| {
                let between = |a: u32, b: u32| result.version.since == a && result.name == format!("as-version-{b}");
                result.kind == MutantKind::Version
                    && result.version.qualified_name() == operator.qualified_name()
                    && (between(from, to) || between(to, from))
            };
            let fates: Vec<(String, Fate)> =
                results.iter().filter(of_pair).map(|result| (result.to_string(), result.fate)).collect();
            count += usize::from(!fates.is_empty());
            if !fates.is_empty() && !fates.iter().any(|(_, fate)| fate.is_killed()) {
                unnoticed.push(Pair { operator: operator.qualified_name(), from, to, fates });
            }
        }
    }
    (unnoticed, count)
}

/// Returns the pairs of versions for which the snapshot has `both accept, the answers differ`.
fn differing(operator: &Operator, text: &str) -> Vec<(u32, u32)> {
    let heading = |line: &str| -> Option<(u32, u32)> {
        let (from, to) = line.strip_prefix(&operator.name)?.strip_prefix('-')?.split_once(" to ")?;
        let to = to.strip_prefix(&operator.name)?.strip_prefix('-')?;
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    let (mut pair, mut found) = (None, Vec::new());
    for line in text.lines() {
        pair = heading(line).or(pair);
        if let Some(pair) = pair.filter(|_| line.trim_start().starts_with("both accept, the answers differ")) {
            found.push(pair);
        }
    }
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_from_snapshots() {
        let operator = Spec::embedded().operator("ai.onnx", "Softmax").unwrap();
        let text = "Softmax-1 to Softmax-11\n    only 1 accepts; 11 refuses by axis-in-range:\n\nSoftmax-11 to Softmax-13\n    both accept, the answers differ:\n    both accept, the answers differ; axis left out, the defaults differ:\n";
        assert_eq!(differing(operator, text), [(11, 13)]);
    }
}
