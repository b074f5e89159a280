#!/usr/bin/env bash
# Measures `evenkeel verify` on fixtures/ai-stack against what people do today: `helm template` of every module
# on every platform, before and after, under `xargs -P`, then `diff -r`. Whole processes, runs taken in turn,
# medians. The last column is the ratio to the loops, and the only number worth comparing between machines.
#
#   scripts/bench.sh                       the engine that verify uses by default
#   ENGINE=witness scripts/bench.sh        verify --engine witness
#   ENGINE="witness native" RUNS=9 scripts/bench.sh
#
# EVENKEEL   the binary to measure             default: target/release/evenkeel, built where missing
# HELM       the helm of loops and witness     default: target/helm/helm-4.3.1, fetched where missing
# RUNS       how often each is run             default: 5
# JOBS       cells at once, for all of them    default: 2
# Needs python3, which runs the commands and reads their usage from the kernel.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
fixture=$root/fixtures/ai-stack
ENGINE=${ENGINE-default} RUNS=${RUNS:-5} JOBS=${JOBS:-2}

absolute() { (cd -- "$(dirname -- "$1")" && printf '%s/%s\n' "$PWD" "${1##*/}"); }

# One line for each cell of a side that has a chart: the file for its output, then the arguments of `helm
# template`. $1: before or after.
cells() {
    local platform chart charts module files file flags
    cd "$fixture/$1"
    for platform in nvidia amd arm64; do
        flags="--namespace ai-stack --include-crds"
        case $platform in
            arm64) flags="$flags --kube-version v1.35.0" ;;
            *) flags="$flags --kube-version v1.36.2 --api-versions monitoring.coreos.com/v1" ;;
        esac
        case $1-$platform in
            after-*) charts=(*/chart) ;;
            before-nvidia) charts=(nvidia/charts/*) ;;
            before-amd) charts=(amd/*) ;;
            before-arm64) charts=(arm64/helm/*) ;;
        esac
        for chart in "${charts[@]}"; do
            [ -f "$chart/Chart.yaml" ] || continue
            module=${chart%/chart} module=${module##*/}
            case $1-$platform in
                after-*) files=("$module/values.yaml" "$module/values-$platform.yaml") ;;
                before-nvidia) files=("nvidia/values/$module.yaml") ;;
                before-amd) files=("amd/overrides/$module.yaml") ;;
                before-arm64) files=("$chart/values-edge.yaml") ;;
            esac
            printf '%s' "$1/$platform/$module.yaml $module $chart $flags"
            for file in "${files[@]}"; do
                [ ! -f "$file" ] || printf ' -f %s' "$file"
            done
            if [ "$module-$platform" = gateway-arm64 ]; then
                printf ' --set upstreams[0].timeout=1800s'
                [ "$1" = after ] || printf ' --set hostNetwork=true,ingress.tls=false,ingress.domain=stack.local'
            fi
            echo
        done
    done
}

# What a pipeline of shell loops does, start to end. $1: folder for the output.
loops() {
    local side folder module
    rm -rf "$1"
    mkdir -p "$1"/{before,after}/{nvidia,amd,arm64}
    export OUT=$1
    for side in before after; do
        cells "$side" | (cd "$fixture/$side" && xargs -P "$JOBS" -L 1 sh -c 'file=$1; shift; exec "$HELM" template "$@" >"$OUT/$file"' sh)
    done
    for folder in "$fixture"/before/amd/*/manifests; do  # plain YAML is copied, not rendered
        module=${folder%/manifests}
        awk 'FNR == 1 { print "---" } 1' "$folder"/*.yaml >"$1/before/amd/${module##*/}.yaml"
    done
    cp "$fixture"/before/arm64/manifests/*.yaml "$1/before/arm64/"
    for side in before after; do
        [ "$(find "$1/$side" -type f -size +0 | wc -l)" = 51 ] || { echo "bench.sh: $side has not 51 cells" >&2; exit 2; }
    done
    # the texts differ even where the data do not: people read on from here
    diff -r "$1/before" "$1/after" >"$1/diff" || [ $? = 1 ]
}

if [ "${1-}" = loops ]; then                            # a run of its own, to be measured as a whole
    loops "$2"
    exit
fi

command -v python3 >/dev/null || { echo "bench.sh: needs python3" >&2; exit 2; }
if [ -z "${EVENKEEL-}" ]; then
    EVENKEEL=$root/target/release/evenkeel
    [ -x "$EVENKEEL" ] || (cd "$root" && cargo build --release --quiet --bin evenkeel)
fi
if [ -z "${HELM-}" ]; then
    HELM=$root/target/helm/helm-4.3.1
    [ -x "$HELM" ] || "$root/scripts/witness.sh" 4.3.1 >/dev/null
fi
EVENKEEL=$(absolute "$EVENKEEL") HELM=$(absolute "$HELM")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export HELM JOBS
cd "$root"

python3 - "$RUNS" "$work" "$0" "$EVENKEEL" "$HELM" "$JOBS" $ENGINE <<'MEASURE'
import os, statistics, sys, time

runs, work, script, evenkeel, helm, jobs, *engines = sys.argv[1:]
# as on a machine of its own: no plugins, no repositories, no cluster
environment = {"PATH": os.environ["PATH"], "HOME": f"{work}/home", "HELM": helm, "JOBS": jobs}
verify = [evenkeel, "verify", "--config", "fixtures/ai-stack/after/evenkeel.yaml", "--against",
          "dir:fixtures/ai-stack/before", "--jobs", jobs, "--no-progress"]
commands = [(f"helm loops and diff -r", ["bash", script, "loops", f"{work}/out"])]
for engine in engines:
    flags = [] if engine == "default" else ["--engine", engine]
    if engine != "native":
        flags += ["--helm-bin", helm]
    commands.append((f"evenkeel verify" + (f" ({engine})" if flags else ""), verify + flags))

def run(name, command):
    """Wall and processor seconds of the command with all its children, and the peak of its largest process in MiB."""
    with open(f"{work}/log", "wb") as log:
        start = time.monotonic()
        pid = os.posix_spawnp(command[0], command, environment, file_actions=[
            (os.POSIX_SPAWN_DUP2, log.fileno(), 1), (os.POSIX_SPAWN_DUP2, log.fileno(), 2)])
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        text = open(f"{work}/log", errors="replace").read()
        sys.exit(f"bench.sh: {name} failed ({os.waitstatus_to_exitcode(status)}):\n{text[-3000:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

results = {name: [] for name, _ in commands}
floor = run("true", ["true"])[2]                         # the kernel counts this process before the exec, too
for name, command in commands:
    run(name, command)                                   # the first run only warms the page cache
for _ in range(int(runs)):
    for name, command in commands:
        results[name].append(run(name, command))

print(f"17 charts x 3 platforms, both sides; {runs} runs each, taken in turn; {jobs} jobs on {os.cpu_count()} cores; medians\n")
width = max(map(len, results)) + 2
print(f"{'':{width}}{'wall s':>9}{'cpu s':>9}{'peak MiB':>10}{'wall':>10}{'cpu':>8}")
first = None
for name, samples in results.items():
    wall, cpu, peak = (statistics.median(column) for column in zip(*samples))
    first = first or (wall, cpu)
    size = f"{peak:.1f}" if peak > floor + 0.5 else f"< {floor:.1f}"
    print(f"{name:{width}}{wall:9.3f}{cpu:9.3f}{size:>10}{first[0] / wall:9.2f}x{first[1] / cpu:7.2f}x")
print("\npeak: of the largest single process. x: how many times faster than the loops.")
MEASURE
