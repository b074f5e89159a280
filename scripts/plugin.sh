#!/bin/sh
# What the Helm plugin runs: the evenkeel beside it, else the one on the search path.
#
#   plugin.sh install     builds the binary beside the plugin, unless evenkeel is on the search path
#   plugin.sh ARGUMENT…   runs evenkeel
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
own=$root/bin/evenkeel

if [ "${1:-}" = install ]; then
    if command -v evenkeel >/dev/null; then
        echo "evenkeel on the search path is used: $(command -v evenkeel)"
    elif command -v cargo >/dev/null; then
        cargo install --quiet --locked --path "$root" --root "$root"
    else
        echo "evenkeel: no binary on the search path, and no cargo to build one; install evenkeel first" >&2
        exit 1
    fi
    exit 0
fi
if [ -x "$own" ]; then
    exec "$own" "$@"
elif command -v evenkeel >/dev/null; then
    exec evenkeel "$@"
fi
echo "evenkeel: no binary; \`helm plugin update evenkeel\` builds one" >&2
exit 2
