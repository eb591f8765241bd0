"""Votes: what several people said of one item, and what that comes to."""

from __future__ import annotations

from annotator.domain.votes.outcome import (
    Ballot,
    Fault,
    Flag,
    Outcome,
    Resolution,
    Rule,
    RuleKind,
    SetAside,
    State,
)
from annotator.domain.votes.resolving import resolve
from annotator.domain.votes.texts import Group, Merge, grouped, normalised
from annotator.domain.votes.vote import Value, Vote, as_set

__all__ = [
    "Ballot",
    "Fault",
    "Flag",
    "Group",
    "Merge",
    "Outcome",
    "Resolution",
    "Rule",
    "RuleKind",
    "SetAside",
    "State",
    "Value",
    "Vote",
    "as_set",
    "grouped",
    "normalised",
    "resolve",
]
