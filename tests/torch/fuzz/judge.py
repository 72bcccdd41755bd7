"""What is wrong with the runs of a program.

The watched run is compared with the compiled one, and that exactly: values, exceptions, output, log
records, warnings, what was compiled. The plain run only says whether torch itself errs. Where code of a
dumped file runs in the place of the user's, its place in tracebacks, log records and warnings is the dumped
file; there the name of the function is compared, and that a frame of the user's is in its place. A run in which
nothing is exchanged must show the very same: the text of tracebacks and the places of records as well.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
from pathlib import Path
from typing import Any

import support

from .causes import cause

DUMPED = ("dumped", 0)
# A frame is proven and swapped though a function that it makes has a text that is not: its own code runs.
INNER = "the text of functions inside"
# A frame of the user's in a stack that logging prints, where a record cannot be formatted: of either file.
_FRAME = re.compile(r'  File "[^"]*/(?:program|dump/__transformed_code_\w+)\.py", line \d+, in (.*)\n(?:    .*\n)*')


@dataclasses.dataclass(frozen=True)
class Failure:
    kind: str
    cause: str = ""
    detail: str = dataclasses.field(default="", compare=False)

    def __str__(self) -> str:
        return "%s: %s" % (self.kind, self.cause) if self.cause else self.kind


@dataclasses.dataclass
class Verdict:
    failures: "list[Failure]"
    frames: int = 0
    proven: int = 0
    swapped: int = 0
    torch_errs: bool = False
    broken: str = ""  # Why the program itself is no use.


def judge(plain: "dict[str, Any]", compiled: "dict[str, Any]", watched: "dict[str, Any]", dump: str) -> Verdict:
    """Compare the three runs of a program."""
    verdict = Verdict(differences(compiled, placed(watched, dump)))
    verdict.torch_errs = "lost" in compiled or not close(outcome(plain), outcome(compiled))
    dumped(dump, verdict)
    return verdict


def dumped(folder: str, verdict: Verdict) -> None:
    """What the dump of a watched run says is wrong."""
    dump = support.Dump(Path(folder))
    figures = dump.figures()
    verdict.frames, verdict.proven, verdict.swapped = figures["frames"], figures["proven"], figures["swapped"]
    found = verdict.failures
    for event in dump.events:
        if event["type"] == "bytecode":
            made = event["result"]["new"]
            if not made["proven"]:
                why = "%s, %s" % (made["verdict"], cause(made["detail"] or "no detail"))
                found.append(Failure("unproven", why, made["detail"]))
            elif made["detail"] and made["detail"].startswith(INNER):
                found.append(Failure("inner text", cause(made["detail"].partition("(")[2]), made["detail"]))
    proven = {e["fields"]["key"] for e in dump.events if e["type"] == "bytecode" and e["result"]["new"]["proven"]}
    for fields in dump.of("swapped"):
        if not fields["ok"] and fields["key"] in proven:
            found.append(Failure("unswapped", cause(fields["why"]), fields["why"]))
    found += [Failure("rest text", cause(p.partition(": ")[2]), p) for p in dump.rests()]
    found += [Failure("problem", cause(p), p) for p in dump.problems()]
    found += [Failure("unparsable", cause(p.partition(": ")[2]), p) for p in dump.unparsable()]
    found += [Failure("not importable", cause(p.partition(": ")[2]), p) for p in dump.not_importable()]
    if "incomplete.txt" in dump.names:
        found.append(Failure("incomplete"))


def placed(watched: "dict[str, Any]", folder: str) -> "dict[str, Any]":
    """A watched run with what each place in a dumped file stands for: one in the program, or one in a library.

    Dynamo compiles a function of a library as well; its frames are nobody's concern, whatever file they are in.
    """
    users = set()
    for event in support.Dump(Path(folder)).events:
        if event["type"] == "bytecode" and os.path.basename(event["fields"]["source_file"]) == "program.py":
            users.add(event["result"]["file"])

    def place(value: Any) -> Any:
        if isinstance(value, tuple) and len(value) == 2 and value[0] == "dumped":
            return DUMPED if value[1] in users else ("elsewhere", 0)
        if isinstance(value, (list, tuple)):
            made = [place(v) for v in value]
            if isinstance(value, list):  # Of frames, perhaps.
                return [m for m in made if not (isinstance(m, tuple) and len(m) == 2 and m[1] == ("elsewhere", 0))]
            return tuple(made)
        return value

    return {k: place(v) if k in ("calls", "logging", "warnings") else v for k, v in watched.items()}


def differences(compiled: "dict[str, Any]", watched: "dict[str, Any]") -> "list[Failure]":
    """How the watched run differs from the compiled one."""
    if "lost" in watched or "lost" in compiled:
        # A program that torch alone does not survive is compared in that.
        if _ended(compiled) == _ended(watched):
            return []
        words = "watched: %s; compiled: %s" % (watched.get("lost"), compiled.get("lost"))
        return [Failure("lost", words, watched.get("stalled") or compiled.get("stalled") or "")]
    found = []
    for i, (a, b) in enumerate(zip(compiled["calls"], watched["calls"])):
        kind = _call_kind(a, b)
        if kind:
            found.append(Failure(kind, _what(a, b), "call %d\ncompiled %s\nwatched  %s" % (i, a, b)))
    for part in ("stdout", "stderr"):
        if _FRAME.sub(r"  \1\n", compiled[part]) != _FRAME.sub(r"  \1\n", watched[part]):
            found.append(Failure(part, "", "compiled:\n%s\nwatched:\n%s" % (compiled[part], watched[part])))
    for part in ("logging", "warnings"):
        if not _same(compiled[part], watched[part]):
            found.append(
                Failure(part, _first(compiled[part], watched[part]), "%s\n%s" % (compiled[part], watched[part]))
            )
    for part in ("globals", "counters", "compilations"):
        if compiled[part] != watched[part]:
            found.append(
                Failure(part, _first(compiled[part], watched[part]), "%s\n%s" % (compiled[part], watched[part]))
            )
    if len(compiled["calls"]) != len(watched["calls"]):
        found.append(Failure("value", "number of calls"))
    return found


def _ended(seen: "dict[str, Any]") -> "list[str]":
    """How a process ended before its time; of a traceback, whose frames are ours, the first and the last line."""
    lines = seen.get("lost", "").splitlines()
    return lines[:1] + lines[-1:]


def visible(compiled: "dict[str, Any]", unswapped: "dict[str, Any]") -> "list[Failure]":
    """What shows that depyf watches where it exchanges nothing: that must be nothing at all."""
    parts = ("lost", "calls", "stdout", "stderr", "logging", "warnings", "globals", "compilations", "counters")
    found = []
    for part in (*parts, "tracebacks", "places"):
        if part == "lost" and _ended(compiled) == _ended(unswapped):
            continue
        if repr(compiled.get(part)) != repr(unswapped.get(part)):
            words = "%s\n%s" % (compiled.get(part), unswapped.get(part))
            found.append(Failure("visible", part, words))
    return found


def _call_kind(a: Any, b: Any) -> str:
    """How the outcomes of one call differ; "" if they do not."""
    if _same(a, b):
        return ""
    a0, b0 = _outcome(a), _outcome(b)
    if _is_raised(a0) and _is_raised(b0):
        return "traceback" if _same(a0[:4], b0[:4]) else "exception"
    return "exception" if _is_raised(a0) or _is_raised(b0) else "value"


def _what(a: Any, b: Any) -> str:
    a0, b0 = _outcome(a), _outcome(b)
    if _is_raised(b0):
        return "%s instead of %s" % (b0[1], a0[1] if _is_raised(a0) else "a value")
    return ""


def _outcome(call: Any) -> Any:
    return call[0] if isinstance(call, tuple) and len(call) == 3 else call


def _is_raised(result: Any) -> bool:
    return isinstance(result, tuple) and len(result) == 5 and result[0] == "raised"


def _same(a: Any, b: Any) -> bool:
    """Equality, except that a place in a dumped file stands for any place in the program."""
    if b == DUMPED:
        return bool(a[0] == "program")
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, float) and math.isnan(a):
        return math.isnan(b)
    return bool(a == b)


def _first(a: Any, b: Any) -> str:
    """The first thing that differs, in few words."""
    if isinstance(a, dict):
        return ", ".join(sorted(k for k in {*a, *b} if a.get(k) != b.get(k)))
    if isinstance(a, list):
        if len(a) != len(b):
            return "fewer" if len(a) > len(b) else "more"
    return "others"


def outcome(seen: "dict[str, Any]") -> Any:
    """What plain Python and torch.compile have to agree in: not what is compiled, nor how tracebacks look."""
    if "lost" in seen:
        return seen["lost"]
    calls = []
    for call in seen["calls"]:
        result = _outcome(call)
        if _is_raised(result):
            result = result[:2]
        calls.append([result, *(call[1:] if isinstance(call, tuple) and len(call) == 3 else ())])
    ours = [[r[0], r[1], r[2]] for r in seen["logging"] if r[0].startswith("fuzz")]
    return [calls, seen["stdout"], ours, seen["globals"]]


def close(a: Any, b: Any) -> bool:
    """Equality within rounding."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or math.isnan(a) and math.isnan(b) or math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-5)
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        if isinstance(a, tuple) and len(a) == 2 and a[0] == "float" == b[0]:
            return close(float(a[1]), float(b[1]))
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    return bool(a == b)


def differs(kind: str) -> bool:
    """Whether a kind of failure is something that the program's user sees."""
    return kind not in ("unproven", "inner text", "unswapped", "problem", "unparsable", "incomplete", "rest text")
