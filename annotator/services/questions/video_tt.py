"""The lead's acts of Video-TT: primary questions, texts two people agree on, variants, the rows.

    primary → alignment → variants → alignment on variants → finished groups → rows

Each act makes only what was not made before. The kinds of task are those of the shipped recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from annotator.domain.checks import Finding
from annotator.domain.ids import ItemId, item_id
from annotator.domain.questions.groups import (
    Alignment,
    Part,
    Variant,
    Version,
    align,
    group_of,
    group_problems,
    variants_of,
)
from annotator.domain.questions.item import Item, ItemState
from annotator.domain.track import Json
from annotator.services.files import write_atomically
from annotator.services.metadata import facts_of
from annotator.services.projects import OpenProject
from annotator.services.questions.making import Made, added, kept
from annotator.services.questions.outcomes import (
    Outcome,
    items_of_kind,
    made_from,
    outcomes,
    video_names,
)
from annotator.services.questions.sheets import Sheet, sheets

PRIMARY: Final = "primary"
ALIGNMENT: Final = "alignment"
VARIANTS: Final = "variants"
VARIANTS_ALIGNMENT: Final = "variants-alignment"
FINISHED: Final = "finished"
QUESTION: Final = "question"
OPTIONS: Final = ("option-a", "option-b", "option-c", "option-d")
_VARIANT_TEXTS: Final = ("paraphrased", "correctly-led", "wrongly-led", "multiple-choice", *OPTIONS)
_NEXT: Final = {ALIGNMENT: VARIANTS, VARIANTS_ALIGNMENT: FINISHED}


def make_primaries(project: OpenProject) -> Made:
    """Ask for a primary question about every video; leads only."""
    done = {item.video_ids for _, item in items_of_kind(project, PRIMARY, with_discarded=True)}
    items = [
        Item(item_id(), PRIMARY, (info.id,), source={"made": "video"})
        for info, _ in project.footage.known()
        if (info.id,) not in done
    ]
    return added(project, items)


def make_alignments(project: OpenProject) -> Made:
    """Put what one person wrote, questions or variants, before two who agree on it; leads only."""
    items: list[Item] = []
    for kind, following in ((PRIMARY, ALIGNMENT), (VARIANTS, VARIANTS_ALIGNMENT)):
        done = made_from(project, following)
        for outcome in outcomes(project, kind):
            if outcome.item.id in done:
                continue
            texts = {k: outcome.text(k) for k in outcome.values() if outcome.text(k)}
            texts = {**outcome.item.texts, **texts}
            group = outcome.item.group or outcome.item.id
            items.append(
                replace(
                    outcome.item,
                    id=item_id(),
                    kind=following,
                    state=ItemState.OPEN,
                    text=texts.get(QUESTION, outcome.item.text),
                    texts=texts,
                    tags=(texts["capability"],) if "capability" in texts else (),
                    group=group,
                    source=_from(outcome),
                )
            )
    return added(project, items)


def settle_alignments(project: OpenProject) -> Made:
    """Take over what two people agree on, discard what both drop, ask again where they differ.

    Agreed primary questions go on to have variants; agreed variants finish their group. Leads only.
    """
    asked: list[Item] = []
    finished: list[Item] = []
    dropped: list[ItemId] = []
    findings: list[Finding] = []
    names = video_names(project)
    for kind, following in _NEXT.items():
        done = made_from(project, following) | made_from(project, kind)
        by_item: dict[ItemId, list[Sheet]] = {}
        for sheet in sheets(project, kind):
            by_item.setdefault(sheet.item.id, []).append(sheet)
        for id_, pair in by_item.items():
            if id_ in done or len(pair) != 2:
                continue
            item = pair[0].item
            found = align(_version(pair[0], kind), _version(pair[1], kind))
            if found.state is Alignment.DROPPED:
                dropped.append(id_)
            elif found.state is Alignment.APART:
                where = names[item.video_ids[0]]
                text = f"Two people differ on {', '.join(found.apart) or 'dropping it'}: once more."
                findings.append(Finding("apart", where, text))
                asked.append(_again(item, found.texts))
            elif kind == ALIGNMENT:
                asked.append(_again(item, found.texts, VARIANTS))
            else:
                finished += _group(item, found.texts)
    if dropped:
        project.questions.discard(dropped, "Two people agreed to drop it.")
    kept(project, finished)
    made = added(project, asked, findings)
    return Made((*made.item_ids, *(item.id for item in finished)), made.findings)


@dataclass(frozen=True, slots=True)
class RowsReport:
    """What was written: how many groups and rows, and which groups were left out."""

    path: Path
    n_groups: int
    n_rows: int
    findings: tuple[Finding, ...]


def export_rows(project: OpenProject, path: Path) -> RowsReport:
    """Write the finished groups, Parquet or JSON by the ending; leads only.

    Rationales and where each text came from go into a file beside it.
    """
    from annotator.exchange.json_value import encode_value
    from annotator.exchange.video_tt.rows import QuestionRow, encode_rows, lettered

    names = video_names(project)
    infos = {info.id: info for info, _ in project.footage.known()}
    groups: dict[str, list[Item]] = {}
    for _, item in items_of_kind(project, FINISHED):
        groups.setdefault(item.group, []).append(item)
    rows: list[QuestionRow] = []
    side: dict[str, Json] = {}
    findings: list[Finding] = []
    n_groups = 0
    for items in groups.values():
        name = names[items[0].video_ids[0]]
        problems = list(group_problems(items, name))
        findings += problems
        if problems:
            continue
        n_groups += 1
        info = infos[items[0].video_ids[0]]
        for item in sorted(items, key=lambda i: list(Part).index(Part(i.part))):
            qid = f"{n_groups:04}-{list(Part).index(Part(item.part)) + 1}"
            texts = tuple(option.text for option in item.options)
            options, answer = texts, item.texts.get("answer", "")
            if options:
                options, answer = lettered(options, qid, project.work.recipe.seed)
            row = QuestionRow(
                qid,
                name,
                Part(item.part),
                item.tags[0] if item.tags else "",
                item.text,
                f"{info.duration_s:.1f}",
                answer,
                str(facts_of(info).get("youtube_url", "")),
                options,
            )
            rows.append(row)
            side[qid] = {"rationale": item.texts.get("rationale", ""), "source": dict(item.source)}
    write_atomically(path, encode_rows(rows, path))
    about: dict[str, Json] = {"seed": project.work.recipe.seed, "questions": side}
    write_atomically(path.with_name(f"{path.stem}.provenance.json"), encode_value(about))
    return RowsReport(path, n_groups, len(rows), tuple(findings))


def _from(outcome: Outcome) -> dict[str, Json]:
    return {"made": "answer", "item": outcome.item.id, "submission": outcome.submission_id}


def _version(sheet: Sheet, kind: str) -> Version:
    """Return what one of two people would have; what they left as it was is theirs too."""
    names = (QUESTION, "answer", "rationale") if kind == ALIGNMENT else _VARIANT_TEXTS
    texts = {name: sheet.text(name) or sheet.item.texts.get(name, "") for name in names}
    return Version(texts, sheet.values.get("dropped") is True)


def _again(item: Item, texts: Mapping[str, str], kind: str = "") -> Item:
    """Return an item that goes on with agreed texts, asked once more or of the next kind."""
    now = {**item.texts, **texts}
    return replace(
        item,
        id=item_id(),
        kind=kind or item.kind,
        state=ItemState.OPEN,
        text=now.get(QUESTION, item.text),
        texts=now,
        source={"made": "alignment", "item": item.id},
    )


def _group(item: Item, texts: Mapping[str, str]) -> list[Item]:
    """Return the finished group: the primary question and its variants."""
    source: dict[str, Json] = {"made": "alignment", "item": item.id}
    state = ItemState.DECIDED
    keep = {name: item.texts.get(name, "") for name in (QUESTION, "answer", "rationale")}
    primary = replace(
        item, id=item_id(), kind=FINISHED, part=Part.PRIMARY, texts=keep, source=source, state=state
    )
    variants: dict[Part, Variant] = {
        part: Variant(texts[part], tuple(t for t in (texts[o] for o in OPTIONS) if t))
        if part is Part.MULTIPLE_CHOICE
        else Variant(texts[part])
        for part in Part
        if part is not Part.PRIMARY and texts.get(part)
    }
    made = variants_of(replace(primary, group=group_of(item)), variants, FINISHED, source)
    return [replace(each, state=state) for each in (primary, *made)]
