"""The rigid-body worlds of previews, beside those of the artist.

A body that Blender frees with its object is taken out of the worlds of all scenes, in the order of
their names (`BKE_rigidbody_free_object` in Blender's rigidbody.cc). Bullet removes from each world
what stands at the number that the body had in its own one, and some other body stops moving; later
Blender crashes. Nothing happens where the body's own world comes first, as that takes the number
away. So the scene of a preview is the last one. But bodies whose world is gone keep their number:
those of the artist after an undo, those of a preview after its end. An empty world takes it away
from them, if it comes before the worlds that they were never in.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from typing import Any, Final, cast

import bpy

from ...base import compat

# On every datablock that a preview makes; on scenes, the full name of the artist's.
TAG: Final = "omi_physics_preview"
NAME: Final = "OMI Physics Preview"
_GUARD: Final = "OMI Physics Guard"  # Before that one, behind the same beginning.
# What goes before that name where it has to be behind others; Blender sorts by bytes.
_BEHIND: Final = ("", "~ ", "\uff5e ", "\U0010fffd ")
_BEFORE: Final = "\t"


def inside(scene: Any) -> Any:
    """A context in which a temporary scene is the one that counts.

    Blender takes the caches of the context's scene for outdated when a rigid body changes, and that
    may be the artist's scene: the Properties editor has its own one until it is drawn.
    """
    return bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0])


def unmarked() -> Any:
    """A context in which changes of constraints mark the caches of no scene as outdated.

    For what a preview changes from frame to frame, which belongs to the frames that are kept. When
    somebody looks back, Blender would make those of an outdated cache anew, without any of it.
    Changes of bodies mark it all the same, as Blender evaluates these.
    """
    return cast(Any, bpy.context).temp_override(scene=None)


def add(scene: Any) -> None:
    """Give a scene a rigid-body world."""
    with inside(scene):
        cast(Any, bpy.ops).scene.omi_physics_add_rigid_world()


def last_scene(artist: str) -> Any:
    """A new scene for a preview, behind all others; where the artist has bodies, with a guard.

    Those are deleted while it runs, maybe after the artist's scene has got another name.

    Args:
        artist: the full name of the artist's scene.
    """
    names = [before + NAME for before in _BEHIND]
    objects: Any = bpy.data.objects
    if any(obj.rigid_body is not None for obj in objects):
        del names[:-1]
        guard = _guard(_BEHIND[-1])
        guard[TAG], guard.rigidbody_world.collection[TAG] = artist, True
    last = max((_sorted_by(scene.name) for scene in bpy.data.scenes), default=b"")
    name = next((name for name in names if _sorted_by(name) > last), names[-1])
    scene: Any = bpy.data.scenes.new(name)
    scene[TAG] = artist
    return scene


def _sorted_by(name: str) -> bytes:
    """What Blender sorts a name by: its bytes, with plain letters in lower case."""
    return name.encode().lower()


def _guard(before: str) -> Any:
    """A new scene with an empty world, and with something before its name."""
    scene: Any = bpy.data.scenes.new(before + _GUARD)
    add(scene)
    scene.rigidbody_world.collection = bpy.data.collections.new(_GUARD)
    for frame in (1, 2):  # Bullet has a world from then on.
        scene.frame_set(frame)
    return scene


@contextlib.contextmanager
def guarded(objects: Sequence[Any]) -> Generator[None]:
    """Keep the worlds of the artist while bodies are freed, the world of which is gone.

    Args:
        objects: those that are removed.
    """
    has_worlds = any(scene.rigidbody_world is not None for scene in bpy.data.scenes)
    if not has_worlds or all(obj.rigid_body is None for obj in objects):
        yield
        return
    guard = _guard(_BEFORE)
    try:
        yield
    finally:
        compat.remove_data([guard, guard.rigidbody_world.collection])
