//! The judge is judged: backends that are wrong on purpose, and whether cases and judge together notice.
//!
//! A mutant is a wrong backend for one operator version. It answers with what the oracle prefers for an edited case (an attribute left out, an
//! input changed, another version), or with an edited answer. Most mutants are derived from the facts in `specs/` ([`derived`]); those in
//! `generators/mutants/` are written by hand ([`table`]). Cases are drawn as for a run on backends; every answer that differs from the preferred
//! one is judged. Survivors are held against `reports/mutants/survivors.toml` ([`Survivors`]).

mod change;
mod derived;
mod edit;
pub(crate) mod element;
mod run;
pub(crate) mod scene;
mod survivors;
mod table;
mod versions;
mod wreck;

use std::sync::Arc;

use plumbline_spec::OperatorId;

use self::edit::Edit;

pub use run::{JudgeFn, MutantSettings, run};
pub use survivors::{Survivors, SurvivorsError};
pub use table::{MutantTable, TableError};
pub use versions::{Pair, unnoticed_pairs};

/// Which way a mutant is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutantKind {
    /// An attribute is ignored.
    Attribute,
    /// An optional input is ignored.
    Input,
    /// An element of an input is another.
    Element,
    /// The operator is run as another version of it.
    Version,
    /// Numbers are rounded in another way.
    Rounding,
    /// Outputs, or the elements of an output, change places.
    Order,
    /// Every element of every output is replaced.
    Wrecked,
    /// Written by hand.
    Written,
}

impl MutantKind {
    /// Every kind.
    pub const ALL: [MutantKind; 8] = [
        MutantKind::Attribute,
        MutantKind::Input,
        MutantKind::Element,
        MutantKind::Version,
        MutantKind::Rounding,
        MutantKind::Order,
        MutantKind::Wrecked,
        MutantKind::Written,
    ];

    /// The word for it in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            MutantKind::Attribute => "attribute",
            MutantKind::Input => "input",
            MutantKind::Element => "element",
            MutantKind::Version => "version",
            MutantKind::Rounding => "rounding",
            MutantKind::Order => "order",
            MutantKind::Wrecked => "wrecked",
            MutantKind::Written => "written",
        }
    }

    /// Whether it is a finding that no case reaches a mutant of this kind. Rounding, order and version need not change an answer: many operators
    /// only move elements, and many versions only add types.
    pub fn has_to_change(self) -> bool {
        !matches!(self, MutantKind::Version | MutantKind::Rounding | MutantKind::Order)
    }
}

impl std::fmt::Display for MutantKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for MutantKind {
    type Err = String;

    fn from_str(text: &str) -> Result<MutantKind, String> {
        let names = MutantKind::ALL.map(MutantKind::name).join(", ");
        let unknown = || format!("there is no kind `{text}` of mutants; there are {names}");
        MutantKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(unknown)
    }
}

/// A wrong backend for one operator version.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    name: String,
    kind: MutantKind,
    edits: Vec<Edit>,
    /// File and line of a mutant that is written by hand.
    place: Option<(Arc<str>, usize)>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The judge failed an answer that it changed.
    Killed,
    /// It only differs by refusing cases that are valid, and the judge failed that.
    KilledByRefusal,
    /// It changed answers, and the judge failed none.
    Survived,
    /// It changed no answer.
    Unchanged,
}

impl Fate {
    /// Whether the judge noticed.
    pub fn is_killed(self) -> bool {
        matches!(self, Fate::Killed | Fate::KilledByRefusal)
    }
}

/// What became of one mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct MutantResult {
    /// The operator version it is wrong about.
    pub version: OperatorId,
    /// Its name, unique for the operator version.
    pub name: String,
    /// Its kind.
    pub kind: MutantKind,
    /// File and line of a mutant that is written by hand.
    pub place: Option<(Arc<str>, usize)>,
    /// What became of it.
    pub fate: Fate,
    /// How many cases it changed, as far as it was run: a few failures are enough.
    pub changed: u64,
    /// How many of them the judge failed.
    pub failed: u64,
    /// The first case it changed without a failure, and what the judge said.
    pub survived: Option<(String, String)>,
}

impl std::fmt::Display for MutantResult {
    /// `Softmax-13 outputs-3-ulp-off`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.version, self.name)
    }
}

/// Cases of an operator whose outputs were all wrecked, over both ways.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WreckedShare {
    /// Wrecked answers.
    pub answers: u64,
    /// How many of them fail.
    pub failed: u64,
    /// A case that does not fail, and what the judge said.
    pub survived: Option<(String, String)>,
}

/// What a run over mutants came to.
#[derive(Clone, Debug, Default)]
pub struct MutantReport {
    /// Every mutant, in the order of the specification.
    pub results: Vec<MutantResult>,
    /// Wrecked answers by operator; random outputs are not counted.
    pub wrecked: Vec<(String, WreckedShare)>,
    /// Cases that the oracle does not answer, and answers of the oracle that the judge fails: our own errors.
    pub broken: Vec<String>,
    /// Cases drawn.
    pub cases: u64,
}
