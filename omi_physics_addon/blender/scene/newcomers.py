"""Takes up what Blender brings from other files: by append, link, paste and drags of assets.

Objects of older versions get their entries, entries that are here already are joined with those,
and the scene lists the rest. Blender 4.5 and newer tell what came; in 4.2 it is what no scene
lists, which is found when the main loop comes by, and at the latest when the scene is exported,
checked or played.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import bpy

from ..base import changes, compat, groups
from ..properties import entries, names
from . import migrations, older_lists

_sources: Final[list[str]] = []  # Files that Blender is about to take something from.
_seen: list[int] = []  # How many data-blocks there were when all was taken up, in 4.2.


def take_up(objects: Iterable[Any], trees: Collection[Any], paths: Iterable[str]) -> None:
    """Lift, join and list what came into the file.

    Args:
        objects: new ones of this file.
        trees: new data-blocks of entries that nothing but objects may hold.
        paths: the files it may have come from.
    """
    groups.forget_file()
    objects = [obj for obj in objects if obj.library is None]
    before = {tree.session_uid for tree in _every()}
    for obj in objects:
        if groups.read(obj).version:  # Others were never saved, so they are of today.
            migrations.migrate(obj)
    older_lists.lift_appended(objects, paths)
    made = [tree for tree in _every() if tree.session_uid not in before]
    _join([*trees, *made], objects)
    _list()


def _every() -> list[Any]:
    return [tree for tree in bpy.data.node_groups if entries.is_entry(tree)]


def _join(newcomers: Iterable[Any], objects: Iterable[Any]) -> None:
    """Let those who use a newcomer use an entry that says the same, where there is one."""
    instead = _same_as(newcomers)
    if not instead:
        return
    for obj in filter(groups.is_stored, objects):
        group = groups.of_object(obj)
        for referrers in names.REFERRERS.values():
            for part, attribute in referrers:
                holder, pointer = getattr(group, part), entries.POINTER.format(attribute)
                tree = instead.get(getattr(holder, pointer))
                if tree is not None:
                    setattr(holder, pointer, tree)
    remove(instead)


def remove(instead: Mapping[Any, Any]) -> None:
    """Remove data-blocks; what still uses one uses another one instead."""
    for tree, other in instead.items():
        if tree.users:
            tree.user_remap(other)  # Which looks through the whole file.
    compat.remove_data(instead)


def _same_as(newcomers: Iterable[Any]) -> dict[Any, Any]:
    """For newcomers of this file: the entry that says the same at all times, if there is one."""
    from .entry_reader import read_entry  # Loads what Blender's start can do without.

    new = {tree for tree in newcomers if tree.library is None}
    found: dict[Any, Any] = {}
    for list_name in entries.TREES if new else ():
        every = entries.all_of(list_name)
        ours = [tree for tree in every if tree.library is None and not entries.is_animated(tree)]
        known: dict[Any, Any] = {}
        for tree in sorted(ours, key=lambda tree: tree in new):
            first = known.setdefault(read_entry(list_name, tree.data), tree)
            if first != tree and tree in new:
                found[tree] = first
    return found


def _list() -> None:
    """Let the scene that is shown list the entries that no scene lists."""
    scene: Any = groups.current_scene()
    if scene is None or scene.library is not None:
        return
    listed = entries.listed()
    for list_name in entries.TREES:
        into = getattr(groups.of_scene(scene), list_name)
        for tree in entries.all_of(list_name):
            if tree not in listed and tree.users:
                into.append(tree)


def _connect_overrides() -> None:
    """Let overrides refer to the override of a linked object, where their hierarchy has one.

    Blender does so where a library has got links since, but not for those of property groups.
    """
    objects: Any = bpy.data.objects if bpy.data.libraries else ()
    own: dict[Any, Any] = {}
    for obj in objects:
        override = obj.override_library
        if obj.library is None and override is not None:
            own[override.hierarchy_root, override.reference] = obj
    for (root, _), obj in own.items():
        for holder, name in _links(groups.of_object(obj)) if groups.is_stored(obj) else ():
            to = getattr(holder, name)
            if to is not None and to.library is not None and (root, to) in own:
                setattr(holder, name, own[root, to])


def _links(group: Any) -> Iterator[tuple[Any, str]]:
    """What the physics of an object refers to other objects with."""
    yield group, "counterpart"
    yield group.joint, "connected_object"
    yield group.vehicle_body, "pilot_seat"
    yield group.gravity.line, "curve"
    for part in (group.collider, group.trigger, group.gravity.shaped):
        yield part.shape, "mesh_object"
    for item in group.trigger.nodes:
        yield item, "object"


@bpy.app.handlers.persistent
def _after_load(*_args: Any) -> None:
    """List what a scene listed that was removed, and look at what libraries have got since."""
    _connect_overrides()
    _list()
    _seen[:] = _count()


@bpy.app.handlers.persistent
def _before_import(context: Any) -> None:
    """Note the files while Blender still tells them."""
    if older_lists.is_looking():
        return
    found = {
        os.path.abspath(bpy.path.abspath(library.filepath)): None
        for item in context.import_items
        for library in item.source_libraries
    }
    _sources[:] = found


@bpy.app.handlers.persistent
def _after_import(context: Any) -> None:
    groups.forget_file()
    if older_lists.is_looking():
        return
    came = [(item.id, item.import_info) for item in context.import_items if item.id is not None]
    objects = [each for each, _ in came if isinstance(each, bpy.types.Object)]
    # What was asked for by name is still held by the one who asked.
    trees = [
        each
        for each, info in came
        if isinstance(each, bpy.types.NodeTree)
        and entries.is_entry(each)
        and "INDIRECT_USAGE" in info
    ]
    take_up(objects, trees, _sources)


def _count() -> list[int]:
    return [len(bpy.data.libraries), len(bpy.data.node_groups)]


@bpy.app.handlers.persistent
def _after_update(*_args: Any) -> None:
    """Note that something may have come; in 4.2, whose handlers must not remove data-blocks."""
    if _count() != _seen and not bpy.app.timers.is_registered(catch_up):
        bpy.app.timers.register(catch_up, first_interval=0.0)


@bpy.app.handlers.persistent
def _after_undo(*_args: Any) -> None:
    """Look again at the update that follows: what was there before is back, and not taken up."""
    _seen.clear()


@bpy.app.handlers.persistent
def catch_up(*_args: Any) -> None:
    """Take up what came since, in 4.2, where nothing tells it."""
    if compat.TELLS_IMPORTS or _count() == _seen or older_lists.is_looking():
        return
    trees = set(_every()) - entries.listed()
    take_up(bpy.data.objects, trees, older_lists.paths_of(bpy.data.libraries))
    _seen[:] = _count()


@bpy.app.handlers.persistent
def _before_save(*_args: Any) -> None:
    """Lift what was linked from files of an older version and made local since."""
    catch_up()
    if len(bpy.data.libraries):
        take_up(bpy.data.objects, (), older_lists.paths_of(bpy.data.libraries))


def _handlers() -> changes.Handlers:
    lists: Any = bpy.app.handlers
    always = ((lists.load_post, _after_load), (lists.save_pre, _before_save))
    if compat.TELLS_IMPORTS:
        return (
            *always,
            (lists.blend_import_pre, _before_import),
            (lists.blend_import_post, _after_import),
        )
    return (
        *always,
        (lists.depsgraph_update_post, _after_update),
        (lists.undo_post, _after_undo),
        (lists.redo_post, _after_undo),
    )


# Blender restricts its data while add-ons register, so nothing is looked for then.
register, unregister = changes.watching(_handlers(), timer=catch_up, forget=_after_undo)
