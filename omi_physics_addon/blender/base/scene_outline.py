"""Keeps the rows of the Physics Outliner, and makes them anew only when something changed.

Nothing of Blender is kept here but session uids, so undo cannot leave anything dangling.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from . import changes, outline, roles
from .outline import Facts, Kind, Outline, Row, Sort

_MANY: Final = 100  # Changed objects from which on looking at each costs more than starting anew.
_ROLE_ORDER: Final = {name: i for i, name in enumerate(roles.ROLES)}


@dataclass(slots=True, eq=False)
class _Rows:
    """The rows of one list, in the forms that the list needs."""

    rows: dict[int, Row]
    flags: list[int]
    order: list[int]


@dataclass(eq=False)
class _Kept:
    """The rows and facts that are kept of one view layer."""

    outline: Outline
    length: int
    lists: dict[tuple[Any, ...], _Rows] = field(default_factory=dict[tuple[Any, ...], _Rows])


_kept: Final[dict[tuple[int, str], _Kept]] = {}
_folded: Final[set[int]] = set()


def _key(scene: Any, view_layer: Any) -> tuple[int, str]:
    return scene.session_uid, view_layer.name


def facts_of(obj: Any) -> Facts:
    """What the rows need to know of an object."""
    found = roles.roles_of(obj)
    parent = obj.parent
    order = _ROLE_ORDER[found[0]] if found else 0
    above = parent.session_uid if parent else 0
    return Facts(obj.session_uid, obj.name, above, found, order, obj.type == "MESH")


def get(scene: Any, view_layer: Any) -> Outline:
    """The outline of a view layer; made when it is first asked for, or something changed."""
    return _get(scene, view_layer).outline


def _get(scene: Any, view_layer: Any) -> _Kept:
    key = _key(scene, view_layer)
    kept = _kept.get(key)
    length = len(view_layer.objects)
    if kept is None or kept.length != length:
        changes.listen(_note)
        found = outline.build([facts_of(obj) for obj in view_layer.objects])
        kept = _kept[key] = _Kept(found, length)
    return kept


def rows(
    scene: Any, view_layer: Any, kind: Kind, search: str = "", sort: Sort = "NAME"
) -> list[Row]:
    """The rows of a list, from top to bottom."""
    return list(_rows(scene, view_layer, kind, search, sort).rows.values())


def _rows(scene: Any, view_layer: Any, kind: Kind, search: str, sort: Sort) -> _Rows:
    kept = _get(scene, view_layer)
    key = (kind, search, sort)
    found = kept.lists.get(key)
    if found is None:
        made = outline.rows(kept.outline, kind, folded=_folded, search=search, sort=sort)
        if len(kept.lists) > 8:  # Of texts that were searched for.
            kept.lists.clear()
        found = kept.lists[key] = _arranged(made, kept.length)
    return found


def _arranged(made: list[Row], length: int) -> _Rows:
    shown = 1 << 30  # UIList.bitflag_filter_item, a constant of Blender.
    flags = [0] * length
    order = [0] * length
    for place, row in enumerate(made):
        flags[row.index] = shown
        order[row.index] = place
    place = len(made)
    for i, flag in enumerate(flags):
        if not flag:
            order[i] = place
            place += 1
    return _Rows({row.uid: row for row in made}, flags, order)


def arrangement(
    scene: Any, view_layer: Any, kind: Kind, search: str, sort: Sort
) -> tuple[list[int], list[int]]:
    """For each object of the view layer: whether it has a row, and which place."""
    found = _rows(scene, view_layer, kind, search, sort)
    return found.flags, found.order


def row_of(scene: Any, view_layer: Any, uid: int, kind: Kind) -> Row | None:
    """The row of an object in whichever list of a kind has it."""
    kept = _kept.get(_key(scene, view_layer))
    if kept is None:
        return None
    for key in reversed(kept.lists):
        if key[0] == kind and uid in kept.lists[key].rows:
            return kept.lists[key].rows[uid]
    return None


def index_of(scene: Any, view_layer: Any, obj: Any) -> int:
    """The place of an object in the view layer; -1 for none."""
    if obj is None:
        return -1
    return get(scene, view_layer).index.get(obj.session_uid, -1)


def find(view_layer: Any, uid: int) -> Any:
    """The object of a view layer by its session uid; None when it is gone."""
    return next((obj for obj in view_layer.objects if obj.session_uid == uid), None)


def below(scene: Any, view_layer: Any, uid: int) -> set[int]:
    """The uids of a row and of all rows below it."""
    return set(get(scene, view_layer).below([uid]))


def fold(uids: set[int], is_folded: bool) -> None:
    """Hide or show the rows below some rows."""
    if is_folded:
        _folded.update(uids)
    else:
        _folded.difference_update(uids)
    for kept in _kept.values():
        kept.lists.clear()


def is_folded(uid: int) -> bool:
    """Whether the rows below a row are hidden."""
    return uid in _folded


def _note(depsgraph: Any) -> None:
    """Drop what a change made outdated: all, unless only values of known objects changed."""
    if _kept and (depsgraph is None or _has_changed(depsgraph)):
        _kept.clear()


def _has_changed(depsgraph: Any) -> bool:
    updates = depsgraph.updates
    if len(updates) > _MANY:
        return True
    known = [kept.outline.facts for kept in _kept.values()]
    for update in updates:
        changed = update.id.original
        kind = changed.id_type
        if kind in ("SCENE", "COLLECTION"):
            if not _is_in_known_order(depsgraph):  # Selecting changes the scene, too.
                return True
        elif kind == "OBJECT":
            facts = facts_of(changed)
            if any(facts.uid in each and each[facts.uid] != facts for each in known):
                return True
    return False


def _is_in_known_order(depsgraph: Any) -> bool:
    """Whether the objects of the scene are in the order that is known."""
    key = depsgraph.scene.session_uid, depsgraph.view_layer.name
    kept = _kept.get(key)
    if kept is None:
        return False
    objects = depsgraph.view_layer.objects
    return len(objects) == kept.length and all(
        obj.session_uid == uid for obj, uid in zip(objects, kept.outline.facts, strict=True)
    )


def forget() -> None:
    """Start anew, as after opening a file."""
    _kept.clear()
    _folded.clear()
