"""The first thing that Python does in a program which `depyf run` has started.

`depyf run` puts this folder in front of PYTHONPATH (see _run). Here everything is put back
as it would be without, before anything of the program runs: the variable, sys.path and
the module of this name, should the program's Python have one of its own.
"""

import os
import sys


def _begin() -> None:
    here = os.path.dirname(__file__)
    sys.path[:] = [p for p in sys.path if p != here]
    sys.path_importer_cache.pop(here, None)
    handed = os.environ.pop("DEPYF_HANDOVER", "")
    if not handed:
        return
    if handed[1] == "=":
        os.environ["PYTHONPATH"] = handed[2:]
    else:
        os.environ.pop("PYTHONPATH", None)
    home = os.path.dirname(os.path.dirname(here))
    found = home in sys.path
    # At the end: what lies beside an installed depyf must not hide modules of Python's own.
    sys.path[len(sys.path) :] = () if found else (home,)
    try:
        from depyf import _run

        _run.begin(debug=handed[0] == "1")
    finally:
        if not found:
            sys.path.remove(home)
            sys.path_importer_cache.pop(home, None)


try:
    _begin()
except Exception as e:
    print("depyf cannot watch this program: %s: %s" % (type(e).__name__, e), file=sys.stderr)
del sys.modules["sitecustomize"]
# Without another one this fails as it would without us, and Python goes on.
import sitecustomize  # type: ignore[import-not-found]  # noqa: E402, F401
