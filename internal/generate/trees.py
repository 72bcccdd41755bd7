"""Python's syntax trees as JSON, in the form of internal/pyast.

As a program it takes the size, in nodes, that no function may exceed. It reads paths,
a line each, and writes for every one a frame (a decimal length, a newline and the
bytes) with the JSON list of the file's functions and classes; an empty list where the
file is not this version's Python.
"""

import ast
import json
import sys

RENAMED = {"AsyncFunctionDef": "FunctionDef", "AsyncFor": "For", "AsyncWith": "With", "TryStar": "Try"}
SKIPPED = {"ctx", "type_comment", "kind", "type_ignores"}
BOOLS = {"is_async", "is_lazy", "simple"}
OLD_CONSTANTS = {"Num": "n", "Str": "s", "Bytes": "s", "NameConstant": "value"}


def const(c):
    if c is None or c is True or c is False:
        return c
    if c is Ellipsis:
        return {"ellipsis": True}
    if isinstance(c, int):
        return c if abs(c) <= 2**53 else {"int": hex(c)}
    if isinstance(c, float):
        return {"float": repr(c)}
    if isinstance(c, complex):
        return {"complex": [repr(c.real), repr(c.imag)]}
    if isinstance(c, bytes):
        return {"bytes": c.hex()}
    if isinstance(c, str):
        try:
            c.encode()
            return c
        except UnicodeEncodeError:
            return {"wtf8": c.encode("utf-8", "surrogatepass").hex()}
    if isinstance(c, (tuple, frozenset)):
        return {type(c).__name__: [const(x) for x in c]}
    raise TypeError(type(c))


def encode(node):
    if isinstance(node, list):
        return [encode(x) for x in node]
    if isinstance(node, (ast.boolop, ast.operator, ast.unaryop, ast.cmpop)):
        return type(node).__name__
    if not isinstance(node, ast.AST):
        return node
    name = type(node).__name__
    if name in OLD_CONSTANTS:
        return {"node": "Constant", "value": const(getattr(node, OLD_CONSTANTS[name]))}
    if name == "Ellipsis":
        return {"node": "Constant", "value": const(...)}
    if name == "Index":
        return encode(node.value)
    if name == "ExtSlice":
        return {"node": "Tuple", "elts": encode(node.dims)}
    out = {"node": RENAMED.get(name, name)}
    if hasattr(node, "lineno"):
        out["line"] = node.lineno
    if name.startswith("Async"):
        out["is_async"] = True
    if name == "TryStar":
        out["is_star"] = True
    for field in node._fields:
        value = getattr(node, field, None)
        if field in SKIPPED:
            continue
        if field == "value" and name in ("Constant", "MatchSingleton"):
            out[field] = const(value)
        elif field == "conversion":
            if value and value > 0:
                out[field] = chr(value)
        elif field in BOOLS:
            if value:
                out[field] = True
        elif value is None or value == []:
            pass
        else:
            out[field] = encode(value)
    if name == "DictComp" and "value" not in out:  # 3.15: {**key for ...}
        out["value"] = out.pop("key")
    return out


SMALL = 400  # nodes; of a class that is larger, each method is one program


def definitions(path, largest):
    """The functions that no other function holds, and the small classes."""
    try:
        with open(path, "rb") as f:
            body = ast.parse(f.read()).body
    except (SyntaxError, ValueError, OSError):
        return
    while body:
        node = body.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_class = isinstance(node, ast.ClassDef)
            if sum(1 for _ in ast.walk(node)) <= (min(SMALL, largest) if is_class else largest):
                yield encode(node)
            elif is_class:
                body = node.body + body


def main():
    sys.setrecursionlimit(30000)
    largest = int(sys.argv[1])
    for path in sys.stdin:
        data = json.dumps(list(definitions(path.rstrip("\n"), largest))).encode()
        sys.stdout.buffer.write(b"%d\n%s" % (len(data), data))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
