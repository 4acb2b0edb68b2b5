"""Which objects with physics an export keeps or leaves out, beyond what the host chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import bpy

from ...issue_codes import Code
from ...issues import Issues
from ..base import compat, groups
from ..base.hierarchy import top
from ..scene import migrations


def choose(
    tree: Any, settings: dict[str, Any], issues: Issues, deleted: set[Any], *, keep_hidden: bool
) -> None:
    """Tag the nodes of the host's tree; tell what physics goes with objects that are left out.

    Args:
        deleted: the objects of `deleted_objects`.
        keep_hidden: whether hidden colliders and triggers of exported bodies stay.
    """
    for vnode in tree.nodes.values():  # Parents come before their children.
        obj = vnode.blender_object
        if not isinstance(obj, bpy.types.Object) or compat.is_bone(vnode):
            continue
        if deleted and obj in deleted:  # Only our pointers to it keep it in the file.
            vnode.keep_tag = False
        elif not vnode.keep_tag and migrations.has_physics(obj):
            _choose_left_out(tree, vnode, settings, issues, keep_hidden)
    for obj, why in _never_seen(tree, settings):
        issues.add(Code.REFERENCE_NOT_EXPORTED, obj.name, f"{why}, so its physics is lost")


def _never_seen(tree: Any, settings: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """The objects with physics that the host finds nowhere, and why: it looks from the top down."""
    known = {vnode.blender_object for vnode in tree.nodes.values()}
    scene: Any = groups.current_scene()
    for obj in _asked_for(scene, settings):
        if obj not in known and migrations.has_physics(obj) and top(obj).name not in scene.objects:
            above = top(obj).name
            yield (
                obj,
                (
                    f"the object is left out of the scene {scene.name}, because its parent "
                    f"{above} is missing there"
                ),
            )
    if settings.get("gltf_hierarchy_full_collections"):
        return  # Of instances, `shown_instances` tells that.
    kept = (vnode.blender_object for vnode in tree.nodes.values() if vnode.keep_tag)
    instances = (obj for obj in kept if isinstance(obj, bpy.types.Object))
    shown: Any = (o.instance_collection for o in instances if o.instance_type == "COLLECTION")
    for collection in dict.fromkeys(each for each in shown if each is not None):
        members = set(collection.all_objects)
        for obj in collection.all_objects:
            if migrations.has_physics(obj) and top(obj) not in members:
                above = f"{top(obj).name} above it is not in the collection {collection.name}"
                yield obj, f"in instances it is left out, as {above}"


def _asked_for(scene: Any, settings: dict[str, Any]) -> list[Any]:
    """The objects of a scene that the options of an export ask for."""
    collection: Any = None
    if settings.get("gltf_collection"):
        collection = bpy.data.collections.get(settings["gltf_collection"])
    elif settings["gltf_active_collection"]:
        collection = cast(Any, bpy.context).collection
    among: Any = scene.objects if collection is None else collection.all_objects
    return [
        obj
        for obj in among
        if (not settings["gltf_selected"] or obj.select_get())
        and (not settings["gltf_visible"] or obj.visible_get())
        and (not settings["gltf_renderable"] or not obj.hide_render)
    ]


def _choose_left_out(
    tree: Any, vnode: Any, settings: dict[str, Any], issues: Issues, keep_hidden: bool
) -> None:
    """Keep an object with physics that the host leaves out, or tell what goes with it."""
    obj = vnode.blender_object
    if not tree.node_filter_not_inheritable_is_kept(vnode.uuid):
        kind = f"{obj.type.title()} objects are not exported"
        issues.add(Code.REFERENCE_NOT_EXPORTED, obj.name, f"{kind}, so its physics is lost")
        return
    limited = settings["gltf_visible"] or settings["gltf_renderable"]
    if not limited or not _only_hidden(tree, vnode, settings):
        return  # The artist chose what to export, and this is not in it.
    group = groups.of_object(obj)
    is_part = (group.use_collider or group.use_trigger) and not group.use_motion
    body = _nearest_body(tree, vnode)
    if keep_hidden and is_part and (body is None or body.keep_tag):
        vnode.keep_tag = True
        vnode.omi_physics_hidden = True
    elif not is_part:
        why = "the object is hidden and not exported, so its physics is lost"
        issues.add(Code.REFERENCE_NOT_EXPORTED, obj.name, why)


def is_kept_hidden(vnode: Any) -> bool:
    """Whether a node is hidden and stays for its physics alone."""
    return getattr(vnode, "omi_physics_hidden", False)


def deleted_objects() -> set[Any]:
    """Objects that an artist has deleted and that only pointers of properties still hold."""
    used: set[Any] = set()
    for collection in bpy.data.collections:
        used.update(collection.objects)
    for scene in bpy.data.scenes:
        used.update(scene.collection.objects)
    return set() if len(used) == len(bpy.data.objects) else set(bpy.data.objects) - used


def _only_hidden(tree: Any, vnode: Any, settings: dict[str, Any]) -> bool:
    """Whether a node was left out for nothing but not being visible or renderable."""
    visible, renderable = settings["gltf_visible"], settings["gltf_renderable"]
    settings["gltf_visible"] = settings["gltf_renderable"] = False
    try:
        return bool(tree.node_filter_inheritable_is_kept(vnode.uuid))
    finally:
        settings["gltf_visible"], settings["gltf_renderable"] = visible, renderable


def _nearest_body(tree: Any, vnode: Any) -> Any:
    """The node of the host's tree whose body a collider or trigger belongs to; None for none."""
    above = tree.nodes.get(vnode.parent_uuid)
    while above is not None:
        obj = above.blender_object
        if isinstance(obj, bpy.types.Object) and groups.read(obj).use_motion:
            return above
        above = tree.nodes.get(above.parent_uuid)
    return None
