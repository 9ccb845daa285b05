//! Maps that do not grow with the results.

use std::collections::BTreeMap;

/// A map that keeps only its smallest keys, and counts the additions that it could not keep.
#[derive(Debug)]
pub(crate) struct Bounded<K, V> {
    pub kept: BTreeMap<K, V>,
    limit: usize,
    pub left_out: u64,
}

/// Counts the additions that a kept value stands for.
pub(crate) trait Count {
    fn count(&self) -> u64;
}

impl Count for u64 {
    fn count(&self) -> u64 {
        *self
    }
}

impl<K: Ord, V: Count> Bounded<K, V> {
    pub fn new(limit: usize) -> Bounded<K, V> {
        Bounded { kept: BTreeMap::new(), limit, left_out: 0 }
    }

    /// Adds to the value of a key. A key that was removed is never added again: keys are removed only from a full map,
    /// and the largest key of a full map only ever gets smaller.
    pub fn add(&mut self, key: K, update: impl FnOnce(&mut V), new: impl FnOnce() -> V) {
        if let Some(value) = self.kept.get_mut(&key) {
            update(value);
            return;
        }
        if self.kept.len() < self.limit {
            self.kept.insert(key, new());
            return;
        }
        match self.kept.last_entry() {
            Some(largest) if key < *largest.key() => {
                self.left_out += largest.remove().count();
                self.kept.insert(key, new());
            }
            _ => self.left_out += 1,
        }
    }
}
