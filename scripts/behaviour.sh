#!/usr/bin/env bash
# CPython's own tests against decompiled modules, see tools/behaviour/behaviour.py.
#   scripts/behaviour.sh [3.11 3.13 3.14]
# Where an interpreter lacks its test package (python -m test), one that has it is
# fetched from the distribution's packages into $DEPYF_ENVS; where that fails too,
# the version is named under NOT RUN and the script fails.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh
binary || die "the Go program does not build"
status=0
for v in ${*:-3.11 3.13 3.14}; do
    if ! py=$(find_python_with_tests "$v"); then
        echo "NOT RUN: no CPython $v with its test package"
        status=1
        continue
    fi
    "$py" tools/behaviour/behaviour.py --depyf python/depyf/bin/depyf ${KEEP:+--keep "$KEEP/$v"} || status=1
done
exit $status
