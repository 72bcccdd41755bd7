"""A reader of torch's structured log, TORCH_TRACE. It shares no code with depyf.

The authority is torch/_logging/_internal.py (trace_structured, TorchLogsFormatter): a line with an
envelope in JSON, and below it the payload, each line behind a tab.
"""

from __future__ import annotations

import ast
import io
import json
import math
import re
import textwrap
import tokenize
from typing import Any, Iterator, Optional

from .form import Facts, bare, guard

# Name of the record -> what depyf calls the stage.
STAGES = {
    "dynamo_output_graph": "Captured_Graph",
    "aot_joint_graph": "Joint_graph",
    "aot_forward_graph": "Forward_graph",
    "aot_inference_graph": "Forward_graph",
    "aot_backward_graph": "Backward_graph",
    "inductor_post_grad_graph": "AFTER_POST_GRAD",
    "after_post_grad_graph": "AFTER_POST_GRAD",
}


def records(text: str) -> "Iterator[tuple[dict[str, Any], str]]":
    """Each envelope with its payload."""
    envelope: "Optional[dict[str, Any]]" = None
    payload: "list[str]" = []
    for line in text.split("\n"):
        if line.startswith("\t"):
            payload.append(line[1:])
            continue
        if envelope is not None:
            yield envelope, "\n".join(payload)
            envelope = None
        payload = []
        head, brace, rest = line.partition("] {")
        if brace and re.match(r"V\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ ", head):
            envelope = json.loads("{" + rest)
    if envelope is not None:
        yield envelope, "\n".join(payload)


class Reader:
    """Reads a log that may come in pieces: file names are told once, and numbers stand for them later."""

    def __init__(self) -> None:
        self.names: "dict[int, str]" = {}

    def read(self, text: str) -> "list[Facts]":
        """Return the compilations of one piece, in the order in which they begin."""
        self.done: "list[_Compilation]" = []
        self.current: "dict[str, _Compilation]" = {}
        for envelope, payload in records(text):
            if "str" in envelope:
                name, number = envelope["str"]
                self.names[number] = name
            elif "frame_id" in envelope:
                self.take(envelope, payload)
        for c in self.done:
            c.finish()
        return [c.facts for c in self.done]

    def take(self, envelope: "dict[str, Any]", payload: str) -> None:
        kind = next(iter(envelope))
        body = envelope[kind]
        if kind == "artifact":
            kind = body["name"]
        id = "%s/%s" % (envelope["frame_id"], envelope["frame_compile_id"])
        if "compiled_autograd_id" in envelope and envelope["compiled_autograd_id"] is not None:
            id = "!%s/%s" % (envelope["compiled_autograd_id"], id)
        if kind in ("chromium_event", "describe_storage", "describe_tensor", "describe_source"):
            return
        known = self.current.get(id)
        # After torch._dynamo.reset() the ids begin anew.
        begins = kind == "recompile_reasons" or kind == "dynamo_start" and not envelope.get("attempt")
        if known is None or begins and (known.measured or kind == "dynamo_start" and known.started):
            known = self.current[id] = _Compilation(id)
            self.done.append(known)
        known.attempt(envelope.get("attempt") or 0)
        take = getattr(known, "on_" + kind, None)
        if take is not None:
            take(body, payload, self)
        elif kind in STAGES:
            known.graph(STAGES[kind], payload)

    def place(self, stack: "list[dict[str, Any]]") -> "tuple[str, int, str]":
        """The innermost line of a stack."""
        if not stack:
            return "", 0, ""
        frame = stack[-1]
        return self.names[frame["filename"]], frame["line"], frame["name"]


class _Compilation:
    """Takes the records of one compilation."""

    def __init__(self, id: str) -> None:
        self.facts = Facts(id)
        self.started = self.measured = False
        self.tree: "list[str]" = []
        self.asked: "list[str]" = []  # What lines of the program ask of symbols: "s77 <= 128".

    def attempt(self, n: int) -> None:
        if n > self.facts.restarts:
            self.facts.restarts = n
            self.asked = []
            self.facts.symbols = {}  # The new attempt makes its own.

    def on_dynamo_start(self, body: Any, payload: str, reader: Reader) -> None:
        self.started = True
        self.facts.file, self.facts.line, self.facts.function = reader.place(body["stack"])

    def on_fx_graph_cache_hit(self, body: Any, payload: str, reader: Reader) -> None:
        self.facts.cached = True

    def on_inductor_output_code(self, body: Any, payload: str, reader: Reader) -> None:
        self.facts.modules += 1

    def on_dynamo_graph_break_reason(self, body: Any, payload: str, reader: Reader) -> None:
        where = re.search(r"Graph break in user code at (.*):(\d+)\n", payload)
        reason = re.search(r"^(?:Graph Break )?Reason: (.*)$", payload, re.MULTILINE)
        self.facts.breaks.append(
            (
                bare(reason.group(1)).rstrip(":") if reason else "",
                where.group(1) if where else "",
                int(where.group(2)) if where else 0,
            )
        )

    def on_recompile_reasons(self, body: Any, payload: str, reader: Reader) -> None:
        try:
            told = json.loads(payload)
        except ValueError:
            told = payload
        self.facts.recompiled += [bare(r) for r in (told if isinstance(told, list) else [told])]

    def on_dynamo_cpp_guards_str(self, body: Any, payload: str, reader: Reader) -> None:
        told = list(guards(payload))
        self.tree = [bare(g) for g in told]
        self.facts.guards = sorted({guard(g) for g in told})

    def on_create_symbol(self, body: Any, payload: str, reader: Reader) -> None:
        stack = body.get("user_stack") or []
        users = [f for f in stack if not library(reader.names[f["filename"]])]
        file, line, _ = reader.place(users or stack)
        self.facts.symbols[body["symbol"]] = (body["source"], body["val"], body["vr"], file, line)

    def on_guard_added_fast(self, body: Any, payload: str, reader: Reader) -> None:
        self.asked.append(body["expr"])

    def on_compilation_metrics(self, body: Any, payload: str, reader: Reader) -> None:
        f = self.facts
        self.measured = True
        if body.get("co_name"):
            f.function, f.file, f.line = body["co_name"], body["co_filename"], body["co_firstlineno"]
        f.operations = body.get("graph_op_count")
        f.seconds = body.get("entire_frame_compile_time_s")
        if body.get("fail_type") or body.get("fail_reason"):
            f.failure = bare("%s: %s" % (body.get("fail_type"), body.get("fail_reason")))
            if body.get("fail_user_frame_lineno"):
                f.failed_at = body["fail_user_frame_filename"], body["fail_user_frame_lineno"]

    def on_bwd_compilation_metrics(self, body: Any, payload: str, reader: Reader) -> None:
        if body.get("is_forward") is None:  # torch 2.6: what ends before it is known, at a limit
            self.on_compilation_metrics(body, payload, reader)
            return
        self.facts.later += (body.get("backward_cumulative_compile_time_us") or 0) / 1e6
        if body.get("fail_type"):
            text = bare("%s: %s" % (body["fail_type"], body["fail_reason"]))
            times = dict(self.facts.backward)
            times[text] = times.get(text, 0) + 1
            self.facts.backward = list(times.items())

    def finish(self) -> None:
        self.facts.symbols = {
            name: (source, bare(value), span(told, {source: self.tree, name: self.asked}), file, line)
            for name, (source, value, told, file, line) in self.facts.symbols.items()
        }

    def graph(self, stage: str, payload: str) -> None:
        self.facts.graphs.setdefault(stage, []).append(nodes(payload))


def guards(tree: str) -> "Iterator[str]":
    """The conditions in the text of a guard tree, without the places that they come from."""
    for line in tree.split("\n"):
        leaf = re.match(r"^[|\s]*\+- ([A-Z_0-9]+): (.*)$", line)
        if leaf:
            yield without_comment(leaf.group(2))


def without_comment(text: str) -> str:
    """Text up to a # or a hint outside of quotes."""
    quote = ""
    escaped = False
    for i, c in enumerate(text):
        if escaped:
            escaped = False
        elif quote:
            escaped = c == "\\"
            if c == quote:
                quote = ""
        elif c in "'\"":
            quote = c
        elif c == "#" or text.startswith("(HINT: ", i):
            return text[:i].rstrip()
    return text.rstrip()


def library(file: str) -> bool:
    return "-packages/" in file or re.search(r"/lib/python3\.\d+/", file) is not None or file.startswith("<frozen ")


def span(told: str, asked: "dict[str, list[str]]") -> str:
    """Say in words what a symbol may be.

    That is what "[2, int_oo]" allows, less what conditions with a number take away: guards, which name the
    symbol's source, and what lines of the program asked, where no guards were made.
    """
    low, high = (_number(b) for b in told[told.index("[") + 1 : told.rindex("]")].split(", "))
    for name, conditions in asked.items():
        value = re.escape(name)
        for c in conditions:
            both = re.fullmatch(r"(?:(-?\d+) (<=?) )?%s(?: (<=?) (-?\d+))?" % value, c)
            if both and both.group(1):
                low = max(low, int(both.group(1)) + (both.group(2) == "<"))
            if both and both.group(4):
                high = min(high, int(both.group(4)) - (both.group(3) == "<"))
            over = re.fullmatch(r"%s (>=?) (-?\d+)" % value, c)
            if over:
                low = max(low, int(over.group(2)) + (over.group(1) == ">"))
    if low == high:
        return "%d only" % low
    if low == -math.inf:
        return "" if high == math.inf else "%d or less" % high
    return "%d or more" % low if high == math.inf else "%d to %d" % (low, high)


def _number(bound: str) -> float:
    """A bound; where torch has no infinity yet it takes the largest numbers for it."""
    if "oo" in bound or "inf" in bound or abs(float(bound)) > 2**61:
        return -math.inf if bound.startswith("-") else math.inf
    return int(bound) if re.fullmatch(r"-?\d+", bound) else float(bound)


def nodes(text: str) -> "list[tuple[str, str, int]]":
    """The operations of a graph and the user's line of each, read with Python's own parser."""
    # Of a wrapped lambda torch makes "class <lambda>(torch.nn.Module):".
    source = re.sub(r"^( *class )<(\w+)>", r"\1\2_", textwrap.dedent(text).strip("\n") + "\n", flags=re.MULTILINE)
    places: "dict[int, tuple[str, int]]" = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            at = re.match(r"# (?:Backward of forward node: )?File: (.*?):(\d+) in ", token.string)
            if at:
                places[token.start[0]] = (at.group(1), int(at.group(2)))
            elif token.string.startswith("# No stacktrace found"):
                places[token.start[0]] = ("", 0)
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and function.name == "forward":
            for statement in function.body:
                name = operation(statement, function)
                if name:
                    above = [n for n in places if function.lineno < n <= statement.lineno]
                    found.append((name, *(places[max(above)] if above else ("", 0))))
    return found


def operation(statement: ast.stmt, function: ast.FunctionDef) -> str:
    """The name of the operation that a statement of a graph's text is, "" for another statement."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(statement, ast.AugAssign) or isinstance(target, ast.Subscript):
        # What works in place has its name behind it: x += 1;  iadd = x
        behind = function.body[function.body.index(statement) + 1]
        return behind.targets[0].id if isinstance(behind, ast.Assign) else behind.target.id  # type: ignore
    if isinstance(statement, ast.AnnAssign):
        target, value = statement.target, statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        value = statement.value
    else:
        return ""
    named = value
    while isinstance(named, ast.Attribute):
        named = named.value
    if value is None or isinstance(named, ast.Name) or isinstance(value, ast.Constant) and value.value is None:
        return ""
    return target.id if isinstance(target, ast.Name) else ""
