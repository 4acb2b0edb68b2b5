"""The temporary scene of a preview: how it comes into being, and how it goes.

The order in which things are removed matters, or Blender crashes or forgets caches of the artist:
the window shows an empty scene, then Bullet's constraints go, then the rigid-body world, scene and
data, then the window shows the artist's scene again. So Blender evaluates that scene only once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

import bpy
import numpy as np

from ...base import compat
from . import removal, worlds
from .options import PreviewOptions
from .removal import BLOCKS, TAG, tagged
from .windows import ShownScenes, windows
from .worlds import NAME, inside

_SOON: Final = 20  # Objects of a collection that are found by their indices as soon as all are.
# What the view through the camera shows.
_FRAME: Final = (
    "resolution_x",
    "resolution_y",
    "resolution_percentage",
    "pixel_aspect_x",
    "pixel_aspect_y",
)


class _Names:
    """Numbers the objects of a preview, each time from one, so that Blender knows the names."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._numbers = itertools.count(1)

    def next(self, name: str) -> str:
        return f"~{next(self._numbers):05x} {name}"


_names = _Names()


class Stage:
    """Makes the datablocks of a preview; keeps names of Blender's data only."""

    def __init__(self, scene: bpy.types.Scene, frames: int, *, is_shown: bool = True) -> None:
        """Make the temporary scene of a scene; windows that show that one show it if `is_shown`."""
        if not tagged("objects"):  # Else they would have the same names.
            _names.begin()
        stage = worlds.last_scene(scene.name_full)
        self.name = stage.name
        self._copy_display(scene, stage)
        stage.frame_start, stage.frame_end = 1, frames
        stage.sync_mode = "NONE"
        stage.use_gravity = True
        # Blender would wait for ever when the scene goes while it is rendered.
        stage.view_layers[0].use = False
        self._make_camera(scene.camera, stage)
        for window in windows():
            if is_shown and window.scene == scene:
                window.scene = stage
        stage.frame_set(1)
        worlds.add(stage)  # While the scene is empty; it evaluates all of it.

    @staticmethod
    def _make_camera(camera: Any, stage: Any) -> None:
        """Make a camera for windows to look through, as without one they would look elsewhere."""
        if camera is None:
            return
        copy = new_object(camera.name, camera.data)
        copy.matrix_world = camera.matrix_world
        copy.hide_select = True
        stage.collection.objects.link(copy)
        stage.camera = copy

    @staticmethod
    def _copy_display(scene: Any, stage: Any) -> None:
        """Give the temporary scene the units, the engine and the view settings of a scene."""
        stage.render.engine = scene.render.engine
        stage.unit_settings.system = scene.unit_settings.system
        stage.unit_settings.scale_length = scene.unit_settings.scale_length
        stage.display_settings.display_device = scene.display_settings.display_device
        for name in _FRAME:
            setattr(stage.render, name, getattr(scene.render, name))
        for name in ("view_transform", "look", "exposure", "gamma"):
            setattr(stage.view_settings, name, getattr(scene.view_settings, name))

    @property
    def scene(self) -> Any:
        """The temporary scene; raises KeyError where something removed it."""
        return cast(Any, bpy.data.scenes)[self.name]

    def collection(self, name: str) -> Any:
        """A new collection, linked nowhere, of which nothing can be selected."""
        made: Any = bpy.data.collections.new(f"{NAME} {name}")
        made[TAG] = True
        made.hide_select = True
        return made

    def make_world(self, bodies: Any, options: PreviewOptions, iterations: int) -> None:
        """Fill the rigid-body world of the scene; `iterations` are those of its solver."""
        scene = self.scene
        world = scene.rigidbody_world
        world.collection = bodies
        world.substeps_per_frame = options.substeps
        world.solver_iterations = iterations
        # Else what is stuck in something is pushed out so hard that it bounces by that.
        world.use_split_impulse = True
        world.time_scale = options.speed
        world.point_cache.frame_start = 1
        world.point_cache.frame_end = scene.frame_end
        scene.collection.children.link(bodies)


def new_object(name: str, data: Any) -> Any:
    """A tagged object, linked nowhere.

    Blender keeps names sorted, and compares a new one with hundreds of those at the end: what has a
    number before its name, behind all that begins with letters, is put there soonest and needs no
    search for a number that is free.
    """
    made: Any = bpy.data.objects.new(_names.next(name), data)
    made[TAG] = True
    return made


def new_mesh(vertices: Any, triangles: Any = None) -> Any:
    """Tagged mesh data."""
    mesh: Any = bpy.data.meshes.new(NAME)
    mesh[TAG] = True
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", np.asarray(vertices, dtype=np.float32).ravel())
    if triangles is not None:
        count = len(triangles)
        mesh.loops.add(3 * count)
        mesh.loops.foreach_set("vertex_index", np.asarray(triangles, dtype=np.int32).ravel())
        mesh.polygons.add(count)
        mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    mesh.update(calc_edges=triangles is not None)
    return mesh


def remove(shown: ShownScenes | None = None) -> None:
    """Remove all that previews made, and show the artist's scenes where one of theirs is shown.

    In a window, thousands of objects are removed while Blender is idle, and used by nothing before.

    Args:
        shown: what windows showed before; None where nobody knows.
    """
    scenes = tagged("scenes")
    for scene in bpy.data.scenes:
        restore_background(scene)
    back = _artist_of(scenes)
    for scene in scenes:
        _keep_others(scene, back)
    with (shown or ShownScenes()).nothing_between(scenes, back) as empty:
        for scene in scenes:
            _free(scene)
        # `scenes.remove` crashes where the context has no window, as while a file is loaded. It
        # takes bodies out of their world before that is freed, too, and a batch does not.
        compat.remove_data(scenes)
        removal.remove_all(at_once=removal.never_idle)
    if empty is not None:
        removal.remove_empty(empty, back)


def restore_background(scene: Any) -> None:
    """Give a scene the background back that it had before a preview put a scene between."""
    behind = scene.background_set
    if behind is not None and behind.get(TAG) and not scene.get(TAG):
        scene.background_set = behind.background_set


def _artist_of(scenes: Sequence[Any]) -> Any:
    """The scene that previews were made of; another one where it is gone."""
    others = [scene for scene in bpy.data.scenes if scene not in scenes]
    named = {scene.name_full: scene for scene in others}
    found = [named[scene[TAG]] for scene in scenes if scene[TAG] in named]
    return next(iter((*found, *others)), None) or bpy.data.scenes.new("Scene")


def _keep_others(scene: Any, artist: Any) -> None:
    """Put into the artist's scene what was added to a temporary one while it was shown."""
    for obj in scene.objects:
        if not obj.get(TAG) and obj.name not in artist.objects and artist.library is None:
            artist.collection.objects.link(obj)


def _free(scene: Any) -> None:
    """Free Bullet's constraints of a temporary scene that no window shows any more.

    On its second frame Blender makes a new world and frees them. Bodies are taken out before, so
    that Blender evaluates none of them; they are freed with their objects.
    """
    world = scene.rigidbody_world
    if world is None or world.constraints is None or not len(world.constraints.objects):
        return
    if not world.enabled:  # Something was removed: Bullet would look for what they held.
        world.constraints = None
        return
    with inside(scene):
        world.collection = bpy.data.collections.new(NAME)
        world.collection[TAG] = True
        for child in list(scene.collection.children):
            scene.collection.children.unlink(child)
        constraints = world.constraints
        for obj in constraints.objects:
            held = obj.rigid_body_constraint
            if held is not None:
                held.object1 = held.object2 = None
        world.constraints = None  # So that the dependency graph is built without them.
        scene.frame_set(scene.frame_start)
        world.constraints = constraints
        scene.frame_set(scene.frame_start + 1)


def release(constraints: Iterable[Any]) -> None:
    """Let Blender free the Bullet constraints on the next frame."""
    for constraint in constraints:
        if constraint is not None:
            constraint.object1 = None
            constraint.type = constraint.type


def picked(objects: Sequence[Any], which: Any) -> list[Any]:
    """The objects of a collection at some indices.

    To find one by its index Blender walks there from the first one.
    """
    every = objects if len(which) < _SOON else list(objects)
    return [every[i] for i in which.tolist()]


def matrices(objects: Any, which: str = "matrix_world") -> Any:
    """The matrices (n, 4, 4) of the objects of a collection, or of bones; they move columns."""
    flat = np.empty(16 * len(objects), dtype=np.float32)
    objects.foreach_get(which, flat)
    return flat.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)


def is_left() -> bool:
    """Whether any datablock that a preview made is still there."""
    return any(block.get(TAG) for name in BLOCKS for block in getattr(bpy.data, name))
