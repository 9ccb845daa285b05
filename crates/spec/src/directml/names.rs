//! Errors for unknown names, and lists of names in messages.

/// Defines the error type for an unknown name. Its message has the unknown text and all known names.
macro_rules! name_error {
    ($error:ident, $message:literal, $all:expr) => {
        #[doc = "The error for a text that is not one of the known names."]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($message, $crate::directml::names::listed($all))]
        pub struct $error {
            text: String,
        }
    };
}
pub(super) use name_error;

/// Joins names with commas.
pub(crate) fn listed(names: impl IntoIterator<Item = impl ToString>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}
