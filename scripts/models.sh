#!/usr/bin/env bash
# Real models under depyf, with pinned libraries: tests/models/run.py.
#   scripts/models.sh [arguments of run.py]
# Environment: TORCH="2.6.0:3.12 …" selects the torch versions; for each there is
# a tests/models/requirements-<torch>.txt.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary || die "the Go program does not build"
tools || die "the package index cannot be reached"
failed= missing=
for spec in ${TORCH:-2.6.0:3.12 2.15.0:3.13}; do
    v=${spec%%:*} p=${spec##*:}
    if ! py=$(find_python "$p") ||
        ! python=$(torch_env "models-$v-$p" "$py" -r "tests/models/requirements-$v.txt"); then
        missing="$missing
  models with torch $v: no CPython $p, or the libraries could not be installed"
        continue
    fi
    say "models with torch $v on Python $p"
    env PYTHONPATH=python "$python" -B tests/models/run.py "$@" || failed="$failed $v"
done
[ -z "$missing" ] || printf '\nNOT RUN on this machine:%s\n' "$missing"
if [ -n "$failed" ]; then
    printf '\nFAILED with torch%s\n' "$failed"
    exit 1
fi
