#!/usr/bin/env bash
# The pictures of the documentation, docs/pictures: the examples run under depyf, and what Chromium shows of the pages.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary
tools || die "the package index cannot be reached"
python=$(torch_python 2.15.0:3.13) || die "torch could not be installed"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p docs/pictures
watched() { # watched FOLDER ARGUMENT...: run an example under depyf
    say "running ${*:2}"
    (cd examples && TORCHINDUCTOR_CACHE_DIR=$out/cache PYTHONPATH=../python "$python" -B -m depyf run --out "$out/$1" "${@:2}" >/dev/null)
}
watched slow slow_example.py
watched toy -c "import toy_example; toy_example.main()"
go run ./tools/pictures "docs/pictures/answers.png=$out/slow/report.html" "docs/pictures/source.png=$out/slow/report.html#source" \
    "docs/pictures/function.png=$out/toy/report.html#functions"
ls -l docs/pictures
