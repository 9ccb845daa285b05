#!/bin/sh
# Links the code of the Windows device, and runs it under Wine on a Vulkan driver that computes on the CPU, against a stand-in
# for DirectML (crates/directml/tests/wine), which computes nothing. Wine invents the adapter's name: what this shows is not a
# result of DirectML or of any hardware. Needs what scripts/windows-rust.sh, windows-emulator.sh and directx-headers.sh unpack.
# Exits with 0 where all checks pass.
set -eu
cd "$(dirname "$0")/.."

target=x86_64-pc-windows-gnu
emulator=$(sh scripts/windows-emulator.sh)
headers=$(sh scripts/directx-headers.sh)
case $headers in /*) ;; *) headers="$PWD/$headers" ;; esac
rust=toolchain
[ -d "$(rustc --print target-libdir --target $target)" ] || rust=$(sh scripts/windows-rust.sh)
build="${CARGO_TARGET_DIR:-target}/windows"
case $build in /*) ;; *) build="$PWD/$build" ;; esac
programs="$build/$target/wine"
mkdir -p "$programs"

# The program.
(
    export CARGO_TARGET_DIR="$build" PATH="$emulator/bin:/usr/bin:$PATH"
    set -- build --quiet --profile wine --target $target --package plumbline-wine-test
    if [ "$rust" != toolchain ]; then
        export LD_LIBRARY_PATH="$rust/usr/lib/x86_64-linux-gnu:$rust/usr/lib" RUSTC="$rust/usr/bin/rustc" RUSTC_BOOTSTRAP=1
        set -- "$@" -Zbuild-std=std,panic_abort -Zbuild-std-features=panic-unwind
    elif [ ! -d "$(rustc --print target-libdir --target $target)" ]; then
        echo "The toolchain does not link for $target: \`rustup target add $target\` brings what it lacks." >&2
        exit 1
    fi
    cargo "$@"
)
# The stand-in, and a function of Windows that Rust's standard library needs and Wine 8 lacks.
sources=crates/directml/tests/wine
newest() { # FILE SOURCE...: whether the file is newer than its sources
    file=$1
    shift
    [ -f "$file" ] && [ -z "$(find "$@" -newer "$file")" ]
}
newest "$programs/plumbline_directml_standin.dll" $sources/standin* || {
    "$emulator/bin/x86_64-w64-mingw32-windres" $sources/standin.rc -o "$programs/standin.res.o"
    "$emulator/bin/x86_64-w64-mingw32-g++" -std=c++17 -O1 -Wall -Wno-unknown-pragmas -I"$headers" -I"$headers/directx" \
        -shared -static -o "$programs/plumbline_directml_standin.dll" $sources/standin.cpp "$programs/standin.res.o"
}
newest "$programs/bcryptprimitives.dll" $sources/process_prng.c ||
    "$emulator/bin/x86_64-w64-mingw32-gcc" -O1 -Wall -shared -o "$programs/bcryptprimitives.dll" $sources/process_prng.c -ladvapi32

# A screen that nobody sees, and a folder of Windows that is made anew each time. It holds only a few links.
private=$(mktemp -d)
export HOME="$private" WINEPREFIX="$private/windows"
screen=
cleanup() {
    "$emulator/usr/lib/wine/wineserver64" -k 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    rm -rf "$private"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
export LD_LIBRARY_PATH="$emulator/usr/lib/x86_64-linux-gnu:$emulator/lib/x86_64-linux-gnu"
mkfifo "$private/display"
(cd "$emulator/usr/bin" && exec ./Xvfb-here -displayfd 3 -screen 0 64x64x24 -nolisten tcp \
    -xkbdir "$emulator/usr/share/X11/xkb" 3>"$private/display" >"$private/screen.log" 2>&1) &
screen=$!
read -r display <"$private/display" || {
    cat "$private/screen.log" >&2
    echo "The X server does not start." >&2
    exit 1
}
export DISPLAY=":$display" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
export VK_ICD_FILENAMES="$emulator/lavapipe.json" VK_DRIVER_FILES="$emulator/lavapipe.json"
mkdir -p "$WINEPREFIX/drive_c/windows" "$WINEPREFIX/dosdevices"
ln -s ../drive_c "$WINEPREFIX/dosdevices/c:"
ln -s / "$WINEPREFIX/dosdevices/z:"
ln -s "$emulator/usr/lib/x86_64-linux-gnu/wine/x86_64-windows" "$WINEPREFIX/drive_c/windows/system32"
echo disable >"$WINEPREFIX/.update-timestamp"

echo "Under Wine, with a stand-in for DirectML that computes nothing: this is not a result of DirectML or of any hardware."
{
    timeout 300 "$emulator/usr/lib/wine/wine64" "$programs/plumbline-wine-test.exe" \
        "$programs/plumbline_directml_standin.dll" || echo $? >"$private/status"
} 2>&1 | tee "$private/said"
status=$(cat "$private/status" 2>/dev/null || echo 0)
# Wine kills a program whose threads take more than a second to end, as those of lavapipe do on a busy machine. By then, the
# program has printed its last line.
if [ "$status" = 137 ] && grep -q '^[1-9][0-9]* passed, 0 failed$' "$private/said"; then
    echo "Wine killed the program after its last line, while its threads were ending."
    status=0
fi
exit "$status"
