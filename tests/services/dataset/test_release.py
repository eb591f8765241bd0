"""Releases: whole or not at all, verifiable elsewhere, comparable with each other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset.releases.certificate import (
    NAME,
    SIGNATURE,
    Certificate,
    certificate_bytes,
    file_digest,
    read_certificate,
)
from annotator.services.dataset.releases.proof_frames import media_facts
from annotator.services.dataset.releases.release import ReleaseWish, write_release
from annotator.services.dataset.releases.released import released_data
from annotator.services.dataset.releases.verification import compare_releases, verify_release
from annotator.services.dataset.statistics import write_statistics
from annotator.services.project.metadata import import_metadata
from annotator.services.project.projects import OpenProject, create_project
from tests.media.encoding import encode

QUIET = JobToken(lambda *_: None)
N_FRAMES = 40


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("release")
    for name, gop in (("one", 20), ("two", 10), ("three", 12)):
        encode(folder / f"{name}.mp4", numbers=range(N_FRAMES), b_frames=2, gop=gop)
    return sorted(folder.iterdir())


@pytest.fixture
def project(tmp_path: Path, clips: list[Path]) -> Iterator[OpenProject]:
    videos = [Path(shutil.copy(clip, tmp_path)) for clip in clips]
    opened = create_project(tmp_path / "p", title="Mugs & more")
    opened.add_videos(videos)
    for task in opened.tasks():
        session = opened.open_task(task.id)
        for i in range(2):
            corner = 4.0 + 3 * i
            box = Box(corner, corner, corner + 20, corner + 16)
            session.run(CreateTrack(track_id(), f"mug {i}", i, box))
    table = tmp_path / "videos.csv"
    table.write_text("video,split,camera\none,train,static\ntwo,test,moving\nthree,train,static\n")
    import_metadata(opened, table)
    yield opened
    opened.close()


def _released(project: OpenProject, folder: Path, wish: ReleaseWish | None = None) -> Path:
    wish = wish or ReleaseWish("Mugs & more", withheld=("test",), formats=("mot",), has_media=True)
    write_release(project, folder, wish, QUIET)
    return folder


def test_a_release_has_everything_and_answers_apart(project: OpenProject, tmp_path: Path) -> None:
    folder = _released(project, tmp_path / "v1")
    names = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert {
        "README.md",
        NAME,
        "media.csv",
        "annotations/train.json",
        "annotations/test.json",
        "withheld/test.json",
        "statistics/counts.csv",
        "media/one.mp4",
    } <= names
    assert any(name.startswith("formats/mot/train/") for name in names)
    assert not any(name.startswith("formats/mot/test") for name in names)
    shown = json.loads((folder / "annotations/test.json").read_bytes())["two"]
    whole = json.loads((folder / "withheld/test.json").read_bytes())["two"]
    assert [len(t["frame_ids"]) for t in shown["object_tracking"]] == [1, 1]
    assert len(whole["object_tracking"][0]["frame_ids"]) > 1
    card = (folder / "README.md").read_text()
    assert "| boxes | 3 | 6 |" in card
    assert "| test | 1 | start boxes and questions; answers withheld |" in card
    certificate = read_certificate(folder)
    assert {m.video for m in certificate.media} == {"one", "two", "three"}
    assert all(len(m.frames) == 5 for m in certificate.media)
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".v1")]


def test_sets_with_media_hold_what_is_not_withheld(project: OpenProject, tmp_path: Path) -> None:
    wish = ReleaseWish("Mugs", withheld=("test",), formats=("huggingface", "yolo", "thumos"))
    folder = _released(project, tmp_path / "v1", wish)
    sets = folder / "formats"
    names = {p.relative_to(sets).as_posix() for p in sets.rglob("*") if p.is_file()}
    assert {"huggingface/train/one.mp4", "huggingface/train/metadata.jsonl"} <= names
    assert {"huggingface/croissant.json", "yolo/data.yaml", "yolo/tracks.csv"} <= names
    assert not any("two" in name for name in names)


def test_an_unchanged_release_matches_everywhere(
    project: OpenProject, tmp_path: Path, clips: list[Path]
) -> None:
    folder = _released(project, tmp_path / "v1")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(folder, elsewhere)
    found = verify_release(elsewhere, None, QUIET)
    assert (found.problems, found.n_videos) == ((), 3)
    shutil.rmtree(elsewhere / "media")
    assert verify_release(elsewhere, None, QUIET).n_without_media == 3
    assert verify_release(elsewhere, clips[0].parent, QUIET).problems == ()


def test_what_was_changed_is_named(project: OpenProject, tmp_path: Path) -> None:
    folder = _released(project, tmp_path / "v1")
    train = folder / "annotations/train.json"
    train.write_text(train.read_text().replace("mug 1", "cup 1", 1))
    (folder / "media.csv").unlink()
    (folder / "notes.txt").write_text("mine")
    (folder / "media/two.mp4").unlink()
    encode(folder / "media/three.mp4", numbers=range(N_FRAMES), b_frames=0, gop=5)
    encode(folder / "media/one.mp4", numbers=range(3, N_FRAMES), b_frames=0, gop=5)
    told = [f"{p.where}: {p.text}" for p in verify_release(folder, None, QUIET).problems]
    text = "\n".join(told)
    assert "media.csv: the file is missing" in told
    assert "notes.txt: the file is not part of the release" in told
    assert "object_tracking was changed" in text
    assert "video two: the file two.mp4 is missing" in told
    assert "video three: the file is another one or was re-encoded: 5 of 5 proof frames" in text
    assert f"video one: {N_FRAMES - 3} frames instead of {N_FRAMES}" in text


def test_statistics_follow_from_the_released_files(project: OpenProject, tmp_path: Path) -> None:
    folder = _released(project, tmp_path / "v1")
    data = released_data(folder, QUIET)
    assert {c.kind: c.annotations for c in data.counts()}["boxes"] == 6
    # Metadata may be answers: of withheld splits only the split is told.
    columns = {video.name: video.metadata for video in data.videos}
    assert columns["one"] == {"split": "train", "camera": "static"}
    assert columns["two"] == {"split": "test"}
    table = folder / "statistics" / "counts.csv"
    certificate = read_certificate(folder)
    table.write_text(table.read_text().replace("boxes,3,6", "boxes,3,7"))
    files = {**certificate.files, "statistics/counts.csv": file_digest(table)}
    changed = msgspec.structs.replace(certificate, files=files)
    (folder / NAME).write_bytes(certificate_bytes(changed))
    (problem,) = verify_release(folder, None, QUIET).problems
    assert problem.where == "statistics/counts.csv"
    assert problem.text.startswith("the statistics do not follow from the annotations: line 2")
    # A copy for the public is complete without the withheld answers.
    shutil.rmtree(folder / "withheld")
    found = verify_release(folder, None, QUIET)
    assert (found.problems, found.is_public) == ((), True)


def test_columns_of_a_strangers_metadata_reach_no_other_folder(
    project: OpenProject, tmp_path: Path
) -> None:
    folder = _released(project, tmp_path / "v1")
    table = folder / "metadata.csv"
    table.write_text(table.read_text().replace("camera", "../../../escaped"))
    data = released_data(folder, QUIET)
    written = write_statistics(data, tmp_path / "a" / "b" / "c")
    assert "videos_by__escaped.csv" in written
    assert not list(tmp_path.glob("*escaped*"))


def test_signed_releases(project: OpenProject, tmp_path: Path) -> None:
    keys = [_key(tmp_path / f"key{i}.pem") for i in range(2)]
    wish = ReleaseWish("Mugs", key=keys[0])
    folder = _released(project, tmp_path / "v1", wish)
    found = verify_release(folder, None, QUIET)
    assert found.problems == ()
    assert found.signed_by.startswith("SHA256:")
    assert verify_release(folder, None, QUIET, fingerprint=found.signed_by).problems == ()
    other = _released(project, tmp_path / "v2", ReleaseWish("Mugs", key=keys[1]))
    (problem,) = verify_release(other, None, QUIET, fingerprint=found.signed_by).problems
    assert problem.text.startswith("signed with another key: SHA256:")
    certificate = folder / NAME
    certificate.write_bytes(certificate.read_bytes().replace(b"Mugs", b"Cups"))
    (problem,) = verify_release(folder, None, QUIET).problems
    assert problem.text == "the certificate was changed after it was signed"
    (folder / SIGNATURE).write_text("{}")
    (problem,) = verify_release(folder, None, QUIET).problems
    assert problem.text == "the signature is damaged"
    (folder / SIGNATURE).unlink()
    assert verify_release(folder, None, QUIET).problems == ()
    (problem,) = verify_release(folder, None, QUIET, fingerprint=found.signed_by).problems
    assert problem.text == "the release is not signed"
    with pytest.raises(UserError, match="no private key"):
        write_release(
            project, tmp_path / "v3", ReleaseWish("Mugs", key=tmp_path / "videos.csv"), QUIET
        )
    assert not (tmp_path / "v3").exists()


def _key(path: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    body = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(body)
    return path


def test_a_decoder_that_shifts_frames_is_named(project: OpenProject, tmp_path: Path) -> None:
    folder = _released(project, tmp_path / "v1")
    certificate = read_certificate(folder)
    # The release was made by a decoder whose frame n is frame n + 1 of ours.
    one = next(m for m in certificate.media if m.video == "one")
    path = folder / "media/one.mp4"
    shifted = []
    from annotator.services.dataset.releases import proof_frames

    for each in one.frames[:-1]:
        pictures = proof_frames._pictures(path, [each.frame + 1], "ffmpeg")
        picture = pictures[each.frame + 1]
        digest, gray = proof_frames._digest(picture), proof_frames._gray(picture)
        shifted.append(msgspec.structs.replace(each, ffmpeg=digest, gray=gray))
    media = tuple(
        msgspec.structs.replace(m, frames=(*shifted, m.frames[-1])) if m is one else m
        for m in certificate.media
    )
    changed = msgspec.structs.replace(certificate, media=media)
    (folder / NAME).write_bytes(msgspec.json.encode(changed))
    told = [p.text for p in verify_release(folder, None, QUIET).problems]
    assert "frame 0: ffmpeg gives this picture as frame 1 (shifted by +1)" in told


def test_two_releases_are_compared(project: OpenProject, tmp_path: Path) -> None:
    first = _released(project, tmp_path / "v1", ReleaseWish("A"))
    assert compare_releases(first, first, QUIET).are_none
    tasks = project.tasks()
    session = project.open_task(tasks[0].id)
    session.run(CreateTrack(track_id(), "spoon", 0, Box(1, 1, 9, 9)))
    table = tmp_path / "again.csv"
    table.write_text("video,split\nthree,test\n")
    import_metadata(project, table)
    second = _released(project, tmp_path / "v2", ReleaseWish("B"))
    found = compare_releases(first, second, QUIET)
    (tracks,) = [t for t in found.tasks if t.task == "object_tracking"]
    assert (tracks.added, tracks.removed, tracks.changed) == (1, 0, 0)
    assert tracks.examples[0][1] == "spoon"
    assert [(v, old, new) for v, old, new in found.moved] == [("three", "train", "test")]
    file = tmp_path / "one.json"
    entries = json.loads((second / "annotations/train.json").read_bytes())
    removed = entries["one"]["object_tracking"].pop()["label"]
    file.write_text(json.dumps(entries))
    less = compare_releases(second / "annotations/train.json", file, QUIET)
    assert less.tasks[0].removed == 1
    assert less.tasks[0].examples == (("one", removed),)
    with pytest.raises(ExchangeError, match="a project, not a release"):
        compare_releases(first, project.path, QUIET)


def test_canceling_and_failing_leave_nothing(project: OpenProject, tmp_path: Path) -> None:
    class Stopping(JobToken):
        """Is canceled while the videos are read."""

        def report(self, fraction: float | None, text: str = "") -> None:
            if fraction is not None and text == "two.mp4":
                self.cancel()

    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(CanceledError):
        write_release(project, tmp_path / "v1", ReleaseWish("A"), Stopping(lambda *_: None))
    with pytest.raises(UserError, match="No annotated video is in the split “dev”"):
        write_release(project, tmp_path / "v1", ReleaseWish("A", splits=("dev",)), QUIET)
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    (tmp_path / "v1").mkdir()
    with pytest.raises(UserError, match="exists"):
        write_release(project, tmp_path / "v1", ReleaseWish("A"), QUIET)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"format": 3}', '{"format": "annotator-release/9"}', "[" * 5000, "\ud800"],
)
def test_certificates_that_cannot_be_read_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ExchangeError):
        verify_release(tmp_path, None, QUIET)


def test_names_in_a_strangers_certificate_reach_no_other_folder(
    project: OpenProject, tmp_path: Path
) -> None:
    folder = _released(project, tmp_path / "v1", ReleaseWish("A"))
    found: Certificate = read_certificate(folder)
    secret = tmp_path / "secret.mp4"
    shutil.copy(tmp_path / "one.mp4", secret)
    facts = media_facts(secret, "one", 30.0, lambda: None)
    media = (msgspec.structs.replace(facts, file="../secret.mp4"),)
    files = {**found.files, "../secret.mp4": "0" * 64}
    changed = msgspec.structs.replace(found, media=media, files=files)
    (folder / NAME).write_bytes(msgspec.json.encode(changed))
    (folder / "media").mkdir()
    told = [p.text for p in verify_release(folder, None, QUIET).problems]
    assert told.count("the file is missing") == 1
    assert "the file secret.mp4 is missing" in told
