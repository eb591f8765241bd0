"""Differences between two states of a document, as items to review.

`diff` compares two documents, `Differences` keeps the result and follows edits, and
`RevertDifferences` takes items back by the ordinary way of an edit.
"""

from __future__ import annotations

from annotator.domain.review.difference import Difference, DifferenceKind, Differences, Subject
from annotator.domain.review.document_diff import diff, updated
from annotator.domain.review.revert import RevertDifferences

__all__ = [
    "Difference",
    "DifferenceKind",
    "Differences",
    "RevertDifferences",
    "Subject",
    "diff",
    "updated",
]
