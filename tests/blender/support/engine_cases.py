"""Small scenes, each with one thing that engines may take otherwise, in Blender's axes.

Every maker fills an empty scene. Things stand far enough above the ground, and long enough, that
what goes wrong shows within three seconds; nothing in them is left to chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import bpy
from mathutils import Euler

from omi_physics_addon.model import joint_kinds
from omi_physics_addon.model.fields import AxisIndex
from omi_physics_addon.model.joint_kinds import JointKind
from omi_physics_addon.model.joints import JointDrive
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

Make = Callable[[], None]
Vector = tuple[float, float, float]

HERE: Final[Vector] = (0.0, 0.0, 0.0)
DROP: Final = 1.0  # m, from which things fall.

CASES: dict[str, Make] = {}


def case(name: str, make: Make) -> None:
    assert name not in CASES
    CASES[name] = make


# What scenes are made of


def sized(shape: Any, kind: str, size: float = 1.0, top: float | None = None) -> None:
    """Give a shape a kind and a size; `top` is the radius of the upper end of a tapered one."""
    shape.type = kind
    radius = 0.25 * size
    if kind == "BOX":
        shape.box.size = (0.5 * size,) * 3
    elif kind == "SPHERE":
        shape.sphere.radius = radius
    elif kind in ("CAPSULE", "CYLINDER"):
        group = shape.capsule if kind == "CAPSULE" else shape.cylinder
        group.height = 0.5 * size
        group.radius_bottom, group.radius_top = radius, radius if top is None else top


def ground(kind: str = "BOX") -> Any:
    """A static floor whose top is at height zero."""
    obj = add("Ground", cube_mesh())
    shape = add_collider(obj, kind)
    if kind == "BOX":
        obj.location, shape.box.size = (0.0, 0.0, -0.5), (40.0, 40.0, 1.0)
    elif kind == "TRIMESH":
        obj.scale, obj.location = (40.0, 40.0, 1.0), (0.0, 0.0, -0.5)
    add_body(obj, "STATIC")
    return obj


def thing(
    name: str = "Thing",
    place: Vector = (0.0, 0.0, DROP),
    kind: str = "BOX",
    parent: Any = None,
    motion: str = "DYNAMIC",
    turn: Vector = HERE,
    size: float = 1.0,
    top: float | None = None,
) -> Any:
    """A body of 2 kg with a collider of its own."""
    obj = add(name, cube_mesh(), location=place, parent=parent)
    obj.rotation_euler = turn
    sized(add_collider(obj, kind), kind, size, top)
    body = add_body(obj, motion)
    body.mass_mode, body.mass = "VALUE", 2.0
    bpy.context.view_layer.update()
    return obj


def part(
    name: str,
    parent: Any,
    place: Vector,
    kind: str = "BOX",
    offset: Vector = HERE,
    turn: Vector = HERE,
) -> Any:
    """A collider below a body or one of its parts."""
    obj = add(name, cube_mesh(), location=place, parent=parent)
    shape = add_collider(obj, kind)
    sized(shape, kind)
    shape.location = offset
    if any(turn):
        shape.rotation = turn
    return obj


def hollow(name: str, place: Vector, motion: str = "DYNAMIC", parent: Any = None) -> Any:
    """A body without a collider of its own."""
    obj = add(name, None, location=place, parent=parent)
    body = add_body(obj, motion)
    body.mass_mode, body.mass = "VALUE", 2.0
    return obj


def surface(obj: Any, name: str, **values: Any) -> None:
    entry = bpy.context.scene.omi_physics.physics_materials.add()
    entry.name = name
    for key, value in values.items():
        setattr(entry, key, value)
    obj.omi_physics.collider.physics_material = name


def settings(kind: JointKind) -> str:
    """Joint settings of a kind; their name."""
    from omi_physics_addon.blender.authoring.joint_making import new_entry

    return new_entry(bpy.context.scene, joint_kinds.make(kind), "Joint").name


def joined(
    below: Any, to: Any, kind: JointKind, place: Vector, turn: Vector = HERE, on_body: bool = False
) -> Any:
    """A joint at a place of the world, or on the body itself."""
    bpy.context.view_layer.update()
    joint = below if on_body else add("Joint", None)
    if not on_body:
        joint.parent = below
        matrix = Euler(turn).to_matrix().to_4x4()
        matrix.translation = place
        joint.matrix_world = matrix
    group = joint.omi_physics
    group.use_joint, group.joint.settings = True, settings(kind)
    group.joint.connected_object, group.joint.pivot_at_joint = to, True
    bpy.context.view_layer.update()
    return joint


def post(motion: str = "STATIC", place: Vector = (0.0, 0.0, 3.0)) -> Any:
    return thing("Post", place, motion=motion, size=0.4)


# Shapes


def _falling(kind: str = "BOX", on: str = "BOX", **how: Any) -> None:
    ground(on)
    thing(kind=kind, **how)


LYING: Final[Vector] = (math.pi / 2, 0.0, 0.0)
for _kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONVEX"):
    case(f"shape {_kind}", lambda kind=_kind: _falling(kind))
for _kind in ("CAPSULE", "CYLINDER"):
    case(f"shape lying {_kind}", lambda kind=_kind: _falling(kind, turn=LYING))
    case(f"shape tapered {_kind}", lambda kind=_kind: _falling(kind, top=0.1))
case("shape cone", lambda: _falling("CYLINDER", top=0.0))
case("ground of triangles", lambda: _falling("SPHERE", "TRIMESH"))
case("ground of points", lambda: _falling(on="CONVEX"))
case("ground plane", lambda: _falling(on="PLANE"))
case("ground plane, sphere", lambda: _falling("SPHERE", "PLANE"))


# Colliders away from their objects


def _off_centre(kind: str, turned: bool) -> None:
    ground()
    obj = thing(kind=kind)
    shape = obj.omi_physics.collider.shape
    shape.location = (0.0, 0.0, 0.3)
    if turned:
        shape.rotation = (math.pi / 2, 0.0, 0.0)


for _kind in ("BOX", "CAPSULE", "CONVEX"):
    case(f"offset {_kind}", lambda kind=_kind: _off_centre(kind, False))
case("offset and turned CYLINDER", lambda: _off_centre("CYLINDER", True))


def _compound(offset: Vector, deep: bool, kind: str = "BOX") -> None:
    ground()
    body = hollow("Table", (0.0, 0.0, 0.5))
    below = add("Frame", None, parent=body) if deep else body
    for i, (x, y) in enumerate(((-0.6, -0.6), (0.6, -0.6), (-0.6, 0.6), (0.6, 0.6))):
        part(f"Leg {i}", below, (x, y, 0.0), kind, offset)


case("compound", lambda: _compound(HERE, False))
case("compound with offsets", lambda: _compound((0.0, 0.0, 0.3), False))
case("compound with grandchildren", lambda: _compound(HERE, True))
case("compound of both", lambda: _compound((0.0, 0.0, 0.3), True))
case("compound of spheres", lambda: _compound((0.1, 0.0, 0.2), True, "SPHERE"))


def _compound_ground() -> None:
    floor = hollow("Floor", HERE, "STATIC")
    for i, x in enumerate((-1.0, -0.5, 0.0, 0.5, 1.0)):
        part(f"Tile {i}", floor, (x, 0.0, -0.25))
    thing()


case("static compound", _compound_ground)

# Hierarchies and scales


def _below(turn: Vector, scale: Vector, velocity: Vector = HERE) -> None:
    ground()
    group = add("Group", None, location=(1.0, 0.0, 0.5))
    group.rotation_euler, group.scale = turn, scale
    obj = thing(place=(0.0, 0.0, 0.5), parent=group)
    obj.omi_physics.motion.linear_velocity = velocity


case("below a turned object", lambda: _below((0.0, 0.0, 1.0), (1.0, 1.0, 1.0)))
case("below a scaled object", lambda: _below(HERE, (2.0, 2.0, 2.0)))
case("below an unevenly scaled object", lambda: _below(HERE, (1.0, 2.0, 1.5)))
case("below a mirrored object", lambda: _below(HERE, (-1.0, 1.0, 1.0)))


def _scaled(kind: str, scale: Vector, velocity: Vector = HERE) -> None:
    ground()
    obj = thing(kind=kind)
    obj.scale = scale
    obj.omi_physics.motion.linear_velocity = velocity


EVEN: Final[Vector] = (2.0, 2.0, 2.0)
for _kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONVEX"):
    case(f"scaled {_kind}", lambda kind=_kind: _scaled(kind, EVEN))
for _kind in ("BOX", "CONVEX"):
    case(f"unevenly scaled {_kind}", lambda kind=_kind: _scaled(kind, (0.8, 1.6, 0.6)))
case("mirrored BOX", lambda: _scaled("BOX", (-1.0, 1.0, 1.0)))
case("scaled and thrown", lambda: _scaled("BOX", EVEN, (1.0, 0.0, 3.0)))


def _scaled_part() -> None:
    ground()
    body = hollow("Body", (0.0, 0.0, DROP))
    for i, x in enumerate((-0.5, 0.5)):
        part(f"Part {i}", body, (x, 0.0, 0.0)).scale = (0.5, 1.0, 1.5)


case("scaled parts", _scaled_part)


def _nested(count: int, motion: str = "DYNAMIC") -> None:
    ground()
    above = None
    for i in range(count):
        above = thing(f"Thing {i}", (1.0, 0.0, 0.5 if i else DROP), parent=above)
    above.omi_physics.motion.type = motion


case("bodies in bodies", lambda: _nested(2))
case("bodies in bodies in bodies", lambda: _nested(3))


# Motion


def _thrown(linear: Vector, spin: Vector = HERE, turn: Vector = HERE, kind: str = "SPHERE") -> None:
    obj = thing(place=(0.0, 0.0, 20.0), kind=kind, turn=turn)
    obj.omi_physics.motion.linear_velocity = linear
    obj.omi_physics.motion.angular_velocity = spin


case("thrown", lambda: _thrown((2.0, 1.0, 3.0)))
case("thrown and turned", lambda: _thrown((2.0, 1.0, 3.0), turn=(0.5, 1.0, 1.5)))
case("spinning", lambda: _thrown(HERE, (0.0, 0.0, 3.0), (0.5, 1.0, 1.5)))


def _kinematic() -> None:
    thing(motion="KINEMATIC").omi_physics.motion.linear_velocity = (1.0, 0.0, 0.0)


case("moving platform", _kinematic)


def _factor() -> None:
    thing(place=(0.0, 0.0, 20.0)).omi_physics.motion.gravity_factor = 0.5


case("gravity factor", _factor)


def _sliding(**values: Any) -> None:
    floor = ground()
    obj = thing(place=(0.0, 0.0, 0.25))
    obj.omi_physics.motion.linear_velocity = (2.0, 0.0, 0.0)
    for each, name in ((floor, "Floor"), (obj, "Thing")):
        if values:
            surface(each, name, **values)


case("sliding on what is usual", _sliding)
case("sliding on ice", lambda: _sliding(static_friction=0.05, dynamic_friction=0.05))


def _bouncing() -> None:
    floor, obj = ground(), thing(kind="SPHERE")
    surface(floor, "Floor", restitution=0.8)
    surface(obj, "Ball", restitution=0.8)


case("bouncing", _bouncing)


def _filtered() -> None:
    ground()
    obj = thing()
    entry = bpy.context.scene.omi_physics.collision_filters.add()
    entry.name = "Ghost"
    entry.collision_systems.add().name = "ghosts"
    entry.collide_with_systems.add().name = "ghosts"
    entry.mode = entry.bl_rna.properties["mode"].enum_items[1].identifier
    obj.omi_physics.collider.collision_filter = "Ghost"


case("filtered", _filtered)


def _trigger() -> None:
    ground()
    obj = add("Zone", cube_mesh(), location=(0.0, 0.0, 0.5))
    obj.omi_physics.use_trigger = True
    sized(obj.omi_physics.trigger.shape, "BOX", 2.0)
    thing()


case("falling through a trigger", _trigger)


# Joints


def _hung(kind: JointKind, motion: str = "STATIC", on_body: bool = False, **how: Any) -> None:
    holder = post(motion)
    obj = thing(place=(1.0, 0.0, 3.0))
    if motion == "DYNAMIC":  # It stands on a pillar, too heavy to be pulled off.
        holder.omi_physics.motion.mass = 2000.0
        thing("Pillar", (0.0, 0.0, 2.4), motion="STATIC", size=2.0)
    joined(obj, holder, kind, (0.5, 0.0, 3.0), on_body=on_body, **how)


def _turning(axis: int, low: float | None, high: float | None) -> JointKind:
    return JointKind(kind="hinge", axis=axis, turn_min=low, turn_max=high)


for _axis, _letter in enumerate("XYZ"):
    case(f"hinge {_letter}", lambda axis=_axis: _hung(_turning(axis, None, None)))
    case(f"hinge {_letter} limited", lambda axis=_axis: _hung(_turning(axis, -0.3, 0.8)))
    case(f"hinge {_letter} with one end", lambda axis=_axis: _hung(_turning(axis, None, 0.5)))


def _sliding_joint(axis: int, low: float | None, high: float | None) -> None:
    holder = post()
    obj = thing(place=(1.0, 0.0, 3.0))
    slope = (0.6, 0.5, 0.0)
    joined(
        obj, holder, JointKind(kind="slider", axis=axis, min=low, max=high), (1.0, 0.0, 3.0), slope
    )


for _axis, _letter in enumerate("XYZ"):
    case(f"slider {_letter}", lambda axis=_axis: _sliding_joint(axis, None, None))
    case(f"slider {_letter} limited", lambda axis=_axis: _sliding_joint(axis, -0.3, 0.4))
case("slider with one end", lambda: _sliding_joint(2, -0.4, None))
case("fixed", lambda: _hung(JointKind(kind="fixed")))
case("ball", lambda: _hung(JointKind(kind="ball")))
case("ball on the body", lambda: _hung(JointKind(kind="ball"), on_body=True))
case("fixed on the body", lambda: _hung(JointKind(kind="fixed"), on_body=True))
case("ball to what moves", lambda: _hung(JointKind(kind="ball"), "DYNAMIC"))
case("fixed to what moves", lambda: _hung(JointKind(kind="fixed"), "DYNAMIC"))
case("hinge to a kinematic body", lambda: _hung(_turning(1, -0.3, 0.8), "KINEMATIC"))
case(
    "piston",
    lambda: _hung(JointKind(kind="piston", axis=2, min=-0.3, max=0.0, turn_min=-0.2, turn_max=0.2)),
)
case("rope", lambda: _hung(JointKind(kind="rope", max=0.6)))
case(
    "cone-twist",
    lambda: _hung(JointKind(kind="cone_twist", axis=0, swing=0.4, turn_min=-0.2, turn_max=0.2)),
)
case(
    "six degrees",
    lambda: _hung(JointKind(kind="six_dof", min=-0.2, max=0.2, turn_min=-0.2, turn_max=0.2)),
)
case(
    "soft hinge",
    lambda: _hung(
        JointKind(kind="hinge", axis=1, turn_min=0.0, turn_max=0.2, stiffness=200.0, damping=40.0)
    ),
)


def _to_nothing(swapped: bool, holder: str) -> None:
    """A joint between a body and something that is none, or is a static body of parts."""
    obj = thing(place=(1.0, 0.0, 3.0))
    if holder == "parts":
        other = hollow("Rail", (0.0, 0.0, 3.0), "STATIC")
        part("Bar", other, HERE)
    else:
        other = add("Hook", None, location=(0.0, 0.0, 3.0))
    ends = (other, obj) if swapped else (obj, other)
    joined(*ends, _turning(1, -0.3, 0.8), (0.5, 0.0, 3.0))


case("hinge to an empty", lambda: _to_nothing(False, "empty"))
case("hinge below an empty", lambda: _to_nothing(True, "empty"))
case("hinge to a static body of parts", lambda: _to_nothing(False, "parts"))
case("hinge below a static body of parts", lambda: _to_nothing(True, "parts"))


def _driven(kind: str, axis: int, linear: bool, **values: Any) -> None:
    drive = JointDrive(type="linear" if linear else "angular", axis=AxisIndex(axis), **values)
    _hung(JointKind(kind=kind, axis=axis, drive=drive))


SERVO: Final = {"stiffness": 2000.0, "damping": 400.0}
for _axis, _letter in enumerate("XYZ"):
    case(
        f"servo {_letter}",
        lambda axis=_axis: _driven("servo", axis, False, position_target=0.4, **SERVO),
    )
    case(
        f"motor {_letter}",
        lambda axis=_axis: _driven("motor", axis, False, velocity_target=0.5, damping=1000.0),
    )
case("linear servo", lambda: _driven("servo", 0, True, position_target=0.3, **SERVO))
case("linear motor", lambda: _driven("motor", 0, True, velocity_target=0.2, damping=1000.0))


# Vehicles


def _car(mass: float, stiffness: float) -> None:
    ground()
    car = thing("Car", (0.0, 0.0, 0.75))
    car.omi_physics.collider.shape.box.size = (1.0, 2.0, 0.4)
    car.omi_physics.motion.mass = mass
    car.omi_physics.use_vehicle_body = True
    for i, (x, y) in enumerate(((-0.6, -0.8), (0.6, -0.8), (-0.6, 0.8), (0.6, 0.8))):
        wheel = add(f"Wheel {i}", None, location=(x, y, -0.1), parent=car)
        wheel.omi_physics.use_wheel = True
        group = wheel.omi_physics.wheel
        group.radius, group.suspension_travel = 0.3, 0.3
        group.suspension_stiffness = stiffness
        group.suspension_damping_compression = group.suspension_damping_rebound = (
            0.3 * stiffness**0.5 * mass**0.5
        )


case("car", lambda: _car(900.0, 30000.0))
case("light car", lambda: _car(400.0, 30000.0))
