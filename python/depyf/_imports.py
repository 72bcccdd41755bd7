"""Being told when a module has been imported, without importing it."""

from __future__ import annotations

import sys
from _thread import RLock

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any, Callable, Optional

_waiting: dict[str, list[Callable[[], None]]] = {}
_lock = RLock()


def when_loaded(name: str, then: Callable[[], None]) -> Callable[[], None]:
    """Call `then` once the module is there: now, or as soon as somebody imports it.

    Returns what cancels that. `then` must not raise.
    """
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if module is not None and not getattr(spec, "_initializing", False):
        then()
        return _nothing
    with _lock:
        _waiting.setdefault(name, []).append(then)
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
    if module is not None and spec is not None:
        _follow(spec, name)  # It is being imported right now: no finder is asked for it any more.

    def cancel() -> None:
        with _lock:
            if then in _waiting.get(name, ()):
                _waiting[name].remove(then)
                _tidy(name)

    return cancel


def _nothing() -> None:
    return None


def _tidy(name: str) -> None:
    if not _waiting.get(name):
        _waiting.pop(name, None)
    if not _waiting and _finder in sys.meta_path:
        sys.meta_path.remove(_finder)


def _loaded(name: str) -> None:
    with _lock:
        then = _waiting.pop(name, [])
        _tidy(name)
    for f in then:
        f()


class _Finder:
    """Finds what the other finders find, and sees to it that we are told when it is imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[Any]:
        if name not in _waiting:
            return None
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find else None
            if spec is not None:
                _follow(spec, name)
                return spec
        return None


def _follow(spec: Any, name: str) -> None:
    """Learn from this one spec that its module has been imported.

    The import system notes in it when it begins and ends to execute the module. A wrapper
    of the loader would be seen by the module, as a frame of its stack.
    """

    class Spec(type(spec)):  # type: ignore[misc]
        @property
        def _initializing(self) -> bool:
            return bool(vars(self).get("_initializing", False))

        @_initializing.setter
        def _initializing(self, value: bool) -> None:
            self.__dict__["_initializing"] = value
            if not value:
                spec.__class__ = plain
                if name in sys.modules:  # Else it has failed.
                    _loaded(name)

    plain = type(spec)
    try:
        spec.__class__ = Spec
    except TypeError:
        return  # Nothing can be learned of it, and nothing is broken.


find_spec = _Finder.find_spec
_finder: Any = _Finder()
