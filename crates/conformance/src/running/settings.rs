//! The settings of a run, and how they divide the work into rounds.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use plumbline_generator::Case;
use plumbline_judge::FailKind;

use crate::cases::{Selection, graphs, mutated};
use crate::examining::Budget;
use crate::results::Base;
use crate::running::stop::Interrupt;
use crate::running::work::Work;

/// How much time goes into making failing cases smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Minimization {
    /// No time. Repro folders have the cases as they were drawn.
    Off,
    /// A share of the run's time on all threads, between 0 and 1.
    Share(f64),
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of all generated cases.
    pub seed: u64,
    /// The average number of valid cases for a cell. A cell gets more if its operator has more attributes, optional
    /// inputs, rules and features. This is also the number of mutated cases for each cell.
    pub cases: u64,
    /// The number of graphs for each cell of a version with many cells. Below 1, only a part of the cells has a graph, and
    /// another seed chooses others. Cells of other versions have more, and each pattern has at least one, unless this is
    /// 0. If it is not set, each cell and each pattern has `cases`.
    pub graph_cases: Option<f64>,
    /// The number of large cases for each cell of an operator that has them. Below 1, only a part of these cells has one, and
    /// another seed chooses others. If it is not set, each of them has `cases`.
    pub large_cases: Option<f64>,
    /// Invalid cases for each cell and constraint.
    pub negative_cases: u64,
    /// Cases for each part of a model that somebody gives.
    pub excerpt_cases: u64,
    /// If set, the run draws cases until this time is nearly over, so that it ends in time.
    pub time: Option<Duration>,
    /// The longest time that a backend may take for one case.
    pub deadline: Duration,
    /// The number of threads; 0 is one for each core.
    pub jobs: usize,
    /// The part of the work that this run does: the number of the shard, counted from 1, and the number of shards.
    pub shard: (u64, u64),
    /// The operators, element types and forms that the user selected.
    pub selection: Selection,
    /// The folder for the results.
    pub out: PathBuf,
    /// Whether this run continues a stopped run with the same settings, whose results are in the folder.
    pub resume: bool,
    /// If set, no case runs: the run only counts the results in the folder, such as those that [`crate::running::merge::merge`] wrote.
    pub recorded: bool,
    /// Kinds of failure that do not fail the run. Their results count as expected ones.
    pub accepted: Vec<FailKind>,
    /// The limit for the minimization of one failure.
    pub budget: Budget,
    /// How much of the run's time all minimizations together may take.
    pub minimization: Minimization,
    /// The failures of another run: those that this run shares are marked.
    pub base: Base,
    /// Stops the run when it is raised.
    pub interrupt: Interrupt,
    /// The program in the command that replays a failure: `plumbline`, or `cargo xtask`.
    pub program: String,
}

impl Settings {
    /// Draws cases of a piece. Returns those whose form is selected, and whether others were left out. A mutated case
    /// has no form of its own, so it is never left out.
    pub(crate) fn drawn(&self, piece: &Work, indices: Range<u64>) -> (Vec<Case>, bool) {
        let draw = |index| match piece {
            Work::Cell(cell, violates) => cell.case(*violates, index, self.seed),
            Work::Large(cell) => cell.large_case(index, self.seed),
            Work::Mutated(cell) => mutated::draw(cell, index, self.seed),
            Work::Graphs(start) => graphs::draw(start, index, self.seed),
            Work::DirectMl(cell, violates) => cell.case(*violates, index, self.seed),
            Work::Excerpt(excerpt) => excerpt.draw(index, self.seed),
            Work::Published(_) | Work::Kept(..) => None,
        };
        let is_taken = |case: &Case| matches!(piece, Work::Mutated(_)) || self.selection.takes_form(case.form);
        let (taken, others): (Vec<Case>, Vec<Case>) = indices.filter_map(draw).partition(is_taken);
        (taken, !others.is_empty())
    }

    /// Returns the number of cases of a piece in the whole run. In a run with a time limit, it is the number of cases
    /// in each round after the first round.
    pub fn count_of(&self, piece: &Work) -> u64 {
        match piece {
            Work::Cell(_, Some(_)) | Work::DirectMl(_, Some(_)) => self.negative_cases,
            Work::Cell(cell, None) => cell.share_of(self.cases),
            Work::Mutated(_) | Work::DirectMl(_, None) => self.cases,
            Work::Large(_) => {
                self.large_cases.map_or(self.cases, |cases| graphs::rounded(cases, &piece.to_string(), self.seed))
            }
            Work::Graphs(start) => {
                self.graph_cases.and_then(|graphs| start.count(graphs, self.seed)).unwrap_or(self.cases)
            }
            Work::Excerpt(_) => self.excerpt_cases,
            Work::Published(_) | Work::Kept(..) => 1,
        }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

impl Default for Settings {
    /// Returns settings with twenty cases for each cell and the folder `plumbline-results`.
    fn default() -> Settings {
        Settings {
            seed: 0,
            cases: 20,
            graph_cases: None,
            large_cases: None,
            negative_cases: 2,
            excerpt_cases: 2,
            time: None,
            deadline: Duration::from_secs(10),
            jobs: 0,
            shard: (1, 1),
            selection: Selection::default(),
            out: PathBuf::from("plumbline-results"),
            resume: false,
            recorded: false,
            accepted: vec![],
            budget: Budget::default(),
            minimization: Minimization::Share(0.2),
            base: Base::default(),
            interrupt: Interrupt::default(),
            program: "plumbline".to_owned(),
        }
    }
}

/// Which cases of each piece of work a round runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// All of them at once.
    Whole,
    /// The first one, so that every piece is tried before any gets a second case.
    First,
    /// Those after the first one.
    Rest,
    /// Further cases, in a run with a time limit: each such round has as many as a whole run without a limit. The
    /// number counts these rounds, from 0.
    Further(u64),
}

impl Round {
    /// Returns the indices of the cases of this round, for a piece with `count` cases.
    pub fn cases(self, count: u64) -> Range<u64> {
        match self {
            Round::Whole => 0..count,
            Round::First => 0..count.min(1),
            Round::Rest => 1..count.max(1),
            Round::Further(time) => 1 + time * count..1 + (time + 1) * count,
        }
    }

    /// Returns whether each piece had a case in an earlier round.
    pub fn has_earlier(self) -> bool {
        matches!(self, Round::Rest | Round::Further(_))
    }

    /// Returns the next round of a run, if there is one.
    pub fn next(self, has_time_limit: bool) -> Option<Round> {
        match (self, has_time_limit) {
            (Round::First, false) => Some(Round::Rest),
            (Round::First, true) => Some(Round::Further(0)),
            (Round::Further(time), _) => Some(Round::Further(time + 1)),
            (Round::Whole | Round::Rest, _) => None,
        }
    }
}
