//! Where the project's folders are.

use std::path::{Path, PathBuf};

/// The root of the workspace: the folder above this package.
pub fn workspace() -> PathBuf {
    // Cargo says where the package is now; the binary knows where it was built.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.filter(|path| path.join("src/main.rs").is_file() && path.ends_with("xtask"));
    let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    package.parent().map_or_else(|| package.clone(), Path::to_owned)
}

/// `specs/`: what operators are.
pub fn specs() -> PathBuf {
    workspace().join("specs")
}

/// `generators/regressions/`: cases that are kept for good.
pub fn regressions() -> PathBuf {
    workspace().join("generators/regressions")
}

/// Where Cargo puts what it builds, and xtask what it fetches.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => workspace().join(dir),
        None => workspace().join("target"),
    }
}
