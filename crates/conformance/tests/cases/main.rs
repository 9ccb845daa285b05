//! Checks the cases that runs have: drawn, negative, kept and published ones are what they claim to be, and the oracle
//! accepts the right answers to them.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod exact;
mod next_door;
mod readings;
mod regressions;
mod suites;
mod twins;
mod valid;
