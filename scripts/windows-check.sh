#!/bin/sh
# Type-checks and lints libraries and programs of the workspace for Windows; warnings are errors. Nothing is linked, and
# nothing runs. With the target x86_64-pc-windows-msvc in the toolchain at hand it is `cargo clippy --target`; else the
# compiler is that of scripts/windows-rust.sh, which compiles the standard library first. It does that for the target and
# in the profile of scripts/windows-run.sh, so that what both need is compiled once: for x86_64-pc-windows-gnu, which
# differs from msvc in how a program is linked.
# Arguments are cargo's; without any it is the whole workspace.
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- --workspace

rust=$(sh scripts/windows-rust.sh)
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/windows"
if [ "$rust" = toolchain ]; then
    exec cargo clippy --quiet --target x86_64-pc-windows-msvc "$@" -- -D warnings
fi
# Tools that the standard library of this target is compiled with.
emulator=$(sh scripts/windows-emulator.sh)
export PATH="$emulator/bin:$PATH"
export LD_LIBRARY_PATH="$rust/usr/lib/x86_64-linux-gnu:$rust/usr/lib"
export RUSTC="$rust/usr/bin/rustc"
# What `cargo clippy` does, without the need for a cargo of the same version. On this target, a lint reports every
# `thread_local!`, also those that do what it asks for.
export RUSTC_WORKSPACE_WRAPPER="$rust/usr/bin/clippy-driver"
between=__CLIPPY_HACKERY__
export CLIPPY_ARGS="-D${between}warnings$between-A${between}clippy::missing_const_for_thread_local$between"
# A stable compiler that builds the standard library from source, without what reads debug information for backtraces.
export RUSTC_BOOTSTRAP=1
exec cargo check --quiet --profile wine -Zbuild-std=std,panic_abort -Zbuild-std-features=panic-unwind \
    --target x86_64-pc-windows-gnu "$@"
