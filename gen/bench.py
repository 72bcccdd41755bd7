"""Write the .pyc files that scripts/bench.sh measures: generated modules of three sizes each.

    python3.12 gen/bench.py FOLDER

Prints one line a file: shape, size (instructions, roughly; blocks for nested),
path.
"""

import ast
import importlib.util
import marshal
import os
import sys

HEADER = importlib.util.MAGIC_NUMBER + bytes(12)


def straight(n):
    """Four instructions a line."""
    return "def f(a):\n" + "".join("    x%d = a + %d\n" % (i % 100, i) for i in range(n // 4)) + "    return a\n"


def branches(n):
    """Make n statements with one branch each, of every kind."""
    kinds = (
        "    if a > %d:\n        b = a\n",
        "    if a < %d:\n        return b\n",
        "    if a == %d:\n        b = 1\n    else:\n        b = 2\n",
        "    for c in a:\n        b += %d\n",
        "    while a != %d:\n        a += 1\n",
        "    try:\n        b(%d)\n    except ValueError:\n        a()\n",
        "    with a as c:\n        b(%d)\n",
        "    b = a or %d\n",
    )
    return "def f(a, b):\n" + "".join(kinds[i % len(kinds)] % i for i in range(n)) + "    return b\n"


def nested(n):
    """Nest n ifs: as a tree, because the tokenizer allows 100 levels of indentation only."""
    tree = ast.parse("def f(a, b):\n    pass\n")
    body = [ast.parse("b(0)").body[0]]
    for i in range(n):
        call = ast.parse("b(%d)" % i).body[0]
        body = [call, ast.If(test=ast.parse("a > %d" % i, mode="eval").body, body=body, orelse=[])]
    tree.body[0].body = body
    for line, node in enumerate(ast.walk(tree)):
        if isinstance(node, (ast.expr, ast.stmt)):
            node.lineno = node.end_lineno = line + 1
            node.col_offset = node.end_col_offset = 0
    return tree


SHAPES = (
    ("straight", straight, (50000, 100000, 200000)),
    ("branches", branches, (2500, 5000, 10000)),
    ("nested", nested, (50, 100, 200)),
)


def main():
    """Write all files."""
    folder = sys.argv[1]
    for name, make, sizes in SHAPES:
        for n in sizes:
            path = os.path.join(folder, "%s_%d.pyc" % (name, n))
            code = compile(make(n), name + ".py", "exec", dont_inherit=True)
            with open(path, "wb") as f:
                f.write(HEADER + marshal.dumps(code))
            count = sum(len(c.co_code) // 2 for c in [code, *code.co_consts] if hasattr(c, "co_code"))
            print(name, n, count, path)


main()
