"""Reading files from web servers, buckets and shares (package fsspec, extra "remote")."""

from __future__ import annotations

import errno
import netrc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, cast
from urllib.request import url2pathname

from annotator.domain.errors import MediaError
from annotator.domain.video_address import VideoAddress

BLOCK_BYTES: Final = 4 << 20
_PATIENCE_S: Final = 20.0
_SERVICE: Final = "annotator"
_WEB: Final = ("http", "https")


class FetchError(MediaError):
    """A video cannot be fetched now; a later attempt may succeed."""


class NotThereError(FetchError):
    """There is no such file at its address."""


class LoginNeededError(FetchError):
    """The server refuses this login, or needs one."""


class RemoteFile:
    """A file at an address, read from an offset on; ``size`` in bytes is None if unknown.

    ``start`` is where reading begins: 0 where the server can only send all of it. FetchError when
    something goes wrong, at any call.
    """

    def __init__(self, address: VideoAddress, start: int = 0) -> None:
        self.size: int | None = None
        self.start = start
        self._address = address
        self._system: Any = None
        self._first: bytes | None = None
        with _errors_in_words(address):
            if address.scheme == "file":
                self._file = _local(address)
                self.size = Path(self._file.name).stat().st_size
            else:
                self._system, path = _system(address)
                self.size = self._system.info(path).get("size")
                self._file = self._opened(path, BLOCK_BYTES)
            if self.size is None or start > self.size:
                self.start = 0
            try:
                self._file.seek(self.start)
                self._first = self._file.read(BLOCK_BYTES)
            except (ValueError, RuntimeError):
                # A web server that cannot begin in the middle sends it in one go.
                self._file.close()
                self._file, self.start = self._opened(path, 0), 0

    def read(self) -> bytes:
        """Return the next bytes, none at the end."""
        first, self._first = self._first, None
        if first is not None:
            return first
        with _errors_in_words(self._address):
            return self._file.read(BLOCK_BYTES)

    def close(self) -> None:
        """End the connection."""
        with suppress(Exception):  # over already
            self._file.close()
        with suppress(Exception):
            if hasattr(self._system, "client"):
                self._system.client.close()

    def _opened(self, path: str, block_bytes: int) -> IO[bytes]:
        """Open a file of the server; it is read block by block, or with 0 as one stream."""
        scheme = self._address.scheme
        options = {} if scheme in ("sftp", "smb") else {"cache_type": "none"}
        file: Any = self._system.open(path, "rb", block_size=block_bytes, **options)
        if scheme == "sftp":
            # Many requests at a time; one by one, each costs a round trip.
            file.prefetch(self.size, max_concurrent_requests=64)
        return cast("IO[bytes]", file)


def keep_login(source: str, user: str, password: str) -> None:
    """Keep a login for a server in the keyring of the system; FetchError if there is none."""
    try:
        import keyring

        keyring.set_password(_SERVICE, source, f"{user}:{password}")
    except Exception as error:  # every keyring has errors of its own
        raise FetchError(
            "Cannot keep the login: this computer has no keyring.",
            hint="Put it into the file .netrc of your home folder.",
        ) from error


def _login(address: VideoAddress) -> tuple[str, str] | None:
    """Return user and password for a server, from the keyring or from .netrc; None without."""
    kept = None
    with suppress(Exception):  # no keyring, or one that is locked
        import keyring

        kept = keyring.get_password(_SERVICE, address.source)
    if kept:
        user, _, password = kept.partition(":")
        return user, password
    with suppress(OSError, netrc.NetrcParseError):
        found = netrc.netrc().authenticators(address.host)
        if found is not None:
            return address.user or found[0], found[2] or ""
    return None


def _local(address: VideoAddress) -> IO[bytes]:
    path = Path(url2pathname(address.path) if sys.platform == "win32" else address.path)
    if not path.is_file():
        raise FileNotFoundError(str(path))
    return path.open("rb")


def _system(address: VideoAddress) -> tuple[Any, str]:
    """Return the file system of an address, connected, and the path of the file in it."""
    try:
        import fsspec  # type: ignore[import-untyped]
    except ImportError as error:
        raise _extra_missing() from error
    login = _login(address)
    settings: dict[str, Any] = {"skip_instance_cache": True}
    path = address.path
    try:
        if address.scheme in _WEB:
            settings["client_kwargs"] = _web_settings(address, login)
            path = address.text
        elif address.scheme == "s3":
            settings["config_kwargs"] = {"connect_timeout": _PATIENCE_S, "read_timeout": 60}
            settings["anon"] = login is None and not _has_key()
            if login is not None:
                settings["key"], settings["secret"] = login
            path = f"{address.host}{address.path}"
        elif address.scheme == "sftp":
            return _sftp(address, login), path
        else:
            settings |= {"host": address.host, "port": address.port, "timeout": _PATIENCE_S}
            settings |= {"share_access": "r", "register_session_retries": 0}
            if login is not None:
                settings["username"], settings["password"] = login
            elif address.user:
                settings["username"] = address.user
        return fsspec.filesystem(address.scheme, **settings), path
    except ImportError as error:
        raise _extra_missing() from error


def _web_settings(address: VideoAddress, login: tuple[str, str] | None) -> dict[str, Any]:
    import aiohttp

    timeout = aiohttp.ClientTimeout(total=None, sock_connect=_PATIENCE_S, sock_read=60)
    settings: dict[str, Any] = {"timeout": timeout, "trust_env": True}
    if login is not None and address.scheme == "https":
        settings["auth"] = aiohttp.BasicAuth(*login)
    return settings


def _has_key() -> bool:
    """Return whether there are credentials for buckets: else public ones can be read."""
    from botocore.session import get_session  # type: ignore[import-untyped]

    return get_session().get_credentials() is not None


def _sftp(address: VideoAddress, login: tuple[str, str] | None) -> object:
    """Connect to an SSH server whose key is known; an unknown server gets no login."""
    import paramiko  # type: ignore[import-untyped]
    from fsspec.implementations.sftp import SFTPFileSystem  # type: ignore[import-untyped]

    class KnownHosts(SFTPFileSystem):  # type: ignore[misc]
        """File system of a server that the user has connected to before."""

        def _connect(self) -> None:
            self.client = paramiko.SSHClient()
            self.client.load_system_host_keys()
            self.client.set_missing_host_key_policy(paramiko.RejectPolicy())
            self.client.connect(self.host, **self.ssh_kwargs)
            self.ftp = self.client.open_sftp()
            self.ftp.get_channel().settimeout(60.0)

    wishes: dict[str, Any] = {"port": address.port or 22, "timeout": _PATIENCE_S}
    user, password = login or (address.user, "")
    if user:
        wishes["username"] = user
    if password:
        wishes["password"] = password
    return KnownHosts(address.host, skip_instance_cache=True, **wishes)


@contextmanager
def _errors_in_words(address: VideoAddress) -> Iterator[None]:
    """Say what went wrong with an address in words."""
    address_text = address.source if address.scheme != "file" else address.path
    try:
        yield
    except MediaError:
        raise
    except Exception as error:  # each library has errors of its own
        reason = error.__cause__
        if isinstance(error, FileNotFoundError) and isinstance(reason, Exception):
            # A web server's answers all look like this.
            error = reason if address.scheme in _WEB else error
        if _is_absence(error):
            raise NotThereError(
                f"The video is not at {address_text}.",
                hint="Ask the project lead where it is.",
                where=_without_query(address),
            ) from error
        if _is_refusal(error):
            raise LoginNeededError(
                f"{address_text} refused access to the video.",
                hint="Sign in with “annotator fetch --login NAME”, or ask the project lead.",
                where=_without_query(address),
            ) from error
        if type(error).__name__ == "SSHException" and "known_hosts" in str(error):
            raise FetchError(
                f"The server {address.host} is unknown to this computer.",
                hint=f"Connect to it once with “ssh {address.host}” and confirm its key.",
            ) from error
        raise FetchError(
            f"Cannot fetch the video from {address_text}: {_reason(error)}.",
            hint="Try again later.",
            where=_without_query(address),
        ) from error


def _is_absence(error: Exception) -> bool:
    return (
        isinstance(error, FileNotFoundError)
        or getattr(error, "errno", 0) == errno.ENOENT
        or getattr(error, "status", None) in (404, 410)
    )


def _is_refusal(error: Exception) -> bool:
    status = getattr(error, "status", None)
    if getattr(error, "errno", 0) in (errno.EACCES, errno.EPERM):
        return True
    names = {each.__name__ for each in type(error).__mro__}
    refusals = {"AuthenticationException", "LogonFailure", "AccessDenied", "SMBAuthenticationError"}
    return isinstance(error, PermissionError) or status in (401, 403) or bool(names & refusals)


def _reason(error: Exception) -> str:
    status = getattr(error, "status", None)
    if status is not None:
        return f"the server answers {status}"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:200].rstrip(".")


def _without_query(address: VideoAddress) -> str:
    """Return an address as it may be shown and logged: a query may hold a signature."""
    return address.text.partition("?")[0] if address.scheme in _WEB else address.text


def _extra_missing() -> FetchError:
    return FetchError(
        "Videos cannot be fetched: a library is missing.",
        hint="Install it with: pip install 'annotator[remote]'",
    )
