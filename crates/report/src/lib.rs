//! Turns results into pages for people and files for programs.
//!
//! An [`Aggregator`] counts results as they are read, however many there are, and produces a [`Summary`], which is
//! plain data in a fixed order. [`html`], [`junit`], [`markdown`] and [`json`] turn it into text, and
//! [`ReportInput::write`] does all of this. The same results give the same bytes: dates and names of machines come only
//! from [`RunMeta`].
//!
//! [`comparison`] compares the results of two runs, or of two backends of a run, [`site`] makes a static site of many
//! runs, and [`support`] makes tables of what backends support.
//!
//! The details of results are arbitrary text from a backend. They are cut to a limited length, and every output format
//! escapes them by its own rules. All formats but JSON also make hidden characters in the details visible.

mod aggregate;
mod bounded;
pub mod comparison;
mod error;
mod html;
mod input;
mod json;
mod junit;
mod markdown;
mod meta;
mod read;
pub mod site;
mod summary;
pub mod support;
mod text;
mod tools;
mod tools_markdown;

pub use aggregate::Aggregator;
pub use error::ReportError;
pub use html::{Repros, comparison_page, html};
pub use input::{ReportInput, Results, write};
pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use meta::{BackendMeta, BackendStatus, Coverage, CoverageItem, RunMeta};
pub use read::ResultsFile;
pub use summary::{
    BackendSummary, CellCount, CellSummary, Counts, Finding, KnownCount, OperatorSummary, Reason, Standings, Summary,
    Tally, VERDICTS, VersionSummary,
};
pub use text::{types_text, unchecked};
pub use tools::{Conversion, Inferred};
pub use tools_markdown::tools_markdown;
