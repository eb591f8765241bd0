"""Where a task can stand, and what can be asked of it: the sides of the table of transitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from annotator.domain.ids import AssignmentId, PersonId, SubmissionId
from annotator.domain.work.acts import (
    Adopt,
    Assign,
    Claim,
    Close,
    Decide,
    ExcludePeople,
    Expire,
    Leave,
    LookForPeople,
    OpenRound,
    Prioritize,
    PutTogether,
    Release,
    Renew,
    Reopen,
    RequestRater,
    Revoke,
    Skip,
    Submit,
    Withdraw,
    WorkAct,
)
from annotator.domain.work.records import Verdict, VerdictKind
from tests.domain.work.desk import APPROVE, BACK, DONE, HOUR, LEAD, PARALLEL, SEQUENTIAL, Desk

FRESH = PersonId("E")


def waiting() -> Desk:
    """A new task."""
    return Desk()


def held() -> Desk:
    """A annotates."""
    desk = Desk()
    desk.claim("A")
    desk.now += HOUR
    return desk


def sleeping() -> Desk:
    """A annotates, and the lease is over."""
    desk = held()
    desk.now += 2 * HOUR
    return desk


def expired() -> Desk:
    """A annotated, and the program let go."""
    desk = sleeping()
    desk.do(Expire())
    return desk


def followed() -> Desk:
    """A's lease ran out and B annotates."""
    desk = expired()
    desk.claim("B")
    return desk


def checking() -> Desk:
    """A has annotated; the check waits."""
    desk = Desk()
    desk.work("A", DONE)
    return desk


def verifying() -> Desk:
    """A annotated, B checked, C verifies."""
    desk = checking()
    desk.work("B", APPROVE)
    desk.claim("C")
    desk.now += HOUR
    return desk


def returned() -> Desk:
    """A annotated, B checked, C sent back."""
    desk = verifying()
    desk.submit("C", BACK)
    return desk


def complete() -> Desk:
    """A, B and C are through."""
    desk = verifying()
    desk.submit("C", APPROVE)
    return desk


def overtaken() -> Desk:
    """A's lease ran out, B annotated, and A handed in after all."""
    desk = expired()
    desk.work("B", DONE)
    desk.submit("A", DONE, desk.record.assignments[0].id)
    return desk


def withdrawn() -> Desk:
    """The lead took it out."""
    desk = held()
    desk.do(Withdraw(LEAD, "a broken video"))
    return desk


def side_by_side() -> Desk:
    """Two of three raters are through, the third is at it."""
    desk = Desk(PARALLEL)
    desk.work("A", DONE)
    desk.work("B", DONE)
    desk.claim("C")
    return desk


def resolving() -> Desk:
    """Three raters are through."""
    desk = side_by_side()
    desk.submit("C", DONE)
    return desk


def tied() -> Desk:
    """Three differed, and one more was asked."""
    desk = resolving()
    desk.do(RequestRater())
    return desk


def stageless() -> Desk:
    """The stage at which the task waits has been taken out of the recipe."""
    desk = checking()
    left = (SEQUENTIAL.stages[0], replace(SEQUENTIAL.stages[2], sends_back_to="annotate"))
    desk.task_type = replace(SEQUENTIAL, stages=left)
    return desk


SITUATIONS: dict[str, Callable[[], Desk]] = {
    f.__name__: f
    for f in (
        waiting,
        held,
        sleeping,
        expired,
        followed,
        checking,
        verifying,
        returned,
        complete,
        overtaken,
        withdrawn,
        side_by_side,
        resolving,
        tied,
        stageless,
    )
}


def _last(desk: Desk) -> tuple[PersonId, AssignmentId]:
    """Return the latest assignment: who has, or had, the task last."""
    if not desk.record.assignments:
        return PersonId("A"), AssignmentId("none")
    last = desk.record.assignments[-1]
    return last.person_id, last.id


def _first(desk: Desk) -> tuple[PersonId, AssignmentId]:
    if not desk.record.assignments:
        return PersonId("A"), AssignmentId("none")
    first = desk.record.assignments[0]
    return first.person_id, first.id


def _uncounted(desk: Desk) -> SubmissionId:
    """Return what was kept and moved nothing."""
    handed = [h for a in desk.record.assignments for h in a.submissions if not h.is_counted]
    return handed[0].submission_id if handed else SubmissionId("none")


def _counted(desk: Desk) -> SubmissionId:
    return desk.record.counted[-1] if desk.record.counted else SubmissionId("none")


def _submit(desk: Desk, verdict: Verdict, who: tuple[PersonId, AssignmentId]) -> WorkAct:
    return Submit(*who, SubmissionId("new"), verdict)


ACTS: dict[str, Callable[[Desk], WorkAct]] = {
    "claim": lambda d: Claim(FRESH, AssignmentId("n")),
    "claim-chosen": lambda d: Claim(FRESH, AssignmentId("n"), is_chosen=True),
    "claim-by-first": lambda d: Claim(_first(d)[0], AssignmentId("n")),
    "claim-by-stranger": lambda d: Claim(PersonId("stranger"), AssignmentId("n")),
    "assign": lambda d: Assign(LEAD, AssignmentId("n"), FRESH),
    "assign-by-rater": lambda d: Assign(FRESH, AssignmentId("n"), FRESH),
    "assign-first": lambda d: Assign(LEAD, AssignmentId("n"), _first(d)[0]),
    "assign-first-anyway": lambda d: Assign(
        LEAD, AssignmentId("n"), _first(d)[0], is_overruling=True, text="nobody else"
    ),
    "renew": lambda d: Renew(*_last(d)),
    "renew-by-other": lambda d: Renew(FRESH, _last(d)[1]),
    "release": lambda d: Release(*_last(d)),
    "skip": lambda d: Skip(*_last(d), "too dark"),
    "skip-mute": lambda d: Skip(*_last(d), " "),
    "expire": lambda d: Expire(),
    "leave": lambda d: Leave(LEAD, _last(d)[0]),
    "submit-done": lambda d: _submit(d, DONE, _last(d)),
    "submit-approve": lambda d: _submit(d, APPROVE, _last(d)),
    "submit-back": lambda d: _submit(d, BACK, _last(d)),
    "submit-back-mute": lambda d: _submit(d, Verdict(VerdictKind.SEND_BACK), _last(d)),
    "submit-first": lambda d: _submit(d, DONE, _first(d)),
    "submit-for-other": lambda d: _submit(d, DONE, (FRESH, _last(d)[1])),
    "submit-unasked": lambda d: _submit(d, DONE, (FRESH, AssignmentId("from-elsewhere"))),
    "decide": lambda d: Decide(None, VerdictKind.DONE, SubmissionId("joined"), "majority"),
    "decide-back": lambda d: Decide(None, VerdictKind.SEND_BACK, SubmissionId("joined")),
    "ask-one-more": lambda d: RequestRater(),
    "revoke": lambda d: Revoke(LEAD, _last(d)[1], "urgent elsewhere"),
    "revoke-by-rater": lambda d: Revoke(FRESH, _last(d)[1], "mine"),
    "withdraw": lambda d: Withdraw(LEAD, "a broken video"),
    "withdraw-mute": lambda d: Withdraw(LEAD, ""),
    "close": lambda d: Close(LEAD, "good as it is"),
    "adopt": lambda d: Adopt(LEAD, _uncounted(d), "the better one"),
    "adopt-by-rater": lambda d: Adopt(FRESH, _uncounted(d), "mine"),
    "adopt-mute": lambda d: Adopt(LEAD, _uncounted(d), ""),
    "adopt-counted": lambda d: Adopt(LEAD, _counted(d), "the better one"),
    "reopen": lambda d: Reopen(LEAD, "look again"),
    "reopen-annotate": lambda d: Reopen(LEAD, "look again", stage="annotate"),
    "reopen-nowhere": lambda d: Reopen(LEAD, "look again", stage="anotate"),
    "reopen-last": lambda d: Reopen(LEAD, "look again", assignment_id=_last(d)[1]),
    "reopen-first": lambda d: Reopen(LEAD, "look again", assignment_id=_first(d)[1]),
    "reopen-own": lambda d: Reopen(_last(d)[0], "", assignment_id=_last(d)[1]),
    "open-round": lambda d: OpenRound(LEAD, "cups-2"),
    "bar": lambda d: ExcludePeople(LEAD, (FRESH,), "made it"),
    "bar-without-reason": lambda d: ExcludePeople(LEAD, (FRESH,)),
    "prioritize": lambda d: Prioritize(LEAD, 5),
    "prioritize-same": lambda d: Prioritize(LEAD, 0),
    "look": lambda d: LookForPeople(),
    "put-together": lambda d: PutTogether(LEAD),
    "put-together-by-rater": lambda d: PutTogether(FRESH),
}
