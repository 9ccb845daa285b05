//! The interface through which a run reports its progress.

/// What was done since progress was last reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advance {
    /// The number of pieces of work.
    pub pieces: u64,
    /// The number of cases.
    pub cases: u64,
    /// The number of unexpected results.
    pub unexpected: u64,
    /// How many of them are the first of their cause, among the causes that a run keeps.
    pub causes: u64,
}

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// Announces how many pieces of work come next: those of the whole run, or of its next round.
    fn start(&self, total: u64);
    /// Adds what was done since the last call.
    fn advance(&self, done: Advance);
    /// Reports a message that deserves a line of its own.
    fn line(&self, text: &str);
    /// Reports that the run is over.
    fn finish(&self);
}
