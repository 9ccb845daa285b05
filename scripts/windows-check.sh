#!/bin/sh
# Type-checks and lints libraries and programs of the workspace for Windows; warnings are errors. Nothing is linked, and
# nothing runs. If the toolchain at hand has the target x86_64-pc-windows-msvc, this is `cargo clippy --target`. Otherwise
# the compiler of scripts/windows-rust.sh compiles the standard library first. The target is then x86_64-pc-windows-gnu,
# which differs from msvc in how a program is linked. Target and profile are those of scripts/windows-run.sh, so that what
# both scripts need is compiled once.
# Arguments are passed to cargo; without any, the whole workspace is checked.
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
# These variables do what `cargo clippy` does, but cargo may have another version than the compiler. On this target, a
# lint reports every `thread_local!`, even those that do what the lint asks for.
export RUSTC_WORKSPACE_WRAPPER="$rust/usr/bin/clippy-driver"
between=__CLIPPY_HACKERY__
export CLIPPY_ARGS="-D${between}warnings$between-A${between}clippy::missing_const_for_thread_local$between"
# This lets a stable compiler build the standard library from source. The features leave out the code that reads debug
# information for backtraces.
export RUSTC_BOOTSTRAP=1
exec cargo check --quiet --profile wine -Zbuild-std=std,panic_abort -Zbuild-std-features=panic-unwind \
    --target x86_64-pc-windows-gnu "$@"
