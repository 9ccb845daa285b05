//! The runtimes that run in a program in another language. What they need is fetched on request only.

use crate::StartError;
use crate::adapter::{ADAPTERS, Adapter};

use super::Registry;
use super::entry::{Entry, Needs, Place};

impl Registry {
    /// Adds every adapter.
    pub(super) fn with_adapters(mut self) -> Registry {
        self.entries.extend(ADAPTERS.iter().map(entry));
        self
    }
}

fn entry(adapter: &'static Adapter) -> Entry {
    let version = adapter.default_version().map(|version| format!(" ({version} unless @VERSION)"));
    Entry {
        base: adapter.name.to_owned(),
        about: format!("{}{}", adapter.about, version.unwrap_or_default()),
        place: Place::Program(Box::new(move |name, options| {
            adapter
                .command(&options.libraries, name.version.as_deref(), name.argument.as_deref())
                .map_err(|reason| StartError::cannot_start(name, reason))
        })),
        needs: Needs {
            check: Some(Box::new(|name| adapter.check(name.version.as_deref(), name.argument.as_deref()))),
            fetch: Some(Box::new(|name, libraries| adapter.fetch(libraries, name.version.as_deref()))),
            at_hand: Some(Box::new(|name, libraries| {
                adapter.at_hand(libraries, name.version.as_deref(), name.argument.as_deref())
            })),
            variants: Some(Box::new(|libraries| {
                let versions = adapter.versions(libraries).into_iter();
                let others = versions.filter(|version| Some(version.as_str()) != adapter.default_version());
                others.map(|version| format!("{}@{version}", adapter.name)).collect()
            })),
            is_optional: true,
            ..Needs::default()
        },
    }
}
