//! How verdicts look: a class for the colour, a sign and a number for everybody.

use plumbline_conformance::Verdict;

use crate::text::{compact, grouped, ulp};
use crate::{Tally, VERDICTS};

/// The sign of a verdict. One per verdict, so that nothing depends on colour.
pub(super) fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✗",
        Verdict::Crash => "†",
        Verdict::Timeout => "◷",
        Verdict::DeviceLost => "↯",
        Verdict::Latitude => "≈",
        Verdict::Unsupported => "∅",
        Verdict::NotRun => "○",
    }
}

/// The class of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "p",
        Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost => "f",
        Verdict::Latitude => "l",
        Verdict::Unsupported => "u",
        Verdict::NotRun => "o",
    }
}

/// The class of a cell: the worst in it decides.
///
/// `f` unexpected failures, `e` expected ones, `l` latitude, `p` all pass, `h` some pass and the others
/// have no answer, `u` unsupported, `o` nothing ran.
pub(super) fn cell_class(tally: &Tally) -> &'static str {
    let counts = tally.counts;
    let unanswered = counts.unsupported + counts.not_run;
    if counts.bad() > 0 {
        let unforeseen = tally.standings.new + tally.standings.changed > 0;
        return if unforeseen { "f" } else { "e" };
    }
    match (counts.latitude, counts.pass, unanswered) {
        (1.., _, _) => "l",
        (0, 1.., 0) => "p",
        (0, 1.., _) => "h",
        (0, 0, _) if counts.unsupported > 0 => "u",
        _ => "o",
    }
}

/// The first line of a cell of the matrix: `✓214`, `✗3/214`, `∅12`.
pub(super) fn cell_text(tally: &Tally) -> String {
    let counts = tally.counts;
    let all = counts.all();
    let of = |sign: &str, count: u64| {
        if count == all {
            format!("{sign}{}", compact(all))
        } else {
            format!("{sign}{}/{}", compact(count), compact(all))
        }
    };
    match cell_class(tally) {
        "f" | "e" => {
            let worst = [Verdict::Crash, Verdict::DeviceLost, Verdict::Timeout, Verdict::Fail];
            let worst = worst.into_iter().find(|&verdict| counts.of(verdict) > 0).unwrap_or(Verdict::Fail);
            of(sign(worst), counts.bad())
        }
        "l" => of("≈", counts.latitude),
        "p" => of("✓", counts.pass),
        "h" => of("◐", counts.pass),
        "u" => of("∅", counts.unsupported),
        _ => "○".to_owned(),
    }
}

/// Every verdict of a cell with its sign: `✓ 117 ✗ 3 ∅ 2`, or `○` for none.
pub(super) fn full_text(tally: &Tally) -> String {
    let parts: Vec<String> = VERDICTS
        .into_iter()
        .filter(|&verdict| tally.counts.of(verdict) > 0)
        .map(|verdict| format!("{}\u{a0}{}", sign(verdict), grouped(tally.counts.of(verdict))))
        .collect();
    if parts.is_empty() { "○".to_owned() } else { parts.join(" ") }
}

/// `worst 1.5 ulp of 4 allowed`, as far as it is known. The width is that of an interval, so half of it
/// lies on either side.
pub(super) fn ulp_text(tally: &Tally) -> Option<String> {
    tally.max_ulp.map(ulp)
}

/// The counts for the script, in the order of [`VERDICTS`] and then the unexpected, zeros at the end
/// left out: `211,3`.
pub(super) fn data_counts(tally: &Tally) -> String {
    let mut counts: Vec<u64> = VERDICTS.into_iter().map(|verdict| tally.counts.of(verdict)).collect();
    counts.push(tally.standings.unexpected());
    while counts.len() > 1 && counts.last() == Some(&0) {
        counts.pop();
    }
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The custom properties of a bar: where the share of passing, bad, latitude, unsupported ends, in
/// percent. What there is at all gets at least two, so that it can be seen.
pub(super) fn bar_style(tally: &Tally) -> String {
    let counts = tally.counts;
    let parts = [counts.pass, counts.bad(), counts.latitude, counts.unsupported, counts.not_run];
    let all = counts.all();
    if all == 0 {
        return "--p:0%;--f:0%;--l:0%;--u:0%".to_owned();
    }
    let mut shares = parts.map(|count| if count == 0 { 0.0 } else { (100.0 * count as f64 / all as f64).max(2.0) });
    let excess = shares.iter().sum::<f64>() - 100.0;
    let largest = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
    shares[largest] -= excess;
    let mut end = 0.0;
    let mut ends = [0.0; 4];
    for (place, share) in ends.iter_mut().zip(shares) {
        end += share;
        *place = end;
    }
    let [p, f, l, u] = ends.map(|end| format!("{:.1}", end).trim_end_matches(".0").to_owned());
    format!("--p:{p}%;--f:{f}%;--l:{l}%;--u:{u}%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Measured;

    fn tally(verdicts: &[(Verdict, Option<Verdict>, u64)]) -> Tally {
        let mut tally = Tally::default();
        for &(verdict, expected_verdict, count) in verdicts {
            for _ in 0..count {
                tally.add(Measured { verdict, expected_verdict, max_ulp: None, width_ulp: None, nanoseconds: 0 });
            }
        }
        tally
    }

    #[test]
    fn signs_differ() {
        let mut signs: Vec<_> = VERDICTS.into_iter().map(sign).collect();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), VERDICTS.len());
    }

    #[test]
    fn the_worst_decides_and_no_answer_is_no_pass() {
        use Verdict::*;
        for (verdicts, class, text) in [
            (&[][..], "o", "○"),
            (&[(Pass, None, 5)], "p", "✓5"),
            (&[(Pass, None, 5), (Unsupported, None, 2)], "h", "◐5/7"),
            (&[(Pass, None, 5), (NotRun, None, 2)], "h", "◐5/7"),
            (&[(Unsupported, None, 2), (NotRun, None, 1)], "u", "∅2/3"),
            (&[(NotRun, None, 2)], "o", "○"),
            (&[(Pass, None, 5), (Latitude, None, 2)], "l", "≈2/7"),
            (&[(Pass, None, 5), (Latitude, None, 2), (Fail, None, 1)], "f", "✗1/8"),
            (&[(Pass, None, 5), (Fail, Some(Fail), 1)], "e", "✗1/6"),
            (&[(Fail, Some(Fail), 1), (Fail, None, 1)], "f", "✗2"),
            (&[(Fail, Some(Fail), 1), (Pass, Some(Fail), 1)], "e", "✗1/2"),
            (&[(Fail, Some(Crash), 1)], "f", "✗1"),
            (&[(Fail, None, 1), (Timeout, None, 1)], "f", "◷2"),
            (&[(Crash, None, 1), (Timeout, None, 1)], "f", "†2"),
            (&[(DeviceLost, None, 1), (Fail, None, 1)], "f", "↯2"),
        ] {
            let tally = tally(verdicts);
            assert_eq!((cell_class(&tally), cell_text(&tally).as_str()), (class, text), "{verdicts:?}");
        }
    }

    #[test]
    fn bars_show_what_is_rare_and_end_at_the_whole() {
        use Verdict::*;
        assert_eq!(bar_style(&tally(&[(Pass, None, 1)])), "--p:100%;--f:100%;--l:100%;--u:100%");
        assert_eq!(bar_style(&tally(&[(Pass, None, 9_999), (Fail, None, 1)])), "--p:98%;--f:100%;--l:100%;--u:100%");
        assert_eq!(bar_style(&tally(&[(NotRun, None, 1)])), "--p:0%;--f:0%;--l:0%;--u:0%");
        assert_eq!(
            bar_style(&tally(&[(Pass, None, 1), (Unsupported, None, 1), (NotRun, None, 2)])),
            "--p:25%;--f:25%;--l:25%;--u:50%"
        );
    }

    #[test]
    fn data_is_short() {
        use Verdict::*;
        assert_eq!(data_counts(&tally(&[])), "0");
        assert_eq!(data_counts(&tally(&[(Pass, None, 3)])), "3");
        assert_eq!(data_counts(&tally(&[(Fail, None, 3)])), "0,3,0,0,0,0,0,0,3");
        assert_eq!(full_text(&tally(&[(Pass, None, 3), (NotRun, None, 1)])), "✓\u{a0}3 ○\u{a0}1");
    }
}
