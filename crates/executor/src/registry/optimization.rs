//! The built-in runtimes whose graph optimizer is switched off as a whole: `rten:optimization=none`.

use crate::{Backend, StartError};

use super::entry::{Needs, Place};
use super::{BackendName, Registry};

impl Registry {
    /// Adds a backend that runs in a worker. `construct` is told whether the graph optimizer runs, which has no passes
    /// that can be left out by name.
    pub(super) fn with_optimized(self, base: &str, about: &str, construct: fn(bool) -> Box<dyn Backend>) -> Registry {
        let start = move |name: &BackendName| is_optimized(name).map(construct);
        let place = Place::Worker(Box::new(move |name, _| {
            start(name).map_err(|reason| StartError::cannot_start(name, reason))
        }));
        let needs = Needs {
            check: Some(Box::new(|name| is_optimized(name).map(drop))),
            passes: Some(|name| match is_optimized(name) {
                Ok(true) => Some(vec![]),
                _ => None,
            }),
            ..Needs::default()
        };
        self.entry_added(base, about, place, needs)
    }
}

/// Reads the setting of a name. The error is one line.
fn is_optimized(name: &BackendName) -> Result<bool, String> {
    name.is_on("optimization", ["all", "none"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    #[test]
    fn an_optimizer_is_switched_off_by_name() {
        let registry =
            Registry { options: Options::default(), entries: vec![] }.with_optimized("a", "", |_| unreachable!());
        assert_eq!(registry.passes("a"), Some(vec![]));
        assert_eq!(registry.without("a", &[]), "a:optimization=none");
        assert_eq!(registry.without("a:optimization=all,ulp.exp=4", &[]), "a:optimization=none,ulp.exp=4");
        assert_eq!(registry.passes("a:optimization=none"), None, "there is nothing left to switch off");
        registry.knows("a:optimization=none").unwrap();
        assert_eq!(
            registry.knows("a:optimization=some").unwrap_err().to_string(),
            "`a:optimization=some` is not the name of a backend: `optimization=some` is not a setting of a: write \
             optimization=none or optimization=all"
        );
    }
}
