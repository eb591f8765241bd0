"""Several commands as one step: what is done to all selected objects at once."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import Command, NothingToDoError, effective
from annotator.domain.errors import EditError


@dataclass(frozen=True, slots=True)
class Together:
    """Carries commands out as one transaction and one undo step, named like the first of them.

    Each must concern entities of its own (one command per track): all are planned on the document
    as it stands. What cannot be done to one of them (it is locked, it has no keyframe here) leaves
    that one as it is; only when nothing can be done at all is it refused, for the first reason.
    """

    commands: tuple[Command, ...]
    frame: int | None = None
    merge_key: str | None = None

    @property
    def op(self) -> str:
        return self.commands[0].op if self.commands else "nothing"

    def plan(self, document: Document) -> list[Change]:
        changes: list[Change] = []
        refusal: EditError | None = None
        for command in self.commands:
            try:
                changes += command.plan(document)
            except NothingToDoError:
                continue
            except EditError as error:
                refusal = refusal or error
        if refusal is not None and not changes:
            raise refusal
        return effective(changes)
