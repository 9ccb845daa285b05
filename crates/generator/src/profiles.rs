//! Run profiles: how many cases a run draws (`generators/profiles.toml`).

use std::collections::BTreeMap;

use serde::Deserialize;

/// The number of cases of a run, and the time limit for each.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunProfile {
    /// The average number of cases per cell. A cell gets more if its operator has more to vary.
    pub cases: u64,
    /// The number of negative cases per cell and constraint.
    pub negative_cases: u64,
    /// The number of graphs per cell of a version with many cells. Below 1, only a part of the cells has a graph. Each
    /// pattern has at least one.
    pub graph_cases: f64,
    /// The number of large cases per cell of an operator that has them. Below 1, only a part of these cells has one.
    pub large_cases: f64,
    /// The longest time that a backend may take for one case, in milliseconds.
    pub deadline_ms: u64,
}

/// Returns all profiles by name, as they were when this program was built.
///
/// # Errors
/// The text says what is wrong in `generators/profiles.toml`, with the line.
pub fn profiles() -> Result<BTreeMap<String, RunProfile>, String> {
    let text = plumbline_spec::embedded::text(&plumbline_generator_data::FOLDER, "profiles.toml");
    toml::from_str(text).map_err(|e| format!("generators/profiles.toml: {e}"))
}
