"""Knows which objects stand above, below and at the ends of others, without going through all.

Nothing of Blender is kept here but session uids and names, so undo cannot leave anything dangling.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import bpy

from ..base.hierarchy import ancestors, referred_to
from ..scene.migrations import has_physics

MOST: Final = 200  # Objects that are looked at together; more cost more than an edit.


class Facts(NamedTuple):
    """What is known of an object: how to find it, and which others it names, by uid."""

    key: tuple[str, str | None]
    parent: int
    named: tuple[int, ...]


@dataclass(frozen=True)
class Near:
    """What decides the issues of some objects.

    Attributes:
        objects: all that are to be read.
        told: those of them whose issues are right when no others are read.
    """

    objects: list[Any]
    told: list[Any]


class Neighbours:
    """The parents, children and references of all objects of a file."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew, as after an undo."""
        self._facts: dict[int, Facts] = {}
        self._children: dict[int, set[int]] = {}
        self._users: dict[int, set[int]] = {}

    def note(self, obj: Any) -> None:
        """Take over what an object is now."""
        uid, new = obj.session_uid, _facts_of(obj)
        if self._facts.get(uid) == new:
            return
        self._drop(uid)
        self._facts[uid] = new
        if new.parent:
            self._children.setdefault(new.parent, set()).add(uid)
        for named in new.named:
            self._users.setdefault(named, set()).add(uid)

    def near(self, edited: Iterable[int]) -> Near | None:
        """What decides the issues of objects and of those they touch; None for too much.

        Those are their trees, from the highest object with physics on, the joints and vehicles that
        name something in these, and what stands above all that these name.
        """
        if len(self._facts) < len(bpy.data.objects):
            self._build()
        seeds = [obj for uid in edited if (obj := self.find(uid)) is not None]
        told: dict[Any, None] = {}
        for obj in seeds:
            if not self._add_tree(_top(obj), told):
                return None
        for obj in list(told):
            for uid in sorted(self._users.get(obj.session_uid, ())):
                user = self.find(uid)
                if user is not None and not self._add_tree(_top(user), told):
                    return None
        chosen = dict(told)
        for obj in told:
            facts = self._facts.get(obj.session_uid)
            for uid in () if facts is None else facts.named:
                other = self.find(uid)
                if other is not None and not self._add_tree(_top(other), chosen):
                    return None
        for obj in list(chosen):
            chosen.update(dict.fromkeys(ancestors(obj)))
        return Near(list(chosen), list(told))

    def find(self, uid: int) -> Any:
        """An object by its uid; None when it is gone."""
        facts = self._facts.get(uid)
        if facts is None:
            return None
        objects: Any = bpy.data.objects
        obj = objects.get(facts.key)
        if obj is not None and obj.session_uid == uid:
            return obj
        if len(self._facts) > len(objects):  # It is gone.
            self._drop(uid)
            return None
        self._build()  # Something has another name.
        return next((obj for obj in objects if obj.session_uid == uid), None)

    def _add_tree(self, top: Any, found: dict[Any, None]) -> bool:
        """Add an object and all below it; whether these are few enough."""
        waiting = [top]
        while waiting:
            obj = waiting.pop()
            if obj in found:
                continue
            found[obj] = None
            if len(found) > MOST:
                return False
            below = sorted(self._children.get(obj.session_uid, ()))
            waiting += [child for uid in below if (child := self.find(uid)) is not None]
        return True

    def _build(self) -> None:
        self.forget()
        for obj in bpy.data.objects:
            self.note(obj)

    def _drop(self, uid: int) -> None:
        old = self._facts.pop(uid, None)
        if old is not None:
            self._children.get(old.parent, set()).discard(uid)
            for named in old.named:
                self._users.get(named, set()).discard(uid)


def _facts_of(obj: Any) -> Facts:
    parent, library = obj.parent, obj.library
    key = (obj.name, None if library is None else library.filepath)
    named = tuple(other.session_uid for other in referred_to(obj))
    return Facts(key, parent.session_uid if parent is not None else 0, named)


def _top(obj: Any) -> Any:
    """The highest object with physics at or above one."""
    return [obj, *filter(has_physics, ancestors(obj))][-1]
