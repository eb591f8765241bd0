"""The file that says from which frame on each video with questions must not be seen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.domain.checks import Finding
from annotator.services.files import write_atomically
from annotator.services.metadata import CUT_FRAME, facts_of
from annotator.services.projects import OpenProject
from annotator.services.questions.outcomes import items_of_kind, video_names


@dataclass(frozen=True, slots=True)
class CutFramesReport:
    """What was written: how many videos, and how many of them are cut."""

    path: Path
    n_videos: int
    n_cut: int
    findings: tuple[Finding, ...]


def export_cut_frames(project: OpenProject, path: Path) -> CutFramesReport:
    """Write the mapping of all videos that have finished multiple-choice questions; leads only."""
    from annotator.exchange.json_value import encode_value
    from annotator.exchange.order import natural_key
    from annotator.exchange.perception_test.questions import NO_CUT, cut_frames

    bank = project.work.recipe.bank
    kind = bank.final_kind if bank is not None else ""
    asked = {item.video_ids[0] for _, item in items_of_kind(project, kind)} if kind else set()
    names = video_names(project)
    found: list[tuple[str, int | None, int]] = []
    for info, _ in project.footage.known():
        if info.id in asked:
            cut = facts_of(info).get(CUT_FRAME)
            found.append((names[info.id], cut if isinstance(cut, int) else None, info.n_frames))
    findings: list[Finding] = []
    mapping = cut_frames(sorted(found, key=lambda v: natural_key(v[0])), findings.append)
    write_atomically(path, encode_value(dict(mapping)))
    n_cut = sum(cut != NO_CUT for cut in mapping.values())
    return CutFramesReport(path, len(mapping), n_cut, tuple(findings))
