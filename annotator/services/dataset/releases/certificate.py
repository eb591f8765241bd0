"""The certificate of a release: contents, origin and signature."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from annotator.domain.errors import ExchangeError, UserError
from annotator.exchange.strict_json import JsonObjectFile
from annotator.services.dataset.releases.proof_frames import MediaFacts, ReleaseProblem
from annotator.services.files import write_atomically
from annotator.services.packages.signatures import fingerprint

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from annotator.domain.json_type import Json

SIGNATURE: Final = "certificate.sig"
_ALGORITHM: Final = "Ed25519"
_MAX_KEY_BYTES: Final = 100_000


class ReleaseSignature(msgspec.Struct, frozen=True):
    """Signature of certificate.json and the public key, both in Base64."""

    algorithm: str
    public_key: str
    signature: str


def private_key(path: Path) -> Ed25519PrivateKey:
    """Return the private key in a PEM file without a passphrase. UserError for any other file."""
    _needs_library()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    hint = "Create one with: openssl genpkey -algorithm ed25519 -out key.pem"
    try:
        key = load_pem_private_key(path.read_bytes()[:_MAX_KEY_BYTES], password=None)
    except OSError as error:
        text = f"Cannot read the key: {error.strerror or error}."
        raise UserError(text, hint=hint, where=str(path)) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        text = "The file contains no private key in PEM format without a passphrase."
        raise UserError(text, hint=hint, where=str(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError("The key is not an Ed25519 key.", hint=hint, where=str(path))
    return key


def sign_certificate(folder: Path, certificate: bytes, key: Ed25519PrivateKey) -> None:
    """Write the signature of a certificate beside it."""
    public = key.public_key().public_bytes_raw()
    texts = (base64.b64encode(each).decode() for each in (public, key.sign(certificate)))
    signature = ReleaseSignature(_ALGORITHM, *texts)
    body = msgspec.json.format(msgspec.json.encode(signature), indent=1)
    write_atomically(folder / SIGNATURE, [body, b"\n"])


def check_signature(
    folder: Path, certificate: bytes, expected_name: str = ""
) -> tuple[str, ReleaseProblem | None]:
    """Return the fingerprint of the signing key, "" without one, and all faults.

    ``wanted`` is the required fingerprint of the key; empty accepts any.
    """
    path = folder / SIGNATURE
    if not path.is_file():
        text = "the release is not signed"
        return "", ReleaseProblem(SIGNATURE, text) if expected_name else None
    _needs_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        stored_signature = msgspec.json.decode(
            path.read_bytes()[:_MAX_KEY_BYTES], type=ReleaseSignature
        )
        public = base64.b64decode(stored_signature.public_key, validate=True)
        signature = base64.b64decode(stored_signature.signature, validate=True)
        name = fingerprint(public)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, certificate)
    except (OSError, ValueError, msgspec.MsgspecError):
        return "", ReleaseProblem(SIGNATURE, "the signature is damaged")
    except InvalidSignature:
        return name, ReleaseProblem(SIGNATURE, "the certificate was changed after it was signed")
    if expected_name and expected_name != name:
        return name, ReleaseProblem(SIGNATURE, f"signed with another key: {name}")
    return name, None


def _needs_library() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        hint = 'Install it with: pip install "annotator[sign]"'
        raise UserError("Signatures need the package cryptography.", hint=hint) from error


NAME: Final = "certificate.json"
FORMAT: Final = "annotator-release/1"
_MAX_CERTIFICATE_BYTES: Final = 1 << 30
_DIGEST_CHARS: Final = 16


class AnnotationOrigin(msgspec.Struct, frozen=True):
    """Where the annotations of a video come from: submission IDs by kind of task, item IDs."""

    submissions: dict[str, str] = {}
    items: tuple[str, ...] = ()


class Certificate(msgspec.Struct, frozen=True):
    """All verifiable facts about a release.

    ``files`` are SHA-256 by path. ``records`` are digests by file, video and task; ``counts`` how
    many records there are by file and task. ``commands`` compute each table from the project.
    """

    format: str
    title: str
    made_at: str
    made_with: str
    recipe: str
    guidelines: dict[str, str]
    split: dict[str, Any]
    files: dict[str, str]
    records: dict[str, dict[str, dict[str, str]]]
    counts: dict[str, dict[str, int]]
    commands: dict[str, str]
    sources: dict[str, AnnotationOrigin]
    media: tuple[MediaFacts, ...] = ()


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def record_digests(path: Path) -> Iterator[tuple[str, dict[str, str], dict[str, int]]]:
    """Yield video, digests and numbers of records by task, of an annotation file.

    ExchangeError when it is damaged.
    """
    file = JsonObjectFile(path)
    try:
        for name in file.keys():  # noqa: SIM118 - not a dict
            entry = file.member(name)
            if not isinstance(entry, dict):
                raise ExchangeError("The entry is not an object.", where=f"{path}, {name}")
            digests = {task: value_digest(value) for task, value in entry.items()}
            counts = {task: len(v) for task, v in entry.items() if isinstance(v, list)}
            yield name, digests, counts
    finally:
        file.close()


def value_digest(value: Json) -> str:
    """Return a short digest of a JSON value, whatever the order of its keys."""
    plain = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(plain).hexdigest()[:_DIGEST_CHARS]


def read_certificate(folder: Path) -> Certificate:
    """Return the certificate of a release folder. ExchangeError when it has none or it is bad."""
    path = folder / NAME
    try:
        if path.stat().st_size > _MAX_CERTIFICATE_BYTES:
            raise ExchangeError("The certificate is too large.", where=str(path))
        certificate = msgspec.json.decode(path.read_bytes(), type=Certificate)
    except OSError as error:
        text = f"Cannot read the certificate: {error.strerror or error}."
        hint = "Select the folder of a release; it contains certificate.json."
        raise ExchangeError(text, hint=hint, where=str(path)) from error
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        text = f"The certificate is damaged: {error}."
        raise ExchangeError(text, hint="Get the release again.", where=str(path)) from error
    if certificate.format != FORMAT:
        text = f"The certificate has the format “{certificate.format[:40]}”, expected “{FORMAT}”."
        raise ExchangeError(text, hint="A newer version of annotator may be needed.")
    return certificate


def certificate_bytes(certificate: Certificate) -> bytes:
    """Return a certificate as readable JSON."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=1)


def all_files(folder: Path) -> Mapping[str, Path]:
    """Return the files of a release by path, without certificate, signature and media."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name not in (NAME, SIGNATURE)
        and path.relative_to(folder).parts[0] != "media"
    }
