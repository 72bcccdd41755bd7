#!/usr/bin/env bash
# A second opinion on every code object that depyf calls exact, over whole standard
# libraries, by a checker that shares nothing with depyf's own proof: see
# tools/independent/independent.py.
#   scripts/independent.sh [3.8 3.9 …]      default: every version at hand
#   EVERY=12 scripts/independent.sh         every twelfth file
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh
binary || die "the Go program does not build"
status=0
for v in ${*:-3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15}; do
    if ! py=$(find_python "$v"); then
        echo "NOT RUN: no CPython $v"
        continue
    fi
    "$py" -B tools/independent/independent.py --depyf python/depyf/bin/depyf --every "${EVERY:-1}" || status=1
done
exit $status
