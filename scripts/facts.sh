#!/usr/bin/env bash
# What depyf reports against what torch records; see docs/testing.md.
#   scripts/facts.sh [snippets] [programs] [models]     default: the first two
# Environment: TORCH="2.6.0:3.12 …" selects the versions, BACKENDS="eager …" the backends.
# What torch and the programs print is shown only where something differs.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary || die "the Go program does not build"
tools || die "the package index cannot be reached"
status=0
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
quietly() {
    "$@" 2>"$alone/log" || {
        tail -n 100 "$alone/log" >&2
        return 1
    }
}
export PYTHONPATH=$PWD/python PYTHONHASHSEED=0 # The order of a set is a fact, too.
for spec in ${TORCH:-2.6.0:3.12 2.9.1:3.13 2.15.0:3.13}; do
    v=${spec%%:*} p=${spec##*:}
    py=$(find_python "$p") || die "no CPython $p"
    for kind in ${*:-snippets programs}; do
        if [ "$kind" = models ]; then
            [ -f "tests/models/requirements-$v.txt" ] || continue
            python=$(torch_env "models-$v-$p" "$py" -r "tests/models/requirements-$v.txt")
        else
            python=$(torch_env "torch-$v-$p" "$py" "torch==$v" numpy setuptools debugpy)
        fi || die "torch $v could not be installed"
        for backend in ${BACKENDS:-eager aot_eager}; do
            check="-m facts.check --of $kind -b $backend"
            (cd tests/torch && quietly "$python" -B $check --alone "$alone/$v-$backend" && quietly "$python" -B $check --besides "$alone/$v-$backend") || status=1
        done
    done
done
exit $status
