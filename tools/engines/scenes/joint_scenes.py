"""Scenes about joints: each kind, with and without limits and drives, between all sorts of ends."""

from __future__ import annotations

import math
from typing import Any

import bpy

from omi_physics_addon.model.joint_kinds import JointKind, Kind

from .building import (
    Place,
    Scene,
    add,
    body,
    choose,
    cube,
    drive,
    joint,
    link,
    material,
    motion,
    scenes_of,
    shape,
    wall,
)

SCENES: list[Scene] = []
_kinds = scenes_of("Joints", SCENES)
_ends = scenes_of("Ends of joints", SCENES)
_drives = scenes_of("Drives", SCENES)
_OPS: Any = bpy.ops
X, Y, Z = range(3)
QUARTER = math.pi / 2.0


def _made(kind: Kind, axis: int = Z, **values: Any) -> JointKind:
    return JointKind(kind=kind, axis=axis, **values)


def _hung(kind: JointKind, at: Place = (0.8, 0.0, 0.0), **values: Any) -> Any:
    """A body beside a static wall at the origin, where a joint holds it."""
    obj = body("Body", at, size={"size": (0.4, 0.3, 0.2)}, **values)
    joint(kind, obj, wall(), (0.0, 0.0, 0.0))
    return obj


_SWINGS = dict.fromkeys(("GODOT_4", "BABYLON"), "a free swing gets ahead by what a step adds")
_SETTLES = {"BABYLON": "what is thrown back settles later where steps are large"}
_STIFF = {"BABYLON": "a stiff spring swings at first where steps are large"}
_FAR = {"GODOT_READER": "what begins far from its range comes back by a share of that in a step"}
_END = "no specification says how much a hard end throws back; Havok does, and Jolt a little"
_ROPE = "a rope that tightens throws back, as hard ends do"


@_kinds("fixed")
def _() -> None:
    _hung(_made("fixed"))


@_kinds("ball", steps=_SWINGS)
def _() -> None:
    _hung(_made("ball"), (0.5, 0.0, -0.6))


@_kinds("hinge about X", steps=_SWINGS)
def _() -> None:
    _hung(_made("hinge", X), (0.0, 0.5, -0.6))


@_kinds("hinge about Y", steps=_SWINGS)
def _() -> None:
    _hung(_made("hinge", Y), (0.5, 0.0, -0.6))


_SLOW: dict[str, Any] = {"inertia_mode": "VALUE", "inertia_diagonal": (0.7, 1.2, 0.7)}


@_kinds("hinge about Y, with moments of inertia", steps=_SWINGS)
def _() -> None:
    _hung(_made("hinge", Y), mass_mode="VALUE", mass=3.0, **_SLOW)


@_kinds("hinge about Y, with moments of inertia and no mass", told={"BABYLON": "X58"})
def _() -> None:
    _hung(_made("hinge", Y), mass_mode="ENGINE", **_SLOW)


_ASIDE: dict[str, Any] = {"center_of_mass": (0.2, 0.1, -0.3), "mass": 2.0}


@_kinds("hinge about Y, with a center of mass elsewhere", steps=_SWINGS)
def _() -> None:
    _hung(_made("hinge", Y), **_ASIDE)


@_kinds("hinge about Y, with a center of mass elsewhere, scaled", steps=_SWINGS)
def _() -> None:
    _hung(_made("hinge", Y), scale=(1.5, 1.0, 2.0), **_ASIDE)


@_kinds("hinge about Y, of a turned hull whose origin is elsewhere", steps=_SWINGS)
def _() -> None:
    wedge = cube((0.4, 0.3, 0.2), (0.3, 0.1, 0.2))
    obj = body("Body", (0.5, 0.0, 0.0), "CONVEX", data=wedge, turn=(0.4, 0.3, 0.9), scale=1.5)
    joint(_made("hinge", Y), obj, wall(), (0.0, 0.0, 0.0))


@_kinds("hinge about Z, spun")
def _() -> None:
    _hung(_made("hinge", Z), (0.8, 0.0, 0.0), linear_velocity=(0.0, 0.8, 0.0))


@_kinds("hinge about X, limited evenly", rests=_END)
def _() -> None:
    _hung(_made("hinge", X, turn_min=-0.5, turn_max=0.5), (0.0, 0.8, 0.0))


@_kinds("hinge about Y, limited evenly", rests=_END)
def _() -> None:
    _hung(_made("hinge", Y, turn_min=-0.5, turn_max=0.5))


@_kinds("hinge about Z, limited evenly", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(
        _made("hinge", Z, turn_min=-0.5, turn_max=0.5),
        obj,
        wall(),
        (0.0, 0.0, 0.0),
        turn=(QUARTER, 0.0, 0.0),
    )


@_kinds("hinge about X, limited to one side", rests=_END, steps=_SETTLES)
def _() -> None:
    _hung(_made("hinge", X, turn_min=-1.0, turn_max=0.3), (0.0, 0.8, 0.0))


@_kinds("hinge about Y, limited to one side", rests=_END)
def _() -> None:
    _hung(_made("hinge", Y, turn_min=-0.3, turn_max=1.0))


@_kinds("hinge about Z, limited to one side", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(
        _made("hinge", Z, turn_min=-0.2, turn_max=1.0),
        obj,
        wall(),
        (0.0, 0.0, 0.0),
        turn=(QUARTER, 0.0, 0.0),
    )


@_kinds("hinge with one end of its range", rests=_END)
def _() -> None:
    _hung(_made("hinge", Y, turn_max=0.6))


@_kinds("slider along X")
def _() -> None:
    obj = body("Body", linear_velocity=(1.0, 0.0, 0.0))
    joint(_made("slider", X), obj, None, (0.0, 0.0, 0.0))


def _on_slope(axis: int, low: float | None, high: float | None) -> None:
    """A body on a slider that leans, so that its weight moves it."""
    obj = body("Body", size={"size": (0.4, 0.3, 0.2)})
    kind = _made("slider", axis, min=low, max=high)
    joint(kind, obj, wall((0.0, 0.0, -6.0)), (0.0, 0.0, 0.0), turn=(0.6, 0.5, 0.0))


@_kinds("slider along Y that leans")
def _() -> None:
    _on_slope(Y, None, None)


@_kinds("slider along Y whose arm goes far")
def _() -> None:
    obj = body(
        "Body", (0.5, 0.0, 0.0), size={"size": (1.0, 0.2, 0.2)}, linear_velocity=(0.0, 0.5, 0.0)
    )
    joint(_made("slider", Y), obj, wall((0.0, 0.0, -6.0)), (0.0, 0.0, 0.0))


@_kinds("slider along X that leans, limited", rests=_END)
def _() -> None:
    _on_slope(X, -0.3, 0.4)


@_kinds("slider along Y that leans, limited", rests=_END)
def _() -> None:
    _on_slope(Y, -0.3, 0.4)


@_kinds("slider along Z that leans, limited", rests=_END)
def _() -> None:
    _on_slope(Z, -0.4, 0.3)


@_kinds("slider along Z, limited", rests=_END)
def _() -> None:
    _hung(_made("slider", Z, min=-0.7, max=0.2))


@_kinds("slider along Z with one end of its range", rests=_END)
def _() -> None:
    _hung(_made("slider", Z, min=-0.7))


@_kinds("slider along X that leans, with one end of its range", rests=_END)
def _() -> None:
    _on_slope(X, None, 0.4)


@_kinds("piston", rests=_END)
def _() -> None:
    _hung(_made("piston", Z, min=-0.6, max=0.0), (0.3, 0.0, 0.0))


@_kinds("rope, hanging", told={"GODOT_4": "X48"}, rests=_ROPE)
def _() -> None:
    obj = body("Body", (0.0, 0.0, -0.6), size={"size": (0.3, 0.3, 0.3)})
    joint(_made("rope", max=1.0), obj, wall(), (0.0, 0.0, 0.0))


@_kinds("rope that pulls aside", told={"GODOT_4": "X48", "BABYLON": "L11"}, steps=_SWINGS)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.2, 0.2, 0.2)})
    link(obj_end(obj), anchor((0.0, 0.0, 0.0)), _made("rope", max=1.0))


@_kinds("cone-twist", told={"GODOT_4": "X48", "BABYLON": "X56"})
def _() -> None:
    _hung(
        _made("cone_twist", Z, swing=0.4, turn_min=-0.3, turn_max=0.3),
        (0.0, 0.0, 0.8),
        linear_velocity=(0.5, 0.0, 0.0),
    )


@_kinds("cone-twist, hanging over", told={"GODOT_4": "X48", "BABYLON": "X56"})
def _() -> None:
    _hung(_made("cone_twist", X, swing=0.4))


@_kinds("6-DOF with room to slide")
def _() -> None:
    obj = body("Body")
    kind = _made("six_dof", min=-0.3, max=0.3, turn_min=0.0, turn_max=0.0)
    joint(kind, obj, wall((3.0, 0.0, 0.0)), (0.0, 0.0, 0.0))


@_kinds("6-DOF with room to turn", told={"GODOT_4": "X53", "BABYLON": "X56"})
def _() -> None:
    _hung(_made("six_dof", min=-0.2, max=0.2, turn_min=-0.4, turn_max=0.4))


@_kinds("soft limit along an axis", told={"GODOT_4": "X33"}, steps=_STIFF)
def _() -> None:
    _hung(_made("slider", Z, min=-0.2, max=0.2, stiffness=60.0, damping=6.0))


@_kinds("soft limit of an angle", told={"GODOT_4": "X33"}, steps=_STIFF)
def _() -> None:
    _hung(_made("hinge", Y, turn_min=-0.1, turn_max=0.1, stiffness=30.0, damping=4.0))


def obj_end(obj: Any) -> Any:
    """An empty in the middle of an object."""
    return add(f"{obj.name} End", below=obj)


def anchor(at: Place) -> Any:
    """An empty that hangs on nothing."""
    return add("Anchor", at)


# Ends of joints


@_ends("joint on the body's own object", steps=_SWINGS)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    link(obj, wall((0.8, 0.0, 0.0)), _made("fixed"))


@_ends("joint on an object below a child of the body")
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    middle = add("Middle", below=obj)
    link(add("Joint", (-0.8, 0.0, 0.0), below=middle), wall(), _made("fixed"))


@_ends("joint of a body below the static one that it is connected to", steps=_SWINGS)
def _() -> None:
    held = wall()
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)}, below=held)
    joint(_made("hinge", Y), obj, held, (0.0, 0.0, 0.0))


@_ends("joints of bodies below the empty that they are connected to", steps=_SWINGS)
def _() -> None:
    root = add("Root", turn=(0.3, 0.2, 0.1))
    for name, x in (("One", 0.6), ("Two", 1.3)):
        obj = body(name, (x, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)}, below=root)
        link(add(f"{name} Joint", (-x, 0.0, 0.0), below=obj), root, _made("hinge", Y))


@_ends("joint that hangs on no body", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(_made("hinge", Y, turn_min=-0.4, turn_max=0.4), None, obj, (0.0, 0.0, 0.0))


@_ends("joint to a place in the world", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(_made("hinge", Y, turn_min=-0.4, turn_max=0.4), obj, None, (0.0, 0.0, 0.0))


@_ends("joint to a static body whose shapes are on children")
def _() -> None:
    frame = add("Frame")
    motion(frame, "STATIC")
    for i, z in enumerate((-0.2, 0.2)):
        shape(add(f"Bar {i}", (0.0, 0.0, z), below=frame), "BOX", size=(0.2, 0.2, 0.2))
    obj = body("Body", (0.25, 0.0, 0.0), size={"size": (0.4, 0.3, 0.5)})
    joint(_made("fixed"), obj, frame, (0.0, 0.0, 0.0))


@_ends("joint to a kinematic body", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    held = wall()
    motion(held, "KINEMATIC")
    joint(_made("hinge", Y, turn_min=-0.4, turn_max=0.4), obj, held, (0.0, 0.0, 0.0))


@_ends("joint from a static body to a dynamic one", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(_made("hinge", Y, turn_min=-0.2, turn_max=0.6), wall(), obj, (0.0, 0.0, 0.0))


@_ends("two dynamic bodies that fall")
def _() -> None:
    one, two = body("One"), body("Two", (1.5, 0.0, 0.0))
    joint(_made("fixed"), one, two, (0.75, 0.0, 0.0))


def _stand() -> Any:
    """A body that stands still because it is heavy and lies on a pillar."""
    pillar = add("Pillar", (0.0, 0.0, -0.7))
    shape(pillar, "BOX", size=(1.0, 1.0, 1.0))
    return body("Stand", size={"size": (0.4, 0.4, 0.4)}, mass=2000.0)


@_ends("ball to a heavy body that lies", steps=_SWINGS)
def _() -> None:
    obj = body("Body", (1.2, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(_made("ball"), obj, _stand(), (0.6, 0.0, 0.0))


@_ends("fixed to a heavy body that lies")
def _() -> None:
    obj = body("Body", (1.2, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    joint(_made("fixed"), obj, _stand(), (0.6, 0.0, 0.0))


@_ends("chain of balls", steps=_SWINGS)
def _() -> None:
    last = wall()
    for i in range(4):
        at = (0.3 * i + 0.3, 0.0, -0.4 * i - 0.4)
        ball = body(f"Ball {i}", at, "SPHERE", size={"radius": 0.15})
        joint(_made("ball"), ball, last, (0.3 * i + 0.15, 0.0, -0.4 * i - 0.2))
        last = ball


@_ends("ball to a compound", told={"GODOT_4": "X72", "BABYLON": "X72"})
def _() -> None:
    """A body shaped as an L of two boxes, which turns about all of its axes."""
    obj = add("Body", (0.5, 0.2, -0.6))
    motion(obj, mass=3.0, center_of_mass_mode="SHAPES")
    for name, at, size in (
        ("Long", (0.0, 0.0, 0.0), (0.8, 0.1, 0.1)),
        ("Across", (0.4, 0.3, 0.0), (0.1, 0.6, 0.1)),
    ):
        shape(add(name, at, below=obj), "BOX", size=size)
    joint(_made("ball"), obj, wall(), (0.0, 0.0, 0.0))


@_ends("bodies that may collide though they are joined", told={"GODOT_4": "X26"})
def _() -> None:
    held = wall(size=(1.0, 1.0, 0.2))
    obj = body("Body", (0.0, 0.0, 0.8), size={"size": (0.4, 0.4, 0.4)})
    joint(_made("slider", Z), obj, held, (0.0, 0.0, 0.8), collide=True)
    material("Rough", held, obj)


@_ends("joint on scaled bodies", rests=_END)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.2, 0.15, 0.1)}, scale=2.0)
    held = wall()
    held.scale = (3.0, 3.0, 3.0)
    joint(_made("hinge", Y, turn_min=-0.3, turn_max=0.7), obj, held, (0.0, 0.0, 0.0))


@_ends("ends in other places", told={"GODOT_4": "X30"}, steps=_FAR)
def _() -> None:
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    link(add("Joint", below=obj), add("Pivot", below=wall()), _made("slider", Z, min=-0.3, max=0.3))


@_ends("Connect Selected")
def _() -> None:
    held = wall()
    obj = body("Body", (0.8, 0.0, 0.0), size={"size": (0.4, 0.3, 0.2)})
    choose(held, obj)
    _OPS.object.omi_physics_connect_selected(kind="FIXED")


# Drives


@_drives("servo along Z", steps=_STIFF)
def _() -> None:
    spring = drive("linear", position_target=0.5, stiffness=200.0, damping=28.0)
    _hung(_made("servo", Z, drive=spring))


@_drives("servo along Z that holds a mass from its density", steps=_STIFF)
def _() -> None:
    spring = drive("linear", position_target=0.0, stiffness=400.0, damping=100.0)
    _hung(_made("servo", Z, drive=spring), mass_mode="DENSITY", density=500.0)


@_drives("servo about X", steps=_STIFF)
def _() -> None:
    spring = drive(position_target=0.7, stiffness=60.0, damping=12.0)
    _hung(_made("servo", X, drive=spring), (0.0, 0.4, 0.0))


@_drives("servo about Y", steps=_STIFF)
def _() -> None:
    spring = drive(position_target=0.7, stiffness=60.0, damping=12.0)
    _hung(_made("servo", Y, drive=spring), (0.4, 0.0, 0.0))


@_drives("servo about Z", steps=_STIFF)
def _() -> None:
    spring = drive(position_target=0.7, stiffness=60.0, damping=12.0)
    _hung(_made("servo", Z, drive=spring), (0.4, 0.0, 0.0))


@_drives("servo without a force")
def _() -> None:
    spring = drive("linear", position_target=1.0, stiffness=100.0, damping=20.0, max_force=0.0)
    obj = body("Body", size={"size": (0.4, 0.3, 0.2)})
    joint(_made("servo", X, drive=spring), obj, wall((0.0, 0.0, 4.0)), (0.0, 0.0, 0.0))


@_drives("servo for any mass", told={"GODOT_4": "X35", "BABYLON": "X55"})
def _() -> None:
    spring = drive("linear", "acceleration", position_target=0.5, stiffness=40.0, damping=12.0)
    _hung(_made("servo", Z, drive=spring), mass=10.0)


@_drives("motor about X", told={"BABYLON": "X41"})
def _() -> None:
    _hung(_made("motor", X, drive=drive(velocity_target=1.0, damping=500.0)), (0.0, 0.4, 0.0))


@_drives("motor about Y", told={"BABYLON": "X41"})
def _() -> None:
    _hung(_made("motor", Y, drive=drive(velocity_target=1.0, damping=500.0)), (0.4, 0.0, 0.0))


@_drives("motor about Z", told={"BABYLON": "X41"})
def _() -> None:
    _hung(_made("motor", Z, drive=drive(velocity_target=1.0, damping=500.0)), (0.4, 0.0, 0.0))


@_drives("motor about Y that yields", told={"BABYLON": "X41", "GODOT_4": "X34"})
def _() -> None:
    _hung(_made("motor", Y, drive=drive(velocity_target=-1.5, damping=1.0)), (0.6, 0.0, 0.0))


@_drives("motor along X", told={"BABYLON": "X41"})
def _() -> None:
    obj = body("Body")
    motor = drive("linear", velocity_target=0.4, damping=500.0)
    joint(_made("motor", X, drive=motor), obj, wall((0.0, 0.0, 4.0)), (0.0, 0.0, 0.0))


@_drives("motor along Z under load", told={"BABYLON": "X41", "GODOT_4": "X34"})
def _() -> None:
    motor = drive("linear", velocity_target=0.3, damping=60.0)
    _hung(_made("motor", Z, drive=motor))


@_drives("motor with a largest force", told={"BABYLON": "X41"})
def _() -> None:
    obj = body("Body", mass=2.0)
    motor = drive("linear", velocity_target=3.0, damping=1000.0, max_force=2.0)
    joint(_made("motor", X, drive=motor), obj, wall((0.0, 0.0, 4.0)), (0.0, 0.0, 0.0))
