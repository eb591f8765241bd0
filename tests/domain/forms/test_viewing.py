"""How much may be seen by somebody who may not see more than others let them."""

from __future__ import annotations

import pytest

from annotator.domain.forms.restricted_view import Extent, Viewing, narrowed

WHOLE, CUT, ONE = Viewing(), Viewing(Extent.BEFORE_CUT), Viewing(Extent.MIDDLE_FRAME)
MUTED, MUTED_CUT = Viewing(is_muted=True), Viewing(Extent.BEFORE_CUT, is_muted=True)


@pytest.mark.parametrize(
    ("viewing", "allowed", "expected"),
    [
        (WHOLE, [], WHOLE),
        (WHOLE, [WHOLE, ONE], WHOLE),
        (WHOLE, [CUT], CUT),
        (WHOLE, [ONE, CUT], CUT),
        (WHOLE, [ONE], Viewing(Extent.MIDDLE_FRAME, is_muted=True)),
        (WHOLE, [MUTED], MUTED),
        (WHOLE, [MUTED, CUT], MUTED),
        (WHOLE, [CUT, MUTED_CUT], CUT),
        (CUT, [ONE, CUT], CUT),
        (CUT, [MUTED], MUTED_CUT),
        (CUT, [ONE], Viewing(Extent.MIDDLE_FRAME, is_muted=True)),
        (ONE, [WHOLE], ONE),
        (ONE, [MUTED], ONE),
        (ONE, [CUT], CUT),
        (MUTED, [CUT], MUTED_CUT),
        (MUTED, [WHOLE], MUTED),
    ],
)
def test_nothing_more_than_one_of_those_that_are_allowed(
    viewing: Viewing, allowed: list[Viewing], expected: Viewing
) -> None:
    assert narrowed(viewing, allowed) == expected


def test_what_else_a_viewing_says_stays() -> None:
    assert narrowed(Viewing(has_tracks=True), [CUT]) == Viewing(Extent.BEFORE_CUT, has_tracks=True)
