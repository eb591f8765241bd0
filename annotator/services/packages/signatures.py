"""Signed submissions: each copy of a project has a key, which the lead accepts once.

The private key stays in the user's data folder; it is made when submissions are first written in a
project that was created from a work package. Needs the package cryptography (extra "sign"); without
it files are not signed, and signatures are not checked.
"""

from __future__ import annotations

import base64
import hashlib
import os
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from annotator import paths
from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import PersonId
from annotator.store.workflow import travel
from annotator.sync.archive import Archive, ArchiveError, Signature

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


class Signed(StrEnum):
    """How a submission file is signed, as the lead sees it."""

    UNSIGNED = "unsigned"
    UNCHECKED = "unchecked"  # signed, but the package cryptography is not installed here
    NEW_KEY = "new key"  # no key of the person was accepted yet
    ACCEPTED = "signed"
    CHANGED = "key changed"  # another key than the accepted one, or none any more


class Seal(NamedTuple):
    """State and key fingerprint of a file's signature; "" without one."""

    state: Signed
    fingerprint: str = ""


UNSIGNED: Final = Seal(Signed.UNSIGNED)


def is_available() -> bool:
    """Return whether files can be signed and signatures be checked."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return False
    return True


def sign(project: OpenProject, body: bytes) -> Signature | None:
    """Sign bytes with the key of this copy, which is made when there is none; None where that
    cannot be done.
    """
    if not is_available() or project.file.replica_id is None:
        return None
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    folder = paths.data_dir() / "keys"
    path = folder / f"{project.file.replica_id.hex()}.key"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            key_bytes = Ed25519PrivateKey.generate().private_bytes_raw()
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(key_bytes)
        key = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(
            "Cannot sign the submissions: the key of this project cannot be read or written.",
            hint="Check the folder. If the key is damaged, delete it; a new one is made.",
            where=str(path),
        ) from error
    public = key.public_key().public_bytes_raw()
    return Signature(base64.b64encode(public).decode(), base64.b64encode(key.sign(body)).decode())


def own_fingerprint(project: OpenProject) -> str:
    """Return the fingerprint of this copy's key, made when there is none; "" where it cannot be."""
    signature = sign(project, b"")
    return fingerprint(base64.b64decode(signature.public_key)) if signature else ""


def seal_of(project: OpenProject, person_id: PersonId, archive: Archive) -> Seal:
    """Return how a file is signed; ArchiveError where its signature is not that of its content."""
    known = accepted_keys(project).get(person_id, "")
    if archive.signature is None:
        return Seal(Signed.CHANGED if known else Signed.UNSIGNED)
    if not is_available():
        return Seal(Signed.UNCHECKED)
    found = _verified(archive, archive.signature)
    if not known:
        return Seal(Signed.NEW_KEY, found)
    return Seal(Signed.ACCEPTED if found == known else Signed.CHANGED, found)


def accepted_keys(project: OpenProject) -> dict[PersonId, str]:
    """Return the fingerprint of the accepted key of each person who has one."""
    text = project.file.meta(travel.KEYS)
    return msgspec.json.decode(text, type=dict[PersonId, str]) if text else {}


def accept_key(project: OpenProject, person_id: PersonId, fingerprint: str) -> None:
    """Remember the key of a person, in place of an earlier one; "" forgets it. Leads only."""
    project.work.people.check_lead()
    if project.work.people.find(person_id) is None:
        raise WorkError("The person is not in the project.", code="unknown-person")
    if fingerprint and not _is_fingerprint(fingerprint):
        raise WorkError(
            "This is not the fingerprint of a key.",
            code="bad-key",
            hint="It begins with SHA256: and is shown when a file is collected.",
        )
    keys = {**accepted_keys(project), person_id: fingerprint}
    kept = {key: each for key, each in keys.items() if each}
    with project.file.transaction() as connection:
        travel.set_meta(connection, travel.KEYS, msgspec.json.encode(kept).decode())


def fingerprint(public_key: bytes) -> str:
    """Return the fingerprint of a public key: SHA-256 in Base64, as OpenSSH writes it."""
    digest = hashlib.sha256(public_key).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def _verified(archive: Archive, signature: Signature) -> str:
    """Return the fingerprint of the key that signed an archive."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = base64.b64decode(signature.public_key, validate=True)
        value = base64.b64decode(signature.value, validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(value, archive.signed)
    except (ValueError, InvalidSignature) as error:
        raise ArchiveError(
            "Cannot collect the file: it was changed after it was signed.",
            hint="No data was imported. Request the file again from its author.",
            where=str(archive.path),
        ) from error
    return fingerprint(public)


def _is_fingerprint(text: str) -> bool:
    try:
        return text.startswith("SHA256:") and len(base64.b64decode(text[7:] + "=")) == 32
    except ValueError:
        return False
