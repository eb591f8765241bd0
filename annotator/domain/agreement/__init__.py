"""Inter-rater agreement of documents and votes.

Named estimates that can be computed again; those of documents lie between 0 (nothing) and 1 (all).
"""

from __future__ import annotations

from annotator.domain.agreement.documents import (
    Agreement,
    agreements,
    average_jaccard,
    box_iou,
    object_f1,
    segment_f1,
)

__all__ = ["Agreement", "agreements", "average_jaccard", "box_iou", "object_f1", "segment_f1"]
