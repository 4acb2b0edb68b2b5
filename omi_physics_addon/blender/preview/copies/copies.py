"""Copies of what the artist sees, which follow the stand-ins of their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ....geometry.affine import inverse
from ....simulation.state import WORLD
from ....simulation.world import World
from ..bodies.actors import Actors
from ..input.animation import Samples
from ..input.scene_input import SceneReading, to_blender
from ..stage import stage
from ..stage.clock import Clocked
from .armatures import Skins
from .mesh_reuse import Dressing
from .wheel_copies import Rolling

_SHOWN = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META", "LIGHT", "CAMERA", "EMPTY"})
_PICTURE = (
    "empty_display_type",
    "empty_display_size",
    "data",
    "empty_image_offset",
    "empty_image_depth",
    "empty_image_side",
    "show_empty_image_orthographic",
    "show_empty_image_perspective",
    "show_empty_image_only_axis_aligned",
    "use_empty_image_alpha",
)
_FRAMES = ("frame_duration", "frame_start", "frame_offset", "use_cyclic", "use_auto_refresh")
_COLOR = (1.0, 1.0, 1.0, 1.0)  # Of new objects.
_SHAPED = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})


class Look:
    """The copies of one preview.

    Attributes:
        animated: nodes that no body moves, but keyframes, and the names of their copies.
    """

    def __init__(
        self,
        read: SceneReading,
        world: World,
        actors: Actors,
        rolling: Rolling | None,
        clocked: Clocked,
    ) -> None:
        """Take a scene; the copies of its wheels are given to what moves these."""
        self._read, self._world, self._actors = read, world, actors
        self._rolling, self._clocked = rolling, clocked
        self._body_of: dict[int, int] = {}
        self._visible: set[Any] = set()
        self._known: set[Any] = set()
        self._back = np.zeros((0, 4, 4))  # From the world to each stand-in at the start.
        self._made: list[tuple[Any, Any]] = []  # What decides where it is seen, and the copy.
        self.animated: list[tuple[int, str]] = []

    def make(
        self,
        layer: Any,
        collection: Any,
        cameras: tuple[Any, Any],
        views: Sequence[Any],
        skins: Skins,
        samples: Samples,
    ) -> None:
        """Make the copies in a collection that is not linked yet.

        Args:
            layer: the view layer of the artist's scene; what is hidden in it is left out.
            views: the 3D Viewports that show the preview; what none of them shows is left out.
            cameras: that of the artist's scene, and its copy, which is there already; or Nones.
            samples: of what keyframes move.
        """
        nodes = self._read.nodes[: self._read.own]
        world = to_blender(np.array([node.matrix for node in nodes]).reshape(-1, 4, 4))
        self._back = inverse(self._actors.matrices)
        copies: dict[Any, Any] = {}
        self._visible = {obj for obj in layer.objects if _is_seen(obj, layer, views)}
        self._known = set(layer.objects)
        dressing = Dressing()
        skins.make(collection, self._is_shown, self._attach, samples, self._clocked.clock)
        for at, obj in enumerate(self._read.objects[: self._read.own]):
            if obj.type not in _SHOWN or (
                obj.type == "EMPTY" and obj.empty_display_type != "IMAGE"
            ):
                continue
            is_shown, is_camera = self._is_shown(obj, at), obj == cameras[0]
            if not is_shown and not is_camera:
                continue
            body = self._body(at)
            first = self._first(body)
            above = None if first == WORLD else self._actors.objects[first]
            wheel = -1 if self._rolling is None else self._rolling.wheel_of(at, body)
            if above is not None and wheel < 0:
                into = self._back[first] @ world[at]
                if dressing.dress(above, self._actors.plans[first], obj, into):
                    self._look_like(above, obj)
                    collection.objects.link(above)
                    self._made.append((self._decides(at), above))
                    continue
            copy = cameras[1] if is_camera else skins.copy(obj)
            if copy is None:
                is_picture = obj.type == "EMPTY"  # To which Blender gives an image only later.
                data = None if is_picture else self._data(obj, copies, layer)
                copy = stage.new_object(obj.name, data)
            elif copy.data is not None:
                copy.data = self._clocked.of(obj.data)
            self._look_like(copy, obj)
            if is_camera:
                copy.hide_viewport = not is_shown
            self._attach(copy, at, Matrix(world[at].tolist()))
            if self._rolling is not None and wheel >= 0:
                self._rolling.add(wheel, copy)
            if not is_camera:
                collection.objects.link(copy)

    def _data(self, obj: Any, known: dict[Any, Any], layer: Any) -> Any:
        """What the copy of an object of a view layer shows, without what changes that."""
        if obj.type not in _SHAPED or not len(obj.modifiers):
            return self._clocked.of(obj.data)
        data = known.get(obj)
        if data is None:
            if not known:
                layer.update()  # Only where needed: new objects make Blender rebuild all of it.
            graph = layer.depsgraph
            data = bpy.data.meshes.new_from_object(obj.evaluated_get(graph), depsgraph=graph)
            data[stage.TAG] = True
            known[obj] = data
        return data

    def _look_like(self, copy: Any, obj: Any) -> None:
        for slot, source in zip(copy.material_slots, obj.material_slots, strict=False):
            material = self._clocked.of(source.material)
            if source.link == "OBJECT" or material != source.material:
                slot.link = "OBJECT"
                slot.material = material
        # Each note of a change makes the removal of everything slower where nobody reads them.
        if obj.color[:] != _COLOR:
            copy.color = obj.color
        if obj.display_type != "TEXTURED":
            copy.display_type = obj.display_type
        if obj.show_in_front:
            copy.show_in_front = True
        if obj.type == "EMPTY":
            for name in _PICTURE:
                setattr(copy, name, getattr(obj, name))
            for name in _FRAMES if obj.data is not None else ():
                setattr(copy.image_user, name, getattr(obj.image_user, name))

    def restrict(self, layer: Any, views: Sequence[Any]) -> None:
        """Leave out of views in local view what is not in it; copies are in the scene by now."""
        for view in views:
            if view.local_view is not None:
                for obj, copy in self._made:
                    if not obj.visible_get(view_layer=layer, viewport=view):
                        copy.local_view_set(view, False)

    def _attach(self, copy: Any, at: int, matrix: Matrix) -> None:
        """Let a copy follow what moves a node, from a place of the world on."""
        self._made.append((self._decides(at), copy))
        first = self._first(self._body(at))
        if first != WORLD:
            copy.parent = self._actors.objects[first]
            copy.matrix_parent_inverse = Matrix(self._back[first].tolist())
        elif self._read.nodes[at].is_animated:
            self.animated.append((at, copy.name))
        copy.matrix_world = matrix
        copy.matrix_basis = matrix

    def _first(self, body: int) -> int:
        """The number of the first stand-in of a body."""
        return WORLD if body == WORLD else int(self._actors.first[body])

    def _decides(self, at: int) -> Any:
        """The object that decides where a node is seen: its own, or that of an instance."""
        objects = self._read.objects
        while objects[at] not in self._known and self._read.nodes[at].parent >= 0:
            at = self._read.nodes[at].parent
        return objects[at]

    def _is_shown(self, obj: Any, at: int) -> bool:
        decides = self._decides(at)
        return decides in self._visible and (obj == decides or not obj.hide_viewport)

    def _body(self, at: int) -> int:
        """The body that moves a node, whatever the node is."""
        chain: list[int] = []
        found = WORLD
        while at >= 0 and at not in chain:
            if at in self._body_of:
                found = self._body_of[at]
                break
            chain.append(at)
            if at in self._world.body_of:
                found = self._world.body_of[at]
                break
            at = self._read.nodes[at].parent
        for each in chain:
            self._body_of[each] = found
        return found


def _is_seen(obj: Any, layer: Any, views: Sequence[Any]) -> bool:
    """Whether any of the 3D Viewports shows an object of a view layer; without any, the layer."""
    if not views:
        return bool(obj.visible_get(view_layer=layer))
    return any(obj.visible_get(view_layer=layer, viewport=view) for view in views)
