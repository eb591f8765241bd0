"""Where the hub of a project is, and invitations to it. Neither holds a password.

Passwords are kept in the keyring of the system (package keyring, extra "team"); without one they
come from the environment variable ANNOTATOR_HUB_PASSWORD or from PostgreSQL's password file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

import msgspec

from annotator import paths
from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import PersonId, ProjectId
from annotator.services.files import write_atomically
from annotator.store.workflow import travel
from annotator.sync.folder import FolderHub
from annotator.sync.hub import Hub, HubError
from annotator.sync.postgres import PATIENCE_S, PostgresHub

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

INVITATION_SUFFIX: Final = ".annot-invite"
PASSWORD_VARIABLE: Final = "ANNOTATOR_HUB_PASSWORD"

_PLACE: Final = "hub"
_WRITE_ROLE: Final = "hub_write_role"
_SERVICE: Final = "annotator"
_FORMAT: Final = "annotator-invitation/1"
_MAX_INVITATION_BYTES: Final = 1 << 20


class HubPlace(msgspec.Struct, omit_defaults=True):
    """A shared folder, or a database with a login; ``certificate`` is that of its server (PEM)."""

    folder: str = ""
    host: str = ""
    port: int = 5432
    database: str = ""
    login: str = ""
    certificate: str = ""

    @property
    def name(self) -> str:
        """The name that people see: the path of the folder, or the host and database."""
        return self.folder or f"{self.host}/{self.database}"


class Invitation(msgspec.Struct):
    """Invitation file: everything needed to join a shared project, except the password.

    ``videos`` is the template of the addresses of videos, "" for that of the recipe.
    """

    project_id: ProjectId
    title: str
    person_id: PersonId
    person: str
    place: HubPlace
    format: str = _FORMAT
    videos: str = ""


def place_from(text: str, *, certificate: Path | None = None) -> HubPlace:
    """Return the place that an address names: a folder, or postgresql://LOGIN@HOST:PORT/DATABASE.

    UserError when it is neither; a password in the address is refused.
    """
    if "://" not in text:
        return HubPlace(folder=str(Path(text).absolute()))
    parts = urlsplit(text)
    if parts.scheme not in ("postgresql", "postgres"):
        raise UserError(
            f"Unknown kind of hub “{parts.scheme}”.",
            hint="Specify a folder, or postgresql://LOGIN@HOST/DATABASE.",
        )
    if parts.password:
        raise UserError(
            "The address contains a password.",
            hint="Leave it out: it would be stored in files. It is asked for.",
        )
    database = unquote(parts.path.strip("/"))
    if not parts.hostname or not database:
        raise UserError(
            "The address has no host or no database.",
            hint="Specify postgresql://LOGIN@HOST/DATABASE.",
        )
    return HubPlace(
        host=parts.hostname,
        port=parts.port or 5432,
        database=database,
        login=unquote(parts.username or ""),
        certificate=certificate.read_text(encoding="ascii") if certificate is not None else "",
    )


def place_of(project: OpenProject) -> HubPlace | None:
    """Return where the hub of a project is, None for one that is not shared."""
    text = project.file.meta(_PLACE)
    return msgspec.json.decode(text, type=HubPlace) if text is not None else None


@contextmanager
def connected(project: OpenProject, *, patience_s: float = PATIENCE_S) -> Iterator[Hub]:
    """Connect to the hub of a project as its owner.

    A call is repeated for ``patience_s`` while the connection breaks. WorkError for a project that
    is not shared.
    """
    place, me = place_of(project), project.work.me
    if place is None or me is None:
        raise WorkError(
            "This project is not shared.",
            code="not-shared",
            hint="A lead shares it with “annotator hub init”; others join with an invitation.",
        )
    number = int(project.file.meta(_WRITE_ROLE) or 0)
    hub = open_hub(place, me.id, write_role=number, patience_s=patience_s)
    try:
        yield hub
    finally:
        hub.close()


def save_write_role(project: OpenProject, number: int) -> None:
    """Store that this copy of the project publishes and collects."""
    with project.file.transaction() as connection:
        travel.set_meta(connection, _WRITE_ROLE, str(number))


def keep_place(project: OpenProject, place: HubPlace) -> None:
    """Remember where the hub of a project is."""
    with project.file.transaction() as connection:
        travel.set_meta(connection, _PLACE, msgspec.json.encode(place).decode())


def open_hub(
    place: HubPlace,
    person_id: PersonId,
    *,
    write_role: int = 0,
    patience_s: float = PATIENCE_S,
) -> Hub:
    """Return a person's access to a hub; HubError with the reason if there is none."""
    if place.folder:
        return FolderHub(Path(place.folder), person_id, write_role=write_role)
    return PostgresHub(address_of(place), write_role=write_role, patience_s=patience_s)


def address_of(place: HubPlace, password: str = "") -> dict[str, str]:
    """Return the address of a database as a connection string for PostgreSQL."""
    address = {
        "host": place.host,
        "port": str(place.port),
        "dbname": place.database,
        "user": place.login,
    }
    if place.certificate:
        address["sslrootcert"] = str(_certificate_file(place.certificate))
    if found := password or password_of(place):
        address["password"] = found
    return address


def password_of(place: HubPlace) -> str:
    """Return the password that is kept for a login; "" without one: the password file is asked."""
    if given := os.environ.get(PASSWORD_VARIABLE):
        return given
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return keyring.get_password(_SERVICE, _account(place)) or ""
    except (KeyringError, RuntimeError, OSError):
        return ""


def keep_password(place: HubPlace, password: str) -> str:
    """Keep a password in the keyring, or in PostgreSQL's password file; return which one."""
    try:
        import keyring

        keyring.set_password(_SERVICE, _account(place), password)
    except Exception:  # every keyring has errors of its own
        return str(_added_to_password_file(place, password))
    return "keyring"


def _added_to_password_file(place: HubPlace, password: str) -> Path:
    """Store a password in ~/.pgpass with private permissions; UserError if that fails."""
    path = Path(os.environ.get("PGPASSFILE") or Path.home() / ".pgpass")
    fields = (place.host, str(place.port), place.database, place.login, password)
    line = ":".join(field.replace("\\", r"\\").replace(":", r"\:") for field in fields)
    try:
        old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        head = line.rpartition(":")[0] + ":"
        kept_lines = [old_line for old_line in old if not old_line.startswith(head)]
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text("\n".join([*kept_lines, line, ""]), encoding="utf-8")
    except OSError as error:
        raise HubError(
            f"Cannot keep the password: {error.strerror}.",
            hint=f"Set {PASSWORD_VARIABLE} instead.",
            where=str(path),
        ) from error
    return path


def write_invitation(path: Path, invitation: Invitation) -> None:
    """Write an invitation file. It holds no secret."""
    write_atomically(path, [msgspec.json.format(msgspec.json.encode(invitation), indent=2)])


def read_invitation(path: Path) -> Invitation:
    """Return the invitation in a file; UserError if it is none."""
    try:
        if path.stat().st_size > _MAX_INVITATION_BYTES:
            raise ValueError("too long")
        invitation = msgspec.json.decode(path.read_bytes(), type=Invitation)
    except (OSError, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UserError(
            "Cannot read the invitation: the file is not an invitation of annotator.",
            hint="Ask the project lead for the file again.",
            where=str(path),
        ) from error
    if invitation.format != _FORMAT:
        raise UserError(
            "Cannot read the invitation: it was created by a newer version of annotator.",
            hint="Install the newer version.",
            where=str(path),
        )
    return invitation


def _account(place: HubPlace) -> str:
    return f"{place.login}@{place.host}:{place.port}/{place.database}"


def _certificate_file(text: str) -> Path:
    """Return a file with a certificate, for the client that reads it from one."""
    folder = paths.data_dir() / "certificates"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.crt"
    if not path.exists():
        write_atomically(path, [text.encode()])
    return path
