"""What vLLM dumps by depyf, checked: python check.py, with the python of an environment that has vLLM.

Runs serve.py without a dump and with one. The tokens must be the same; the dump must hold what vLLM asked for: the code
that it wrote itself (depyf.decompile in its bytecode hook) and the one in depyf's file must be the same and proven, and
the graphs before and after it split the model, what its passes did and the kernels of each piece must be filed under
Dynamo's graph.
"""

from __future__ import annotations

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def tokens(*args: str) -> str:
    with tempfile.TemporaryDirectory() as cache:  # What Inductor finds in its cache goes through none of its stages.
        run = subprocess.run(
            [sys.executable, "-B", str(HERE / "serve.py"), *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": cache},
        )
    if run.returncode:
        sys.exit("serve.py %s: exit status %d\n%s" % (" ".join(args), run.returncode, run.stderr[-8000:]))
    return run.stdout.strip().splitlines()[-1]


def body(text: str) -> str:
    """The one function of a text, whatever its name."""
    function = next(s for s in ast.parse(text).body if isinstance(s, ast.FunctionDef))
    function.name = "f"
    return ast.dump(function)


def faults(dump: pathlib.Path) -> list[str]:
    out = []
    names = sorted(p.name for p in dump.iterdir())
    written = (dump / "transformed_code.py").read_text(encoding="utf-8")  # by vLLM
    files = [n for n in names if n.startswith("__transformed_code_")]
    if len(files) != 1:
        return ["%d functions compiled, 1 expected: %s" % (len(files), names)]
    file = (dump / files[0]).read_text(encoding="utf-8")
    if not re.search(r"^# verdict: +proved|^# verdict: +exact", file, re.M):
        out.append("not proven: " + file[:600])
    if body(written) != body(file):
        out.append("depyf.decompile in vLLM's hook and depyf's own file differ")
    graph = re.search(r"\b(__compiled_fn_\w+?)\(", file)
    if not graph:
        return out + ["no graph is called in " + files[0]]
    stages = {n.split(".")[1] for n in names if n.startswith(graph[1] + ".")}
    for stage in ("Captured_Graph", "before_split", "after_split", "Forward_graph", "kernel_0", "kernel_1", "kernel_2"):
        if stage not in stages:
            out.append("no file %s.%s: %s" % (graph[1], stage, sorted(stages)))
    if not any("post_grad" in s and s.endswith("_after") for s in stages):
        out.append("no graph behind a pass of vLLM's")
    strays = [
        n
        for n in names
        if n.endswith(".py") and not n.startswith((graph[1] + ".", "__transformed", "full_code_", "transformed_code"))
    ]
    if strays:
        out.append("files that belong to no graph: %s" % strays)
    index = (dump / "index.md").read_text(encoding="utf-8")
    if "proved, running" not in index and "exact, running" not in index:
        out.append("index.md does not say that the dumped code runs")
    if "the guards on values were left out" not in index:  # vLLM drops them
        out.append("index.md does not say that no guard is checked")
    if "## What is missing" in index:
        out.append("index.md says that something is missing: " + index.split("## What is missing")[1][:600])
    return out


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain = tokens(folder)
        watched = tokens(folder, folder + "/dump")
        dumps = list(pathlib.Path(folder, "dump").glob("rank_*"))
        found = ["the tokens differ: %s, watched %s" % (plain, watched)] if plain != watched else []
        found += faults(dumps[0]) if len(dumps) == 1 else ["dump folders: %s" % dumps]
        count = len(list(dumps[0].glob("*.py"))) if dumps else 0
    if not json.loads(plain)[0]:
        found.append("no tokens at all")
    print("tokens %s, %d files, %s" % (plain, count, "as it should be" if not found else "FAILED"))
    for f in found:
        print("  " + f)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
