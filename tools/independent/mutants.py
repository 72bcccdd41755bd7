"""Mutants of real functions, judged by depyf's proof and by the independent checker.

    PYTHON tools/independent/mutants.py --depyf BINARY [--every N] [--seed N] [--rounds N]

One thing is changed in each function of the library (a constant, an operator, the order of two
statements, what a try statement covers, …). Both judges compare the mutant with the original,
code object by code object. Reported are

    depyf equal, checker different   a hole in depyf's proof, or a rule that the checker lacks
    depyf different, checker equal   a hole in the checker, or a rule that depyf lacks: each is
                                     to be looked at, but calls nothing equal that is not
    both equal, other bytes          listed with --equals: each must be a true no-op

Exit status: 0 depyf calls no mutant equal that the checker tells apart · 1 it does.
"""

import argparse
import ast
import copy
import importlib.util
import marshal
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter

from independent import LIB, Checker, children, header, sources

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CONSTANTS = [True, 1, 1.0, 0, 0.0, -0.0, False, None, "", b"", "a", 1j, -1j, (), Ellipsis, 2**70]
COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn]
OPERATORS = [ast.Add, ast.Sub, ast.Mult, ast.Mod, ast.BitAnd, ast.BitOr, ast.FloorDiv]


def blocks(f):
    """Every list of statements in a function, with its owner and field."""
    for n in ast.walk(f):
        for field in ("body", "orelse", "finalbody"):
            b = getattr(n, field, None)
            if isinstance(b, list) and b and isinstance(b[0], ast.stmt):
                yield n, field, b


def mutations(f, rng):
    """Ways to change f in place, as (what, function to call)."""
    out = []

    def add(what, do):
        out.append((what, do))

    def put(node, field, value):
        return lambda: setattr(node, field, value)

    names = sorted({n.id for n in ast.walk(f) if isinstance(n, ast.Name)})
    for n in ast.walk(f):
        if isinstance(n, ast.Constant) and not isinstance(n.value, str):
            add("constant", put(n, "value", rng.choice(CONSTANTS)))
        elif isinstance(n, ast.Constant):
            add("string", put(n, "value", n.value + "x"))
        elif isinstance(n, ast.Compare):
            add("comparison", lambda n=n: n.ops.__setitem__(0, rng.choice(COMPARISONS)()))
            add("operands of a comparison", lambda n=n: swap_compare(n))
        elif isinstance(n, ast.BoolOp):
            add("and, or", put(n, "op", ast.And() if isinstance(n.op, ast.Or) else ast.Or()))
            add("order of and, or", lambda n=n: n.values.reverse())
        elif isinstance(n, ast.BinOp):
            add("operator", put(n, "op", rng.choice(OPERATORS)()))
            add("operands", lambda n=n: swap_fields(n, "left", "right"))
        elif isinstance(n, ast.UnaryOp):
            add("unary", put(n, "op", rng.choice([ast.Not, ast.USub, ast.UAdd])()))
        elif isinstance(n, (ast.If, ast.While, ast.IfExp)):
            add("negated test", put(n, "test", ast.UnaryOp(ast.Not(), n.test)))
            if isinstance(n, ast.If) and n.orelse:
                add("branches swapped", lambda n=n: swap_fields(n, "body", "orelse"))
            if isinstance(n, ast.If):
                add("if to while", lambda n=n: setattr(n, "__class__", ast.While))
            if isinstance(n, ast.While):
                add("while to if", lambda n=n: setattr(n, "__class__", ast.If))
        elif isinstance(n, (ast.Break, ast.Continue)):
            add("break, continue", put(n, "__class__", ast.Continue if isinstance(n, ast.Break) else ast.Break))
        elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            add("name", put(n, "id", rng.choice(names)))
        elif isinstance(n, ast.Name):
            add("stored name", put(n, "id", rng.choice(names)))
        elif isinstance(n, ast.Attribute):
            add("attribute", put(n, "attr", n.attr + "_"))
        elif isinstance(n, ast.Call):
            if len(n.args) > 1:
                add("order of arguments", lambda n=n: n.args.reverse())
            if n.keywords:
                add("keyword", lambda n=n: n.keywords.pop())
            if len(n.keywords) > 1:
                add("order of keywords", lambda n=n: n.keywords.reverse())
            if n.args and not isinstance(n.args[-1], ast.Starred):
                add("star", lambda n=n: n.args.append(ast.Starred(n.args.pop(), ast.Load())))
        elif isinstance(n, ast.Return):
            add("returned value", put(n, "value", None))
        elif isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
            add("augmented", lambda n=n: plain_assign(n))
        elif isinstance(n, ast.ExceptHandler):
            add("caught type", put(n, "type", ast.Name("KeyError", ast.Load())))
            if n.name:
                add("caught name", put(n, "name", rng.choice(names)))
        elif isinstance(n, ast.Try):
            if n.orelse:
                add("else into try", lambda n=n: n.body.extend(n.orelse) or setattr(n, "orelse", []))
            if n.handlers and len(n.body) > 1:
                add("try into else", lambda n=n: n.orelse.insert(0, n.body.pop()))
            if len(n.handlers) > 1:
                add("handler dropped", lambda n=n: n.handlers.pop(rng.randrange(len(n.handlers))))
                add("order of handlers", lambda n=n: n.handlers.reverse())
            if n.handlers and n.finalbody:
                add("finally into else", lambda n=n: n.orelse.extend(n.finalbody) or setattr(n, "finalbody", []))
        elif isinstance(n, ast.FormattedValue):
            add("conversion", put(n, "conversion", rng.choice([-1, 115, 114, 97])))
        elif isinstance(n, ast.arguments) and len(n.args) > 1:
            add("order of parameters", lambda n=n: n.args.reverse())
            if n.defaults:
                add("default dropped", lambda n=n: n.defaults.pop(0))
        elif isinstance(n, (ast.Global, ast.Nonlocal)) and len(n.names) > 1:
            add("declaration", lambda n=n: n.names.pop())
        elif isinstance(n, (ast.List, ast.Tuple, ast.Set)) and len(n.elts) > 1:
            add("order of elements", lambda n=n: n.elts.reverse())
        elif isinstance(n, ast.Dict) and len(n.keys) > 1:
            add("order of a dict", lambda n=n: (n.keys.reverse(), n.values.reverse()))
        elif isinstance(n, ast.Slice):
            add("slice", lambda n=n: swap_fields(n, "lower", "upper"))
    for _owner, _field, b in blocks(f):
        if len(b) > 1:
            k = rng.randrange(len(b) - 1)
            add("order of statements", lambda b=b, k=k: b.__setitem__(slice(k, k + 2), [b[k + 1], b[k]]))
            add("statement dropped", lambda b=b, k=k: b.pop(k))
        k = rng.randrange(len(b))
        add("statement twice", lambda b=b, k=k: b.insert(k, copy.deepcopy(b[k])))
        for k, s in enumerate(b[:-1]):
            inner = getattr(s, "body", None)
            if isinstance(s, (ast.Try, ast.With, ast.For, ast.While, ast.If)):
                add("statement moved in", lambda b=b, k=k, inner=inner: inner.append(b.pop(k + 1)))
                if len(inner) > 1:
                    add("statement moved out", lambda b=b, k=k, inner=inner: b.insert(k + 1, inner.pop()))
                if isinstance(s, (ast.Try, ast.With, ast.For, ast.While)) and len(inner) > 1:
                    add("statement moved before", lambda b=b, k=k, inner=inner: b.insert(k, inner.pop(0)))
    return out


def swap_fields(n, a, b):
    x, y = getattr(n, a), getattr(n, b)
    setattr(n, a, y)
    setattr(n, b, x)


def swap_compare(n):
    n.left, n.comparators[0] = n.comparators[0], n.left


def plain_assign(n):
    n.__class__ = ast.Assign
    n.targets = [n.target]
    n.value = ast.BinOp(ast.Name(n.target.id, ast.Load()), n.op, n.value)


def compiles(tree, name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None


def mutate(tree, rng):
    """Changes one thing in each outermost function and method; (path, what was done) of each."""
    done = []

    def visit(body, path):
        for k, s in enumerate(body):
            if isinstance(s, ast.ClassDef):
                visit(s.body, path + "." + s.name)
            if not isinstance(s, FUNCTIONS):
                continue
            for _ in range(3):
                m = copy.deepcopy(s)
                ways = mutations(m, rng)
                if not ways:
                    break
                # Rare kinds as often as common ones.
                what = rng.choice(sorted({w for w, _ in ways}))
                rng.choice([do for w, do in ways if w == what])()
                wrapped = ast.Module([copy.deepcopy(m)], [])
                if compiles(wrapped, "m"):
                    body[k] = m
                    done.append((path + "." + s.name, what))
                    break

    visit(tree.body, "<module>")
    return done


def write(path, code):
    with open(path, "wb") as f:
        f.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))


class Judge(Checker):
    """Compares each code object apart from those in it, which count as equal by name."""

    def code_key(self, parent):
        return lambda code: ("code", code.co_name)

    def walk(self, a, b, path, out):
        out.append((path, a, b, self.how(a, b)))
        rest = children(b)
        for c in children(a):
            d = next((d for d in rest if d.co_name == c.co_name), None)
            if d is not None:
                rest.remove(d)
                self.walk(c, d, path + "." + c.co_name, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depyf", required=True)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--match", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--equals", action="store_true")
    a = parser.parse_args()
    sys.setrecursionlimit(10000)
    count, kinds, status = Counter(), Counter(), 0
    rng = random.Random(a.seed)
    with tempfile.TemporaryDirectory() as work:
        one, two = os.path.join(work, "a.pyc"), os.path.join(work, "b.pyc")
        for path in sources(a.match, a.every) * a.rounds:
            try:
                with open(path, "rb") as f, warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(f.read())
            except (OSError, SyntaxError, ValueError):
                continue
            original = compiles(tree, path)
            done = mutate(tree, rng)
            mutant = compiles(tree, path)
            if not original or not mutant:
                continue
            # As a .pyc holds them, for sets iterate as they were read.
            write(one, original)
            write(two, mutant)
            judged = []
            Judge(0).walk(
                marshal.loads(marshal.dumps(original)), marshal.loads(marshal.dumps(mutant)), "<module>", judged
            )
            p = subprocess.run([a.depyf, "verify", "-all", one, two], stdout=subprocess.PIPE, universal_newlines=True)
            said = re.findall(r"^differs at (.*?)(?: \(offsets [^)]*\))?: (.*)$", p.stdout, re.M)
            differs = dict(said)
            twice = Counter(x[0] for x in judged)
            done = dict(done)
            for where, x, y, how in judged:
                if twice[where] > 1 or "<lambda>" in where:
                    continue
                count["compared"] += 1
                if how == "bytes" and where not in differs:
                    continue
                what = done.get(where) or next((w for p, w in done.items() if where.startswith(p + ".")), "?")
                name = "%s %s (%s)" % (os.path.relpath(path, LIB), where, what)
                if where in differs and not how:
                    count["both different"] += 1
                    kinds[what] += 1
                elif where in differs and header(x) == header(y) and how:
                    print("   depyf different, checker equal (%s): %s: %s" % (how, name, differs[where]))
                elif not how:
                    # A code object whose partner depyf did not look for is not equal to it.
                    parent = where.rsplit(".", 1)[0]
                    if parent in differs:
                        count["not compared by depyf"] += 1
                        continue
                    print("   depyf equal, checker different: %s: %s" % (name, Judge(0).difference(x, y)))
                    status = 1
                else:
                    count["both equal, other bytes"] += 1
                    if a.equals:
                        print("   both equal (%s): %s" % (how, name))
    print("CPython %d.%d.%d:" % sys.version_info[:3], dict(count))
    print("   kinds told apart:", dict(kinds.most_common()))
    return status


if __name__ == "__main__":
    sys.exit(main())
