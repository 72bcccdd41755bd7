"""The numbers and statements of index.md and report.html, and what they have to be by the JSON form.

Both pages are read as a person reads them, as text. A page that tells many things of one kind in fewer lines
(see "like these") is compared in what it counts.
"""

from __future__ import annotations

import collections
import html
import pathlib
import re
from typing import Any, Iterator

from .form import guard

_PROOFS = ("exact", "proved")


def differences(folder: pathlib.Path, told: "dict[str, Any]") -> "list[tuple[str, Any, Any]]":
    """List each statement of a page that is not what the JSON form says: kind, by the form, on the page."""
    want = wanted(told)
    found = []
    for name, read in (("index.md", index), ("report.html", report)):
        have = read((folder / name).read_text(encoding="utf-8"))
        found += [("%s, %s" % (name, k), want[k], have[k]) for k in have if have[k] != want[k]]
    return found


def wanted(told: "dict[str, Any]") -> "dict[str, Any]":
    """Every statement, by the JSON form."""
    all_ = told["compilations"]
    made = [c for c in all_ if c["version"] is not None]
    ids = {(c["id"], c.get("resets", 0)): c for c in made}
    frames = {(c["id"].rpartition("/")[0], c.get("resets", 0)) for c in made if c["id"]}
    first = [c for c in made if c["version"] == 0]
    raised = [c for c in all_ if c["version"] is None and (c["failure"] or {}).get("raised")]
    limited = [c for c in all_ if c.get("limit") and (c["id"].rpartition("/")[0], c.get("resets", 0)) in frames]
    failed_calls = collections.Counter(
        (_spoken(c["name"]), c["line"], c["failure"]["error"]) for c in raised if c not in limited
    )
    backward = [
        (_spoken(c["name"]), c["line"], b["text"].split(":")[0], b["times"])
        for c in all_
        for b in c.get("backward_failures", [])
    ]
    refused = {c["id"] for c in raised}
    resumes = [c for c in first if _is_resume(c)]
    graphs = {g["name"] for g in told["graphs"] if g["name"] and g["compilation"] not in refused}
    left = [
        c
        for c in all_
        if c["version"] is None and c["function"] and c not in raised and c not in limited and not c.get("cut")
    ]
    return {
        "functions": len(first) - len(resumes),
        "resume functions": len(resumes),
        "compiled versions": len(made),
        "graphs": len(graphs) if made else 0,  # Where nothing was compiled the pages count nothing.
        "graph breaks": _lines(all_)[0] if made else 0,  # Where nothing was compiled the pages count nothing.
        # Some versions of torch do not say why; and what is compiled again may come to nothing.
        "recompilations": max(
            _causes(all_)[0], len(made) - len({(c["code_object"], c.get("resets", 0)) for c in made})
        ),
        "proven": sum(c["code"]["verdict"] in _PROOFS for c in made),
        "at the limit": len(limited),
        "limits": sorted("%s = %s" % (c["limit"]["setting"], c["limit"]["value"]) for c in limited),
        "calls that raised": sum(failed_calls.values()),
        "backward passes that raised": sum(times for *_, times in backward),
        "failures": sorted([(*k, n) for k, n in failed_calls.items()] + backward),
        "causes of recompiling": _causes(all_),
        "lines that break": _lines(all_),
        "kinds of failures": len(failed_calls) + len(backward),
        "left uncompiled": sorted((_spoken(c["name"]), c["line"]) for c in left),
        "versions": sorted((c["version"], _id(c), c["code"]["file"], _verdict(c), tuple(c["calls"])) for c in made),
        "compilations": sorted(
            (c["version"], _id(c), _seconds(c["seconds"]), _seconds(c.get("backward_seconds"), 0.01)) for c in made
        ),
        "seconds": _tenth(sum((c["seconds"] or 0) + c.get("backward_seconds", 0) for c in all_)),
        "broken lines": sorted(_broken(made)),
        "reasons": sorted(
            (c["version"], _failed_version(r, c, ids), _check(r)) for c in made if c["version"] for r in c["recompiled"]
        ),
        "symbols": sorted(
            (
                s["name"],
                s["source"],
                s["value"],
                "fixed" if s.get("fixed") else s["range"],
                s.get("line", 0) if not s.get("fixed") else 0,
            )
            for c in made
            for s in c["symbols"]
        ),
        "files of graphs": sorted(g["file"] for g in told["graphs"]),
    }


def _is_resume(c: "dict[str, Any]") -> bool:
    return (
        bool(c.get("resumes")) or re.match(r"torch_dynamo_resume_in_|resume_in_|<resume in ", c["function"]) is not None
    )


def _causes(all_: "list[dict[str, Any]]") -> "tuple[int, int]":
    """How many recompilations have a cause, and how many more a limit refused."""
    caused = [c for c in all_ if c["recompiled"]]
    refused = sum(bool(c.get("limit")) for c in caused)
    return len(caused) - refused, refused


def _lines(all_: "list[dict[str, Any]]") -> "tuple[int, int]":
    """How many lines break graphs, and how often in all."""
    breaks = [(b["file"], b["line"]) for c in all_ for b in c["breaks"]]
    if not breaks:  # Some versions of torch do not say where: resume functions go on behind the lines.
        resumed = {(c["file"], c["line"]) for c in all_ if _is_resume(c)}
        return len(resumed), len(resumed)
    return len(set(breaks)), len(breaks)


def _id(c: "dict[str, Any]") -> str:
    return c["id"] + (" after reset %d" % c["resets"] if c.get("resets") else "")


def _verdict(c: "dict[str, Any]") -> str:
    code = c["code"]
    return (code["verdict"] if code["verdict"] in _PROOFS else "not") + ", running" * code["swapped"]


def _seconds(s: Any, least: float = 0) -> str:
    return "%.2f" % s if s and s >= least else ""


def _tenth(s: float) -> str:
    return "%.1f" % s if s else ""


def _broken(made: "list[dict[str, Any]]") -> "Iterator[tuple[str, int]]":
    """The graph breaks of each function: equal ones of its versions once."""
    seen = set()
    for c in made:
        for b in c["breaks"]:
            key = (c["code_object"], b["file"], b["line"], b["reason"])
            if key not in seen:
                seen.add(key)
                yield pathlib.PurePath(b["file"]).name, b["line"]


def _failed_version(reason: str, c: "dict[str, Any]", ids: "dict[Any, dict[str, Any]]") -> int:
    before = ids.get((reason.partition(": ")[0], c.get("resets", 0)))
    return before["version"] if before else -1


def _check(reason: str) -> str:
    """The check in a reason; what an address has become is compared elsewhere."""
    check = re.sub(r"^!?[\d/]+: ", "", reason.split("\n")[0])
    check = guard(re.split(r"\s+# | \(HINT: ", check)[0].strip())
    checked, is_, what = check.rpartition(" is ")
    return check if not is_ or what.startswith("not ") else checked + is_


_CODE = r"`+ ?(.*?) ?`+"


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def index(text: str) -> "dict[str, Any]":
    """Read index.md."""
    head, compiled, rest = text.partition("<details>")
    rest = rest if compiled else text
    crowded = "like these" in rest or re.search(r"^\| `[^`]*\*", rest, re.MULTILINE)
    numbers: "dict[str, Any]" = {
        "functions": _number(r"\*\*(\d+) functions?\*\* compiled", head),
        "compiled versions": _number(r"into (\d+) versions?", head),
        "graphs": _number(r"with (\d+) graphs?\.", head),
        "graph breaks": _number(r"\*\*(\d+) graph breaks?\*\*", head),
        "resume functions": _number(r"goes on in (\d+) resume functions?", head),
        "recompilations": _number(r"\*\*(\d+) recompilations?\*\*", head),
        "at the limit": _number(r"\*\*(\d+) functions?\*\* reached the limit", head),
        "calls that raised": _number(r"\*\*(\d+) calls? raised an error\*\*", head),
        "backward passes that raised": _number(r"\*\*backward pass raised an error\*\* (\d+) times?", head),
    }
    again = re.search(r"^## Why code was compiled again\n+(\d+) recompil\w+(?: and (\d+) more)?", text, re.MULTILINE)
    numbers["causes of recompiling"] = tuple(int(n or 0) for n in again.groups()) if again else (0, 0)
    lines = re.search(
        r"^## Lines that break the graph\n+(\d+) lines? breaks? the graph, (\d+) times? in", text, re.MULTILINE
    )
    numbers["lines that break"] = tuple(map(int, lines.groups())) if lines else (0, 0)
    said = re.search(r"- (All|\d+) of (?:the versions|\d+ versions?)\b.*proved equal", head)
    if said:
        numbers["proven"] = numbers["compiled versions"] if said.group(1) == "All" else int(said.group(1))
    failed = re.search(r"^## What failed\n(.*?)^## ", rest + "\n## ", re.MULTILINE | re.DOTALL)
    failures = []
    for line in failed.group(1).splitlines() if failed else ():
        at = re.match(r"- %s( from line \d+ on)? \((.*?)(?::(\d+))?\)(?:, compile id [^:]*)?: (.*)" % _CODE, line)
        if at:
            name, rest_of, _, number, what = at.groups()
            name = _spoken(name) + (rest_of or "")
            error = re.search("raised " + _CODE, what)
            times = re.search(r"^(\d+) calls raised|, (\d+) times: ", what)
            failures.append(
                (
                    name,
                    int(number or 0),
                    error.group(1) if error else "",
                    int(next(filter(None, times.groups()))) if times else 1,
                )
            )
    facts: "dict[str, Any]" = {**numbers, "failures": sorted(failures)}
    facts["limits"] = sorted(
        "%s = %s" % m for m in re.findall(r"the limit `torch\._dynamo\.config\.(\w+)` = (\d+) is reached\. ", rest)
    )
    if crowded:
        return facts
    facts["left uncompiled"] = sorted(
        (_spoken(m.group(1)) + (m.group(2) or ""), int(m.group(3) or 0))
        for m in re.finditer(
            r"^- %s( from line \d+ on)? \((?:[^()]*?|.*?\)?)(?::(\d+))?\) runs as ordinary Python: " % _CODE,
            text,
            re.MULTILINE,
        )
    )
    facts["versions"] = sorted(
        (int(n), id or "", file, verdict, tuple(re.findall(r"graph `([^`]*)`", calls)))
        for n, id, file, verdict, calls in re.findall(
            r"^\| (\d+)(?: \(([^)]*)\))? \| \[`[^`]*`\]\((.*?)\)<br>(\w+(?:, running)?).*? \| .* \| (.*) \|$",
            rest,
            re.MULTILINE,
        )
    )
    facts["broken lines"] = sorted(
        (pathlib.PurePath(_plain(f)).name, int(n))
        for f, n in re.findall(r"^\*\*Graph break\*\* at (.+?):(\d+)[ :]", rest, re.MULTILINE)
    )
    facts["reasons"] = sorted(_reasons(rest))
    symbols = []
    for block in re.findall(r"^\*\*Sizes and numbers that may vary\*\* .*\n\n((?:- .*\n)*)", rest, re.MULTILINE):
        symbols += [_symbol(line[2:]) for line in block.splitlines()]
    facts["symbols"] = sorted(symbols)
    graphs = re.search(r"^## Graphs and kernels\n(.*?)^## ", rest, re.MULTILINE | re.DOTALL)
    facts["files of graphs"] = sorted(re.findall(r"\]\((\S+)\)", graphs.group(1))) if graphs else []
    return facts


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def _reasons(text: str) -> "Iterator[tuple[int, int, str]]":
    """The reasons of all recompilations: "versions 0 to 2 as before" stands for what was told of these last."""
    last = 0
    told: "dict[int, str]" = {}
    for number, block in re.findall(
        r"^\*\*Recompiled\*\* as version (\d+), because:\n\n((?:- .*\n)*)", text, re.MULTILINE
    ):
        version = int(number)
        if version <= last:
            told = {}  # The next function.
        last = version
        for line in block.splitlines():
            again = re.match(r"- versions? ([\d, to]+) as before$", line)
            if again:
                yield from ((version, old, told.get(old, line)) for old in _numbers(again.group(1)))
                continue
            reason = _reason(version, line[2:])
            told[reason[1]] = reason[2]
            yield reason


def _numbers(text: str) -> "Iterator[int]":
    """The numbers of "0, 2 to 4"."""
    for part in text.split(", "):
        first, _, last = part.partition(" to ")
        yield from range(int(first), int(last or first) + 1)


def _reason(version: int, line: str) -> "tuple[int, int, str]":
    said = re.match(r"(?:version (\d+): )?%s(?:, from | at |$)" % _CODE, line)
    if not said:
        return version, -1, line
    return version, int(said.group(1) or -1), _check(said.group(2))


def _symbol(line: str) -> "tuple[str, str, str, str, int]":
    name, source, rest = re.match(r"%s is %s: (.*)" % (_CODE, _CODE), line).groups()  # type: ignore[union-attr]
    rest = _plain(rest)
    value = rest.partition(" when compiled")[0]
    if "; does not vary: " in rest:
        return name, source, value, "fixed", 0
    span = re.search(r"; may be ([^;]*)", rest)
    met = re.search(r"; met at \S*?:(\d+)", rest)
    return name, source, value, span.group(1) if span else "", int(met.group(1)) if met else 0


def _spoken(name: str) -> str:
    """What index.md calls a function that is left uncompiled: a resume function by the one that it resumes."""
    at = re.match(r"torch_dynamo_resume_in_(.*)_at_(\d+)$", name)
    inner = at
    while inner and (deeper := re.match(r"torch_dynamo_resume_in_(.*)_at_(\d+)$", inner.group(1))):
        inner = deeper
    return "%s from line %s on" % (inner.group(1), at.group(2)) if at and inner else name


def report(text: str) -> "dict[str, Any]":
    """Read report.html."""
    text = re.sub(r"</?a\b[^>]*>", "", text)  # what leads somewhere reads as what does not
    tiles = {re.sub(r"s\b", "", what): n for n, what in re.findall(r"<li[^>]*><b>([^<]*)</b> ([^<]*)</li>", text)}
    nothing = re.search("Nothing was compiled (?:while depyf watched|to run here)", text) is not None
    facts: "dict[str, Any]" = {
        "functions": len(re.findall(r'<section class="function">', text)),
        "resume functions": len(re.findall(r"<h3 id=", text)),
        "failures": sorted(_failed(html.unescape(m)) for m in _failures(text)),
        "left uncompiled": sorted(
            (_spoken(html.unescape(name)), int(line or 0))
            for name, line in re.findall(
                r"<li[^>]* id=\"left-\d+\"><code>(.*?)</code> <small>(?:.*?:(\d+)|[^<]*)</small>: ", text
            )
        ),
        "compilations": sorted(
            (int(n), id or "", s or "", later or "")
            for n, id, s, later in re.findall(
                r"<h3>Version (\d+)(?: <small>compile id ([^<]*)</small>)? <span .*?</span>"
                r"(?: <small>compiled in ([\d.]+) s[^<]*</small>)?"
                r"(?: <small>· backward pass compiled in ([\d.]+) s</small>)?",
                text,
            )
        ),
        "limits": sorted(
            "%s = %s" % m
            for m in re.findall(r"the limit <code>torch\._dynamo\.config\.(\w+)</code> = (\d+) is reached\. ", text)
        ),
        "broken lines": sorted(
            (pathlib.PurePath(html.unescape(f)).name, int(n))
            for f, n in re.findall(r"<b>Graph break</b> at ([^<]+?):(\d+)[ :]", text)
        ),
    }
    if not nothing:
        kept = tiles.get("version proven")
        proven = kept or tiles["version run a proven source"]
        facts.update(
            {
                "functions": int(tiles["function compiled"]),
                "graphs": int(tiles["graph"]),
                "graph breaks": int(tiles["graph break"]),
                "recompilations": int(tiles["recompilation"]),
                "compiled versions": int(proven.split(" of ")[1]),
                "seconds": tiles.get("of compiling", "").replace(" s", ""),
                "at the limit": int(tiles.get("at the limit of recompilation", 0)),
                "kinds of failures": int(tiles.get("failed", 0)),
            }
        )
    return facts


def _failures(text: str) -> "list[str]":
    section = re.search(r"<section[^>]*><h2[^>]*>What failed</h2>(.*?)</section>", text, re.DOTALL)
    note = r'<div class="note bad"[^>]*>(.*?)(?:<ul>|</div>)'
    said = re.findall(note, section.group(1), re.DOTALL) if section else []
    return [s for s in said if " raised <code>" in s]  # Not what was suppressed, and no limits.


def _failed(line: str) -> "tuple[str, int, str, int]":
    name = r"<code>(.*?)</code>( from line \d+ on)?"
    at = re.match(name + r" \((?:.*?:(\d+)|.*?)\)(?:, compile id [^:]*)?: (.*)", line, re.DOTALL)
    assert at, line
    name, rest_of, number, what = at.groups()
    error = re.search("raised <code>(.*?)</code>", what)
    times = re.search(r"^(\d+) calls raised|, (\d+) times: ", what)
    return (
        _spoken(name) + (rest_of or ""),
        int(number or 0),
        error.group(1) if error else "",
        int(next(filter(None, times.groups()))) if times else 1,
    )
