"""The example `everything`: one of each, written in both families."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    add_camera_and_lights,
    fill,
    held,
    make_body,
    make_collider,
    make_gravity,
    make_joint,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage


def add_lists(stage: Stage) -> None:
    """Both families, and one entry of each list."""
    physics = stage.scene.omi_physics
    physics.export.family = "BOTH"
    physics.use_world_gravity = True
    stage.surface("Wood", static_friction=0.5, dynamic_friction=0.4, restitution=0.1)
    stage.filter("Props", "props")
    swing = {"min_angle": math.radians(-80.0), "max_angle": math.radians(80.0)}
    drive = {"type": "ANGULAR", "axis": "Y", "use_velocity_target": True, "damping": 1.0}
    stage.settings(
        "Hinge",
        held("LINEAR"),
        held("ANGULAR", "XZ"),
        held("ANGULAR", "Y", **swing),
        drives=(drive,),
    )


def add_shapes(stage: Stage) -> None:
    """One collider of each shape that both families know; three kinds of bodies."""
    stage.ground((10.0, 7.0, 0.3), surface="Wood")
    mesh = stage.mesh("Hill", forms.hill(2.4, 2.0, 8), "Grass")
    hill = stage.place("Hill", mesh, (-3.4, 2.2, 0.0), group="Static")
    make_body(hill, "STATIC")
    make_collider(hill, "TRIMESH")
    stage.block("Lift", (1.2, 1.2, 0.2), (3.6, 2.2, 0.6), "Yellow", "KINEMATIC")
    rows: tuple[tuple[str, forms.Form, str, dict[str, float]], ...] = (
        ("Ball", forms.ball(0.3), "SPHERE", {"radius": 0.3}),
        (
            "Pill",
            forms.turned(forms.capsule(0.5, 0.2), 16),
            "CAPSULE",
            {"height": 0.5, "radius_bottom": 0.2, "radius_top": 0.2},
        ),
        (
            "Can",
            forms.turned(forms.cylinder(0.6, 0.25), 20),
            "CYLINDER",
            {"height": 0.6, "radius_bottom": 0.25, "radius_top": 0.25},
        ),
        ("Rock", forms.rock(0.4), "CONVEX", {}),
    )
    for number, (name, form, kind, sizes) in enumerate(rows):
        mesh = stage.mesh(name, form, "Orange")
        obj = stage.place(name, mesh, (-3.6 + 1.1 * number, -1.6, 0.6), group="Dynamic")
        make_body(obj, "DYNAMIC", mass=1.0 + number)
        make_collider(obj, kind, sizes=sizes, surface="Wood", filtered="Props")


def add_sign(stage: Stage) -> None:
    """Dynamic; a joint holds it to a post."""
    post = stage.block("Sign Post", (0.15, 0.15, 2.2), (-0.6, 2.2, 1.1), "Steel", "STATIC")
    sign = stage.block("Sign", (1.0, 0.06, 0.6), (-0.6, 2.0, 1.5), "Blue", "DYNAMIC", mass=2.0)
    hinge = stage.empty("Sign Hinge", (0.0, 0.0, 0.4), below=sign)
    make_joint(hinge, "Hinge", post, pivot_at_joint=True)


def add_well(stage: Stage) -> None:
    """A trigger with its own gravity."""
    well = stage.empty("Gravity Well", (1.6, 2.2, 1.4), group="Triggers")
    make_trigger(well, "SPHERE", sizes={"radius": 0.9})
    make_gravity(well, "POINT", sizes={"unit_distance": 0.5}, gravity=5.0)


def add_buggy(stage: Stage) -> None:
    """A vehicle with a wheel, both kinds of thrusters and a seat."""
    buggy = stage.block("Buggy", (1.0, 2.0, 0.4), (2.4, -1.4, 0.6), "Red", "DYNAMIC", mass=300.0)
    form = forms.laid_along_x(forms.turned(forms.cylinder(0.2, 0.3), 20))
    mesh = stage.mesh("Buggy Wheel", form, "Stone")
    wheel = stage.place("Buggy Wheel", mesh, (0.0, -1.1, -0.2), below=buggy)
    wheel.omi_physics.use_wheel = True
    fill(wheel.omi_physics.wheel, {"radius": 0.3, "width": 0.2, "max_propulsion_force": 900.0})
    upward = (math.radians(-90.0), 0.0, 0.0)
    hover = stage.empty("Buggy Hover", (0.0, 0.8, -0.2), rotation=upward, below=buggy)
    hover.omi_physics.use_hover_thruster = True
    hover.omi_physics.hover_thruster.max_hover_energy = 1500.0
    push = stage.empty("Buggy Thruster", (0.0, 1.0, 0.0), below=buggy)
    push.omi_physics.use_thruster = True
    push.omi_physics.thruster.max_force = 600.0
    seat = stage.empty("Buggy Seat", (0.0, 0.2, 0.3), below=buggy)
    seat.omi_physics.use_seat = True
    buggy.omi_physics.use_vehicle_body = True
    buggy.omi_physics.vehicle_body.pilot_seat = seat


def add_view(stage: Stage) -> None:
    """From the front and above."""
    add_camera_and_lights(stage, (0.0, -10.4, 5.8), 64.0)


EXHIBITS = (add_lists, add_shapes, add_sign, add_well, add_buggy, add_view)
