"""Makes the mirror images of objects, or makes those that are there true again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

import bpy
import numpy as np
from mathutils import Matrix

from ...base import compat, groups, mesh_arrays
from ...base.hierarchy import Children, Homes, ancestors, depth, is_sheared, new_empty, unscaled
from ...base.mesh_arrays import Points
from ...properties.entries import without_number
from ...scene.migrations import has_physics
from .. import fitted_objects, joint_making
from ..following import refitting
from .mirrored_physics import Reflecting, axis_of, mirrored_mesh, reflection
from .side_names import cut_name, flipped, mirrored_name, name_in_whole

_CLOSE: Final = 1e-5  # Relative to the size of a mesh.
_SAME_FRAME: Final = 1e-4  # Of places, m, and axes that count as one.
_SHEAR: Final = 1e-4  # Of the largest number of a matrix, that is none.
# Bytes of a name without its end, of which Blender has more since 5.0.
_LONGEST: Final[int] = cast(Any, bpy.types.ID).bl_rna.properties["name"].length_max - 1
_PLAIN: Final = frozenset({"MESH", "EMPTY"})


@dataclass
class Mirrored:
    """What was mirrored.

    Attributes:
        images: mirror images by the object that they are of.
        new: how many of them were not there before.
        left: names of objects that cannot be mirrored.
    """

    images: dict[Any, Any] = field(default_factory=dict[Any, Any])
    new: int = 0
    left: list[str] = field(default_factory=list[str])


def mirror(scene: Any, objects: Sequence[Any], plane: Matrix, axis: int) -> Mirrored:
    """Make mirror images of objects and of their physics.

    Objects that have the name of an image already become it. What is below an object that is not
    mirrored stays below it, or goes below the one that has its name of the other side. Both sides
    of a whole that is mirrored get images of their own.

    Args:
        plane: the space through whose origin and across whose axis the mirror stands.
        axis: of that space, 0 for X.
    """
    return _Mirroring(scene, plane, axis).run(objects)


class _Mirroring:
    def __init__(self, scene: Any, plane: Matrix, axis: int) -> None:
        self._scene, self._axis = scene, axis
        space = unscaled(plane)
        self._reflection = space @ reflection(axis) @ space.inverted()
        self._homes = Homes(scene)
        self._named = {obj.name: obj for obj in scene.objects}
        self._every = set(bpy.data.objects.keys())  # Blender goes through all to find a name.
        wanted = {mirrored_name(name): name for name in self._named}
        self._cut = {
            cut: name for long, name in wanted.items() if (cut := cut_name(long, _LONGEST)) != long
        }
        self._meshes: dict[tuple[Any, int], Any] = {}
        self._names: dict[Any, str] = {}
        self._done = Mirrored()
        self._copies: set[Any] = set()

    def run(self, objects: Sequence[Any]) -> Mirrored:
        """Make them, those above first; of two that are images of each other the first stays."""
        parts = dict.fromkeys(part for obj in objects for part in (obj, *_pivot_of(obj)))
        able = [part for part in parts if self._can_be(part)]
        mirrored = set(able)
        self._names = {part: self._name_of_image(part, mirrored) for part in able}
        sources: dict[Any, None] = {}
        known: set[Any] = set()
        for part in able:
            if part not in known:
                sources[part] = None
                known.add(self._named.get(self._names[part]))
        # In the order of the scene, in which engines solve joints one after the other.
        order = {obj: number for number, obj in enumerate(self._scene.objects)}
        chosen = sorted(sources, key=lambda obj: order.get(obj, len(order)))
        for obj in chosen:
            self._done.images[obj] = self._image_for(obj)
        self._done.new = len(self._copies)
        reflecting = Reflecting(self._scene, self._other, self._mesh, set(sources))
        worlds = {obj: obj.matrix_world.copy() for obj in chosen}
        placed: dict[Any, Matrix] = {}
        for obj in sorted(chosen, key=depth):
            image, own = self._done.images[obj], axis_of(obj, self._axis)
            if obj.type == "MESH":
                mesh = obj.data
                if image.data is mesh or not _is_image(image.data, mesh, own):
                    image.data = self._mesh(mesh, own)  # Else it has such a mesh already.
            matrix = self._reflection @ worlds[obj] @ reflection(own)
            self._place(image, obj, matrix, placed)
        for obj in chosen:
            image, own = self._done.images[obj], axis_of(obj, self._axis)
            reflecting.reflect(image, obj, own, is_copy=image in self._copies)
            end = groups.read(obj).joint.connected_object
            if end is not None:
                frame = self._reflection @ joint_making.frame_of(end) @ reflection(own)
                self._hold_frame(image, frame, placed)
        self._keep_fits()
        return self._done

    def _keep_fits(self) -> None:
        """Let shapes of images follow their meshes where those of the other side do."""
        images, children = self._done.images, mesh_arrays.children_of_all()
        fits = refitting.standing(images, children)
        for obj, image in images.items():
            if groups.read(obj).fitted_state:
                part = fitted_objects.part_of(obj)
                if not fitted_objects.is_reshaped(obj, part):
                    fitted_objects.note(image, part, is_renamed=True)
        refitting.keep_standing([replace(f, obj=images[f.obj]) for f in fits], children, {})

    def _can_be(self, obj: Any) -> bool:
        """Whether an object can be mirrored."""
        is_bone = obj.parent is not None and obj.parent_type not in ("OBJECT", "ARMATURE")
        if obj.type not in _PLAIN or is_bone or not groups.can_change(obj):
            self._done.left.append(obj.name)
            return False
        return True

    def _name_of_image(self, obj: Any, mirrored: set[Any]) -> str:
        """Of two sides of a whole that is mirrored, neither becomes the other."""
        partner = self._named.get(self._here(flipped(obj.name), obj.name))
        wholes = mirrored.intersection(ancestors(obj))
        if partner not in (None, obj) and not wholes.isdisjoint(ancestors(partner)):
            return self._here(name_in_whole(obj.name), obj.name)
        return self._here(mirrored_name(obj.name), obj.name)

    def _here(self, wanted: str, own: str) -> str:
        """The name in this scene of what should have one, by that of what it is an image of.

        Where another scene has the name, Blender has put a number behind the one here, of the
        image or of what it is of. A long name is cut, so that it can be marked as an image.
        """
        if wanted in self._named:
            return wanted
        if wanted in self._every:
            for name in self._named:
                is_numbered = name != wanted and without_number(name) == wanted
                if is_numbered and mirrored_name(name) not in self._named:
                    return name
        stem, plain = without_number(own), without_number(wanted)
        if stem in self._every and stem not in self._named and plain in self._named:
            return plain
        if own in self._cut:
            return self._cut[own]
        return cut_name(wanted, _LONGEST)

    def _image_for(self, obj: Any) -> Any:
        name = self._names[obj]
        known = self._named.get(name)
        if known is not None and known.type == obj.type and groups.can_change(known):
            return known
        made = obj.copy()
        compat.rename(made, name)
        # Keyframes and constraints are of the other side.
        made.animation_data_clear()
        made.constraints.clear()
        for home in dict.fromkeys(self._homes.of(obj)):
            home.objects.link(made)
        self._every.add(made.name)
        self._copies.add(made)
        return made

    def _other(self, obj: Any) -> Any:
        """What stands on the other side for an object; itself where nothing does."""
        image = self._done.images.get(obj)
        if image is not None:
            return image
        if obj in self._copies:  # Blender lets what refers to itself refer to its copy there.
            return obj
        other = flipped(obj.name)
        return self._named.get(self._here(other, obj.name), obj) if other != obj.name else obj

    def _hold_frame(self, image: Any, frame: Matrix, placed: dict[Any, Matrix]) -> None:
        """Give a joint an end with such a frame where the object it is connected to has another.

        So it is with objects that are not mirrored, or along another one of their axes.
        """
        group = groups.of_object(image)
        to = group.joint.connected_object
        if not group.use_joint or group.joint.pivot_at_joint:
            return
        above: Any = placed.get(to, to.matrix_world)
        if np.allclose(np.array(unscaled(above)), np.array(frame), atol=_SAME_FRAME):
            return
        pivot = self._pivot(image)
        pivot.parent = to
        pivot.matrix_parent_inverse = above.inverted_safe()
        pivot.matrix_basis = frame
        group.joint.connected_object = pivot

    def _pivot(self, image: Any) -> Any:
        """The empty of an earlier run that is the other end of a joint, else a new one."""
        name = f"{image.name} Pivot"
        known = self._named.get(name)
        if known is not None and known.type == "EMPTY" and not has_physics(known):
            return known
        return new_empty(name, self._homes.of(image), "ARROWS", image.empty_display_size)

    def _place(self, image: Any, obj: Any, matrix: Matrix, placed: dict[Any, Matrix]) -> None:
        above = obj.parent
        image.parent = None if above is None else self._other(above)
        image.parent_type = "OBJECT"
        image.matrix_parent_inverse = Matrix.Identity(4)
        placed[image] = matrix
        if image.parent is not None:
            over = placed.get(image.parent)
            over = image.parent.matrix_world if over is None else over
            matrix = over.inverted_safe() @ matrix
            if is_sheared(matrix, _SHEAR):  # Which only the inverse of a parent can say.
                flip = reflection(axis_of(obj, self._axis))
                own = flip @ obj.matrix_basis @ flip
                image.matrix_parent_inverse = matrix @ own.inverted_safe()
                matrix = own
        image.matrix_basis = matrix
        image.update_tag(refresh={"OBJECT", "DATA"})

    def _mesh(self, mesh: Any, axis: int) -> Any:
        key = (mesh, axis)
        if key not in self._meshes:
            even = _is_image(mesh, mesh, axis)
            self._meshes[key] = mesh if even else mirrored_mesh(mesh, axis)
        return self._meshes[key]


def _pivot_of(obj: Any) -> list[Any]:
    """The empty that is nothing but the frame of the connected end of a joint, if there is one."""
    group = groups.of_object(obj)
    end = group.joint.connected_object
    if not group.use_joint or group.joint.pivot_at_joint or end is None or end.type != "EMPTY":
        return []
    return [] if has_physics(end) else [end]


def _is_image(first: Any, second: Any, axis: int) -> bool:
    """Whether a mesh is another one, mirrored along an axis: vertices, faces, and shape keys."""
    if len(first.vertices) != len(second.vertices) or len(first.polygons) != len(second.polygons):
        return False
    ones, others = _layers(first), _layers(second)
    if len(ones) != len(others):
        return False
    near = _CLOSE * float(np.abs(others[0]).max(initial=1e-9))
    for one, other in zip(ones, others, strict=True):
        image = one.copy()
        image[:, axis] = -image[:, axis]
        away = np.abs(_sorted(image, near) - _sorted(other, near)).max(initial=0.0)
        if away > 2.0 * near:
            return False
    return True


def _layers(mesh: Any) -> list[Points]:
    """The vertices (n, 3), the middles and materials (m, 4) of faces, the vertices of keys."""
    values = mesh_arrays.values
    faces = values(mesh.polygons, "center", np.float32, 3)
    slots = values(mesh.polygons, "material_index", np.int32).astype(np.float32)
    keys = mesh.shape_keys.key_blocks if mesh.shape_keys else ()
    return [
        mesh_arrays.points(mesh),
        np.column_stack([faces, slots]),
        *(values(key.data, "co", np.float32, 3) for key in keys),
    ]


def _sorted(points: Points, near: float) -> Points:
    steps: Points = np.round(points / near)
    return points[np.lexsort(steps.T)]


def with_children(objects: Sequence[Any], children: Children) -> list[Any]:
    """Objects and all that is below them, each once."""
    found = dict.fromkeys(objects)
    waiting = list(objects)
    while waiting:
        below = [child for child in children.get(waiting.pop(), ()) if child not in found]
        found.update(dict.fromkeys(below))
        waiting += below
    return list(found)
