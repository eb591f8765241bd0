"""Import plan: what goes where and why, what matches, what is skipped; nothing is changed by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ExchangeError
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.transfer import import_file
from annotator.services.transfer.imports.import_plan import PlannedVideo, totals
from annotator.services.transfer.imports.import_sources import AnnotationCounts, table_columns
from tests.media.encoding import encode

TOKEN = JobToken(lambda _fraction, _text: None)
TABLE = (
    "video,type,id,label,frame,x1,y1,x2,y2,start_s,end_s\n"
    "clip.mp4,box,1,cup,0,5,5,40,30,,\n"
    "clip.mp4,box,1,cup,1,6,5,41,30,,\n"
    "clip.mp4,action,,pour,,,,,,0.2,0.9\n"
    "clip.mp4,sound,,bell,,,,,,0.3,0.4\n"
    "gone.mp4,box,1,cup,0,5,5,40,30,,\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    encode(tmp_path / "clip.mp4", numbers=range(60))
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4"])
    yield made
    made.close()


def plan_of(project: OpenProject, path: Path, **more: object) -> tuple[PlannedVideo, ...]:
    report = import_file(project, path, token=TOKEN, is_plan_only=True, **more)  # type: ignore[arg-type]
    assert report.videos == ()
    return report.plan


def content_of(project: OpenProject) -> tuple[int, int]:
    document = project.open_task(project.tasks()[0].id).document
    return len(document.tracks), len(document.segments)


def test_a_plan_says_what_goes_where_and_changes_nothing(
    project: OpenProject, tmp_path: Path
) -> None:
    path = tmp_path / "all.csv"
    path.write_text(TABLE)
    clip, gone = plan_of(project, path)
    assert (clip.name, clip.video, clip.how) == ("clip", "clip.mp4", "same name")
    assert clip.counts == AnnotationCounts(tracks=1, points=0, actions=1, sounds=1)
    assert (clip.n_known, clip.n_similar, clip.is_skipped) == (0, 0, False)
    assert gone.is_skipped
    assert gone.n_invalid == 1
    assert totals((clip, gone)) == {"tracks": 1, "points": 0, "actions": 1, "sounds": 1}
    assert content_of(project) == (0, 0)
    assert "pour" not in {label.text for label in project.label_set(Lane.ACTION).labels}


def test_what_was_imported_before_and_what_is_similar_is_counted(
    project: OpenProject, tmp_path: Path
) -> None:
    first = tmp_path / "all.csv"
    first.write_text("\n".join(TABLE.splitlines()[:-1]))
    import_file(project, first, token=TOKEN)
    assert content_of(project) == (1, 2)
    (again,) = plan_of(project, first)
    assert (again.n_known, again.n_similar) == (3, 0)
    other = tmp_path / "others.csv"
    other.write_text(
        "video,type,id,label,frame,x1,y1,x2,y2,start_s,end_s\n"
        "clip.mp4,box,9,cup,0,6,6,41,31,,\n"  # nearly where the other one is
        "clip.mp4,box,8,cup,0,50,40,60,50,,\n"  # elsewhere
        "clip.mp4,box,7,plate,0,5,5,40,30,,\n"  # of another label
        "clip.mp4,action,,pour,,,,,,0.25,0.9\n"
    )
    (found,) = plan_of(project, other)
    assert (found.n_known, found.n_similar) == (0, 2)


def test_the_columns_of_a_table_can_be_chosen(project: OpenProject, tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    path.write_text("Tier;x\n")
    assert table_columns(path) is None
    path.write_text("Clip,Species,Begin [s],Finish [s],Remark\nclip.mp4,finch,0.2,0.9,x\n")
    found = table_columns(path)
    assert found is not None
    assert found.names == ("Clip", "Species", "Begin [s]", "Finish [s]", "Remark")
    assert found.rows == (("clip.mp4", "finch", "0.2", "0.9", "x"),)
    assert found.guessed == {"video": "Clip"}
    columns = {"video": "Clip", "label": "Species", "start_s": "Begin [s]", "end_s": "Finish [s]"}
    import_file(project, path, token=TOKEN, columns=columns)
    (segment,) = project.open_task(project.tasks()[0].id).document.segments
    assert segment.label == "finch"
    with pytest.raises(ExchangeError, match="no column “Nothing”"):
        import_file(project, path, token=TOKEN, columns={"label": "Nothing"})
    with pytest.raises(ExchangeError, match="Unknown field “species”"):
        import_file(project, path, token=TOKEN, columns={"species": "Species"})


def test_dense_keyframes_are_thinned_on_request(project: OpenProject, tmp_path: Path) -> None:
    path = tmp_path / "dense.csv"
    rows = [f"clip.mp4,1,cup,{f},{5 + f + f % 2},5,{30 + f + f % 2},30,0" for f in range(30)]
    head = "video,id,label,frame,x1,y1,x2,y2,outside"
    path.write_text("\n".join([head, *rows]))
    import_file(project, path, token=TOKEN, is_thinned=True)
    (track,) = project.open_task(project.tasks()[0].id).document.tracks
    assert 2 <= len(track.keyframes) <= 4
    assert track.keyframes[-1].frame == 29
