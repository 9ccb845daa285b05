//! Mutation tests of the judge: runs backends that are wrong on purpose, and checks whether the cases and the judge
//! notice them.
//!
//! A mutant is a wrong backend for one operator version. It answers with what the oracle prefers for an edited case (an
//! attribute left out, an input changed, another version), or with an edited answer. Most mutants are derived from the
//! facts in `specs/`. Those in `generators/mutants/` are written by hand ([`MutantTable`]). Cases are drawn as for a
//! run on backends, and answers that differ from the preferred one are judged until a few have failed. Mutants that
//! survive are compared with `reports/mutants/survivors.toml` ([`Survivors`]).

mod change;
mod derived;
mod directml;
mod edit;
mod run;
mod survivors;
mod table;
mod versions;
mod wreck;

use std::sync::Arc;

use plumbline_spec::OperatorId;

use self::edit::Edit;

pub use directml::run_directml;
pub use run::{JudgeFn, MutantSettings, run};
pub use survivors::{Survivors, SurvivorsError};
pub use table::{MutantTable, TableError};
pub use versions::{Pair, unnoticed_pairs};

/// The way in which a mutant is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutantKind {
    /// An attribute is ignored, or one of its elements is different.
    Attribute,
    /// An optional input is ignored.
    Input,
    /// One element of an input is different.
    Element,
    /// The operator is run as another of its versions.
    Version,
    /// Numbers are rounded differently, or a tie between equal elements is decided the other way.
    Rounding,
    /// Outputs have the precision of a narrower type. Such a mutant is killed if at least [`MOST`] of its answers fail,
    /// because an interval that is too wide for some cases lets a wrong implementation through.
    Precision,
    /// Outputs are exchanged, or the elements of each output are reordered.
    Order,
    /// Every element of every output is replaced.
    Wrecked,
    /// The mutant is written by hand.
    Written,
    /// A step of what an operator of DirectML computes is another one.
    Meaning,
    /// A tensor of DirectML is read as if it lay differently in its buffer.
    Layout,
}

impl MutantKind {
    /// Every kind.
    pub const ALL: [MutantKind; 11] = [
        MutantKind::Attribute,
        MutantKind::Input,
        MutantKind::Element,
        MutantKind::Version,
        MutantKind::Rounding,
        MutantKind::Precision,
        MutantKind::Order,
        MutantKind::Wrecked,
        MutantKind::Written,
        MutantKind::Meaning,
        MutantKind::Layout,
    ];

    /// Returns the word for the kind in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            MutantKind::Attribute => "attribute",
            MutantKind::Input => "input",
            MutantKind::Element => "element",
            MutantKind::Version => "version",
            MutantKind::Rounding => "rounding",
            MutantKind::Precision => "precision",
            MutantKind::Order => "order",
            MutantKind::Wrecked => "wrecked",
            MutantKind::Written => "written",
            MutantKind::Meaning => "meaning",
            MutantKind::Layout => "layout",
        }
    }

    /// Returns whether a mutant of this kind should change the answer of at least one case. Six kinds of mutants need
    /// not: `Meaning` and `Layout`, because the changed function may be invalid or read beyond its buffer; `Rounding` and
    /// `Precision`, because many operators only move elements or give few digits; `Version`, because many versions only
    /// add types; and `Order`, because an output may have a single element or equal elements.
    pub fn has_to_change(self) -> bool {
        use MutantKind::{Layout, Meaning, Order, Precision, Rounding, Version};
        !matches!(self, Version | Rounding | Precision | Order | Meaning | Layout)
    }

    /// Returns the share of the changed answers that have to fail, so that a mutant of this kind is killed; `None` if a
    /// single failure is enough.
    fn needed_share(self) -> Option<f64> {
        (self == MutantKind::Precision).then_some(MOST)
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
        let unknown = || format!("`{text}` is not a kind of mutant; the kinds are {names}");
        MutantKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(unknown)
    }
}

/// The share of the changed answers of a mutant of the kind [`MutantKind::Precision`] that have to fail.
pub const MOST: f64 = 0.7;

/// A wrong backend for one operator version.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    name: String,
    kind: MutantKind,
    edits: Vec<Edit>,
    /// File and line of a mutant that is written by hand.
    place: Option<(Arc<str>, usize)>,
}

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The judge failed an answer that the mutant changed.
    Killed,
    /// The mutant changed no answer but refused valid cases, and the judge failed such a refusal.
    KilledByRefusal,
    /// The mutant changed answers or refused cases, and the judge failed none of them.
    Survived,
    /// The mutant changed no answer, and refused no case that the oracle answers after the edit.
    Unchanged,
}

impl Fate {
    /// Returns whether the judge noticed the mutant.
    pub fn is_killed(self) -> bool {
        matches!(self, Fate::Killed | Fate::KilledByRefusal)
    }
}

/// The result of running one mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct MutantResult {
    /// The operator version that the mutant is wrong about.
    pub version: OperatorId,
    /// The name of the mutant, unique within the operator version.
    pub name: String,
    /// The kind of the mutant.
    pub kind: MutantKind,
    /// File and line of a mutant that is written by hand.
    pub place: Option<(Arc<str>, usize)>,
    /// The fate of the mutant.
    pub fate: Fate,
    /// The number of cases in which the mutant changed the answer. A mutant is not run further after a few failures,
    /// unless its kind is [`MutantKind::Wrecked`].
    pub changed: u64,
    /// The number of changed answers that the judge failed.
    pub failed: u64,
    /// The first case whose changed answer or refusal did not fail, and what the judge said about it.
    pub survived: Option<(String, String)>,
}

impl std::fmt::Display for MutantResult {
    /// Formats the version and the name: `Softmax-13 output-output-3-ulp-off`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.version, self.name)
    }
}

/// Counts the answers that mutants of the kind [`MutantKind::Wrecked`] gave for an operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WreckedShare {
    /// The number of wrecked answers.
    pub answers: u64,
    /// The number of wrecked answers that fail.
    pub failed: u64,
    /// The number of further answers that cannot fail, because any value is accepted for each element.
    pub undecided: u64,
    /// The first wrecked answer that did not fail: the case, and what the judge said about it.
    pub survived: Option<(String, String)>,
}

/// The results of running mutants.
#[derive(Clone, Debug, Default)]
pub struct MutantReport {
    /// The result of every mutant, in the order of the specification.
    pub results: Vec<MutantResult>,
    /// The wrecked answers by operator. Cases with random outputs are not counted.
    pub wrecked: Vec<(String, WreckedShare)>,
    /// Our own errors: valid cases that the oracle does not answer, and answers of the oracle that the judge fails.
    pub broken: Vec<String>,
    /// The number of cases drawn.
    pub cases: u64,
}
