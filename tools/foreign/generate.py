"""Modules that pysource-codegen makes, a generator of Python programs that nobody here has written.

    PYTHON tools/foreign/generate.py FOLDER SEED COUNT NODES

Writes FOLDER/SEED.py for COUNT seeds from SEED on, each of at most about NODES nodes of syntax, in the
grammar of the CPython that runs it. What that CPython does not compile is left out.

Source: the package pysource-codegen of the Python package index.
"""

import os
import sys
import warnings

from pysource_codegen import generate


def main(folder, seed, count, nodes):
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    os.makedirs(folder, exist_ok=True)
    refused = 0
    for n in range(seed, seed + count):
        text = generate(n, node_limit=nodes, depth_limit=8)
        try:
            compile(text, "generated.py", "exec")
        except Exception as e:
            print("seed %d is refused: %r" % (n, e), file=sys.stderr)
            refused += 1
            continue
        with open(os.path.join(folder, "%d.py" % n), "w", encoding="utf-8") as f:
            f.write(text)
    print("%d modules, %d refused" % (count - refused, refused))


main(sys.argv[1], *map(int, sys.argv[2:]))
