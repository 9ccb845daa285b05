//! Counts the cases of a run by cell, by feature and, for each cell, by goal.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{Cell, RULE, directml, wanted_features};
use plumbline_judge::Right;
use plumbline_spec::OperatorId;
use plumbline_spec::directml::Operator;
use serde::Serialize;

/// Counts of drawn cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coverage {
    /// The number of cases for each cell, such as `Min-13/T=float16`.
    pub cells: BTreeMap<String, u64>,
    /// Cases by operator version and feature.
    pub features: BTreeMap<String, BTreeMap<String, u64>>,
    /// For each cell and each of its goals, the number of valid cases that met the goal, or 0.
    pub goals: BTreeMap<String, BTreeMap<String, u64>>,
}

/// How many goals of cells were met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// The goals that were met.
    pub met: u64,
    /// All goals.
    pub of: u64,
    /// The goals that were not met, each with its cell.
    pub missing: Vec<String>,
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

    /// Adds valid cases of a cell, each with its features and its expected outcome, to the counts of the cell's goals.
    pub fn add_goals<'a>(&mut self, cell: &Cell, cases: impl Iterator<Item = (&'a [String], Option<&'a Right>)>) {
        let counts = self.goals.entry(cell.to_string()).or_default();
        let goals = cell.goals();
        goals.iter().for_each(|goal| *counts.entry((*goal).to_owned()).or_default() += 0);
        for (features, right) in cases {
            let open = match right {
                Some(Right::Outputs { open, .. }) => &open[..],
                _ => &[],
            };
            let rules = open.iter().filter(|rule| rule.operator == cell.version.id);
            let rules: BTreeSet<String> = rules.map(|rule| format!("{RULE}{}", rule.label)).collect();
            for met in features.iter().chain(&rules) {
                if let Some(count) = counts.get_mut(met) {
                    *count += 1;
                }
            }
        }
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Coverage) {
        for (cell, count) in other.cells {
            *self.cells.entry(cell).or_default() += count;
        }
        for (counts, others) in [(&mut self.features, other.features), (&mut self.goals, other.goals)] {
            for (name, others) in others {
                let counts = counts.entry(name).or_default();
                for (what, count) in others {
                    *counts.entry(what).or_default() += count;
                }
            }
        }
    }

    /// Returns how many of the goals of these cells were met.
    pub fn goals_of(&self, cells: &[Cell]) -> Goals {
        let mut goals = Goals::default();
        for cell in cells {
            let name = cell.to_string();
            let counts = self.goals.get(&name);
            for goal in cell.goals() {
                goals.of += 1;
                match counts.and_then(|counts| counts.get(goal)) {
                    Some(1..) => goals.met += 1,
                    _ => goals.missing.push(format!("{name}: {goal}")),
                }
            }
        }
        goals
    }

    /// Returns three counts, each with its name, how many items were reached, and how many there are. The first counts
    /// cells. The second counts the wanted features: that an attribute or optional input is given, and that it is left
    /// out where this is valid. The third counts what [`directml::wanted`] says of operators of DirectML. `cells` and
    /// `operators` are those of the run; `missing` receives a line for each item that was not reached.
    pub fn totals(
        &self,
        cells: &[Cell],
        operators: &[&'static Operator],
        missing: &mut Vec<String>,
    ) -> [(&'static str, u64, u64); 3] {
        let mut reached = [0, 0, 0];
        let mut all = [0, 0, 0];
        let mut seen = BTreeSet::new();
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
        for operator in operators {
            let counts = self.features.get(&directml::id_of(operator).to_string());
            for feature in directml::wanted(operator).features {
                all[2] += 1;
                let hit = counts.and_then(|counts| counts.get(&feature)).is_some_and(|&count| count > 0);
                if hit { reached[2] += 1 } else { missing.push(format!("{}: {feature}", operator.name)) }
            }
        }
        [
            ("cells (operator version and type)", reached[0], all[0]),
            ("attributes and optional inputs, given and left out", reached[1], all[1]),
            ("features of DirectML's operators (types, dimensions, layouts, fields, broken rules)", reached[2], all[2]),
        ]
    }
}
