#!/usr/bin/env bash
# The main job on a real model: install the newest torch that this machine's
# Pythons allow, build depyf, run the toy example under it, show what it wrote.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

out=${1:-demo_dump}
say "building depyf"
binary
tools || die "the package index cannot be reached: install uv by hand, or run the parts that need no torch: go test ./..."

# torch.compile refuses Pythons that it does not know yet: newest first.
py=
for v in 3.13 3.12 3.14 3.11 3.10; do
    if py=$(find_python $v); then break; fi
done
[ -n "$py" ] || die "Python 3.10 to 3.14 is needed; found none on PATH or under pyenv"
say "installing torch for $("$py" -V) (a few minutes the first time)"
python=$(torch_env demo-$("$py" -c 'import sys; print("%d%d" % sys.version_info[:2])') "$py" torch numpy setuptools) ||
    die "torch could not be installed from the package index; everything else still works: go test ./..., depyf decompile"

say "running examples/toy_example.py with torch $("$python" -c 'import torch; print(torch.__version__)')"
rm -rf "$out"
PYTHONPATH=python "$python" - "$out" <<'PY'
import runpy
import sys

sys.path.insert(0, "examples")
toy = runpy.run_path("examples/toy_example.py", run_name="toy_example")
import depyf  # noqa: E402

with depyf.prepare_debug(sys.argv[1]):
    toy["main"]()
PY

say "what torch.compile made of it is in $out"
sed -n 's/^| \[`\([^`]*\)`\][^|]*| \(.*\) |$/  \1\n      \2/p' "$out/index.md" | sed -n '1,60p'
first=$(cd "$out" && ls full_code_for_*_0.py | head -1)
printf '\nStart with %s\n' "$out/$first"
printf 'or with    %s, which explains every file\n' "$out/index.md"
