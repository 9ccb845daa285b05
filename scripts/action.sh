#!/usr/bin/env bash
# The steps of action.yml: `action.sh install` and `action.sh run`. The inputs of the action are in variables, and never part
# of a script.
set -euo pipefail

# GitHub shows a summary of at most this many bytes.
summary_bytes=1000000

install_release() {
    local target
    case "$RUNNER_OS-$RUNNER_ARCH" in
        Linux-X64) target=x86_64-unknown-linux-gnu ;;
        Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
        macOS-ARM64) target=aarch64-apple-darwin ;;
        macOS-X64) target=x86_64-apple-darwin ;;
        Windows-X64) target=x86_64-pc-windows-msvc ;;
        *) echo "there is no release for $RUNNER_OS on $RUNNER_ARCH"; return 1 ;;
    esac
    if [ -z "${ACTION_REPOSITORY:-}" ] || [ -z "${ACTION_REF:-}" ]; then
        echo "the action is in a folder of the workflow's own repository, so there is no release to download"
        return 1
    fi
    local folder="$RUNNER_TEMP/plumbline" archive="plumbline-$target.tar.gz"
    mkdir -p "$folder" || return 1
    gh release download "$ACTION_REF" --repo "$ACTION_REPOSITORY" --dir "$folder" --clobber \
        --pattern "$archive" --pattern SHA256SUMS || return 1
    # The action came from the same place, so this finds a download that was cut off, but not a forgery.
    (cd "$folder" && grep " \*\?$archive\$" SHA256SUMS | sha256sum_check) || return 1
    tar -xzf "$folder/$archive" -C "$folder" || return 1
    echo "$folder" >> "$GITHUB_PATH"
}

sha256sum_check() {
    if command -v sha256sum > /dev/null; then sha256sum -c -; else shasum -a 256 -c -; fi
}

install_cargo() {
    cargo install --locked --path "$GITHUB_ACTION_PATH/crates/plumbline" --root "$RUNNER_TEMP/plumbline"
    echo "$RUNNER_TEMP/plumbline/bin" >> "$GITHUB_PATH"
}

install() {
    case "${INPUT_INSTALL:-auto}" in
        none) plumbline --version ;;
        release) install_release ;;
        cargo) install_cargo ;;
        auto) install_release || install_cargo ;;
        *) echo "install: expected auto, release, cargo or none, found ${INPUT_INSTALL}"; exit 2 ;;
    esac
}

# lines OPTION INPUT: adds OPTION and the line to `words` for each line of INPUT, except for empty lines. An empty OPTION is
# not added.
lines() {
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        line="${line%$'\r'}"
        if [ -n "$line" ]; then words+=(${1:+"$1"} "$line"); fi
    done <<< "$2"
}

run() {
    local out="${INPUT_OUT:-plumbline-results}" code=0
    words=(conformance --out "$out")
    lines --backend "${INPUT_BACKEND:-}"
    lines --profile "${INPUT_PROFILE:-}"
    lines --expectations "${INPUT_EXPECTATIONS:-}"
    lines --time "${INPUT_TIME:-}"
    lines --shard "${INPUT_SHARD:-}"
    if [ "${INPUT_GATE:-false}" = true ]; then words+=(--gate); fi
    lines "" "${INPUT_ARGS:-}"
    plumbline "${words[@]}" || code=$?
    {
        echo "exit-code=$code"
        echo "report=$(cd "$out" 2> /dev/null && (pwd -W 2> /dev/null || pwd) || true)"
    } >> "$GITHUB_OUTPUT"
    if [ -f "$out/summary.md" ]; then
        if [ "$(wc -c < "$out/summary.md")" -le "$summary_bytes" ]; then
            cat "$out/summary.md" >> "$GITHUB_STEP_SUMMARY"
        else
            echo "The summary is too long to be shown here; the artifact has it." >> "$GITHUB_STEP_SUMMARY"
        fi
    fi
    return "$code"
}

case "${1:-}" in
    install) install ;;
    run) run ;;
    *) echo "usage: action.sh install|run"; exit 2 ;;
esac
