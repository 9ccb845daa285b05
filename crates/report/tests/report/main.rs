//! Tests reports without a browser: how results are counted, what the pages say, comparisons of runs, and sites of many
//! runs.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod comparison;
mod page;
mod page_failures;
mod runs;
mod schema;
mod site;
mod site_inputs;
mod site_numbers;
mod summary;
mod support;
#[path = "../synthetic/mod.rs"]
mod synthetic;
