#!/usr/bin/env bash
# Programs of somebody else's generator, pysource-codegen: what a user gets for each, see tools/foreign.
#   scripts/foreign.sh [3.10 3.12 3.13 3.14]
#   COUNT=300 SEED=0 NODES=900 KEEP=folder
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh
binary || die "the Go program does not build"
tools || die "uv cannot be installed"
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
status=0
for v in ${*:-3.10 3.12 3.13 3.14}; do
    if ! py=$(find_python "$v"); then
        echo "NOT RUN: no CPython $v"
        status=1
        continue
    fi
    env=$DEPYF_ENVS/foreign-$v
    if ! "$env/bin/python" -c 'import pysource_codegen' 2>/dev/null; then
        "$UV" venv -q --clear -p "$py" "$env" && "$UV" pip install -q -p "$env/bin/python" pysource-codegen || {
            echo "NOT RUN: pysource-codegen cannot be installed for CPython $v"
            status=1
            continue
        }
    fi
    echo "== CPython $v"
    rm -rf "${work:?}/$v"
    "$env/bin/python" tools/foreign/generate.py "$work/$v" "${SEED:-0}" "${COUNT:-300}" "${NODES:-900}" || status=1
    env -u PYTHONDONTWRITEBYTECODE "$py" -W ignore -m compileall -q "$work/$v" >/dev/null 2>&1
    python/depyf/bin/depyf decompile --format json --python "$py" -r "$work/$v/__pycache__" 2>/dev/null |
        "$py" tools/foreign/verdicts.py "$(find "$work/$v" -maxdepth 1 -name '*.py' | wc -l)" || status=1
done
exit $status
