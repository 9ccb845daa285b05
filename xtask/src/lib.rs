//! What the commands of xtask share with its tests.

pub mod rust;
