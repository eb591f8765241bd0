"""The file of cut frames and the provenance of finished Perception Test questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.answer import Picked
from annotator.domain.checks import Finding
from annotator.domain.ids import VideoId
from annotator.domain.json_type import Json
from annotator.domain.questions.items.item import EDITS, Item
from annotator.services.files import write_atomically
from annotator.services.project.projects import OpenProject
from annotator.services.project.restricted_video import cut_frame_of
from annotator.services.questions.voting.outcomes import items_of_kind, video_names
from annotator.services.questions.voting.submitted_answers import iter_answers

_TASK: Final = "mc_question"


@dataclass(frozen=True, slots=True)
class CutFramesReport:
    """Result of writing: number of videos, and of videos with a cut."""

    path: Path
    n_videos: int
    n_cut: int
    findings: tuple[Finding, ...]


def export_cut_frames(project: OpenProject, path: Path) -> CutFramesReport:
    """Write the mapping of all videos that have finished multiple-choice questions, made here or
    imported; leads only.

    Beside it goes a file with the votes on each question and how it was drawn.
    """
    from annotator.exchange.json_value import encode_value
    from annotator.exchange.order import natural_key
    from annotator.exchange.perception_test.questions import NO_CUT, cut_frames
    from annotator.exchange.perception_test.to_domain import KeptExtra

    bank = project.work.recipe.bank
    kind = bank.final_kind if bank is not None else ""
    items = [item for _, item in items_of_kind(project, kind)] if kind else []
    videos_asked = {item.video_ids[0] for item in items}
    names = video_names(project)
    missing: list[tuple[str, int | None, int]] = []
    for info, _ in project.media.all():
        if info.id in videos_asked or KeptExtra.of(info).records.get(_TASK):
            missing.append((names[info.id], cut_frame_of(info), info.n_frames))
    findings: list[Finding] = []
    mapping = cut_frames(sorted(missing, key=lambda v: natural_key(v[0])), findings.append)
    write_atomically(path, encode_value(dict(mapping)))
    side = path.with_name(f"{path.stem}.provenance.json")
    write_atomically(side, encode_value(_provenance(project, items, names)))
    n_cut = sum(cut != NO_CUT for cut in mapping.values())
    return CutFramesReport(path, len(mapping), n_cut, tuple(findings))


def _provenance(
    project: OpenProject, items: list[Item], names: dict[VideoId, str]
) -> dict[str, Json]:
    """Return for each video its questions: votes by answer, the share that agrees, the draw, and
    what a lead changed."""
    recipe = project.work.recipe
    votes: dict[str, Counter[str]] = {}
    kind = recipe.bank.kind if recipe.bank is not None else ""
    for answers in iter_answers(project, kind):
        value = answers.values.get("answer")
        texts = {option.key: option.text for option in answers.item.options}
        keys = value.keys if isinstance(value, Picked) else ()
        votes.setdefault(answers.item.id, Counter()).update(texts.get(key, key) for key in keys)
    provenance: dict[str, list[Json]] = {}
    for item in items:
        counts = votes.get(str(item.source.get("item")), Counter())
        total = sum(counts.values())
        counted: dict[str, Json] = {text: counts[text] for text in sorted(counts)}
        provenance.setdefault(names[item.video_ids[0]], []).append(
            {
                "question": item.text,
                "votes": counted,
                "agreement": max(counts.values()) / total if total else None,
                "seed": item.source.get("seed"),
                "right_over_script": item.source.get("right_over_script"),
                **({EDITS: item.source[EDITS]} if EDITS in item.source else {}),
            }
        )
    about: dict[str, Json] = {"name": recipe.name, "version": recipe.version}
    return {"recipe": about, "videos": {name: provenance[name] for name in sorted(provenance)}}
