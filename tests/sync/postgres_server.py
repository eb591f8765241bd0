"""A private PostgreSQL cluster on 127.0.0.1 with TLS, as an administrator would set it up."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

_HBA = """\
local   all all scram-sha-256
hostssl all all 127.0.0.1/32 scram-sha-256
host    all all 127.0.0.1/32 reject
"""


@dataclass
class Server:
    """A cluster: ``admin`` is the address of its superuser, without a database."""

    home: Path
    port: int
    admin: dict[str, str]

    def start(self) -> None:
        _run(self.home, "pg_ctl", "-D", self.data, "-l", self.home / "log", "-w", "start")

    def stop(self) -> None:
        _run(self.home, "pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        """End the server as a crash would."""
        pid = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, 9)

    @property
    def data(self) -> Path:
        return self.home / "data"


def programs() -> Path | None:
    """Return the folder of the server's programs, None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[4])
    if found:
        return found[-1].parent
    program = shutil.which("initdb")
    return Path(program).resolve().parent if program else None


@contextmanager
def running(*, memory: str = "128MB") -> Iterator[Server]:
    """Start a cluster in a folder of its own, and take it away again."""
    with tempfile.TemporaryDirectory(prefix="annotator-postgres-") as folder:
        home = Path(folder)
        _give_away(home)
        password = "administrator"
        word = home / "password"
        word.write_text(password)
        _give_away(word)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        data = home / "data"
        _run(home, "initdb", "-D", data, "-U", "admin", "-A", "scram-sha-256",
             f"--pwfile={word}", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        certificate = _certify(data)
        with (data / "postgresql.conf").open("a") as file:
            file.write(
                f"port={port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories='{home}'\n"
                "max_connections=300\nssl=on\n"
                f"shared_buffers={memory}\nmax_wal_size=4GB\n"
            )
        (data / "pg_hba.conf").write_text(_HBA)
        admin = {
            "host": "127.0.0.1", "port": str(port), "user": "admin", "password": password,
            "sslrootcert": str(certificate),
        }  # fmt: skip
        server = Server(home, port, admin)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def certified(certificate_file: Path, key_file: Path) -> None:
    """Write a certificate for 127.0.0.1, which signs itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hub.lab")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    key_file.chmod(0o600)


def _certify(data: Path) -> Path:
    """Give a server its certificate, and return a copy outside of the server's folder."""
    certified(data / "server.crt", data / "server.key")
    for each in ("server.crt", "server.key"):
        _give_away(data / each)
    kept = data.parent / "ca.crt"
    kept.write_bytes((data / "server.crt").read_bytes())
    return kept


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _give_away(path: Path) -> None:
    """Let the user of the server have a file: the server refuses to run as root."""
    if _is_root():
        shutil.chown(path, "postgres", "postgres")


def _run(home: Path, program: str, *arguments: object) -> None:
    folder = programs()
    assert folder is not None
    command = [str(folder / program), *map(str, arguments)]
    if _is_root():
        command = ["runuser", "-u", "postgres", "--", *command]
    ends = time.monotonic() + 60
    while True:
        done = subprocess.run(command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            return
        # After a crash the server refuses to start while its old children live.
        if program != "pg_ctl" or "start" not in arguments or time.monotonic() > ends:
            raise RuntimeError(f"{program}: {done.stdout.decode(errors='replace')}")
        time.sleep(0.3)
