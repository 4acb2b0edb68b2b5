"""The example `car`: one to drive over bumps, off a ramp and into a wall of boxes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    brighten,
    fill,
    make_body,
    make_collider,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

START = 22.0  # Where the car stands along Y, m; it drives toward -Y.
RAMP = -9.0  # Middle of the ramp.
WALL = -22.0  # The boxes behind it.
_ENDS = (28.0, -38.0)  # Of the ground.
_HALF_WIDTH = 15.0
_SQUARE = 1.5  # Edge of the squares that it is made of.
_MASS = 900.0
_RADIUS, _TRAVEL, _STIFFNESS = 0.42, 0.35, 25000.0
_NODE = 0.2  # Of the wheels below the middle of the chassis.


def height(x: float, y: float) -> float:
    """Of the ground: level at the start and behind the ramp, with banks at both sides."""
    bumps = 0.16 * math.sin(0.95 * x + 0.9) * math.sin(0.9 * y) + 0.1 * math.sin(0.55 * y + 0.4)
    bank = max(abs(x) - 5.5, 0.0)
    return bumps * _between(y, -3.0, 18.0) + 0.11 * bank**1.6


def _between(y: float, low: float, high: float) -> float:
    """1 between two places, 0 outside, and smooth over three metres."""
    share = min(y - low, high - y) / 3.0
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def add_surfaces(stage: Stage) -> None:
    """What tires and boxes rub on."""
    stage.surface("Tire", static_friction=1.0, dynamic_friction=1.0)
    stage.surface("Earth", static_friction=0.9, dynamic_friction=0.9)
    stage.surface("Cardboard", static_friction=0.5, dynamic_friction=0.5)


def add_ground(stage: Stage) -> None:
    """Static; its triangles are solid."""
    form = forms.sheet((-_HALF_WIDTH, _HALF_WIDTH), (_ENDS[1], _ENDS[0]), _SQUARE, height)
    ground = stage.place("Ground", stage.mesh("Ground", form, "Meadow"), HERE, group="Static")
    make_body(ground, "STATIC")
    make_collider(ground, "TRIMESH", surface="Earth")
    ramp = forms.wedge(5.0, 3.2, 1.0)
    turn = (0.0, 0.0, math.radians(90.0))  # It rises toward -Y.
    obj = stage.place(
        "Ramp", stage.mesh("Ramp", ramp, "Wood"), (0.0, RAMP, 0.0), rotation=turn, group="Static"
    )
    make_body(obj, "STATIC")
    make_collider(obj, "CONVEX", surface="Earth")


def add_scenery(stage: Stage) -> None:
    """Static trees and rocks along the way."""
    trunk = stage.mesh("Trunk", forms.turned(forms.cylinder(1.6, 0.16), 10), "Wood")
    crown = stage.mesh("Crown", forms.turned(forms.CROWN, 12), "Leaves")
    places = (
        *((7.6, 19.5), (-8.2, 15.0), (8.6, 9.5), (-7.4, 6.0), (9.2, 1.0), (-8.8, -4.0)),
        *((7.8, -10.5), (-7.9, -15.0), (8.9, -20.0), (-8.4, -26.5), (8.2, -31.0)),
    )
    for number, (x, y) in enumerate(places, 1):
        z = height(x, y)
        tree = stage.place(f"Tree {number}", trunk, (x, y, z + 0.6), group="Static")
        make_body(tree, "STATIC")
        sizes = {"height": 1.6, "radius_bottom": 0.16, "radius_top": 0.16}
        make_collider(tree, "CYLINDER", sizes=sizes)
        stage.place(f"Crown {number}", crown, (0.0, 0.0, 0.5), below=tree)
    mesh = stage.mesh("Rock", forms.rock(0.75), "Stone")
    for number, (x, y) in enumerate(((-3.4, 11.5), (5.2, 5.5), (-5.2, -1.0), (4.9, -16.0)), 1):
        turn = (0.0, 0.0, 1.3 * number)
        place = (x, y, height(x, y) + 0.25)
        rock = stage.place(f"Rock {number}", mesh, place, rotation=turn, group="Static")
        make_body(rock, "STATIC")
        make_collider(rock, "CONVEX", surface="Earth")


def add_things(stage: Stage) -> None:
    """Dynamic: cones beside the way, and light boxes in its way."""
    mesh = stage.mesh("Cone", forms.turned(forms.CONE, 14), "Orange")
    places = ((2.1, 17.0), (-2.1, 17.0), (2.4, -4.9), (-2.4, -4.9), (2.4, -12.3), (-2.4, -12.3))
    for number, (x, y) in enumerate(places, 1):
        place = (x, y, height(x, y))
        cone = stage.place(f"Cone {number}", mesh, place, group="Dynamic")
        make_body(cone, "DYNAMIC", mass=2.0, center_of_mass=(0.0, 0.0, 0.2))
        make_collider(cone, "CONVEX", surface="Cardboard")
    size = (0.9, 0.9, 0.9)
    colors = ("Yellow", "Wood", "Blue", "White", "Orange", "Wood")
    number = 0
    for row in range(3):
        for column in range(4 - row):
            x = (column - 0.5 * (3 - row)) * 1.0
            place = (x, WALL, (row + 0.5) * size[2])
            color = colors[(2 * row + column) % len(colors)]
            number += 1
            box = stage.block(f"Box {number}", size, place, color, "DYNAMIC", mass=8.0)
            box.omi_physics.collider.physics_material = "Cardboard"


def _part(stage: Stage, name: str, form: forms.Form, color: str, place: Vector, car: Any) -> Any:
    return stage.place(name, stage.mesh(name, form, color), place, below=car)


def add_car(stage: Stage) -> None:
    """Dynamic, on four wheels that are sprung softly; it starts where its springs carry it."""
    pressed = _MASS * 9.81 / 4.0 / _STIFFNESS
    rest = _RADIUS + _NODE + _TRAVEL - pressed
    size = (1.5, 3.7, 0.42)
    car = stage.block("Car", size, (0.0, START, rest), "Red", "DYNAMIC", mass=_MASS)
    cabin = forms.frustum((1.42, 1.9), (1.12, 1.2), 0.55)
    top = _part(stage, "Cabin", cabin, "Glass", (0.0, 0.25, 0.21), car)
    make_collider(top, "CONVEX")
    _part(stage, "Roof", forms.box((1.16, 1.24, 0.06)), "Red", (0.0, 0.25, 0.78), car)
    for name, y in (("Front", -1.88), ("Back", 1.88)):
        _part(stage, f"Bumper {name}", forms.box((1.56, 0.16, 0.2)), "Stone", (0.0, y, -0.08), car)
    for side, x in (("Left", 0.52), ("Right", -0.52)):
        lamp = forms.box((0.28, 0.06, 0.14))
        _part(stage, f"Lamp {side}", lamp, "Yellow", (x, -1.86, 0.1), car)
        _part(stage, f"Tail Light {side}", lamp, "Orange", (x, 1.86, 0.1), car)
    _add_wheels(stage, car)
    seat = stage.empty("Seat", (0.35, 0.3, 0.3), below=car)
    seat.omi_physics.use_seat = True
    car.omi_physics.use_vehicle_body = True
    fill(
        car.omi_physics.vehicle_body, {"pilot_seat": seat, "max_speed": 8.0, "use_throttle": False}
    )


def _add_wheels(stage: Stage, car: Any) -> None:
    """Two that steer and two that drive; the origin is where the springs are fully pressed."""
    tire = stage.mesh(
        "Tire", forms.laid_along_x(forms.turned(forms.tire(0.28, _RADIUS), 24)), "Rubber"
    )
    hub = stage.mesh("Hub", forms.box((0.3, 0.52, 0.13)), "White")
    common = {
        "radius": _RADIUS,
        "width": 0.28,
        "braking_force": 2200.0,
        "suspension_stiffness": _STIFFNESS,
        "suspension_travel": _TRAVEL,
        "suspension_damping_compression": 1800.0,
        "suspension_damping_rebound": 2400.0,
        "physics_material": "Tire",
    }
    front = {"max_steering_angle": math.radians(28.0), "steering_change_rate": 1.2}
    back = {"max_propulsion_force": 2200.0, "propulsion_force_change_rate": 6000.0}
    for end, y in (("Front", -1.25), ("Back", 1.25)):
        for side, x in (("Left", 0.86), ("Right", -0.86)):
            wheel = stage.place(f"Wheel {end} {side}", tire, (x, y, -_NODE), below=car)
            wheel.omi_physics.use_wheel = True
            fill(wheel.omi_physics.wheel, {**common, **(front if end == "Front" else back)})
            stage.place(f"Hub {end} {side}", hub, HERE, below=wheel)


def add_view(stage: Stage) -> None:
    """From behind the car, which takes the camera along."""
    add_camera_and_lights(stage, (2.6, 8.4, 3.2), 76.0, heading=164.0)
    stage.scene.camera.parent = stage.data.objects["Car"]
    brighten(stage)


EXHIBITS = (
    add_surfaces,
    add_ground,
    add_scenery,
    add_things,
    add_car,
    add_view,
)
