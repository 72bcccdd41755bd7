"""depyf.explain(function, *args): what torch.compile makes of it, as an answer for notebooks and terminals.

The module itself is called, so that the module paths of older versions stay, which other
projects import from: depyf.explain.enable_debugging and depyf.explain.enhance_logging.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Any, Callable, Iterable, Optional

    from .._explained import Explanation


class Explain(ModuleType):
    """The type of this module."""

    # The answer to the latest call whose function raised.
    last: Optional[Explanation] = None

    def __call__(
        self,
        fn: Optional[Callable[..., Any]] = None,
        /,
        *args: Any,
        calls: Optional[Iterable[tuple[Any, ...]]] = None,
        folder: Any = None,
        backend: Any = None,
        dynamic: Optional[bool] = None,
        fullgraph: Optional[bool] = None,
        mode: Optional[str] = None,
        options: Optional[dict[str, Any]] = None,
        **kwargs: Any,
    ) -> Explanation:
        """Compile fn, call it with the arguments, and say what torch.compile made of it.

            depyf.explain(model, x)                        one call
            depyf.explain(f, calls=[(x,), (y,)])           several, to see why it is compiled again
            with depyf.explain() as answer: ...            whatever the block compiles

        The answer shows itself in a notebook; print() it anywhere else. It has `.result`, what fn
        gave back (a list of it with `calls`), `.json()` and `.folder`.

        fn is compiled as torch.compile does it, after torch.compiler.reset(), so that nothing of
        an earlier call is in the way. One that is compiled already is called as it is.

        calls: sets of arguments, a tuple for each call; keyword arguments go with every call.
        folder: where the dump is kept; without, it goes when the answer does.
        backend, dynamic, fullgraph, mode, options: as of torch.compile.

        What fn raises is raised here; the answer is `depyf.explain.last` then, and a notebook shows it.
        """
        from .. import _explained

        how = dict(backend=backend, dynamic=dynamic, fullgraph=fullgraph, mode=mode, options=options)
        how = {k: v for k, v in how.items() if v is not None}
        answer = _explained.Explanation(folder)
        if fn is None:
            if args or kwargs or how or calls is not None:
                raise TypeError("depyf.explain() without a function takes a folder alone: it watches a block")
            return answer
        _explained.call(answer, fn, args, kwargs, calls, how)
        return answer


sys.modules[__name__].__class__ = Explain
