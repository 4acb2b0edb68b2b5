"""Scenes in which what is seen could get lost on the way to an engine: features in pairs.

Each scene is a floor with two things on it, or a holder and what it holds: a mirrored parent and a
text below it, say. Which features meet is chosen by chance, from `SEED`.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import bpy as stubbed_bpy  # noqa: TID251

from omi_physics_addon.model.joint_kinds import JointKind
from tools.engines.scenes.building import Place, add, body, cube, drum, joint, mesh, motion, shape

bpy: Any = stubbed_bpy
Thing = Callable[[Place, Any], Any]
SEED: Final = 20261126
WIDE: Final = 10.0  # Of the floor, m.


class Pair(NamedTuple):
    """A scene.

    Attributes:
        holder: what holds the first thing; empty for nothing.
        things: one or two.
    """

    holder: str
    things: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Its features."""
        return self.things if not self.holder else (self.holder, *self.things)

    @property
    def name(self) -> str:
        """For files and messages."""
        return "_".join(self.words).replace(" ", "_")


THROWN: Final = Pair("", ("thrown",))


def choose(count: int = 44) -> list[Pair]:
    """The pairs, each feature in at least two; half of them are a holder with a thing; `THROWN`."""
    chance = random.Random(SEED)
    held = [Pair(a, (b,)) for a, b in itertools.product(HOLDERS, THINGS) if fits(a, b)]
    beside = [Pair("", pair) for pair in itertools.combinations(THINGS, 2)]
    chosen: list[Pair] = []
    for pool in (held, beside):
        chance.shuffle(pool)
        with_each = ([pair for pair in pool if word in pair.words][:2] for word in FEATURES)
        few = dict.fromkeys(pair for pairs in with_each for pair in pairs)
        chosen += [*few, *(pair for pair in pool if pair not in few)][: max(count // 2, len(few))]
    return [*chosen, THROWN]


def fits(holder: str, thing: str) -> bool:
    """Whether a holder can hold a thing: only what is one object can be instanced or animated."""
    alone = {"joint", "wheels", "skin"}
    return not (thing in alone and holder in {"instance", "nodes", "animated", "dynamic"})


def fill(pair: Pair) -> None:
    """Build a scene in the empty file that is open."""
    if pair == THROWN:
        _thrown()
        return
    ground = add("Floor", (0.0, 0.0, -0.25), data=cube((WIDE, 0.8 * WIDE, 0.5)))
    shape(ground, "BOX", size=(WIDE, 0.8 * WIDE, 0.5))
    motion(ground, "STATIC")
    if pair.holder:
        HOLDERS[pair.holder](THINGS[pair.things[0]])
    for x, thing in zip((-2.2, 2.2), () if pair.holder else pair.things, strict=False):
        THINGS[thing]((x, 0.0, 0.0), None)
    bpy.context.view_layer.update()


def _thrown() -> None:
    """A body so fast that one step more or less is seen, between two marks within the picture."""
    for name, x in (("Start", 0.0), ("End", 120.0)):
        mark = add(name, (x, 0.0, 0.0), data=cube((0.5, 0.5, 0.5)))
        shape(mark, "BOX", size=(0.5, 0.5, 0.5))
        motion(mark, "STATIC")
    size = (6.0, 6.0, 6.0)
    body(
        "Crate", (0.0, 0.0, 24.0), size={"size": size}, data=cube(size), linear_velocity=(60, 0, 0)
    )
    bpy.context.view_layer.update()


# --- things ---


def _box(at: Place, below: Any) -> Any:
    place = (at[0], at[1], at[2] + 0.8)
    return body("Box", place, size={"size": (1.0, 1.2, 0.8)}, below=below, data=_wedge())


def _wedge() -> Any:
    """A box with a corner cut off, so that mirrored and turned ones look so."""
    made = cube((1.0, 1.2, 0.8))
    made.vertices[7].co = (0.1, 0.1, 0.4)
    return made


def _materials(at: Place, below: Any) -> Any:
    """One mesh of several materials, and so of several primitives."""
    obj = _box(at, below)
    obj.name = "Painted"
    for name in ("Red", "Green", "Blue"):
        obj.data.materials.append(bpy.data.materials.get(name) or bpy.data.materials.new(name))
    for i, face in enumerate(obj.data.polygons):
        face.material_index = i % 3
    return obj


def _shape_keys(at: Place, below: Any) -> Any:
    obj = _box(at, below)
    obj.name = "Morphing"
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Up")
    for i in (1, 3, 5):
        key.data[i].co.z += 0.6
    for frame, value in ((1, 0.0), (30, 1.0)):  # Godot begins with 0, whatever a file says.
        key.value = value
        key.keyframe_insert("value", frame=frame)
    bpy.context.scene.frame_set(1)
    return obj


def _skin(at: Place, below: Any) -> Any:
    """A mesh on two bones, the upper of which has a body."""
    data = bpy.data.armatures.new("Rig")
    rig = add("Rig", at, below=below, data=data)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for i, name in enumerate(("Low", "High")):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0.0, 0.0, i), (0.0, 0.0, i + 1.0), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    tube = drum(16, 0.3, 2.0)
    tube.transform(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1.0), (0, 0, 0, 1)))
    skin = add("Skin", below=rig, data=tube)
    for name, low, high in (("Low", 0.0, 1.0), ("High", 1.0, 2.0)):
        inside = [v.index for v in tube.vertices if low <= v.co.z <= high]
        skin.vertex_groups.new(name=name).add(inside, 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    hand = add("Hand", data=cube((0.5, 0.5, 0.5)), below=rig)
    hand.parent_type, hand.parent_bone = "BONE", "High"
    shape(hand, "BOX", size=(0.5, 0.5, 0.5))
    motion(hand, "KINEMATIC")
    return rig


def _curve(at: Place, below: Any) -> Any:
    data = bpy.data.curves.new("Pipe", "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution = "3D", 0.2, 2
    spline = data.splines.new("POLY")
    spline.points.add(2)
    for point, co in zip(spline.points, ((-0.8, 0, 0), (0, 0.4, 0.5), (0.8, 0, 0)), strict=True):
        point.co = (*co, 1.0)
    obj = body("Pipe", (at[0], at[1], at[2] + 0.6), "", below=below, data=data)
    shape(obj, "BOX", at=(0.0, 0.2, 0.25), size=(2.0, 0.9, 0.9))
    return obj


def _text(at: Place, below: Any) -> Any:
    data = bpy.data.curves.new("Words", "FONT")
    data.body, data.extrude, data.size = "OMI", 0.15, 1.2
    obj = body("Words", (at[0] - 0.9, at[1], at[2] + 0.7), "", below=below, data=data)
    obj.rotation_euler.x = math.pi / 2
    shape(obj, "BOX", at=(0.9, 0.4, 0.0), size=(2.2, 0.9, 0.3))
    return obj


def _trigger(at: Place, below: Any) -> Any:
    obj = add("Zone", (at[0], at[1], at[2] + 1.0), below=below, data=_wedge())
    obj.omi_physics.use_trigger = True
    obj.omi_physics.trigger.shape.type = "BOX"
    return obj


def _seat(at: Place, below: Any) -> Any:
    obj = _box(at, below)
    obj.name = "Chair"
    seat = add("Seat", (0.0, 0.0, 0.6), below=obj, data=cube((0.6, 0.6, 0.2)))
    seat.omi_physics.use_seat = True
    return obj


def _wheels(at: Place, below: Any) -> Any:
    car = body("Car", (at[0], at[1], at[2] + 0.8), "", below=below, data=cube((1.4, 2.4, 0.5)))
    shape(car, "BOX", size=(1.4, 2.4, 0.5))
    car.omi_physics.motion.mass = 900.0
    car.omi_physics.use_vehicle_body = True
    for x, y in itertools.product((-0.8, 0.8), (-0.9, 0.9)):
        disc = drum(24, 0.35, 0.2)
        disc.transform(((0, 0, 1, 0), (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 0, 1)))
        wheel = add(f"Wheel {x} {y}", (x, y, -0.3), below=car, data=disc)
        wheel.omi_physics.use_wheel = True
        wheel.omi_physics.wheel.radius = 0.35
    return car


def _compound(at: Place, below: Any) -> Any:
    """A table whose shapes are on its parts."""
    table = body("Table", (at[0], at[1], at[2] + 1.2), "", below=below)
    top = add("Top", below=table, data=cube((1.6, 1.2, 0.2)))
    shape(top, "BOX", size=(1.6, 1.2, 0.2))
    for x, y in itertools.product((-0.6, 0.6), (-0.4, 0.4)):
        leg = add(f"Leg {x} {y}", (x, y, -0.5), below=table, data=cube((0.2, 0.2, 0.8)))
        shape(leg, "BOX", size=(0.2, 0.2, 0.8))
    return table


def _joint(at: Place, below: Any) -> Any:
    post = add("Post", (at[0], at[1], at[2] + 1.0), below=below, data=cube((0.2, 0.2, 2.0)))
    shape(post, "BOX", size=(0.2, 0.2, 2.0))
    motion(post, "STATIC")
    place = (at[0] + 0.7, at[1], at[2] + 1.2)
    door = body("Door", place, size={"size": (1.1, 0.1, 1.4)}, below=below)
    door.data = None
    panel = add("Panel", below=door, data=cube((1.1, 0.1, 1.4)))
    bpy.context.view_layer.update()
    joint(JointKind(kind="fixed"), door, post, post.matrix_world.translation)
    return panel


def _animated(at: Place, below: Any) -> Any:
    obj = body("Lift", at, size={"size": (1.0, 1.2, 0.8)}, below=below, data=_wedge())
    obj.omi_physics.motion.type = "KINEMATIC"
    for frame, height in ((1, 0.8), (40, 2.5)):
        obj.location.z = height
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    return obj


def _lamps(at: Place, below: Any) -> Any:
    """A camera and a light on a body, and the object that it carries with them."""
    obj = _box(at, below)
    obj.name = "Robot"
    add("Eye", (0.0, -0.7, 0.2), below=obj, data=bpy.data.cameras.new("Eye"))
    add("Lamp", (0.0, 0.0, 0.6), below=obj, data=bpy.data.lights.new("Lamp", "POINT"))
    add("Hat", (0.0, 0.0, 0.7), below=obj, data=drum(16, 0.3, 0.4))
    return obj


THINGS: Final[dict[str, Thing]] = {
    "box": _box,
    "materials": _materials,
    "shape keys": _shape_keys,
    "skin": _skin,
    "curve": _curve,
    "text": _text,
    "trigger": _trigger,
    "seat": _seat,
    "wheels": _wheels,
    "compound": _compound,
    "joint": _joint,
    "animated body": _animated,
    "camera and light": _lamps,
}


# --- holders ---


def _below(turn: Place, scale: Place) -> Callable[[Thing], None]:
    def hold(thing: Thing) -> None:
        thing((0.2, 0.0, 0.0), add("Holder", (0.5, 0.0, 0.0), turn=turn, scale=scale))

    return hold


def _static(thing: Thing) -> None:
    """What is below a body that does not move, and shows a mesh itself."""
    base = add("Base", (0.0, 0.0, 0.2), data=cube((3.0, 3.0, 0.4)))
    shape(base, "BOX", size=(3.0, 3.0, 0.4))
    motion(base, "STATIC")
    thing((0.0, 0.0, 0.2), base)


def _dynamic(thing: Thing) -> None:
    thing(
        (0.0, 0.0, 0.3),
        body("Base", (0.0, 0.0, 0.4), size={"size": (3.0, 3.0, 0.4)}, data=cube((3.0, 3.0, 0.4))),
    )


def _moving(thing: Thing) -> None:
    """What is below something that keyframes move."""
    base = add("Cart", (-1.0, 0.0, 0.2), data=cube((2.0, 2.0, 0.2)))
    for frame, x in ((1, -1.0), (40, 2.0)):
        base.location.x = x
        base.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    thing((0.0, 0.0, 0.2), base)


def _collection(thing: Thing) -> Any:
    """A thing in a collection of its own, which the scene does not show."""
    before = set(bpy.data.objects)
    thing((0.0, 0.0, 0.0), None)
    group = bpy.data.collections.new("Crate")
    for obj in set(bpy.data.objects) - before:
        bpy.context.scene.collection.objects.unlink(obj)
        group.objects.link(obj)
    return group


def _instance(thing: Thing) -> None:
    group = _collection(thing)
    for i, x in enumerate((-2.0, 2.0)):
        instance = add(f"Instance {i}", (x, 0.0, 0.0), turn=(0.0, 0.0, float(i)))
        instance.instance_type, instance.instance_collection = "COLLECTION", group


def _nodes(thing: Thing) -> None:
    """Instances that geometry nodes put on the corners of a line."""
    group: Any = bpy.data.node_groups.new("Row", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    kinds = ("GeometryNodeMeshLine", "GeometryNodeInstanceOnPoints", "GeometryNodeCollectionInfo")
    line, place, info = (group.nodes.new(kind) for kind in kinds)
    line.inputs["Count"].default_value = 2
    line.inputs["Offset"].default_value = (3.5, 0.0, 0.0)
    info.inputs["Collection"].default_value = _collection(thing)
    group.links.new(line.outputs[0], place.inputs["Points"])
    group.links.new(info.outputs[0], place.inputs["Instance"])
    group.links.new(place.outputs[0], group.nodes.new("NodeGroupOutput").inputs[0])
    owner = add("Row", (-1.7, 0.0, 0.0), data=mesh("Row", (), ()))
    owner.modifiers.new("Row", "NODES").node_group = group


HOLDERS: Final[dict[str, Callable[[Thing], None]]] = {
    "turned": _below((0.0, 0.0, 0.7), (1.0, 1.0, 1.0)),
    "mirrored": _below((0.0, 0.0, 0.3), (-1.0, 1.0, 1.0)),
    "scaled": _below((0.0, 0.0, 0.3), (1.5, 1.5, 1.5)),
    "uneven": _below((0.0, 0.0, 0.0), (1.6, 1.0, 0.7)),
    "static": _static,
    "dynamic": _dynamic,
    "animated": _moving,
    "instance": _instance,
    "nodes": _nodes,
}
FEATURES: Final = (*HOLDERS, *THINGS)
