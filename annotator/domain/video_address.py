"""Addresses of the videos of a project: one template, filled in for each video.

    https://media.lab/kitchen/{name}
    s3://lab-videos/{hash}.mp4

`{name}` is the file name of a video, `{stem}` is that without its ending, `{hash}` is the SHA-256
of the content. Templates are kept in recipes and invitations, so they never contain secrets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

MAX_TEMPLATE: Final = 1000
_SCHEMES: Final = ("https", "http", "s3", "sftp", "smb", "file")
_WEB: Final = ("https", "http")
_MAY_HAVE_USER: Final = ("sftp", "smb")
_FIELD: Final = re.compile(r"\{([^{}]*)\}")
_FIELDS: Final = ("name", "stem", "hash")
_SECRET: Final = re.compile(r"(?i)sig|token|secret|passw|credential|x-amz|x-goog|key|auth")


@dataclass(frozen=True, slots=True)
class VideoAddress:
    """Address of one file: ``path`` as the server names it, ``user`` and ``port`` if given."""

    scheme: str
    host: str
    path: str
    user: str = ""
    port: int | None = None
    text: str = ""

    @property
    def source(self) -> str:
        """The scheme and host, as people see them; a local folder has the scheme alone."""
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{self.host}{port}"


def address_from(text: str) -> VideoAddress:
    """Return the address in a text, including secrets; ValueError names the fault."""
    if len(text) > 2 * MAX_TEMPLATE or not text.isprintable() or text != text.strip():
        raise ValueError("It is too long, or contains characters that cannot be shown.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError("It is not an address.") from None
    if parts.scheme not in _SCHEMES:
        schemes = ", ".join(f"{scheme}://" for scheme in _SCHEMES)
        raise ValueError(f"It must begin with one of {schemes}.")
    if (parts.scheme == "file") == bool(parts.netloc):
        raise ValueError(
            "A local folder has three slashes: file:///FOLDER/{name}."
            if parts.scheme == "file"
            else "It has no host."
        )
    if parts.password is not None or (parts.username and parts.scheme not in _MAY_HAVE_USER):
        raise ValueError("It contains a login or a password. Leave it out.")
    if parts.scheme in _WEB:
        path = parts.path
    else:
        # Only web servers have queries: in other names these characters mean themselves.
        path = text.split("://", 1)[1].removeprefix(parts.netloc)
    # The name of a bucket may have capital letters, which the host of an address has not.
    host = parts.netloc if parts.scheme == "s3" else parts.hostname or ""
    return VideoAddress(parts.scheme, host, path, parts.username or "", port, text)


def check_template(text: str) -> VideoAddress:
    """Return a template as an address; ValueError names the fault."""
    found = address_from(text)
    unknown = [field for field in _FIELD.findall(text) if field not in _FIELDS]
    if unknown:
        raise ValueError(f"“{{{unknown[0]}}}” is unknown. Use {{name}}, {{stem}} or {{hash}}.")
    if not _FIELD.search(found.path) and not _FIELD.search(urlsplit(text).query):
        raise ValueError("It must contain {name}, {stem} or {hash} behind the host.")
    if "{" in found.host or len(text) > MAX_TEMPLATE:
        raise ValueError("It must contain {name}, {stem} or {hash} behind the host.")
    if found.scheme in _WEB and any(_SECRET.search(key) for key, _ in _query(text)):
        raise ValueError("It contains a signature or a key. Addresses with secrets are not kept.")
    return found


def filled_in(template: str, name: str, content_hash: str | None) -> VideoAddress | None:
    """Return the address of one video; None where the template needs a hash that is not known.

    ValueError for a template that is none, or a name that is no file name.
    """
    head = check_template(template)
    if name in ("", ".", "..") or set(name) & set("/\\") or not name.isprintable():
        raise ValueError("The name of the video cannot be part of an address.")
    if content_hash is None and "{hash}" in template:
        return None
    values = {"name": name, "stem": PurePath(name).stem, "hash": content_hash or ""}

    def value(match: re.Match[str]) -> str:
        text = values[match[1]]
        return quote(text, safe="") if head.scheme in _WEB else text

    text = _FIELD.sub(value, template)
    # The host is that of the template: what a name contains is never parsed.
    path = text.split("://", 1)[1]
    if head.scheme != "file":
        path = path[path.index("/") :]
    return replace(head, path=path, text=text)


def _query(text: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(text).query, keep_blank_values=True)
