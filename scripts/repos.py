#!/usr/bin/env python3
"""Runs `evenkeel verify` on a recorded pair of commits of a public repository and compares the counts.

    scripts/repos.py RECORDS GIT_DIR CANDIDATE [-- flags of evenkeel verify]

RECORDS    a repos.jsonl: one line per pair, with the plan of renders and the counts real Helm gave
GIT_DIR    the git directory of a clone that holds both commits
CANDIDATE  the candidate's commit id, or its beginning

Both commits are exported to a private folder, the plan is translated into an evenkeel.yaml, local (file://)
dependencies are put where Helm wants them, and the two folders are verified against each other. Exit code 1 when a count differs
from the recorded one. Needs PyYAML where the plan derives values files. EVENKEEL names the binary.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    args, flags = sys.argv[1:], []
    if "--" in args:
        flags = args[args.index("--") + 1 :]
        args = args[: args.index("--")]
    if len(args) != 3:
        sys.exit(__doc__)
    record = find(pathlib.Path(args[0]), args[1], args[2])
    evenkeel = os.environ.get("EVENKEEL", str(ROOT / "target/release/evenkeel"))
    with tempfile.TemporaryDirectory(prefix="repos-") as work:
        sides = {side: pathlib.Path(work) / side for side in ("baseline", "candidate")}
        for side, folder in sides.items():
            export(args[1], record[side], folder)
            local_dependencies(folder, {item["chart"] for item in record["plan"]})
            derived_values(folder, record["plan"], side)
        config = {"kubeVersion": record["kube_version"], "helmVersion": "4.3"}
        config["releases"] = releases(record["plan"], "candidate")
        config["baseline"] = {"kubeVersion": record["kube_version"], "releases": releases(record["plan"], "baseline")}
        (sides["candidate"] / "evenkeel.yaml").write_text(json.dumps(config))
        run = subprocess.run(
            [evenkeel, "verify", "--against", f"dir:{sides['baseline']}", "--candidate", f"dir:{sides['candidate']}"]
            + ["--format", "json", "--fail-on", "never", *flags],
            cwd=work,
            capture_output=True,
            text=True,
        )
    if not run.stdout:
        sys.exit(run.stderr)
    sys.exit(compare(record, json.loads(run.stdout)))


def find(records, git_dir, candidate):
    name = re.sub(r"\.git$", "", git_dir)
    lines = [json.loads(line) for line in records.open()]
    found = [line for line in lines if line["candidate"].startswith(candidate)]
    if len(found) != 1:
        sys.exit(f"{candidate}: {len(found)} pairs with this candidate (for {name})")
    return found[0]


def export(git_dir, commit, folder):
    folder.mkdir()
    archive = subprocess.Popen(["git", "--git-dir", git_dir, "archive", commit], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    if archive.wait():
        sys.exit(f"{commit} cannot be exported from {git_dir}")


def local_dependencies(root, charts):
    """What `helm dependency update` does for file:// entries, without a repository in sight."""
    done = set()

    def provide(chart):
        if chart in done or not (root / chart / "Chart.yaml").is_file():
            return
        done.add(chart)
        for name in ("Chart.yaml", "requirements.yaml"):
            path = root / chart / name
            if not path.is_file():
                continue
            for location in re.findall(r"repository:\s*[\"']?file://([^\s\"']+)", path.read_text()):
                source = os.path.normpath(os.path.join(chart, location))
                provide(source)
                target = root / chart / "charts" / os.path.basename(source)
                if (root / source).is_dir() and not target.exists():
                    shutil.copytree(root / source, target, symlinks=True)

    for chart in sorted(charts):
        provide(chart)


def derived_values(root, plan, side):
    """Values files that are a part of a YAML file of the repository, written as JSON."""
    wanted = {}
    for item in of_side(plan, side):
        derived = item.get("derived")
        if derived:
            wanted.update(zip([v for v in item["values"] if v.startswith(".ek-values/")], as_list(derived)))
    if not wanted:
        return
    import yaml

    loaded = {}
    for target, rule in wanted.items():
        file, part = rule.split(" ", 1)
        if file not in loaded:
            loaded[file] = yaml.load((root / file).read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        path = root / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(pick(loaded[file], part), default=str))


def as_list(value):
    return value if isinstance(value, list) else [value]


def pick(data, part):
    if part.startswith("minus "):
        return {key: value for key, value in data.items() if key != part[len("minus ") :]}
    for key, name in re.findall(r"(\w+)(?:\[name=([^\]]+)\])?", part):
        data = data.get(key) if not name else next((e for e in data[key] if e["name"] == name), {})
        data = {} if data is None else data
    return data


def of_side(plan, side):
    for item in plan:
        if item.get("only_in", side) == side:
            yield {**item, **(item.get("baseline_item") or {})} if side == "baseline" else item


def releases(plan, side):
    return [
        {
            "id": item["id"],
            "name": item["release"],
            "namespace": item["namespace"],
            "chart": item["chart"],
            "values": item.get("values", []),
            "set": item.get("set", []),
        }
        for item in of_side(plan, side)
    ]


def compare(record, report):
    told, counts = report["summary"]["documents"], record["counts"]
    cells = report["cells"]
    failed = sum(cell["status"] != "ok" for cell in cells)
    rows = [
        ("renders", len(cells), max(counts["renders_baseline"], counts["renders_candidate"])),
        ("failed", failed, max(counts.get("failed_baseline", 0), counts.get("failed_candidate", 0))),
        # What the recording could not parse, Kubernetes reads; it is there on both sides.
        ("equal", told["identical"] + told["equivalent"], counts["identical"] + counts["unparsable_docs"] // 2),
        ("changed or volatile", told["changed"] + told["volatile"], counts.get("changed", 0)),
        # The recording pairs by name alone, so that a renamed document is one added and one removed.
        ("added or renamed", told["added"] + told["renamed"], counts.get("added", 0)),
        ("removed or renamed", told["removed"] + told["renamed"], counts.get("removed", 0)),
    ]
    print(f"{record['repo']} {record['baseline'][:9]}..{record['candidate'][:9]} ({record['kind']})")
    for name, ours, recorded in rows:
        mark = "" if ours == recorded else "   <- differs"
        print(f"  {name:20} {ours:>7} recorded {recorded:>7}{mark}")
    print(f"  of these: {told}")
    return int(any(ours != recorded for _, ours, recorded in rows))


main()
