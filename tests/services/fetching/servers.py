"""Servers that have videos: web, SSH and SMB, each on 127.0.0.1 and in folders of its own."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

PASSWORD = "known-to-tests"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Web:
    """A web server over a folder. ``breaks_after`` ends each answer after so many bytes."""

    folder: Path
    port: int = 0
    has_ranges: bool = True
    breaks_after: int = 0
    needs: str = ""
    requests: list[str] = field(default_factory=list)
    sent: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def web_server(folder: Path) -> Iterator[Web]:
    """Serve the files of a folder; with ``needs`` only to requests with that in a header."""
    web = Web(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(is_head=True)

        def do_GET(self) -> None:
            self._answer(is_head=False)

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self, *, is_head: bool) -> None:
            web.requests.append(f"{self.command} {self.path}")
            path = folder / unquote(urlsplit(self.path).path).lstrip("/")
            if web.needs and web.needs not in str(self.headers):
                return self._end(403)
            if not path.is_file():
                return self._end(404)
            body, status = path.read_bytes(), 200
            wanted, total = self.headers.get("Range"), len(body)
            if wanted and web.has_ranges:
                first, _, last = wanted.removeprefix("bytes=").partition("-")
                end = int(last) + 1 if last else total
                body, status = body[int(first) : end], 206
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if web.has_ranges:
                self.send_header("Accept-Ranges", "bytes")
            if status == 206:
                span = f"{first}-{int(first) + len(body) - 1}"
                self.send_header("Content-Range", f"bytes {span}/{total}")
            self.end_headers()
            if is_head:
                return None
            if web.breaks_after and len(body) > web.breaks_after:
                self.wfile.write(body[: web.breaks_after])
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return None
            web.sent += len(body)
            self.wfile.write(body)
            return None

        def _end(self, status: int) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Clients that went away are no news."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def program(name: str) -> str:
    """Return the path of a server's program; the test is skipped, on CI failed, without it."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None or (name == "smbd" and os.getuid() != 0):
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def ssh_server(home: Path) -> Iterator[int]:
    """Run an SSH server that gives files to whoever has our key; return its port."""
    sshd = program("sshd")
    port = free_port()
    for name in ("host", "client"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / name], check=True
        )
    user = Path.home() / ".ssh"
    user.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(home / "client", user / "id_ed25519")
    (home / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {home}/host\nPidFile {home}/pid\n"
        f"AuthorizedKeysFile {home}/client.pub\nStrictModes no\nPermitRootLogin yes\n"
        "PasswordAuthentication no\nSubsystem sftp internal-sftp\n"
    )
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    with _running([sshd, "-D", "-e", "-f", str(home / "config")], port, home / "log"):
        key = (home / "host.pub").read_text().split()[:2]
        (user / "known_hosts").write_text(f"[127.0.0.1]:{port} {' '.join(key)}\n")
        yield port
    for name in ("id_ed25519", "known_hosts"):
        (user / name).unlink(missing_ok=True)


@contextmanager
def smb_server(home: Path, share: Path) -> Iterator[int]:
    """Run a file server with one share, “videos”; return its port."""
    smbd = program("smbd")
    port = free_port()
    folders = {}
    for key in ("private dir", "lock directory", "state directory", "cache directory",
                "pid directory", "ncalrpc dir"):  # fmt: skip
        folders[key] = home / key.replace(" ", "-")
        folders[key].mkdir()
    settings = {
        "server role": "standalone server",
        "interfaces": "127.0.0.1",
        "bind interfaces only": "yes",
        "smb ports": port,
        "passdb backend": f"tdbsam:{home}/passdb.tdb",
        "log file": home / "log",
        "disable spoolss": "yes",
        "load printers": "no",
        **folders,
    }
    lines = [f"{key} = {value}" for key, value in settings.items()]
    config = home / "smb.conf"
    config.write_text(
        "\n".join(["[global]", *lines, "[videos]", f"path = {share}", "read only = yes", ""])
    )
    subprocess.run(
        ["smbpasswd", "-c", config, "-a", "-s", getpass.getuser()],
        input=f"{PASSWORD}\n{PASSWORD}\n".encode(),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    command = [smbd, "--foreground", "--no-process-group", f"--configfile={config}"]
    with _running(command, port, home / "out"):
        yield port


@contextmanager
def login(user: str, password: str) -> Iterator[None]:
    """Have a login for 127.0.0.1 in .netrc meanwhile."""
    path = Path.home() / ".netrc"
    path.touch(mode=0o600)
    path.write_text(f"machine 127.0.0.1 login {user} password {password}\n")
    try:
        yield
    finally:
        path.unlink()


@contextmanager
def _running(command: list[str], port: int, log: Path) -> Iterator[None]:
    with log.open("wb") as out:
        # When the file server ends, it ends all of its process group.
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        try:
            deadline = time.monotonic() + 20
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait()
