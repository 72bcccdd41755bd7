#!/usr/bin/env bash
# How fast the decompiler is, and how much memory it takes: see tools/bench.
#   scripts/bench.sh [3.12]
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
v=${1:-3.12}
py=$(find_python "$v") || die "no CPython $v on this machine"
binary
go run ./tools/bench -python "$py" -depyf python/depyf/bin/depyf
