"""Errors that are the input's or the environment's fault, worded for the person at the keyboard."""

from __future__ import annotations


class UserError(Exception):
    """A problem outside the program; its text names the problem, the place and the remedy.

    Shown as a message and logged without a traceback. Every other exception is a bug.
    """

    def __init__(self, text: str, *, hint: str | None = None, where: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        head = f"{self.where}: {self.text}" if self.where else self.text
        return f"{head} {self.hint}" if self.hint else head


class MediaError(UserError):
    """A video or sound file cannot be used as it is."""


class ProjectError(UserError):
    """A project file cannot be opened, read or written."""


class ExchangeError(UserError):
    """An imported or exported file breaks the rules of its format."""


class AssistError(UserError):
    """A tracker cannot run: a model file or a library part is missing."""


class EditError(UserError):
    """The edit is not possible on this document: nothing was changed."""


class WorkError(UserError):
    """The rules of the work do not allow it: nothing was changed. ``code`` names the rule."""

    def __init__(
        self,
        text: str,
        *,
        code: str = "not-allowed",
        hint: str | None = None,
        where: str | None = None,
    ) -> None:
        super().__init__(text, hint=hint, where=where)
        self.code = code


class RecipeError(UserError):
    """A recipe is not possible; ``where`` is the path of the fault inside it."""
