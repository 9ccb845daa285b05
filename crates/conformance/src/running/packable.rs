//! Which pieces of work may share a session with others on which backend.

use std::collections::BTreeMap;

use crate::results::CaseResult;
use plumbline_judge::{FailKind, Verdict};

/// How often backends gave right answers to the cases of a piece, alone or in a pack.
#[derive(Clone, Debug, Default)]
pub(super) struct Packable {
    /// By piece and backend: the number of right answers, and of results.
    right: BTreeMap<String, BTreeMap<String, (u64, u64)>>,
}

impl Packable {
    /// Notes a result of a piece.
    pub fn note(&mut self, piece: &str, result: &CaseResult) {
        if !self.right.contains_key(piece) {
            self.right.insert(piece.to_owned(), BTreeMap::new());
        }
        let Some(of_piece) = self.right.get_mut(piece) else { return };
        let (right, all) = of_piece.entry(result.backend.clone()).or_default();
        *right += u64::from(is_right(result));
        *all += 1;
    }

    /// Returns whether cases of a piece may be in packs on a backend: most of them have a right answer. If others were
    /// in packs, most packs would have to be divided again.
    pub fn takes(&self, piece: &str, backend: &str) -> bool {
        let known = self.right.get(piece).and_then(|of_piece| of_piece.get(backend));
        known.is_some_and(|(right, all)| 4 * right >= 3 * all)
    }
}

/// Returns whether a backend gave a right answer to a case by itself, whatever it did in a pack.
pub(super) fn is_right(result: &CaseResult) -> bool {
    matches!(result.verdict, Verdict::Pass | Verdict::Latitude) || result.kind == Some(FailKind::InPack)
}
