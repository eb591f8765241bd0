"""Words of the figures of answers: states of items, purposes, methods of agreement."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.agreement.figure import Missing
from annotator.domain.questions.item import ItemState, Purpose
from annotator.domain.questions.screening import Standing

STATES: Final = {
    ItemState.OPEN: "open",
    ItemState.DECIDED: "decided",
    ItemState.DISCARDED: "discarded",
}
_PURPOSES: Final = {
    Purpose.WORK: "work",
    Purpose.GOLD: "known answers",
    Purpose.ATTENTION: "attention checks",
    Purpose.TRAINING: "training",
    Purpose.QUALIFICATION: "test",
}
_STANDINGS: Final = {
    Standing.HANDED_IN: "waits for a grade",
    Standing.PASSED: "passed",
    Standing.FAILED: "failed",
    Standing.SPENT: "failed, no attempt left",
    Standing.WARNED: "warned",
    Standing.KEPT_FROM: "kept from this work",
    Standing.CLEARED: "begins anew",
}
_METHODS: Final = {
    "percent-agreement": "Agreement",
    "cohen-kappa": "Cohen's kappa",
    "cohen-kappa-linear": "Cohen's kappa, linear weights",
    "cohen-kappa-quadratic": "Cohen's kappa, quadratic weights",
    "fleiss-kappa": "Fleiss' kappa",
    "alpha-nominal": "Krippendorff's alpha, nominal",
    "alpha-ordinal": "Krippendorff's alpha, ordinal",
    "alpha-interval": "Krippendorff's alpha, interval",
    "span-iou": "Overlap of times",
    "box-iou": "Overlap of boxes",
}
_PARTS: Final = {
    "": "all",
    "rater": "Rater",
    "option": "Option",
    "question": "Question",
    "area": "Area",
    "reasoning": "Reasoning",
    "group": "Group",
    "part": "Part",
    "item": "Item",
}
_MISSING: Final = {
    Missing.NO_VOTES: "nothing is decided yet",
    Missing.ONE_RATER: "only one person answered",
    Missing.NO_PAIR: "no two people answered the same",
    Missing.FEW_COMMON: "too few in common",
    Missing.ONE_VALUE: "everybody always said the same",
    Missing.NO_CASE: "there is no such case",
}


def state_text(state: ItemState) -> str:
    return _tr(STATES[state])


def purpose_text(purpose: Purpose) -> str:
    return _tr(_PURPOSES[purpose])


def standing_text(standing: Standing) -> str:
    return _tr(_STANDINGS[standing])


def method_text(method: str) -> str:
    return _tr(_METHODS.get(method, method))


def part_text(by: str, name: str) -> str:
    """Return which part of the answers a figure is of, as in "Area: Physics"."""
    word = _tr(_PARTS.get(by, by))
    return f"{word}: {name}" if name else word


def missing_text(reason: Missing) -> str:
    return _tr(_MISSING[reason])


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
