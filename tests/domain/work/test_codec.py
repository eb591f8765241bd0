"""Events as plain values: what is written is short, and what is wrong is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.domain.errors import ProjectError
from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.domain.work.codec import (
    event_from,
    event_value,
    pin_from,
    pin_value,
    reason_from,
    reason_value,
    verdict_from,
    verdict_value,
)
from annotator.domain.work.records import Reason, Verdict, VerdictKind
from tests.domain.work import situations

_FRAMES = st.integers(0, 10**6)
_PINS = st.builds(
    Pin,
    frame=st.none() | _FRAMES,
    span=st.none() | st.tuples(_FRAMES, _FRAMES),
    track_id=st.none() | st.text().map(TrackId),
    segment_id=st.none() | st.text().map(SegmentId),
    point_id=st.none() | st.text().map(PointId),
)
_REASONS = st.builds(Reason, st.text(), _PINS, st.text())
_VERDICTS = st.builds(
    Verdict, st.sampled_from(VerdictKind), st.lists(_REASONS, max_size=3).map(tuple)
)


@given(_VERDICTS)
def test_verdicts_reasons_and_pins_come_back(verdict: Verdict) -> None:
    assert verdict_from(json.loads(json.dumps(verdict_value(verdict)))) == verdict
    for reason in verdict.reasons:
        assert reason_from(json.loads(json.dumps(reason_value(reason)))) == reason
        assert pin_from(json.loads(json.dumps(pin_value(reason.pin)))) == reason.pin


def test_pins_know_where_to_jump() -> None:
    assert Pin(span=(4, 9)).first_frame == 4
    assert Pin(frame=7, span=(4, 9)).first_frame == 7
    assert WHOLE_TASK.first_frame is None
    assert WHOLE_TASK.is_whole_task
    assert not Pin(frame=0).is_whole_task


def test_events_are_short() -> None:
    claimed = situations.held().events[1]
    assert event_value(claimed) == {
        "kind": "claimed",
        "task_id": "t",
        "at": 1_790_000_000_000,
        "by": "A",
        "assignment_id": "a1",
        "person_id": "A",
        "lease_until": 1_790_007_200_000,
    }


def _returned(**changes: Any) -> dict[str, Any]:
    value = dict(event_value(situations.returned().events[-2]))
    assert value["kind"] == "submitted"
    return {**value, **changes}


def _verdict(**changes: Any) -> dict[str, Any]:
    return {"kind": "send-back", "reasons": [{"text": "x", "pin": {"frame": 1, **changes}}]}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            {},
            "The file may have been written by a newer version of annotator. Install the newer",
        ),
        ({"kind": "teleported"}, "newer version"),
        ({"kind": "claimed"}, "“claimed.task_id” is missing"),
        (_returned(at="now"), "must be an integer"),
        (_returned(at=True), "must be an integer"),
        (_returned(at=1.5), "must be an integer"),
        (_returned(by=5), "“submitted.by” must be text"),
        (_returned(assignment_id=None), "“submitted.assignment_id” must be text"),
        (_returned(color="red"), "is unknown"),
        (_returned(flag="purple"), "is not one of"),
        (_returned(verdict=[]), "“submitted.verdict” must be a table"),
        (_returned(verdict={}), "“submitted.verdict.kind” must be text"),
        (_returned(verdict={"kind": "maybe"}), "is not one of"),
        (_returned(verdict={"kind": "done", "x": 1}), "is unknown"),
        (_returned(verdict={"kind": "done", "reasons": 1}), "reasons” must be a list"),
        (_returned(verdict=_verdict(span=[1])), "reasons[0].pin.span” must be two"),
        (_returned(verdict=_verdict(span=[1, "2"])), "must be an integer"),
        (_returned(verdict=_verdict(track_id=7)), "reasons[0].pin.track_id” must be text"),
        (_returned(verdict=_verdict(where=7)), "is unknown"),
    ],
)
def test_what_is_wrong_is_named(value: dict[str, Any], says: str) -> None:
    with pytest.raises(ProjectError) as caught:
        event_from(value)
    assert says in str(caught.value)


def test_true_and_false_are_read_as_such() -> None:
    value = dict(event_value(situations.returned().events[-1]))
    assert value["is_returned"] is True
    with pytest.raises(ProjectError, match="true or false"):
        event_from({**value, "is_returned": 1})
