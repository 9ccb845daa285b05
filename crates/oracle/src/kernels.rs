//! Finds kernels by operator. Their list is written by `cargo xtask generate`.

use super::call::{Answer, Call};
pub use super::ops::KERNELS;

/// The function that computes an operator (all of its versions).
pub type Kernel = fn(&Call) -> Answer;

/// Returns the kernel of an operator.
pub fn find(domain: &str, name: &str) -> Option<Kernel> {
    let at = KERNELS.binary_search_by(|(d, n, _)| (*d, *n).cmp(&(domain, name))).ok()?;
    Some(KERNELS[at].2)
}
