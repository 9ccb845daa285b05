//! Groups failures by their cause: what kind of failure it is, in which family of operators, on which backend, and why.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::{Blame, FailKind, Severity, Verdict};
use serde::Serialize;

use super::matrix::Subject;
use super::{families, marks};
use crate::Finding;
use crate::text::{fnv, grouped, shorten, visible_line};

/// The largest number of causes that the front page shows at once. The others are folded.
const MAX_SHOWN: usize = 10;
/// The largest number of causes with a line of their own.
const MAX_CAUSES: usize = 400;
/// The largest number of operators named with a cause.
const MAX_OPERATORS: usize = 8;
/// The largest length of the example of a cause in bytes.
const MAX_EXAMPLE_BYTES: usize = 220;

/// The results of a finding that have one cause.
pub(super) struct Part<'a> {
    /// The name of the cause in links to the filter. It depends only on what the cause is, so that a link stays valid
    /// for the reports of later runs.
    pub key: String,
    /// Whether these results are unexpected: no expectation covers them, or the expectation states another verdict.
    pub is_new: bool,
    pub known: Option<(Blame, &'a str)>,
    pub count: u64,
}

/// Returns the causes of a finding, and how many of its results each has.
pub(super) fn split_finding<'a>(finding: &'a Finding, family: &str) -> Vec<Part<'a>> {
    let standings = &finding.tally.standings;
    let explained: u64 = finding.known.iter().map(|known| known.count).sum();
    let known = finding.known.iter().map(|known| (false, Some((known.blame, known.reason.as_str())), known.count));
    let others = [(true, None, standings.unexpected()), (false, None, standings.expected.saturating_sub(explained))];
    let parts = known.chain(others).filter(|&(_, _, count)| count > 0);
    let name = finding.backend.split(' ').next().unwrap_or_default();
    let part = |(is_new, known, count): (bool, Option<(Blame, &'a str)>, u64)| {
        let why = known.map_or_else(|| class(finding), |(_, reason)| reason);
        let key = fnv(&format!("{}\n{family}\n{name}\n{is_new}\n{why}", what(finding)));
        Part { key: format!("{:08x}", key as u32), is_new, known, count }
    };
    parts.map(part).collect()
}

/// Returns the text that identifies the cause of a finding if no reason is known. It is the hash at the end of the
/// finding's signature: failures of different operators with the same cause have the same hash. If the signature has no
/// hash at its end, it is the whole signature.
fn class(finding: &Finding) -> &str {
    let signature = finding.signature.as_deref().unwrap_or_default();
    let is_hash = |text: &&str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    signature.rsplit('-').next().filter(is_hash).unwrap_or(signature)
}

fn what(finding: &Finding) -> &'static str {
    finding.kind.map_or(finding.verdict.name(), FailKind::name)
}

/// The causes of all failures of a run: the new ones first, and of these the worst ones.
#[derive(Debug, Serialize)]
pub(super) struct Causes {
    shown: Vec<Cause>,
    folded: Vec<Cause>,
    left_out: usize,
    new: usize,
    all: usize,
}

#[derive(Debug, Serialize)]
struct Cause {
    key: String,
    is_new: bool,
    class: &'static str,
    sign: &'static str,
    what: &'static str,
    family: String,
    backends: Vec<String>,
    count: String,
    operators: Vec<Named>,
    more_operators: usize,
    blame: Option<&'static str>,
    reason: Option<String>,
    also_on: Option<String>,
    example: Option<String>,
}

#[derive(Debug, Serialize)]
struct Named {
    id: String,
    name: String,
}

struct Group<'a> {
    first: &'a Finding,
    is_new: bool,
    known: Option<(Blame, &'a str)>,
    family: String,
    backends: BTreeSet<&'a str>,
    operators: Vec<(&'a Subject<'a>, u64)>,
    count: u64,
    severity: Severity,
    also_on: Option<&'a str>,
}

impl Causes {
    pub(super) fn new(subjects: &[Subject]) -> Causes {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for subject in subjects {
            let family = families::family(&subject.domain, subject.operator);
            for finding in subject.results.iter().flat_map(|results| &results.findings) {
                if finding.verdict == Verdict::Latitude {
                    continue;
                }
                for part in split_finding(finding, &family) {
                    let group = groups.entry(part.key).or_insert_with(|| Group {
                        first: finding,
                        is_new: part.is_new,
                        known: part.known,
                        family: family.clone(),
                        backends: BTreeSet::new(),
                        operators: Vec::new(),
                        count: 0,
                        severity: finding.severity,
                        also_on: None,
                    });
                    group.severity = group.severity.min(finding.severity);
                    group.also_on = group.also_on.or(finding.also_on.as_deref());
                    group.count += part.count;
                    group.backends.insert(&finding.backend);
                    match group.operators.last_mut() {
                        Some((last, count)) if last.id == subject.id => *count += part.count,
                        _ => group.operators.push((subject, part.count)),
                    }
                }
            }
        }
        let mut groups: Vec<(String, Group)> = groups.into_iter().collect();
        // The sort is stable: causes of equal weight keep the order of their keys.
        groups.sort_by_key(|(_, group)| (!group.is_new, group.severity, std::cmp::Reverse(group.count)));
        let (all, new) = (groups.len(), groups.iter().filter(|(_, group)| group.is_new).count());
        let mut causes: Vec<Cause> =
            groups.into_iter().take(MAX_CAUSES).map(|(key, group)| cause(key, group)).collect();
        let folded = causes.split_off(MAX_SHOWN.min(causes.len()));
        Causes { left_out: all - causes.len() - folded.len(), shown: causes, folded, new, all }
    }

    /// Returns the keys and short names of the causes, for the filter.
    pub(super) fn names(&self) -> Vec<(String, String)> {
        let name = |cause: &Cause| {
            let why = cause.reason.as_deref().or(cause.example.as_deref()).unwrap_or_default();
            let standing = if cause.is_new { "new" } else { "known" };
            let text = format!("{standing} {} · {} · {}", cause.what, cause.family, shorten_words(why));
            (cause.key.clone(), visible_line(&text))
        };
        self.shown.iter().chain(&self.folded).map(name).collect()
    }
}

fn shorten_words(text: &str) -> String {
    let mut short: String = text.chars().take(70).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn cause(key: String, mut group: Group) -> Cause {
    group.operators.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let named = group.operators.iter().take(MAX_OPERATORS);
    let detail = group.first.detail.as_deref().and_then(|detail| detail.lines().find(|line| !line.trim().is_empty()));
    Cause {
        key,
        is_new: group.is_new,
        class: if group.is_new { "f" } else { "e" },
        sign: marks::sign(group.first.verdict),
        what: what(group.first),
        family: group.family,
        backends: group.backends.into_iter().map(str::to_owned).collect(),
        count: match group.count {
            1 => "1 result".to_owned(),
            count => format!("{} results", grouped(count)),
        },
        operators: named.map(|(subject, _)| Named { id: subject.id.clone(), name: subject.name.clone() }).collect(),
        more_operators: group.operators.len().saturating_sub(MAX_OPERATORS),
        blame: group.known.map(|(blame, _)| blame.name()),
        reason: group.known.map(|(_, reason)| reason.to_owned()),
        also_on: group.also_on.map(str::to_owned),
        example: detail.map(|line| shorten(line.trim(), MAX_EXAMPLE_BYTES)),
    }
}
