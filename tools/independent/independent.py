"""A second opinion on what depyf calls exact, by another method and other code.

    PYTHON tools/independent/independent.py --depyf BINARY [--root FOLDER] [--match TEXT] [--every N] [--show N]

Compiles the standard library of the CPython that runs it (or the sources below a folder), lets
depyf decompile it, compiles depyf's text again, and compares every code object that depyf calls
exact: first by bytes, then by partition refinement of both instruction graphs in the
normal form of graph.py. Nothing is shared with depyf's own proof: the instructions come from dis,
nested code objects are compared bottom up and stand for their class, and headers are compared
here once more.

Not compared: what depyf has proved by its effects, whose instructions differ; code objects that no
instruction loads which control can come to; positions, file name, stack size; the slots and order
of variables that are not arguments; constants and names that no reachable instruction uses; the
order of the items of a frozen set (a .pyc holds them as they happened to iterate when it was
written, for strings by a random hash), which is counted.

Exit status: 0 every exact code object is confirmed · 1 some is not · 2 could not run.
"""

import argparse
import json
import marshal
import os
import py_compile
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import types
import warnings
from collections import Counter

from graph import Graph, Moved, V, bisimilar, first_difference, key, loaded

LIB = sysconfig.get_paths()["stdlib"]
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__", "lib-dynload"}
VARARGS, VARKEYWORDS = 4, 8
DOCSTRING = 0x4000000


def sources(match, every, root=LIB):
    out = []
    for folder, dirs, names in os.walk(root):
        dirs[:] = sorted(d for d in dirs if d not in LEFT_OUT)
        out += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".py")]
    return [f for f in out if match in f][::every]


def children(code):
    return [c for c in code.co_consts if isinstance(c, types.CodeType)]


def preorder(code):
    yield code
    for c in children(code):
        yield from preorder(c)


def docstring(code):
    """The __doc__ of a function made of the code."""
    if code.co_flags & 3 != 3 or not code.co_consts or code.co_name in COMPREHENSIONS:
        return None
    if V >= (3, 14) and not code.co_flags & DOCSTRING:
        return None
    first = code.co_consts[0]
    return first if isinstance(first, str) else None


COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")


def header(code):
    """What a code object says of itself apart from its instructions, as (what, value) pairs."""
    n = code.co_argcount + code.co_kwonlyargcount
    n += bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)
    return [
        ("name", code.co_name),
        ("qualified name", getattr(code, "co_qualname", None)),
        ("flags", code.co_flags),
        ("argument count", code.co_argcount),
        ("positional-only count", code.co_posonlyargcount),
        ("keyword-only count", code.co_kwonlyargcount),
        ("argument names", code.co_varnames[:n]),
        ("free variables", code.co_freevars),
        ("cell variables", tuple(sorted(code.co_cellvars))),
        ("docstring", docstring(code)),
    ]


class Checker:
    def __init__(self, show):
        self.classes = {}  # (name, qualified name) -> representatives of what has been told apart
        self.ids = {}
        self.exempt = {}  # id(parent) -> names of children that depyf does not call exact
        self.memo = {}
        self.keep = []
        self.count = Counter()
        self.kinds = Counter()
        self.example = {}
        self.show = show

    def code_key(self, parent):
        names = self.exempt.get(id(parent), ())

        def of(code):
            if code.co_name in names:
                return ("code, not exact", code.co_name)
            return ("code", self.class_of(code))

        return of

    def class_of(self, code):
        """A number that equal code objects share."""
        got = self.ids.get(id(code))
        if got is None:
            self.keep.append(code)
            # Bottom up: else a lambda in a lambda might be compared with the one it is in, which asks
            # for the class of the first again, without end.
            for c in children(code):
                self.class_of(c)
            group = self.classes.setdefault((code.co_name, getattr(code, "co_qualname", None)), [])
            for other, number in group:
                if self.how(other, code) != "":
                    got = number
                    break
            else:
                got = len(self.ids)
                group.append((code, got))
            self.ids[id(code)] = got
        return got

    def how(self, a, b):
        """How two code objects are equal: by bytes, by graph, or "" for not."""
        got = self.memo.get((id(a), id(b)))
        if got is None:
            got = self.memo[id(a), id(b)] = self.compare(a, b)
        return got

    def compare(self, a, b):
        if header(a) != header(b):
            return ""
        if (
            a.co_code == b.co_code
            and getattr(a, "co_exceptiontable", b"") == getattr(b, "co_exceptiontable", b"")
            and (a.co_names, a.co_varnames, a.co_cellvars) == (b.co_names, b.co_varnames, b.co_cellvars)
            and key(a.co_consts, self.code_key(a)) == key(b.co_consts, self.code_key(b))
        ):
            return "bytes"
        x, y = Graph(a, self.code_key(a)), Graph(b, self.code_key(b))
        if bisimilar(x, y):
            return "graph"
        if bisimilar(Moved(x), Moved(y)):
            return "moves"
        return ""

    def difference(self, a, b):
        for (what, x), (_, y) in zip(header(a), header(b)):
            if x != y:
                return "header: " + what, "%r | %r" % (x, y)
        d = first_difference(Moved(Graph(a, self.code_key(a))), Moved(Graph(b, self.code_key(b))))
        if d is None:
            return "no difference found", ""
        la, lb, p, q = d
        return "graph: %s | %s" % (la[0], lb[0]), "%.150r at %s | %.150r at %s" % (la, p, lb, q)

    def exempt_children(self, code, inexact):
        names = {c.co_name for c in children(code) if id(c) in inexact}
        if names:
            self.exempt[id(code)] = names
        return names

    def file(self, path, original, result):
        self.classes, self.ids, self.exempt, self.memo, self.keep = {}, {}, {}, {}, []
        verdicts = [o["verdict"] for o in result["code_objects"]]
        codes = list(preorder(original))
        if len(codes) != len(verdicts):
            raise AssertionError("%s: %d code objects, %d verdicts" % (path, len(codes), len(verdicts)))
        self.count["code objects"] += len(codes)
        if "exact" not in verdicts:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = compile(result["source"], path, "exec", dont_inherit=True)
        inexact = {id(c) for c, v in zip(codes, verdicts) if v != "exact"}
        self.pairs(path, original, again, inexact, "")

    def compared(self, code):
        """The code objects in another which it may run, in the order of its constants."""
        reached = loaded(code)
        return [c for c in children(code) if id(c) in reached]

    def pairs(self, path, a, b, inexact, where):
        """Compares a with b, and what is in them, matched by name, by what is equal, and then by order."""
        where = where + "." + a.co_name if where else a.co_name
        names = self.exempt_children(a, inexact)
        if names:
            self.exempt[id(b)] = names
        mine, theirs = self.compared(a), self.compared(b)
        # Bottom up, so that children are known (and exemptions noted) before their parents.
        left = list(theirs)
        pairs = []
        for c in mine:
            same = [d for d in left if d.co_name == c.co_name]
            d = same[0] if same else None
            if len(same) > 1 and not inexact:  # of lambdas and comprehensions one may have been left out
                d = next((d for d in same if self.how(c, d)), d)
            if d is not None:
                left.remove(d)
            else:
                # What the compiler has copied (a finally clause, a loop's test) may stand in the text
                # once. Copies in the text alone need no partner: they have their class in the text's
                # parent, which would be told apart from the original if it were a new one.
                same = [d for d in theirs if d.co_name == c.co_name]
                d = next((d for d in same if self.how(c, d)), None) if not inexact else next(iter(same), None)
            pairs.append((c, d))
        for c, d in pairs:
            if d is not None:
                self.pairs(path, c, d, inexact, where)
            elif id(c) not in inexact:
                self.found("a code object has no partner", path, where + "." + c.co_name, "")
        if id(a) in inexact:
            self.count["not called exact"] += 1
            return
        how = self.how(a, b)
        if how:
            self.count[how] += 1
        else:
            self.count["not confirmed"] += 1
            kind, detail = self.difference(a, b)
            self.found(kind, path, where, detail)
        self.sets(a, b, path, where)
        if a.co_stacksize != b.co_stacksize:
            self.count["stack size differs (not compared)"] += 1

    def sets(self, a, b, path, where):
        """Counts frozen sets of equal items that iterate in another order."""

        def orders(consts):
            for c in consts:
                if isinstance(c, frozenset):
                    yield tuple(c)
                elif isinstance(c, tuple):
                    yield from orders(c)

        if sorted(map(repr, orders(a.co_consts))) != sorted(map(repr, orders(b.co_consts))):
            self.count["frozen sets in another order (not compared)"] += 1
            self.example.setdefault("order", []).append("%s %s" % (path, where))

    def found(self, kind, path, where, detail):
        self.kinds[kind] += 1
        self.example.setdefault(kind, []).append("%s %s: %s" % (os.path.relpath(path, LIB), where, detail))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depyf", required=True)
    parser.add_argument("--match", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="examples of each kind of difference")
    parser.add_argument("--root", default=LIB, help="the folder of sources; the standard library")
    parser.add_argument("--keep", default="")
    a = parser.parse_args()
    sys.setrecursionlimit(10000)
    work = a.keep or tempfile.mkdtemp()
    shutil.rmtree(work, ignore_errors=True)
    try:
        return run(a, work)
    finally:
        if not a.keep:
            shutil.rmtree(work, ignore_errors=True)


def run(a, work):
    files = []
    for f in sources(a.match, a.every, a.root):
        to = os.path.join(work, "pyc", os.path.relpath(f, a.root)) + "c"
        os.makedirs(os.path.dirname(to), exist_ok=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                py_compile.compile(f, to, doraise=True)
        except (py_compile.PyCompileError, OSError, UnicodeDecodeError, ValueError):
            continue  # the library holds templates, files of other versions and dead links
        files.append((f, to))
    os.makedirs(os.path.join(work, "json"))  # else one file alone would be written by that name
    subprocess.run(
        [a.depyf, "decompile", "-python", sys.executable, "-r", "-format", "json", "-o", work + "/json", work + "/pyc"],
        stderr=subprocess.DEVNULL,
    )
    checker = Checker(a.show)
    for f, pyc in files:
        with open(pyc, "rb") as data:
            original = marshal.loads(data.read()[16:])
        with open(os.path.join(work, "json", os.path.relpath(f, a.root)) + ".json", encoding="utf-8") as data:
            checker.file(f, original, json.load(data))
    c = checker.count
    exact = c["bytes"] + c["graph"] + c["moves"] + c["not confirmed"]
    print(
        "CPython %d.%d.%d: %d files, %d code objects, %d called exact:"
        % (sys.version_info[:3] + (len(files), c["code objects"], exact)),
        "%d equal by bytes (%.2f %%), %d by graph, %d with moves as one, %d not confirmed"
        % (c["bytes"], 100.0 * c["bytes"] / max(exact, 1), c["graph"], c["moves"], c["not confirmed"]),
    )
    for k in sorted(c):
        if k.endswith("(not compared)"):
            print("   %d times: %s" % (c[k], k))
    for kind, n in checker.kinds.most_common():
        print("   %d times: %s" % (n, kind))
        for e in checker.example[kind][: a.show]:
            print("        " + e)
    return 1 if checker.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
