#!/usr/bin/env bash
# Sets the native engine's time for single charts in proportion to `helm template` of the same charts, all measured
# in one run, medians.
#
#   scripts/bench-charts.sh CHART[:VALUES]...  directories of charts with their dependencies in place, each with a values
#                                              file that stands beside the chart
#
# HELM   the helm to measure against         default: target/helm/helm-4.3.1
# RUNS   how often each command is run       default: 9
#
# Columns: Helm's time; how many times faster the whole process `evenkeel template` is; how many times faster a
# cell is within one process, on a fresh engine (cold) and with the chart parsed already (warm); what tracing costs.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cargo build --quiet --release --manifest-path "$root/Cargo.toml" --bins --example cell
exec python3 - "${HELM:-$root/target/helm/helm-4.3.1}" "$root/target/release" "${RUNS:-9}" "$@" <<'PYTHON'
import os, statistics, subprocess, sys, tempfile, time

helm, release, runs, *charts = sys.argv[1:]
home = tempfile.mkdtemp()
environment = {"PATH": os.environ["PATH"], "HOME": home}


def median(command):
    times = []
    for _ in range(int(runs)):
        start = time.perf_counter()
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


print(f"{'chart':32} {'helm':>9} {'process':>9} {'cold':>7} {'warm':>7} {'traced':>7}")
for argument in charts:
    chart, _, values = argument.partition(":")
    name = os.path.basename(chart.rstrip("/"))
    call = ["template", "bench", chart]
    if values:
        call += ["--values", os.path.join(os.path.dirname(chart.rstrip("/")), values)]
    real = median([helm, *call])
    ours = median([f"{release}/evenkeel", *call])
    cell = [f"{release}/examples/cell", chart, *filter(None, [values])]
    told = subprocess.run(cell, check=True, capture_output=True, text=True).stdout
    cold, warm, traced = (int(part) / 1e6 for part in told.split())
    print(
        f"{name:32} {real * 1e3:6.0f} ms {real / ours:8.1f}x {real / cold:6.0f}x {real / warm:6.0f}x"
        f" {traced / warm:6.2f}x"
    )
PYTHON
