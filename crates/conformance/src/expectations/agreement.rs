//! Whether other backends give the answer that an erratum calls right: what the errata say of it, held against a run.

use std::collections::BTreeMap;
use std::sync::Mutex;

use plumbline_executor::BackendName;

use super::format::Erratum;
use crate::{CaseResult, Verdict};

/// What the errata say of other backends, and what a run shows of it.
#[derive(Debug, Default)]
pub struct Agreement {
    /// The backends that can be named: what others do says nothing of an erratum.
    backends: Vec<String>,
    /// By the id of a case, `onnx:1.23.2/node/test_min_int8`.
    claims: BTreeMap<String, Claim>,
    /// What does not hold: the line of the erratum, and what a run showed.
    wrong: Mutex<Vec<(usize, String)>>,
}

#[derive(Debug)]
struct Claim {
    line: usize,
    /// These agree with us; empty where the erratum says that none does.
    agrees: Vec<BackendName>,
}

impl Agreement {
    /// Nothing is said yet; the backends of these names can be.
    pub fn new(backends: &[&str]) -> Agreement {
        Agreement { backends: backends.iter().map(|name| (*name).to_owned()).collect(), ..Agreement::default() }
    }

    /// Takes what an erratum says of these cases; the error is a sentence.
    pub fn take(&mut self, line: usize, erratum: &Erratum, cases: impl Iterator<Item = String>) -> Result<(), String> {
        let why = erratum.alone.as_deref().map(str::trim);
        match (erratum.agrees.is_empty(), why) {
            (true, None | Some("")) => {
                return Err("an erratum says which backends agree (`agrees`), or why none does (`alone`)".to_owned());
            }
            (false, Some(_)) => return Err("`agrees` and `alone` contradict each other".to_owned()),
            (false, None) if erratum.unreadable => return Err("nobody agrees on what cannot be read".to_owned()),
            _ => {}
        }
        let names = erratum.agrees.iter().map(|name| self.backend(name));
        let agrees = names.collect::<Result<Vec<_>, _>>()?;
        for case in cases {
            let claim = Claim { line, agrees: agrees.clone() };
            if let Some(other) = self.claims.insert(case.clone(), claim) {
                return Err(format!("{case} is in the erratum of line {} already", other.line));
            }
        }
        Ok(())
    }

    fn backend(&self, name: &str) -> Result<BackendName, String> {
        let parsed = BackendName::parse(name);
        if parsed.argument.is_none() && self.backends.contains(&parsed.base) {
            Ok(parsed)
        } else {
            Err(format!("`agrees` names `{name}`; there are {}", self.backends.join(", ")))
        }
    }

    /// Whether a case is wrong.
    pub fn knows(&self, case: &str) -> bool {
        self.claims.contains_key(case)
    }

    /// Holds a result against what is said of its case.
    pub fn hear(&self, result: &CaseResult) {
        let Some(claim) = self.claims.get(&result.case) else { return };
        let (base, version) = result.backend.split_once(' ').unwrap_or((&result.backend, ""));
        let named = |n: &BackendName| n.base == base && n.version.as_deref().is_none_or(|v| v == version);
        let what = match (claim.agrees.iter().find(|name| named(name)), result.verdict) {
            (Some(name), verdict) if verdict != Verdict::Pass => {
                let detail = result.detail.as_deref().unwrap_or("");
                let detail: String = detail.lines().next().unwrap_or("").chars().take(240).collect();
                format!("{}: {name} is said to agree, and does not: {verdict}: {detail}", result.case)
            }
            // A refusal of what the oracle refuses has a detail. It may be for any reason, and is no second opinion by itself.
            (None, Verdict::Pass)
                if claim.agrees.is_empty() && result.detail.is_none() && self.backends.iter().any(|b| b == base) =>
            {
                format!("{}: nobody is said to agree, and {} does", result.case, result.backend)
            }
            _ => return,
        };
        if let Ok(mut wrong) = self.wrong.lock() {
            wrong.push((claim.line, what));
        }
    }

    /// What a run showed not to hold, with the line of the erratum.
    pub fn wrong(&self) -> Vec<(usize, String)> {
        self.wrong.lock().map(|wrong| wrong.clone()).unwrap_or_default()
    }
}
