"""Restricted views in a project made from a work package.

Where videos do not come along, the person's own files are whole. What else is in the package, such
as the task that theirs begins from, would show all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from annotator.domain.forms.viewing import Viewing, narrowed
from annotator.domain.ids import VideoId
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

_VIEWINGS: Final = "viewings_of:{}"
"""The fact of a package's project that tells how the tasks in it let a video be seen."""


def remember_viewings(file: ProjectFile, video_id: VideoId, viewings: Iterable[Viewing]) -> None:
    """Remember, in a project made of a package, how its tasks let a video be seen."""
    text = msgspec.json.encode(list(viewings)).decode()
    with file.transaction() as connection:
        travel.set_meta(connection, _VIEWINGS.format(video_id), text)


def allowed_viewing(file: ProjectFile, video_id: VideoId, viewing: Viewing) -> Viewing:
    """Return a viewing as far as the package that a project was made of lets a video be seen."""
    text = file.meta(_VIEWINGS.format(video_id))
    return narrowed(viewing, msgspec.json.decode(text, type=list[Viewing])) if text else viewing
