"""The engines that files can be written for: each is a module or a folder here, with its row.

A module has a `Target` named TARGET, a `NameConvention` named NAMES or a `Player` named PLAYER, or
some of them, and no other place knows of it: the lists of the export dialog, the command line and
scripts come from these rows. All rows are loaded when the add-on or a command starts, by old
Pythons too; what an engine needs of `codec` is imported when a file is written for it.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from ..model.targets import SPECIFICATION, NameConvention, Player, Target

if TYPE_CHECKING:
    from ..codec.engine import Engine
    from ..model.targets import Family, Tag

_NAMES = sorted(found.name for found in pkgutil.iter_modules(__path__))
_MODULES = [vars(importlib.import_module(f"{__name__}.{name}")) for name in _NAMES]

# By id, in the order of Blender's lists.
TARGETS: dict[str, Target] = {
    row.id: row
    for row in sorted((m["TARGET"] for m in _MODULES if "TARGET" in m), key=lambda row: row.number)
}
CONVENTIONS: dict[str, NameConvention] = {
    row.id: row
    for row in sorted((m["NAMES"] for m in _MODULES if "NAMES" in m), key=lambda row: row.number)
}
# By word; scenes can be played in these.
PLAYERS: dict[str, Player] = {
    row.word: row for row in (m["PLAYER"] for m in _MODULES if "PLAYER" in m)
}
PLAYER = next(iter(PLAYERS.values()))  # The one that the buttons start.
# The ids by the words of command lines.
WORDS: dict[str, str] = {
    SPECIFICATION.lower(): SPECIFICATION,
    **{row.word: row.id for row in TARGETS.values()},
}
# The words by which objects get physics, for sentences.
TAGS = "; ".join(f"{row.words} ({row.engine})" for row in CONVENTIONS.values())
EXAMPLE = next(iter(TARGETS.values())).word  # One of these words, for texts that need one.


def tag_of(name: str) -> Tag | None:
    """What the name of an object asks for; prefixes, which come last, before suffixes."""
    found = (row.parse(name) for row in reversed(CONVENTIONS.values()))
    return next(filter(None, found), None)


def is_unknown(name: str) -> bool:
    """Whether a name looks like one of a convention, but asks for nothing that is known here."""
    return any(row.is_unknown(name) for row in CONVENTIONS.values())


def engine_of(target: str) -> Engine | None:
    """How files are written for a target; None for the specification.

    Raises:
        KeyError: there is no such target.
    """
    return None if target == SPECIFICATION else TARGETS[target].load()


def families_for(target: str, families: tuple[Family, ...]) -> tuple[Family, ...]:
    """What is written for a target: the engine's own family where it reads none of these."""
    row = TARGETS.get(target)
    return families if row is None or row.family in families else (row.family,)
