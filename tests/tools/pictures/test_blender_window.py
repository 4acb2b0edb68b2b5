"""Buttons are found as a person finds them, also where Blender draws and notices late."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tools.pictures.blender_window import Buttons

HEIGHT = 200
FIT, ADD = range(120, 141), range(80, 101)


def layout(y: int) -> str:
    """A button that makes a box, one that makes a body, and nothing around them."""
    return "fit" if y in FIT else "add" if y in ADD else ""


class Region(Buttons):
    """What a region shows at a height, after some moves of the pointer."""

    def __init__(self, shows: Callable[[int, float], str]) -> None:
        self.shows, self.moves, self.y = shows, 0.0, 0

    @property
    def region(self) -> Any:
        return SimpleNamespace(x=0, y=0, width=300, height=HEIGHT)

    def below(self, _x: int, y: int, patience: float = 1.0) -> Iterator[float]:
        self.moves += patience
        self.y = y
        yield patience

    @property
    def name(self) -> str:
        return self.shows(self.y, self.moves)


def found(buttons: Buttons, wanted: str, *, last: bool) -> tuple[int, int]:
    steps = buttons.find(wanted, last=last)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("wanted", ["fit", "add"])
def test_what_is_found_is_there(wanted: str, last: bool):
    _, y = found(Region(lambda y, _: layout(y)), wanted, last=last)
    assert layout(y) == wanted


@pytest.mark.parametrize("last", [False, True])
def test_what_has_moved_meanwhile_is_looked_for_again(last: bool):
    """As after a selection, which Blender draws when it has time."""

    def shows(y: int, moves: float) -> str:
        return layout(y if moves < 18.0 else y + 30)

    _, y = found(Region(shows), "add", last=last)
    assert layout(y + 30) == "add"


def test_what_is_gone_is_told():
    with pytest.raises(LookupError, match="no button add there, only fit"):
        found(Region(lambda y, _: layout(y) if y > ADD[-1] else ""), "add", last=False)
