#!/bin/sh
# Unpacks Wine, a Vulkan driver that computes on the CPU (lavapipe), a C++ compiler for Windows (MinGW), and an X server that
# needs no screen, below target/windows-emulator, and prints that folder. They are Debian's packages, out of bookworm; nothing
# is installed, no root needed. Exits with 0 when they are there afterwards, else with 1 and the reason.
set -u
cd "$(dirname "$0")/.." || exit 1

folder="${CARGO_TARGET_DIR:-target}/windows-emulator"
case $folder in /*) ;; *) folder="$PWD/$folder" ;; esac
# What Wine, lavapipe, the X server and the compiler load. These packages depend on five times as much (printers, cameras,
# sound), and on parts of the system itself, which must not be mixed with those of this machine.
packages="
    wine64 libwine libz-mingw-w64 libunwind8 libgcrypt20 libgpg-error0
    xvfb x11-xkb-utils xkb-data libaudit1 libcap-ng0 libsystemd0 libcap2 libselinux1 libpcre2-8-0 libpixman-1-0 libxfont2
    libfontenc1 libfreetype6 libpng16-16 libbrotli1 libbz2-1.0 libgl1 libglvnd0 libglx0 libxkbfile1 libmd0 libbsd0
    libx11-6 libx11-xcb1 libxau6 libxdmcp6 libxext6 libxfixes3 libxrandr2 libxrender1 libxshmfence1 libxcb1 libxcb-dri3-0
    libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0
    mesa-vulkan-drivers libvulkan1 libdrm2 libwayland-client0 libexpat1 libffi8 libllvm15 libedit2 libtinfo6 libz3-4 libxml2
    libicu72 liblzma5 liblz4-1 libzstd1 zlib1g libstdc++6 libgcc-s1
    binutils-mingw-w64-x86-64 gcc-mingw-w64-base gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-x86-64-win32-runtime
    g++-mingw-w64-x86-64-win32 mingw-w64-common mingw-w64-x86-64-dev libgmp10 libisl23 libmpc3 libmpfr6"

cannot() {
    echo "Wine cannot be had: $1." >&2
    echo "The device of DirectML is type-checked, and does not run here." >&2
    exit 1
}

. scripts/debian.sh

if [ -f "$folder/complete" ]; then
    echo "$folder"
    exit 0
fi
[ "$(uname -sm)" = "Linux x86_64" ] || cannot "it is for Linux on x86-64, and this is $(uname -sm)"
debian_apt "$folder" bookworm "$(debian_mirror bookworm "${PLUMBLINE_DEBIAN_MIRROR:-}")"
# shellcheck disable=SC2086 # words are packages
debian_unpack "$folder" $packages
rm -rf "$folder/usr/share/doc"
mkdir -p "$folder/bin"
libraries="$folder/usr/lib/x86_64-linux-gnu"
# Programs for 32 bits are not run.
rm -rf "$libraries/wine/i386-windows" "$folder/usr/i686-w64-mingw32"

# The packages expect the following files below /usr, where nothing is installed.
ln -sf wineserver64 "$folder/usr/lib/wine/wineserver"
ln -sf "$folder/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$libraries/wine/x86_64-windows/zlib1.dll"
sed "s|/usr/lib/x86_64-linux-gnu|$libraries|" "$folder"/usr/share/vulkan/icd.d/lvp_icd.*.json >"$folder/lavapipe.json" ||
    cannot "the Vulkan driver is not where it was"
# The X server starts `/usr/bin/xkbcomp`. This copy of the server starts the one in its working folder.
LC_ALL=C sed 's|/usr/bin\x00|././././\x00|' "$folder/usr/bin/Xvfb" >"$folder/usr/bin/Xvfb-here" || cannot "Xvfb is not where it was"
chmod +x "$folder/usr/bin/Xvfb-here"
# The compiler's libraries are for it alone.
for tool in gcc g++ ar as dlltool windres; do
    program="$folder/usr/bin/x86_64-w64-mingw32-$tool"
    [ -x "$program" ] || program="$program-win32"
    cat >"$folder/bin/x86_64-w64-mingw32-$tool" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH="$libraries:$folder/lib/x86_64-linux-gnu" exec "$program" "\$@"
WRAPPER
    chmod +x "$folder/bin/x86_64-w64-mingw32-$tool"
done
"$folder/bin/x86_64-w64-mingw32-g++" --version >&2 || cannot "the compiler does not start"
: >"$folder/complete"
echo "$folder"
