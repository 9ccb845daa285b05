//! Labels: the names of the rules of operators, as their `rules.toml`, kernels, recipes, case ids and results write them.

use crate::rule;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// What makes a node or its inputs invalid when it does not hold.
    Constraint,
    /// What happens where the formula does not settle it.
    Behaviour,
}

/// The name of a rule: `axis-in-range` (a constraint), `signed-zero` (a behaviour). Only names that some operator's `rules.toml` has exist:
/// they are the constants of [`rule`](crate::rule), and [`str::parse`] finds one of them. Operators that share a rule share its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    kind: RuleKind,
    name: &'static str,
}

impl Label {
    pub(crate) const fn constraint(name: &'static str) -> Label {
        Label { kind: RuleKind::Constraint, name }
    }

    pub(crate) const fn behaviour(name: &'static str) -> Label {
        Label { kind: RuleKind::Behaviour, name }
    }

    /// The name: `axis-in-range`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// What the rule is about.
    pub fn kind(self) -> RuleKind {
        self.kind
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// No rule of any operator has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no operator has a rule called `{0}`")]
pub struct UnknownRule(pub String);

impl std::str::FromStr for Label {
    type Err = UnknownRule;
    fn from_str(text: &str) -> Result<Label, UnknownRule> {
        let found = rule::ALL.binary_search_by(|label| label.name.cmp(text));
        found.map(|at| rule::ALL[at]).map_err(|_| UnknownRule(text.to_owned()))
    }
}
