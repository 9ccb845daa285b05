//! What a run counted: a table of the verdicts of each backend, and the operators that took the longest.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use plumbline_conformance::{Outcome, Verdict};

use crate::colour::{Colour, Paint};

/// The number of slow operators that are named.
const SLOWEST: usize = 5;

/// The number of less accurate operators that are named.
const MOST_NAMED: usize = 5;

/// Returns a table with a row for each backend and a column for each verdict that occurs.
pub(super) fn table(outcome: &Outcome, paint: Paint) -> String {
    let verdicts: BTreeSet<Verdict> = outcome.counts.values().flat_map(|counts| counts.keys().copied()).collect();
    let mut head = vec!["backend".to_owned(), "results".to_owned()];
    head.extend(verdicts.iter().map(ToString::to_string));
    head.push("known failures".to_owned());
    let mut rows = vec![head];
    for (backend, counts) in &outcome.counts {
        let mut row = vec![backend.clone(), counts.values().sum::<u64>().to_string()];
        row.extend(verdicts.iter().map(|verdict| counts.get(verdict).map_or(".".to_owned(), ToString::to_string)));
        row.push(outcome.expected.get(backend).copied().unwrap_or(0).to_string());
        rows.push(row);
    }
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        text += &if at == 0 { paint.paint(Colour::Bold, &line) } else { line };
        text.push('\n');
    }
    text
}

/// Returns a line that names the operators on which all backends together spent the most time, if there are several.
pub(super) fn slowest(outcome: &Outcome) -> Option<String> {
    if outcome.seconds.len() < 2 {
        return None;
    }
    let mut operators: Vec<(&String, &f64)> = outcome.seconds.iter().collect();
    operators.sort_by(|a, b| b.1.total_cmp(a.1));
    let named: Vec<String> =
        operators.iter().take(SLOWEST).map(|(name, seconds)| format!("{name} {seconds:.1} s")).collect();
    Some(format!("slowest operators: {}", named.join(", ")))
}

/// Returns a line for each backend that is far less accurate than others in answers that are accepted. It names the
/// operators with the largest errors.
pub(super) fn less_accurate(outcome: &Outcome) -> Vec<String> {
    let line = |(backend, operators): (&String, &BTreeMap<String, (f64, String)>)| {
        let mut worst: Vec<_> = operators.iter().collect();
        worst.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
        let named =
            worst.iter().take(MOST_NAMED).map(|(name, (ratio, case))| format!("{name} {ratio:.0} times ({case})"));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if worst.len() > MOST_NAMED { ", ..." } else { "" };
        format!("within the bound, but with errors far beyond the usual ones: {backend} {named}{more}")
    };
    outcome.less_accurate.iter().map(line).collect()
}

/// Returns a line that says for how long a backend ran cases: all of its processes together, minimization included.
pub(super) fn time_in(backend: &str, time: Duration, took: Duration) -> String {
    let [time, took] = [time, took].map(|duration| duration.as_secs_f64());
    let processes = if took > 0.0 { time / took } else { 0.0 };
    format!("time in {backend}: {time:.1} s, with {processes:.1} of its processes busy on average")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_table_are_aligned() {
        let mut outcome = Outcome::default();
        outcome.counts.entry("cpu 0.1.0".to_owned()).or_default().insert(Verdict::Pass, 1234);
        outcome.counts.entry("mine".to_owned()).or_default().extend([(Verdict::Pass, 7), (Verdict::Crash, 12)]);
        outcome.expected.insert("mine".to_owned(), 5);
        insta::assert_snapshot!(table(&outcome, Paint::plain()), @r"
        backend    results  pass  crash  known failures
        cpu 0.1.0     1234  1234      .               0
        mine            19     7     12               5
        ");
    }

    #[test]
    fn the_time_in_a_backend_is_that_of_all_its_processes() {
        let line = time_in("mine 1", Duration::from_secs(90), Duration::from_secs(60));
        assert_eq!(line, "time in mine 1: 90.0 s, with 1.5 of its processes busy on average");
    }

    #[test]
    fn operators_with_large_errors_are_named_worst_first() {
        let mut outcome = Outcome::default();
        let operators = [("MatMul", 12.4, "MatMul-13/T=float/3@0"), ("ReduceSum", 300.0, "ReduceSum-13/T=float/7@0")];
        let operators = operators.map(|(name, ratio, case)| (name.to_owned(), (ratio, case.to_owned())));
        outcome.less_accurate.insert("mine 1".to_owned(), operators.into_iter().collect());
        assert_eq!(
            less_accurate(&outcome),
            ["within the bound, but with errors far beyond the usual ones: mine 1 ReduceSum 300 times \
              (ReduceSum-13/T=float/7@0), MatMul 12 times (MatMul-13/T=float/3@0)"]
        );
    }

    #[test]
    fn the_five_slowest_operators_are_named() {
        let mut outcome = Outcome::default();
        assert_eq!(slowest(&outcome), None);
        outcome.seconds = ["A", "B", "C", "D", "E", "F"]
            .into_iter()
            .zip([0.5, 3.0, 9.25, 1.0, 2.0, 0.25])
            .map(|(name, seconds)| (name.to_owned(), seconds))
            .collect();
        assert_eq!(
            slowest(&outcome).as_deref(),
            Some("slowest operators: C 9.2 s, B 3.0 s, E 2.0 s, D 1.0 s, A 0.5 s")
        );
    }
}
