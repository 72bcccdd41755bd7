"""How much of a dump is joined: graphs to lines of source, kernels to operations and lines.

    python tests/torch/links.py DUMP…

prints shares, and how many kernels differ from what Inductor's own provenance tracking says, for
a program that ran with INDUCTOR_PROVENANCE=1 (torch 2.9 and later).
"""

from __future__ import annotations

import collections
import html
import json
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "python/depyf/bin/depyf"


class Links(NamedTuple):
    nodes: int  # operations of graphs whose origin torch tells
    shown: int  # those of them whose line the page shows
    kernels: int  # calls
    joined: int  # those that lead to operations and lines
    copying: int  # those that compute no operation, and only copy inputs
    compared: int  # those of which Inductor's provenance says what they compute
    differing: List[str]  # those of them of which depyf says something else

    def __str__(self) -> str:
        return "%d of %d operations lead to a line (%s), %d of %d kernels (%s); %d compared, %d differ" % (
            *(self.shown, self.nodes, share(self.shown, self.nodes)),
            *(self.joined, self.kernels, share(self.joined, self.kernels)),
            *(self.compared, len(self.differing)),
        )


def share(part: int, whole: int) -> str:
    return "%.1f %%" % (100 * part / whole) if whole else "none"


def of(folder: pathlib.Path) -> Links:
    """Return what is joined in a dump folder."""
    said = json.loads(subprocess.check_output([str(PROGRAM), "report", "--format", "json", str(folder)]))
    on_page = _lines_of_page((folder / "report.html").read_text(encoding="utf-8"))
    names = {s["file"]: s["name"] for s in said["sources"]}

    def shows(at: Dict[str, Any]) -> bool:
        return on_page.get("%s:%d" % (names.get(at["file"]), at["line"]), "").strip() != ""

    nodes = [n for g in said["graphs"] for n in g["nodes"] or [] if n.get("file")]
    shown = [n for n in nodes if shows(n)]
    joined = [k for k in said["kernels"] if k["nodes"] and any(shows(p) for p in k["places"])]
    copying = sum(k.get("copies", False) for k in said["kernels"])
    compared, differing = _compare(said["kernels"], list(_provenance(folder)))
    return Links(len(nodes), len(shown), len(said["kernels"]), len(joined), copying, compared, differing)


def _lines_of_page(page: str) -> Dict[str, str]:
    """Return the lines of source that a page shows, by their places: it leaves out what nothing became of."""
    out = {}
    for pane in re.findall(r'<pre class="source".*?</pre>', page, re.S):
        for place, text in re.findall(r'<span class="l[^>]* data-s="([^"]*)">(.*?)(?=<small|\n</span>)', pane, re.S):
            out[html.unescape(place)] = html.unescape(text)
    return out


def _provenance(folder: pathlib.Path) -> Iterator[Tuple[str, Dict[str, List[str]]]]:
    """Yield what Inductor's provenance tracking says of each module: compile id, and nodes by kernel and handle."""
    with open(folder / "events.jsonl", encoding="utf-8") as f:
        for line in f:
            event = json.loads(line)
            fields = event["fields"]
            if event["type"] != "trace" or "inductor_provenance_tracking_node_mappings" not in fields["envelope"]:
                continue
            payload = fields["payload"]
            # Of some modules torch has nothing to say.
            text = payload if isinstance(payload, str) else _blob(folder, payload["blob"]) if payload else "{}"
            yield fields["compile_id"], json.loads(text).get("cppCodeToPost", {})


def _blob(folder: pathlib.Path, name: str) -> str:
    import zlib

    pack = (folder / ".blobs/pack").read_bytes()
    at = 0
    while at < len(pack):
        end = pack.index(b"\n", at)
        found, form, size = pack[at:end].decode().split(" ")
        data = pack[end + 1 : end + 1 + int(size)]
        if found == name:
            return (zlib.decompress(data, -15) if form == "deflate" else data).decode()
        at = end + 2 + int(size)
    raise KeyError(name)


def _compare(kernels: List[Any], told: List[Tuple[str, Dict[str, List[str]]]]) -> Tuple[int, List[str]]:
    """Compare what each module's kernels compute, by the name of the kernel and the order of the calls.

    A compilation has a module for each pass, and torch tells of them in that order; that of a backward pass may come
    when it first runs, so behind those of other compilations.
    """
    modules: Dict[str, List[Any]] = {}
    for k in kernels:
        modules.setdefault(k["file"], []).append(k)
    mappings: Dict[str, List[Dict[str, List[str]]]] = collections.defaultdict(list)
    for number, mapping in told:
        of_this = mappings[number.partition("@")[0]]  # behind "@" is how often torch was reset
        # What torch 2.9 tells of a backward pass that it compiles at once begins with the forward pass, again.
        of_this.append({k: v for k, v in mapping.items() if all(m.get(k) != v for m in of_this)})
    compared, differing = 0, []
    for file, calls in modules.items():
        waiting = mappings[calls[0]["compilation"].partition("@")[0]]
        mapping = waiting.pop(0) if waiting else {}
        by_name: Dict[str, List[List[str]]] = collections.defaultdict(list)
        for key, nodes in sorted(mapping.items(), key=lambda item: int(item[0].rpartition(":")[2] or 0)):
            by_name[key.rpartition(":")[0]].append(nodes)
        for k in calls:
            if not by_name[k["name"]]:
                continue
            nodes = by_name[k["name"]].pop(0)
            compared += 1
            if set(nodes) != set(k["nodes"]):
                differing.append("%s:%d %s: %s, Inductor says %s" % (file, k["row"], k["name"], k["nodes"], nodes))
    return compared, differing


if __name__ == "__main__":
    for name in sys.argv[1:]:
        links = of(pathlib.Path(name))
        print("%s: %s" % (name, links))
        for each in links.differing[:10]:
            print("  " + each)
