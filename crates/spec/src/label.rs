//! Labels: how the rules of an operator are named, in its `rules.toml`, in kernels, recipes and results.

/// A numbered rule of an operator: `C1` (constraint) or `B2` (behaviour), as in its `rules.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// What makes an input invalid.
    Constraint(u8),
    /// What happens in a case that needs a rule.
    Behaviour(u8),
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Label::Constraint(n) => write!(f, "C{n}"),
            Label::Behaviour(n) => write!(f, "B{n}"),
        }
    }
}

impl std::str::FromStr for Label {
    type Err = String;
    fn from_str(text: &str) -> Result<Label, String> {
        let number = |rest: &str| rest.parse().map_err(|_| format!("`{text}` is not a label such as C1 or B2"));
        match text.as_bytes().first() {
            Some(b'C') => number(&text[1..]).map(Label::Constraint),
            Some(b'B') => number(&text[1..]).map(Label::Behaviour),
            _ => Err(format!("`{text}` is not a label such as C1 or B2")),
        }
    }
}

/// Labels by name, so that a kernel reads as its rules file does.
#[allow(missing_docs)]
pub mod labels {
    use super::Label;
    pub const C1: Label = Label::Constraint(1);
    pub const C2: Label = Label::Constraint(2);
    pub const C3: Label = Label::Constraint(3);
    pub const C4: Label = Label::Constraint(4);
    pub const C5: Label = Label::Constraint(5);
    pub const C6: Label = Label::Constraint(6);
    pub const C7: Label = Label::Constraint(7);
    pub const C8: Label = Label::Constraint(8);
    pub const C9: Label = Label::Constraint(9);
    pub const C10: Label = Label::Constraint(10);
    pub const C11: Label = Label::Constraint(11);
    pub const C12: Label = Label::Constraint(12);
    pub const B1: Label = Label::Behaviour(1);
    pub const B2: Label = Label::Behaviour(2);
    pub const B3: Label = Label::Behaviour(3);
    pub const B4: Label = Label::Behaviour(4);
    pub const B5: Label = Label::Behaviour(5);
    pub const B6: Label = Label::Behaviour(6);
    pub const B7: Label = Label::Behaviour(7);
    pub const B8: Label = Label::Behaviour(8);
    pub const B9: Label = Label::Behaviour(9);
    pub const B10: Label = Label::Behaviour(10);
    pub const B11: Label = Label::Behaviour(11);
    pub const B12: Label = Label::Behaviour(12);
    pub const B13: Label = Label::Behaviour(13);
}
