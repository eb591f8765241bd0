"""Votes of several people on one item, and their resolution."""

from __future__ import annotations

from annotator.domain.votes.outcome import (
    Ballot,
    ExcludedVote,
    Fault,
    ItemFlag,
    Outcome,
    RuleKind,
    State,
    Value,
    Vote,
    VoteResult,
    VotingRule,
    as_set,
)
from annotator.domain.votes.texts import Merge, SpellingGroup, grouped, normalized
from annotator.domain.votes.vote_resolution import resolve

__all__ = [
    "Ballot",
    "ExcludedVote",
    "Fault",
    "ItemFlag",
    "Merge",
    "Outcome",
    "RuleKind",
    "SpellingGroup",
    "State",
    "Value",
    "Vote",
    "VoteResult",
    "VotingRule",
    "as_set",
    "grouped",
    "normalized",
    "resolve",
]
