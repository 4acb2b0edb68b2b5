# pyright: reportInvalidTypeForm=false
"""Where shared entries live: data-blocks that objects point to and scenes list.

An entry is the property group of a node tree of our own type, without nodes. Blender appends,
links, copies, counts and undoes it with the objects that point to it. A scene only lists entries,
which gives them an order and keeps those that no object uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import bpy

from ..base import compat

# A scene's list → the type of the data-blocks in it.
TREES: Final = {
    "physics_materials": "OMIPHYSICS_NT_physics_material",
    "collision_filters": "OMIPHYSICS_NT_collision_filter",
    "joint_settings": "OMIPHYSICS_NT_joint_settings",
}
LABELS: Final = {
    "physics_materials": "Physics Material",
    "collision_filters": "Collision Filter",
    "joint_settings": "Joint Settings",
}
SLOTS: Final = "{}_slots"  # The property of a scene that holds what is listed.
POINTER: Final = "{}_entry"  # The property beside the name of an entry.


class Holder:
    """A node tree that holds an entry, so that Blender carries it along with what uses it."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Keep it out of the menu of editors: it has no nodes."""
        return False


def used_by(group: Any, list_name: str, attribute: str) -> Any:
    """The data-block that a part of an object uses; None for none.

    It points to it, or has a name that was set before there was an entry of that name. Names of
    linked objects are those of an older version; `older_lists.of_linked` finds what they mean.
    """
    tree = getattr(group, POINTER.format(attribute))
    if tree is None and attribute in group:
        obj = group.id_data
        if obj.library is None and obj.override_library is None:
            return tree_named(list_name, group[attribute])
    return tree


def of_type(cls: Any) -> Any:
    """The property of a node tree that holds the values of the entry."""
    return bpy.props.PointerProperty(type=cls)


def pointer(tree: Any) -> Any:
    """The property of an object that points to an entry."""

    def fits(_group: Any, other: Any) -> bool:
        return other.bl_idname == tree.bl_idname

    return bpy.props.PointerProperty(
        name=tree.bl_label,
        type=tree,
        poll=fits,
        options={"HIDDEN"},
        override={"LIBRARY_OVERRIDABLE"},
    )


def reference(list_name: str, attribute: str, name: str, description: str) -> Any:
    """The name of the entry that an object points to; setting it points to that entry.

    A name that no entry has stays as it is, so that it can be told.
    """
    at = POINTER.format(attribute)

    def get(group: Any) -> str:
        tree = getattr(group, at)
        return group.get(attribute, "") if tree is None else tree.name_full

    def set_(group: Any, value: str) -> None:
        tree = tree_named(list_name, value)
        setattr(group, at, tree)
        if tree is None and value:
            group[attribute] = value
        elif attribute in group:
            del group[attribute]

    def search(_group: Any, context: Any, _typed: str) -> list[str]:
        listed = getattr(context.scene.omi_physics, list_name)
        return [entry.name for entry in listed]

    return bpy.props.StringProperty(
        name=name, description=description, get=get, set=set_, search=search, search_options=set()
    )


def name(description: str) -> Any:
    """The name of an entry, which is that of its data-block."""

    def get(entry: Any) -> str:
        return entry.id_data.name_full

    def set_(entry: Any, value: str) -> None:
        tree = entry.id_data
        if value != tree.name_full and tree.is_editable:
            compat.rename(tree, value or tree.bl_label)
            _call(tree, tree.name)

    return bpy.props.StringProperty(name="Name", description=description, get=get, set=set_)


def new(list_name: str, name: str, data: Any = None) -> Any:
    """A data-block for an entry, in no list; Blender numbers its name where that is taken.

    Args:
        name: what files call it, until an artist gives it another one.
        data: the data of the file it becomes part of; None for the open one.
    """
    trees: Any = (bpy.data if data is None else data).node_groups
    tree = trees.new(name or LABELS[list_name], TREES[list_name])
    _call(tree, name)
    return tree


def _call(tree: Any, name: str) -> None:
    """Note what files call an entry, whatever number Blender gives it in this file or another."""
    tree.data.made_up_name, tree.data.name_in_file = tree.name, name


def is_entry(tree: Any) -> bool:
    """Whether a node tree holds an entry; those of a library that is missing hold none."""
    return tree is not None and tree.bl_idname in TREES.values()


def is_animated(tree: Any) -> bool:
    """Whether keyframes or drivers move an entry, so that equal values now are not for long."""
    return tree.animation_data is not None


def is_editable(entry: Any) -> bool:
    """Whether what is set on an entry stays; Blender forgets it on one of another file."""
    return bool(entry.id_data.is_editable)


def tree_named(list_name: str, full_name: str) -> Any:
    """The data-block of an entry by its full name, which tells linked ones apart; None for none."""
    if not full_name:
        return None
    trees: Any = bpy.data.node_groups
    tree = trees.get((full_name, None))
    if tree is None and full_name.endswith("]"):
        tree = next((t for t in trees if t.library is not None and t.name_full == full_name), None)
    if tree is not None and tree.bl_idname == TREES[list_name]:
        return tree
    return next((t for t in all_of(list_name) if name_in_files(t) == full_name), None)


def name_in_files(tree: Any) -> str:
    """The name that files get for an entry, empty for none.

    It is the one in Blender but for the number that Blender adds where a name is taken, here or
    in a file that the entry comes from.
    """
    own, made_up = tree.name, tree.data.made_up_name
    is_made_up = own == made_up or (made_up and without_number(own) == without_number(made_up))
    return tree.data.name_in_file if is_made_up else own


def without_number(name: str) -> str:
    """A name without the number that makes it unique."""
    stem, dot, tail = name.rpartition(".")
    return stem if dot and tail.isdigit() else name


def named(list_name: str, full_name: str) -> Any:
    """The entry with a full name, None for none."""
    tree = tree_named(list_name, full_name)
    return None if tree is None else tree.data


def all_of(list_name: str) -> list[Any]:
    """The data-blocks of all entries of a kind that the file has, linked ones among them."""
    return [t for t in bpy.data.node_groups if t.bl_idname == TREES[list_name]]


def _name_of(slot: Any) -> str:
    return slot.tree.name_full if slot.tree is not None else ""


class OMIPHYSICS_PG_slot(bpy.types.PropertyGroup):
    """A place of a scene's list."""

    tree: bpy.props.PointerProperty(name="Entry", type=bpy.types.NodeTree, options={"HIDDEN"})
    name: bpy.props.StringProperty(name="Name", get=_name_of, options={"HIDDEN"})


def slots(list_name: str) -> Any:
    """The property of a scene that holds what is listed."""
    return bpy.props.CollectionProperty(
        name=list_name.replace("_", " ").title(), type=OMIPHYSICS_PG_slot, options={"HIDDEN"}
    )


class Entries:
    """A list of a scene: its entries in the order that the artist gave them."""

    def __init__(self, group: Any, list_name: str) -> None:
        self.list_name = list_name
        self._group = group

    @property
    def _slots(self) -> Any:
        return getattr(self._group, SLOTS.format(self.list_name))

    def __len__(self) -> int:
        return len(self._slots)

    def __iter__(self) -> Iterator[Any]:
        for slot in self._slots:
            tree = slot.tree
            if tree is not None and tree.bl_idname == TREES[self.list_name]:
                yield tree.data

    def __getitem__(self, at: int | str) -> Any:
        if isinstance(at, int):
            return self._slots[at].tree.data
        entry = self.get(at)
        if entry is None:
            raise KeyError(f"{at!r} is not in the list")
        return entry

    def __contains__(self, full_name: str) -> bool:
        return self.find(full_name) >= 0

    def find(self, full_name: str) -> int:
        """The place of an entry in the list by its name, -1 for none."""
        for index, slot in enumerate(self._slots):
            if slot.name == full_name:
                return index
        return -1

    def get(self, full_name: str) -> Any:
        """An entry by its name, also one that the scene does not list; None for none."""
        return named(self.list_name, full_name)

    def unlisted(self) -> Iterator[Any]:
        """The entries of the file that the scene does not list, those of other files left out."""
        listed = {slot.tree for slot in self._slots}
        for tree in all_of(self.list_name):
            if tree.library is None and tree not in listed:
                yield tree.data

    def add(self, name: str = "") -> Any:
        """A new entry, last in the list; Blender numbers its name where that is taken.

        Files get `name` all the same where it is something outside of the list that has it.
        """
        name = name or LABELS[self.list_name]
        trees: Any = bpy.data.node_groups
        is_listed = (name, None) in trees and name in self  # What is in no list is sooner known.
        tree = new(self.list_name, name)
        if is_listed:
            _call(tree, tree.name)
        self.append(tree)
        return tree.data

    def append(self, tree: Any) -> None:
        """List a data-block, last."""
        self._slots.add().tree = tree

    def move(self, old: int, new: int) -> None:
        """Give an entry another place."""
        self._slots.move(old, new)

    def remove(self, index: int) -> None:
        """Take an entry out of the list, and out of the file where no other scene lists it."""
        tree = self._slots[index].tree
        self._slots.remove(index)
        _remove_unlisted([tree])

    def clear(self) -> None:
        """Take all entries out of the list, and out of the file where no other scene lists them."""
        trees = [slot.tree for slot in self._slots]
        self._slots.clear()
        _remove_unlisted(trees)


def listed() -> set[Any]:
    """The data-blocks that lists of scenes of this file have."""
    scenes: list[Any] = list(bpy.data.scenes)
    return {
        slot.tree
        for scene in scenes
        for list_name in TREES
        for slot in getattr(scene.omi_physics, SLOTS.format(list_name))
    }


def _remove_unlisted(trees: Iterable[Any]) -> None:
    kept = listed()
    gone = {tree for tree in trees if tree is not None and tree.library is None} - kept
    compat.remove_data(gone)
