"""Kinds whose tasks depend on their person go through a hub too: gold and training tasks."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.ids import ProjectId
from annotator.domain.people import Role
from annotator.services.hub.claims import TAKEN_IN
from annotator.services.hub.place import HubPlace, Invitation
from annotator.services.hub.rating import Rating, join
from annotator.services.hub.sharing import TRAY, Sharing
from annotator.services.project.projects import create_project, open_project
from tests.e2e.conftest import make_clip
from tests.services.gold_floor import RECIPE, as_lead, known_results
from tests.sync.worlds import MemoryWorld


def test_gold_tasks_reach_their_person_among_the_others_and_are_measured(tmp_path: Path) -> None:
    lead = create_project(tmp_path / "lead", title="Floor", recipe="perception-test")
    lead.work.use_recipe(RECIPE.format(gold="every = 2, training = 1, last = 3"))
    (tmp_path / "videos").mkdir()
    clips = [make_clip(tmp_path / "videos" / f"{i}.mp4", shade=40 + 10 * i) for i in range(6)]
    lead.add_videos(clips)
    for name, role in (("Ann", Role.RATER), ("Ben", Role.RATER), ("Rae", Role.REVIEWER)):
        lead.work.people.add(name, (role,))
    known_results(lead, 2)
    as_lead(lead)
    people = {person.name: person.id for person in lead.work.people.all()}
    project_id = ProjectId(lead.file.meta("project_id") or "")
    world = MemoryWorld(3_600_000, project_id)
    hub = world.hub(lead.work.people.check_lead().id)
    hub.take_write_role()
    sharing = Sharing(lead, hub)
    sharing.add_member(people["Ann"])
    sharing.publish()
    own = world.hub(people["Ann"])
    (tmp_path / "ann").mkdir()
    path = tmp_path / "ann" / "mine.annot"
    join(path, Invitation(project_id, "Floor", people["Ann"], "Ann", HubPlace()), own)
    mine = open_project(path)
    rating = Rating(mine, own, [tmp_path / "videos"])
    given = rating.fill_stock(TRAY)
    gold = [task_id for task_id in given if lead.work.gold.is_gold(task_id)]
    training = [task_id for task_id in given if mine.work.gold.training_result(task_id)]
    assert training == given[:1]
    assert gold
    assert set(gold) < set(given)
    for task_id in given:
        mine.work.submit(mine.open_task(task_id))
    assert rating.exchange().n_sent == len(given)
    step = sharing.step()
    assert (step.n_taken_in, step.refused) == (len(given), [])
    rating.exchange()
    assert {sent.outcome for sent in rating.claims.sent().values()} == {TAKEN_IN}
    measured = {score.task_id for score in lead.work.gold.scores()}
    assert set(gold) <= measured
    assert all(mine.work.gold.training_result(t) is None for t in gold)
    mine.close()
    lead.close()
