"""Graphs as text, and `forward` functions that run from the dumped files.

torch formats every graph it may want to log with `lazy_format_graph_code`,
once per stage and whether or not anybody listens: there its name, stage and
compile id are known. The function is imported by name all over torch, so its
code is replaced, not the attribute.
"""

from __future__ import annotations

import hashlib
import re
import sys
import textwrap
import weakref
from types import CodeType, FunctionType, MethodType
from typing import Any, Callable, Optional

from .._compile import compiled
from .._garbage import uncollected
from . import hooks, ids, printing, running
from . import session as sessions
from .patching import attribute, divert, skip, unseen

_HEADER = "from __future__ import annotations\nimport torch\nfrom torch import device\n\n"
_FUTURE_ANNOTATIONS = 0x1000000

# The stages that some backend runs as Python.
_RUNNING = ("Captured_Graph", "Forward_graph", "Backward_graph")

# Graphs that torch formats once more on the way, a moment before or after a stage.
_REPETITIONS = ("pre insert_deferred_runtime_asserts", "tensorify_python_scalars")


class _Dumped:
    """A graph module whose `forward` has a file."""

    def __init__(self, session: sessions.Session, gm: Any, fields: dict[str, Any], path: str) -> None:
        self.session, self.fields, self.path = session, fields, path
        self.module = weakref.ref(gm)
        self.tried = False  # Whether somebody has wanted to run it from the file.
        # Where the graph may get another `forward` later:
        self.graph: Optional[bytes] = None  # What it is, see _digest.
        self.text = ""  # The text in the file, unless its `forward` takes a list.


_dumped: dict[int, _Dumped] = {}
# The same by the digest of the graph: torch deep-copies backward graphs before it
# compiles them.
_copied: dict[bytes, _Dumped] = {}
_original: Callable[..., Any]
_formatting: Callable[..., Any]


def patch_formatting() -> Callable[[], None]:
    """Learn of every graph that torch formats."""
    global _original, _formatting

    def lazy_format_graph_code(*args: Any, **kwargs: Any) -> Any:
        # This body runs with the globals of torch's module.
        from depyf._torch import graphs

        graphs._formatting(args, kwargs)
        return graphs._original(*args, **kwargs)

    _formatting = unseen(formatting)
    _original, undo = divert(hooks.get("graph formatting"), lazy_format_graph_code)  # type: ignore[arg-type]
    return undo


def formatting(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note a graph that torch is about to format."""
    session = sessions.current(compiling=True)
    if session is not None:
        with session.guarded("graph"):
            _note(session, *_name_and_module(*args, **kwargs), kwargs)


def _name_and_module(name: str, gm: Any, *_: Any, **__: Any) -> tuple[str, Any]:
    return name, gm


def _note(session: sessions.Session, name: str, gm: Any, kwargs: dict[str, Any]) -> None:
    # torch.export appends the nn_module_stack to the name.
    name = str(name).split(":")[0].strip()
    if name.startswith(_REPETITIONS):
        return
    fields: dict[str, Any] = {"graph": None, "stage": name.replace(" ", "_")}
    if name.startswith("__compiled_fn"):
        fields.update(graph=name, stage="Captured_Graph")
    layout = {k: v for k, v in kwargs.items() if k in ("include_stride", "include_device", "expanded_def")}
    _dump(session, gm, fields, layout)


def _dump(session: sessions.Session, gm: Any, fields: dict[str, Any], layout: dict[str, Any]) -> None:
    waiting = _waits_for_recompilation(gm)
    code = None
    fields["compile_id"] = running.compile_id(session)
    if not session.swap:
        session.post("graph", text=_text(gm, layout), executable=False, **fields)
        session.dumped.add((fields["stage"], ids.current()))
        return
    if fields["stage"] not in _RUNNING or waiting:
        # Making the `forward` of a graph that may never run as Python costs more
        # than all the rest; if it is made after all, patch_recompile sees it.
        text, runs = _text(gm, layout), fields["stage"] in _RUNNING
    else:
        text, code = _texts(gm, layout)
        runs = code is not None
    answer = session.event("graph", text=text, executable=runs, **fields)
    path = answer.get("path")
    if path:
        session.dumped.add((fields["stage"], ids.current()))
    if not path or not runs:
        return
    known = _dumped[id(gm)] = _Dumped(session, gm, fields, path)
    weakref.finalize(gm, _dumped.pop, id(gm), None)
    if waiting or fields["stage"] != "Captured_Graph":
        known.graph = _digest(gm)
        known.text = "" if _boxed(gm) else text
    if known.graph is not None and fields["stage"] != "Captured_Graph":
        _copied[known.graph] = known
    if code is not None:
        with session.guarded("forward of " + path):
            _run(gm, path, text, code)


def _waits_for_recompilation(gm: Any) -> bool:
    """Whether torch has put off making gm.forward until it is called."""
    lazy = getattr(type(gm), "_lazy_forward", None)
    return lazy is not None and type(gm).forward is lazy


def _texts(gm: Any, layout: dict[str, Any]) -> tuple[str, Optional[CodeType]]:
    """Return the most readable text of a graph, and its `forward` if that is what runs.

    print_readable has types, shapes and the user's lines; it is used where its
    `forward` compiles to the bytecode that torch itself runs.
    """
    readable, why_not = _readable(gm, layout)
    code = _running(gm, readable)
    if code is None:
        plain = _HEADER + why_not + str(gm.code).rstrip() + "\n"
        code = _running(gm, plain)
        if code is not None or not readable:
            return plain, code
    return readable, code


def _running(gm: Any, text: str) -> Optional[CodeType]:
    """Return the `forward` in a text, compiled, if it is what gm runs."""
    forward = forward_function(gm)
    code = _forward_in(text, "<graph>") if text and forward is not None else None
    return code if code is not None and forward is not None and same_bytecode(code, forward.__code__) else None


def _readable(gm: Any, layout: dict[str, Any]) -> tuple[str, str]:
    """Return the text of a graph with types, shapes and lines, or "" and a comment why there is none."""
    try:
        with uncollected():
            return _HEADER + printing.readable(gm, layout).replace("<lambda>", "GraphModule"), ""
    except Exception as e:
        if not _other_arguments(e):
            # sympy cannot print a sum of truth values, for example (torch 2.6).
            return "", "# Types, shapes and lines are left out: torch raises %s at them.\n" % type(e).__name__
        hooks.failed("graphs as text", e)
        return "", ""


def _other_arguments(e: BaseException) -> bool:
    """Whether torch takes other arguments than those it was given, or depyf's own code has failed."""
    tb = e.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return isinstance(e, TypeError) or tb is None or str(tb.tb_frame.f_globals.get("__name__")).startswith("depyf.")


def text_of(gm: Any) -> str:
    """Return the text of a graph that is only to be read."""
    return _text(gm, {"include_stride": True, "include_device": True})


def _text(gm: Any, layout: dict[str, Any]) -> str:
    readable, why_not = _readable(gm, layout)
    return readable or _HEADER + why_not + str(gm.code)


def forward_function(gm: Any) -> Optional[FunctionType]:
    """Return the plain function behind gm.forward."""
    forward = vars(type(gm)).get("forward") or getattr(gm, "forward", None)
    if isinstance(forward, MethodType):
        forward = forward.__func__
    return forward if isinstance(forward, FunctionType) else None


def _forward_in(text: str, path: str) -> Optional[CodeType]:
    # From Python 3.12 on, a call torch.f() compiles differently in a module that
    # imports torch; torch's own code does not. The line is only for readers.
    text = text.replace("\nimport torch\n", "\n\n", 1)
    code = _first_forward(text, path)
    of = _CLASS.search(text)
    if code is None or of is None or not any(n.startswith("_%s__" % of.group(1)) for n in code.co_varnames):
        return code
    # The second `_` of a function is `__1` in its graph, which a class makes a name of its
    # own; a class whose name is an underscore does not.
    plain = _first_forward(text[: of.start(1)] + "_" + text[of.end(1) :], path)
    if plain is not None and sys.version_info >= (3, 11):
        plain = plain.replace(co_qualname=code.co_qualname)
    return plain


_CLASS = re.compile(r"^class (\w+)\(", re.MULTILINE)


def _first_forward(text: str, path: str) -> Optional[CodeType]:
    try:
        module = compiled(text, path)
    except (SyntaxError, ValueError):
        return None
    for code in module.co_consts:
        if isinstance(code, CodeType) and code.co_name == "forward":
            return code
    for code in module.co_consts:
        # The first class is the graph itself; others are its submodules.
        if isinstance(code, CodeType):
            for inner in code.co_consts:
                if isinstance(inner, CodeType) and inner.co_name == "forward":
                    return inner
    return None


def same_bytecode(a: CodeType, b: CodeType) -> bool:
    """Whether two code objects differ in nothing but lines, names of files and flags."""
    if (a.co_code, a.co_names, a.co_varnames, a.co_freevars, a.co_cellvars, a.co_argcount) != (
        b.co_code,
        b.co_names,
        b.co_varnames,
        b.co_freevars,
        b.co_cellvars,
        b.co_argcount,
    ):
        return False
    return len(a.co_consts) == len(b.co_consts) and all(map(_same_const, a.co_consts, b.co_consts))


def _same_const(a: Any, b: Any) -> bool:
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return same_bytecode(a, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_same_const, a, b))
    # repr tells -0.0 from 0.0 and makes a NaN equal to itself.
    return repr(a) == repr(b) if isinstance(a, (float, complex)) else bool(a == b)


class Mismatch(Exception):
    """A file does not say what a graph runs."""


def bind(gm: Any, path: str) -> None:
    """Make gm.forward run from the file, if the file says what it runs now."""
    forward = forward_function(gm)
    if forward is None:
        return
    code = _forward_in(_read(path), path)
    if code is None or not same_bytecode(code, forward.__code__):
        raise Mismatch("the dumped text is not what runs")
    _set(forward, code)


def _run(gm: Any, path: str, text: str, code: CodeType) -> None:
    """Make gm.forward run code, which has been compiled from text, as if from the file.

    Compiling takes long. Where the file is the text below a head of comments, as it
    mostly is, what compiling the file would give is the code with its lines moved.
    """
    whole = _read(path)
    head = whole[: len(whole) - len(text)]
    forward = forward_function(gm)
    if forward is None or not whole.endswith(text) or any(line and line[0] != "#" for line in head.split("\n")):
        bind(gm, path)
    else:
        _set(forward, _moved(code, path, head.count("\n")))


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogatepass", newline="") as f:
        return f.read()


def _moved(code: CodeType, path: str, lines: int) -> CodeType:
    """Return code, and all code in it, as if it stood so many lines further down in the file."""
    consts = tuple(_moved(c, path, lines) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=path, co_firstlineno=code.co_firstlineno + lines, co_consts=consts)


def _set(forward: FunctionType, code: CodeType) -> None:
    future = forward.__code__.co_flags & _FUTURE_ANNOTATIONS
    code = code.replace(co_flags=code.co_flags & ~_FUTURE_ANNOTATIONS | future)
    # So does Dynamo with the code of every graph that is made while it compiles.
    skip(code)
    forward.__code__ = code


def patch_recompile() -> Callable[[], None]:
    """Follow graphs that get their `forward` after they were dumped.

    torch may put that off until the graph is called; and from 2.12 on, aot_eager
    makes another one that takes all arguments in a list.
    """

    follow = unseen(_follow)

    def make(original: Any) -> Any:
        def recompile(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            follow(self)
            return result

        skip(recompile.__code__)
        return recompile

    return attribute(*hooks.place("recompiled graphs"), make)


def _follow(gm: Any) -> None:
    known = _known(gm) if _dumped and not _waits_for_recompilation(gm) else None
    if known is not None and known.session.alive():
        with known.session.guarded("recompiled graph"):
            _rebind(known, gm)


def _rebind(known: _Dumped, gm: Any) -> None:
    """Let a new `forward` run from the file, which is rewritten if the graph is the same."""
    if not (known.text and _boxed(gm)):
        try:
            bind(gm, known.path)
            return
        except Mismatch:
            pass
    # A pass may have changed the graph, unless it is as it was.
    if _digest(gm) == known.graph:
        _rewrite(known, gm)


def _boxed(gm: Any) -> bool:
    """Whether gm.forward takes all arguments in a list."""
    return type(gm.graph._codegen).__name__ == "_BoxedCodeGen"


def _known(gm: Any) -> Optional[_Dumped]:
    known = _dumped.get(id(gm))
    if known is not None and known.module() is gm:
        return known
    # Graphs are recompiled often; looking one up is worth the time only for those
    # that aot_eager is about to run.
    return _copied.get(_digest(gm)) if _copied and _boxed(gm) else None


def _digest(gm: Any) -> bytes:
    """Tell graphs apart by what a text of them would say, in far less time than that takes."""
    digest = hashlib.sha256()
    for n in gm.graph.nodes:
        digest.update(repr((n.op, n.name, n.target, n.args, n.kwargs, n.type)).encode("utf-8", "surrogatepass"))
    return digest.digest()


def _rewrite(known: _Dumped, gm: Any) -> None:
    text = _taking_list(known.text, gm)
    code = _running(gm, text)
    if code is None:
        text, code = _texts(gm, {"include_stride": True, "include_device": True})
    if code is not None:
        answer = known.session.event("graph", text=text, executable=True, replaces=known.path, **known.fields)
        known.path = answer.get("path") or known.path
        known.text = ""
        _run(gm, known.path, text, code)


_DEF = re.compile(r"^    def forward\(self.*\n", re.MULTILINE)
_DEF_TAKING_LIST = re.compile(
    r"^def forward\(self, args_list\).*\n(?:    .*\n)*?    args_list\.clear\(\)\n", re.MULTILINE
)


def _taking_list(text: str, gm: Any) -> str:
    """Return the text of a graph with the first lines of its new `forward`, which takes a list.

    The rest of it is as it was, and need not be printed again; "" where that is not so.
    """
    old, new = _DEF.search(text), _DEF_TAKING_LIST.search(str(gm.code)) if text and _boxed(gm) else None
    if old is None or new is None:
        return ""
    return text[: old.start()] + textwrap.indent(new.group(), "    ") + text[old.end() :]


def runs_from_file(gm: Any) -> bool:
    """Whether gm.forward runs from a dumped file; a graph without one so far is made to."""
    known = _dumped.get(id(gm))
    if known is None or known.module() is not gm:
        original = _copied.get(_digest(gm))
        if original is None:
            return False
        known = _dumped[id(gm)] = _Dumped(original.session, gm, original.fields, original.path)
        weakref.finalize(gm, _dumped.pop, id(gm), None)
    if not known.tried:
        known.tried = True
        try:
            str(gm)  # Makes a forward where torch has put that off.
            bind(gm, known.path)
        except Exception:
            return False
    forward = forward_function(gm)
    return forward is not None and forward.__code__.co_filename == known.path
