"""The one door to Blender's glTF add-on, version branches, and what Blender does slowly."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

import bpy
import numpy as np
from numpy.typing import NDArray

ROLE: Final = "omi_physics_addon"  # Key in the extras of inserted nodes that names their role.
ATTRIBUTE: Final = "omi_physics"  # The one attribute we add to an ID type.
_TRANSFORMS: Final = "Object Transforms"  # Blender's name for the group of such curves.
TELLS_IMPORTS: Final = hasattr(bpy.app.handlers, "blend_import_post")  # Since 4.5 or before.
_HOST: Final = "io_scene_gltf2"
_TRIANGLES: Final = (None, 4)  # Modes of primitives that are lists of triangles.
_INDICES: Final = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32}  # By glTF's component types.
_NUMBERS: Final = {**_INDICES, 5126: np.float32}


def rename(data: Any, name: str) -> None:
    """Give an ID a name, with a number behind it where another one has that name.

    Setting `name` takes three times as long where there are 5 000 objects, as Blender goes through
    all of them to see whether it may be set.
    """
    if hasattr(data, "rename"):  # Not in 4.2.
        data.rename(name)
    else:
        data.name = name


def remove_data(found: Iterable[Any]) -> None:
    """Remove IDs; removing none, Blender would evaluate the whole scene again."""
    if gone := list(found):
        bpy.data.batch_remove(gone)


def host_module(*names: str) -> Any:
    """The first module of the host that exists under one of `names`, newest first."""
    for name in names[:-1]:
        try:
            return importlib.import_module(f"{_HOST}.{name}")
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(_HOST):
                raise
    return importlib.import_module(f"{_HOST}.{names[-1]}")


def host_extension(name: str) -> Any:
    """The host's object that says an importer understands a required extension."""
    return host_module("io.com.gltf2_io_extensions").Extension(name, {}, True)


def host_node(name: str, place: Mapping[str, Any], extras: Any = None) -> Any:
    """A new node for the exporter's tree.

    Args:
        place: its translation, rotation, scale or matrix as in glTF, as far as it has these.
    """
    nothing = dict.fromkeys(("camera", "extensions", "mesh", "skin", "weights"))
    return host_module("io.com.gltf2_io").Node(
        **nothing,
        **{key: place.get(key) for key in ("translation", "rotation", "scale", "matrix")},
        children=[],
        extras=extras,
        name=name,
    )


@functools.cache
def _leaf_class(plain: type) -> type:
    """A class of nodes whose members an exporter does not look at where they are plain.

    It goes several times through all that it knows; `host.host_save.Late` writes these.
    """

    def members(self: Any) -> dict[str, Any]:
        own = cast(dict[str, Any], vars(self))
        return {name: value for name, value in own.items() if value is not None}

    def to_dict(self: Any) -> Any:
        return self if self.extensions is self.extras is self.weights is None else self.members()

    return type("LeafNode", (plain,), {"to_dict": to_dict, "members": members})


def leaf_node(name: str) -> Any:
    """A node without children, to be put among the finished ones of an exporter."""
    node = host_node(name, {})
    leaf = _leaf_class(node.__class__)
    node.__class__, node.children = leaf, None
    return node


def export_mesh(
    mesh: bpy.types.Mesh, materials: Any, original: Any, settings: Any, modifiers: Any = None
) -> Any:
    """The host's mesh for mesh data; None when it has no primitives.

    It makes a mesh once for the same original, modifiers and materials, so modifiers must be
    given where they have been applied.

    The module is blender.exp.obj_data since 5.1, blender.exp.mesh since 4.3.
    """
    module = host_module(
        "blender.exp.obj_data", "blender.exp.mesh", "blender.exp.gltf2_blender_gather_mesh"
    )
    return module.gather_mesh(mesh, None, None, modifiers, materials, original, settings)


# Positions and indices of each primitive of a mesh, as they go into the file.
Surface = tuple[tuple["_Numbers", "_Numbers | None"], ...]


class _Numbers(NamedTuple):
    """Bytes of a buffer, and glTF's type of the numbers in them."""

    data: bytes
    component_type: int


def surface(mesh: Any) -> Surface:
    """What a host's mesh is made of.

    To be taken while the scene is gathered: the compression by Draco empties it afterwards.
    """
    return tuple(
        (
            _numbers(primitive.attributes["POSITION"]),
            None if primitive.indices is None else _numbers(primitive.indices),
        )
        for primitive in mesh.primitives
        if primitive.mode in _TRIANGLES
    )


def _numbers(accessor: Any) -> _Numbers:
    return _Numbers(accessor.buffer_view.data, int(accessor.component_type))


def triangles(of: Surface) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The corners (n, 3) and triangles (m, 3) of a mesh, in the axes of the file."""
    corners: list[NDArray[np.float64]] = [np.empty((0, 3))]
    faces: list[NDArray[np.int64]] = [np.empty((0, 3), dtype=np.int64)]
    count = 0
    for positions, indices in of:
        points = np.frombuffer(positions.data, dtype=np.float32).reshape(-1, 3)
        if indices is None:
            order = np.arange(len(points))
        else:
            order = np.frombuffer(indices.data, dtype=_INDICES[indices.component_type])
        faces.append(order.astype(np.int64).reshape(-1, 3) + count)
        corners.append(points.astype(np.float64))
        count += len(points)
    return np.concatenate(corners), np.concatenate(faces)


def count_triangles(of: Surface) -> int:
    """How many triangles a mesh has."""
    numbers = [(3, positions) if order is None else (1, order) for positions, order in of]
    return sum(
        len(data) // (each * np.dtype(_NUMBERS[kind]).itemsize) // 3
        for each, (data, kind) in numbers
    )


def accessor_array(gltf: Any, index: int) -> NDArray[Any]:
    """The numbers (count, components) of an accessor of the file that is imported."""
    return host_module("io.imp.gltf2_io_binary").BinaryData.decode_accessor(gltf, index)


def host_skin(plain: dict[str, Any]) -> Any:
    """A skin for the importer's parsed file."""
    return host_module("io.com.gltf2_io").Skin.from_dict(plain)


def host_accessor(array: NDArray[Any], kind: str, component: int, *, bounded: bool = False) -> Any:
    """An accessor of the exporter.

    Args:
        array: its numbers (n,).
        kind: SCALAR, VEC3 and so on.
        component: glTF's type of the numbers.
        bounded: note the smallest and the largest number.

    The modules have these names since 4.3 or later.
    """
    data = host_module("io.exp.binary_data", "io.exp.gltf2_io_binary_data").BinaryData(
        array.tobytes()
    )
    constants = host_module("io.com.constants", "io.com.gltf2_io_constants")
    return host_module("io.com.gltf2_io").Accessor(
        buffer_view=data,
        byte_offset=None,
        component_type=constants.ComponentType(component),
        count=len(array) // constants.DataType.num_elements(kind),
        extensions=None,
        extras=None,
        max=[float(array.max())] if bounded else None,
        min=[float(array.min())] if bounded else None,
        name=None,
        normalized=None,
        sparse=None,
        type=kind,
    )


def host_sampler(interpolation: str, times: Any, values: Any) -> Any:
    """A sampler of an animation of the exporter, of two accessors."""
    return host_module("io.com.gltf2_io").AnimationSampler(None, None, times, interpolation, values)


def host_channel(sampler: int, extensions: dict[str, Any]) -> Any:
    """A channel of the exporter that moves what a pointer in its target's extensions says."""
    module = host_module("io.com.gltf2_io")
    target = module.AnimationChannelTarget(extensions, None, None, "pointer")
    return module.AnimationChannel(None, None, sampler, target)


def host_animation(name: str | None) -> Any:
    """An empty animation of the exporter."""
    return host_module("io.com.gltf2_io").Animation([], None, None, name, [])


def import_mesh(gltf: Any, index: int) -> bpy.types.Mesh:
    """The mesh data for a mesh of the file, made where the host has not made it yet."""
    made = gltf.data.meshes[index].blender_name
    for key, name in made.items():
        if key[0] is None:  # Not changed for a skin.
            return cast(bpy.types.Mesh, bpy.data.meshes[name])
    module = host_module("blender.imp.mesh", "blender.imp.gltf2_blender_mesh")
    mesh = cast(bpy.types.Mesh, module.BlenderMesh.create(gltf, index, None))
    made[(None,)] = mesh.name
    return mesh


def hide_from_extras() -> None:
    """Keep our attribute out of `extras`.

    The host writes property groups as custom properties up to 4.5, and again since 5.1.
    """
    if ATTRIBUTE not in _kept_out():
        _kept_out().append(ATTRIBUTE)


def show_in_extras() -> None:
    """Undo `hide_from_extras`."""
    if ATTRIBUTE in _kept_out():
        _kept_out().remove(ATTRIBUTE)


def _kept_out() -> list[str]:
    return host_module("blender.com.extras", "blender.com.gltf2_blender_extras").BLACK_LIST


def is_collection(vnode: Any) -> bool:
    """Whether a node of the exporter's tree stands for a collection, not an object."""
    return vnode.blender_type == vnode.__class__.COLLECTION


def is_bone(vnode: Any) -> bool:
    """Whether a node of the exporter's tree stands for a bone."""
    return vnode.blender_type == vnode.__class__.BONE


def is_imported_bone(vnode: Any) -> bool:
    """Whether a node of the importer's tree became a bone."""
    return vnode.type == vnode.__class__.Bone


def curves(data: Any) -> list[Any]:
    """The F-curves of the active action of an ID's animation data; actions have slots since 4.4."""
    action = data.action
    if action is None:
        return []
    if bpy.app.version < (4, 4, 0):
        return list(action.fcurves)
    found: list[Any] = []
    for layer in action.layers:
        for strip in layer.strips:
            bag = None if data.action_slot is None else strip.channelbag(data.action_slot)
            found += [] if bag is None else bag.fcurves
    return found


def all_curves(action: Any) -> list[Any]:
    """The F-curves of an action, whatever they change."""
    if bpy.app.version < (4, 4, 0):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def can_copy_animated_nodes() -> bool:
    """Whether copies of what has animated nodes leave no trace; 4.2 counts a user twice."""
    return bpy.app.version >= (4, 5, 0)


def new_action(obj: Any, name: str) -> tuple[Any, Callable[[str, int], Any]]:
    """A new action that animates an object, and what makes curves in it by path and index."""
    action: Any = bpy.data.actions.new(name)
    data = obj.animation_data or obj.animation_data_create()
    data.action = action
    if bpy.app.version < (4, 4, 0):
        return action, lambda path, index: action.fcurves.new(
            path, index=index, action_group=_TRANSFORMS
        )
    slot = action.slots.new("OBJECT", obj.name)
    data.action_slot = slot
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    bag = strip.channelbag(slot, ensure=True)
    group = bag.groups.new(_TRANSFORMS)

    def curve(path: str, index: int) -> Any:
        made = bag.fcurves.new(path, index=index)
        made.group = group
        return made

    return action, curve


def assign_action(data: Any, action: Any, slot: Any) -> None:
    """Make an action the active one; its slot counts since 4.4."""
    data.action = action
    if action is not None and bpy.app.version >= (4, 4, 0):
        data.action_slot = slot


def slot_of(owner: Any) -> Any:
    """The slot of the action of animation data or of a strip; None up to 4.3."""
    return owner.action_slot if bpy.app.version >= (4, 4, 0) else None


def push_down(data: Any) -> str:
    """Let the active action play on from a track of its own; the name of the track."""
    action, slot = data.action, slot_of(data)
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, round(action.frame_range[0]), action)
    if slot is not None:
        strip.action_slot = slot
    data.action = None
    return str(track.name)


def pull_up(data: Any, name: str) -> None:
    """Undo `push_down`, where the track is still there."""
    track = data.nla_tracks.get(name)
    if track is None or not len(track.strips):
        return
    strip = track.strips[0]
    action, slot = strip.action, slot_of(strip)
    data.nla_tracks.remove(track)
    assign_action(data, action, slot)
