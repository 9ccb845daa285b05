//! Kernels by operator. The list is derived from the files of `ops/` by the build script.

use super::call::{Answer, Call};

/// A kernel.
pub type Kernel = fn(&Call) -> Answer;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The kernel of an operator.
pub fn find(domain: &str, name: &str) -> Option<Kernel> {
    let at = KERNELS.binary_search_by(|(d, n, _)| (*d, *n).cmp(&(domain, name))).ok()?;
    Some(KERNELS[at].2)
}
