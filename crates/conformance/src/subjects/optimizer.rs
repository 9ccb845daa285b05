//! The graph optimizer of a backend, as far as it can be switched off, whole or pass by pass.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::subjects::Subject;

/// Starts the same backend without these passes, or without its optimizer if no pass is named.
type Open = dyn Fn(&[&str]) -> Result<Subject, String> + Send + Sync;

/// The variants that were started, by the passes that they leave out.
type Started = BTreeMap<Vec<String>, Option<Arc<Subject>>>;

/// The largest number of variants whose processes are kept.
const MOST_KEPT: usize = 4;

/// A graph optimizer that can be switched off.
pub struct Optimizer {
    /// The passes that can be left out, in the order in which they run.
    pub passes: Vec<String>,
    open: Box<Open>,
    started: Mutex<Started>,
}

impl Optimizer {
    /// Returns the optimizer with these passes.
    pub fn new(
        passes: Vec<String>,
        open: impl Fn(&[&str]) -> Result<Subject, String> + Send + Sync + 'static,
    ) -> Optimizer {
        Optimizer { passes, open: Box::new(open), started: Mutex::default() }
    }

    /// Returns the same backend without these passes, or without its optimizer if no pass is named. `None` if it does
    /// not start.
    pub(crate) fn without(&self, passes: &[String]) -> Option<Arc<Subject>> {
        let lock = || self.started.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(passes) {
            return known.clone();
        }
        let names: Vec<&str> = passes.iter().map(String::as_str).collect();
        let subject = (self.open)(&names).ok().map(Arc::new);
        let mut started = lock();
        if started.len() < MOST_KEPT {
            started.insert(passes.to_vec(), subject.clone());
        }
        subject
    }
}
