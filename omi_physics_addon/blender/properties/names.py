"""Names of the entries of a scene's lists: unique, and known to those that refer to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, cast

import bpy
from bpy.app import translations

from ..base import groups
from ..base.groups import can_change

pgettext_rpt: Final[Callable[[str], str]] = cast("Any", translations).pgettext_rpt

# A scene's list → the attributes of objects that hold a name of one of its entries.
REFERRERS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "physics_materials": (("collider", "physics_material"), ("wheel", "physics_material")),
    "joint_settings": (("joint", "settings"),),
    "collision_filters": (("collider", "collision_filter"), ("trigger", "collision_filter")),
}


_SHOWN: Final = 5  # Names of objects in a message.


def unique(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, with a number after it where that name is taken."""
    if wanted not in taken:
        return wanted
    base = _base(wanted)
    return f"{base}.{_free_number(base, taken):03d}"


def _base(name: str) -> str:
    """A name without the number that makes it unique."""
    stem, dot, tail = name.rpartition(".")
    return stem if dot and tail.isdigit() else name


def _free_number(base: str, taken: Collection[str], first: int = 1) -> int:
    number = first
    while f"{base}.{number:03d}" in taken:
        number += 1
    return number


def written(entry: Any) -> str:
    """The name that a file gets for an entry, empty for none."""
    return entry.name_in_file if entry.name == entry.made_up_name else entry.name


def renamed(entry: Any, context: bpy.types.Context) -> None:
    """Keep a changed name unique, and tell the objects that refer to the entry by it.

    From then on the name is the artist's, and files get it, too. Objects of other files keep the
    old one: Blender would forget the new one.

    This looks at every object of the scene and of the collections it instances, but only when
    an artist renames an entry.
    """
    if entry.name == entry.known_as:
        return
    entry.made_up_name = ""
    scene: Any = entry.id_data
    list_name = entry.path_from_id().split("[")[0].rpartition(".")[2]
    entries = getattr(groups.of_scene(scene), list_name)
    others = [other.name for other in entries if other.as_pointer() != entry.as_pointer()]
    old, new = entry.known_as, unique(entry.name or "Unnamed", others)
    entry.known_as = new
    if new != entry.name:
        entry.name = new  # Calls this again, which then finds nothing to do.
    if not old:
        return
    left: set[str] = set()
    for obj in objects_of(scene):
        for part, attribute in REFERRERS[list_name]:
            group = getattr(groups.of_object(obj), part)
            if getattr(group, attribute) != old:
                continue
            if can_change(obj):
                setattr(group, attribute, new)
            elif getattr(groups.of_object(obj), f"use_{part}"):
                left.add(obj.name)
    if left:
        tell_left(context, sorted(left), old, new)


def is_watched() -> bool:
    """Whether somebody sits before a window."""
    return not bpy.app.background


def tell_left(context: bpy.types.Context, left: Sequence[str], old: str, new: str) -> None:
    """Show which objects of other files still use the old name of an entry."""
    if not is_watched():
        return
    one = 'Renamed to "{new}", but {count} object of another file still names "{old}"'
    many = 'Renamed to "{new}", but {count} objects of other files still name "{old}"'
    text = pgettext_rpt(one if len(left) == 1 else many)
    lines = [*left[:_SHOWN]]
    if len(left) > _SHOWN:
        lines.append(pgettext_rpt("and {count} more").format(count=len(left) - _SHOWN))

    def draw(menu: Any, _context: bpy.types.Context) -> None:
        for line in lines:
            menu.layout.label(text=line, translate=False)

    manager: Any = context.window_manager
    title = text.format(new=new, old=old, count=len(left))
    manager.popup_menu(draw, title=title, icon="INFO")


def objects_of(scene: Any) -> set[Any]:
    """The objects of a scene, and those of collections that are instanced in it."""
    found: set[Any] = set()
    waiting = list(scene.objects)
    while waiting:
        obj = waiting.pop()
        if obj in found:
            continue
        found.add(obj)
        if obj.instance_collection is not None:
            waiting.extend(obj.instance_collection.all_objects)
    return found


def add(entries: Any, wanted: str) -> Any:
    """A new entry of a scene's list with a name of its own."""
    return _add(entries, unique(wanted, {entry.name for entry in entries}))


def _add(entries: Any, name: str) -> Any:
    entry = entries.add()
    entry.known_as = name
    entry.name = name
    return entry


class Importer:
    """Adds the entries of a file to a scene's list, however many in time for each alike.

    Args:
        in_file: the names that entries of the file have; names made up avoid them.
    """

    def __init__(self, entries: Any, in_file: Iterable[str]) -> None:
        self._entries = entries
        self._taken = {entry.name for entry in entries}
        self._avoided = self._taken.union(in_file)
        self._numbers: dict[str, int] = {}

    def add(self, name: str, otherwise: str) -> Any:
        """A new entry; files get `name` for it until an artist renames it.

        In Blender every entry needs a name of its own. Where `name` is empty or taken, one is
        made up, of `otherwise` or of `name` with a number.
        """
        if name and name not in self._taken:
            entry = _add(self._entries, name)
        else:
            made_up = self._make_up(name or otherwise)
            entry = _add(self._entries, made_up)
            entry.made_up_name, entry.name_in_file = made_up, name
        self._taken.add(entry.name)
        self._avoided.add(entry.name)
        return entry

    def _make_up(self, wanted: str) -> str:
        if wanted not in self._avoided:
            return wanted
        base = _base(wanted)
        number = _free_number(base, self._avoided, self._numbers.get(base, 1))
        self._numbers[base] = number
        return f"{base}.{number:03d}"

    def remove_last(self, entry: Any) -> None:
        """Take away again what was added last."""
        self._taken.discard(entry.name)
        if entry.made_up_name:
            self._avoided.discard(entry.name)
        self._entries.remove(len(self._entries) - 1)


def known_systems(system: Any, _context: bpy.types.Context, _typed: str) -> list[str]:
    """The collision systems that the filters of a scene name, for the field of another one.

    This looks at every filter, but only while an artist types.
    """
    scene: Any = system.id_data
    found: set[str] = set()
    for entry in groups.of_scene(scene).collision_filters:
        for name in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
            found.update(each.name for each in getattr(entry, name))
    return sorted(found - {""})
