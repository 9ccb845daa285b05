//! Counts the cases of a run by cell and by feature.

use std::collections::BTreeMap;

use plumbline_generator::{Cell, wanted_features};
use plumbline_spec::OperatorId;
use serde::Serialize;

/// Counts of drawn cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coverage {
    /// The number of cases for each cell, such as `Min-13/T=float16`.
    pub cells: BTreeMap<String, u64>,
    /// Cases by operator version and feature.
    pub features: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Coverage {
    /// Adds `cases` to the count of a cell.
    pub fn add_cell(&mut self, cell: &str, cases: u64) {
        *self.cells.entry(cell.to_owned()).or_default() += cases;
    }

    /// Adds one case with these features to the counts of an operator version.
    pub fn add_features(&mut self, version: &OperatorId, features: &[String]) {
        let counts = self.features.entry(version.to_string()).or_default();
        for feature in features {
            *counts.entry(feature.clone()).or_default() += 1;
        }
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Coverage) {
        for (cell, count) in other.cells {
            *self.cells.entry(cell).or_default() += count;
        }
        for (version, features) in other.features {
            let counts = self.features.entry(version).or_default();
            for (feature, count) in features {
                *counts.entry(feature).or_default() += count;
            }
        }
    }

    /// Returns two counts, each with its name, how many items were reached, and how many there are. The first counts
    /// cells. The second counts the wanted features: that an attribute or optional input is given, and that it is left
    /// out where this is valid. `cells` are the cells of the run; `missing` receives a line for each item that was not
    /// reached.
    pub fn totals(&self, cells: &[Cell], missing: &mut Vec<String>) -> [(&'static str, u64, u64); 2] {
        let mut reached = [0, 0];
        let mut all = [0, 0];
        let mut seen = std::collections::BTreeSet::new();
        for cell in cells {
            let name = cell.to_string();
            all[0] += 1;
            match self.cells.get(&name) {
                Some(&count) if count > 0 => reached[0] += 1,
                _ => missing.push(format!("cell {name}")),
            }
            let version = cell.version.id.to_string();
            if !seen.insert(version.clone()) {
                continue;
            }
            for feature in wanted_features(cell.version) {
                all[1] += 1;
                let hit = self.features.get(&version).and_then(|f| f.get(&feature)).is_some_and(|&c| c > 0);
                if hit { reached[1] += 1 } else { missing.push(format!("{version}: {feature}")) }
            }
        }
        [
            ("cells (operator version and type)", reached[0], all[0]),
            ("attributes and optional inputs, given and left out", reached[1], all[1]),
        ]
    }
}
