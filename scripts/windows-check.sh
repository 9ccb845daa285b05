#!/bin/sh
# Type-checks and lints libraries and programs of the workspace for x86_64-pc-windows-msvc; warnings are errors.
# Nothing is linked, and nothing runs. With the target in the toolchain at hand it is `cargo clippy --target`;
# else the compiler is that of scripts/windows-rust.sh, which checks the standard library first.
# Arguments are cargo's; without any it is the whole workspace.
set -eu
cd "$(dirname "$0")/.."

target=x86_64-pc-windows-msvc
[ $# -gt 0 ] || set -- --workspace

rust=$(sh scripts/windows-rust.sh)
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/windows"
if [ "$rust" = toolchain ]; then
    exec cargo clippy --quiet --target $target "$@" -- -D warnings
fi
export LD_LIBRARY_PATH="$rust/usr/lib/x86_64-linux-gnu:$rust/usr/lib"
export RUSTC="$rust/usr/bin/rustc"
# What `cargo clippy` does, without the need for a cargo of the same version.
export RUSTC_WORKSPACE_WRAPPER="$rust/usr/bin/clippy-driver"
export CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
# A stable compiler that builds the standard library from source.
export RUSTC_BOOTSTRAP=1
exec cargo check --quiet -Zbuild-std=std,panic_abort --target $target "$@"
