"""A whole document as changes: how a draft begins from the submission before it."""

from __future__ import annotations

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import creation
from annotator.domain.commands.points import point_creation


def whole(document: Document) -> list[Change]:
    """Return the changes that make all of a document in an empty one, with the same identifiers."""
    changes = [change for track in document.tracks for change in creation(track)]
    changes += [change for point in document.points for change in point_creation(point)]
    changes += [Change("segment", segment.id, None, segment) for segment in document.segments]
    changes += [Change("comment", comment.id, None, comment) for comment in document.comments]
    changes += [Change("answer", key, None, answer) for key, answer in document.answers.items()]
    return changes
