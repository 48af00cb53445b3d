# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# What packaging/test, packaging/run and packaging/check share. Sourced after `set -euo pipefail`; root is the source folder.

export LC_ALL=C.UTF-8
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
lock_wait_s=300 # another package run may hold apt's locks that long

say() {
    printf '%s\n' "$*" >&2
}

# Names out of package lists: without comments and blank lines.
listed_packages() {
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@" | sort -u
}

# Those of the lists that are not installed. Without dpkg that is all of them.
missing_packages() {
    local package
    for package in $(listed_packages "$@"); do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
    done
}

# Waits for the locks of another run: apt itself does so for dpkg's lock only, not for the lists and the archive.
apt_get() {
    local log status until=$((SECONDS + lock_wait_s))
    log=$(mktemp)
    while true; do
        status=0
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y \
            -o DPkg::Lock::Timeout=$lock_wait_s "$@" </dev/null >"$log" 2>&1 || status=$?
        if ((status == 0 || SECONDS >= until)) || ! grep -qE 'Could not get lock|Unable to lock' "$log"; then
            break
        fi
        say "waiting for another apt to end"
        sleep 5
    done
    if ((status != 0)); then
        cat "$log" >&2
    fi
    rm -f "$log"
    return "$status"
}

# Whether apt knows a version of each package.
candidates_known() {
    local package
    for package in "$@"; do
        apt-cache policy "$package" 2>/dev/null | grep -q '^  Candidate: [^(]' || return 1
    done
}

# Installs what is missing of the given lists, or says what is missing and ends before anything was touched.
ensure_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return
    fi
    as_root=()
    if ! command -v apt-get >/dev/null; then
        say "These Debian packages, or what they are called here, are missing and there is no apt to install them:"
        printf '%s\n' "${missing[@]}"
        exit 1
    fi
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null || { ! sudo -n true 2>/dev/null && [[ ! -t 0 ]]; }; then
            say "These packages are missing and installing them takes root:"
            printf '%s\n' "${missing[@]}"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "Installing ${missing[*]}"
    if ! candidates_known "${missing[@]}"; then
        apt_get update
    fi
    # A candidate that the mirror has replaced since the lists were read needs one more look.
    if ! apt_get install --no-install-recommends "${missing[@]}"; then
        apt_get update
        apt_get install --no-install-recommends "${missing[@]}"
    fi
}

# ccache stops the compiler where it cannot write.
usable_ccache() {
    if [[ -z ${CCACHE_DIR:-} && ! -w ${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache} && ! -w ${HOME:-/nonexistent} ]]; then
        export CCACHE_DIR=$root/build/ccache
    fi
}

# One Release build of the given targets, "all" for everything. Ninja settles what is up to date.
build_release() {
    usable_ccache
    if [[ ! -f $build/build.ninja ]] || ! grep -q '^PW_BUILD_UI:BOOL=ON$' "$build/CMakeCache.txt"; then
        (cd -- "$root" && cmake --preset release -DPW_BUILD_UI=ON) >&2
    fi
    cmake --build "$build" --target "$@" >&2
}
