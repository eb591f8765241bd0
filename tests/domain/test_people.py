"""People and their roles."""

from __future__ import annotations

from annotator.domain.ids import PersonId
from annotator.domain.people import Person, Role


def test_roles_hold_while_the_person_is_there() -> None:
    ada = Person(PersonId("a"), "Ada", frozenset((Role.RATER, Role.LEAD)))
    gone = Person(PersonId("b"), "Bo", frozenset((Role.RATER,)), is_active=False)
    assert ada.has(Role.LEAD)
    assert ada.has(None)
    assert not ada.has(Role.REVIEWER)
    assert not gone.has(Role.RATER)
    assert not gone.has(None)
    assert Person(PersonId("c"), "Cy").roles == {Role.RATER}
