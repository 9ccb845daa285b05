//! Checks in a run whether other backends give the answer that an erratum calls correct.

use std::collections::BTreeMap;
use std::sync::Mutex;

use plumbline_executor::BackendName;
use plumbline_judge::Verdict;

use super::format::Erratum;
use crate::results::case_result::CaseResult;

/// What the errata claim about other backends, and what a run shows about these claims.
#[derive(Debug, Default)]
pub struct Agreement {
    /// The backends that an erratum may name. Results of other backends say nothing about an erratum.
    backends: Vec<String>,
    /// The claims by the id of the case, `onnx:1.23.2/node/test_min_int8`.
    claims: BTreeMap<String, Claim>,
    /// Claims that a run disproved: the line of the erratum, and what the run showed.
    wrong: Mutex<Vec<(usize, String)>>,
}

#[derive(Debug)]
struct Claim {
    line: usize,
    /// The backends that agree with the oracle; empty if the erratum says that none does.
    agrees: Vec<BackendName>,
}

impl Agreement {
    /// Creates an empty set of claims. `backends` are the backends that errata may name.
    pub fn new(backends: &[&str]) -> Agreement {
        Agreement { backends: backends.iter().map(|name| (*name).to_owned()).collect(), ..Agreement::default() }
    }

    /// Adds what an erratum claims about these cases. The error is a sentence.
    pub fn take(&mut self, line: usize, erratum: &Erratum, cases: impl Iterator<Item = String>) -> Result<(), String> {
        let why = erratum.alone.as_deref().map(str::trim);
        match (erratum.agrees.is_empty(), why) {
            (true, None | Some("")) => {
                return Err(
                    "an erratum must say which backends agree (`agrees`), or why none does (`alone`)".to_owned()
                );
            }
            (false, Some(_)) => return Err("`agrees` and `alone` contradict each other".to_owned()),
            (false, None) if erratum.unreadable => {
                return Err("an `unreadable` case cannot have `agrees`, because no backend can read it".to_owned());
            }
            _ => {}
        }
        let names = erratum.agrees.iter().map(|name| self.backend(name));
        let agrees = names.collect::<Result<Vec<_>, _>>()?;
        for case in cases {
            let claim = Claim { line, agrees: agrees.clone() };
            if let Some(other) = self.claims.insert(case.clone(), claim) {
                return Err(format!("{case} is already in the erratum of line {}", other.line));
            }
        }
        Ok(())
    }

    fn backend(&self, name: &str) -> Result<BackendName, String> {
        let parsed = BackendName::parse(name);
        if parsed.argument.is_none() && self.backends.contains(&parsed.base) {
            Ok(parsed)
        } else {
            Err(format!(
                "`agrees` names `{name}`, which is not a known backend; the known backends are {}",
                self.backends.join(", ")
            ))
        }
    }

    /// Returns whether a case has an erratum, which means that the case is wrong.
    pub fn knows(&self, case: &str) -> bool {
        self.claims.contains_key(case)
    }

    /// Checks a result against what its erratum claims.
    pub fn check(&self, result: &CaseResult) {
        let Some(claim) = self.claims.get(&result.case) else { return };
        let (base, version) = result.backend.split_once(' ').unwrap_or((&result.backend, ""));
        let named = |n: &BackendName| n.base == base && n.version.as_deref().is_none_or(|v| v == version);
        let what = match (claim.agrees.iter().find(|name| named(name)), result.verdict) {
            (Some(name), verdict) if verdict != Verdict::Pass => {
                let detail = result.detail.as_deref().unwrap_or("");
                let detail: String = detail.lines().next().unwrap_or("").chars().take(240).collect();
                format!("{}: the erratum says that {name} agrees, but it does not: {verdict}: {detail}", result.case)
            }
            // A result with a detail is a refusal of a case that the oracle refuses too. The backend may have refused
            // the case for any reason, so the refusal does not disprove the claim that no backend agrees.
            (None, Verdict::Pass)
                if claim.agrees.is_empty() && result.detail.is_none() && self.backends.iter().any(|b| b == base) =>
            {
                format!("{}: the erratum says that no backend agrees, but {} does", result.case, result.backend)
            }
            _ => return,
        };
        if let Ok(mut wrong) = self.wrong.lock() {
            wrong.push((claim.line, what));
        }
    }

    /// Returns the claims that a run disproved, with the lines of the errata.
    pub fn wrong(&self) -> Vec<(usize, String)> {
        self.wrong.lock().map(|wrong| wrong.clone()).unwrap_or_default()
    }
}
