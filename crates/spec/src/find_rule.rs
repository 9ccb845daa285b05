//! Turns the name of a rule into its [`Label`].

use crate::label::Label;
use crate::rule;

/// The error that no operator has a rule with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no operator has a rule called `{0}`")]
pub struct UnknownRule(pub String);

impl std::str::FromStr for Label {
    type Err = UnknownRule;
    fn from_str(text: &str) -> Result<Label, UnknownRule> {
        let found = rule::ALL.binary_search_by(|label| label.name().cmp(text));
        found.map(|at| rule::ALL[at]).map_err(|_| UnknownRule(text.to_owned()))
    }
}
