"""Type of the file system of a project, and its identity by computer and folder."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path


def place(path: Path) -> tuple[str, str]:
    """Return the machine and a token of the path there."""
    token = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    return socket.gethostname(), token


MOUNT_TABLE = Path("/proc/self/mountinfo")
# Kernel drivers and FUSE helpers that reach another machine, or the host of a virtual one.
_NETWORK = frozenset(
    [
        "9p",
        "afpfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "drvfs",
        "fuse.ceph",
        "fuse.davfs2",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.gvfsd-fuse",
        "fuse.juicefs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "fuse.vmhgfs-fuse",
        "gfs2",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "prl_fs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
        "webdav",
    ]
)


def network_file_system(path: Path) -> str | None:
    """Return the type of the network file system of a path ("nfs4"), None if it is local.

    What cannot be found out counts as local.
    """
    if sys.platform == "win32":
        return _windows_drive(path)
    kind = _file_system(path)
    return kind if kind in _NETWORK else None


def _file_system(path: Path) -> str | None:
    try:
        mounts = _linux_mounts() if sys.platform.startswith("linux") else _bsd_mounts()
        real = path.resolve()
    except (OSError, subprocess.SubprocessError):
        return None
    holding = [(point, kind) for point, kind in mounts if real.is_relative_to(point)]
    # Of equal mount points the last one covers the others.
    return max(
        enumerate(holding), key=lambda e: (len(e[1][0].parts), e[0]), default=(0, (0, None))
    )[1][1]


def _linux_mounts() -> list[tuple[Path, str]]:
    mounts = []
    for line in MOUNT_TABLE.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) > 4 and after:
            mounts.append((Path(_unescaped(fields[4])), after.split()[0]))
    return mounts


def _bsd_mounts() -> list[tuple[Path, str]]:
    """Read lines as in ``//user@host/share on /Volumes/share (smbfs, nodev)``."""
    command = ["/sbin/mount"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    found = re.findall(r"^.* on (/.*) \((\w+)[,)]", done.stdout, flags=re.MULTILINE)
    return [(Path(point), kind) for point, kind in found]


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def _windows_drive(path: Path) -> str | None:
    import ctypes

    anchor = path.resolve().anchor
    if anchor.startswith("\\\\"):
        return "smb"
    remote = 4
    drive_type: int = ctypes.windll.kernel32.GetDriveTypeW(anchor)  # type: ignore[attr-defined]
    return "smb" if drive_type == remote else None
