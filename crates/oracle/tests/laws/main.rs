//! Laws that operators obey, held against the oracle: what one does another undoes, and two ways lead to the same place. Each side is a model in
//! [`text`] that the oracle runs; a law compares what it accepts for the one and for the other. `/// Law:` names the operators
//! that a test would catch if they did something else; `xtask/tests/tidy` tells which operator has no law.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod compare;
mod control;
mod draws;
mod elements;
mod functions;
mod layers;
mod machine;
mod names;
mod sequences;
mod signals;
mod text;
mod training;
mod words;
