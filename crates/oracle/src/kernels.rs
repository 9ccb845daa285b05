//! Finds kernels by operator. Their list is written by `cargo xtask generate`.

use super::call::Kernel;
pub use super::ops::KERNELS;

/// Returns the kernel of an operator.
pub fn find(domain: &str, name: &str) -> Option<Kernel> {
    let at = KERNELS.binary_search_by(|(d, n, _)| (*d, *n).cmp(&(domain, name))).ok()?;
    Some(KERNELS[at].2)
}
