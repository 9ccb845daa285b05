//! Labels: the names of the rules of operators, which `rules.toml` files, kernels, recipes, case ids and results use.

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

/// Declares a constant for each label, and the list of all of them.
macro_rules! labels {
    ($($(#[$about:meta])* $constant:ident = $kind:ident $name:literal;)*) => {
        $($(#[$about])* pub const $constant: $crate::Label = $crate::Label::$kind($name);)*

        /// Every label, sorted by name.
        pub(crate) static ALL: &[$crate::Label] = &[$($constant),*];
    };
}
pub(crate) use labels;

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
