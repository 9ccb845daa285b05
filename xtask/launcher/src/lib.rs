//! The environment variables with which the launcher compiles xtask for `cargo xtask test`. A test of xtask checks that
//! xtask compiles the tests with the same variables, so that nothing of the workspace is compiled twice.

/// The variables that make Cargo lint every crate of the workspace that it compiles. So one compilation serves lints and
/// tests. The last variable leaves out debug information.
pub const LINTED: [(&str, &str); 2] = [("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CARGO_PROFILE_DEV_DEBUG", "0")];
