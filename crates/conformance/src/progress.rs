//! Who is told how far a run is.

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// There are this many pieces of work.
    fn start(&self, total: u64);
    /// So many pieces, cases and unexpected results have come to be since the last call.
    fn advance(&self, pieces: u64, cases: u64, unexpected: u64);
    /// Something worth a line.
    fn line(&self, text: &str);
    /// The run is over.
    fn finish(&self);
}
