"""Facts on which torch's log and depyf differ for a known reason. Each row is one kind of difference.

A row that no program of a whole run needs any more fails the run (check.py): the table only gets shorter by itself.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

from .compare import Mismatch


class Row(NamedTuple):
    name: str
    versions: str  # A regular expression for torch's version.
    of: str  # The same for the kind of programs,
    program: str  # the program,
    kind: str  # the kind of fact,
    words: str  # and "torch's word / depyf's word".
    reason: str  # Why it is no mistake of depyf's, or what is still to mend.

    def applies(self, version: str, of: str) -> bool:
        return bool(re.match(self.versions, version) and re.fullmatch(self.of, of))


ROWS: "list[Row]" = [
    Row(
        "a guard that the text log makes",
        r"2\.15",
        "models",
        "mixtral|swin",
        "guards without TORCH_TRACE",
        r"^\[\"type\(L\['self'\]\.config\.output_\w+\) is bool\"\] / \[\]$",
        "Where torch writes its text log (TORCH_LOGS), it makes this guard as well, with depyf and without: "
        "its own trees of guards say so. The run of which depyf's statements are kept writes no log.",
    ),
]


def excuse(version: str, of: str, program: str, mismatch: Mismatch) -> "Optional[Row]":
    """The row that a difference is an example of."""
    words = "%s / %s" % (mismatch.torch, mismatch.depyf)
    for row in ROWS:
        if (
            row.applies(version, of)
            and re.fullmatch(row.program, program)
            and re.fullmatch(row.kind, mismatch.kind)
            and re.search(row.words, words, re.DOTALL)
        ):
            return row
    return None
