#!/bin/sh
# Debian's Chromium, and fonts that have Japanese, for the tests of the page. Nothing is left running.
# `--must` fails where they can't be had; without it, the tests that need a browser are skipped, and say so.
set -u

present() {
    command -v chromium >/dev/null 2>&1
}

missing() {
    echo "Chromium for the tests is not there: $1." >&2
    echo "Install it (Debian: apt-get install chromium fonts-noto-cjk) to run the tests of the page; without it they are skipped." >&2
    [ "${MUST:-}" = "" ]
    exit
}

[ "${1:-}" = "--must" ] && MUST=1
present && exit 0
[ "$(id -u)" = 0 ] || missing "only root can install it"
command -v apt-get >/dev/null 2>&1 || missing "there is no apt-get on this machine"

echo "Installing Chromium for the tests ..."
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || missing "apt-get update failed"
apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null || missing "apt-get install failed"
present || missing "the package brought no chromium"
