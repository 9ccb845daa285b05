//! The interface through which a run reports its progress.

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// Announces how many pieces of work come next: those of the whole run, or of its next round.
    fn start(&self, total: u64);
    /// Adds the pieces, cases and unexpected results since the last call.
    fn advance(&self, pieces: u64, cases: u64, unexpected: u64);
    /// Reports a message that deserves a line of its own.
    fn line(&self, text: &str);
    /// Reports that the run is over.
    fn finish(&self);
}
