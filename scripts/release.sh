#!/usr/bin/env bash
# Builds what a release consists of, below target/dist: for each target an archive with the binary, the manual and shell
# completions, then one SBOM (CycloneDX) and SHA256SUMS over all. The same sources and tools give the same archives.
#
#   scripts/release.sh [TARGET...]      default: a static binary, ARCH-unknown-linux-musl, where this is Linux
#
# Needs cargo, a C compiler for each target (musl-gcc for musl), tar and gzip; rustup adds targets that are missing.
# SOURCE_DATE_EPOCH   the time in the archives   default: that of HEAD
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
targets=("$@")
if [ $# -eq 0 ]; then
    case $host in
        *-unknown-linux-*) targets=("${host%%-*}-unknown-linux-musl") ;;
        *) targets=("$host") ;;
    esac
fi
dist=target/dist
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
sbom_tool=cargo-cyclonedx@0.5.9
rm -rf "$dist"
mkdir -p "$dist/pages"

for target in "${targets[@]}"; do
    if command -v rustup >/dev/null; then rustup target add --quiet "$target" 2>/dev/null || rustup target add "$target"; fi
    # The same path in every binary, wherever it was built.
    RUSTFLAGS="--remap-path-prefix=$PWD=/evenkeel --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo ${RUSTFLAGS:-}" \
        cargo build --release --locked --target "$target"
done

# Pages and completions are the same for all targets; the first binary that runs here writes them.
writer=
for target in "${targets[@]}"; do
    binary=target/$target/release/evenkeel
    if "$binary" --version >/dev/null 2>&1; then
        writer=$binary
        break
    fi
done
[ -n "$writer" ] || { echo "release.sh: none of ${targets[*]} runs here, so nothing writes the manual; add $host" >&2; exit 2; }
"$writer" man "$dist/pages/man" >/dev/null
mkdir "$dist/pages/completions"
for shell in bash zsh fish; do "$writer" completions "$shell" >"$dist/pages/completions/evenkeel.$shell"; done

for target in "${targets[@]}"; do
    name=evenkeel-$version-$target
    mkdir "$dist/$name"
    cp "target/$target/release/evenkeel" README.md LICENSE CHANGELOG.md "$dist/$name/"
    cp -R "$dist/pages/." "$dist/$name/"
    tar -C "$dist" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
    rm -r "${dist:?}/$name"
done
rm -r "$dist/pages"

cargo install --quiet --locked --root target/tools "$sbom_tool"
PATH=$PWD/target/tools/bin:$PATH SOURCE_DATE_EPOCH=$epoch \
    cargo cyclonedx --quiet --format json --spec-version 1.5 --target "${targets[0]}" --override-filename "evenkeel-$version.cdx"
sed "s|path+file://$PWD|path+file:///evenkeel|g" "evenkeel-$version.cdx.json" >"$dist/evenkeel-$version.cdx.json"
rm "evenkeel-$version.cdx.json"

(cd "$dist" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
