"""Figures in files are worked out again; the votes beside a data set tell what was decided only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import ExchangeError, UserError, WorkError
from annotator.domain.ids import TaskId
from annotator.domain.questions.items.item import Purpose
from annotator.services.background.jobs import JobToken
from annotator.services.questions.agreement.agreement_files import (
    AGREEMENT,
    KNOWN,
    write_agreement,
)
from annotator.services.questions.agreement.estimate_verification import (
    RecomputeResult,
    bootstrap_of,
    counts_of,
    read_estimates,
    verify_estimates,
)
from annotator.services.questions.voting.votes_file import votes_path, write_votes
from tests.services.questions.question_team import QuestionTeam, item

FEW = Bootstrap(draws=20, seed=3)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[QuestionTeam]:
    made = QuestionTeam(tmp_path, n_videos=3)
    yield made
    made.project.close()


def token() -> JobToken:
    return JobToken(lambda _fraction, _text: None)


def two_decided(team: QuestionTeam) -> TaskId:
    """Two tasks are decided, of the one that is returned Ann alone has handed in her answers."""
    videos = [video.id for video in team.videos]
    first = team.add(item(videos[0], "=1+1", area="Physics"), item(videos[0], "Who?"))
    second = team.add(item(videos[1], "=1+1", area="Physics", tags=("motion",)))
    third = team.add(item(videos[2], "Not yet", purpose=Purpose.GOLD, right={"which": ("o1",)}))
    for task, ben in ((first, "o2"), (second, "o1")):
        team.hand_in("Ann", task)
        team.hand_in("Ben", task, ben)
    team.hand_in("Cleo", first)
    team.hand_in("Ann", third)
    team.lead_again()
    return third


def written(team: QuestionTeam, folder: Path) -> list[Path]:
    write_agreement(team.project, folder, token(), FEW)
    votes = votes_path(folder / "data.json")
    write_votes(team.project, votes, token(), FEW)
    return [folder / AGREEMENT, votes]


def n_resolved(path: Path) -> int:
    """Return how many resolved answers a file of votes has."""
    if path.suffix != ".json":
        return 0
    return sum(len(each["resolved"]) for each in json.loads(path.read_text())["items"])


def verdicts(team: QuestionTeam, path: Path) -> dict[RecomputeResult, int]:
    return counts_of(verify_estimates(team.project, path, token()))


def test_figures_of_a_file_come_out_the_same_again(team: QuestionTeam, tmp_path: Path) -> None:
    two_decided(team)
    for path in written(team, tmp_path / "out"):
        told = read_estimates(path)
        assert {bootstrap_of(t) for t in told if t.by == ""} == {FEW}
        assert {"", "rater", "question", "area", "tag", "item"} <= {t.by for t in told}
        counts = verdicts(team, path)
        n_answers = n_resolved(path)
        assert n_answers == (6 if path.suffix == ".json" else 0)
        assert counts == {
            v: (len(told) + n_answers) * (v is RecomputeResult.SAME) for v in RecomputeResult
        }


def test_other_inputs_another_version_and_a_changed_number_are_told_apart(
    team: QuestionTeam, tmp_path: Path
) -> None:
    third = two_decided(team)
    table, votes = written(team, tmp_path / "out")
    whole = json.loads(votes.read_text(encoding="utf-8"))
    changed = next(f for f in whole["figures"] if f["by"] == "area")
    changed["value"] = 0.123
    votes.write_text(json.dumps(whole), encoding="utf-8")
    (found,) = [
        c for c in verify_estimates(team.project, votes, token()) if c.stored.value == 0.123
    ]
    assert (found.verdict, found.stored.name) == (RecomputeResult.OTHER_VALUE, "Physics")
    assert found.now not in (None, 0.123)
    changed["value"] = found.now * (1 + 1e-14)  # a processor that rounds otherwise
    votes.write_text(json.dumps(whole), encoding="utf-8")
    assert verdicts(team, votes)[RecomputeResult.SAME] == len(whole["figures"]) + n_resolved(votes)
    changed["version"] = 0
    changed["method"] = "no-method"
    whole["figures"][0] |= {"version": 0, "low": -1.0}
    votes.write_text(json.dumps(whole), encoding="utf-8")
    counts = verdicts(team, votes)
    assert (counts[RecomputeResult.GONE], counts[RecomputeResult.OTHER_METHOD]) == (1, 1)
    team.hand_in("Ben", third)
    team.lead_again()
    counts = verdicts(team, table)
    assert counts[RecomputeResult.OTHER_INPUTS] > 0
    # What is of the first items alone is as it was.
    assert counts[RecomputeResult.SAME] > 0


def test_known_answers_come_out_the_same_until_somebody_answers_more(
    team: QuestionTeam, tmp_path: Path
) -> None:
    third = two_decided(team)
    written(team, tmp_path / "out")
    path = tmp_path / "out" / KNOWN
    (told,) = read_estimates(path)
    assert (told.by, told.value, told.params) == ("gold", 1.0, "level=0.95")
    assert verdicts(team, path)[RecomputeResult.SAME] == 1
    more = item(team.videos[2].id, "More", purpose=Purpose.GOLD, right={"which": ("o0",)})
    again = team.add(more)
    assert again != third
    team.hand_in("Ann", again)
    team.lead_again()
    (found,) = verify_estimates(team.project, path, token())
    assert (found.verdict, found.now) == (RecomputeResult.OTHER_INPUTS, 0.5)


def test_votes_tell_what_is_decided_and_nothing_of_anybody_else(
    team: QuestionTeam, tmp_path: Path
) -> None:
    two_decided(team)
    path = tmp_path / "votes.json"
    write_votes(team.project, path, token(), FEW)
    whole: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert (whole["format"], whole["recipe"]["name"]) == ("annotator-votes/1", "asking")
    assert sorted(i["question"] for i in whole["items"]) == ["=1+1", "=1+1", "Who?"]
    (second,) = (i for i in whole["items"] if i["tags"] == ["motion"])
    assert second["videos"] == ["v1"]
    assert {
        (v["person"], v["answer"]["picked"][0]) for v in second["votes"] if v["field"] == "which"
    } == {(team.people[name].id, "o1") for name in ("Ann", "Ben")}
    assert not [name for name in ("Ann", "Ben", "Cleo") if f'"{name}"' in path.read_text()]
    methods = {f["method"] for f in whole["figures"] if f["by"] == ""}
    assert {"fleiss-kappa", "cohen-kappa", "alpha-nominal"} <= methods
    assert all(f["digest"] and f["version"] for f in whole["figures"])
    team.work.people.sign_in(team.people["Ann"].id)
    with pytest.raises(WorkError, match=r"Not permitted: only a lead can do this\."):
        write_votes(team.project, path, token(), FEW)


def test_what_is_no_file_of_figures_is_refused(team: QuestionTeam, tmp_path: Path) -> None:
    team.lead_again()
    path = tmp_path / "file"
    for text in ("", "a,b\n1,2\n", "{}", '{"figures": [1]}', '{"figures": [{"kind": 3}]}', "{"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ExchangeError, match="Cannot read statistics from the file:"):
            verify_estimates(team.project, path, token())
    row = {"kind": "q", "field": "f", "by": "", "name": "", "method": "m", "value": 1, "low": None}
    row |= {"high": None, "version": 1, "digest": "d"}
    for wrong in (
        {"draws": "x"},
        {"draws": 10**9},
        {"level": 2},
        {"draws": 5},
        {"draws": 5, "seed": -1},
    ):
        path.write_text(json.dumps({"figures": [{**row, "parameters": wrong}]}), encoding="utf-8")
        with pytest.raises(ExchangeError, match="damaged"):
            read_estimates(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ExchangeError):
        read_estimates(path)
    with pytest.raises(UserError, match="Cannot read statistics from the file:"):
        read_estimates(tmp_path / "nowhere.csv")


def test_a_kind_that_is_gone_is_told(team: QuestionTeam, tmp_path: Path) -> None:
    two_decided(team)
    _, votes = written(team, tmp_path / "out")
    text = votes.read_text(encoding="utf-8").replace('"kind": "questions"', '"kind": "riddles"')
    votes.write_text(text, encoding="utf-8")
    counts = verdicts(team, votes)
    assert counts[RecomputeResult.GONE] == sum(counts.values()) > 0
