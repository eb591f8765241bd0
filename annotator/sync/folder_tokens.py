"""The tokens of a folder hub: listing them, renaming them, and the clock of the folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from annotator.domain.ids import new_id
from annotator.sync.folder_files import (
    ClaimEnd,
    FolderDelivery,
    Held,
    Waiting,
    ended_of,
    handed_of,
    held_of,
    waiting_of,
)
from annotator.sync.hub import LONGEST_GAP_MS, Ending

_CALLED_MS: Final = 60_000
_CLOCK_S: Final = 60.0


class Tokens:
    """The files of a hub's folder, whose leases last ``lease_ms``."""

    def __init__(
        self, folder: Path, lease_ms: int, clock: Callable[[], float] | None = None
    ) -> None:
        """``clock`` gives seconds since 1970; None: that of the machine that has the folder."""
        self.folder = folder
        self.lease_ms = lease_ms
        self._clock = clock
        self._offset_ms, self._clock_read = 0, -_CLOCK_S

    def expire(self) -> None:
        """Put back what nobody holds any more; what was submitted meanwhile is done instead."""
        now = self.now()
        if not (expired := [held for held in self.held() if self.until(held) < now]):
            return
        self.finish()
        for held in expired:
            self.moved("held", held, "free", held.freed(Ending.EXPIRED, now))

    def finish(self) -> None:
        """Count as done what was submitted while it was held."""
        handed_in = {name.split("~")[3] for name in self.names("in") if name.count("~") == 4}
        for held in self.held():
            if held.claim_id in handed_in:
                self.moved("held", held, "done", held._replace(until=0))

    def write_ended(self, token: Waiting) -> None:
        """Keep how the last claim of a free token ended: its name is about to change."""
        if (ended := token.ended) is not None:
            self.path("ended", ended).touch()

    def ended(self) -> list[ClaimEnd]:
        """Return how claims ended, those that only a token tells of among them."""
        found = [each for name in self.names("ended") if (each := ended_of(name))]
        waiting = [*self.waiting("free"), *self.waiting("withdrawn")]
        last = [each for token in waiting if (each := token.ended) is not None]
        return list(dict.fromkeys((*found, *last)))

    def deliveries(self) -> list[tuple[int, FolderDelivery]]:
        """Return what was submitted with its time, oldest first."""
        found = [
            (round((self.folder / "in" / name).stat().st_mtime * 1000), handed)
            for name in self.names("in")
            if (handed := handed_of(name)) is not None
        ]
        return sorted(found, key=lambda each: (each[0], each[1].digest))

    def held(self) -> list[Held]:
        """Return the tokens of seats that somebody holds."""
        return self.claimed("held")

    def claimed(self, folder: str) -> list[Held]:
        """Return the tokens in one of the folders held and done."""
        return [held for name in self.names(folder) if (held := held_of(name))]

    def waiting(self, folder: str) -> list[Waiting]:
        """Return the tokens in one of the folders free and withdrawn."""
        return [token for name in self.names(folder) if (token := waiting_of(name))]

    def moved(self, source: str, old: object, target: str, new: object) -> bool:
        """Rename a token; False when somebody else was there first."""
        try:
            self.path(source, old).rename(self.path(target, new))
        except FileNotFoundError:
            # A repeated request over a network finds its own work done.
            return target == "held" and self.path(target, new).exists()
        return True

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder of the hub."""
        return [path.name for path in (self.folder / folder).iterdir()]

    def path(self, folder: str, name: object) -> Path:
        """Return the path of a file in a folder of the hub."""
        return self.folder / folder / str(name)

    def called(self) -> None:
        """Note the call, and after a long time without any that leases stood still meanwhile."""
        now = self.now()
        times = sorted(int(name) for name in self.names("called") if name.isdigit())
        last = times[-1] if times else 0
        if times and now - last < _CALLED_MS:
            return
        with suppress(FileNotFoundError, FileExistsError):
            if times and now - last > LONGEST_GAP_MS:
                self.path("called", last).rename(self.path("pauses", f"{last}~{now}"))
            elif times:
                self.path("called", last).rename(self.path("called", now))
        if not self.names("called"):
            self.path("called", now).touch()

    def until(self, held: Held) -> int:
        """Return until when a lease lasts: the hub's pauses since it was written do not count."""
        until, written = held.until, held.until - self.lease_ms
        for name in sorted(self.names("pauses")):
            start, _, end = name.partition("~")
            if start.isdigit() and end.isdigit() and int(start) < until and written < int(end):
                until += int(end) - int(start)
        return until

    def now(self) -> int:
        """Return the time of the machine that has the folder, in ms since 1970."""
        if self._clock is not None:
            return round(self._clock() * 1000)
        if time.monotonic() - self._clock_read > _CLOCK_S:
            probe = self.path("new", new_id())
            probe.touch()
            there = probe.stat().st_mtime
            probe.unlink()
            self._offset_ms = round((there - time.time()) * 1000)
            self._clock_read = time.monotonic()
        return round(time.time() * 1000) + self._offset_ms

    def has_ended(self, claim_id: str) -> bool:
        """Return whether a claim is over, however it ended."""
        claims: list[Held | ClaimEnd] = [*self.claimed("done"), *self.ended()]
        return any(each.claim_id == claim_id for each in claims)

    def endings(self, person_id: str, claims: Collection[str]) -> dict[str, Ending]:
        """Return how claims of somebody ended, as far as they have."""
        found = {
            each.claim_id: Ending.SUBMITTED
            for each in self.claimed("done")
            if each.claim_id in claims and each.person_id == person_id
        }
        for each in self.ended():
            if each.claim_id in claims and each.person_id == person_id:
                found[each.claim_id] = each.ending
        return found

    def place_of(self, claim_id: str, person_id: str) -> tuple[str, int] | None:
        """Return seat and number of a claim of somebody, None for no claim of theirs."""
        claims: list[Held | ClaimEnd] = [
            *self.held(),
            *self.claimed("done"),
            *self.ended(),
        ]
        for each in claims:
            if (each.claim_id, each.person_id) == (claim_id, person_id):
                return each.seat_id, each.n
        return None

    def write(self, target: Path, body: bytes) -> None:
        """Write a file so that it appears under its name whole, and on the disk, or not at all."""
        write_file(self.folder, target, body)


def write_file(folder: Path, target: Path, body: bytes) -> None:
    """Write a file of a hub's folder so that it appears whole, and on the disk, or not at all."""
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
