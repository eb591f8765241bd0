"""A hub in a shared folder: every item is one token that is renamed from place to place.

    hub.json                     whose folder this is
    items/ID                     an item, written once
    free/PRIORITY~ID             its token while it waits
    held/PRIORITY~ID~PERSON~CLAIM~UNTIL     … while somebody has it, until that instant
    done/ID~CLAIM                … when it was handed in
    in/ID~CLAIM~PERSON~SHA256    what was handed in
    new/                         files that are being written

A token is one file and is only ever renamed, never copied: it cannot be in two places, and the
whole state is in its name, so that a process that dies leaves nothing half-done. Renaming within
one file system is atomic on local disks and on NFS (the server does it). Over NFS a reply can get
lost and the repeated request say "no such file" although the first was heard; since every target
name is unique, looking for the target tells. A listing that is out of date there (attribute caches)
costs a failed rename, no more. Hard links and locks are not needed.

Leases are compared by the machines' own clocks, with `GRACE_MS` for their difference.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, ProjectId, new_id
from annotator.sync.hub import Counts, Delivery, HubError, HubItem, Lease, LeaseLostError
from annotator.sync.item_file import decode_hub, decode_item, encode_hub, encode_item

LEASE_MS: Final = 2 * 3_600_000
GRACE_MS: Final = 5 * 60_000

_FOLDERS: Final = ("items", "free", "held", "done", "in", "new")
_MAX_PRIORITY: Final = 99
_CHOICE: Final = 32  # of so many that wait first, one is tried at random: others try as well
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}\Z")


class _Held(NamedTuple):
    """Contents of the name of a held token."""

    priority: str
    item_id: str
    person_id: str
    claim_id: str
    until: int

    def __str__(self) -> str:
        return "~".join(str(part) for part in self)


class FolderHub:
    """Items and submissions in a folder that all can reach. Made by `create` or by opening one."""

    def __init__(
        self,
        folder: Path,
        *,
        lease_ms: int = LEASE_MS,
        grace_ms: int = GRACE_MS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open a hub; HubError when the folder is none. ``clock`` gives seconds since 1970."""
        self._folder = Path(folder)
        self._lease_ms = lease_ms
        self._grace_ms = grace_ms
        self._clock = clock
        self._items: dict[str, HubItem] = {}
        self._random = random.Random()
        with self._explained():
            path = self._folder / "hub.json"
            self.project_id = decode_hub(path.read_bytes(), str(path))

    @classmethod
    def create(cls, folder: Path, project_id: ProjectId) -> None:
        """Make a folder a hub for a project; ProjectError when it is another project's."""
        folder = Path(folder)
        try:
            for name in _FOLDERS:
                (folder / name).mkdir(parents=True, exist_ok=True)
            path = folder / "hub.json"
            if not path.exists():
                _write(folder, path, encode_hub(project_id))
        except OSError as error:
            raise HubError(
                f"Cannot use the folder: {error.strerror}.", where=str(folder)
            ) from error
        if cls(folder).project_id != project_id:
            raise ProjectError(
                "The folder belongs to another project.",
                hint="Select a separate folder for each project.",
                where=str(folder),
            )

    def publish(self, items: Iterable[HubItem]) -> int:
        """Offer items, and return how many are new; one that was offered before is left alone.

        For the lead's program alone. An earlier attempt that broke off is completed.
        """
        with self._explained():
            known = set(self._names("items"))
            tokens = self._tokens()
            count = 0
            for item in items:
                _check_name(item.id)
                if item.id in known and item.id in tokens:
                    continue
                if item.id not in known:
                    _write(self._folder, self._folder / "items" / item.id, encode_item(item))
                priority = _MAX_PRIORITY - max(0, min(_MAX_PRIORITY, item.priority))
                token = self._folder / "free" / f"{priority:02d}~{item.id}"
                with suppress(FileExistsError):
                    token.touch(exist_ok=False)
                count += 1
            return count

    def withdraw(self, item_id: str) -> bool:
        """Offer an item no more; False when it does not wait (any more)."""
        with self._explained():
            for name in self._names("free"):
                if name.partition("~")[2] == item_id:
                    return self._moved(f"free/{name}", f"done/{item_id}~withdrawn")
        return False

    def counts(self) -> Counts:
        """Return how many items wait, are held, and are done."""
        with self._explained():
            free, held, done = (len(self._names(name)) for name in ("free", "held", "done"))
        return Counts(free, held, done)

    def claim(self, person_id: PersonId, *, stages: Collection[str] | None = None) -> Lease | None:
        _check_name(person_id)
        with self._explained():
            self._return_expired()
            for name in self._waiting():
                priority, _, item_id = name.partition("~")
                item = self._item(item_id)
                if person_id in item.excluded or (stages is not None and item.stage not in stages):
                    continue
                held = _Held(priority, item_id, person_id, new_id(), self._until())
                if self._moved(f"free/{name}", f"held/{held}"):
                    return Lease(item, held.claim_id, person_id, held.until)
        return None

    def renew(self, lease: Lease) -> Lease:
        old = self._held(lease)
        new = old._replace(until=max(self._until(), lease.until + 1))
        with self._explained():
            if not self._moved(f"held/{old}", f"held/{new}"):
                raise LeaseLostError(
                    "The lease for this task expired. The task returned to the queue.",
                    hint="Your work is stored on this computer, and you can still submit it.",
                )
        return Lease(lease.item, lease.claim_id, lease.person_id, new.until)

    def release(self, lease: Lease) -> None:
        held = self._held(lease)
        with self._explained():
            self._moved(f"held/{held}", f"free/{held.priority}~{held.item_id}")

    def submit(self, lease: Lease, body: bytes) -> str:
        content = hashlib.sha256(body).hexdigest()
        held = self._held(lease)
        name = f"{held.item_id}~{held.claim_id}~{held.person_id}~{content}"
        with self._explained():
            target = self._folder / "in" / name
            if not target.exists():
                _write(self._folder, target, body)
            # From here on it is handed in, whatever happens to this process.
            self._moved(f"held/{held}", f"done/{held.item_id}~{held.claim_id}")
        return content

    def fetch(self, known: Collection[str] = ()) -> Iterator[Delivery]:
        with self._explained():
            names = sorted(self._names("in"))
        for name in names:
            parts = name.split("~")
            if len(parts) != 4 or parts[3] in known:
                continue
            item_id, claim_id, person_id, content = parts
            with self._explained():
                body = (self._folder / "in" / name).read_bytes()
            if hashlib.sha256(body).hexdigest() != content:
                raise HubError(
                    (
                        "A submission in the shared folder is damaged: its content does not match "
                        "its name."
                    ),
                    hint="Restore or move the file. Then the other submissions can be fetched.",
                    where=str(self._folder / "in" / name),
                )
            yield Delivery(content, item_id, claim_id, PersonId(person_id), body)

    def _waiting(self) -> list[str]:
        """Return the tokens to try, most urgent first, so that not everybody tries the same."""
        names = sorted(self._names("free"))
        first = [n for n in names[:_CHOICE] if n[:2] == names[0][:2]] if names else []
        self._random.shuffle(first)
        return first + names[len(first) :]

    def _return_expired(self) -> None:
        """Put back what nobody holds any more; what was handed in meanwhile is done instead."""
        limit = self._now() - self._grace_ms
        expired = [h for name in self._names("held") if (h := _parsed(name))]
        expired = [held for held in expired if held.until < limit]
        if not expired:
            return
        handed_in = {name.split("~")[1] for name in self._names("in") if "~" in name}
        for held in expired:
            is_done = held.claim_id in handed_in
            done, free = (
                f"done/{held.item_id}~{held.claim_id}",
                f"free/{held.priority}~{held.item_id}",
            )
            self._moved(f"held/{held}", done if is_done else free)

    def _moved(self, source: str, target: str) -> bool:
        """Rename a token; False when somebody else was there first."""
        try:
            (self._folder / source).rename(self._folder / target)
        except FileNotFoundError:
            # A repeated request over a network finds its own work done.
            return not target.startswith("free/") and (self._folder / target).exists()
        return True

    def _tokens(self) -> set[str]:
        """Return the items whose tokens are somewhere; looks twice, since they move meanwhile."""
        found: set[str] = set()
        for name in ("free", "held", "done") * 2:
            column = 0 if name == "done" else 1
            found |= {n.split("~")[column] for n in self._names(name) if "~" in n}
        return found

    def _names(self, folder: str) -> list[str]:
        return [path.name for path in (self._folder / folder).iterdir()]

    def _item(self, item_id: str) -> HubItem:
        """Return an item, read once: it never changes."""
        if item_id not in self._items:
            path = self._folder / "items" / item_id
            self._items[item_id] = decode_item(item_id, path.read_bytes(), str(path))
        return self._items[item_id]

    def _held(self, lease: Lease) -> _Held:
        priority = _MAX_PRIORITY - max(0, min(_MAX_PRIORITY, lease.item.priority))
        return _Held(f"{priority:02d}", lease.item.id, lease.person_id, lease.claim_id, lease.until)

    def _now(self) -> int:
        return round(self._clock() * 1000)

    def _until(self) -> int:
        return self._now() + self._lease_ms

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise HubError(
                f"Cannot use the shared folder: {error.strerror}.",
                hint="Check that the folder is connected and writable.",
                where=str(self._folder),
            ) from error


def _parsed(name: str) -> _Held | None:
    """Return what the name of a held token says; None for a file that is no token."""
    parts = name.split("~")
    if len(parts) != 5 or not parts[4].isdigit():
        return None
    priority, item_id, person_id, claim_id, until = parts
    return _Held(priority, item_id, person_id, claim_id, int(until))


def _check_name(name: str) -> None:
    if not _NAME.match(name):
        raise HubError(f"“{name}” is not a valid ID in a shared folder.")


def _write(folder: Path, target: Path, body: bytes) -> None:
    """Write a file so that it appears under its name whole, and on the disk, or not at all."""
    temporary = folder / "new" / new_id()
    try:
        with temporary.open("wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink()
