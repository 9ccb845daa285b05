#!/bin/sh
# Called by cargo in place of rustc, with the path of rustc as the first argument: compiles a crate as far as
# `cargo check` does, and no further. In `cargo build` with this script as RUSTC_WORKSPACE_WRAPPER, the crates of the
# workspace are checked against dependencies that were built before; `cargo check` would check each dependency again.
set -eu
case " $* " in
*" --crate-name build_script_build "*) exec "$@" ;;
esac
for argument; do
    shift
    case $argument in
    --emit=*) argument=--emit=dep-info,metadata ;;
    # A crate that is also a shared library has no metadata of its own.
    *.rlib) metadata=${argument%.rlib}.rmeta && [ ! -e "${metadata#*=}" ] || argument=$metadata ;;
    esac
    set -- "$@" "$argument"
done
exec "$@"
