# Compares the syntax trees of two sources, function by function: see tree.go.
# It runs unchanged on 3.7 and everything after, and executes nothing it is given.
#
# A request is one line of JSON, {"source": base64, "text": base64}; the answer is
# one line, {"functions": n, "differ": [{"name", "line", "kind", "old", "new", "untold"}]}.
#
# Both trees are brought to a normal form first, which forgets what leaves no trace
# in bytecode: positions, docstring layout, folded constants, code that is never
# reached, annotations of local variables, where `global` stands.
import ast
import base64
import json
import operator
import sys
import warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef, ast.Lambda)
JUMPS = ("Return", "Raise", "Break", "Continue")
BINARY = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "BitAnd": operator.and_,
}
UNARY = {"USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert, "Not": operator.not_}
LIMIT = 20000  # larger results are not folded: no compiler does


class N:
    """A node of the normal form."""

    __slots__ = ("t", "f", "line", "v")

    def __init__(self, t, f, line=0, v=None):
        self.t, self.f, self.line, self.v = t, f, line, v

    def __eq__(self, other):
        return isinstance(other, N) and self.t == other.t and self.f == other.f

    def __ne__(self, other):
        return not self == other

    __hash__ = None


def key(v):
    if isinstance(v, tuple):
        return ("tuple",) + tuple(map(key, v))
    if isinstance(v, frozenset):
        return ("frozenset",) + tuple(sorted(map(key, v), key=repr))
    return (type(v).__name__, repr(v))


def const(v, line=0):
    return N("Constant", {"value": key(v)}, line, v)


def is_const(n):
    return isinstance(n, N) and n.t == "Constant"


def small(*values):
    for v in values:
        if isinstance(v, int) and v.bit_length() > 2000:
            return False
        if isinstance(v, (str, bytes, tuple)) and len(v) > LIMIT:
            return False
    return True


def fold(f, *operands):
    """The constant that f makes of constants, or None."""
    values = [o.v for o in operands]
    if not small(*values):
        return None
    ints = [v for v in values if isinstance(v, int)]
    if f in (operator.pow, operator.lshift) and any(abs(v) > 200 for v in ints[1:]):
        return None
    if f is operator.mul and len(ints) == 1 and any(isinstance(v, (str, bytes, tuple)) for v in values):
        if abs(ints[0]) * max(len(v) for v in values if not isinstance(v, int)) > LIMIT:
            return None
    if f is operator.mod and isinstance(values[0], (str, bytes)):
        return None
    try:
        v = f(*values)
    except Exception:
        return None
    return const(v, operands[0].line) if small(v) else None


def truth(n):
    return bool(n.v) if is_const(n) else None


class Scope:
    def __init__(self, qualname, function, klass):
        self.qualname, self.function, self.klass = qualname, function, klass


class Normal:
    def __init__(self):
        self.functions = []  # (qualified name, line, tree), in order

    # -- names --

    def mangle(self, name, scope):
        klass = scope.klass.lstrip("_") if scope.klass else ""
        if klass and isinstance(name, str) and name.startswith("__") and not name.endswith("__") and "." not in name:
            return "_" + klass + name
        return name

    # -- statements --

    def body(self, stmts, scope, doc=False):
        out = []
        for i, s in enumerate(stmts):
            if doc and i == 0 and isinstance(s, ast.Expr):
                c = self.expr(s.value, scope)
                if is_const(c) and isinstance(c.v, str):
                    text = "\n".join(line.strip() for line in c.v.strip().split("\n"))
                    out.append(N("Docstring", {"text": text}, s.lineno))
                    continue
            for n in self.stmt(s, scope):
                if n.t == "Global" and out and out[-1].t == "Global":
                    continue
                out.append(n)
                if ends(n):
                    return out
        return out

    def stmt(self, s, scope):
        t = type(s).__name__
        line = s.lineno
        if isinstance(s, ast.Pass):
            return []
        if isinstance(s, (ast.Global, ast.Nonlocal)):
            return [] if scope.function else [N(t, {"names": sorted(self.mangle(n, scope) for n in s.names)}, line)]
        if isinstance(s, ast.Expr):
            e = self.expr(s.value, scope)
            return [] if is_const(e) else [N(t, {"value": e}, line)]
        if isinstance(s, ast.AnnAssign) and scope.function:
            if s.value is not None:
                target, value = self.expr(s.target, scope), self.expr(s.value, scope)
                return [N("Assign", {"targets": [target], "value": value}, line)]
            if isinstance(s.target, ast.Name):
                return []
        if isinstance(s, ast.If):
            test = self.test(s.test, scope)
            if truth(test) is not None:
                return self.body(s.body if truth(test) else s.orelse, scope)
            return [N(t, {"test": test, "body": self.body(s.body, scope), "orelse": self.body(s.orelse, scope)}, line)]
        if isinstance(s, ast.While):
            test = self.test(s.test, scope)
            if truth(test) is False:
                return self.body(s.orelse, scope)
            orelse = self.body(s.orelse, scope)
            if truth(test):
                test, orelse = const(True, test.line), []
            return [N(t, {"test": test, "body": self.body(s.body, scope), "orelse": orelse}, line)]
        if isinstance(s, ast.Assert):
            test = self.test(s.test, scope)
            if truth(test):
                return []
            if truth(test) is False:
                test = const(False)
            return [N(t, {"test": test, "msg": self.any(s.msg, scope)}, line)]
        if isinstance(s, ast.Delete):
            targets = []

            def flat(e):
                if isinstance(e, (ast.Tuple, ast.List)):
                    for x in e.elts:
                        flat(x)
                else:
                    targets.append(self.expr(e, scope))

            for e in s.targets:
                flat(e)
            return [N(t, {"targets": targets}, line)]
        if isinstance(s, (ast.For, ast.AsyncFor)):
            f = self.fields(s, scope)
            f["iter"] = as_tuple(f["iter"])
            return [N(t, f, line)]
        if isinstance(s, FUNCTIONS):
            return [self.function(s, scope)]
        if isinstance(s, ast.ClassDef):
            inner = Scope(scope.qualname + s.name + ".", False, s.name)
            f = self.fields(s, scope, skip=("body",))
            f["name"] = self.mangle(s.name, scope)
            f["body"] = self.body(s.body, inner, doc=True)
            return [N(t, f, line)]
        return [N(t, self.fields(s, scope), line)]

    def function(self, s, scope):
        at = len(self.functions)
        self.functions.append(None)
        inner = Scope(scope.qualname + s.name + ".<locals>.", True, scope.klass)
        f = self.fields(s, scope, skip=("body",))
        f["name"] = self.mangle(s.name, scope)
        f["body"] = self.body(s.body, inner, doc=True)
        declared = self.declared(s.body, inner)
        if declared:
            first = 1 if f["body"] and f["body"][0].t == "Docstring" else 0
            f["body"].insert(first, N("Global", {"names": declared}, s.lineno))
        n = N(type(s).__name__, f, s.lineno)
        self.functions[at] = (scope.qualname + s.name, s.lineno, n)
        return n

    def declared(self, body, scope):
        """The names that are declared global or nonlocal and stored here."""
        names, stored = {}, set()

        def visit(n):
            if isinstance(n, (ast.Global, ast.Nonlocal)):
                for x in n.names:
                    names[x] = type(n).__name__
            elif isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
                stored.add(n.id)
            elif isinstance(n, ast.alias):
                stored.add(n.asname or n.name.split(".")[0])
            elif isinstance(n, SCOPES):
                stored.add(getattr(n, "name", ""))
                return
            else:
                for x in ("name", "rest"):
                    if isinstance(getattr(n, x, None), str):
                        stored.add(getattr(n, x))
            for c in ast.iter_child_nodes(n):
                visit(c)

        for s in body:
            visit(s)
        return sorted([self.mangle(n, scope), names[n]] for n in names if n in stored)

    # -- expressions --

    def test(self, e, scope):
        return self.expr(e, scope, test=True)

    def any(self, v, scope):
        if isinstance(v, list):
            if v and isinstance(v[0], ast.stmt):
                return self.body(v, scope)
            return [self.any(x, scope) for x in v]
        if isinstance(v, ast.AST):
            return self.expr(v, scope)
        return v

    def fields(self, n, scope, skip=()):
        f = {}
        for name in n._fields:
            if name in skip or name in ("type_comment", "kind", "ctx"):
                continue
            v = getattr(n, name, None)
            if isinstance(v, (ast.operator, ast.unaryop, ast.boolop)):
                v = type(v).__name__
            elif name == "ops":
                v = [type(x).__name__ for x in v]
            elif name in ("id", "attr", "arg", "name", "asname") and isinstance(v, str):
                v = self.mangle(v, scope)
            elif name == "module":
                v = v or ""
            elif name == "body" and isinstance(n, ast.Try) or name in ("orelse", "finalbody") and isinstance(v, list):
                had = bool(v)
                v = self.body(v, scope)
                if had and not v and name == "finalbody":
                    v = [N("Pass", {})]
            else:
                v = self.any(v, scope)
            f[name] = v
        return f

    def expr(self, e, scope, test=False):
        t = type(e).__name__
        line = getattr(e, "lineno", 0)
        if t == "Constant":
            return const(e.value, line)
        if t == "NameConstant":
            return const(e.value, line)
        if t == "Num":
            return const(e.n, line)
        if t in ("Str", "Bytes"):
            return const(e.s, line)
        if t == "Ellipsis":
            return const(..., line)
        if t == "Name" and e.id == "__debug__":
            return const(True, line)
        if t == "BoolOp":
            return self.boolop(e, scope, test, line)
        if t == "IfExp":
            c = self.test(e.test, scope)
            if truth(c) is not None:
                return self.expr(e.body if truth(c) else e.orelse, scope, test)
            return N(t, {"test": c, "body": self.expr(e.body, scope), "orelse": self.expr(e.orelse, scope)}, line)
        if t == "Lambda":
            inner = Scope(scope.qualname + "<lambda>.<locals>.", True, scope.klass)
            return N(t, {"args": self.expr(e.args, scope), "body": self.expr(e.body, inner)}, line)
        f = self.fields(e, scope)
        n = N(t, f, line)
        r = None
        if t == "BinOp":
            if is_const(f["left"]) and is_const(f["right"]):
                r = fold(BINARY.get(f["op"], operator.matmul), f["left"], f["right"])
        elif t == "UnaryOp":
            o = f["operand"]
            if is_const(o):
                r = fold(UNARY[f["op"]], o)
            elif f["op"] == "Not" and o.t == "Compare" and len(o.f["ops"]) == 1:
                other = {"Is": "IsNot", "IsNot": "Is", "In": "NotIn", "NotIn": "In"}.get(o.f["ops"][0])
                if other:
                    r = N("Compare", dict(o.f, ops=[other]), line)
        elif t in ("Tuple", "List"):
            store = not isinstance(e.ctx, ast.Load)
            if store:
                n.t = "Tuple"  # `[a, b] = c` compiles as `a, b = c`
            elif t == "Tuple" and all(map(is_const, f["elts"])):
                r = const(tuple(x.v for x in f["elts"]), line)
        elif t == "Subscript" and isinstance(e.ctx, ast.Load):
            i = f["slice"]
            if isinstance(i, N) and i.t == "Index":
                i = i.f["value"]
            if is_const(f["value"]) and is_const(i):
                r = fold(operator.getitem, f["value"], i)
        elif t == "Compare":
            if f["ops"][-1] in ("In", "NotIn"):
                f["comparators"][-1] = as_tuple(f["comparators"][-1], True)
        elif t == "comprehension":
            f["iter"] = as_tuple(f["iter"])
        elif t == "JoinedStr":
            r = joined(f["values"], line)
        return n if r is None else r

    def boolop(self, e, scope, test, line):
        op = type(e.op).__name__
        values = []
        for i, x in enumerate(e.values):
            last = i == len(e.values) - 1
            v = self.expr(x, scope, test)
            if truth(v) is not None:
                if truth(v) != (op == "And"):
                    values.append(v)  # decides: the rest is never evaluated
                    break
                if not last or test and values:
                    continue
            values.append(v)
        if len(values) == 1:
            return values[0]
        return N("BoolOp", {"op": op, "values": values}, line)


def as_tuple(n, test=False):
    """The display that is only iterated over, or only searched, as the compiler has it."""
    if n.t == "List" and not any(x.t == "Starred" for x in n.f["elts"]):
        if all(map(is_const, n.f["elts"])):
            return const(tuple(x.v for x in n.f["elts"]), n.line)
        return N("Tuple", n.f, n.line)
    if n.t == "Set" and all(map(is_const, n.f["elts"])):
        return const(frozenset(x.v for x in n.f["elts"]), n.line)
    return n


def joined(values, line):
    out = []
    for v in values:
        parts = v.f["values"] if v.t == "JoinedStr" else [v]
        for p in parts:
            if is_const(p) and not p.v:
                continue
            if out and is_const(p) and is_const(out[-1]):
                out[-1] = const(out[-1].v + p.v, p.line)
            else:
                out.append(p)
    if not out:
        return const("", line)
    # The spec of a field keeps its shape; a constant alone is one.
    if len(out) == 1 and is_const(out[0]):
        return const(out[0].v, line)
    return N("JoinedStr", {"values": out}, line)


def ends(n):
    """Whether nothing behind the statement is reached."""
    if n.t in JUMPS:
        return True
    if n.t == "If":
        return falls_not(n.f["body"]) and falls_not(n.f["orelse"])
    if n.t == "While":
        return is_const(n.f["test"]) and not breaks(n.f["body"])
    if n.t in ("Try", "TryStar"):
        if falls_not(n.f["finalbody"]):
            return True
        return (falls_not(n.f["body"]) or falls_not(n.f["orelse"])) and all(
            falls_not(h.f["body"]) for h in n.f["handlers"]
        )
    if n.t == "Match":
        last = n.f["cases"][-1]
        return (
            last.f["guard"] is None
            and last.f["pattern"].t == "MatchAs"
            and last.f["pattern"].f["pattern"] is None
            and all(falls_not(c.f["body"]) for c in n.f["cases"])
        )
    return False


def falls_not(body):
    return bool(body) and ends(body[-1])


def breaks(body):
    for n in body:
        if n.t == "Break":
            return True
        if n.t in ("While", "For", "AsyncFor"):
            if breaks(n.f["orelse"]):
                return True
            continue
        for k in ("body", "orelse", "finalbody", "handlers", "cases"):
            v = n.f.get(k)
            if n.t not in ("FunctionDef", "AsyncFunctionDef", "ClassDef") and isinstance(v, list) and breaks(v):
                return True
    return False


# -- differences --


def name(v):
    if isinstance(v, N):
        if v.t == "Constant":
            return "constant"
        if v.t == "If" and v.f["orelse"]:
            return "If/else"
        if v.t == "Return":
            return "Return" if v.f["value"] is None else "Return v"
        return v.t
    return "nothing" if v is None or v == [] else "list" if isinstance(v, list) else repr(v)[:20]


def difference(a, b, where, line):
    """The first difference: what it is, and the two lines."""
    if isinstance(a, N) and isinstance(b, N) and a.t == b.t:
        line = (a.line or line[0], b.line or line[1])
        if a.t == "If" and a.f["body"] == b.f["orelse"] and a.f["orelse"] == b.f["body"] and a.f["body"]:
            return "If: arms swapped", line
        for k in a.f:
            if a.f[k] != b.f.get(k):
                return difference(a.f[k], b.f.get(k), a.t + "." + k, line)
    if isinstance(a, list) and isinstance(b, list):
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else None
            y = b[i] if i < len(b) else None
            if x != y:
                if x is None or y is None:
                    line = (getattr(x, "line", 0) or line[0], getattr(y, "line", 0) or line[1])
                    return "%s: %s -> %s" % (where, name(x) if x else "end", name(y) if y else "end"), line
                return difference(x, y, where, line)
    line = (getattr(a, "line", 0) or line[0], getattr(b, "line", 0) or line[1])
    return "%s: %s -> %s" % (where, name(a), name(b)), line


def functions(tree):
    n = Normal()
    n.body(tree.body, Scope("", False, ""), doc=True)
    out = {}
    for qualname, line, f in n.functions:
        out.setdefault(qualname, []).append((line, f))
    return n.functions, out


def compare(source, text):
    old, _ = functions(ast.parse(source))
    text = text.decode("utf-8", "surrogatepass").encode("utf-8", "backslashreplace")
    differ = []
    try:
        _, new = functions(ast.parse(text))
    except SyntaxError:
        new = {}
    lines = (source.decode("latin-1").splitlines(), text.decode("utf-8").splitlines())
    lines = [[x.strip() for x in part] for part in lines]
    seen = {}
    for qualname, line, tree in old:
        i = seen[qualname] = seen.get(qualname, -1) + 1
        if i >= len(new.get(qualname, [])):
            differ.append({"name": qualname, "line": line, "kind": "function missing", "old": "", "new": ""})
            continue
        at, other = new[qualname][i]
        if tree == other:
            continue
        kind, where = difference(tree, other, "", (line, at))
        shown = [" | ".join(part[max(n - 1, 0) : n + 2])[:150] for part, n in zip(lines, where)]
        differ.append({"name": qualname, "line": where[0], "kind": kind, "old": shown[0], "new": shown[1], "at": at})
    wanted = {d["at"] for d in differ if "at" in d}
    try:
        alike = untold(source, text, wanted) if wanted else set()  # noqa: F821 (ceiling.py, in front of this)
    except Exception:  # the compiler takes no such tree
        alike = set()
    for d in differ:
        d["untold"] = d.pop("at", 0) in alike
    return {"functions": len(old), "differ": differ}


def main():
    for request in sys.stdin.buffer:
        r = json.loads(request.decode())
        try:
            answer = compare(base64.b64decode(r["source"]), base64.b64decode(r["text"]))
        except Exception as e:
            answer = {"error": "%s: %s" % (type(e).__name__, e)}
        print(json.dumps(answer))
        sys.stdout.flush()


main()
