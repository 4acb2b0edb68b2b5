"""Makes what scenes are built of, in Blender's axes, with the properties that artists set."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import bpy
from mathutils import Euler, Matrix

from omi_physics_addon.blender.authoring import joint_making
from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joint_kinds import JointKind
from omi_physics_addon.model.joints import JointDrive

Place = tuple[float, float, float]
ORIGIN: Place = (0.0, 0.0, 0.0)
CORNERS = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_CONTEXT = cast("Any", bpy.context)


class Scene(NamedTuple):
    """A scene that a script makes.

    Attributes:
        part: what of physics it is about: the heading of its rows.
        name: what it tries, in a few words.
        make: builds it in the empty file that is open.
        told: of an engine's target, the codes, with spaces between, with which the export names
            what it takes otherwise.
        steps: of an engine's target, why its own steps of 60 Hz are too coarse; it is asked for
            480 Hz as well, and what it says there counts.
        rests: why only the place counts where a body comes to rest; else empty.
        beside: what the preview itself is away from what is right, m, and why.
    """

    part: str
    name: str
    make: Callable[[], None]
    told: dict[str, str]
    steps: dict[str, str]
    rests: str = ""
    beside: tuple[float, str] = (0.0, "")


Makers = Callable[[Callable[[], None]], Callable[[], None]]


def scenes_of(part: str, into: list[Scene]) -> Callable[..., Makers]:
    """What marks the functions of a module that each make a scene about a part of physics."""

    def about(
        name: str,
        *,
        told: dict[str, str] | None = None,
        steps: dict[str, str] | None = None,
        rests: str = "",
        beside: tuple[float, str] = (0.0, ""),
    ) -> Makers:
        def mark(make: Callable[[], None]) -> Callable[[], None]:
            into.append(Scene(part, name, make, told or {}, steps or {}, rests, beside))
            return make

        return mark

    return about


def mesh(name: str, points: Sequence[Place], faces: Sequence[tuple[int, ...]]) -> Any:
    """A mesh of points."""
    made = bpy.data.meshes.new(name)
    made.from_pydata(list(points), [], list(faces))
    return made


def cube(size: Place = (1.0, 1.0, 1.0), about: Place = ORIGIN) -> Any:
    """The mesh of a box."""
    points = [tuple(c * s + a for c, s, a in zip(p, size, about, strict=True)) for p in CORNERS]
    return mesh("Box", cast("Any", points), FACES)


def drum(sides: int = 32, radius: float = 0.4, depth: float = 0.8) -> Any:
    """The mesh of a prism around Z, whose hull rests flat."""
    turns = [2.0 * math.pi * i / sides for i in range(sides)]
    points = [
        (radius * math.cos(t), radius * math.sin(t), z)
        for z in (-depth / 2, depth / 2)
        for t in turns
    ]
    ring = range(sides)
    faces = [(i, (i + 1) % sides, sides + (i + 1) % sides, sides + i) for i in ring]
    return mesh("Drum", points, [*faces, tuple(reversed(ring)), tuple(range(sides, 2 * sides))])


def add(
    name: str,
    at: Place = ORIGIN,
    *,
    below: Any = None,
    data: Any = None,
    turn: Place = ORIGIN,
    scale: float | Place = 1.0,
) -> Any:
    """An object; place, turn and scale are those below its parent."""
    obj = bpy.data.objects.new(name, data)
    _CONTEXT.scene.collection.objects.link(obj)
    obj.parent = below
    obj.location, obj.rotation_euler = at, Euler(turn)
    obj.scale = scale if isinstance(scale, tuple) else (scale, scale, scale)
    return obj


def shape(obj: Any, kind: str, *, at: Place = ORIGIN, turn: Place = ORIGIN, **sizes: Any) -> Any:
    """Make an object a collider."""
    physics = obj.omi_physics
    physics.use_collider = True
    group = physics.collider.shape
    group.type = kind
    group.location, group.rotation = at, turn
    inner = getattr(group, kind.lower(), None)
    for key, value in sizes.items():
        setattr(inner, key, value)
    return group


def motion(obj: Any, kind: str = "DYNAMIC", **values: Any) -> Any:
    """Make an object a body."""
    obj.omi_physics.use_motion = True
    group = obj.omi_physics.motion
    group.type = kind
    for key, value in values.items():
        setattr(group, key, value)
    return group


def body(
    name: str,
    at: Place = ORIGIN,
    kind: str = "BOX",
    *,
    size: dict[str, Any] | None = None,
    below: Any = None,
    turn: Place = ORIGIN,
    scale: float | Place = 1.0,
    data: Any = None,
    **values: Any,
) -> Any:
    """A dynamic body with a shape of its own."""
    obj = add(name, at, below=below, data=data, turn=turn, scale=scale)
    if kind:
        shape(obj, kind, **(size or {}))
    motion(obj, **values)
    return obj


def floor(size: float = 60.0, turn: float = 0.0) -> Any:
    """A thick box whose upper side goes through the origin, turned about Y."""
    at = (-0.5 * math.sin(turn), 0.0, -0.5 * math.cos(turn))
    obj = add("Floor", at, turn=(0.0, turn, 0.0))
    shape(obj, "BOX", size=(size, size, 1.0))
    return obj


def material(name: str, *objects: Any, **values: Any) -> None:
    """A physics material on colliders."""
    entry = scene_group().physics_materials.add()
    entry.name = name
    for key, value in values.items():
        setattr(entry, key, value)
    for obj in objects:
        obj.omi_physics.collider.physics_material = name


def collision_filter(name: str, *objects: Any, of: str, but: str) -> None:
    """A filter on colliders: they are of one system, and pass through another."""
    entry = scene_group().collision_filters.add()
    entry.name = name
    entry.collision_systems.add().name = of
    entry.mode = "NOT"
    entry.not_collide_with_systems.add().name = but
    for obj in objects:
        obj.omi_physics.collider.collision_filter = name


def joint(
    kind: JointKind,
    on: Any,
    to: Any,
    at: Place,
    *,
    turn: Place = ORIGIN,
    collide: bool = False,
) -> Any:
    """A joint at a place of the world, on an empty below one object, from another one below `to`.

    The artist's *Connect Selected* makes the same.
    """
    update()
    frame = Matrix.LocRotScale(at, Euler(turn), None)
    ends: list[Any] = []
    for name, owner in (("Joint", on), ("Pivot", to)):
        end = add(f"{owner.name if owner else 'World'} {name}")
        end.parent = owner
        if owner is not None:
            end.matrix_parent_inverse = owner.matrix_world.inverted()
        end.matrix_basis = frame
        ends.append(end)
    return link(ends[0], ends[1], kind, collide=collide)


def link(first: Any, second: Any, kind: JointKind, *, collide: bool = False) -> Any:
    """Make an object a joint that is connected to another."""
    group = first.omi_physics
    group.use_joint = True
    group.joint.connected_object = second
    group.joint.settings = joint_making.entry_of_kind(_CONTEXT.scene, kind).name
    group.joint.enable_collision = collide
    return first


def drive(kind: str = "angular", mode: str = "force", **values: Any) -> JointDrive:
    """A drive, whose axis the kind of its joint says."""
    return JointDrive(type=cast("Any", kind), mode=cast("Any", mode), axis=AxisIndex(0), **values)


def wall(at: Place = ORIGIN, size: Place = (0.2, 0.2, 0.2)) -> Any:
    """A static box."""
    obj = add("Wall", at)
    shape(obj, "BOX", size=size)
    motion(obj, "STATIC")
    return obj


def scene_group() -> Any:
    """What the scene knows of physics."""
    return _CONTEXT.scene.omi_physics


def choose(*objects: Any) -> None:
    """Select objects; the last one is active."""
    update()
    layer = _CONTEXT.view_layer
    for each in layer.objects:
        each.select_set(each in objects)
    layer.objects.active = objects[-1]


def update() -> None:
    """Let Blender work out where all objects are."""
    _CONTEXT.view_layer.update()
