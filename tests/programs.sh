#!/bin/sh
# What the tests need besides Python: PostgreSQL's programs, and Debian's Chromium with fonts that have Japanese.
# `--must` fails where they can't be had; without it, the tests that need them are skipped, and say so.
# Nothing is left running.
set -u

have_postgresql() {
    command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

have_chromium() {
    command -v chromium >/dev/null 2>&1
}

missing() {
    echo "Some programs for the tests are not there: $1." >&2
    echo "Install them (Debian: apt-get install $packages) to run the tests of several processes and of the page; without them they are skipped." >&2
    [ "${MUST:-}" = "" ]
    exit
}

[ "${1:-}" = "--must" ] && MUST=1
packages=
have_postgresql || packages="postgresql"
have_chromium || packages="$packages chromium fonts-noto-cjk"
[ "$packages" = "" ] && exit 0
[ "$(id -u)" = 0 ] || missing "only root can install them"
command -v apt-get >/dev/null 2>&1 || missing "there is no apt-get on this machine"

echo "Installing for the tests: $packages ..."
# A cluster that starts with the machine is not wanted; the tests make their own and take it away again.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || missing "apt-get update failed"
# shellcheck disable=SC2086  (the packages are several words)
apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold $packages >/dev/null ||
    missing "apt-get install failed"
have_postgresql && have_chromium || missing "the packages did not bring them"
