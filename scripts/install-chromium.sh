#!/bin/sh
# Installs Chromium, in which the tests of the compatibility report open the page.
# Debian and Ubuntu only, and only as root or with sudo; elsewhere it says what to do.
# Exits with 0 when a Chromium is at hand afterwards, else with 1.
set -u

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        echo "Chromium is at hand: $(command -v "$name")"
        exit 0
    fi
done

cannot() {
    echo "Chromium cannot be installed here: $1." >&2
    echo "The report's browser tests are listed as ignored until a Chromium is in PATH or PLUMBLINE_CHROMIUM names one." >&2
    exit 1
}

command -v apt-get >/dev/null 2>&1 || cannot "there is no apt-get; install Chromium or Chrome by hand"
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    cannot "it takes root or sudo without a password"
fi

export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq || cannot "apt-get update failed"
# Without a font, Chromium shows boxes in place of letters.
$as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core || cannot "apt-get install failed"
command -v chromium >/dev/null 2>&1 || cannot "the package chromium brought no program of that name"
echo "Chromium is installed: $(command -v chromium)"
