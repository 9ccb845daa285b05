//! Checks what runs say about backends: a right backend passes, and backends that are wrong on purpose are caught, in
//! whatever way they are wrong. Stopping and resuming a run, or dividing it into shards, does not change its results.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod accuracy;
mod baseline;
mod canaries;
mod claims;
#[path = "../common/mod.rs"]
mod common;
mod directml;
mod doctor;
mod errata;
mod exact;
mod excerpts;
mod flaky;
mod inaccurate;
mod inner_nodes;
mod large;
mod mutants;
mod mutated;
mod packs;
mod plans;
mod profile;
mod random;
mod reduced;
#[cfg(unix)]
mod rewriters;
mod sessions;
mod shards;
mod stops;
#[path = "../twisted/mod.rs"]
mod twisted;
mod unchecked;
mod wrong_optimizer;
mod wrong_tools;
