"""What depyf says of torch's own logs, TORCH_TRACE and TORCH_LOGS, without having watched the program.

Both are read as far as one program wrote them. A log has less than a session: what it cannot tell is left out of
the comparison here, by name.
"""

from __future__ import annotations

import copy
import importlib.metadata
import logging
import os
import pathlib
import re
import sys

from . import said
from .compare import Mismatch, compare
from .form import Facts

SWITCHES = "+dynamo,guards,recompiles,graph_breaks,graph_code,aot_graphs,post_grad_graphs,dynamic"

# What only a hook can tell: whether an error reached the caller.
UNTOLD_BY_TRACE = {"raised"}
# The text has no times, no counts and no error of a backward pass; that of a limit has no name.
UNTOLD_BY_TEXT = {"modules", "raised", "seconds", "later", "backward", "failed_at", "operations", "failure"}


# While torch 2.6 and 2.9 write of graph breaks, they also record more of them.
WRITES = tuple(int(n) for n in importlib.metadata.version("torch").split(".")[:2]) >= (2, 12)


def prepare(home: str) -> None:
    """Let torch write its text into a file. It looks when it is imported."""
    if not WRITES:
        return
    os.environ["TORCH_LOGS"] = SWITCHES
    os.environ["TORCH_LOGS_OUT"] = home + "/torch.log"


class Logs:
    """The logs, of which each program is a piece."""

    def __init__(self, binary: str, home: str) -> None:
        self.binary, self.home = binary, pathlib.Path(home)
        self.names = ""  # The trace tells a file's name once.
        self.taken = 0
        for logger in logging.Logger.manager.loggerDict.values():  # It is written into the file as well.
            for handler in getattr(logger, "handlers", [])[:]:
                if getattr(handler, "stream", None) is sys.stderr:
                    logger.removeHandler(handler)

    def skip(self, trace: str) -> None:
        """Leave out what was logged before the program."""
        self._name(trace)
        if WRITES:
            self._text()

    def _name(self, trace: str) -> None:
        self.names += "".join(line + "\n" for line in trace.split("\n") if re.search(r'\] \{"str": \[', line))

    def differences(self, facts: "list[Facts]", trace: str) -> "list[Mismatch]":
        """Compare what depyf makes of the logs of a program with what torch has recorded."""
        found = self._against(facts, "trace.log", self.names + trace, UNTOLD_BY_TRACE)
        self._name(trace)
        if WRITES:
            found += self._against(facts, "text.log", self._text(), UNTOLD_BY_TEXT)
        return found

    def _text(self) -> str:
        with (self.home / "torch.log").open(encoding="utf-8", newline="") as file:
            file.seek(self.taken)
            text = file.read()
            self.taken = file.tell()
        return text

    def _against(self, facts: "list[Facts]", name: str, text: str, untold: "set[str]") -> "list[Mismatch]":
        if not facts:
            return []  # Nothing was compiled: there is nothing to read.
        path = self.home / name
        path.write_text(text, encoding="utf-8", newline="")
        told = said.facts(said.report(self.binary, path))
        settle = _settle_text if "seconds" in untold else _settle
        if "seconds" in untold and told:
            told[-1].ended = True  # Where the text stops, it cannot tell.
        return [
            Mismatch(m.compilation, "%s in %s" % (m.kind, name), m.torch, m.depyf)
            for m in compare([_logged(f, untold) for f in facts], [_logged(f, untold) for f in told], settle)
        ]


def _settle(torch: Facts, depyf: Facts) -> None:
    """Torch 2.6 records that a limit is reached, but not its value: depyf says 0."""
    if torch.limit and depyf.limit == torch.limit.split()[0] + " 0":
        depyf.limit = torch.limit


def _settle_text(torch: Facts, depyf: Facts) -> None:
    """A graph that comes from Inductor's cache is recorded once more, but not written."""
    _settle(torch, depyf)
    stage = "AFTER_POST_GRAD"
    written = depyf.graphs.get(stage, [])
    if torch.cached and all(g in torch.graphs.get(stage, []) for g in written):
        torch.graphs = {**torch.graphs, stage: written}
        if not written:
            del torch.graphs[stage]


def _logged(facts: Facts, untold: "set[str]") -> Facts:
    """The facts that such a log has."""
    out = copy.deepcopy(facts)
    for kind in untold:
        setattr(out, kind, getattr(Facts(id=""), kind))
    if out.guards is not None:  # Of an object the log has an address, which depyf does not repeat.
        out.guards = sorted({g.rpartition(" is ")[0] or g for g in out.guards})
    if "seconds" in untold:
        out.symbols = {name: (*s[:2], "", "", 0) for name, s in out.symbols.items()}
        out.graphs = {stage: graphs for stage, graphs in out.graphs.items() if stage != "Joint_graph"}
    return out
