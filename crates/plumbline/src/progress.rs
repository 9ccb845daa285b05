//! Progress of a run: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use plumbline_conformance::{Advance, Progress};

use crate::estimate::{Plan, rounded};
use crate::output::counted;

/// The time between plain lines.
const EVERY: Duration = Duration::from_secs(10);

/// How long a run is watched before it says how long it takes.
const WATCHED: Duration = Duration::from_secs(10);

/// Shows the progress of a run on stderr.
pub struct Shown {
    bar: Option<ProgressBar>,
    /// Whether the command judges cases. If not, the number of unexpected results is not shown.
    judges: bool,
    total: AtomicU64,
    pieces: AtomicU64,
    cases: AtomicU64,
    unexpected: AtomicU64,
    causes: AtomicU64,
    last: Mutex<Instant>,
    start: Instant,
    /// What the run has to do, if it is known.
    plan: Option<Plan>,
    /// Whether the run has said how long it takes.
    has_advised: AtomicBool,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown::new(None)
    }
}

impl Shown {
    /// Returns a bar if stderr is a terminal, and plain lines otherwise.
    pub fn new(plan: Option<Plan>) -> Shown {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{wide_bar} {percent}% {elapsed} ({eta} left) {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        Shown {
            bar,
            judges: true,
            total: AtomicU64::new(0),
            pieces: AtomicU64::new(0),
            cases: AtomicU64::new(0),
            unexpected: AtomicU64::new(0),
            causes: AtomicU64::new(0),
            last: Mutex::new(Instant::now()),
            start: Instant::now(),
            plan,
            has_advised: AtomicBool::new(false),
        }
    }

    /// Returns the progress of a command that judges no case.
    pub fn without_results() -> Shown {
        Shown { judges: false, ..Shown::new(None) }
    }

    /// Says once, after the first seconds, how long the run takes, unless that is a short time.
    fn advise(&self) {
        let took = self.start.elapsed();
        if took < WATCHED || self.has_advised.swap(true, Ordering::Relaxed) {
            return;
        }
        let advice = self.plan.and_then(|plan| plan.advice(self.cases.load(Ordering::Relaxed), took));
        if let Some(advice) = advice {
            self.line(&advice);
        }
    }

    fn describe(&self) -> String {
        let cases = self.cases.load(Ordering::Relaxed);
        match (self.judges, self.unexpected.load(Ordering::Relaxed)) {
            (false, _) => format!("{cases} cases"),
            (true, 0) => format!("{cases} cases, 0 unexpected results"),
            (true, unexpected) => {
                let causes = counted(self.causes.load(Ordering::Relaxed), "cause");
                format!("{cases} cases, {unexpected} unexpected results of {causes}")
            }
        }
    }
}

impl Progress for Shown {
    fn start(&self, total: u64) {
        let total = self.total.fetch_add(total, Ordering::Relaxed) + total;
        if let Some(bar) = &self.bar {
            bar.set_length(total);
        }
    }

    fn advance(&self, done: Advance) {
        self.cases.fetch_add(done.cases, Ordering::Relaxed);
        self.unexpected.fetch_add(done.unexpected, Ordering::Relaxed);
        self.causes.fetch_add(done.causes, Ordering::Relaxed);
        let done = self.pieces.fetch_add(done.pieces, Ordering::Relaxed) + done.pieces;
        self.advise();
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(self.describe());
            }
            None => {
                let Ok(mut last) = self.last.lock() else { return };
                if last.elapsed() >= EVERY {
                    *last = Instant::now();
                    let total = self.total.load(Ordering::Relaxed);
                    let cases = self.cases.load(Ordering::Relaxed);
                    let left = self.plan.and_then(|plan| plan.left(cases, self.start.elapsed()));
                    let left = left.map(|left| format!(", about {} left", rounded(left))).unwrap_or_default();
                    eprintln!("{done} of {total} pieces of work, {}{left}", self.describe());
                }
            }
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
