"""The rows of Video-TT as Parquet: finished groups are written, and existing rows read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.groups import FINISHED, GroupRole, group_problems
from annotator.domain.questions.items.item import Item, ItemState
from annotator.domain.questions.random_order import Lot
from annotator.exchange.json_value import encode_value, read_value
from annotator.exchange.parquet import encode_texts, read_texts
from annotator.services.files import write_atomically
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import AskedQuestion
from annotator.services.questions.question_generation import StepResult, store_items
from annotator.services.questions.voting.outcomes import (
    items_of_kind,
    video_names,
    videos_named,
    why_not_one,
)

COLUMNS: Final = (
    "qid",
    "video_id",
    "question_type",
    "capability",
    "question",
    "duration",
    "question_prompt",
    "answer",
    "youtube_url",
)
TYPES: Final = {
    GroupRole.PRIMARY: "Primary Open-ended Question",
    GroupRole.PARAPHRASED: "Paraphrased Open-ended Question",
    GroupRole.CORRECTLY_LED: "Correctly-led Open-ended Question",
    GroupRole.WRONGLY_LED: "Wrongly-led Open-ended Question",
    GroupRole.MULTIPLE_CHOICE: "Multiple-choice Question with a Single Correct Answer",
}
LETTERS: Final = "ABCD"
OPEN_PROMPT: Final = "Please answer the question in one sentence."
CHOICE_PROMPT: Final = "Please answer with the letter of the right option."
_OPTION: Final = re.compile(r"^\(?([A-D])[.):]\s*(.*\S)\s*$")
_PART_OF_TYPE: Final = {text: part for part, text in TYPES.items()}


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One row. ``options`` only for the multiple choice, in order; ``answer`` is then a letter."""

    qid: str
    video_id: str
    part: GroupRole
    capability: str
    question: str
    duration: str
    answer: str
    url: str = ""
    options: tuple[str, ...] = ()
    prompt: str = ""


def lettered(options: Sequence[str], qid: str, seed: int) -> tuple[tuple[str, ...], str]:
    """Return the options in random order, and the letter of the correct one."""
    lot = Lot(seed, "letters", qid)
    shown = lot.shuffled(options[1:])
    place = lot.below(len(options))
    shown.insert(place, options[0])
    return tuple(shown), LETTERS[place]


def texts_of(row: QuestionRow) -> dict[str, str]:
    """Return the columns of a row."""
    question = row.question
    if row.options:
        lines = [f"{LETTERS[i]}. {text}" for i, text in enumerate(row.options)]
        question = "\n".join([question, *lines])
    default = CHOICE_PROMPT if row.options else OPEN_PROMPT
    texts = (
        row.qid,
        row.video_id,
        TYPES[row.part],
        row.capability,
        question,
        row.duration,
        row.prompt or default,
        row.answer,
        row.url,
    )
    return dict(zip(COLUMNS, texts, strict=True))


def encode_rows(rows: Sequence[QuestionRow], path: Path) -> Iterator[bytes]:
    """Yield a file: JSON where the name ends so, else Parquet (extra ``parquet``)."""
    texts = [texts_of(row) for row in rows]
    if path.suffix.lower() == ".json":
        yield from encode_value([dict(each) for each in texts])
    else:
        yield encode_texts(COLUMNS, [[each[name] for name in COLUMNS] for each in texts])


def read_rows(path: Path) -> tuple[QuestionRow, ...]:
    """Return the rows of a file; ExchangeError with the row where one breaks the rules."""
    if path.suffix.lower() == ".json":
        file_rows = [
            {name: node.key(name).text() for name in COLUMNS} for node in read_value(path).items()
        ]
    else:
        file_rows = read_texts(path)
    rows = tuple(
        _read_row(file_row, f"{path.name}, row {i + 1}") for i, file_row in enumerate(file_rows)
    )
    seen: set[str] = set()
    for i, row in enumerate(rows):
        if row.qid in seen:
            where = f"{path.name}, row {i + 1}"
            raise ExchangeError(f"Duplicate qid “{row.qid}”.", where=where)
        seen.add(row.qid)
    return rows


def _read_row(texts: dict[str, str], where: str) -> QuestionRow:
    for name in COLUMNS:
        if name not in texts:
            raise ExchangeError(f"The column {name} is missing.", where=where)
    part = _PART_OF_TYPE.get(texts["question_type"])
    if part is None:
        raise ExchangeError(f"Unknown question type “{texts['question_type'][:80]}”.", where=where)
    question, options = texts["question"], tuple[str, ...]()
    if part is GroupRole.MULTIPLE_CHOICE:
        question, options = _split(question)
        if texts["answer"].strip() not in LETTERS[: len(options)] or not texts["answer"].strip():
            text = f"The answer “{texts['answer'][:80]}” is not an option letter."
            raise ExchangeError(text, where=where)
    return QuestionRow(
        texts["qid"],
        texts["video_id"],
        part,
        texts["capability"],
        question,
        texts["duration"],
        texts["answer"],
        texts["youtube_url"],
        options,
        texts["question_prompt"],
    )


def _split(text: str) -> tuple[str, tuple[str, ...]]:
    """Return question and options of a text that holds both."""
    lines = text.splitlines()
    options: list[str] = []
    while lines and (match := _OPTION.match(lines[-1])):
        options.insert(0, match.group(2))
        lines.pop()
    return "\n".join(lines).strip(), tuple(options)


_PART_ORDER: Final = list(GroupRole)
_ANSWER: Final = "answer"


@dataclass(frozen=True, slots=True)
class RowsReport:
    """Result of writing: number of groups and rows, and groups left out."""

    path: Path
    n_groups: int
    n_rows: int
    findings: tuple[Finding, ...]


def export_rows(project: OpenProject, path: Path) -> RowsReport:
    """Write the completed groups as Parquet or JSON, by the extension; leads only.

    Rationales and the origin of each text go into a file beside it. Imported questions keep their
    qid and the order of their options.
    """
    from annotator.exchange.json_value import encode_value

    findings: list[Finding] = []
    groups = list(_finished(project, findings))
    rows = [row for group in groups for _, row in group]
    finished = {item.id: item for group in groups for item, _ in group}
    side = {row.qid: _provenance(item, finished) for group in groups for item, row in group}
    write_atomically(path, encode_rows(rows, path))
    about: dict[str, Json] = {"seed": project.work.recipe.seed, "questions": dict(side)}
    write_atomically(path.with_name(f"{path.stem}.provenance.json"), encode_value(about))
    return RowsReport(path, len(groups), len(rows), tuple(findings))


def questions(project: OpenProject) -> Iterator[AskedQuestion]:
    """Yield the questions of the finished groups, as the file has them."""
    for group in _finished(project, []):
        for item, row in group:
            yield AskedQuestion(
                row.qid,
                item.id,
                row.video_id,
                row.question,
                row.answer if row.options else "",
                row.options,
                (("type", row.part.value), ("capability", row.capability)),
                item.group,
                row.part.value,
                row.part is GroupRole.PRIMARY,
            )


def _finished(
    project: OpenProject, findings: list[Finding]
) -> Iterator[list[tuple[Item, QuestionRow]]]:
    """Yield the finished groups, and note the faults of the others."""
    names = video_names(project)
    infos = {info.id: info for info, _ in project.media.all()}
    seed = project.work.recipe.seed
    groups: dict[str, list[Item]] = {}
    for _, item in items_of_kind(project, FINISHED):
        groups.setdefault(item.group, []).append(item)
    qids_taken = {qid for items in groups.values() for item in items if (qid := _qid(item))}
    free = (n for n in count(1) if not any(qid.startswith(f"{n:04}-") for qid in qids_taken))
    for items in groups.values():
        name = names[items[0].video_ids[0]]
        problems = list(group_problems(items, name))
        findings += problems
        if problems:
            continue
        number = 0 if all(map(_qid, items)) else next(free)
        yield [
            (item, _question_row(item, number, name, infos[item.video_ids[0]], seed))
            for item in sorted(items, key=lambda i: _PART_ORDER.index(GroupRole(i.part)))
        ]


def import_rows(project: OpenProject, path: Path) -> StepResult:
    """Import finished groups, for studies; leads only.

    ExchangeError for a bad file, with nothing taken over. Groups of videos that the project has
    not, that it has already or that are not whole are left out and named.
    """

    named = videos_named(project, with_endings=True)
    existing = [item for _, item in items_of_kind(project, FINISHED, with_discarded=True)]
    had = {_qid(item) for item in existing}
    existing_questions = {(item.video_ids[0], item.part, item.text) for item in existing}
    items: list[Item] = []
    findings: list[Finding] = []
    for group in _grouped(read_rows(path)):
        where = f"{group[0].video_id}, {group[0].qid}"
        if any(row.qid in had for row in group):
            findings.append(
                Finding("known-rows", where, "The questions are already in the project.")
            )
        elif why := why_not_one(group[0].video_id, named):
            text = f"{why}; the questions of this group were skipped."
            findings.append(Finding("no-video", where, text, Severity.ERROR))
        elif all(
            (named[row.video_id][0], row.part, row.question) in existing_questions for row in group
        ):
            # They were made here, and got their qid when they were written.
            findings.append(
                Finding("known-rows", where, "The questions are already in the project.")
            )
        else:
            new_items = _items(group, named[group[0].video_id][0])
            problems = list(group_problems(new_items, where))
            findings += problems
            items += new_items if not problems else ()
    store_items(project, items)
    return StepResult(tuple(item.id for item in items), tuple(findings))


def _provenance(item: Item, finished: Mapping[ItemId, Item]) -> dict[str, Json]:
    """Return the rationale of a question, and the item whose votes it comes from.

    Variants are made from the finished primary question, which nobody votes on.
    """
    source = item.source
    while (primary := finished.get(ItemId(str(source.get("item"))))) is not None:
        source = primary.source
    return {"rationale": item.texts.get("rationale", ""), "source": dict(source)}


def _qid(item: Item) -> str:
    """Return the name that a row had in the file it was read from, "" for none."""
    return str(item.source.get("qid", ""))


def _question_row(item: Item, number: int, name: str, info: VideoInfo, seed: int) -> QuestionRow:

    part = GroupRole(item.part)
    qid = _qid(item) or f"{number:04}-{_PART_ORDER.index(part) + 1}"
    options = tuple(option.text for option in item.options)
    answer = item.texts.get(_ANSWER, "")
    if options and _qid(item):
        keys = [option.key for option in item.options]
        answer = LETTERS[keys.index(item.right[_ANSWER][0])]
    elif options:
        options, answer = lettered(options, qid, seed)
    source: Mapping[str, Json] = {
        "duration": f"{info.duration_s:.1f}",
        "youtube_url": facts_of(info).get("youtube_url", ""),
        "question_prompt": "",
        **item.extra,
    }
    return QuestionRow(
        qid,
        name,
        part,
        item.tags[0] if item.tags else "",
        item.text,
        str(source["duration"]),
        answer,
        str(source["youtube_url"]),
        options,
        str(source["question_prompt"]),
    )


def _grouped(rows: Iterable[QuestionRow]) -> Iterator[list[QuestionRow]]:
    """Yield the rows of each group: of a video the first of each part, then the second."""
    groups: dict[tuple[str, int], list[QuestionRow]] = {}
    seen: dict[tuple[str, GroupRole], int] = {}
    for row in rows:
        place = seen.get((row.video_id, row.part), 0)
        seen[row.video_id, row.part] = place + 1
        groups.setdefault((row.video_id, place), []).append(row)
    yield from groups.values()


def _items(group: Iterable[QuestionRow], video_id: VideoId) -> list[Item]:
    """Return finished items as the rows have them; the answer of a choice is its option's text."""

    rows = list(group)
    ids = {row.qid: item_id() for row in rows}
    first = next((row.qid for row in rows if row.part is GroupRole.PRIMARY), rows[0].qid)
    items: list[Item] = []
    for row in rows:
        place = LETTERS.index(row.answer.strip()) if row.options else -1
        answer = row.options[place] if row.options else row.answer
        extra = {"duration": row.duration, "youtube_url": row.url, "question_prompt": row.prompt}
        items.append(
            Item(
                ids[row.qid],
                FINISHED,
                (video_id,),
                row.question,
                tuple(Option(f"o{i}", text) for i, text in enumerate(row.options)),
                {_ANSWER: (f"o{place}",)} if row.options else {},
                {"question": row.question, _ANSWER: answer},
                tags=(row.capability,) if row.capability else (),
                group=ids[first],
                part=row.part,
                state=ItemState.DECIDED,
                source={"made": "import", "qid": row.qid},
                extra=dict(extra),
            )
        )
    return items
