"""What the tests of the Python package share."""

from __future__ import annotations

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import textwrap
from typing import Optional

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


def binary() -> Optional[str]:
    """Return the program to test with, built if there is a Go to build it."""
    chosen = os.environ.get("DEPYF_BINARY")
    if chosen:
        return chosen
    path = ROOT / "python" / "depyf" / "bin" / ("depyf.exe" if os.name == "nt" else "depyf")
    if not path.exists() and shutil.which("go"):
        subprocess.run(["go", "build", "-o", str(path), "./cmd/depyf"], cwd=ROOT, check=True)
    return str(path) if path.exists() else None


def run(program: str, timeout: float = 120, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program that can import depyf and return what it did."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    env.pop("DEPYF_TIMEOUT", None)
    found = binary()
    if found:
        env["DEPYF_BINARY"] = found
    env.update(environment)
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=env,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )


def fake_binary(folder: str, body: str) -> str:
    """Write a program that stands in for the Go program and misbehaves."""
    path = os.path.join(folder, "depyf-fake")
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!%s\n%s" % (sys.executable, textwrap.dedent(body)))
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path
