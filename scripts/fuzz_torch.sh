#!/usr/bin/env bash
# Random programs under real torch, watched and not: tests/torch/fuzz.
#   scripts/fuzz_torch.sh [arguments of python -m fuzz, such as -v or program.py]
# Environment: TORCH="2.6.0:3.12 …" the torch versions, COUNT programs from seed SEED on, BACKEND; with KEEP=folder
# one program of each group of failures is shrunk and written there. What torch and the programs print is shown only
# where one fails.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary || die "the Go program does not build"
tools || die "the package index cannot be reached"
set -- --count "${COUNT:-100}" --seed "${SEED:-0}" --backend "${BACKEND:-eager}" ${KEEP:+--keep "$KEEP"} "$@"
failed= missing=
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for spec in ${TORCH:-2.15.0:3.13}; do
    say "torch ${spec%%:*} on Python ${spec##*:}"
    if ! python=$(torch_python "$spec"); then
        missing="$missing $spec"
        continue
    fi
    OMP_NUM_THREADS=1 PYTHONPATH=python:tests/torch "$python" -B -m fuzz "$@" 2>"$log" || {
        failed="$failed $spec"
        tail -n 100 "$log" >&2
    }
done
[ -z "$missing" ] || printf '\nNOT RUN on this machine:%s\n' "$missing"
if [ -n "$failed" ]; then
    printf '\nFAILED with torch%s\n' "$failed"
    exit 1
fi
