//! Has the variables with which tests are compiled, for the launcher and for `cargo xtask test`. Because both use the
//! same ones, what the launcher compiles of the workspace is not compiled again for the tests.

/// The variables that make Cargo lint everything that it compiles of the workspace, as `cargo clippy -- -D warnings`
/// does: crates that are also tested are compiled only once, and without debug information.
pub const LINTED: [(&str, &str); 3] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
];
