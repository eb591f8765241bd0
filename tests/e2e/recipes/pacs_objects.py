"""PACS, first part: the object of focus of each clip, by sight and with sound."""

from __future__ import annotations

from annotator.domain.answer import Flagged, FrameBox, Picked, Value
from annotator.domain.geometry import Box
from annotator.services.project.restricted_video import open_sound
from tests.e2e.recipes.clips import N_FRAMES, SQUARE
from tests.e2e.recipes.pacs_story import CLIPS, SIGHT, SOUND, SURER
from tests.e2e.recipes.team import Asked, Script, Team


def find_objects(team: Team) -> None:
    assert team.ask("create-focus-visual") == (len(CLIPS), [])
    assert (_hears(team, "look"), _hears(team, "listen")) == (False, True)
    # What is asked is asked of everybody; only a flag does without.
    task_id = team.take("Ann", "look")
    assert task_id is not None
    _, question_set = team.begin(task_id)
    assert {problem.field for problem in question_set.problems()} == {
        "focus",
        "materials",
        "confidence",
    }
    assert team.work("look", ("Ann", "Ben"), _look(team)) == {"Ann": 6, "Ben": 6}
    n_heard, said = team.ask("create-focus-audio")
    assert n_heard == len(CLIPS) - 2
    assert set(said) == {
        "fog: The clip was excluded: “No focus object”.",
        "void: The clip was excluded: “Too blurred”.",
    }
    # Whoever judged by sight judges by sound; others find nothing to do, whatever is left lying.
    assert team.take("Ann", "listen") is not None
    team.rest(25 * 3600)
    assert team.take("Cleo", "listen") is None
    done = team.work("listen", ("Ann", "Ben"), _listen(team))
    assert sum(done.values()) == len(CLIPS) - 2


def _look(team: Team) -> Script:
    def answers(asked: Asked) -> dict[str, Value]:
        (name,) = team.names(asked.item)
        # One picture, the middle one, and no sound.
        assert asked.document.video.n_frames == N_FRAMES // 2 + 1
        if name == "fog":
            return {"flag": Flagged("no-object")}
        if name == "void":
            return {"flag": Flagged("blurred")}
        x1, y1, x2, y2 = SQUARE
        return {
            "focus": FrameBox(N_FRAMES // 2, Box(x1, y1, x2, y2)),
            "materials": Picked((SIGHT.get(name, "wood"),)),
            "confidence": 3,
        }

    return answers


def _listen(team: Team) -> Script:
    def answers(asked: Asked) -> dict[str, Value]:
        (name,) = team.names(asked.item)
        if name == "parrot":
            return {"flag": Flagged("wrong-object")}
        is_mute = name == "mute"
        return {
            "materials": Picked((SOUND.get(name, "wood"),)),
            "confidence": 3 if is_mute else SURER.get(name, 4),
        }

    return answers


def _hears(team: Team, kind: str) -> bool:
    """Tell whether whoever is at the keyboard hears anything in a task of a kind."""
    task_type = team.project.work.recipe.task_type(kind)
    assert task_type is not None
    return (
        open_sound(team.project.restricted_video(team.video("drum"), task_type.viewing)) is not None
    )
