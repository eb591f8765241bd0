"""What strangers' files may hold, and the place that is named for each."""

from __future__ import annotations

import copy

import psutil
import pytest

from annotator.domain.errors import ExchangeError
from annotator.exchange import strict_json
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.perception_test.to_domain import import_command
from annotator.exchange.strict_json import JsonObjectFile
from tests.exchange.files import NAME, TIMES, example, make_document, write_file


def refusal(path):
    with pytest.raises(ExchangeError) as caught:
        read_all(path)
    return str(caught.value)


def read_all(path):
    with JsonObjectFile(path) as file:
        for key in file.keys():  # noqa: SIM118 - a method, not a mapping
            file.member(key)


@pytest.mark.parametrize(
    ("content", "place", "said"),
    [
        (b"", "annotations.json", "empty"),
        ("[]", "$", "not an object"),
        ("3", "$", "not an object"),
        ('{"a": {"x": [1, NaN]}}', "$.a.x[1]", "NaN"),
        ('{"a": {"x": {"y": -Infinity}}}', "$.a.x.y", "infinite"),
        ('{"a": [0, 1e999]}', "$.a[1]", "too large"),
        ('{"a": [[' + "9" * 30 + "]]}", "$.a[0][0]", "too large"),
        ('{"a": 1, "a": 2}', "$", "duplicate key"),
        ('{"a": {"b c": [{"k": 1, "k": 2}]}}', '$.a["b c"][0]', "duplicate key"),
        (b'{"a": "\xff\xfe"}', "$.a", "UTF-8"),
        ('{"a": ["\\ud800"]}', "$.a[0]", "surrogate"),
        ('{"a": [1, 2}', "$.a", "invalid JSON"),
        ('{"a": {"b": 1', "$.a", "the file is truncated"),
        ('{"a": "never closed', "$.a", "the file is truncated"),
        ('{"a": 1}{"b": 2}', "$", "unexpected data after the end of the JSON at byte"),
        ("{a: 1}", "$", "expected a quoted key at byte"),
        ('{"a": 1, }', "$", "expected a quoted key at byte"),
        ('{"a": }', "$.a", "invalid JSON"),
        ('{"a" 1}', "$", "colon"),
        ('{"a": {\n"b": 1,\n"c": tru}}', "$.a", "line 3"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", "$.a", "nested"),
    ],
)
def test_json_that_is_not_sound_is_refused_with_its_place(tmp_path, content, place, said):
    message = refusal(write_file(tmp_path, content))
    assert place in message
    assert said in message
    assert "annotations.json" in message


def test_a_file_that_is_missing_a_folder_or_not_ours_is_refused(tmp_path):
    assert "No such file" in refusal(tmp_path / "nothing.json")
    assert "folder" in refusal(tmp_path)
    assert "Not a directory" in refusal(write_file(tmp_path, "{}") / "below.json")


def test_two_gigabytes_of_brackets_are_refused_in_little_memory(tmp_path):
    path = tmp_path / "annotations.json"
    with path.open("wb") as file:
        file.write(b'{"a":' + b"[" * 1_000_000)
        # The rest is a hole in the file: it takes no disk, and must never be read.
        file.truncate(2 << 30)
    before = psutil.Process().memory_info().rss
    message = refusal(path)
    # Whatever is read of a mapped file counts as memory.
    assert psutil.Process().memory_info().rss - before < 50 << 20
    assert "more than 32 nested brackets" in message


def test_entries_beyond_any_use_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(strict_json, "MAX_MEMBERS", 3)
    monkeypatch.setattr(strict_json, "MAX_MEMBER_BYTES", 2 << 20)
    monkeypatch.setattr(strict_json, "MAX_BYTES", 8 << 20)
    path = write_file(tmp_path, {str(i): i for i in range(4)})
    assert "more than 3 entries" in refusal(path)
    assert "larger than 2 MB" in refusal(write_file(tmp_path, {"a": "x" * (3 << 20)}))
    assert "exceeds the limit of" in refusal(write_file(tmp_path, {"a": "x" * (9 << 20)}))


def test_long_strings_full_of_escapes_and_brackets_are_only_strings(tmp_path):
    text = '{"a": "' + '\\"[[[[' * 100_000 + '"}'
    with JsonObjectFile(write_file(tmp_path, text)) as file:
        assert file.member("a") == '"[[[[' * 100_000


def test_a_byte_order_mark_and_blanks_do_no_harm(tmp_path):
    path = write_file(tmp_path, b'\xef\xbb\xbf \n{ "a" : [1] ,\r\n"b":\t{} }\n ')
    with JsonObjectFile(path) as file:
        assert (file.keys(), file.member("a"), file.member("b")) == (["a", "b"], [1], {})


def _changed(*steps, value):
    entry = copy.deepcopy(example())
    place = entry
    for step in steps[:-1]:
        place = place[step]
    if value is None:
        del place[steps[-1]]
    else:
        place[steps[-1]] = value
    return entry


BOXES = "object_tracking[1].bounding_boxes"


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        (_changed("object_tracking", 1, "frame_ids", value=[0, 30]), BOXES),
        (_changed("object_tracking", 1, "frame_ids", value=[0, 30, 30]), "frame_ids[2]"),
        (_changed("object_tracking", 1, "frame_ids", value=[0, 30, 130]), "frame_ids[2]"),
        (_changed("object_tracking", 1, "frame_ids", value=[-1, 30, 97]), "frame_ids[0]"),
        (_changed("object_tracking", 1, "frame_ids", value=[0, True, 97]), "frame_ids[1]"),
        (_changed("object_tracking", 1, "frame_ids", value=[0, 1.0, 97]), "frame_ids[1]"),
        (_changed("object_tracking", 1, "frame_ids", value=None), "object_tracking[1]"),
        (_changed("object_tracking", 1, "bounding_boxes", 0, 2, value="0.3"), BOXES + "[0][2]"),
        (_changed("object_tracking", 1, "bounding_boxes", 0, 2, value=0.01), BOXES + "[0]"),
        (_changed("object_tracking", 1, "bounding_boxes", 0, value=[0, 0, 1]), BOXES + "[0]"),
        (_changed("object_tracking", 1, "timestamps", 1, value=9e9), "timestamps[2]"),
        (_changed("object_tracking", 1, "is_masked", 1, value=2), "is_masked[1]"),
        (
            _changed("object_tracking", 1, "initial_tracking_box", value=[1, 1, 0]),
            "object_tracking[1].initial_tracking_box",
        ),
        (_changed("object_tracking", 1, "label", value=7), "object_tracking[1].label"),
        (_changed("object_tracking", 1, "id", value=0), "object_tracking[1].id"),
        (_changed("object_tracking", 1, value=[]), "object_tracking[1]"),
        (_changed("point_tracking", 0, "parent_objects", value=[9]), "parent_objects[0]"),
        (_changed("point_tracking", 0, "points", 0, value=[0.1]), "point_tracking[0].points"),
        (_changed("action_localisation", 0, "parent_objects", value=[5]), "parent_objects[0]"),
        (_changed("action_localisation", 0, "frame_ids", value=[75, 30]), "frame_ids"),
        (_changed("action_localisation", 0, "frame_ids", value=[30, 131]), "frame_ids[1]"),
        (_changed("action_localisation", 0, "timestamps", value=[5]), "timestamps"),
        (_changed("action_localisation", 0, "label_id", value="21"), "label_id"),
        (_changed("sound_localisation", 0, "is_visible", value="yes"), "is_visible"),
        (_changed("mc_question", 0, "answer_id", value=3), "mc_question[0].answer_id"),
        (_changed("mc_question", 0, "options", value=[1]), "mc_question[0].options[0]"),
        (_changed("grounded_question", 0, "answers", value=[0, 7]), "answers[1]"),
    ],
)
def test_a_bad_record_is_named_by_its_path_and_the_rest_is_read(entry, place):
    record = read_video(NAME, entry)
    errors = [f for f in record.findings if f.severity == "error"]
    assert len(errors) == 1
    assert errors[0].where.startswith(f"$.{NAME}.")
    assert errors[0].where.endswith(place)
    questions = [r for records in record.kept.values() for r in records]
    read = (*record.objects, *record.points, *record.segments, *questions)
    assert len(read) == 8 - 1


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ([], f"$.{NAME}"),
        (_changed("metadata", value=[]), f"$.{NAME}.metadata"),
        (_changed("metadata", "resolution", value=[720]), f"$.{NAME}.metadata.resolution"),
        (_changed("metadata", "resolution", value=[0, 5]), f"$.{NAME}.metadata.resolution"),
        (_changed("metadata", "num_frames", value="130"), f"$.{NAME}.metadata.num_frames"),
        (_changed("metadata", "num_frames", value=10**17), f"$.{NAME}.metadata.num_frames"),
        (_changed("metadata", "resolution", value=[720, 70000]), f"$.{NAME}.metadata.resolution"),
        (_changed("metadata", "frame_rate", value=1e-300), f"$.{NAME}.metadata.frame_rate"),
        (_changed("metadata", "frame_rate", value=0), f"$.{NAME}.metadata.frame_rate"),
        (_changed("mc_question", value={}), f"$.{NAME}.mc_question"),
    ],
)
def test_an_entry_that_cannot_be_used_names_its_place(entry, place):
    with pytest.raises(ExchangeError) as caught:
        read_video(NAME, entry)
    assert caught.value.where == place


def test_references_to_an_object_that_was_left_out_become_none():
    record = read_video(NAME, _changed("object_tracking", 1, "label", value=7))
    assert [f.code for f in record.findings if f.severity == "warning"] == ["lost-object"] * 3
    document = make_document()
    command, _ = import_command(record, document, TIMES)
    document.apply(command.plan(document))
    sound = next(s for s in document.segments if s.lane == "sound")
    assert sound.slots == (None, None)


def test_an_entry_for_another_video_is_told_apart():
    document = make_document(n_frames=90, size=(640, 360))
    command, findings = import_command(read_video(NAME, example()), document, TIMES)
    assert {f.code for f in findings} == {"other-frame-count", "other-size", "bad-record"}
    assert [t.label for t in command.tracks] == ["cup--red"]
