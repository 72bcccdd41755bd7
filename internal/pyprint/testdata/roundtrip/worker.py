"""Python's half of TestRoundTrip: parse files, compare what comes back.

For each file it sends one frame with the syntax tree as JSON (the form of
internal/pyast) and receives one frame with the printed source. It parses that
and compares the trees. A frame is a decimal length, a newline and the bytes.
The first argument says what to compare: "ast" the trees; "docs" the constants,
for docstrings; "folded" also the constants, but of a tree in which the
compiler has folded them (3.13). With "dump" as first argument it writes the JSON of standard input instead.
"""

import ast
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../generate"))
from trees import encode  # noqa: E402


def strip_lines(tree):
    if isinstance(tree, list):
        return [strip_lines(x) for x in tree]
    if isinstance(tree, dict):
        return {k: strip_lines(v) for k, v in tree.items() if k != "line"}
    return tree


class Normalize(ast.NodeTransformer):
    """Undo what no text can express: how adjacent literals were divided."""

    def visit_Constant(self, node):
        node.kind = None
        return node

    def parts(self, node):
        self.generic_visit(node)
        out = []
        for v in node.values:
            text = getattr(v, "value", getattr(v, "s", None))
            if type(v).__name__ in ("Constant", "Str") and isinstance(text, str):
                if not text:
                    continue
                if out and isinstance(out[-1], ast.Constant):
                    out[-1] = ast.Constant(out[-1].value + text, kind=None)
                    continue
                v = ast.Constant(text, kind=None)
            out.append(v)
        node.values = out
        return node

    visit_JoinedStr = parts
    visit_TemplateStr = parts


def dump(source):
    return ast.dump(Normalize().visit(ast.parse(source)))


def compiled(source):
    # Line numbers that equal no other constant by chance.
    tree = ast.increment_lineno(ast.parse(source), 10000000)
    return compile(tree, "file", "exec", dont_inherit=True, optimize=0)


def constants(code):
    """What a change of constants would show in, sorted: lines do not matter."""
    out = list(code.co_names)
    for c in code.co_consts:
        if hasattr(c, "co_consts"):
            out += constants(c)
        elif isinstance(c, frozenset) or c and isinstance(c, tuple) and "__static_attributes__" in code.co_names:
            out.append(repr(sorted(map(repr, c))))
        elif isinstance(c, int) and c == code.co_firstlineno:
            pass  # the value of __firstlineno__
        else:
            out.append(repr(c))
    return sorted(out)


def difference(a, b):
    i = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return "%s\n   <>  %s" % (a[max(0, i - 60) : i + 100], b[max(0, i - 60) : i + 100])


def check(source, text, mode):
    if mode != "ast":
        try:
            a = constants(compiled(source))
        except SyntaxError:
            return ""  # parses but does not compile
        b = constants(compiled(text))
        return "" if a == b else "constants differ: " + difference(repr(a), repr(b))
    try:
        new = dump(text)
    except Exception as e:
        line = text.split("\n")[getattr(e, "lineno", 1) - 1] if getattr(e, "lineno", 0) else ""
        return "%s: %s: %s" % (type(e).__name__, e, line)
    old = dump(source)
    return "" if old == new else difference(old, new)


def files(root):
    for folder, dirs, names in os.walk(root):
        dirs[:] = sorted(d for d in dirs if d not in ("site-packages", "__pycache__", "lib2to3"))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".py") and os.path.isfile(path):
                yield path


def main():
    sys.setrecursionlimit(30000)
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    if sys.argv[1] == "dump":
        tree = strip_lines(encode(ast.parse(stdin.read())))
        stdout.write(json.dumps(tree, ensure_ascii=False).encode())
        return
    mode, step = sys.argv[1], int(sys.argv[2])
    import warnings

    warnings.simplefilter("ignore")
    roots = sys.argv[3:] or [os.path.dirname(os.__file__)]
    paths = [p for root in roots for p in ([root] if root.endswith(".py") else files(root))]
    for path in paths[::step]:
        with open(path, "rb") as f:
            source = f.read()
        try:
            tree = ast.parse(source)
            dump(source)
            if mode == "folded":
                tree = compile(source, path, "exec", ast.PyCF_OPTIMIZED_AST, True, 0)
            data = json.dumps(encode(tree), ensure_ascii=False).encode()
        except (SyntaxError, ValueError, RecursionError):
            continue
        stdout.write(b"%d\n%s" % (len(data), data))
        stdout.flush()
        text = stdin.read(int(stdin.readline())).decode()
        try:
            result = check(source, text, mode)
        except Exception as e:
            result = "%s: %s" % (type(e).__name__, e)
        if result:
            result = path + ": " + result
        result = result.encode("utf-8", "backslashreplace")
        stdout.write(b"%d\n%s" % (len(result), result))
        stdout.flush()
    stdout.write(b"-1\n")
    stdout.flush()


main()
