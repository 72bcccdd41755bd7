#!/usr/bin/env bash
# The pages in axe-core, the checker of accessibility that others use, in both themes (internal/report, TestAxe).
# It comes from the registry of Node's packages; AXE=FILE names one that is at hand.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

AXE_CORE=4.14.1

if [ -z "${AXE:-}" ]; then
    here=$DEPYF_ENVS/axe
    mkdir -p "$here"
    here=$(cd "$here" && pwd)
    AXE=$here/node_modules/axe-core/axe.min.js
    if ! grep -qs "\"version\": \"$AXE_CORE\"" "$here/node_modules/axe-core/package.json"; then
        npm install --prefix "$here" --ignore-scripts --no-audit --no-fund --silent "axe-core@$AXE_CORE" >&2 || {
            echo "NOT RUN: axe-core could not be fetched; the pages are not tried with it"
            [ -z "${TEST_REPORT:-}" ] || printf 'passed 0\nfailed 0\n' >"$TEST_REPORT" # it does not count as passed
            exit 0
        }
    fi
fi
export AXE
if reader=$(python_at_least 8) && [ -n "${TEST_REPORT:-}" ]; then
    go test -count 1 -json -run TestAxe ./internal/report | "$reader" scripts/gotest.py "$TEST_REPORT"
else
    go test -count 1 -run TestAxe ./internal/report
fi
