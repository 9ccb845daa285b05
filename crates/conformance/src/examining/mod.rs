//! One case on one backend: what is expected, the runs of a session, the verdict, and the smallest failure.

mod blame;
mod examine;
mod expected;
mod intermediate;
mod minimize;
mod optimizer;
mod packs;
mod parts;
mod prepared;
mod published;
mod reduce;
mod refused;
mod repro;
mod rerun;
mod session_runs;
mod smaller;
mod unfolded;

pub(crate) use blame::blamed;
pub(crate) use examine::examine_in_packs;
pub use examine::{Finding, examine, examine_one};
pub use expected::{Tolerance, right};
pub(crate) use intermediate::intermediate;
pub use minimize::{Budget, minimize};
pub(crate) use packs::Packing;
pub use prepared::PreparedCase;
pub use published::examine_folder;
pub(crate) use refused::is_unjudged;
pub use repro::{
    Failure, REPLAY_DEADLINE_MS, all_answers, answers, quoted, replay_command, short_answers, write_failure,
};
pub(crate) use repro::{Repros, write_repro};
pub use rerun::{Further, Other};
pub use session_runs::{Objection, Runs};
pub use smaller::smaller;
