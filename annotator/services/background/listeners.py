"""Callbacks that services keep for whoever wants to hear of a change."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from typing import Generic, TypeVar

T = TypeVar("T")


class Listeners(Generic[T]):
    """Tell every listener of one kind of news, in the order they came.

    A bound method is held weakly, so that a closed window needs no farewell; a plain function, a
    lambda or a built-in method is held until `remove`. Services notify on the main thread only;
    this class neither checks nor changes the thread.
    """

    __slots__ = ("_references",)

    def __init__(self) -> None:
        self._references: list[Callable[[], Callable[[T], None] | None]] = []

    def add(self, listener: Callable[[T], None]) -> Callable[[T], None]:
        """Tell `listener` from now on; adding it twice changes nothing. Gives `listener` back."""
        if listener not in self._living():
            self._references.append(_reference(listener))
        return listener

    def remove(self, listener: Callable[[T], None]) -> None:
        """Tell `listener` no more; one that is not there is no error."""
        self._references = [ref for ref in self._references if ref() not in (listener, None)]

    def notify(self, news: T) -> None:
        """Call every listener with `news`.

        Listeners added meanwhile hear the next news, those removed meanwhile are still called
        once. When one raises, the others are called all the same and the error reaches the caller.
        """
        with ExitStack() as stack:
            for listener in reversed(self._living()):
                stack.callback(listener, news)

    def __len__(self) -> int:
        return len(self._living())

    def _living(self) -> list[Callable[[T], None]]:
        pairs = [(ref, ref()) for ref in self._references]
        self._references = [ref for ref, listener in pairs if listener is not None]
        return [listener for _, listener in pairs if listener is not None]


def _reference(listener: Callable[[T], None]) -> Callable[[], Callable[[T], None] | None]:
    if isinstance(listener, types.MethodType):
        return weakref.WeakMethod(listener)
    return lambda: listener
