//! The table of support as JSON, by the schema beside this file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{BackendSupport, Failures, RunFacts, State, Support, Tested, VersionSupport};
use crate::json::lines;
use crate::{Counts, ReportError, VERDICTS};

/// The JSON Schema of [`Support::json`].
pub const SCHEMA: &str = include_str!("support-1.schema.json");

/// The version of the format, which is also in the name of the schema.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Version<'a> {
    backend: &'a str,
    domain: &'a str,
    op: &'a str,
    since_version: u32,
    types: Vec<Type<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    failures: &'a [Failures],
}

#[derive(Serialize)]
struct Type<'a> {
    #[serde(rename = "type")]
    type_: &'a str,
    #[serde(flatten)]
    results: Results<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bindings: Vec<Binding<'a>>,
}

#[derive(Serialize)]
struct Binding<'a> {
    types: &'a BTreeMap<String, String>,
    #[serde(flatten)]
    results: Results<'a>,
}

#[derive(Serialize)]
struct Results<'a> {
    state: State,
    supported: bool,
    partial: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    valid: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    invalid: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    failures: &'a BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Backend<'a> {
    backend: &'a str,
    totals: BTreeMap<&'static str, u64>,
    not_tested: Vec<String>,
}

impl Support {
    /// Returns the table as JSON, with each operator version of a backend on one line.
    ///
    /// # Errors
    /// Passes on the errors of serde_json. No input can cause them.
    pub fn json(&self) -> Result<String, ReportError> {
        let backends: Vec<Backend> = self.backends.iter().map(backend).collect();
        let versions = self.backends.iter().flat_map(|of| of.versions.iter().map(|one| version(of, one)));
        let keys = [
            ("format", serde_json::to_string(&FORMAT)?),
            ("project_version", serde_json::to_string(&self.project_version)?),
            ("runs", lines::<RunFacts>(&self.runs)?),
            ("limits", lines(&self.limits)?),
            ("backends", lines(&backends)?),
            ("versions", lines(&versions.collect::<Vec<_>>())?),
        ];
        let keys: Vec<String> = keys.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        Ok(format!("{{\n{}\n}}\n", keys.join(",\n")))
    }
}

fn backend(of: &BackendSupport) -> Backend<'_> {
    Backend {
        backend: &of.backend,
        totals: of.totals().into_iter().map(|(state, count)| (state.name(), count)).collect(),
        not_tested: of.not_tested.iter().map(ToString::to_string).collect(),
    }
}

fn version<'a>(of: &'a BackendSupport, one: &'a VersionSupport) -> Version<'a> {
    let types = one.types.iter().map(|one| {
        let bindings = one.bindings.iter().map(|(types, tested)| Binding { types, results: results(tested) });
        // With a single binding of one variable, the type says everything.
        let is_more = one.bindings.len() > 1 || one.bindings.keys().any(|types| types.len() > 1);
        let bindings = if is_more { bindings.collect() } else { vec![] };
        Type { type_: &one.type_, results: results(&one.tested), bindings }
    });
    Version {
        backend: &of.backend,
        domain: &one.id.domain,
        op: &one.id.name,
        since_version: one.id.since,
        types: types.collect(),
        failures: &one.failures,
    }
}

fn results(tested: &Tested) -> Results<'_> {
    Results {
        state: tested.state(),
        supported: tested.is_supported(),
        partial: tested.is_partial(),
        valid: nonzero(&tested.valid),
        invalid: nonzero(&tested.invalid),
        failures: &tested.failures,
    }
}

/// Returns the number of results with each verdict that occurs.
fn nonzero(counts: &Counts) -> BTreeMap<&'static str, u64> {
    let counts = VERDICTS.into_iter().map(|verdict| (verdict.name(), counts.count(verdict)));
    counts.filter(|(_, count)| *count > 0).collect()
}
