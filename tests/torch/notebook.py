"""Runs cells in a real Jupyter kernel, and prints what came out of each as JSON.

    python notebook.py <CELLS >OUTPUTS

The Python that runs this has ipykernel and jupyter_client; the kernel is the same Python.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from jupyter_client.manager import start_new_kernel

# Compiling takes a while on a busy machine.
LIMIT = 300


def main() -> None:
    manager, client = start_new_kernel(kernel_name="python3")
    outputs = []
    try:
        for cell in json.load(sys.stdin):
            shown: list[dict[str, Any]] = []

            def take(message: dict[str, Any], shown: list[dict[str, Any]] = shown) -> None:
                if message["msg_type"] in ("execute_result", "display_data", "stream", "error"):
                    shown.append({"type": message["msg_type"], **message["content"]})

            client.execute_interactive(cell, output_hook=take, timeout=LIMIT)
            outputs.append(shown)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    json.dump(outputs, sys.stdout, default=str)


if __name__ == "__main__":
    main()
