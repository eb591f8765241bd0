"""The people of a project, and what each may do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.ids import PersonId


class Role(StrEnum):
    """What a person may do; one person can have several roles."""

    RATER = "rater"
    REVIEWER = "reviewer"
    LEAD = "lead"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who works on the project. Who has left stays known, but takes nothing new."""

    id: PersonId
    name: str
    roles: frozenset[Role] = frozenset((Role.RATER,))
    is_active: bool = True
    has_pin: bool = False

    def has(self, role: Role | None) -> bool:
        """Tell whether the person may do what a role does; None asks for no role."""
        return self.is_active and (role is None or role in self.roles)


@dataclass(frozen=True, slots=True)
class Crew:
    """Who could take work, sorted by role: made once, asked for every event."""

    people: Mapping[PersonId, Person]
    by_role: Mapping[Role | None, frozenset[PersonId]]

    @classmethod
    def of(cls, people: Iterable[Person]) -> Crew:
        """Return the crew that some people are; those who have left are known, and take nothing."""
        known = {person.id: person for person in people}
        roles: list[Role | None] = [None, *Role]
        return cls(
            known,
            {role: frozenset(p.id for p in known.values() if p.has(role)) for role in roles},
        )

    def person(self, person_id: PersonId) -> Person | None:
        """Return somebody, None if the project does not know them."""
        return self.people.get(person_id)

    def is_spent(self, role: Role | None, barred: frozenset[PersonId]) -> bool:
        """Tell whether nobody with that role is left when some people are barred."""
        return self.by_role[role] <= barred
