"""Why something failed, with everything taken out that is the program's own."""

from __future__ import annotations

import re

_RULES = (
    (re.compile(r"^(frame\d+: )?([\w<>]+\.[\w<>.]+|__\w+): "), ""),  # Which function it is in.
    (re.compile(r"names differ: .*"), "names differ"),
    (re.compile(r"[\"'`“][^\"'`”]*[\"'`”]"), "…"),
    (re.compile(r"(/[\w.<>-]+)+"), "PATH"),
    (re.compile(r"\b[A-Za-z]\w*_\w*\d\w*\b|\b__\w+\b"), "NAME"),
    (re.compile(r"\b\d+\b"), "N"),
    (re.compile(r"\b([a-z]+)\d+\b"), r"\1N"),
    (re.compile(r"\s+"), " "),
)


def cause(text: str) -> str:
    """The cause that a message words, without names, numbers and paths."""
    text = text.strip().split("\n")[0]
    for pattern, with_ in _RULES:
        text = pattern.sub(with_, text)
    return text[:160]
