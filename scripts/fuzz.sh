#!/bin/sh
# Searches with libFuzzer for inputs that make a target of fuzz/ panic: `sh scripts/fuzz.sh wire 600`, with the time in
# seconds. Keeps each input that it finds in fuzz/kept/TARGET, whose inputs the tests of fuzz/ read again, and then exits
# with 1. Needs `cargo install cargo-fuzz`.
set -eu
cd "$(dirname "$0")/.."

target=$1
cargo run --quiet -p plumbline-fuzz --example seeds
# libFuzzer needs unstable options of the compiler; the compiler itself stays the one of rust-toolchain.toml.
RUSTC_BOOTSTRAP=1 cargo fuzz run "$target" --features libfuzzer --sanitizer none -- \
    "-max_total_time=$2" -max_len=8192 && exit 0
mkdir -p "fuzz/kept/$target"
cp "fuzz/artifacts/$target"/* "fuzz/kept/$target/"
ls "fuzz/kept/$target"
exit 1
