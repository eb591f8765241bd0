"""A project whose questions leave in packages and come back, also with other words in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotator.domain.annotation.canonical import canonical_bytes, content_id
from annotator.services.entry_values import RETURNS
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.packages.submissions import pack_submissions
from annotator.services.project.projects import OpenProject, open_project
from annotator.sync.archive import Archive, write_archive
from tests.media.encoding import encode
from tests.services.questions.question_team import QuestionTeam


class RemoteTeam(QuestionTeam):
    """With two real clips, which a package needs."""

    def __init__(self, folder: Path, text: str | None = None) -> None:
        super().__init__(folder, 0, text=text)
        paths = [folder / "videos" / f"{i}.mp4" for i in range(2)]
        paths[0].parent.mkdir()
        for i, path in enumerate(paths):
            encode(path, numbers=range(6 + i))
        self.project.add_videos(paths)
        self.clips = [self.project.media.video(e.id).info for e in self.project.videos()]

    def package(self, name: str) -> Path:
        path = self.folder / f"{name}.work"
        self.lead_again()
        pack_tasks(self.project, path, self.people[name].id, n_tasks=1, stage="answer")
        return path

    def unpack(self, path: Path, name: str) -> OpenProject:
        target = self.folder / name / "mine.annot"
        target.parent.mkdir(exist_ok=True)
        open_package(path, target, media_folders=[self.folder / "videos"])
        project = open_project(target)
        project.work.people.sign_in(self.people[name].id)
        return project

    def answered(self, path: Path, name: str, pick: str = "o1") -> Path:
        """Let somebody answer a package elsewhere; return what they send back."""
        mine = self.unpack(path, name)
        (task,) = [t for t in mine.tasks() if t.kind == "questions"]
        session = mine.open_task(task.id)
        question_set = mine.questions.question_set(session)
        self.answer_all(session, question_set, pick)
        mine.work.submit(session)
        back = self.folder / f"{name}.back"
        pack_submissions(mine, back)
        mine.close()
        return back


def forged(
    back: Path,
    change: Callable[[dict[str, Any]], object],
    *,
    header: dict[str, Any] | None = None,
    returned: dict[str, Any] | None = None,
) -> Path:
    """Write what somebody sends back with something else in its one submission, which is named
    anew, in the header or in what is said beside it.
    """
    with Archive(back, RETURNS) as archive:
        told = {**archive.header, **(header or {})}
        (name,) = [n for n in archive.names if n.startswith("submissions/")]
        value: dict[str, Any] = json.loads(archive.read(name))
        beside: dict[str, Any] = archive.json("returned.json")
    change(value)
    body = canonical_bytes(value)
    key = content_id(body)
    beside = {**beside, "submitted_at": {key: "2026-11-21T08:00:00.000Z"}, **(returned or {})}
    path = back.with_name("forged.back")
    entries = [(f"submissions/{key}.json", body), ("returned.json", json.dumps(beside).encode())]
    write_archive(path, RETURNS, told, entries)
    return path
