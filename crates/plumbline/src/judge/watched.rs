//! Shows how far a model is judged: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use plumbline_conformance::model::{NodePlace, Watch};

/// The time between plain lines.
const EVERY: Duration = Duration::from_secs(10);

/// Shows the progress on stderr.
pub struct Watched {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    step: String,
    nodes: usize,
    done: usize,
    /// The node that took the longest time so far, in words, and that time.
    slowest: Option<(String, Duration)>,
    /// When the first node was started.
    start: Instant,
    last: Instant,
}

impl Watched {
    /// Returns a bar if stderr is a terminal, and plain lines otherwise.
    pub fn new() -> Watched {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} nodes {elapsed} {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        let now = Instant::now();
        let state = State { step: String::new(), nodes: 0, done: 0, slowest: None, start: now, last: now };
        Watched { bar, state: Mutex::new(state) }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, state: &mut State) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(state.nodes as u64);
                bar.set_position(state.done as u64);
                bar.set_message(state.description());
            }
            None if state.last.elapsed() >= EVERY => {
                state.last = Instant::now();
                eprintln!("{} of {} nodes judged, {}", state.done, state.nodes, state.description());
            }
            None => {}
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        self.show(&mut state);
    }
}

impl State {
    fn description(&self) -> String {
        if self.done == 0 || self.done >= self.nodes {
            return self.step.clone();
        }
        let took = self.start.elapsed().as_secs_f64();
        // As if the nodes that are left took as long as those before.
        let left = took / self.done as f64 * (self.nodes - self.done) as f64;
        let slowest = self.slowest.as_ref().map_or_else(String::new, |(node, took)| {
            format!(", the slowest is node {node} with {:.1} s", took.as_secs_f64())
        });
        format!("about {left:.0} s left{slowest}")
    }
}

impl Watch for Watched {
    fn step(&self, what: &str) {
        self.change(|state| what.clone_into(&mut state.step));
    }

    fn nodes(&self, count: usize) {
        self.change(|state| (state.nodes, state.done, state.start) = (count, 0, Instant::now()));
    }

    fn judged(&self, node: &NodePlace, took: Duration) {
        self.change(|state| {
            state.done += 1;
            if state.slowest.as_ref().is_none_or(|(_, most)| took > *most) {
                state.slowest = Some((format!("{} ({})", node.index, node.operator.escape_debug()), took));
            }
        });
    }
}
