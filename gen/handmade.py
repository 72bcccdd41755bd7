"""Writes code that no compiler makes, with the interpreter that runs this file.

    python3.X gen/handmade.py

The code objects go to testdata/handmade/NAME-3.X.pyc; Go tests read them.
"""

import dis
import importlib.util
import marshal
import os
import sys
import types

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "testdata", "handmade")
MINOR = sys.version_info[1]


def write(name, code):
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, "%s-3.%d.pyc" % (name, MINOR)), "wb") as f:
        f.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))


def function(source):
    """The function that the source defines, from a file with a plain name."""
    space = {}
    exec(compile(source, "handmade.py", "exec"), space)
    return space["f"]


def assemble(*lines):
    """Encodes (opcode's name, operand) pairs with the caches they need."""
    out = bytearray()
    for name, arg in lines:
        op = dis.opmap[name]
        out += bytes([op, arg])
        caches = getattr(__import__("opcode"), "_inline_cache_entries", None)
        if caches:
            out += bytes(2 * (caches[op] if isinstance(caches, list) else caches.get(name, 0)))
    return bytes(out)


def stack_across_a_branch():
    """The list's first item waits on the stack across the branch."""
    if not 9 <= MINOR <= 12:
        return
    f = function("def f(a, b):\n    return [a, b]\n")
    test = "POP_JUMP_FORWARD_IF_FALSE" if MINOR == 11 else "POP_JUMP_IF_FALSE"
    head = [("RESUME", 0)] if MINOR >= 11 else []
    front = head + [("LOAD_FAST", 0), ("LOAD_FAST", 1)]
    then = [("LOAD_FAST", 1), ("BUILD_LIST", 2), ("RETURN_VALUE", 0)]
    jump = len(assemble(*then)) // 2
    if MINOR <= 10:  # absolute; bytes to 3.9, units from 3.10
        jump += len(assemble(*front, (test, 0))) // 2
        jump *= 2 if MINOR == 9 else 1
    code = assemble(*front, (test, jump), *then, ("BUILD_LIST", 1), ("RETURN_VALUE", 0))
    more = {"co_exceptiontable": b""} if MINOR >= 11 else {}
    g = types.FunctionType(f.__code__.replace(co_code=code, co_stacksize=3, **more), {})
    assert g(1, 2) == [1, 2] and g(1, 0) == [1]
    write("stack_across_a_branch", g.__code__)


def unhashable_constant():
    """A constant that no source can spell as one: a dict."""
    f = function("def f():\n    return 1234567\n")
    consts = tuple({"a": "b"} if c == 1234567 else c for c in f.__code__.co_consts)
    if MINOR >= 8:
        code = f.__code__.replace(co_consts=consts)
    else:
        c = f.__code__
        code = types.CodeType(
            c.co_argcount,
            c.co_kwonlyargcount,
            c.co_nlocals,
            c.co_stacksize,
            c.co_flags,
            c.co_code,
            consts,
            c.co_names,
            c.co_varnames,
            c.co_filename,
            c.co_name,
            c.co_firstlineno,
            c.co_lnotab,
        )
    assert types.FunctionType(code, {})() == {"a": "b"}
    write("unhashable_constant", code)


def instrumented():
    """sys.monitoring's opcodes in place of the plain ones."""
    if MINOR < 12:
        return
    f = function("def f(a):\n    for x in a:\n        if x:\n            return x\n")
    names = getattr(__import__("_opcode_metadata"), "opmap", None) if MINOR >= 13 else dis.opmap
    plain = {n[len("INSTRUMENTED_") :]: o for n, o in names.items() if n.startswith("INSTRUMENTED_")}
    code = bytearray(f.__code__.co_code)
    changed = 0
    caches = __import__("opcode")._inline_cache_entries
    at = 0
    while at < len(code):
        name = dis.opname[code[at]]
        op = code[at]
        if (
            name in ("RETURN_VALUE", "FOR_ITER", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE", "JUMP_BACKWARD", "RESUME")
            and name in plain
        ):
            code[at] = plain[name]
            changed += 1
        at += 2 + 2 * (caches[op] if isinstance(caches, list) else caches.get(name, 0))
    assert changed >= 3
    write("instrumented", f.__code__.replace(co_code=bytes(code)))


stack_across_a_branch()
unhashable_constant()
instrumented()
