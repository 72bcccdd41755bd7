"""The facts of one compilation, in the form in which both sides are compared.

Each side fills it by itself: `recorded` from torch's records, `said` from depyf's.
"""

from __future__ import annotations

import dataclasses
import re
import tempfile
from typing import Optional


@dataclasses.dataclass
class Facts:
    """One compilation. None stands for a fact that was not told."""

    id: str
    function: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None
    ended: bool = True  # Programs that run to their end leave none that has not.
    restarts: int = 0
    breaks: "list[tuple[str, str, int]]" = dataclasses.field(default_factory=list)  # Reason, file, line.
    recompiled: "list[str]" = dataclasses.field(default_factory=list)
    failure: Optional[str] = None  # "Type: text".
    failed_at: Optional["tuple[str, int]"] = None
    raised: Optional[str] = None  # Type of the error that reached the caller.
    backward: "list[tuple[str, int]]" = dataclasses.field(default_factory=list)  # "Type: text", how often.
    limit: Optional[str] = None  # The setting that allows no more versions, and its value.
    operations: Optional[int] = None
    guards: "Optional[list[str]]" = None
    seconds: Optional[float] = None
    later: float = 0  # Seconds for backward passes.
    # Name -> source, value, range in words, file, line.
    symbols: "dict[str, tuple[str, str, str, str, int]]" = dataclasses.field(default_factory=dict)
    # Stage -> one list for each time it was recorded: node, file, line.
    graphs: "dict[str, list[list[tuple[str, str, int]]]]" = dataclasses.field(default_factory=dict)
    modules: int = 0  # that Inductor has written, without those that only measure kernels
    cached: bool = False  # Something of it came from Inductor's cache: no fact, but a reason for what a log lacks.


KINDS = [f.name for f in dataclasses.fields(Facts) if f.name not in ("id", "cached")]


def bare(text: str) -> str:
    """Text without what is different in each run, and with every white space alike.

    That is addresses, which are also object ids and parts of names, the time in nanoseconds, the UUID in the name of a
    compiled function, and folders that are there for one run or one user.
    """
    text = _FOLDER.sub("/FOLDER", text)
    text = _CACHE.sub("<inductor cache>/", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    text = re.sub(r"\b0x[0-9a-f]+", "0x", text)
    text = re.sub(r"(__compiled_fn_\d+)_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}", r"\1", text)
    text = re.sub(r"\d{12,}", "ID", text)
    return " ".join(text.split())


_FOLDER = re.compile(re.escape(tempfile.gettempdir()) + r"/tmp\w{8}\b")
_CACHE = re.compile(r"[^\s'\"()]*torchinductor_\w+/(?:[a-z0-9]+/)*")
_ADDRESS = re.compile(r"^___check_(obj|type)_id\((.*), (\d{6,}|'[^']*'|\"[^\"]*\")\)(?:,? type=.*)?$", flags=re.DOTALL)

# How torch and depyf word a guard -> what both become.
_GUARD = (
    (re.compile(r"\.size\(\)\[(\d+)\]"), r".shape[\1]"),
    # All settings of torch that the guard compares with, a screenful: the check's name says it.
    (re.compile(r"^(___check_global_state\(\)) against \{.*\}$"), r"\1"),
)


def guard(text: str) -> str:
    """Text of a guard, with what depyf words in its own way made alike.

    Where torch compares an address, or depyf says in words which object that was, that stands behind " is ": see meant.
    """
    identity = _ADDRESS.match(text)
    if identity:
        what, checked, which = identity.groups()
        return "%s is %s" % (("type(%s)" if what == "type" else "%s") % bare(checked), which)
    text = bare(text)
    for pattern, plain in _GUARD:
        text = pattern.sub(plain, text)
    return text
