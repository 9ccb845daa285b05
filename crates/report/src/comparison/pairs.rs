//! Pairs the results of the same case on both sides, and counts what became of each case.

// Over 400 lines: the counting and its tests.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use plumbline_conformance::{CaseResult, Verdict};
use serde::Serialize;

use super::change::{Change, SideResult, Signatures, change, is_less_accurate};
use crate::aggregate::shown_domain;
use crate::bounded::{Bounded, Count};
use crate::text::{shorten, shorten_key};

/// The largest number of causes that are kept for each change.
const MAX_CAUSES: usize = 1000;
/// The largest number of versions and of types that a cause names.
const MAX_NAMES: usize = 16;
/// The largest length at which a name, a signature or an id is kept unchanged.
const MAX_NAME_BYTES: usize = 256;
/// The largest length of a detail.
const MAX_DETAIL_BYTES: usize = 400;

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The results that the new ones are compared with.
    Base,
    /// The new results.
    New,
}

/// Cases of one operator that agree in their result on the base side, and in their result on the new side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// What became of the cases.
    pub change: Change,
    /// The domain of the operator; empty for a graph of several operators.
    pub domain: String,
    /// The operator.
    pub op: String,
    /// The versions of the operator, at most 16 of them.
    pub versions: BTreeSet<u32>,
    /// The element types, at most 16 of them.
    pub types: BTreeSet<String>,
    /// The result of the base side. A case that is only on the other side has none.
    pub base: Option<SideResult>,
    /// The result of the new side. A case that is only on the other side has none.
    pub new: Option<SideResult>,
    /// The number of cases.
    pub count: u64,
    /// The shortest id of these cases. Of several equally short ids, it is the first in the order of bytes.
    pub case: String,
    /// What happened to this case on the base side, in words.
    pub base_detail: Option<String>,
    /// What happened to this case on the new side, in words.
    pub new_detail: Option<String>,
}

/// The counts and the causes of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// The number of cases by what became of them.
    pub counts: BTreeMap<Change, u64>,
    /// Cases that are the same on both sides, by their verdict on the new side.
    pub same: BTreeMap<Verdict, u64>,
    /// The causes of each change but `same`: those with the most cases first.
    pub causes: Vec<Cause>,
    /// For each change, the number of cases whose cause is not kept, because lists are bounded.
    pub left_out: BTreeMap<Change, u64>,
    /// The number of results on the base side and on the new side, without `not-run`.
    pub results: [u64; 2],
    /// The number of cases that the run left without an answer on each side (`not-run`).
    pub not_run: [u64; 2],
}

/// What is kept of a result until the other side's result of the same case is read.
struct Row {
    domain: String,
    op: String,
    since: u32,
    types: Vec<String>,
    state: SideResult,
    detail: Option<String>,
    error_ratio: Option<f64>,
}

/// The operator and the results that the cases of a cause share.
type Key = (String, String, Option<SideResult>, Option<SideResult>);

#[derive(Debug)]
struct Kept {
    count: u64,
    versions: BTreeSet<u32>,
    types: BTreeSet<String>,
    case: String,
    details: [Option<String>; 2],
}

impl Count for Kept {
    fn count(&self) -> u64 {
        self.count
    }
}

/// Counts the cases of two sides, whose results may come in any order.
///
/// A result is kept only until the other side's result of the same case is read, or the other side has ended. Runs
/// write their results in the same order. If the caller reads the sides alternately, only a few results are therefore
/// kept at a time.
pub struct Pairs {
    signatures: Signatures,
    waiting: [HashMap<String, Row>; 2],
    ended: [bool; 2],
    /// Hashes of the ids that were read on each side.
    read: [HashSet<u64>; 2],
    causes: BTreeMap<Change, Bounded<Key, Kept>>,
    counted: Counted,
}

impl Pairs {
    /// Creates a `Pairs` that has counted nothing yet.
    pub fn new(signatures: Signatures) -> Pairs {
        Pairs {
            signatures,
            waiting: Default::default(),
            ended: [false; 2],
            read: Default::default(),
            causes: BTreeMap::new(),
            counted: Counted::default(),
        }
    }

    /// Takes a result of a side. Counts nothing and returns `false` if the side has a result of this case already.
    #[must_use]
    pub fn add(&mut self, side: Side, result: CaseResult) -> bool {
        let (at, other) = (side as usize, 1 - side as usize);
        if !self.read[at].insert(hash(&result.case)) {
            return false;
        }
        // Without an answer there is nothing to compare.
        if result.verdict == Verdict::NotRun {
            self.counted.not_run[at] += 1;
            return true;
        }
        self.counted.results[at] += 1;
        let is_invalid = result.is_negative();
        let (case, row) = Row::new(result);
        match self.waiting[other].remove(&case) {
            Some(found) => {
                let (base, new) = if side == Side::New { (&found, &row) } else { (&row, &found) };
                let change = match change(&base.state, &new.state, is_invalid, self.signatures) {
                    Change::Same if is_less_accurate(base.error_ratio, new.error_ratio) => Change::LessAccurate,
                    change => change,
                };
                self.count(change, case, Some(base), Some(new));
            }
            None if self.ended[other] => self.alone(side, case, &row),
            None => _ = self.waiting[at].insert(case, row),
        }
        true
    }

    /// Notes that a side has no more results.
    pub fn end(&mut self, side: Side) {
        let other = match side {
            Side::Base => Side::New,
            Side::New => Side::Base,
        };
        self.ended[side as usize] = true;
        for (case, row) in std::mem::take(&mut self.waiting[other as usize]) {
            self.alone(other, case, &row);
        }
    }

    /// Returns what was counted.
    pub fn finish(mut self) -> Counted {
        self.end(Side::Base);
        self.end(Side::New);
        for (change, bounded) in self.causes {
            if bounded.left_out > 0 {
                self.counted.left_out.insert(change, bounded.left_out);
            }
            let cause = |((domain, op, base, new), kept): (Key, Kept)| {
                let [base_detail, new_detail] = kept.details;
                let Kept { count, versions, types, case, .. } = kept;
                Cause { change, domain, op, versions, types, base, new, count, case, base_detail, new_detail }
            };
            let mut causes: Vec<Cause> = bounded.kept.into_iter().map(cause).collect();
            // The sort is stable, so that equal counts keep the order of the operators.
            causes.sort_by_key(|cause| std::cmp::Reverse(cause.count));
            self.counted.causes.extend(causes);
        }
        self.counted
    }

    fn alone(&mut self, side: Side, case: String, row: &Row) {
        match side {
            Side::Base => self.count(Change::Gone, case, Some(row), None),
            Side::New => self.count(Change::New, case, None, Some(row)),
        }
    }

    fn count(&mut self, change: Change, case: String, base: Option<&Row>, new: Option<&Row>) {
        *self.counted.counts.entry(change).or_default() += 1;
        let Some(row) = new.or(base) else { return };
        if change == Change::Same {
            *self.counted.same.entry(row.state.verdict).or_default() += 1;
            return;
        }
        let state = |row: Option<&Row>| row.map(|row| row.state.clone());
        let key = (row.domain.clone(), row.op.clone(), state(base), state(new));
        let detail = |row: Option<&Row>| match (change, row?.error_ratio) {
            (Change::LessAccurate, Some(ratio)) => Some(format!("the largest error is {ratio:.1} times the usual one")),
            _ => row?.detail.clone(),
        };
        let first = || Kept {
            count: 1,
            versions: BTreeSet::from([row.since]),
            types: row.types.iter().take(MAX_NAMES).cloned().collect(),
            case: case.clone(),
            details: [detail(base), detail(new)],
        };
        let update = |kept: &mut Kept| {
            kept.count += 1;
            add_name(&mut kept.versions, &row.since);
            row.types.iter().for_each(|name| add_name(&mut kept.types, name));
            // The example has the shortest id, so that it does not depend on the order of the results.
            if (case.len(), &case) < (kept.case.len(), &kept.case) {
                kept.case.clone_from(&case);
                kept.details = [detail(base), detail(new)];
            }
        };
        self.causes.entry(change).or_insert_with(|| Bounded::new(MAX_CAUSES)).add(key, update, first);
    }
}

impl Row {
    fn new(result: CaseResult) -> (String, Row) {
        let name = |text| shorten_key(text, MAX_NAME_BYTES);
        let mut types: Vec<String> = result.types.into_values().map(name).collect();
        types.sort_unstable();
        types.dedup();
        let is_pass = result.verdict == Verdict::Pass;
        let row = Row {
            domain: name(shown_domain(result.since, result.domain)),
            op: name(result.op),
            since: result.since,
            types,
            error_ratio: result.error_ratio,
            state: SideResult { verdict: result.verdict, kind: result.kind, signature: result.signature.map(name) },
            detail: result
                .detail
                .filter(|detail| !is_pass && !detail.is_empty())
                .map(|detail| shorten(&detail, MAX_DETAIL_BYTES)),
        };
        (name(result.case), row)
    }
}

fn hash(case: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    case.hash(&mut hasher);
    hasher.finish()
}

/// Adds a name to those that are kept. If there are then too many, drops the last in their order.
fn add_name<T: Ord + Clone>(names: &mut BTreeSet<T>, name: &T) {
    if !names.contains(name) {
        names.insert(name.clone());
        if names.len() > MAX_NAMES {
            names.pop_last();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_conformance::FailKind;

    fn result(case: &str, verdict: Verdict) -> CaseResult {
        let is_fail = verdict == Verdict::Fail;
        CaseResult {
            case: case.to_owned(),
            suite: "generated".to_owned(),
            domain: "ai.onnx".to_owned(),
            op: case.split('-').next().unwrap().to_owned(),
            since: 13,
            types: BTreeMap::from([("T".to_owned(), "float".to_owned())]),
            backend: "mine 1".to_owned(),
            verdict,
            kind: is_fail.then_some(FailKind::WrongValue),
            signature: verdict.is_bad().then(|| format!("Min-{verdict}-00000001")),
            detail: Some(format!("detail of {case}")),
            seed: Some("0".to_owned()),
            ..CaseResult::default()
        }
    }

    /// Counts the cases of two sides. Adds their results `alternately`, or else all results of the base side first.
    fn counted(base: &[(&str, Verdict)], new: &[(&str, Verdict)], alternately: bool) -> Counted {
        let mut pairs = Pairs::new(Signatures::Agree);
        if alternately {
            for at in 0..base.len().max(new.len()) {
                for (side, rows) in [(Side::Base, base), (Side::New, new)] {
                    match rows.get(at) {
                        Some((case, verdict)) => assert!(pairs.add(side, result(case, *verdict))),
                        None => pairs.end(side),
                    }
                }
            }
        } else {
            for (side, rows) in [(Side::Base, base), (Side::New, new)] {
                rows.iter().for_each(|(case, verdict)| assert!(pairs.add(side, result(case, *verdict))));
            }
        }
        pairs.finish()
    }

    #[test]
    fn cases_are_paired_by_id_in_any_order() {
        use Verdict::{Crash, Fail, Pass, Unsupported};
        let base = [("Min-1", Pass), ("Min-2", Fail), ("Min-3", Pass), ("Min-4", Unsupported), ("Min-5", Crash)];
        let mut new =
            vec![("Min-1", Fail), ("Min-2", Pass), ("Min-3", Pass), ("Min-4", Pass), ("Max-6", Fail), ("Max-7", Pass)];
        let first = counted(&base, &new, true);
        let expected = [
            (Change::Regressed, 1),
            (Change::Fixed, 1),
            (Change::NowSupported, 1),
            (Change::New, 2),
            (Change::Gone, 1),
            (Change::Same, 1),
        ];
        assert_eq!(first.counts, BTreeMap::from(expected));
        assert_eq!(first.same, BTreeMap::from([(Pass, 1)]));
        assert_eq!(first.results, [5, 6]);
        assert_eq!(counted(&base, &new, false), first);
        new.reverse();
        assert_eq!(counted(&base, &new, true), first);
    }

    #[test]
    fn a_cause_has_its_count_and_its_shortest_case() {
        use Verdict::{Fail, Pass};
        let base = [("Min-13/17@0", Pass), ("Min-13/9@0", Pass), ("Min-13/8@0", Pass), ("Max-13/1@0", Pass)];
        let new = base.map(|(case, _)| (case, Fail));
        let causes = counted(&base, &new, true).causes;
        let seen: Vec<_> = causes.iter().map(|cause| (cause.op.as_str(), cause.count, cause.case.as_str())).collect();
        assert_eq!(seen, [("Min", 3, "Min-13/8@0"), ("Max", 1, "Max-13/1@0")]);
        assert_eq!(causes[0].new_detail.as_deref(), Some("detail of Min-13/8@0"));
        assert_eq!(causes[0].base_detail, None, "there is nothing to say about a pass");
    }

    #[test]
    fn a_case_without_an_answer_is_missing_and_neither_fixed_nor_regressed() {
        use Verdict::{Fail, NotRun, Pass};
        let base = [("Min-1", Fail), ("Min-2", NotRun), ("Min-3", NotRun), ("Min-4", Pass)];
        let new = [("Min-1", NotRun), ("Min-2", Fail), ("Min-3", NotRun)];
        let counted = counted(&base, &new, true);
        assert_eq!(counted.counts, BTreeMap::from([(Change::Gone, 2), (Change::New, 1)]));
        assert_eq!(counted.not_run, [2, 2]);
    }

    #[test]
    fn an_accepted_answer_with_larger_errors_is_no_regression_and_is_listed() {
        let mut pairs = Pairs::new(Signatures::Agree);
        for (case, ratios) in
            [("Sum-1", [Some(2.0), Some(300.0)]), ("Sum-2", [Some(2.0), Some(3.0)]), ("Sum-3", [None, None])]
        {
            for (side, error_ratio) in [(Side::Base, ratios[0]), (Side::New, ratios[1])] {
                assert!(pairs.add(side, CaseResult { error_ratio, ..result(case, Verdict::Pass) }));
            }
        }
        let counted = pairs.finish();
        assert_eq!(counted.counts, BTreeMap::from([(Change::LessAccurate, 1), (Change::Same, 2)]));
        let [cause] = &counted.causes[..] else { panic!("{:?}", counted.causes) };
        assert_eq!(cause.base_detail.as_deref(), Some("the largest error is 2.0 times the usual one"));
        assert_eq!(cause.new_detail.as_deref(), Some("the largest error is 300.0 times the usual one"));
    }

    #[test]
    fn a_second_result_of_a_case_is_found() {
        let mut pairs = Pairs::new(Signatures::Agree);
        assert!(pairs.add(Side::Base, result("Min-1", Verdict::Pass)));
        assert!(pairs.add(Side::New, result("Min-1", Verdict::Pass)));
        assert!(!pairs.add(Side::Base, result("Min-1", Verdict::Fail)));
        assert_eq!(pairs.finish().counts, BTreeMap::from([(Change::Same, 1)]));
    }

    #[test]
    fn results_that_are_read_alternately_are_not_kept() {
        let mut pairs = Pairs::new(Signatures::Agree);
        for at in 0..1000 {
            assert!(pairs.add(Side::Base, result(&format!("Min-{at}"), Verdict::Pass)));
            assert!(pairs.add(Side::New, result(&format!("Min-{at}"), Verdict::Fail)));
            assert!(pairs.waiting.iter().all(HashMap::is_empty));
        }
        pairs.end(Side::Base);
        assert!(pairs.add(Side::New, result("Max-1", Verdict::Pass)));
        assert!(pairs.waiting.iter().all(HashMap::is_empty));
        assert_eq!(pairs.finish().counts, BTreeMap::from([(Change::Regressed, 1000), (Change::New, 1)]));
    }

    #[test]
    fn causes_are_bounded_and_what_is_left_out_is_counted() {
        let mut pairs = Pairs::new(Signatures::Agree);
        for at in 0..MAX_CAUSES + 7 {
            let bad = CaseResult { signature: Some(format!("Min-crash-{at:08}")), ..result("Min-1", Verdict::Crash) };
            assert!(pairs.add(Side::Base, result(&format!("Min-{at}"), Verdict::Pass)));
            assert!(pairs.add(Side::New, CaseResult { case: format!("Min-{at}"), ..bad }));
        }
        let counted = pairs.finish();
        assert_eq!((counted.causes.len(), counted.counts[&Change::Regressed]), (MAX_CAUSES, MAX_CAUSES as u64 + 7));
        assert_eq!(counted.left_out, BTreeMap::from([(Change::Regressed, 7)]));
    }
}
