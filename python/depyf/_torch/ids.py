"""Which compilation an event belongs to: torch's compile id, and how often Dynamo was reset before it.

torch._dynamo.reset() makes the ids start again at "0/0". What is compiled then must not be taken for
what was compiled before, so an id from behind the first reset is sent as "0/0@1".
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

from . import hooks

# reset() clears torch's counter of compilations; a mark in it that is gone tells of a reset. Unlike a
# hook on reset() it also tells of one between two blocks, when nobody watches.
_MARK = "depyf"
_resets = 0
_marked = False

# Which reset an id comes from. The backward pass of a graph may be compiled long after a reset, under the id
# of its forward pass, which is the same object; it is kept, so that its address stays its own.
_known: Dict[int, Tuple[Any, int]] = {}


def watch() -> Callable[[], None]:
    """Begin to notice resets; return what ends it. The mark stays, for the next block."""
    hooks.place("resets")
    _notice()
    return lambda: None


def _notice() -> None:
    global _resets, _marked
    try:
        counter: Any = hooks.get("resets")
    except hooks.Missing:
        return
    if _MARK in counter:
        return
    counter[_MARK] = 1
    _resets += _marked
    _marked = True


def resets() -> int:
    """Return how many resets there have been; those before a session are none of its concern."""
    try:
        _notice()
    except Exception:
        return 0
    return _resets


def current() -> Optional[str]:
    """Return the id of the compilation in progress, such as "0/1"."""
    try:
        return text(hooks.get("compile ids")())
    except Exception as e:
        hooks.failed("compile ids", e)
        return None


def text(found: Any) -> Optional[str]:
    """Return torch's id, an object, as events have it."""
    if found is None:
        return None
    _notice()
    _, before = _known.setdefault(id(found), (found, _resets))
    return "%s@%d" % (found, before) if before else str(found)
