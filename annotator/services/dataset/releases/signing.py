"""Signatures of certificates with Ed25519 keys; the extra "sign" installs what they need."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.errors import UserError
from annotator.services.dataset.releases.proof_frames import ReleaseProblem
from annotator.services.files import write_atomically
from annotator.services.packages.signing import fingerprint

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SIGNATURE: Final = "certificate.sig"
_ALGORITHM: Final = "Ed25519"
_MAX_BYTES: Final = 100_000


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
        found = load_pem_private_key(path.read_bytes()[:_MAX_BYTES], password=None)
    except OSError as error:
        text = f"Cannot read the key: {error.strerror or error}."
        raise UserError(text, hint=hint, where=str(path)) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        text = "The file contains no private key in PEM format without a passphrase."
        raise UserError(text, hint=hint, where=str(path)) from error
    if not isinstance(found, Ed25519PrivateKey):
        raise UserError("The key is not an Ed25519 key.", hint=hint, where=str(path))
    return found


def sign_certificate(folder: Path, certificate: bytes, key: Ed25519PrivateKey) -> None:
    """Write the signature of a certificate beside it."""
    public = key.public_key().public_bytes_raw()
    texts = (base64.b64encode(each).decode() for each in (public, key.sign(certificate)))
    signature = ReleaseSignature(_ALGORITHM, *texts)
    body = msgspec.json.format(msgspec.json.encode(signature), indent=1)
    write_atomically(folder / SIGNATURE, [body, b"\n"])


def check_signature(
    folder: Path, certificate: bytes, wanted: str = ""
) -> tuple[str, ReleaseProblem | None]:
    """Return the fingerprint of the key that signed a release, "" without one, and what is wrong.

    ``wanted`` is the fingerprint that the key has to have, any where empty.
    """
    path = folder / SIGNATURE
    if not path.is_file():
        text = "the release is not signed"
        return "", ReleaseProblem(SIGNATURE, text) if wanted else None
    _needs_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        found = msgspec.json.decode(path.read_bytes()[:_MAX_BYTES], type=ReleaseSignature)
        public = base64.b64decode(found.public_key, validate=True)
        signature = base64.b64decode(found.signature, validate=True)
        name = fingerprint(public)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, certificate)
    except (OSError, ValueError, msgspec.MsgspecError):
        return "", ReleaseProblem(SIGNATURE, "the signature is damaged")
    except InvalidSignature:
        return name, ReleaseProblem(SIGNATURE, "the certificate was changed after it was signed")
    if wanted and wanted != name:
        return name, ReleaseProblem(SIGNATURE, f"signed with another key: {name}")
    return name, None


def _needs_library() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        hint = 'Install it with: pip install "annotator[sign]"'
        raise UserError("Signatures need the package cryptography.", hint=hint) from error
