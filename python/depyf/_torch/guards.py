"""What torch checks before it runs a compiled version of a function."""

from __future__ import annotations

from types import CodeType
from typing import Any, Iterator, Optional

from .._garbage import uncollected
from . import hooks, ids, tensor_checks
from . import session as sessions


def send(session: sessions.Session) -> None:
    """Send one `guards` event for each original code object of the session."""
    final_keys = {id(f.final()): f.key for f in session.frames}
    seen: set[int] = set()
    for frame in session.frames:
        old = frame.old()
        if old is None or id(old) in seen:
            continue
        seen.add(id(old))
        with session.guarded("guards of " + old.co_name), uncollected():
            _tell(session, old, final_keys)


def _tell(session: sessions.Session, old: CodeType, final_keys: dict[int, str]) -> None:
    entries = [
        {
            "compile_id": ids.text(getattr(entry, "compile_id", None)),
            "key": final_keys.get(id(getattr(entry, "code", None))),
            "order": order,
            "parts": list(parts(entry)),
        }
        for order, entry in enumerate(cache_entries(old))
    ]
    session.post("guards", key=session.key_of(old), entries=entries, compile_id=None)


def cache_entries(code: CodeType) -> list[Any]:
    """Return torch's compiled versions of code, in the order they are tried."""
    try:
        return list(hooks.get("cache entries")(code))
    except Exception as e:
        hooks.failed("cache entries", e)
        return []


def parts(entry: Any) -> Iterator[dict[str, Any]]:
    """Yield the checks of one cache entry.

    Up to torch 2.3 they are a list of texts; from then on a tree of objects in
    C++, whose root is usually empty.
    """
    manager = getattr(entry, "guard_manager", None) or getattr(entry, "check_fn", None)
    root = getattr(manager, "root", None)
    if root is None:
        texts = getattr(manager, "verbose_code_parts", None) or getattr(manager, "code_parts", None) or []
        tensors = tensor_checks.of(manager)
        for text in texts:
            if tensors and str(text).startswith("___check_tensors("):
                continue
            yield {"text": str(text), "source": None, "fail_count": None, "user_stack": None}
        for text in tensors:
            yield {"text": text, "source": None, "fail_count": None, "user_stack": None}
        return
    yield from _walk(root)
    epilogue = getattr(root, "get_epilogue_lambda_guards", None)
    for guard in epilogue() if epilogue else []:
        yield from _leaf(guard, None, None)


def listed(manager: Any) -> str:
    """Return the checks of a tree of guards as torch prints them, without the nodes of the tree.

    torch's text of a large model's is mostly nodes, and takes three times as long.
    """
    lines: list[str] = []
    seen: set[Any] = set()  # A check of several values stands at each of them.
    todo = [manager.root]
    while todo:
        node = todo.pop()
        for guard in node.get_leaf_guards():
            if guard not in seen:
                seen.add(guard)
                lines += _lines(guard)
        below: list[Any] = []
        pairs = getattr(node, "get_key_value_managers", None)
        for _, pair in sorted(pairs().items()) if pairs else ():
            below += [m for m in pair if m is not None]
        below += node.get_child_managers()
        todo += reversed(below)
    epilogue = getattr(manager.root, "get_epilogue_lambda_guards", None)
    for guard in epilogue() if epilogue else ():
        lines += _lines(guard)
    return "\n".join(lines)


def _lines(guard: Any) -> list[str]:
    return ["+- %s: %s" % (type(guard).__name__, part) for part in guard.verbose_code_parts()]


def _walk(root: Any) -> Iterator[dict[str, Any]]:
    # An own stack: the tree of a big model is deep.
    todo, seen = [root], set()
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        source = _call(node, "get_source")
        fails = _call(node, "fail_count")
        for guard in _call(node, "get_leaf_guards") or []:
            yield from _leaf(guard, source, fails)
        children = list(_call(node, "get_child_managers") or [])
        for keys_and_values in (_call(node, "get_key_value_managers") or {}).values():
            children.extend(m for m in keys_and_values if m is not None)
        # Keep the nodes alive: ids of collected ones would be used again.
        todo.extend(reversed(children))
        _alive.append(node)
    _alive.clear()


_alive: list[Any] = []


def _call(node: Any, name: str) -> Any:
    method = getattr(node, name, None)
    if method is None:
        return None
    try:
        return method() if callable(method) else method
    except Exception:
        return None


def _leaf(guard: Any, source: Optional[str], fails: Optional[int]) -> Iterator[dict[str, Any]]:
    stack = _call(guard, "user_stack")
    for text in _call(guard, "verbose_code_parts") or []:
        yield {
            "text": str(text),
            "source": source or None,
            "fail_count": fails if isinstance(fails, int) else None,
            "user_stack": None if stack is None else str(stack),
        }
