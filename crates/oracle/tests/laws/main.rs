//! Laws that operators obey, checked with the oracle: one operator undoes another, or two models compute the same. Each
//! side of a law is a program that [`text`] reads and the oracle runs, and the law compares what the oracle accepts.
//! `/// Law:` names the operators in which a test would find errors; `xtask/tests/tidy` reports operators without a
//! law.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod compare;
mod control;
mod draws;
mod elements;
mod functions;
mod layers;
mod limits;
mod machine;
mod names;
mod sequences;
mod signals;
mod text;
mod training;
mod words;
