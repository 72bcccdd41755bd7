"""depyf.explain in a real Jupyter kernel: what a cell shows, and which lines it names."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import unittest
from typing import Any

import support

# The Python of an environment with ipykernel and jupyter_client, of the version of this one.
NOTEBOOK = os.environ.get("DEPYF_NOTEBOOK", "")

SETUP = """\
import os, torch, depyf
secret = "hunter2"
"""
HELPER = """\
def helper(x):
    return x.sin() + 1
"""
BREAKS = """\
def f(x):
    y = helper(x)
    print("in the middle")
    return y * 2
"""
EXPLAIN = """depyf.explain(f, torch.ones(3), backend="eager")"""
SIZES = """\
def g(x, n):
    return helper(x) * n

answer = depyf.explain(g, calls=[(torch.ones(3), n) for n in (2, 3.5, "a")][:2], backend="eager", dynamic=False)
answer
"""
RAISES = """\
def h(x):
    y = helper(x)
    raise ValueError("it is <b>wrong</b>")

depyf.explain(h, torch.ones(3), backend="eager")
"""
LAST = """print(depyf.explain.last.raised); print([s["name"] for s in depyf.explain.last.json()["sources"]][:2])"""
BLOCK = """\
compiled = torch.compile(f, backend="eager")
with depyf.explain() as answer:
    compiled(torch.ones(4))
answer
"""
AGAIN = """answer = depyf.explain(compiled, torch.ones(4)); answer"""
FOLDER = """print(os.path.isfile(answer.folder + "/report.html"), answer.folder)"""


@unittest.skipIf(support.TORCH < (2, 15), "a notebook is tried with the newest torch")
@unittest.skipUnless(
    NOTEBOOK, "NOT RUN: there is no environment with ipykernel (DEPYF_NOTEBOOK is the path of its Python)"
)
@support.needs_program
class Notebook(unittest.TestCase):
    outputs: list[list[dict[str, Any]]]

    @classmethod
    def setUpClass(cls) -> None:
        cells = [SETUP, HELPER, BREAKS, EXPLAIN, SIZES, RAISES, LAST, BLOCK, AGAIN, FOLDER]
        env = {k: v for k, v in os.environ.items() if not k.startswith("DEPYF_") or k == "DEPYF_BINARY"}
        # The kernel gets torch from the environment of this test.
        env["PYTHONPATH"] = os.pathsep.join([str(support.ROOT / "python"), sysconfig.get_path("purelib")])
        done = subprocess.run(
            [NOTEBOOK, "-B", str(pathlib.Path(__file__).with_name("notebook.py"))],
            input=json.dumps(cells),
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=600,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.outputs = json.loads(done.stdout)

    def of(self, cell: str, kind: str) -> dict[str, Any]:
        number = [SETUP, HELPER, BREAKS, EXPLAIN, SIZES, RAISES, LAST, BLOCK, AGAIN, FOLDER].index(cell)
        found = [o for o in self.outputs[number] if o["type"] == kind]
        self.assertEqual(len(found), 1, self.outputs[number])
        return found[0]

    def card(self, bundle: dict[str, str]) -> tuple[str, str]:
        """The card as a reader sees it, and the page in it."""
        card, _, page = bundle["text/html"].partition(' srcdoc="')
        self.assertTrue(card.startswith('<div class="depyf">'), card[:100])
        words = re.sub(r"<style>.*?</style>", "", card, flags=re.S)
        return html.unescape(re.sub(r"<[^>]*>", "", words)), html.unescape(page)

    def test_nothing_is_said_before(self) -> None:
        self.assertEqual(self.outputs[:3], [[], [], []])

    def test_break(self) -> None:
        """The answer names the cell and its line, as a traceback does; its page has the source of these cells alone."""
        bundle = self.of(EXPLAIN, "execute_result")["data"]
        self.assertEqual(set(bundle), {"text/html", "text/plain"})
        card, page = self.card(bundle)
        for text in (card, bundle["text/plain"], page):
            self.assertIn("In[3]:3", text)
            self.assertIn('print("in the middle")', html.unescape(text))
        self.assertIn("1 line breaks the graph", card)
        # The code that runs instead has comments for its lines.
        for text in ("def helper(x):", "In[2]:2", "def f(x):", "# In[3]:3: print(", "# In[3]:4: return y * 2"):
            self.assertIn(text, page)
        self.assertNotIn("hunter2", json.dumps(self.outputs))
        self.assertNotIn("ipykernel_", card + bundle["text/plain"])
        self.assertEqual(self.of(EXPLAIN, "stream")["text"], "in the middle\n")

    def test_recompilation(self) -> None:
        card, page = self.card(self.of(SIZES, "execute_result")["data"])
        self.assertIn("1 recompilation", card)
        self.assertIn("In[5]:2", card)
        self.assertIn("def g(x, n):", page)

    def test_raised(self) -> None:
        """What the function raises is raised, at its line; the answer is shown above it."""
        card, page = self.card(self.of(RAISES, "display_data")["data"])
        self.assertIn("The call raised ValueError: it is <b>wrong</b>", card)
        error = self.of(RAISES, "error")
        self.assertEqual((error["ename"], error["evalue"]), ("ValueError", "it is <b>wrong</b>"))
        trace = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error["traceback"]))
        self.assertRegex(trace, r"Cell In\[6\], line 3, in h")
        self.assertEqual(self.of(LAST, "stream")["text"], "ValueError: it is <b>wrong</b>\n['In[2]', 'In[6]']\n")

    def test_block(self) -> None:
        card, _ = self.card(self.of(BLOCK, "execute_result")["data"])
        self.assertIn("In[3]:3", card)

    def test_compiled_before(self) -> None:
        bundle = self.of(AGAIN, "execute_result")["data"]
        card, _ = self.card(bundle)
        for text in (card, bundle["text/plain"]):
            self.assertIn("Nothing was compiled.", text)
            self.assertIn("torch._dynamo.reset()", text)

    def test_folder_goes_with_the_kernel(self) -> None:
        there, _, folder = self.of(FOLDER, "stream")["text"].strip().partition(" ")
        self.assertEqual((there, os.path.exists(folder)), ("True", False))


if __name__ == "__main__":
    sys.exit(unittest.main())
