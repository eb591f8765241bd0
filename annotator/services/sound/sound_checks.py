"""Checks the sound of added videos one after the other, at low priority.

Decoding the sound takes longer than everything else about a file, so it runs later: the number of
samples and the issues are stored as soon as they are known. Interrupted checks are repeated when
the project is opened again.
"""

from __future__ import annotations

from collections import deque

from annotator.domain.errors import UserError
from annotator.domain.ids import VideoId
from annotator.domain.json_type import Json
from annotator.services.background.jobs import Job, JobRunner, JobToken, Listeners
from annotator.services.project.videos import SOUND_KEY, ProjectMedia, listen
from annotator.store.catalog import videos
from annotator.store.file.project import ProjectFile

Heard = tuple[Json, tuple[str, ...]]
"""Stored facts about a sound, and its issues."""


class SoundChecks:
    """The pending sound checks of one project; main thread only.

    ``done`` is emitted for each video whose sound was checked.
    """

    def __init__(self, file: ProjectFile, media: ProjectMedia, jobs: JobRunner) -> None:
        self.done: Listeners[VideoId] = Listeners()
        self._file = file
        self._media = media
        self._jobs = jobs
        self._waiting: deque[VideoId] = deque()
        self._job: Job[Heard] | None = None
        self._is_closed = False

    def start(self) -> None:
        """Start all due checks, unless they already run.

        What that is takes long to find out where there are very many videos, hence a job.
        """
        if self._job is not None or self._is_closed or self._file.is_read_only:
            return
        file = self._file

        def work(_: JobToken) -> list[VideoId]:
            return [] if self._is_closed else videos.unheard_videos(file, SOUND_KEY)

        def done(video_ids: list[VideoId]) -> None:
            if self._job is None and not self._is_closed:
                self._waiting = deque(video_ids)
                self._next()

        title = "Finding videos to check for audio problems"
        self._jobs.submit(title, work, done, is_quiet=True)

    def close(self) -> None:
        """Stop; unfinished checks stay due."""
        self._is_closed = True
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    def _next(self) -> None:
        self._job = None
        while self._waiting and self._job is None:
            self._listen_to(self._waiting.popleft())

    def _listen_to(self, video_id: VideoId) -> None:
        path = self._media.path(video_id)
        if path is None:
            return
        table = videos.frame_table(self._file, video_id)

        def work(token: JobToken) -> Heard:
            return listen(path, table, token.follow())

        def done(heard: Heard) -> None:
            self._note(video_id, heard)
            self._next()

        def failed(_: UserError) -> None:
            self._next()

        title = f"Checking the audio of {path.name}"
        self._job = self._jobs.submit(title, work, done, failed=failed, is_quiet=True)

    def _note(self, video_id: VideoId, heard: Heard) -> None:
        kept, findings = heard
        try:
            videos.save_heard(self._file, video_id, {SOUND_KEY: kept}, findings)
        except UserError:
            return  # Nothing can be written now; it stays due.
        self.done.notify(video_id)
