#!/bin/sh
# Unpacks a Rust compiler, Clippy and the source of the standard library below target/windows-rust, to check the Windows
# target on Linux, and prints its folder. They are Debian's packages of the series rustc-web, out of bookworm-security;
# nothing is installed, no root needed. Where the toolchain at hand has the target, it prints `toolchain` and fetches nothing.
# Exits with 0 when one of them is there afterwards, else with 1 and the reason.
set -u
cd "$(dirname "$0")/.." || exit 1

if [ -d "$(rustc --print target-libdir --target x86_64-pc-windows-msvc)" ]; then
    echo toolchain
    exit 0
fi
folder="${CARGO_TARGET_DIR:-target}/windows-rust"
case $folder in /*) ;; *) folder="$PWD/$folder" ;; esac
mirror=${PLUMBLINE_DEBIAN_SECURITY_MIRROR:-http://deb.debian.org/debian-security}

cannot() {
    echo "A Rust compiler that checks the Windows target cannot be had: $1." >&2
    echo "Where rustup works, \`rustup target add x86_64-pc-windows-msvc\` brings what the check needs as well." >&2
    exit 1
}

if [ -f "$folder/complete" ]; then
    echo "$folder"
    exit 0
fi
command -v apt-get >/dev/null 2>&1 || cannot "there is no apt-get"
command -v dpkg-deb >/dev/null 2>&1 || cannot "there is no dpkg-deb"
rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/parts" "$folder/packages" ||
    cannot "$folder cannot be made"

# Lists of packages of its own: those of the machine may be old, of another Debian, or not there.
cat >"$folder/apt/parts/security.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
: >"$folder/apt/status"
set -- -qq -o APT::Sandbox::User=root -o APT::Architecture=amd64 -o Acquire::Languages=none \
    -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$folder/apt/parts" \
    -o Dir::State::Lists="$folder/apt/lists" -o Dir::State::status="$folder/apt/status" \
    -o Dir::Cache="$folder/apt/cache"
apt-get "$@" update >&2 || cannot "the lists of $mirror cannot be fetched"

# Versions are in names: what rustc-web depends on says which library and which LLVM.
wanted=$(apt-cache "$@" depends --recurse --important rustc-web rust-web-clippy rust-web-src |
    sed -n -E 's/^((rustc-web|rust-web-clippy|rust-web-src|libstd-rust-web-.*|libllvm[0-9.]+).*)$/\1/p' | sort -u)
[ -n "$wanted" ] || cannot "bookworm-security has no rustc-web"
# shellcheck disable=SC2086 # words are packages
(cd "$folder/packages" && apt-get "$@" download $wanted >&2) || cannot "the packages cannot be fetched"
for package in "$folder"/packages/*.deb; do
    dpkg-deb -x "$package" "$folder" || cannot "$package cannot be unpacked"
done
rm -rf "$folder/packages" "$folder/apt"
# Of the source, the library alone is needed.
rm -rf "$folder"/usr/src/rustc-*/src "$folder"/usr/src/rustc-*/compiler "$folder"/usr/src/rustc-*/tests
lib="$folder/usr/lib"
LD_LIBRARY_PATH="$lib/x86_64-linux-gnu:$lib" "$folder/usr/bin/rustc" --version >&2 ||
    cannot "the compiler does not start (\`ldd\` says which library it lacks)"
LD_LIBRARY_PATH="$lib/x86_64-linux-gnu:$lib" "$folder/usr/bin/clippy-driver" --version >&2 ||
    cannot "Clippy does not start (\`ldd\` says which library it lacks)"
[ -d "$lib/rustlib/src/rust/library/std" ] || cannot "the source of the standard library is not where it was"
: >"$folder/complete"
echo "$folder"
