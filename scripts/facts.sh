#!/usr/bin/env bash
# What depyf reports against what torch records, over all snippets; see docs/testing.md.
# Environment: TORCH="2.6.0:3.12 …" selects the versions.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary || die "the Go program does not build"
tools || die "the package index cannot be reached"
status=0
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
for spec in ${TORCH:-2.6.0:3.12 2.9.1:3.13 2.15.0:3.13}; do
    v=${spec%%:*} p=${spec##*:}
    py=$(find_python "$p") || die "no CPython $p"
    python=$(torch_env "torch-$v-$p" "$py" "torch==$v" numpy setuptools debugpy) || die "torch $v could not be installed"
    for backend in ${BACKENDS:-eager aot_eager}; do
        (cd tests/torch && export PYTHONPATH=../../python PYTHONHASHSEED=0 &&
            "$python" -B -m facts.check -b "$backend" --alone "$alone/$v" &&
            "$python" -B -m facts.check -b "$backend" --besides "$alone/$v") || status=1
    done
done
exit $status
