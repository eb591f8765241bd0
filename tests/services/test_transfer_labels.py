"""Labels of imported files join those of the project; sounds keep their own times."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import Lane
from annotator.domain.commands import SetSegment
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import create_project
from annotator.services.transfer import ExportRequest, export_project, import_file
from tests.exchange.files import NAME, canonical, example, write_file


@pytest.fixture
def token():
    return JobToken(lambda _fraction, _text: None)


@pytest.fixture
def project(tmp_path):
    opened = create_project(tmp_path / "labels", title="Labels")
    opened.set_label_set(LabelSet(Lane.ACTION, "actions", (Label(101, "Other", key="3"),)))
    opened.set_label_set(LabelSet(Lane.SOUND, "sounds", (Label(0, "Steps"),)))
    yield opened
    opened.close()


def doubts(report):
    return [f.text for f in report.findings if f.code == "label-contradiction"]


def exported(project, tmp_path, token):
    report = export_project(project, ExportRequest(tmp_path / "out.json"), token)
    return json.loads((tmp_path / "out.json").read_text())[NAME], report


def test_labels_of_a_file_join_those_of_the_project(project, tmp_path, token):
    content = canonical((NAME, example()))
    report = import_file(project, write_file(tmp_path, content), token=token)
    actions = project.label_set(Lane.ACTION)
    text = "Lifting something and placing it back down"
    template = "Lifting {1:something} and placing it back down"
    assert actions.find(21) == Label(21, text, template)
    # An example that nobody has used takes the number of the file, and keeps its key.
    assert actions.find(8) == Label(8, "Other", key="3")
    assert actions.find(101) is None
    assert project.label_set(Lane.SOUND).find(0).text == "Steps"
    assert doubts(report) == [
        "Label 0 is “ Human:Speech” in the file and “Steps” in the project. "
        "The project label is kept."
    ]
    export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content


def test_a_number_in_use_stays(project, tmp_path, token):
    first = example()
    first["action_localisation"][1]["label_id"] = 101
    import_file(project, write_file(tmp_path, {NAME: first}), token=token)
    report = import_file(project, write_file(tmp_path, {NAME: example()}), token=token)
    said = "“Other” has the ID 101 in the project, where it is in use, and 8 in the file."
    assert f"{said} Both IDs are kept." in doubts(report)
    assert project.label_set(Lane.ACTION).find(101).text == "Other"
    _, report = exported(project, tmp_path, token)
    errors = [f.text for f in report.findings if f.severity == "error"]
    assert errors == ["action_localisation: the label “Other” has several IDs: 101, 8."]
    assert not report.is_sound


def test_a_file_that_contradicts_itself_is_told(project, tmp_path, token):
    entry = example()
    entry["action_localisation"][1]["label_id"] = 21
    report = import_file(project, write_file(tmp_path, {NAME: entry}), token=token)
    assert any(
        "Label 21 has two texts: “Lifting" in text and "“Other”" in text for text in doubts(report)
    )
    _, report = exported(project, tmp_path, token)
    assert any("label_id 21 is used for several labels" in f.text for f in report.findings)


def test_what_cannot_be_a_label_is_told_and_still_imported(project, tmp_path, token):
    entry = example()
    entry["action_localisation"][0]["label"] = "Lifting\nsomething"
    report = import_file(project, write_file(tmp_path, {NAME: entry}), token=token)
    assert any("one line of printable characters" in text for text in doubts(report))
    value, _ = exported(project, tmp_path, token)
    assert value["action_localisation"][0]["label"] == "Lifting\nsomething"


def test_own_labels_get_the_numbers_of_the_label_set(project, tmp_path, token):
    import_file(project, write_file(tmp_path, {NAME: example()}), token=token)
    project.set_label_set(
        project.label_set(Lane.ACTION).with_label(Label(33, "Moving object(s) around"))
    )
    session = project.open_task(project.tasks()[0].id)
    action = next(s for s in session.document.segments if s.label == "Other")
    session.run(SetSegment(replace(action, label="Moving object(s) around", label_id=None)))
    value, report = exported(project, tmp_path, token)
    assert value["action_localisation"][1]["label_id"] == 33
    assert "own-label-id" not in {f.code for f in report.findings}


def test_a_sound_lies_where_its_times_say(project, tmp_path, token):
    entry = example()
    sound = entry["sound_localisation"][0]
    sound.update(timestamps=[1010000, 1490001.25], frame_ids=[33, 41])
    report = import_file(project, write_file(tmp_path, {NAME: entry}), token=token)
    assert [f.code for f in report.findings if f.code == "times-differ"] == ["times-differ"]
    session = project.open_task(project.tasks()[0].id)
    found = next(s for s in session.document.segments if s.lane is Lane.SOUND)
    assert (found.start_us, found.end_us) == (1010000, 1490001)
    assert (found.start, found.end) == (30, 45)
    value, _ = exported(project, tmp_path, token)
    assert value["sound_localisation"][0] == sound
    session.run(SetSegment(replace(found, end_us=1600007, end=49)))
    changed = exported(project, tmp_path, token)[0]["sound_localisation"][0]
    assert changed["timestamps"] == [1010000, 1600007]
    assert changed["frame_ids"] == [33, 49]
    moved = next(s for s in session.document.segments if s.lane is Lane.SOUND)
    session.run(SetSegment(replace(moved, start=60, end=75, start_us=None, end_us=None)))
    changed = exported(project, tmp_path, token)[0]["sound_localisation"][0]
    assert changed["timestamps"] == [2000000, 2500000]
    assert changed["frame_ids"] == [60, 75]


def test_slots_keep_their_order_and_their_gaps(project, tmp_path, token):
    entry = example()
    entry["action_localisation"][0]["parent_objects"] = [1, -1, 0]
    import_file(project, write_file(tmp_path, {NAME: entry}), token=token)
    session = project.open_task(project.tasks()[0].id)
    cup, coin = session.document.tracks
    action = next(s for s in session.document.segments if s.label.startswith("Lifting"))
    assert action.slots == (coin.id, None, cup.id)
    session.run(SetSegment(replace(action, slots=(cup.id, coin.id, None))))
    value, _ = exported(project, tmp_path, token)
    assert value["action_localisation"][0]["parent_objects"] == [0, 1, -1]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"timestamps": [0, 1e300]}, "timestamps"),
        ({"label_id": 2**40}, "label_id"),
        ({"label_id": -1}, "label_id"),
    ],
)
def test_numbers_that_no_file_has_are_refused(project, tmp_path, token, changes, place):
    from annotator.services.transfer import ImportRefusedError

    entry = example()
    entry["sound_localisation"][0].update(changes)
    with pytest.raises(ImportRefusedError) as caught:
        import_file(project, write_file(tmp_path, {NAME: entry}), token=token)
    assert f"sound_localisation[0].{place}" in str(caught.value)
    assert project.videos() == []
