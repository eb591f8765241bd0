"""Protocol of a hub, and the values it exchanges."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId


class HubError(UserError):
    """The hub cannot be reached, read or written."""


class LeaseLostError(HubError):
    """The time for an item ran out and it went back, or on to somebody else."""


@dataclass(frozen=True, slots=True)
class HubItem:
    """A piece of work to hand out once: a task at a stage.

    ``id`` is 1 to 64 letters, digits, dots and hyphens, and never used for other work. ``body`` is
    for the person who claims it. ``excluded`` are never given the item. Higher ``priority`` (0 to
    99) goes first.
    """

    id: str
    body: bytes
    stage: str = ""
    excluded: frozenset[PersonId] = frozenset()
    priority: int = 0


@dataclass(frozen=True, slots=True)
class Lease:
    """Claim on an item until an instant (ms since 1970, by the clock of the claimant)."""

    item: HubItem
    claim_id: str
    person_id: PersonId
    until: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """Submitted content; ``id`` is the SHA-256 of ``body``."""

    id: str
    item_id: str
    claim_id: str
    person_id: PersonId
    body: bytes


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items wait, are held, and are done."""

    free: int
    held: int
    done: int


class Hub(Protocol):
    """Where raters get work and leave it. All methods raise HubError when it cannot be reached."""

    def claim(self, person_id: PersonId, *, stages: Collection[str] | None = None) -> Lease | None:
        """Take the next item this person may have, of some stages only; None when there is none.

        No item is ever held by two people at once. Items whose lease has run out are free again.
        """
        ...

    def renew(self, lease: Lease) -> Lease:
        """Hold on to an item for another period; LeaseLostError when it is too late."""
        ...

    def release(self, lease: Lease) -> None:
        """Give an item back undone; one that is lost already is no error."""
        ...

    def submit(self, lease: Lease, body: bytes) -> str:
        """Hand in, and return the name of the content; the same content twice is the same.

        What comes after the lease was lost is kept as well: whoever fetches it judges.
        """
        ...

    def fetch(self, known: Collection[str] = ()) -> Iterator[Delivery]:
        """Yield all that was handed in, but for content whose names are known already."""
        ...
