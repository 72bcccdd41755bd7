"""The command `depyf`: hand over to the Go program."""

from __future__ import annotations

import os
import sys

from . import _binary

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import NoReturn


def main() -> NoReturn:
    """Replace this process by the program, which is told which Python started it.

    `depyf run` happens here, in the Python that has torch.
    """
    if sys.argv[1:2] == ["run"]:
        from . import _run

        _run.main(sys.argv[2:])
    path = _binary.find()
    if path is None:
        sys.exit("depyf: " + _binary.missing())
    os.environ.setdefault("DEPYF_PYTHON", sys.executable)
    arguments = [path, *sys.argv[1:]]
    if os.name == "posix":
        os.execv(path, arguments)
    import subprocess

    sys.exit(subprocess.call(arguments))


if __name__ == "__main__":
    main()
