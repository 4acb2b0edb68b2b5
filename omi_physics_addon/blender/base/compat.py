"""The one door to Blender's glTF add-on, and every branch on a Blender version."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
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


def _host(*names: str) -> Any:
    """The first module of the host that exists under one of `names`, newest first."""
    for name in names[:-1]:
        try:
            return importlib.import_module(f"{_HOST}.{name}")
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(_HOST):
                raise
    return importlib.import_module(f"{_HOST}.{names[-1]}")


class ExportStopped(BaseException):
    """Ends the host's export from inside a hook, where it swallows every `Exception`."""


def prepare_save(late: Late, ended: Callable[[], None]) -> None:
    """Let `ExportStopped` end the export that is about to begin, and what is late be written.

    Args:
        ended: called when the file is written, or is not going to be.

    The operator of the host makes the objects with hooks, then calls `save`, then reports what
    was logged. It ends as cancelled when `save` says so; the host itself never does.

    The module is blender.exp.export since 4.3.
    """
    module = _host("blender.exp.export", "blender.exp.gltf2_blender_export")
    save = module.save  # That of an export that failed before it began is still there.
    plain = save.plain if isinstance(save, _Save) else save
    module.save = _Save(module, plain, late, ended)


@dataclass(frozen=True)
class _Save:
    """Takes the place of the host's `save` for one export."""

    module: Any
    plain: Callable[[Any, dict[str, Any]], set[str]]
    late: Late
    ended: Callable[[], None]

    def __call__(self, context: Any, settings: dict[str, Any]) -> set[str]:
        self.module.save = self.plain
        frame = context.scene.frame_current
        try:
            with _writing(self.late):
                return self.plain(context, settings)
        except ExportStopped:
            # What the host does at its own end.
            context.window.cursor_set("DEFAULT")
            if not settings["gltf_current_frame"]:
                context.scene.frame_set(frame)
            return {"CANCELLED"}
        finally:
            self.ended()


def host_extension(name: str) -> Any:
    """The host's object that says an importer understands a required extension."""
    return _host("io.com.gltf2_io_extensions").Extension(name, {}, True)


def host_node(name: str, translation: Any, rotation: Any, scale: Any, extras: Any) -> Any:
    """A new node for the exporter's tree.

    Args:
        translation, rotation, scale: lists in glTF's axes, rotation x, y, z, w; None for none.
    """
    return _host("io.com.gltf2_io").Node(
        camera=None,
        children=[],
        extensions=None,
        extras=extras,
        matrix=None,
        mesh=None,
        name=name,
        rotation=rotation,
        scale=scale,
        skin=None,
        translation=translation,
        weights=None,
    )


@functools.cache
def _leaf_class(plain: type) -> type:
    """A class of nodes whose members an exporter does not look at where they are plain.

    It goes several times through all that it knows; see `Late.add_to` for what becomes of these.
    """

    def members(self: Any) -> dict[str, Any]:
        own = cast(dict[str, Any], vars(self))
        return {name: value for name, value in own.items() if value is not None}

    def to_dict(self: Any) -> Any:
        return self if self.extensions is self.extras is self.weights is None else self.members()

    return type("LeafNode", (plain,), {"to_dict": to_dict, "members": members})


def leaf_node(name: str) -> Any:
    """A node without children, to be put among the finished ones of an exporter."""
    node = host_node(name, None, None, None, None)
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
    module = _host(
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
    return _host("io.imp.gltf2_io_binary").BinaryData.decode_accessor(gltf, index)


def host_skin(plain: dict[str, Any]) -> Any:
    """A skin for the importer's parsed file."""
    return _host("io.com.gltf2_io").Skin.from_dict(plain)


def host_accessor(array: NDArray[Any], kind: str, component: int, *, bounded: bool = False) -> Any:
    """An accessor of the exporter.

    Args:
        array: its numbers (n,).
        kind: SCALAR, VEC3 and so on.
        component: glTF's type of the numbers.
        bounded: note the smallest and the largest number.

    The modules have these names since 4.3 or later.
    """
    data = _host("io.exp.binary_data", "io.exp.gltf2_io_binary_data").BinaryData(array.tobytes())
    constants = _host("io.com.constants", "io.com.gltf2_io_constants")
    return _host("io.com.gltf2_io").Accessor(
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
    return _host("io.com.gltf2_io").AnimationSampler(None, None, times, interpolation, values)


def host_channel(sampler: int, extensions: dict[str, Any]) -> Any:
    """A channel of the exporter that moves what a pointer in its target's extensions says."""
    module = _host("io.com.gltf2_io")
    target = module.AnimationChannelTarget(extensions, None, None, "pointer")
    return module.AnimationChannel(None, None, sampler, target)


def host_animation(name: str | None) -> Any:
    """An empty animation of the exporter."""
    return _host("io.com.gltf2_io").Animation([], None, None, name, [])


def import_mesh(gltf: Any, index: int) -> bpy.types.Mesh:
    """The mesh data for a mesh of the file, made where the host has not made it yet."""
    made = gltf.data.meshes[index].blender_name
    for key, name in made.items():
        if key[0] is None:  # Not changed for a skin.
            return cast(bpy.types.Mesh, bpy.data.meshes[name])
    module = _host("blender.imp.mesh", "blender.imp.gltf2_blender_mesh")
    mesh = cast(bpy.types.Mesh, module.BlenderMesh.create(gltf, index, None))
    made[(None,)] = mesh.name
    return mesh


def hide_from_extras() -> None:
    """Keep our attribute out of `extras`.

    The host writes property groups as custom properties up to 4.5, and again since 5.1.
    """
    names = _host("blender.com.extras", "blender.com.gltf2_blender_extras").BLACK_LIST
    if ATTRIBUTE not in names:
        names.append(ATTRIBUTE)


def show_in_extras() -> None:
    """Undo `hide_from_extras`."""
    names = _host("blender.com.extras", "blender.com.gltf2_blender_extras").BLACK_LIST
    if ATTRIBUTE in names:
        names.remove(ATTRIBUTE)


def is_collection(vnode: Any) -> bool:
    """Whether a node of the exporter's tree stands for a collection, not an object."""
    return vnode.blender_type == vnode.__class__.COLLECTION


def is_bone(vnode: Any) -> bool:
    """Whether a node of the exporter's tree stands for a bone."""
    return vnode.blender_type == vnode.__class__.BONE


def is_imported_bone(vnode: Any) -> bool:
    """Whether a node of the importer's tree became a bone."""
    return vnode.type == vnode.__class__.Bone


class _Declared(str):
    """The name of an extension that an exporter leaves declared, though it did not see its use.

    It looks for names among the keys that it wrote, and "asset" always is one.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other == "asset" or str.__eq__(self, other)  # pyright: ignore[reportReturnType]

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def declared_name(name: str) -> str:
    """The name of an extension that is late, or stands inside of one that is."""
    return _Declared(name)


@dataclass(frozen=True)
class Late:
    """Extension objects that a file gets when the host has finished all else.

    The host goes six times through what it knows of, and drops empty objects and lists.

    Attributes:
        root: of the file.
        nodes: by their index in the file.
    """

    root: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    nodes: dict[int, dict[str, dict[str, Any]]] = field(
        default_factory=dict[int, dict[str, dict[str, Any]]]
    )

    def shared(self) -> set[int]:
        """The identities of the extension objects that several nodes have."""
        seen, shared = set[int](), set[int]()
        for extensions in self.nodes.values():
            for each in map(id, extensions.values()):
                (shared if each in seen else seen).add(each)
        return shared

    def add_to(self, json: dict[str, Any]) -> None:
        """Put these into a finished glTF, in the order in which the host writes members."""
        nodes = json.get("nodes", [])
        for i, node in enumerate(nodes):
            if not isinstance(node, dict):  # One of ours; see `leaf_node`.
                nodes[i] = node.members()
        for i, extensions in self.nodes.items():
            _extend(nodes[i], extensions, ("camera", "children"))
        if self.root:
            _extend(json, self.root, ("asset", "extensionsUsed", "extensionsRequired"))


def _extend(json: dict[str, Any], extensions: dict[str, Any], first: tuple[str, ...]) -> None:
    """Add extensions to an object, behind the members `first`."""
    known = json.pop("extensions", {})
    after = [(key, json.pop(key)) for key in [*json] if key not in first]
    json["extensions"] = {**known, **extensions}
    json.update(after)


@contextlib.contextmanager
def _writing(late: Late) -> Generator[None, None, None]:
    """Let the encoder of the host write what is late.

    Its module is blender.com.json_util since 4.3.
    """
    from ...codec.gltf import indented_json

    encoder = _host("blender.com.json_util", "blender.com.gltf2_blender_json").BlenderJSONEncoder
    plain = encoder.encode

    def encode(self: Any, value: Any) -> str:
        if isinstance(value, dict) and "asset" in value:
            late.add_to(cast(dict[str, Any], value))
        return indented_json.encode(self, value, late.shared())

    encoder.encode = encode
    try:
        yield
    finally:
        encoder.encode = plain


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
