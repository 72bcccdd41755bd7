"""Runs of a program, each in a forked child of this process, which has imported torch and compiled once.

A child that dies, hangs or cannot say what it saw gives a run with a `lost` that says so.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import pathlib
import pickle
import re
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from typing import Any

import support
import torch
import torch._dynamo
from warm import time_guards_once

from .observe import Observer

_STAMP = re.compile(r"([A-Z])\d{4} \d\d:\d\d:[\d.]+ \d+ ")
# A frame of this package's or of depyf's, in the stack that logging prints where a record cannot be formatted:
# docs/faq.md says that it can be seen while torch compiles.
_OURS = re.compile(r' +File "[^"]*/(?:fuzz|depyf/[^"]+)/\w+\.py", line \d+, in .*\n +\S.*\n(?: +[~^]+\n)?')
_IDENTITY = re.compile(r"\b\d{12,}\b")
# A guard on what time.perf_counter() returned: no two runs read the same.
_CLOCK = re.compile(r"((?:\[[^]]+\]|___as_tensor\([^()]+\)\.item\(\)) == )\d+\.\d{7,}\b *")
LIMIT = float(os.environ.get("FUZZ_LIMIT", "60"))
# At this signal a child says on standard error where each of its threads stands.
_WHERE = signal.SIGUSR1
PLAIN, COMPILED, WATCHED, UNSWAPPED = "plain", "compiled", "watched", "unswapped"


class Home:
    """The folder of one program: its file, and the dump of its watched run."""

    def __init__(self, text: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="fuzz")
        self.path = os.path.join(self.folder, "program.py")
        self.dump = os.path.join(self.folder, "dump")
        with open(self.path, "w", encoding="utf-8") as f:
            f.write(text)

    def __enter__(self) -> "Home":
        return self

    def __exit__(self, *details: object) -> None:
        support.settled(pathlib.Path(self.folder))
        shutil.rmtree(self.folder)

    def run(self, how: str, backend: str = "eager") -> "dict[str, Any]":
        """Run the program in a child and return what was seen of it, or {"lost": why}."""
        if os.path.exists(self.dump):
            # The report of a child that was killed is written after its end.
            shutil.rmtree(support.settled(pathlib.Path(self.dump)))
        out, err = os.path.join(self.folder, "out"), os.path.join(self.folder, "err")
        sys.stdout.flush()
        sys.stderr.flush()
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _child(self, how, backend, out, err, writing)
        os.close(writing)
        try:
            data, status = _result(child, reading, err)
        finally:
            os.close(reading)
        if data is None:
            return {"lost": "no end after %g s" % LIMIT, "stalled": _read(err)[-8000:]}
        if not data:
            return {"lost": "the process ended with status %d: %s" % (status, _read(err)[-2000:].strip())}
        seen: "dict[str, Any]" = pickle.loads(data)
        seen["stdout"] = _read(out)
        # The prefix of torch's log records has the time and the process; guards have the id() of an object.
        text = _OURS.sub("", _STAMP.sub(r"\1 ", _read(err)))
        seen["stderr"] = _CLOCK.sub(r"\1TIME", _IDENTITY.sub("ID", text))
        return seen


def warm() -> None:
    """Compile once, so that the children need not import what that takes."""
    faulthandler.register(_WHERE)  # Children inherit it: it needs no time of theirs, however busy the machine is.
    torch.set_num_threads(1)
    time_guards_once()
    for backend in ("eager", "aot_eager"):
        compiled = torch.compile(_example, backend=backend)
        for n in (2, 3, 4):
            compiled(torch.ones(n), n)
        torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    clear = getattr(torch._dynamo.utils, "clear_compilation_metrics", None)
    if clear is not None:
        clear()
    gc.collect()
    gc.freeze()


def _example(x: torch.Tensor, n: int) -> torch.Tensor:
    y = x.sin() + n
    torch._dynamo.graph_break()
    if y.sum() > 0:
        y = y * 2
    return y + x.shape[0]


def _child(home: Home, how: str, backend: str, out: str, err: str, writing: int) -> None:
    """Never returns."""
    status = 1
    try:
        signal.alarm(0)
        os.setsid()
        for path, number in ((out, 1), (err, 2)):
            os.dup2(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), number)
        # The first to ask for the thread pool after a fork makes it anew. If two threads of a
        # backward pass ask at once, one of them finds none, and torch ends the process
        # ("Invalid thread pool!", caffe2/utils/threadpool/pthreadpool-cpp.cc).
        torch.set_num_threads(1)
        torch.manual_seed(0)
        seen = _observed(home, how, backend)
        sys.stdout.flush()
        sys.stderr.flush()
        with os.fdopen(writing, "wb") as f:
            pickle.dump(seen, f)
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _observed(home: Home, how: str, backend: str) -> "dict[str, Any]":
    observer = Observer(home.path, home.dump if how in (WATCHED, UNSWAPPED) else "")
    if how == PLAIN:
        observer.run(lambda fn, **options: fn)
    elif how == COMPILED:
        observer.run(lambda fn, **options: torch.compile(fn, backend=backend, **options))
    else:
        import depyf

        with depyf.prepare_debug(home.dump, swap=how == WATCHED):
            observer.run(lambda fn, **options: torch.compile(fn, backend=backend, **options))
    return observer.seen


def _result(child: int, reading: int, err: str) -> "tuple[bytes | None, int]":
    """What the child wrote and its status; None if it had to be killed, which is after it has said where it stands."""
    end = time.monotonic() + LIMIT
    data = b""
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            os.kill(child, _WHERE)
            _settled(err)
            _kill(child)
            os.waitpid(child, 0)
            return None, 0
        more = os.read(reading, 1 << 20)
        if not more:
            break
        data += more
    _, status = os.waitpid(child, 0)
    return data if status == 0 else b"", status


def _settled(path: str) -> None:
    """Wait until a traceback stands in the file and no more is written, for at most ten seconds."""
    before = ""
    for _ in range(50):
        time.sleep(0.2)
        text = _read(path)
        if text == before and 'File "' in text:
            return
        before = text


def _kill(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        os.kill(child, signal.SIGKILL)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


assert support.ROOT
