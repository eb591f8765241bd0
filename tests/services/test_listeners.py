"""Listeners: order, weak bound methods, errors, changes while notifying."""

from __future__ import annotations

import gc

import pytest

from annotator.services.background.jobs import Listeners


class Ear:
    def __init__(self):
        self.heard = []

    def hear(self, news):
        self.heard.append(news)


def test_everyone_hears_in_the_order_of_joining():
    listeners = Listeners[int]()
    heard = []
    listeners.add(lambda news: heard.append(("first", news)))
    listeners.add(lambda news: heard.append(("second", news)))
    listeners.notify(7)
    assert heard == [("first", 7), ("second", 7)]


def test_a_bound_method_does_not_keep_its_owner_alive():
    listeners = Listeners[str]()
    ear = Ear()
    listeners.add(ear.hear)
    listeners.notify("once")
    assert ear.heard == ["once"]
    assert len(listeners) == 1
    del ear
    gc.collect()
    listeners.notify("nobody")
    assert len(listeners) == 0


def test_a_plain_function_and_a_builtin_are_kept():
    listeners = Listeners[int]()
    heard = []
    listeners.add(heard.append)
    listeners.add(lambda news: heard.append(-news))
    gc.collect()
    listeners.notify(3)
    assert heard == [3, -3]


def test_adding_twice_is_adding_once_and_removing_ends_it():
    listeners = Listeners[int]()
    ear = Ear()
    listeners.add(ear.hear)
    listeners.add(ear.hear)
    listeners.notify(1)
    listeners.remove(ear.hear)
    listeners.remove(ear.hear)
    listeners.notify(2)
    assert ear.heard == [1]


def test_one_that_raises_silences_nobody():
    listeners = Listeners[int]()
    ear = Ear()

    def fail(news):
        raise ValueError(news)

    listeners.add(fail)
    listeners.add(ear.hear)
    with pytest.raises(ValueError, match="5"):
        listeners.notify(5)
    assert ear.heard == [5]


def test_joining_and_leaving_while_being_told():
    listeners = Listeners[int]()
    late = Ear()
    ear = Ear()

    def swap(news):
        listeners.add(late.hear)
        listeners.remove(ear.hear)

    listeners.add(swap)
    listeners.add(ear.hear)
    listeners.notify(1)
    listeners.notify(2)
    assert ear.heard == [1]
    assert late.heard == [2]
