//! From results to pages people read and files machines read.
//!
//! Results are counted as they are read ([`Aggregator`]), however many there are; what is left is a
//! [`Summary`], plain data in a fixed order. [`html`], [`junit`], [`markdown`] and [`json`] turn it into
//! text; [`ReportInput::write`] does all of it.
//! The same results give the same bytes: times and names of machines come from [`RunMeta`] alone.
//!
//! Details of results are whatever a backend wrote. They are cut, their hidden characters are made
//! visible, and every form escapes them by its own rules.

mod aggregate;
mod error;
mod html;
mod input;
mod json;
mod junit;
mod markdown;
mod meta;
mod read;
mod summary;
mod text;

pub use aggregate::Aggregator;
pub use error::ReportError;
pub use html::{html, repro_folders};
pub use input::{ReportInput, Results, write};
pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use meta::{BackendMeta, BackendStatus, Coverage, CoverageItem, RunMeta};
pub use read::ResultsFile;
pub use summary::{
    BackendSummary, CellCount, CellSummary, Counts, Finding, OperatorSummary, Reason, Standings, Summary, Tally,
    VERDICTS, VersionSummary, types_text,
};
