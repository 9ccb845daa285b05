#!/bin/sh
# Unpacks the MIT-licensed headers of DirectX, DirectML.h of feature level 6_4 among them, below target/directx-headers,
# and prints the include folder. They are Debian's package directx-headers-dev; nothing is installed, no root needed.
# Exits with 0 when they are there afterwards, else with 1 and the reason.
set -u
cd "$(dirname "$0")/.." || exit 1

version=1.614.1-1
sum=d9c13bb2392f26c9dcfcc2a078ca3704a1189a83a62d3b981c03a7f077042538
folder="${CARGO_TARGET_DIR:-target}/directx-headers/$version"

cannot() {
    echo "The headers of DirectX cannot be had: $1." >&2
    echo "The structs of DirectML are not compared with DirectML.h until $folder/usr/include is there." >&2
    exit 1
}

. scripts/debian.sh

if [ ! -f "$folder/usr/include/directx/DirectML.h" ]; then
    mirror=$(debian_mirror bookworm "${PLUMBLINE_DEBIAN_MIRROR:-}")
    [ -n "$mirror" ] || cannot "apt of this machine has no mirror of bookworm (name one in PLUMBLINE_DEBIAN_MIRROR)"
    url="$mirror/pool/main/d/directx-headers/directx-headers-dev_${version}_amd64.deb"
    part="$folder.part"
    rm -rf "$part"
    mkdir -p "$part" || cannot "$part cannot be made"
    deb="$part/package.deb"
    # apt's own fetcher knows the proxy of the machine. Without apt, curl fetches the package.
    if [ -x /usr/lib/apt/apt-helper ]; then
        /usr/lib/apt/apt-helper -qq -o APT::Sandbox::User=root download-file "$url" "$deb" "SHA256:$sum" >&2 || cannot "apt-helper cannot fetch $url"
    elif command -v curl >/dev/null 2>&1; then
        curl -fsSL -o "$deb" "$url" || cannot "curl cannot fetch $url"
    else
        cannot "there is neither apt-helper nor curl"
    fi
    printf '%s  %s\n' "$sum" "$deb" | sha256sum -c --status || cannot "$url is not the expected package (its SHA-256 differs)"
    if command -v dpkg-deb >/dev/null 2>&1; then
        dpkg-deb -x "$deb" "$part" || cannot "dpkg-deb cannot unpack $deb"
    else
        (cd "$part" && ar x package.deb && tar xf data.tar.*) || cannot "ar and tar cannot unpack $deb"
    fi
    rm -rf "$folder"
    mv "$part" "$folder" || cannot "$folder cannot be made"
fi
echo "$folder/usr/include"
