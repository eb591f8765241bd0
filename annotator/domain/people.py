"""People of a project and their roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from annotator.domain.ids import PersonId


class Role(StrEnum):
    """Role of a person; one person can have several."""

    RATER = "rater"
    REVIEWER = "reviewer"
    LEAD = "lead"
    PARTICIPANT = "participant"  # answers in studies, and is no rater


_FOR_STUDIES: Final = frozenset((Role.PARTICIPANT,))


@dataclass(frozen=True, slots=True)
class Person:
    """Person of the project; a deactivated person stays listed but gets no new tasks.

    ``passed`` are the kinds of qualification task they have passed, ``waiting`` those that wait to
    be graded, ``spent`` those that they failed as often as they may be tried. ``kept_from`` are the
    kinds of task they may not do any more.
    """

    id: PersonId
    name: str
    roles: frozenset[Role] = frozenset((Role.RATER,))
    is_active: bool = True
    has_pin: bool = False
    passed: frozenset[str] = frozenset()
    kept_from: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()

    def may_do(self, kind: str, requires: Iterable[str] = (), *, is_test: bool = False) -> bool:
        """Return whether a person is qualified for a task type, whatever their role.

        A test is done until it is passed, once at a time, and as often as it may be tried.
        """
        if is_test and (kind in self.passed or kind in self.waiting or kind in self.spent):
            return False
        return kind not in self.kept_from and self.passed.issuperset(requires)

    def has(self, role: Role | None) -> bool:
        """Return whether a person has the permissions of a role; None needs no role.

        Who is there for studies alone does nothing that anybody may do.
        """
        if role is None:
            return self.is_active and self.roles != _FOR_STUDIES
        return self.is_active and role in self.roles


@dataclass(frozen=True, slots=True)
class Crew:
    """Active people by role, computed once per change."""

    people: Mapping[PersonId, Person]
    by_role: Mapping[Role | None, frozenset[PersonId]]
    kept_from: Mapping[str, frozenset[PersonId]] = field(default_factory=dict)

    @classmethod
    def of(cls, people: Iterable[Person]) -> Crew:
        """Return the crew of some people; people who have left take no tasks."""
        known = {person.id: person for person in people}
        roles: list[Role | None] = [None, *Role]
        return cls(
            known,
            {role: frozenset(p.id for p in known.values() if p.has(role)) for role in roles},
            {
                kind: frozenset(p.id for p in known.values() if kind in p.kept_from)
                for kind in {kind for p in known.values() for kind in p.kept_from}
            },
        )

    def person(self, person_id: PersonId) -> Person | None:
        """Return a person, None if the project does not know them."""
        return self.people.get(person_id)

    def is_spent(
        self,
        role: Role | None,
        excluded: frozenset[PersonId],
        kind: str = "",
        requires: tuple[str, ...] = (),
    ) -> bool:
        """Return whether no qualified person with that role is left outside the excluded ones."""
        left = self.by_role[role] - excluded
        if not requires and not self.kept_from.get(kind):
            return not left
        return not any(self.people[person_id].may_do(kind, requires) for person_id in left)
