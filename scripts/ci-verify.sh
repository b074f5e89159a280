#!/bin/sh
# Verifies a change in CI: fetches what the baseline needs (also in a shallow clone), runs evenkeel once, and leaves
# every report in one folder. All CI kits call it; it is plain sh, so a Jenkins step or a cron job can as well.
#
#   scripts/ci-verify.sh BASE [evenkeel verify flags]
#
#   BASE   a branch of the remote (main: verify against the merge base with it), a SHA, or `pin:NAME`
#
# Environment:
#   EVENKEEL          the binary                         default: evenkeel
#   EVENKEEL_REMOTE   the git remote                     default: origin
#   EVENKEEL_REPORTS  the folder of the reports          default: evenkeel-reports
#
# Exit code: that of `evenkeel verify`: 0 equivalent, 1 a difference or a finding, 2 could not decide.
set -eu

evenkeel=${EVENKEEL:-evenkeel}
remote=${EVENKEEL_REMOTE:-origin}
reports=${EVENKEEL_REPORTS:-evenkeel-reports}

fail() {
    echo "ci-verify.sh: $*" >&2
    exit 2
}

[ $# -ge 1 ] || fail "say what to verify against: a branch, a SHA, or pin:NAME"
base=$1
shift
git rev-parse --git-dir >/dev/null 2>&1 || fail "$(pwd) is no git clone"

is_shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }

# The merge base with a branch. A shallow clone is deepened step by step until both lines meet.
merge_base() {
    branch=$1
    git fetch --quiet --no-tags ${2:+--depth="$2"} "$remote" "+refs/heads/$branch:refs/remotes/$remote/$branch" >&2 ||
        fail "$remote has no branch $branch"
    depth=32
    until git merge-base HEAD "refs/remotes/$remote/$branch"; do
        is_shallow || fail "HEAD and $branch have no commit in common"
        git fetch --quiet --no-tags --deepen="$depth" "$remote" >&2 || fail "cannot deepen the clone"
        depth=$((depth * 4))
    done
}

case $base in
    pin:*) against=${base#pin:} ;;
    *)
        # A full SHA is fetched by its name; anything else is a branch.
        if [ "${#base}" -eq 40 ] && [ -z "$(printf %s "$base" | tr -d 0-9a-f)" ]; then
            against=$base
            git cat-file -e "$against^{commit}" 2>/dev/null ||
                git fetch --quiet --no-tags --depth=1 "$remote" "$against" >&2 || fail "$remote does not give $against"
        else
            if is_shallow; then against=$(merge_base "$base" 32); else against=$(merge_base "$base"); fi
        fi
        ;;
esac

mkdir -p "$reports"
exec "$evenkeel" verify --against "$against" --no-progress \
    --output "json=$reports/evenkeel.json" \
    --output "markdown=$reports/evenkeel.md" \
    --output "html=$reports/evenkeel.html" \
    --output "junit=$reports/evenkeel.junit.xml" \
    --output "sarif=$reports/evenkeel.sarif" \
    --output "gitlab=$reports/gl-code-quality-report.json" \
    "$@"
