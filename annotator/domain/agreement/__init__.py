"""How far two people's work on one video says the same: named figures, 0 (nothing) to 1 (all)."""

from __future__ import annotations

from annotator.domain.agreement.boxes import box_iou, object_f1
from annotator.domain.agreement.figure import Agreement, agreements
from annotator.domain.agreement.segments import segment_f1

__all__ = ["Agreement", "agreements", "box_iou", "object_f1", "segment_f1"]
