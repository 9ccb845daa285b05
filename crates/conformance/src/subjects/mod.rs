//! The backends under test: how they are opened, and the checks of an adapter by `doctor`.

mod backends;
pub mod doctor;
mod later;
mod optimizer;
mod pace;
mod risk;
mod scaling;

pub(crate) use backends::take_cut_off;
pub use backends::{Opener, Role, Subject};
pub(crate) use doctor::parse;
pub use optimizer::Optimizer;
pub use pace::Pack;
pub use scaling::{Jobs, Scaling};
