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
# Columns: Helm's time; how many times faster the whole process `evenkeel template` is; the peak memory of both
# processes; how many times faster a cell is within one process, on a fresh engine (cold) and with the chart parsed
# already (warm); what tracing costs. All commands of a chart are run in turn.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cargo build --quiet --release --manifest-path "$root/Cargo.toml" --bins --example cell
exec python3 - "${HELM:-$root/target/helm/helm-4.3.1}" "$root/target/release" "${RUNS:-9}" "$@" <<'PYTHON'
import os, statistics, sys, tempfile, time

helm, release, runs, *charts = sys.argv[1:]
home = tempfile.mkdtemp()
environment = {"PATH": os.environ["PATH"], "HOME": home}


def run(command):
    """Seconds, the peak in MiB, and what the command printed."""
    with tempfile.TemporaryFile() as out, open(os.devnull, "wb") as null:
        start = time.perf_counter()
        pid = os.posix_spawn(command[0], command, environment, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, null.fileno(), 2)])
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"bench-charts.sh: failed: {' '.join(command)}")
        out.seek(0)
        return seconds, usage.ru_maxrss / 1024, out.read()


floor = run(["/bin/true"])[1]                            # the kernel counts this process before the exec, too
print(f"{'chart':32} {'helm':>9} {'process':>9} {'peaks in MiB':>14} {'cold':>7} {'warm':>7} {'traced':>7}")
for argument in charts:
    chart, _, values = argument.partition(":")
    name = os.path.basename(chart.rstrip("/"))
    call = ["template", "bench", chart]
    if values:
        call += ["--values", os.path.join(os.path.dirname(chart.rstrip("/")), values)]
    commands = [[helm, *call], [f"{release}/evenkeel", *call],
                [f"{release}/examples/cell", chart, *filter(None, [values])]]
    for command in commands[:2]:
        run(command)                                     # the first run only warms the page cache
    rounds = [[run(command) for command in commands] for _ in range(int(runs))]
    real, ours, _ = (statistics.median(round[at][0] for round in rounds) for at in range(3))
    peaks = [statistics.median(round[at][1] for round in rounds) for at in range(2)]
    shown = " / ".join(f"{peak:.0f}" if peak > floor + 0.5 else f"<{floor:.0f}" for peak in peaks)
    told = [[int(part) / 1e6 for part in round[2][2].split()] for round in rounds]
    cold, warm, traced = (statistics.median(column) for column in zip(*told))
    print(
        f"{name:32} {real * 1e3:6.0f} ms {real / ours:8.1f}x {shown:>14} {real / cold:6.0f}x {real / warm:6.0f}x"
        f" {traced / warm:6.2f}x"
    )
PYTHON
