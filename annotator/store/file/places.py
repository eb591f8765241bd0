"""Identity of a project file by computer and folder."""

from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path


def place(path: Path) -> tuple[str, str]:
    """Return the machine and a token of the path there."""
    token = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    return socket.gethostname(), token
