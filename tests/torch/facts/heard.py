"""What torch says elsewhere than in its structured log: that a limit is reached, errors that reach the caller, and
which objects guards are about."""

from __future__ import annotations

import contextlib
import logging
import re
from typing import Any, Iterator

from torch._dynamo import convert_frame, exc
from torch._dynamo.guards import CheckFunctionManager
from torch._guards import CompileContext

from .form import Facts, bare
from .meant import Objects

# Made where a limit prevents a compilation; newer versions of torch make none unless the caller is to get it.
_Refusal = getattr(exc, "RecompileLimitExceeded", exc.FailOnRecompileLimitHit)


class Heard:
    """By compile id: the limit that TORCH_LOGS warns of, and the type of the error that the call raised."""

    def __init__(self) -> None:
        self.objects = Objects()
        self.limits: "dict[str, tuple[str, str, str, int]]" = {}  # Setting and value, function, file, line.
        self.refused: "dict[str, Exception]" = {}  # Why a limit prevented it, whether the caller got that or not.
        self.raised: "dict[str, Exception]" = {}

    def tell(self, facts: "list[Facts]") -> None:
        """Add what was heard to the last compilation of each id."""
        last = {f.id: f for f in facts}
        for id, limit in self.limits.items():
            # The log knows neither name nor place of what was not compiled.
            last[id].limit, last[id].function, last[id].file, last[id].line = limit
        for id, error in {**self.refused, **self.raised}.items():
            # torch does not measure every compilation that a limit prevents.
            last[id].failure = last[id].failure or bare("%s: %s" % (type(error).__name__, error))
        for id, error in self.raised.items():
            last[id].raised = type(error).__name__


class _Handler(logging.Handler):
    def __init__(self, heard: Heard) -> None:
        super().__init__()
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        words = record.getMessage()
        limit = re.search(r"torch\._dynamo hit config\.(\w+) \((\d+)\)", words)
        function = re.search(r"function: '(.*)' \((.*):(\d+)\)", words)
        if limit and function:
            name, file, line = function.groups()
            told = "%s %s" % limit.groups(), name, file, int(line)
            self.heard.limits[str(CompileContext.current_compile_id())] = told


@contextlib.contextmanager
def listening() -> "Iterator[Heard]":
    heard = Heard()
    handler = _Handler(heard)
    logger = logging.getLogger("torch._dynamo.convert_frame")
    logger.addHandler(handler)
    begin, convert = CompileContext.__init__, convert_frame.CatchErrorsWrapper.__call__
    refuse, take = _Refusal.__init__, CheckFunctionManager.id_ref
    latest = ""

    def begins(self: Any, compile_id: Any, *args: Any, **kwargs: Any) -> None:
        nonlocal latest
        latest = str(compile_id)
        begin(self, compile_id, *args, **kwargs)

    def refuses(self: Any, *args: Any, **kwargs: Any) -> None:
        heard.refused[str(CompileContext.current_compile_id())] = self
        refuse(self, *args, **kwargs)

    def takes(self: Any, obj: Any, *args: Any, **kwargs: Any) -> Any:
        heard.objects.note(obj)
        return take(self, obj, *args, **kwargs)

    def converts(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return convert(self, *args, **kwargs)
        except Exception as e:
            heard.raised[latest] = e
            raise

    CompileContext.__init__, convert_frame.CatchErrorsWrapper.__call__ = begins, converts  # type: ignore[method-assign]
    _Refusal.__init__, CheckFunctionManager.id_ref = refuses, takes
    try:
        yield heard
    finally:
        CompileContext.__init__, convert_frame.CatchErrorsWrapper.__call__ = begin, convert  # type: ignore[method-assign]
        _Refusal.__init__, CheckFunctionManager.id_ref = refuse, take
        logger.removeHandler(handler)
