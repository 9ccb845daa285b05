//! Labels: the names of the rules of operators, which `rules.toml` files, kernels, recipes, case ids and results use.

use crate::rule;

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKind {
    /// A condition that a valid node and its inputs satisfy.
    Constraint,
    /// What happens in a case that the formula of the operator does not decide.
    Behaviour,
}

/// The name of a rule: `axis-in-range` (a constraint), `signed-zero` (a behaviour). A label exists only if the
/// `rules.toml` of some operator has the name. The labels are the constants of [`rule`](crate::rule), and
/// [`str::parse`] finds one by its name. Operators that share a rule share its name.
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

    /// Returns the name: `axis-in-range`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns whether the rule is a constraint or a behaviour.
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

/// The error that no operator has a rule with this name.
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
