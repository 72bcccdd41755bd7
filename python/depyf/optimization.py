"""Calling compiled code without its guards."""

from __future__ import annotations

import threading
import weakref
from types import CodeType, FunctionType
from typing import Any, Callable, ContextManager, List

from ._torch import hooks
from ._torch.compiling import compiled_frame


class TorchCompileWrapperWithCustomDispatcher:
    """Choose among compiled versions of a function yourself, instead of torch's guards.

    A subclass defines `forward`, passes the compiled callable to `__init__`
    and defines `__call__`, which may look at `self.compiled_codes` and run
    version i with

        with self.dispatch_to_code(i):
            return self.forward(x)

    Guards make sure that a version is valid for its arguments; whoever
    bypasses them vouches for that. This works because Dynamo gives compiled
    code the same arguments, cells and free variables as the original.

    A subclass may also be an nn.Module: torch.nn.Module.__init__ has to run
    first, and `compiled_callable` may be the compiled module's forward.
    """

    compiled_callable: Callable[..., Any]
    original_code_object: CodeType
    compiled_codes: List[CodeType]
    use_custom_dispatcher: bool
    _state: "_State"

    def __init__(self, compiled_callable: Callable[..., Any], use_custom_dispatcher: bool = True) -> None:
        function = self._forward_function()
        # Plain attributes: nn.Module must not see a parameter or module in them.
        self.__dict__["compiled_callable"] = compiled_callable
        self.__dict__["_function"] = function
        self.__dict__["_state"] = _state(function)
        self.__dict__["original_code_object"] = self._state.original
        self.__dict__["compiled_codes"] = []
        self.__dict__["use_custom_dispatcher"] = use_custom_dispatcher
        # The hook must not keep this object alive.
        me = weakref.ref(self)

        def hook(old: CodeType, new: CodeType, *_: Any, **__: Any) -> None:
            found = me()
            if found is not None:
                found.bytecode_hook(old, new)

        handle = hooks.get("bytecode hook")(hook)
        self.__dict__["_bytecode_hook_handle"] = handle
        weakref.finalize(self, handle.remove)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the compiled callable; override this to dispatch.

        It may take arguments that `forward` does not know, for choosing.
        """
        return self.compiled_callable(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What is compiled."""
        raise NotImplementedError("a subclass defines forward")

    def _forward_function(self) -> FunctionType:
        forward: Any = type(self).forward
        while not isinstance(forward, FunctionType) or hasattr(forward, "__wrapped__"):
            inner = getattr(forward, "__wrapped__", None) or getattr(forward, "__func__", None)
            if inner is None:
                break
            forward = inner
        if not isinstance(forward, FunctionType):
            raise TypeError("forward is a %s, not a function" % type(forward).__name__)
        return forward

    def bytecode_hook(self, old_code: CodeType, new_code: CodeType) -> None:
        """Keep the code that torch makes of this object's forward."""
        if old_code is not self.original_code_object:
            return
        local = compiled_frame(old_code)[1]
        first = old_code.co_varnames[0] if old_code.co_argcount else None
        # Other objects of the class share the code but are compiled for themselves.
        if local is not None and first is not None and local.get(first) is not self:
            return
        self.compiled_codes.append(new_code)

    def dispatch_to_code(self, index: int) -> ContextManager[None]:
        """Let `self.forward` run version `index` inside the block, in this thread.

        A function has one code object for all threads; so blocks of different
        threads take turns, and the original code comes back whatever happens.
        """
        return _Dispatch(self.__dict__["_function"], self._state.lock, self.compiled_codes[index])


class _Dispatch:
    """A block in which a function has another code; a class because it has to be fast."""

    __slots__ = ("_before", "_code", "_function", "_lock")

    def __init__(self, function: FunctionType, lock: Any, code: CodeType) -> None:
        self._function, self._lock, self._code = function, lock, code

    def __enter__(self) -> None:
        self._lock.acquire()
        self._before = self._function.__code__
        self._function.__code__ = self._code

    def __exit__(self, *_: object) -> None:
        self._function.__code__ = self._before
        self._lock.release()


class _State:
    """What is shared by all objects that dispatch one function."""

    def __init__(self, function: FunctionType) -> None:
        self.lock = threading.RLock()
        self.original = function.__code__


_states: "weakref.WeakKeyDictionary[FunctionType, _State]" = weakref.WeakKeyDictionary()
_states_lock = threading.Lock()


def _state(function: FunctionType) -> _State:
    with _states_lock:
        found = _states.get(function)
        if found is None:
            found = _states[function] = _State(function)
        return found
