//! Checks that drawn, negative, kept and published cases are what they claim to be.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod next_door;
mod readings;
mod regressions;
mod reworded;
mod suites;
mod texts;
mod twins;
mod unchecked;
mod valid;
