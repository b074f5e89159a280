#!/bin/sh
# usage: fuzz/run.sh SECONDS TARGET...   builds once, then fuzzes each target in turn from its seeds.
# FUZZ_JOBS=N runs N processes per target. Exits with the first failure.
set -e
cd "$(dirname "$0")"
seconds=$1
shift
python3 seeds.py
cargo +nightly fuzz build -s none
# The renderer counts on the large stack that the program gives its threads.
ulimit -s 131072
for target; do
    dictionary=
    case $target in
    template | render) dictionary=-dict=dictionaries/template.dict ;;
    yaml | manifest | config | pin | chart) dictionary=-dict=dictionaries/yaml.dict ;;
    esac
    mkdir -p "corpus/$target" "artifacts/$target"
    "target/$(rustc -vV | sed -n 's/^host: //p')/release/$target" "corpus/$target" \
        -artifact_prefix="artifacts/$target/" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -max_len=4096 -jobs="${FUZZ_JOBS:-0}" $dictionary
done
