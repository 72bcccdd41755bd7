"""What ended a program that `depyf run` has run inside of its own process."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # The typing module takes longer to import than this package.
    from typing import Optional

error: Optional[BaseException] = None
