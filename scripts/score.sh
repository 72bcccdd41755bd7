#!/usr/bin/env bash
# The share of exact code objects over the standard libraries at hand.
#   scripts/score.sh check    a sample of each version; fails where it is worse than recorded
#   scripts/score.sh full     everything; rewrites testdata/score/3.X.tsv
#   scripts/score.sh trees    the share of functions whose syntax tree is that of the original
#   scripts/score.sh alone    the share of functions that are proven without the module around them; fails below 99.9 %
#   scripts/score.sh lowered  the share of the exact code objects that is proven without an interpreter; fails below 99.9 %
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
status=0
for v in 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15; do
    if ! py=$(find_python $v); then
        echo "NOT RUN: no CPython $v"
        continue
    fi
    case ${1:-check} in
    full) go run ./tools/score -python "$py" -top 0 -o "testdata/score/$v.tsv" ;;
    trees) go run ./tools/score -python "$py" -tree ;;
    alone) go run ./tools/score -python "$py" -alone -least 99.9 || status=1 ;;
    lowered) go run ./tools/score -python "$py" -lowered -least 99.9 || status=1 ;;
    check)
        go run ./tools/score -python "$py" -top 0 -every 12 -check "testdata/score/$v.tsv" || status=1
        go run ./tools/score -python "$py" -alone -every 60 -least 100 || status=1
        ;;
    esac
done
exit $status
