"""The GitHub Action: its script runs here as it would there, with a stand-in for gh."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import support

SESSIONS = support.ROOT / "testdata" / "sessions"
TOY, LIMIT = str(SESSIONS / "torch215_toy_eager"), str(SESSIONS / "torch215_limit_eager")

# Says what it was asked; lists the comments in $COMMENTS as `--jq` would.
GH = """#!%s
import json, os, sys
with open(os.environ["ASKED"], "a") as f:
    f.write(json.dumps(sys.argv[1:]) + "\\n")
if os.environ.get("GH_FAILS"):
    sys.exit("HTTP 403: Resource not accessible by integration")
if "--jq" in sys.argv:
    print(os.environ.get("COMMENTS", ""))
"""


@unittest.skipUnless(support.binary(), "NOT RUN: there is no depyf program; build it first")
@unittest.skipIf(os.name == "nt", "NOT RUN: no shell")
class Action(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        gh = self.home / "gh"
        gh.write_text(GH % sys.executable, encoding="utf-8")
        gh.chmod(0o755)

    def act(self, dump: str, **environment: str) -> "tuple[subprocess.CompletedProcess[str], str, list[Any]]":
        summary, asked = self.home / "summary.md", self.home / "asked"
        for each in (summary, asked):
            each.write_text("", encoding="utf-8")
        env = {
            **os.environ,
            "PATH": "%s%s%s" % (self.home, os.pathsep, os.environ["PATH"]),
            "DEPYF_BINARY": str(support.binary()),
            "DEPYF_DUMP_DIR": dump,
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_REPOSITORY": "owner/project",
            "ASKED": str(asked),
            **environment,
        }
        done = subprocess.run(
            [*self.command(), str(support.ROOT / "scripts" / "action.sh")],
            env=env,
            timeout=60,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
        calls = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
        return done, summary.read_text(encoding="utf-8"), calls

    def command(self) -> "list[str]":
        """The shell that action.yml names; what it runs and sets is what the script reads."""
        text = (support.ROOT / "action.yml").read_text(encoding="utf-8")
        self.assertIn('- shell: bash\n      run: bash "$GITHUB_ACTION_PATH/scripts/action.sh"\n', text)
        script = (support.ROOT / "scripts" / "action.sh").read_text(encoding="utf-8")
        for name in re.findall(r"^        (\w+): \$\{\{", text, re.M):
            self.assertIn(name, script)
        return ["bash"]

    def test_long(self) -> None:
        """GitHub takes a comment of 65,536 letters; the summary has all of it."""
        program = self.home / "depyf"
        program.write_text(
            "#!%s\nprint('- one more break at model.py:1\\n' * 4000)\nraise SystemExit(1)\n" % sys.executable
        )
        program.chmod(0o755)
        done, summary, calls = self.act(TOY, DEPYF_BINARY=str(program), PULL_REQUEST="7")
        self.assertEqual((done.returncode, summary.count("one more break")), (1, 4000))
        body = calls[-1][calls[-1].index("--field") + 1]
        self.assertTrue(body.startswith("body=<!-- depyf check -->\n## torch.compile: worse"), body[:200])
        self.assertLess(len(body), 65_536)
        self.assertIn("All of it", body)

    def test_passes(self) -> None:
        done, summary, calls = self.act(TOY, DEPYF_OPTIONS="--max-breaks 1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("## torch.compile: as good as it should be\n\n- ✓ **graph breaks**: 1 (limit 1)\n", summary)
        self.assertEqual(calls, [], "there is no pull request")

    def test_worse_than_the_baseline(self) -> None:
        done, summary, calls = self.act(LIMIT, DEPYF_BASELINE=TOY, PULL_REQUEST="7")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("## torch.compile: worse than it should be", summary)
        self.assertIn("- ✗ **recompilations**: 7 (limit 3)\n  - new: limit.py:5 `return x * len(name)`", summary)
        self.assertIn("- **graph break gone** at toy_example.py:7", summary)
        listed, written = calls
        self.assertEqual(listed[:3], ["api", "--paginate", "repos/owner/project/issues/7/comments"])
        self.assertEqual(written[:5], ["api", "--silent", "--method", "POST", "repos/owner/project/issues/7/comments"])
        self.assertEqual(written[6], "body=" + summary.rstrip("\n"))

    def test_comment_is_kept_up_to_date(self) -> None:
        _, _, calls = self.act(TOY, PULL_REQUEST="7", COMMENTS="41\n42")
        self.assertEqual(calls[1][2:5], ["--method", "PATCH", "repos/owner/project/issues/comments/41"])
        _, _, calls = self.act(TOY, PULL_REQUEST="7", DEPYF_COMMENT="false")
        self.assertEqual(calls, [])

    def test_no_permission_to_comment(self) -> None:
        done, summary, _ = self.act(TOY, PULL_REQUEST="7", GH_FAILS="1")
        self.assertEqual(done.returncode, 0)
        self.assertIn("::warning::the comments of the pull request cannot be read", done.stdout)
        self.assertIn("as good as it should be", summary)

    def test_no_baseline_yet(self) -> None:
        done, _, _ = self.act(TOY, DEPYF_BASELINE=str(self.home / "none"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("::warning::there is no baseline at", done.stdout)

    def test_no_dump(self) -> None:
        done, summary, calls = self.act(str(self.home / "none"), PULL_REQUEST="7")
        self.assertEqual((done.returncode, summary, calls), (2, "", []))
        self.assertIn("depyf check: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
