#!/usr/bin/env bash
# What depyf reports of programs on a GPU against what torch records there; see docs/testing.md.
#   scripts/gpu.sh PYTHON [NAME...]     PYTHON has torch and sees an NVIDIA GPU; default: all of tests/torch/gpu
# Environment: BACKENDS="inductor aot_eager" selects the backends.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

[ $# -gt 0 ] || die "usage: scripts/gpu.sh PYTHON [NAME...]"
python=$1
shift
[ -x python/depyf/bin/depyf ] || binary || die "the Go program does not build"
"$python" -c 'import torch; assert torch.cuda.is_available()' || die "$python has no torch that sees a GPU"
export PYTHONPATH=$PWD/python PYTHONHASHSEED=0 # The order of a set is a fact, too.
status=0
for backend in ${BACKENDS:-inductor aot_eager}; do
    for program in ${*:-$(basename -s .py tests/torch/gpu/*.py)}; do
        # A process for each: what one makes in Inductor's cache would be missing in the records of the next.
        cache=$(mktemp -d)
        (cd tests/torch && TORCHINDUCTOR_CACHE_DIR=$cache "$python" -B -m facts.check --of gpu -b "$backend" "$program") || status=1
        rm -rf "$cache"
    done
done
exit $status
