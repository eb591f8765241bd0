"""Readers to be fuzzed, each with files that it reads well."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from annotator.assist.models.manifest import read_manifest
from annotator.assist.models.network import Network
from annotator.domain.annotation.canonical import content_id
from annotator.domain.annotation.labels import parse_label_set
from annotator.domain.annotation.segment import Lane
from annotator.domain.commands import CreateTrack
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.exchange.formats.boxes import yolo
from annotator.exchange.formats.points import deeplabcut_h5, point_arrays, sleap
from annotator.exchange.items_file import read_items
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.question_answers import read_answers
from annotator.exchange.strict_json import JsonObjectFile
from annotator.exchange.tap_vid.csv_files import CsvExamples
from annotator.exchange.tap_vid.pickle_files import PickleExamples
from annotator.services.entry_values import RETURNS, WORK
from annotator.services.packages.packages import open_package
from annotator.services.packages.submissions import collect
from annotator.services.project.metadata import check_table
from annotator.services.project.project_checks import check_project
from annotator.services.project.projects import create_project, open_project
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.services.transfer.formats import FORMATS
from annotator.sync.archive import Archive, write_archive
from tests.exchange import format_samples as samples
from tests.exchange.files import example
from tests.fuzz.mutating import bytes_changed, file_changed, rows_changed, value_changed
from tests.services.questions.question_team import item
from tests.services.questions.remote_team import RemoteTeam
from tests.store.samples import video_info

_FORMATS: Final = {
    "cvat": samples.CVAT,
    "mot": samples.MOT,
    "coco-vid": samples.COCO,
    "youtube-vis": samples.YOUTUBE_VIS,
    "burst": samples.BURST,
    "label-studio": samples.LABEL_STUDIO,
    "activitynet": samples.ACTIVITYNET,
    "thumos": samples.THUMOS,
    "ava": samples.AVA,
    "elan": samples.ELAN,
    "webvtt": samples.VTT,
    "srt": samples.SRT,
    "audacity": samples.AUDACITY,
    "desed": samples.DESED,
    "rttm": samples.RTTM,
    "viame": samples.VIAME,
    "dive": samples.DIVE,
    "textgrid": samples.TEXTGRID,
    "boris": samples.BORIS_TABLE,
    "epic-kitchens": samples.EPIC,
    "deeplabcut": samples.DLC,
    "csv": "video,id,label,frame,x1,y1,x2,y2,start_s,end_s,score\n"
    "c.mp4,1,cup,0,1,2,3,4,,,0.5\nc.mp4,,pour,,,,,,0.5,1.5,\n",
}
_ITEMS: Final = [
    {"kind": "pairs", "videos": ["a", "b"], "question": "Which?", "options": ["a", "b"]},
    {"kind": "q", "video": "a", "purpose": "gold", "right": {"x": "a"}, "tracks": ["cup", 2]},
    {
        "kind": "q",
        "video": "a",
        "boxes": [{"frame": 1, "box": [1, 2, 3.5, 4]}],
        "texts": {"t": "x"},
    },
]
_LABELS: Final = """
name = "Actions"
lane = "action"
[[label]]
id = 0
text = "pour"
[[attribute]]
key = "hand"
type = "choice"
options = ["left", "right"]
"""
_ANSWERS: Final = b'[{"id": "a", "answer": "B", "confidence": 0.5}, {"qid": 3, "score": 4}]'
_CHALLENGE: Final = json.dumps(
    {
        "clip": {
            "action_localisation": [{"label": 7, "score": "0.25", "timestamps": [0.5, 1.0]}],
            "mc_question": [{"id": 1, "answer_id": 2}],
        }
    }
).encode()
_YOLO: Final = "train: images/train\nval: images/train\nnames: {0: kettle, 1: cup}\n"
_TABLE: Final = b"video,place,camera\na.mp4,kitchen,static\nb.mp4,garden,moving\n"


@dataclass(frozen=True)
class Target:
    """A reader: ``change`` makes a damaged file, ``read`` gives it to the reader."""

    name: str
    suffix: str
    change: Callable[[random.Random], bytes]
    read: Callable[[Path], object]
    seed: bytes


def targets(folder: Path) -> Iterator[Target]:
    """Yield all targets; ``folder`` is for projects that some of them need."""
    for name, text in _FORMATS.items():
        form = FORMATS[name]
        assert form.read is not None
        yield _simple(name, form.suffix, text.encode(), form.read)
    whole = json.dumps({"video_1": example()}).encode()
    yield _simple("perception-test", ".json", whole, _read_perception_test)
    yield _simple("tapvid-csv", ".csv", b"clip,0.5,0.5,0,0.25,0.5,1\n", _read_csv)
    yield _simple("tapvid-pickle", ".pkl", _pickle(), _read_pickle)
    yield _simple("items", ".json", json.dumps(_ITEMS).encode(), read_items)
    yield _simple("answers", ".json", _ANSWERS, read_answers)
    yield _simple("metadata", ".csv", _TABLE, check_table)
    yield _simple("challenge-results", ".json", _CHALLENGE, _read_results)
    yield _simple("points-npz", ".npz", _points(), point_arrays.read)
    yield _simple("yolo", ".yaml", _YOLO.encode(), _read_yolo)
    for suffix, body, read in _hdf5(folder):
        yield _simple(read.__module__.rpartition(".")[2].replace("_", "-"), suffix, body, read)
    recipe = shipped_recipe("perception-test").encode()
    yield _simple("recipe", ".toml", recipe, lambda path: parse_recipe(_text(path)))
    yield _simple("labels", ".toml", _LABELS.encode(), _read_labels)
    yield from _models(folder)
    yield from _archives(folder)
    yield _project(folder)


def _simple(name: str, suffix: str, seed: bytes, read: Callable[[Path], object]) -> Target:
    return Target(name, suffix, lambda chance: file_changed(seed, chance), read, seed)


def _read_labels(path: Path) -> None:
    parse_label_set(_text(path), where=path.name)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _read_perception_test(path: Path) -> None:
    with JsonObjectFile(path) as file:
        for name in file.keys():  # noqa: SIM118 - a method, not a mapping
            read_video(name, file.member(name))


def _read_csv(path: Path) -> None:
    with closing(CsvExamples(path)) as examples:
        for name in examples.names():
            examples.read(name)


def _read_pickle(path: Path) -> None:
    with closing(PickleExamples(path)) as examples:
        for name in examples.names():
            examples.read(name)


def _read_results(path: Path) -> None:
    read = FORMATS["challenge-results"].read
    assert read is not None
    read(path)


def _read_yolo(path: Path) -> None:
    """Read a set whose settings are damaged."""
    for part in ("images", "labels"):
        (path.parent / part / "train").mkdir(parents=True, exist_ok=True)
    row = "0 0.106250 0.208333 0.125000 0.250000 0.5 3\n"
    (path.parent / "labels" / "train" / "clip_000002.txt").write_text(row)
    yolo.read(path)


def _points() -> bytes:
    import io

    import numpy as np

    body = io.BytesIO()
    tracks = np.arange(24, dtype=np.float32).reshape(2, 6, 2)
    np.savez(body, tracks=tracks, visibility=np.ones((2, 6), np.bool_))
    return body.getvalue()


def _hdf5(folder: Path) -> Iterator[tuple[str, bytes, Callable[[Path], object]]]:
    """Yield what needs the extra for HDF5, where that is installed."""
    try:
        import numpy as np
        import pandas
        import sleap_io
    except ImportError:
        return
    columns = pandas.MultiIndex.from_product(
        [["me"], ["nose", "tail"], ["x", "y"]], names=["scorer", "bodyparts", "coords"]
    )
    names = ["labeled-data/clip/img003.png", "labeled-data/clip/img010.png"]
    path = folder / "seed.h5"
    pandas.DataFrame(np.ones((2, 4)), columns=columns, index=names).to_hdf(
        path, key="df_with_missing", mode="w"
    )
    yield ".h5", path.read_bytes(), deeplabcut_h5.read
    skeleton = sleap_io.Skeleton(["nose", "tail"])
    track = sleap_io.Track("ant")
    found = sleap_io.PredictedInstance.from_numpy(
        np.ones((2, 2)), skeleton, point_scores=np.ones(2), score=0.5, track=track
    )
    video = sleap_io.Video("clip.mp4", open_backend=False)
    frame = sleap_io.LabeledFrame(video=video, frame_idx=3, instances=[found])
    path = folder / "seed.slp"
    labels = sleap_io.Labels([frame], videos=[video], skeletons=[skeleton], tracks=[track])
    sleap_io.save_slp(labels, str(path), embed=False)
    yield ".slp", path.read_bytes(), sleap.read


def _models(folder: Path) -> Iterator[Target]:
    """Yield manifests of networks, and a network, where the extra for ONNX is installed."""
    try:
        from tests.assist.tiny_models import box_model, fit_model, point_model
    except ImportError:
        return
    for make in (box_model, point_model, fit_model):
        path = make(folder / make.__name__)
        yield _simple(make.__name__.replace("_", "-"), ".toml", path.read_bytes(), read_manifest)
    manifest, place = read_manifest(path), path.parent

    def loaded(damaged: Path) -> None:
        body = damaged.read_bytes()
        (place / manifest.file).write_bytes(body)
        Network(replace(manifest, sha256=hashlib.sha256(body).hexdigest()), place)

    yield _simple("network", ".onnx", (place / manifest.file).read_bytes(), loaded)


def _pickle() -> bytes:
    import pickle

    import numpy as np

    video = np.zeros((3, 4, 4, 3), np.uint8)
    points, hidden = np.zeros((1, 3, 2), np.float32), np.zeros((1, 3), np.bool_)
    return pickle.dumps({"clip": {"video": video, "points": points, "occluded": hidden}}, 4)


def _archives(folder: Path) -> Iterator[Target]:
    """Yield targets for packages and for submissions, whose manifests vouch for what is in them."""
    place = folder / "team"
    place.mkdir()
    team = RemoteTeam(place)
    team.add(*(item(team.clips[0].id, f"Question {i}") for i in range(3)))
    package = team.package("Ann")
    back = team.answered(package, "Ann")
    team.lead_again()

    def opened(path: Path) -> None:
        there = Path(tempfile.mkdtemp(dir=folder))
        try:
            open_package(path, there / "mine.annot", media_folders=[place / "videos"])
            open_project(there / "mine.annot").close()
        except UserError:
            assert not (there / "mine.annot").exists(), "half a project is left"
            raise
        finally:
            shutil.rmtree(there)

    def collected(path: Path) -> None:
        collect(team.project, path)

    yield Target("package", ".work", _forging(package, WORK), opened, package.read_bytes())
    yield Target("submissions", ".back", _forging(back, RETURNS), collected, back.read_bytes())


def _forging(source: Path, kind: str) -> Callable[[random.Random], bytes]:
    with Archive(source, kind) as archive:
        whole = {name: archive.read(name) for name in archive.names}
        told: Any = archive.header

    def change(chance: random.Random) -> bytes:
        if chance.random() < 0.1:
            return bytes_changed(source.read_bytes(), chance)
        entries, header = dict(whole), json.loads(json.dumps(told))
        name = chance.choice(["", *entries])
        if not name:
            header = value_changed(header, chance)
            header = header if isinstance(header, dict) else {}
        elif name.endswith(".json"):
            value = value_changed(json.loads(entries.pop(name)), chance)
            body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
            if name.startswith("submissions/"):
                name = f"submissions/{content_id(body)}.json"
            entries[name] = body
        else:
            entries[name] = bytes_changed(entries[name], chance)
        target = source.with_name("forged")
        try:
            write_archive(target, kind, json.loads(json.dumps(header)), list(entries.items()))
        except (ValueError, UnicodeError):
            return change(chance)
        return target.read_bytes()

    return change


def _project(folder: Path) -> Target:
    """Return the target for project files: rows with odd cells, and pages with odd bytes."""
    project = create_project(folder / "seed.annot", title="Seed", recipe="annotate-review")
    session = project.open_task(project.add_absent_video(video_info()))
    session.run(CreateTrack(track_id(), "mug", 3, Box(1, 2, 30, 40)))
    project.close()
    seed = project.path.read_bytes()

    def change(chance: random.Random) -> bytes:
        if chance.random() < 0.2:
            return bytes_changed(seed, chance)
        path = folder / "changed.annot"
        path.write_bytes(seed)
        rows_changed(path, chance)
        return path.read_bytes()

    def read(path: Path) -> None:
        with suppress(UserError):
            check_project(path)
        opened = open_project(path)
        try:
            for task in opened.tasks():
                opened.open_task(task.id)
            opened.label_set(Lane.ACTION)
        finally:
            opened.close()

    return Target("project", ".annot", change, read, seed)
