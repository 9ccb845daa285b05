//! Checks what recipes draw: that the oracle answers it in every form, that the values, sizes and attributes which
//! matter occur, and how cases are divided among operators. One program, because a program for each part would cost
//! more time to compile than the parts.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod bodies;
mod budget;
mod directml;
mod forms;
mod hostile;
mod oracle;
mod precision;
mod sizes;
mod values;
