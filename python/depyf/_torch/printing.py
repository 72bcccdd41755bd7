"""Graphs as text: what print_readable of torch gives, in a third of the time.

Formatting graphs is most of what watching a compilation costs, and nearly all of
them consist of plain calls alone. Those are written here; the head of `forward` and
its return are torch's. Whatever is out of the ordinary (submodules, other ways to
generate code, annotations, arguments that are no plain values) makes torch print the
whole graph.

How torch writes the comments above nodes differs between versions: the beginning of the
first graph of a process is printed both ways, and a style is used if it gave the same
text, to the byte. torch's side is CodeGen._gen_python_code in torch/fx/graph.py.
"""

from __future__ import annotations

import builtins
import keyword
from types import CodeType
from typing import Any, Callable, Iterator, Optional

from . import hooks

_INDENT = " " * 8
_BACKWARD = "Backward of forward node: "
# What torch puts above nodes by hand of their users; only torch knows how.
_NOTES = ("custom", "recompute", "ac_graph_id", "boxed_arg_indices", "is_wrapped")


class _Unusual(Exception):
    """A graph has something that only torch knows how to print."""


class _Style:
    """How a version of torch writes where nodes come from."""

    def __init__(self, code: CodeType, margin: str) -> None:
        self.margin = margin  # Before a comment.
        # Whether two traces with one last frame get a comment each. (Up to 2.9.)
        self.each_trace = _says(code, "# No stacktrace found")
        # What is said before the origin of a node of the backward pass.
        self.backward = _BACKWARD if _says(code, _BACKWARD) else ""
        # Where the metadata of a node may have an example of its value, the best last.
        self.values = [key for key in ("example_value", "tensor_meta", "val") if _says(code, key)]
        # Whether values that nothing uses are let go of as well. (From 2.3 on.)
        self.unused = _says(code, "users")

    def above(self, trace: Optional[str], summary: str, backward: bool) -> tuple[str, str]:
        """Return the comment above a node, and what must differ for it to be said."""
        if not trace:
            comment = "# No stacktrace found for following nodes"
            return comment, "" if self.each_trace else comment
        comment = "%s# %s%s" % (self.margin, self.backward if backward else "", summary)
        return comment, trace if self.each_trace else comment


_style: Optional[_Style] = None
_untried = True


def readable(gm: Any, layout: dict[str, Any]) -> str:
    """Return the text of a graph with types, shapes and the user's lines."""
    if _untried:
        _try(gm, layout)
    return quickly(gm, layout) or by_torch(gm, layout)


def by_torch(gm: Any, layout: dict[str, Any]) -> str:
    """Return the text that torch makes of a graph."""
    text: str = gm.print_readable(print_output=False, **layout)
    return _trimmed(text)


def quickly(gm: Any, layout: dict[str, Any]) -> str:
    """Return the same text, "" where only torch can make it."""
    if _style is None:
        return ""
    try:
        return _Printer(_style, layout).text(gm)
    except Exception:
        return ""  # It is no more than a short cut.


def _try(gm: Any, layout: dict[str, Any]) -> None:
    """Find the style in which the beginning of a graph becomes the text that torch makes of it."""
    global _style, _untried
    try:
        nodes = _beginning(list(gm.graph.nodes))
        if any(node.op.startswith("call_") for node in nodes):
            _style = next((s for s in _styles() if _Printer(s, layout).same(gm, nodes)), None)
            _untried = False
    except _Unusual:
        pass  # The next graph will tell.
    except Exception as e:
        if _raises(gm, layout):
            return  # torch prints no sum of truth values, say. The next graph will tell.
        _untried = False  # This torch has something else where the styles are looked up.
        hooks.failed("printing of graphs", e)


def _raises(gm: Any, layout: dict[str, Any]) -> bool:
    """Whether torch itself fails to print a graph."""
    try:
        by_torch(gm, layout)
    except Exception:
        return True
    return False


# So many inputs, and so many nodes behind them, are printed both ways.
_INPUTS, _TRIED = 8, 40


def _beginning(nodes: list[Any]) -> list[Any]:
    """Return the first inputs and nodes of a graph, and its output."""
    first = next(i for i, node in enumerate(nodes) if node.op != "placeholder")
    return nodes[: min(first, _INPUTS)] + nodes[first:-1][:_TRIED] + nodes[-1:]


def _trimmed(text: str) -> str:
    """Drop the spaces that older versions put into empty lines."""
    for spaces in (_INDENT, "    "):
        text = text.replace("\n%s\n" % spaces, "\n\n")
    return text.rstrip() + "\n"


def _styles() -> Iterator[_Style]:
    """Yield the styles that this version of torch may have."""
    code = hooks.get("printing of graphs").__code__
    for margin in ("", " "):
        yield _Style(code, margin)


def _says(code: CodeType, text: str) -> bool:
    """Whether code has a name or, as part of it, a text."""
    return text in code.co_names or any(
        _says(const, text) if isinstance(const, CodeType) else isinstance(const, str) and text in const
        for const in code.co_consts
    )


class _Printer:
    """Prints one graph."""

    def __init__(self, style: _Style, layout: dict[str, Any]) -> None:
        import torch
        from torch._subclasses.fake_tensor import FakeTensor
        from torch.fx import graph
        from torch.fx.experimental.proxy_tensor import py_sym_types
        from torch.fx.immutable_collections import immutable_list

        self.style = style
        self.layout = layout
        self.codegens = (graph.CodeGen, graph._PyTreeCodeGen)  # The second has only another head and return.
        self.fx = graph
        self.tensor = FakeTensor  # A plain torch.Tensor may be a wrapper of functorch's, which not all versions name.
        self.strided = torch.strided
        self.device: Callable[[Any], str] = getattr(graph, "_device_annotation", str)
        self.symbols = py_sym_types
        self.targets: dict[Any, str] = {}
        self.origins: dict[str, str] = {}
        plain = (int, bool, str, float, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format)
        self.reprs: dict[type, Callable[[Any], str]] = {
            **dict.fromkeys(plain, repr),
            graph.Node: lambda node: node.name,
            tuple: self.tuple,
            list: self.list,
            immutable_list: self.list,
            slice: lambda s: "slice(%s, %s, %s)" % tuple(map(self.value, (s.start, s.stop, s.step))),
        }

    def text(self, gm: Any, some: Optional[list[Any]] = None) -> str:
        """Return the text of a graph, or of some of its nodes as if they were all."""
        graph = gm.graph
        nodes = some or list(graph.nodes)
        codegen = graph._codegen
        if type(codegen) not in self.codegens or codegen._body_transformer is not None:
            raise _Unusual("another way to generate code")
        if any(hasattr(module, "graph") for module in gm.children()):
            raise _Unusual("submodules that are graphs")
        first = next(i for i, node in enumerate(nodes) if node.op != "placeholder")
        if nodes[-1].op != "output":
            raise _Unusual("no output at the end")
        self.check_names(nodes)
        head, end = self.around(codegen, nodes[:first] + nodes[-1:])
        body: list[str] = []
        self.body(nodes[first:-1], nodes[-1], body)
        # Nothing empty comes first, but the names of arguments may.
        renamed = any(node.target.replace("*", "") != node.name for node in nodes[:first])
        return self.framed(gm, head + (body if renamed or body[:1] != [""] else body[1:]) + [end])

    def around(self, codegen: Any, nodes: list[Any]) -> tuple[list[str], str]:
        """Return what torch makes of the inputs and the output: the lines before the body, and that behind it."""
        *head, end = self.by_torch(codegen, nodes)
        return head, end

    def same(self, gm: Any, nodes: list[Any]) -> bool:
        """Whether some nodes become the text that torch makes of them."""
        return self.text(gm, nodes) == self.framed(gm, self.by_torch(gm.graph._codegen, nodes))

    def framed(self, gm: Any, lines: list[str]) -> str:
        return _trimmed("\n".join(["class %s(torch.nn.Module):" % gm._get_name(), *lines]))

    def by_torch(self, codegen: Any, nodes: list[Any]) -> list[str]:
        """Return the lines that torch makes of nodes as if they were all of a graph."""
        code = codegen._gen_python_code(nodes, "self", self.fx._Namespace(), verbose=True, **self.layout)
        return ["    " + line for line in code.src.strip().split("\n")]

    def check_names(self, nodes: list[Any]) -> None:
        """Make sure that torch would call the nodes by their names."""
        taken = {*keyword.kwlist, *vars(builtins), *self.fx._custom_builtins}
        for node in nodes:
            name = node.name
            if node._repr_fn is not None or name in taken or not name.isidentifier():
                raise _Unusual("the name " + name)

    def body(self, nodes: list[Any], output: Any, lines: list[str]) -> None:
        dying = self.last_uses([*nodes, output])
        said: Optional[str] = None
        for node in nodes:
            meta = node.meta
            for note in _NOTES:
                if note in meta:
                    raise _Unusual(note)
            trace = node.stack_trace
            comment, key = self.style.above(trace, self.origin(trace), meta.get("autograd_backward", False))
            if key != said:
                said = key
                lines += ("", _INDENT + comment)
            dead = dying.get(node, [])
            if self.style.unused and not node.users:
                dead.append(node.name)
            end = ";  %s = None" % " = ".join(dead) if dead else ""
            lines.append(_INDENT + self.statement(node, node.name + self.annotation(node)) + end)

    def last_uses(self, nodes: list[Any]) -> dict[Any, list[str]]:
        """Return the names that are used for the last time, by the node that uses them."""
        used: set[Any] = set()
        dying: dict[Any, list[str]] = {}
        for node in reversed(nodes):
            for argument in node._input_nodes:
                if argument not in used:
                    used.add(argument)
                    dying.setdefault(node, []).append(argument.name)
        return dying

    def origin(self, trace: Optional[str]) -> str:
        """Return the last frame of a trace as torch writes it."""
        if not trace:
            return ""
        known = self.origins.get(trace)
        if known is None:
            parsed = self.fx._parse_stack_trace(trace)
            if parsed is None:
                raise _Unusual("a trace without a frame")
            if hasattr(parsed, "get_summary_str"):
                known = parsed.get_summary_str()
            else:
                known = "File: %s:%s, code: %s" % (parsed.file, parsed.lineno, parsed.code)
            self.origins[trace] = known
        return known

    def annotation(self, node: Any) -> str:
        """Return the type behind a name, as `: "f32[4, 16][16, 1]cpu"`."""
        value: Any = None
        for key in self.style.values:
            value = node.meta.get(key, value)
        if type(value) is self.tensor and value.layout is self.strided:
            strides = self.shape(value.stride()) if self.layout.get("include_stride") else ""
            device = self.device(value.device) if self.layout.get("include_device") else ""
            return ': "%s%s%s%s"' % (self.fx.dtype_abbrs[value.dtype], self.shape(value.shape), strides, device)
        if isinstance(value, self.symbols):
            return ': "Sym(%s)"' % value
        if node.type is not None or value is not None and type(value) not in (tuple, list, int, float, bool, str):
            raise _Unusual("a value of another type")
        return ""

    def shape(self, dims: Any) -> str:
        return "[%s]" % ", ".join([str(d) for d in dims])

    def statement(self, node: Any, target: str) -> str:
        if node.op == "call_function":
            return self.call(node, target)
        if node.op == "call_method":
            of = self.fx._format_target(self.value(node.args[0]), node.target)
            return "%s = %s(%s)" % (target, of, self.arguments(node.args[1:], node.kwargs))
        if node.op == "call_module":
            of = self.fx._format_target("self", node.target)
            return "%s = %s(%s)" % (target, of, self.arguments(node.args, node.kwargs))
        if node.op == "get_attr":
            return "%s = %s" % (target, self.fx._format_target("self", node.target))
        raise _Unusual(node.op)

    def call(self, node: Any, target: str) -> str:
        function, args = node.target, node.args
        if getattr(function, "__module__", "") == "_operator":
            name = function.__name__
            if name in self.fx.magic_methods:
                return "%s = %s" % (target, self.fx.magic_methods[name].format(*map(self.value, args)))
            if name in self.fx.inplace_methods:
                change = self.fx.inplace_methods[name].format(*map(self.value, args))
                return "%s;  %s = %s" % (change, target, self.value(args[0]))
        if function is getattr:
            if len(args) != 2 or not isinstance(args[1], str) or not args[1].isidentifier():
                raise _Unusual("getattr with a default")
            return "%s = %s" % (target, self.fx._format_target(self.value(args[0]), args[1]))
        return "%s = %s(%s)" % (target, self.function(function), self.arguments(args, node.kwargs))

    def function(self, function: Any) -> str:
        known = self.targets.get(function)
        if known is None:
            if not self.fx._is_from_torch(function) or getattr(function, "_boxed_arg_indices", None):
                raise _Unusual("a function that is not torch's")
            known = self.targets[function] = self.fx._get_qualified_name(function)
        return known

    def arguments(self, args: Any, kwargs: Any) -> str:
        texts = [self.value(a) for a in args]
        if kwargs:
            texts += ["%s = %s" % (k, self.value(v)) for k, v in kwargs.items()]
        return ", ".join(texts)

    def value(self, value: Any) -> str:
        form = self.reprs.get(type(value))
        if form is None:
            raise _Unusual("an argument of type " + type(value).__name__)
        return form(value)

    def tuple(self, value: Any) -> str:
        return "(%s,)" % self.value(value[0]) if len(value) == 1 else "(%s)" % ", ".join(map(self.value, value))

    def list(self, value: Any) -> str:
        return "[%s]" % ", ".join(map(self.value, value))
