"""Every place of torch that depyf relies on, in one table.

The code gets at these places by `get` and `place`, the tests take each of them away
or change it, and docs/rationale.md shows the table. Most are private to torch: a
later torch may lack one, call it otherwise, or want another argument. Then the dump
says what is missing in it, and the program goes on as ever.

`since` and `until` are the versions of torch in which depyf needs the place: other
versions have something better, or nothing.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, NamedTuple, Tuple

Version = Tuple[int, int]
_ALWAYS: Version = (2, 2)
_STILL: Version = (99, 0)


class Hook(NamedTuple):
    """One place of torch: module and attribute, and what a dump lacks without it."""

    name: str
    module: str
    attribute: str
    lost: str
    instead: str
    since: Version = _ALWAYS
    until: Version = _STILL
    public: bool = False
    late: bool = False  # Not imported for our sake.
    debug: bool = False  # Of depyf.debug() or depyf.compare(), which leave no dump.

    @property
    def path(self) -> str:
        return "%s.%s" % (self.module, self.attribute)


_HOOKS = [
    Hook(
        "bytecode hook",
        "torch._dynamo.convert_frame",
        "register_bytecode_hook",
        "The code that Dynamo makes, and with it all functions, versions and guards",
        "nothing; it was made for this use, and vLLM uses it too",
    ),
    Hook(
        "frames being compiled",
        "torch._dynamo.convert_frame",
        "_compile",
        "The globals of compiled functions: code that needs an object of theirs runs as bytecode, "
        "and resume functions are not joined to what calls them",
        "the frame as an argument of bytecode hooks",
    ),
    Hook(
        "structured log",
        "torch._logging._internal",
        "trace_log",
        "Why graphs break and functions are compiled again, how long compiling took, sizes that may vary, "
        "later stages of graphs",
        "TORCH_TRACE, which writes the same to files",
        since=(2, 3),
    ),
    Hook(
        "unread records of the log",
        "torch._logging._internal",
        "trace_structured",
        "Nothing, but watching takes longer: torch makes records that nobody reads",
        "a way to ask for single kinds of records",
        since=(2, 3),
    ),
    Hook(
        "numbers in the log",
        "torch._logging.structured",
        "INTERN_TABLE",
        "Names of files that torch told to its log before depyf watched",
        "the log by itself, when depyf watches from the start",
        since=(2, 3),
    ),
    Hook(
        "graph formatting",
        "torch._dynamo.utils",
        "lazy_format_graph_code",
        "Graphs that can be stepped through; what the structured log tells of graphs is only for reading",
        "a backend around the user's, and what the structured log says",
    ),
    Hook(
        "recompiled graphs",
        "torch.fx.graph_module",
        "GraphModule.recompile",
        "Stepping through graphs that torch makes anew after they were dumped, as aot_eager does",
        "nothing",
    ),
    Hook(
        "Inductor's output",
        "torch._inductor.codecache",
        "PyCodeCache.load_by_key_path",
        "The text of kernels, where the structured log does not tell it",
        "the structured log",
        late=True,
    ),
    Hook(
        "C++ kernels",
        "torch._inductor.codegen.cpp",
        "CppScheduling.define_kernel",
        "Which operations a C++ kernel computes",
        "a comment at each call of a C++ kernel, as Triton kernels have",
        since=(2, 6),
        late=True,
    ),
    Hook(
        "calls of kernels",
        "torch._inductor.ir",
        "ExternKernel.codegen_comment",
        "Which operations a kernel computes that Inductor has not written, in backward passes before torch 2.9",
        "the comments at calls of such kernels",
        since=(2, 6),
        late=True,
    ),
    Hook(
        "Triton kernels",
        "torch._inductor.codegen.triton",
        "TritonScheduling.define_kernel",
        "Which operations a Triton kernel computes, where one is called for several groups of them",
        "the comments at calls of Triton kernels",
        late=True,
    ),
    Hook(
        "skipped CUDA graphs",
        "torch._inductor.cudagraph_utils",
        "log_cudagraph_skip_and_bump_counter",
        "Why a graph runs without CUDA graphs",
        "what torch measures of a compilation: it names the last reason, where there was one by then",
        since=(2, 6),
        late=True,
    ),
    Hook(
        "exported programs",
        "torch.export._trace",
        "_export",
        "What torch.export has exported",
        "torch.export.export, which programs import by name",
        since=(2, 3),
        late=True,
    ),
    Hook(
        "programs exported for training",
        "torch.export._trace",
        "_export_for_training",
        "What torch.export has exported for training",
        "torch.export.export, which programs import by name",
        since=(2, 5),
        late=True,
    ),
    Hook(
        "cache entries",
        "torch._dynamo.eval_frame",
        "_debug_get_cache_entry_list",
        "The guards of each version",
        "the guards in the structured log",
    ),
    Hook(
        "identities in guards",
        "torch._dynamo.guards",
        "CheckFunctionManager.id_ref",
        "Which objects guards ask for by their identity",
        "nothing; the guards have addresses alone",
    ),
    Hook(
        "compile ids",
        "torch._guards",
        "CompileContext.current_compile_id",
        "Which graph belongs to which version of a function, where names do not say it",
        "torch.compiler, should it offer the id",
    ),
    Hook(
        "resets",
        "torch._dynamo.convert_frame",
        "FRAME_COMPILE_COUNTER",
        "After torch._dynamo.reset(): what was compiled before it told from what was compiled after it",
        "compile ids that do not begin anew",
    ),
    Hook(
        "outcome of compilations",
        "torch._dynamo.convert_frame",
        "ConvertFrame.__call__",
        "Whether a compilation that failed made the call fail, and what becomes of later calls",
        "the structured log, should it say so",
        since=(2, 3),
    ),
    Hook(
        "errors of compilations",
        "torch._dynamo.convert_frame",
        "ConvertFrameAssert.__call__",
        "Which error made a compilation fail",
        "the structured log, should it say so",
        since=(2, 3),
    ),
    Hook(
        "limit of recompilations",
        "torch._dynamo.convert_frame",
        "exceeds_recompile_limit",
        "That a function has reached the limit of recompilations",
        "the structured log, should it say so",
        since=(2, 7),
    ),
    Hook(
        "limit of the cache",
        "torch._dynamo.convert_frame",
        "exceeds_cache_size_limit",
        "That a function has reached the limit of recompilations",
        "nothing; later versions have the limit of recompilations",
        until=(2, 7),
    ),
    Hook(
        "resume functions",
        "torch._dynamo.resume_execution",
        "ContinueExecutionCache.generated_code_metadata",
        "Nothing, unless torch names resume functions in another way, too: then they count as functions of their own",
        "the names that torch gives them",
    ),
    Hook(
        "functions behind wrappers",
        "torch._dynamo.eval_frame",
        "innermost_fn",
        "Which code calls a resume function, where torch has wrapped it",
        "inspect.unwrap",
    ),
    Hook(
        "hiding from Dynamo",
        "torch.compiler",
        "disable",
        "Nothing, unless compiled autograd is used: then Dynamo looks at depyf's own code, too",
        "it is public",
        public=True,
    ),
    Hook(
        "frames left alone",
        "torch._dynamo.eval_frame",
        "skip_code",
        "Graphs that can be stepped through",
        "torch.compiler.disable, which takes functions and not code",
    ),
    Hook(
        "graphs as text",
        "torch.fx.graph_module",
        "GraphModule.print_readable",
        "Types, shapes and your lines in graphs: they are shown as the code that runs",
        "it is public",
        public=True,
    ),
    Hook(
        "printing of graphs",
        "torch.fx.graph",
        "CodeGen._gen_python_code",
        "Nothing, but watching takes longer: torch prints all graphs",
        "GraphModule.print_readable, which is public and slow",
    ),
    Hook(
        "log of graph breaks",
        "torch._logging",
        "getArtifactLogger",
        "Why graphs break",
        "nothing; later versions have the structured log",
        until=(2, 6),
    ),
    Hook(
        "conditions that depend on data",
        "torch._dynamo.output_graph",
        "OutputGraph.compile_subgraph",
        "Graph breaks at conditions that depend on data",
        "nothing; later versions have the structured log",
        until=(2, 6),
    ),
    Hook(
        "reasons of recompilation",
        "torch._dynamo.guards",
        "get_guard_fail_reason",
        "Why functions are compiled again",
        "nothing; later versions have the structured log",
        until=(2, 6),
    ),
    Hook(
        "compile times",
        "torch._dynamo.convert_frame",
        "log_compilation_event",
        "How long compiling took, and functions that were left alone",
        "nothing; later versions have the structured log",
        until=(2, 3),
    ),
    Hook(
        "symbolic sizes",
        "torch.fx.experimental.symbolic_shapes",
        "ShapeEnv.create_symbol",
        "Sizes and numbers that may vary",
        "nothing; later versions have the structured log",
        until=(2, 6),
    ),
    Hook(
        "log of guards",
        "torch._dynamo.guards",
        "CheckFunctionManager.compile_check_fn",
        "What is checked of each tensor",
        "nothing; later versions have the guards as objects",
        until=(2, 6),
    ),
    Hook(
        "running what there is",
        "torch.compiler",
        "set_stance",
        "Under depyf.debug(): functions may be compiled anew",
        "it is public",
        since=(2, 6),
        public=True,
        debug=True,
    ),
    Hook(
        "running what there was",
        "torch._dynamo.eval_frame",
        "set_eval_frame",
        "Under depyf.debug(): functions may be compiled anew",
        "nothing; later versions have set_stance",
        until=(2, 6),
        debug=True,
    ),
    Hook(
        "interpreted graphs",
        "torch.fx",
        "Interpreter.boxed_run",
        "Under depyf.debug(): stepping through graphs that aot_eager interprets",
        "nothing",
        public=True,
        debug=True,
    ),
    Hook(
        "backends by name",
        "torch._dynamo.backends.registry",
        "lookup_backend",
        "depyf.compare() with a backend that is given by its name",
        "the backend itself, as a function",
        since=(2, 6),
        debug=True,
    ),
    Hook(
        "backends asked for",
        "torch._dynamo.repro.after_dynamo",
        "wrap_backend_debug",
        "depyf run --compare and --find-nan",
        "depyf.compare()",
        since=(2, 6),
        debug=True,
    ),
    Hook(
        "code of kernels",
        "torch._inductor.graph",
        "GraphLowering.save_output_code",
        "In an answer of depyf.compare(): the kernel that is wrong",
        "the kernels of a dump",
        since=(2, 6),
        debug=True,
    ),
]
TABLE = {hook.name: hook for hook in _HOOKS}


class Missing(Exception):
    """This torch has no such place."""


def get(name: str) -> Any:
    """Return what stands at the place; raise Missing if nothing does."""
    owner, attribute = place(name)
    return getattr(owner, attribute)


def place(name: str) -> tuple[Any, str]:
    """Return the module or class that has the attribute, and the attribute's last name."""
    hook = TABLE[name]
    try:
        owner: Any = sys.modules.get(hook.module) or importlib.import_module(hook.module)
        *through, last = hook.attribute.split(".")
        for part in through:
            owner = getattr(owner, part)
        getattr(owner, last)
    except (ImportError, AttributeError):
        raise Missing("this torch has no %s" % hook.path) from None
    return owner, last


def version() -> Version:
    """The version of torch; what cannot be read counts as new."""
    import torch

    try:
        major, minor = torch.__version__.split(".")[:2]
        return int(major), int(minor)
    except Exception:
        return _STILL[0] - 1, 0


def needed(hook: Hook) -> bool:
    """Whether depyf needs the place in this torch."""
    return hook.since <= version() < hook.until


# What went wrong with a place while it was used, in any session of this process.
_failures: dict[str, str] = {}


def failed(name: str, error: BaseException) -> None:
    """Note that a place is not what it was; each session says so at its end."""
    _failures.setdefault(name, _words(error))


def _words(error: BaseException) -> str:
    return str(error) if isinstance(error, Missing) else "%s: %s" % (type(error).__name__, error)


class Trouble(NamedTuple):
    """What a dump lacks, and why."""

    name: str
    error: str
    lost: str


def trouble() -> list[Trouble]:
    """List the places that this torch lacks, or that failed when they were used."""
    found = dict(_failures)
    for hook in _HOOKS:
        if hook.debug or not needed(hook) or hook.late and hook.module not in sys.modules:
            continue
        try:
            place(hook.name)
        except Missing as e:
            found.setdefault(hook.name, str(e))
    return [Trouble(name, error, TABLE[name].lost if name in TABLE else "") for name, error in found.items()]
