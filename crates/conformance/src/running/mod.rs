//! Many cases on many backends: pieces of work, rounds, threads, resumed and merged runs.

mod batch;
mod earlier;
mod flaky;
mod groups;
mod in_order;
mod merge;
mod minimizer;
mod packable;
mod progress;
mod run;
mod settings;
mod stop;
mod work;
mod writer;

pub(crate) use in_order::in_order;
pub use merge::merge;
pub use progress::{Advance, Progress};
pub use run::Run;
pub use settings::{Minimization, Settings};
pub use stop::Interrupt;
pub use work::Work;
pub(crate) use work::shard;
pub(crate) use writer::Found;
