#!/bin/sh
# Unpacks a Rust compiler, Clippy and the source of the standard library below target/windows-rust, to check the Windows
# target on Linux, and prints that folder. They are Debian's packages of the series rustc-web, out of bookworm-security;
# nothing is installed, no root needed. If the toolchain at hand has the target, this prints `toolchain` and fetches nothing.
# Exits with 0 when there is such a compiler afterwards, else with 1 and the reason.
set -u
cd "$(dirname "$0")/.." || exit 1

if [ -d "$(rustc --print target-libdir --target x86_64-pc-windows-msvc)" ]; then
    echo toolchain
    exit 0
fi
folder="${CARGO_TARGET_DIR:-target}/windows-rust"
case $folder in /*) ;; *) folder="$PWD/$folder" ;; esac

cannot() {
    echo "A Rust compiler that checks the Windows target cannot be had: $1." >&2
    echo "Where rustup works, \`rustup target add x86_64-pc-windows-msvc\` brings what the check needs as well." >&2
    exit 1
}

. scripts/debian.sh

if [ -f "$folder/complete" ]; then
    echo "$folder"
    exit 0
fi
debian_apt "$folder" bookworm-security "$(debian_mirror bookworm-security "${PLUMBLINE_DEBIAN_SECURITY_MIRROR:-}")"

# Names of packages contain versions: the dependencies of rustc-web say which standard library and which LLVM it needs.
wanted=$(apt-cache -c "$folder/apt/config" depends --recurse --important rustc-web rust-web-clippy rust-web-src |
    sed -n -E 's/^((rustc-web|rust-web-clippy|rust-web-src|libstd-rust-web-.*|libllvm[0-9.]+).*)$/\1/p' | sort -u)
[ -n "$wanted" ] || cannot "bookworm-security has no rustc-web"
# shellcheck disable=SC2086 # words are packages
debian_unpack "$folder" $wanted
# Of the source, only the standard library is needed.
rm -rf "$folder"/usr/src/rustc-*/src "$folder"/usr/src/rustc-*/compiler "$folder"/usr/src/rustc-*/tests
lib="$folder/usr/lib"
LD_LIBRARY_PATH="$lib/x86_64-linux-gnu:$lib" "$folder/usr/bin/rustc" --version >&2 ||
    cannot "the compiler does not start (\`ldd\` says which library it lacks)"
LD_LIBRARY_PATH="$lib/x86_64-linux-gnu:$lib" "$folder/usr/bin/clippy-driver" --version >&2 ||
    cannot "Clippy does not start (\`ldd\` says which library it lacks)"
[ -d "$lib/rustlib/src/rust/library/std" ] || cannot "the source of the standard library is not where it was"
: >"$folder/complete"
echo "$folder"
