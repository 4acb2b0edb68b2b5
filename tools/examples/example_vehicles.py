"""The example `vehicles`: a car, a hovercraft and a rocket; the front of each is -Y."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    add_camera_and_lights,
    fill,
    make_body,
    make_collider,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

UPWARD: Vector = (math.radians(-90.0), 0.0, 0.0)  # Turns -Y, along which thrusters push, up.


def add_ground(stage: Stage) -> None:
    """Static, with a surface for tires."""
    stage.surface("Rubber", static_friction=1.1, dynamic_friction=1.0)
    stage.surface("Asphalt", static_friction=0.9, dynamic_friction=0.8)
    stage.ground((14.0, 10.0, 0.3), surface="Asphalt")


def make_vehicle(obj: Any, seat: Any, **values: Any) -> None:
    """Make a vehicle of a body."""
    obj.omi_physics.use_vehicle_body = True
    fill(obj.omi_physics.vehicle_body, {"pilot_seat": seat, **values})


def add_seat(stage: Stage, name: str, location: Vector, below: Any) -> Any:
    """A seat with a trigger around it, where a character gets in."""
    seat = stage.empty(name, location, below=below)
    seat.omi_physics.use_seat = True
    make_trigger(seat, "BOX", sizes={"size": (2.4, 1.4, 1.4)})
    return seat


def add_wheels(stage: Stage, car: Any) -> None:
    """Two that steer and two that drive."""
    form = forms.laid_along_x(forms.turned(forms.cylinder(0.24, 0.34), 24))
    mesh = stage.mesh("Wheel", form, "Stone")
    places = {
        "Wheel Front Left": (0.85, -1.25, -0.2),
        "Wheel Front Right": (-0.85, -1.25, -0.2),
        "Wheel Back Left": (0.85, 1.25, -0.2),
        "Wheel Back Right": (-0.85, 1.25, -0.2),
    }
    common = {
        "radius": 0.34,
        "width": 0.24,
        "braking_force": 2500.0,
        "suspension_stiffness": 30000.0,
        "physics_material": "Rubber",
    }
    front = {"max_steering_angle": math.radians(32.0), "steering_change_rate": 1.5}
    back = {"max_propulsion_force": 3000.0, "propulsion_force_change_rate": 6000.0}
    for name, place in places.items():
        wheel = stage.place(name, mesh, place, below=car)
        wheel.omi_physics.use_wheel = True
        fill(wheel.omi_physics.wheel, {**common, **(front if "Front" in name else back)})


def add_car(stage: Stage) -> None:
    """Dynamic, on four wheels."""
    car = stage.block("Car", (1.5, 3.6, 0.5), (-4.0, 0.0, 0.65), "Red", "DYNAMIC", mass=900.0)
    cabin_size = (1.3, 1.5, 0.5)
    mesh = stage.mesh("Car Cabin", forms.box(cabin_size), "White")
    cabin = stage.place("Car Cabin", mesh, (0.0, 0.3, 0.5), below=car)
    make_collider(cabin, "BOX", sizes={"size": cabin_size})
    add_wheels(stage, car)
    seat = add_seat(stage, "Car Seat", (0.35, 0.3, 0.1), car)
    make_vehicle(car, seat, max_speed=40.0, use_throttle=False)


def add_hovercraft(stage: Stage) -> None:
    """Dynamic; four hover thrusters carry it, a fan at its back drives it."""
    craft = stage.block(
        "Hovercraft", (2.0, 3.0, 0.3), (0.2, 0.0, 0.9), "Blue", "DYNAMIC", mass=400.0
    )
    mesh = stage.mesh("Hover Thruster", forms.turned(forms.cylinder(0.2, 0.3), 20), "Steel")
    for name, x, y in (
        ("Front Left", 0.7, -1.1),
        ("Front Right", -0.7, -1.1),
        ("Back Left", 0.7, 1.1),
        ("Back Right", -0.7, 1.1),
    ):
        # The mesh below stands upright, while the thruster itself is turned.
        lift = stage.empty(f"Hover {name}", (x, y, -0.15), rotation=UPWARD, below=craft)
        lift.omi_physics.use_hover_thruster = True
        values = {"max_hover_energy": 2500.0, "max_gimbal": math.radians(15.0)}
        fill(lift.omi_physics.hover_thruster, values)
        stage.place(f"Hover Case {name}", mesh, (x, y, -0.2), below=craft)
    form = forms.turned(forms.cylinder(0.2, 0.5), 24)
    mesh = stage.mesh("Fan", forms.laid_along_y(form), "Yellow")
    fan = stage.place("Fan", mesh, (0.0, 1.4, 0.65), below=craft)
    fan.omi_physics.use_thruster = True
    fill(fan.omi_physics.thruster, {"max_force": 1800.0, "force_change_rate": 900.0})
    seat = add_seat(stage, "Hovercraft Seat", (0.0, -0.2, 0.35), craft)
    make_vehicle(craft, seat, max_speed=20.0, gyro_torque=(800.0, 800.0, 1200.0))


def add_rocket(stage: Stage) -> None:
    """Dynamic; pushed up by an engine that tilts, and turned by two small ones."""
    mesh = stage.mesh("Rocket", forms.turned(forms.capsule(2.4, 0.4), 24), "White")
    rocket = stage.place("Rocket", mesh, (4.2, 0.0, 2.1), group="Dynamic")
    make_body(rocket, "DYNAMIC", mass=300.0)
    sizes = {"height": 2.4, "radius_bottom": 0.4, "radius_top": 0.4}
    make_collider(rocket, "CAPSULE", sizes=sizes)
    mesh = stage.mesh("Rocket Nozzle", forms.turned(forms.CONE, 20), "Steel")
    stage.place("Rocket Nozzle", mesh, (0.0, 0.0, -2.05), below=rocket)
    engine = stage.empty("Rocket Engine", (0.0, 0.0, -1.6), rotation=UPWARD, below=rocket)
    engine.omi_physics.use_thruster = True
    fill(
        engine.omi_physics.thruster,
        {
            "max_force": 6000.0,
            "force_change_rate": 3000.0,
            "max_gimbal": math.radians(10.0),
            "gimbal_change_rate": 0.5,
        },
    )
    for name, x, turn in (("Left", 0.42, -90.0), ("Right", -0.42, 90.0)):
        side = (0.0, 0.0, math.radians(turn))
        small = stage.empty(f"Rocket Side {name}", (x, 0.0, 1.2), rotation=side, below=rocket)
        small.omi_physics.use_thruster = True
        fill(small.omi_physics.thruster, {"max_force": 150.0})
    make_vehicle(rocket, None, use_throttle=True, linear_dampeners=False)


def add_view(stage: Stage) -> None:
    """From the front and one side."""
    add_camera_and_lights(stage, (0.0, -12.6, 5.6), 69.0)


EXHIBITS = (add_ground, add_car, add_hovercraft, add_rocket, add_view)
