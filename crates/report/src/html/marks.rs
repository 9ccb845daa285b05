//! The appearance of verdicts: a class for the colour, and a sign and a number for readers who do not see the colour.

use plumbline_conformance::Verdict;

use crate::text::{compact, grouped, ulp};
use crate::{Tally, VERDICTS};

/// Returns the sign of a verdict. Each verdict has its own, so that nothing depends on colour.
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

/// Returns the class of a verdict.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "p",
        Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost => "f",
        Verdict::Latitude => "l",
        Verdict::Unsupported => "u",
        Verdict::NotRun => "o",
    }
}

/// Returns the class of a cell, which follows from the worst verdict in it.
///
/// The classes are `f` for unexpected failures, `e` for expected ones, `l` for latitude, `p` if all pass, `h` if some
/// pass and the others have no answer, `u` for unsupported, and `o` if nothing ran.
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

/// Formats a cell as a sign and the number of the results that decide its class ([`cell_class`]): `✓214`, `✗3/214`
/// (3 of 214), `∅12`.
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
            let worst = worst.into_iter().find(|&verdict| counts.count(verdict) > 0).unwrap_or(Verdict::Fail);
            of(sign(worst), counts.bad())
        }
        "l" => of("≈", counts.latitude),
        "p" => of("✓", counts.pass),
        "h" => of("◐", counts.pass),
        "u" => of("∅", counts.unsupported),
        _ => "○".to_owned(),
    }
}

/// Formats a cell of the matrix in at most five characters: `✗12`, `≈3`, `✓`.
pub(super) fn short_text(tally: &Tally) -> String {
    let text = cell_text(tally);
    match cell_class(tally) {
        "p" => "✓".to_owned(),
        "h" => "◐".to_owned(),
        "u" => "∅".to_owned(),
        _ => text.split('/').next().unwrap_or_default().to_owned(),
    }
}

/// Returns how hot a distance in ULP is, from 1 (exact) to 6; 0 if it is not known.
pub(super) fn heat(distance: Option<f64>) -> u8 {
    match distance {
        None => 0,
        Some(0.0) => 1,
        Some(ulp) if ulp <= 1.0 => 2,
        Some(ulp) if ulp <= 4.0 => 3,
        Some(ulp) if ulp <= 64.0 => 4,
        Some(ulp) if ulp <= 65_536.0 => 5,
        Some(_) => 6,
    }
}

/// Formats the counts of a cell, with a sign for each verdict: `✓ 117 ✗ 3 ∅ 2`, or `○` if there are no results.
pub(super) fn full_text(tally: &Tally) -> String {
    let parts: Vec<String> = VERDICTS
        .into_iter()
        .filter(|&verdict| tally.counts.count(verdict) > 0)
        .map(|verdict| format!("{}\u{a0}{}", sign(verdict), grouped(tally.counts.count(verdict))))
        .collect();
    if parts.is_empty() { "○".to_owned() } else { parts.join(" ") }
}

/// Formats the largest distance from the oracle's preferred answer in ULP, if it is known.
pub(super) fn ulp_text(tally: &Tally) -> Option<String> {
    tally.max_ulp.map(ulp)
}

/// Returns the CSS custom properties of a bar: the positions in percent where the shares of passing, bad, latitude and
/// unsupported results end. Every share that is not empty has at least two percent, so that it is visible.
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
                let (max_ulp, width_ulp, error_ratio) = (None, None, None);
                tally.add(Measured { verdict, expected_verdict, max_ulp, width_ulp, error_ratio, nanoseconds: 0 });
            }
        }
        tally
    }

    #[test]
    fn every_verdict_has_its_own_sign() {
        let mut signs: Vec<_> = VERDICTS.into_iter().map(sign).collect();
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), VERDICTS.len());
    }

    #[test]
    fn the_worst_verdict_decides_and_a_missing_answer_is_not_a_pass() {
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
    fn bars_show_rare_verdicts_and_end_at_100_percent() {
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
    fn cells_are_short_and_distances_have_a_heat() {
        use Verdict::*;
        assert_eq!(short_text(&tally(&[(Pass, None, 3)])), "✓");
        assert_eq!(short_text(&tally(&[(Pass, None, 3), (Fail, None, 1_500)])), "✗1.5k");
        assert_eq!(short_text(&tally(&[(Latitude, None, 2), (Pass, None, 1)])), "≈2");
        assert_eq!(full_text(&tally(&[(Pass, None, 3), (NotRun, None, 1)])), "✓\u{a0}3 ○\u{a0}1");
        let heats = [None, Some(0.0), Some(0.5), Some(4.0), Some(5.0), Some(1e4), Some(f64::INFINITY)].map(heat);
        assert_eq!(heats, [0, 1, 2, 3, 4, 5, 6]);
    }
}
