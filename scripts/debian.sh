# Functions for other scripts to source. They unpack packages of Debian without installing them, and so without root.
# The mirrors are those of the machine's own apt, or those that PLUMBLINE_DEBIAN_MIRROR and PLUMBLINE_DEBIAN_SECURITY_MIRROR
# name. A script that sources this file defines `cannot REASON`, which prints the reason and exits.

# debian_mirror SUITE [URI]: prints URI if it is given and not empty, or else the address of a mirror of the machine's apt that
# has the suite.
debian_mirror() {
    if [ -n "${2:-}" ]; then
        echo "$2"
    else
        # shellcheck disable=SC2016 # apt replaces these
        apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null | sed -n "s|/* $1\$||p" | head -n 1
    fi
}

# debian_apt FOLDER SUITE URI: makes FOLDER/apt/config, with which apt reads the lists of this suite alone.
# The machine's own lists may be old or missing.
debian_apt() {
    command -v apt-get >/dev/null 2>&1 || cannot "there is no apt-get"
    command -v dpkg-deb >/dev/null 2>&1 || cannot "there is no dpkg-deb"
    [ -n "$3" ] || cannot "apt of this machine has no mirror of $2 (name one in PLUMBLINE_DEBIAN_MIRROR, or in PLUMBLINE_DEBIAN_SECURITY_MIRROR for security updates)"
    rm -rf "$1"
    mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/apt/parts" "$1/packages" || cannot "$1 cannot be made"
    cat >"$1/apt/parts/debian.sources" <<SOURCES
Types: deb
URIs: $3
Suites: $2
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
    : >"$1/apt/status"
    cat >"$1/apt/config" <<CONFIG
quiet "2";
APT::Sandbox::User "root";
APT::Architecture "amd64";
Acquire::Languages "none";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$1/apt/parts";
Dir::State::Lists "$1/apt/lists";
Dir::State::status "$1/apt/status";
Dir::Cache "$1/apt/cache";
CONFIG
    apt-get -c "$1/apt/config" update >&2 || cannot "the lists of $2 cannot be fetched"
}

# debian_unpack FOLDER PACKAGE...: fetches packages, with the lists of debian_apt, and unpacks them in FOLDER.
debian_unpack() {
    into=$1
    shift
    (cd "$into/packages" && apt-get -c "$into/apt/config" download "$@" >&2) || cannot "the packages cannot be fetched"
    for package in "$into"/packages/*.deb; do
        dpkg-deb -x "$package" "$into" || cannot "$package cannot be unpacked"
    done
    rm -rf "$into/packages" "$into/apt"
}
