#!/bin/sh
# Renders every case of a parity corpus with the native engine and compares with what real Helm printed.
#
#   scripts/parity.sh DIR [--only TEXT] [--dialect 3.19|4.3]
#
# DIR holds cases.jsonl, charts/, values/ and the unpacked expected/. Prints "N passed, N failed" per dialect and
# writes the first difference of every failure to target/parity-failures.txt. Fails on a failure that
# fixtures/parity/gaps.txt does not list, and on a listed gap that has closed.
set -eu
directory=${1:?usage: scripts/parity.sh DIR [--only TEXT] [--dialect VERSION]}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
cargo run --quiet --release --manifest-path "$root/Cargo.toml" --example parity -- \
    "$(cd "$directory" && pwd)" \
    --failures "$root/target/parity-failures.txt" --gaps "$root/fixtures/parity/gaps.txt" "$@"
