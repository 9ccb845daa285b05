//! Tests of the judge itself: backends that are wrong on purpose, and the widths of the accepted intervals.

pub mod mutants;
mod tightness;

pub use tightness::{RELATIVE, Row, Widths, is_elementwise, median, tightness, widest_rows};
