"""Copies of what the artist sees, which follow the actors of their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ....axes import matrices_to_blender
from ....geometry.affine import inverse
from ....simulation.state import WORLD
from ....simulation.world import World
from ..bodies.actors import Actors
from ..input.animation import Samples
from ..input.scene_input import SceneReading
from ..input.tree import carriers
from ..stage import stage
from ..stage.clock import ClockedCopies
from .animated_copies import AnimatedCopies
from .armatures import Armatures
from .mesh_reuse import MeshReuse
from .wheel_copies import WheelCopies

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


@dataclass(frozen=True)
class View:
    """Where the artist's scene is seen.

    Attributes:
        layer: the view layer of the artist's scene; what is hidden in it has no copies.
        viewports: the 3D Viewports that show the preview; what none of them shows has no copies.
        camera: that of the artist's scene; None for none.
        camera_copy: that of the temporary scene, which is there already; None for none.
    """

    layer: Any
    viewports: Sequence[Any]
    camera: Any
    camera_copy: Any

    def visible(self) -> set[Any]:
        """The objects of the view layer that are seen."""
        return {obj for obj in self.layer.objects if self._shows(obj)}

    def _shows(self, obj: Any) -> bool:
        """Whether any of the 3D Viewports shows an object; without any, the view layer."""
        if not self.viewports:
            return bool(obj.visible_get(view_layer=self.layer))
        return any(
            obj.visible_get(view_layer=self.layer, viewport=viewport) for viewport in self.viewports
        )


class Copies:
    """Makes the copies of one preview; keeps Blender's data, and is not kept itself."""

    def __init__(
        self,
        read: SceneReading,
        world: World,
        actors: Actors,
        view: View,
        wheels: WheelCopies | None,
        animated: AnimatedCopies,
        clocked: ClockedCopies,
    ) -> None:
        """Take a scene; `wheels` and `animated` get the copies that no body alone moves."""
        self._read, self._actors = read, actors
        self._view, self._wheels, self._animated = view, wheels, animated
        self._clocked = clocked
        self._mesh_reuse = MeshReuse()
        self._carriers = carriers(read.nodes, world)  # By node, the body that carries it.
        self._visible: set[Any] = set()
        self._known: set[Any] = set()
        self._evaluated: dict[Any, Any] = {}  # By object, its mesh with all modifiers.
        self._places = np.zeros((0, 4, 4))  # Of the nodes at the start, in Blender's axes.
        self._back = np.zeros((0, 4, 4))  # From the world to each actor at the start.
        self._made: list[tuple[Any, Any]] = []  # What decides where it is seen, and the copy.

    def make(self, collection: Any, armatures: Armatures, samples: Samples) -> None:
        """Make the copies in a collection that is not linked yet.

        Args:
            samples: of what keyframes move.
        """
        nodes = self._read.nodes[: self._read.own]
        self._places = matrices_to_blender(
            np.array([node.matrix for node in nodes]).reshape(-1, 4, 4)
        )
        self._back = inverse(self._actors.matrices)
        self._visible = self._view.visible()
        self._known = set(self._view.layer.objects)
        armatures.make(collection, self._is_shown, self._attach)
        armatures.play(samples, self._clocked.clock)
        for at, obj in enumerate(self._read.objects[: self._read.own]):
            if not can_be_copied(obj):
                continue
            if not self._is_shown(obj, at) and obj != self._view.camera:
                continue
            body = self._carriers[at]
            wheel = -1 if self._wheels is None else self._wheels.wheel_of(at, body)
            if wheel >= 0 or not self._show_by_actor(at, obj, collection):
                self._show_by_copy(at, obj, collection, armatures, wheel)

    def _show_by_actor(self, at: int, obj: Any, collection: Any) -> bool:
        """Let the actor of a node's body show the mesh of the node's object; whether it can."""
        first = self._first(self._carriers[at])
        if first == WORLD:
            return False
        actor, into = self._actors.objects[first], self._back[first] @ self._places[at]
        if not self._mesh_reuse.reuse(actor, self._actors.plans[first], obj, into):
            return False
        self._display_like(actor, obj)
        collection.objects.link(actor)
        self._made.append((self._decides(at), actor))
        return True

    def _show_by_copy(
        self, at: int, obj: Any, collection: Any, armatures: Armatures, wheel: int
    ) -> None:
        """Show the object of a node by a copy that follows what moves the node.

        Args:
            wheel: the number of the wheel that the node belongs to; -1 for none.
        """
        is_camera = obj == self._view.camera
        copy = self._view.camera_copy if is_camera else armatures.copy(obj)
        if copy is None:
            is_picture = obj.type == "EMPTY"  # To which Blender gives an image only later.
            copy = stage.new_object(obj.name, None if is_picture else self._data(obj))
        elif copy.data is not None:
            copy.data = self._clocked.of(obj.data)
        self._display_like(copy, obj)
        if is_camera:
            copy.hide_viewport = not self._is_shown(obj, at)
        self._attach(copy, at, Matrix(self._places[at].tolist()))
        if self._wheels is not None and wheel >= 0:
            self._wheels.add(wheel, copy)
        if not is_camera:
            collection.objects.link(copy)

    def _data(self, obj: Any) -> Any:
        """What the copy of an object shows: its data, or the mesh that its modifiers make."""
        if obj.type not in _SHAPED or not len(obj.modifiers):
            return self._clocked.of(obj.data)
        data = self._evaluated.get(obj)
        if data is None:
            layer = self._view.layer
            if not self._evaluated:
                layer.update()  # Only where needed: new objects make Blender rebuild all of it.
            graph = layer.depsgraph
            data = bpy.data.meshes.new_from_object(obj.evaluated_get(graph), depsgraph=graph)
            data[stage.TAG] = True
            self._evaluated[obj] = data
        return data

    def _display_like(self, copy: Any, obj: Any) -> None:
        """Give a copy the materials and the display settings of an object."""
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

    def restrict(self) -> None:
        """Leave out of views in local view what is not in it; copies are in the scene by now."""
        for viewport in self._view.viewports:
            if viewport.local_view is not None:
                for obj, copy in self._made:
                    if not obj.visible_get(view_layer=self._view.layer, viewport=viewport):
                        copy.local_view_set(viewport, False)

    def _attach(self, copy: Any, at: int, matrix: Matrix) -> None:
        """Let a copy follow what moves a node, from a place of the world on."""
        self._made.append((self._decides(at), copy))
        first = self._first(self._carriers[at])
        if first != WORLD:
            copy.parent = self._actors.objects[first]
            copy.matrix_parent_inverse = Matrix(self._back[first].tolist())
        elif self._read.nodes[at].is_animated:
            self._animated.add(at, copy)
        copy.matrix_world = matrix
        copy.matrix_basis = matrix

    def _first(self, body: int) -> int:
        """The number of the first actor of a body; `WORLD` for none."""
        return WORLD if body == WORLD else int(self._actors.first[body])

    def _decides(self, at: int) -> Any:
        """The object that decides where a node is seen: its own, or that of an instance."""
        objects = self._read.objects
        while objects[at] not in self._known and self._read.nodes[at].parent >= 0:
            at = self._read.nodes[at].parent
        return objects[at]

    def _is_shown(self, obj: Any, at: int) -> bool:
        """Whether the object of a node is seen."""
        decides = self._decides(at)
        return decides in self._visible and (obj == decides or not obj.hide_viewport)


def can_be_copied(obj: Any) -> bool:
    """Whether an object is of a type that is shown; of the empties, only pictures are."""
    return obj.type in _SHOWN and (obj.type != "EMPTY" or obj.empty_display_type == "IMAGE")
