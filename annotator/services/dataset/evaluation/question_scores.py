"""Scores of models on the finished questions of a benchmark, and how robust their answers are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.domain.plurals import many
from annotator.domain.study.results import robustness
from annotator.exchange.question_answers import ModelAnswer, read_answers
from annotator.services.dataset.evaluation.evaluation import (
    ALL,
    QUESTIONS,
    Evaluation,
    MetricResult,
    results_of_items,
)
from annotator.services.dataset.evaluation.video_scores import ItemScore
from annotator.services.questions.benchmark_plugin import AskedQuestion, benchmark_of
from annotator.services.questions.studies.reference_scores import (
    answers_in_study,
    is_right_in,
    judged_in,
)
from annotator.services.questions.studies.studies import studies

if TYPE_CHECKING:
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject

RIGHT_FROM: Final = 3.0
"""An open answer with this score, of 5, or a better one is right."""

_LETTER: Final = re.compile(r"^\W*([A-Z])(?:\W|$)")
_SPACES: Final = " \t\n."


def questions_of(project: OpenProject) -> list[AskedQuestion]:
    """Return the finished questions that the project's benchmark scores models on."""
    return list(benchmark_of(project).questions(project))


def evaluate_answers(
    project: OpenProject,
    questions: Sequence[AskedQuestion],
    models: Sequence[tuple[str, Path | None]],
    token: JobToken,
    *,
    columns: Sequence[str] = (),
    bootstrap: Bootstrap | None = None,
    seed: int = 1,
) -> Evaluation:
    """Compare answers of models with the questions of a project.

    ``models`` are names with a file of answers; without a file they are baselines: "random",
    "majority" (the most frequent letter) and "raters" (people in studies). UserError for others.
    """
    bootstrap = bootstrap or Bootstrap()
    results: list[MetricResult] = []
    scored: dict[str, tuple[ItemScore, ...]] = {}
    findings: list[Finding] = []
    used = columns or tuple(dict.fromkeys(c for q in questions for c, _ in q.groups))
    for i, (name, path) in enumerate(models):
        token.check()
        token.report(i / len(models), name)
        if path is None:
            rights, scores = _baseline(project, name, questions, seed), dict[str, float]()
        else:
            rights, scores = _judged(path, name, questions, findings)
        items = tuple(_scores(questions, rights, scores, is_partial=path is None))
        scored[name] = items
        results += results_of_items(name, items, used, bootstrap)
        robust = _robustness(name, questions, rights, bootstrap)
        results += [robust] if robust is not None else []
    return Evaluation(tuple(results), scored, tuple(findings))


def _scores(
    questions: Sequence[AskedQuestion],
    rights: dict[str, float],
    scores: dict[str, float],
    *,
    is_partial: bool,
) -> Iterator[ItemScore]:
    for i, question in enumerate(questions):
        right = rights.get(question.id)
        if right is None and is_partial:
            continue
        values = {"accuracy": right or 0.0}
        if question.id in scores:
            values["score"] = scores[question.id]
        yield ItemScore(
            QUESTIONS,
            question.video,
            i,
            question.text,
            values,
            question.groups,
            is_missing=right is None,
        )


def _judged(
    path: Path, model: str, questions: Sequence[AskedQuestion], findings: list[Finding]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return which answers of a file are right (1 or 0), and their scores (0 to 5)."""
    read = read_answers(path)
    findings += read.findings
    rights: dict[str, float] = {}
    n_unjudged = 0
    for question in questions:
        answer = read.answers.get(question.id)
        right = _is_right(question, answer) if answer is not None else None
        n_unjudged += answer is not None and right is None
        if right is not None:
            rights[question.id] = float(right)
    missing = [q for q in questions if q.id not in read.answers]
    if missing:
        text = f"No answers to {len(missing)} of {len(questions)} questions, for example "
        text += f"“{missing[0].id}”. They count as wrong."
        findings.append(Finding("missing-items", model, text))
    if n_unjudged:
        answers = many(n_unjudged, "open answer")
        text = f"{answers} with neither a score nor “correct” will count as wrong."
        findings.append(Finding("not-judged", model, text, Severity.ERROR))
    unknown = sorted(set(read.answers) - {q.id for q in questions})
    if unknown:
        text = (
            f"Ignored: {many(len(unknown), 'answer')} to questions that the project does not have, "
        )
        findings.append(Finding("unknown-id", model, f"{text}for example “{unknown[0][:80]}”."))
    scores = {
        question.id: answer.score
        for question in questions
        if (answer := read.answers.get(question.id)) is not None and answer.score is not None
    }
    return rights, scores


def _is_right(question: AskedQuestion, given: ModelAnswer) -> bool | None:
    """Return whether an answer is correct; None if it needs a judge."""
    if given.is_right is not None:
        return given.is_right
    if given.score is not None:
        return given.score >= RIGHT_FROM
    if not question.answer:
        return None
    letter = _LETTER.match(given.text.strip())
    if letter is not None:
        return letter.group(1) == question.answer
    place = ord(question.answer) - ord("A")
    right = question.options[place] if place < len(question.options) else ""
    return _plain(given.text) == _plain(right)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(_SPACES)


def _baseline(
    project: OpenProject, name: str, questions: Sequence[AskedQuestion], seed: int
) -> dict[str, float]:
    choices = [q for q in questions if q.answer]
    if name == "random":
        rng = np.random.default_rng(seed)
        guesses = [int(rng.integers(max(1, len(q.options)))) for q in choices]
        return {
            q.id: float(chr(ord("A") + n) == q.answer)
            for q, n in zip(choices, guesses, strict=True)
        }
    if name == "majority":
        letters = Counter(q.answer for q in choices).most_common(1)
        return {q.id: float(q.answer == letters[0][0]) for q in choices}
    if name == "raters":
        return _people(project, questions)
    text = f"The baseline “{name}” does not answer questions."
    raise UserError(text, hint="Baselines for questions: random, majority, raters.")


def _people(project: OpenProject, asked: Sequence[AskedQuestion]) -> dict[str, float]:
    """Return the share of right answers in studies, by question."""
    names = {question.item_id: question.id for question in asked}
    found: dict[str, list[bool]] = {}
    for study in studies(project):
        judged = judged_in(project, study)
        for answer in answers_in_study(project, study):
            right = is_right_in(answer, judged)
            if right is not None and answer.original in names:
                found.setdefault(names[answer.original], []).append(right)
    return {name: sum(rights) / len(rights) for name, rights in found.items()}


def _robustness(
    model: str, questions: Sequence[AskedQuestion], rights: dict[str, float], how: Bootstrap
) -> MetricResult | None:
    """Return the share of groups with all questions right, of those with the primary one right.

    Of several people's answers more than half have to be right.
    """
    families: dict[str, dict[str, bool]] = {}
    primary = next((q.part for q in questions if q.is_primary), "")
    parts = {q.part for q in questions if q.family}
    for question in questions:
        if question.family and question.id in rights:
            is_right = 2 * rights[question.id] > 1
            families.setdefault(question.family, {})[question.part] = is_right
    if not primary or not families:
        return None
    estimate = robustness(families, primary, parts, how)
    if estimate.value is None:
        return None
    span = (
        (estimate.low, estimate.high)
        if estimate.low is not None and estimate.high is not None
        else None
    )
    n = estimate.inputs.units
    return MetricResult(model, QUESTIONS, "robustness", ALL, "", estimate.value, span, n, n)
