"""Build hook: compile the Go program and put it into the wheel as depyf/bin/depyf.

The wheel depends on the platform, not on the Python version: py3-none-<platform>.
Environment:
  GOOS, GOARCH          build for another platform (with DEPYF_WHEEL_PLATFORM)
  DEPYF_WHEEL_PLATFORM  platform tag of the wheel, such as manylinux_2_17_x86_64
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class GoBuildHook(BuildHookInterface):
    """Compiles cmd/depyf before the wheel is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the binary and name the wheel's platform."""
        if self.target_name != "wheel":
            return
        go = shutil.which("go")
        if go is None:
            raise RuntimeError(
                "building depyf from source needs the Go toolchain (1.26 or newer) on PATH; "
                "install Go, or install a released wheel, which brings the program along"
            )
        windows = os.environ.get("GOOS", "windows" if os.name == "nt" else "") == "windows"
        name = "depyf.exe" if windows else "depyf"
        root = Path(self.root)
        editable = version == "editable"
        folder = root / "python" / "depyf" / "bin" if editable else Path(tempfile.mkdtemp())
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = None if editable else folder
        environment = dict(os.environ, CGO_ENABLED="0")
        subprocess.run(
            [go, "build", "-trimpath", "-ldflags", "-s -w", "-o", str(folder / name), "./cmd/depyf"],
            cwd=root,
            env=environment,
            check=True,
        )
        platform = os.environ.get("DEPYF_WHEEL_PLATFORM")
        if not platform:
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + platform
        # What makes DEPYF_DUMP work in programs that do not mention depyf; see depyf/_auto.py.
        build_data["force_include"][str(root / "python" / "depyf.pth")] = "depyf.pth"
        if not editable:
            build_data["force_include"][str(folder / name)] = "depyf/bin/" + name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if getattr(self, "_folder", None):
            shutil.rmtree(self._folder, ignore_errors=True)
