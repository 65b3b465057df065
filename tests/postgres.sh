#!/bin/sh
# PostgreSQL's programs for the tests that start a server of their own. Nothing is left running.
# `--must` fails where they can't be had; without it, the tests that need them are skipped, and say so.
set -u

present() {
    command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
}

missing() {
    echo "PostgreSQL for the tests is not there: $1." >&2
    echo "Install it (Debian: apt-get install postgresql) to run the tests of several processes; without it they are skipped." >&2
    [ "${MUST:-}" = "" ]
    exit
}

[ "${1:-}" = "--must" ] && MUST=1
present && exit 0
[ "$(id -u)" = 0 ] || missing "only root can install it"
command -v apt-get >/dev/null 2>&1 || missing "there is no apt-get on this machine"

echo "Installing PostgreSQL for the tests ..."
# A cluster that starts with the machine is not wanted; the tests make their own and take it away again.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq || missing "apt-get update failed"
apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold postgresql >/dev/null ||
    missing "apt-get install failed"
present || missing "the package brought no initdb"
