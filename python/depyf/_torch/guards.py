"""What torch checks before it runs a compiled version of a function."""

from __future__ import annotations

import weakref
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
    entries = []
    for order, entry in enumerate(cache_entries(old)):
        number = ids.text(getattr(entry, "compile_id", None))
        told = _told(session, number, entry)
        entries.append(
            {
                "compile_id": number,
                "key": final_keys.get(id(getattr(entry, "code", None))),
                "order": order,
                "parts": [] if told else list(parts(entry)),
                "as_made": told,
            }
        )
    session.post("guards", key=session.key_of(old), entries=entries, compile_id=None)


def tell_made(session: sessions.Session, manager: Any) -> None:
    """Send the checks of a version when torch has made them: a large model's have a thousand, so once is enough."""
    number = ids.current()
    with uncollected():
        session.post("guards_made", compile_id=number, checks=checks(manager))
    session.made[str(number)] = weakref.ref(manager)


def _told(session: sessions.Session, number: Optional[str], entry: Any) -> bool:
    """Whether nothing is to be added to what tell_made has sent of a version: none of its checks has failed."""
    manager = getattr(entry, "guard_manager", None)
    sent = session.made.get(str(number))
    if sent is None or sent() is not manager:
        return False
    # torch counts in the tree of values: what fails below counts above, too.
    return bool(_call(getattr(manager, "root", None), "fail_count") == 0)


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


def checks(manager: Any) -> list[list[Any]]:
    """Return the checks of a tree of guards, as [what is checked, texts] or [what is checked, texts, the user's stack].

    torch's text of a large model's tree is mostly nodes, and takes three times as long.
    """
    found: list[list[Any]] = []
    for node in _nodes(manager.root):
        guards = node.get_leaf_guards()
        if guards:
            _add(found, _call(node, "get_source") or "", guards)
    epilogue = getattr(manager.root, "get_epilogue_lambda_guards", None)
    _add(found, "", epilogue() if epilogue else [])
    return found


def _add(found: list[list[Any]], source: str, guards: list[Any]) -> None:
    last: Any = _add  # No stack.
    for guard in guards:
        stack = _call(guard, "user_stack")
        if stack is not last:
            last = stack
            found.append([source, []] if stack is None else [source, [], str(stack)])
        found[-1][1] += guard.verbose_code_parts()


def _nodes(root: Any) -> Iterator[Any]:
    """Yield the nodes of a tree of guards in the order in which torch prints them."""
    # An own stack: the tree of a big model is deep. What it has seen it keeps alive: ids of collected ones
    # would be used again.
    todo, seen = [root], {}
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        yield node
        below: list[Any] = []
        pairs = getattr(node, "get_key_value_managers", None)
        for _, pair in sorted(pairs().items()) if pairs else ():
            below += [m for m in pair if m is not None]
        below += node.get_child_managers()
        todo += reversed(below)


def _walk(root: Any) -> Iterator[dict[str, Any]]:
    for node in _nodes(root):
        source = _call(node, "get_source")
        fails = _call(node, "fail_count")
        for guard in _call(node, "get_leaf_guards") or []:
            yield from _leaf(guard, source, fails)


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
