#!/usr/bin/env bash
# The documentation as a site, in dist/site: pages that ask nothing of other hosts.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
tools || die "the package index cannot be reached"
env=$DEPYF_ENVS/site
if [ ! -x "$env/bin/mkdocs" ]; then
    "$UV" venv -q --clear "$env"
    "$UV" pip install -q --python "$env/bin/python" 'mkdocs==1.6.1' 'mkdocs-material==9.6.14'
fi
"$env/bin/mkdocs" build --strict --quiet
say "open dist/site/index.html"
