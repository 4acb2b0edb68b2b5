"""The example `shapes_and_bodies`: every shape and motion, materials, filters and triggers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    fill,
    hide_mesh,
    make_body,
    make_collider,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

FRAMES = 96  # Four seconds; the lift goes up and down once.


def add_physics_materials(stage: Stage) -> None:
    """The surfaces that colliders share."""
    rows: dict[str, dict[str, Any]] = {
        "Concrete": {"static_friction": 0.9, "dynamic_friction": 0.8},
        "Wood": {"static_friction": 0.5, "dynamic_friction": 0.4, "restitution": 0.1},
        "Rubber": {"static_friction": 1.0, "restitution": 0.8, "restitution_combine": "MAXIMUM"},
        "Ice": {"static_friction": 0.05, "dynamic_friction": 0.03, "friction_combine": "MINIMUM"},
    }
    for name, values in rows.items():
        entry = stage.scene.omi_physics.physics_materials.add()
        fill(entry, {"name": name, **values})


def add_collision_filters(stage: Stage) -> None:
    """Who meets whom: scenery meets all, props no ghosts, ghosts the scenery only."""
    rows = (
        ("Scenery", "scenery", "ALL", ""),
        ("Props", "props", "NOT", "ghosts"),
        ("Ghosts", "ghosts", "ONLY", "scenery"),
    )
    lists = {"NOT": "not_collide_with_systems", "ONLY": "collide_with_systems"}
    for name, system, mode, other in rows:
        entry = stage.scene.omi_physics.collision_filters.add()
        fill(entry, {"name": name, "mode": mode})
        entry.collision_systems.add().name = system
        if mode in lists:
            getattr(entry, lists[mode]).add().name = other


def add_floor(stage: Stage) -> None:
    """Static; the origin is on its upper side, so that the shape sits off-centre."""
    size = (14.0, 9.4, 0.4)
    mesh = stage.mesh("Floor", forms.box(size, center=(0.0, 0.0, -0.2)), "Plaster")
    floor = stage.place("Floor", mesh, HERE, group="Static")
    make_body(floor, "STATIC")
    make_collider(
        floor,
        "BOX",
        sizes={"size": size},
        location=(0.0, 0.0, -0.2),
        surface="Concrete",
        filtered="Scenery",
    )


def add_hill(stage: Stage) -> None:
    """Static, with its own triangles; everything in the zone above it counts as on the hill."""
    mesh = stage.mesh("Hill", forms.hill(4.0, 3.2, 12), "Grass")
    hill = stage.place("Hill", mesh, (-4.6, 2.8, 0.0), group="Static")
    make_body(hill, "STATIC")
    make_collider(hill, "TRIMESH", surface="Concrete", filtered="Scenery")
    zone = stage.empty("Hill Zone", (-4.6, 2.8, 0.0), group="Triggers")
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.mode = "BELOW"
    slope = stage.empty("Hill Zone Slope", (0.0, 0.0, 0.5), below=zone)
    make_trigger(slope, "BOX", filtered="Scenery", sizes={"size": (4.0, 3.2, 1.0)})
    top = stage.empty("Hill Zone Top", (0.0, 0.0, 0.9), below=slope)
    make_trigger(top, "SPHERE", filtered="Scenery", sizes={"radius": 0.7})


def add_ramp(stage: Stage) -> None:
    """Static; a thin box lies on the slope, rotated against its object."""
    length, height, thick = 3.0, 1.0, 0.2
    angle = math.atan2(height, length)
    mesh = stage.mesh("Ramp", forms.wedge(length, 1.6, height), "Stone")
    ramp = stage.place("Ramp", mesh, (-4.4, -0.4, 0.0), group="Static")
    make_body(ramp, "STATIC")
    make_collider(
        ramp,
        "BOX",
        sizes={"size": (math.hypot(length, height), 1.6, thick)},
        location=(
            -0.5 * thick * math.sin(angle),
            0.0,
            0.5 * height - 0.5 * thick * math.cos(angle),
        ),
        rotation=(0.0, angle, 0.0),
        surface="Ice",
        filtered="Scenery",
    )


def add_statue(stage: Stage) -> None:
    """Static; a rough mesh that is not rendered gives its hull."""
    smooth = stage.mesh("Statue", forms.turned(forms.PAWN, 32), "White")
    rough = stage.mesh("Statue Hull", forms.turned(forms.PAWN_HULL, 8), "White")
    statue = stage.place("Statue", smooth, (-1.7, 2.9, 0.0), group="Static")
    make_body(statue, "STATIC")
    hull = stage.place("Statue Hull", rough, HERE, below=statue)
    make_collider(hull, "CONVEX", surface="Concrete", filtered="Scenery")
    hide_mesh(hull)


def add_lift(stage: Stage) -> None:
    """Kinematic; goes up and down once in four seconds, with its origin where a mast would be."""
    size = (2.2, 2.2, 0.25)
    center = (0.0, -1.1, 0.0)
    mesh = stage.mesh("Lift", forms.box(size, center), "Yellow")
    lift = stage.place("Lift", mesh, (4.4, 3.9, 0.2), group="Kinematic")
    make_body(lift, "KINEMATIC", mass=200.0)
    make_collider(
        lift, "BOX", sizes={"size": size}, location=center, surface="Wood", filtered="Scenery"
    )
    for frame, height in ((1, 0.2), (1 + FRAMES // 2, 1.8), (1 + FRAMES, 0.2)):
        lift.location[2] = height
        lift.keyframe_insert("location", index=2, frame=frame)
    lift.animation_data.action.name = "Up and Down"
    lift.location[2] = 0.2


def add_crates(stage: Stage) -> None:
    """Dynamic; two that share mesh and shape: one falls on the floor, one stands on the lift."""
    mesh = stage.mesh("Crate", forms.box((1.0, 1.0, 1.0)), "Wood")
    rows = (("Crate", (0.0, 0.0, 3.0), 20.0), ("Crate on Lift", (4.4, 2.8, 0.825), 12.0))
    for name, location, mass in rows:
        crate = stage.place(name, mesh, location, group="Dynamic")
        make_body(crate, "DYNAMIC", mass=mass)
        size = {"size": (1.0, 1.0, 1.0)}
        make_collider(crate, "BOX", sizes=size, surface="Wood", filtered="Props")


def add_ball(stage: Stage) -> None:
    """Dynamic; rolls towards the ramp when the simulation starts."""
    mesh = stage.mesh("Ball", forms.ball(0.35), "Red")
    ball = stage.place("Ball", mesh, (-2.0, -0.4, 0.5), group="Dynamic")
    make_body(
        ball,
        "DYNAMIC",
        mass=2.0,
        linear_velocity=(-4.0, 0.1, 0.5),
        angular_velocity=(0.0, -11.4, 0.0),
    )
    make_collider(ball, "SPHERE", sizes={"radius": 0.35}, surface="Rubber", filtered="Props")


def add_pill(stage: Stage) -> None:
    """Dynamic; its mesh lies along X, and so the capsule is rotated against the object."""
    form = forms.turned(forms.capsule(0.9, 0.3), 24)
    mesh = stage.mesh("Pill", forms.laid_along_x(form), "Blue")
    turn = math.radians(30.0)
    pill = stage.place("Pill", mesh, (1.9, 0.3, 1.2), rotation=(0.0, 0.0, turn), group="Dynamic")
    make_body(pill, "DYNAMIC", mass=3.0)
    make_collider(
        pill,
        "CAPSULE",
        sizes={"height": 0.9, "radius_bottom": 0.3, "radius_top": 0.3},
        rotation=(0.0, math.radians(90.0), 0.0),
        surface="Rubber",
        filtered="Props",
    )


def add_barrel(stage: Stage) -> None:
    """Dynamic; mass, centre and inertia come from the shape and the density of wood."""
    mesh = stage.mesh("Barrel", forms.turned(forms.BARREL, 24), "Wood")
    barrel = stage.place("Barrel", mesh, (3.7, -0.3, 0.55), group="Dynamic")
    make_body(
        barrel,
        "DYNAMIC",
        mass_mode="DENSITY",
        density=600.0,
        center_of_mass_mode="SHAPES",
        inertia_mode="SHAPES",
    )
    sizes = {"height": 1.1, "radius_bottom": 0.42, "radius_top": 0.42}
    make_collider(barrel, "CYLINDER", sizes=sizes, surface="Wood", filtered="Props")


def add_cone(stage: Stage) -> None:
    """Dynamic; tapered, with its origin at the foot and its centre of mass given near it."""
    mesh = stage.mesh("Traffic Cone", forms.turned(forms.CONE, 24), "Orange")
    cone = stage.place("Traffic Cone", mesh, (5.4, -0.6, 0.0), group="Dynamic")
    make_body(cone, "DYNAMIC", mass=2.5, center_of_mass=(0.0, 0.0, 0.2))
    make_collider(
        cone,
        "CYLINDER",
        sizes={"height": 0.8, "radius_bottom": 0.35, "radius_top": 0.06},
        location=(0.0, 0.0, 0.4),
        surface="Rubber",
        filtered="Props",
    )


def add_rock(stage: Stage) -> None:
    """Dynamic; the hull of its own mesh, with mass by density and the hull's centre."""
    mesh = stage.mesh("Rock", forms.rock(0.55), "Stone")
    rock = stage.place("Rock", mesh, (-1.2, -2.6, 0.6), group="Dynamic")
    make_body(rock, "DYNAMIC", mass_mode="DENSITY", density=2600.0, center_of_mass_mode="SHAPES")
    make_collider(rock, "CONVEX", surface="Concrete", filtered="Props")


def add_table(stage: Stage) -> None:
    """Dynamic; an empty is the body, its children are the colliders."""
    table = stage.empty("Table", (3.6, -3.0, 0.0), group="Dynamic")
    make_body(table, "DYNAMIC", mass=18.0, center_of_mass_mode="SHAPES")
    size = (2.0, 1.2, 0.12)
    mesh = stage.mesh("Table Top", forms.box(size), "Wood")
    top = stage.place("Table Top", mesh, (0.0, 0.0, 0.84), below=table)
    make_collider(top, "BOX", sizes={"size": size}, surface="Wood", filtered="Props")
    mesh = stage.mesh("Table Leg", forms.turned(forms.cylinder(0.78, 0.07), 12), "Steel")
    sizes = {"height": 0.78, "radius_bottom": 0.07, "radius_top": 0.07}
    for number, (x, y) in enumerate(((-0.85, -0.45), (0.85, -0.45), (-0.85, 0.45), (0.85, 0.45))):
        leg = stage.place(f"Table Leg {number + 1}", mesh, (x, y, 0.39), below=table)
        make_collider(leg, "CYLINDER", sizes=sizes, surface="Wood", filtered="Props")


def add_vase(stage: Stage) -> None:
    """Dynamic, on the table; its shape takes the simpler mesh of another object."""
    smooth = stage.mesh("Vase", forms.turned(forms.VASE, 32), "Blue")
    rough = stage.mesh("Vase Hull", forms.turned(forms.VASE_HULL, 10), "Blue")
    vase = stage.place("Vase", smooth, (3.9, -2.9, 0.91), group="Dynamic")
    hull = stage.place("Vase Hull", rough, HERE, below=vase)
    hide_mesh(hull)
    make_body(vase, "DYNAMIC", mass=1.2, center_of_mass=(0.0, 0.02, 0.2))
    make_collider(
        vase,
        "CONVEX",
        mesh_source="OBJECT",
        mesh_object=hull,
        surface="Concrete",
        filtered="Props",
    )


def add_top(stage: Stage) -> None:
    """Dynamic; a full cone on its tip, with inertia and spin given."""
    mesh = stage.mesh("Spinning Top", forms.turned(forms.TOP, 32), "Red")
    top = stage.place("Spinning Top", mesh, (0.9, -2.8, 0.02), group="Dynamic")
    make_body(
        top,
        "DYNAMIC",
        mass=0.5,
        center_of_mass=(0.0, 0.0, 0.3),
        inertia_mode="VALUE",
        inertia_diagonal=(0.012, 0.012, 0.02),
        angular_velocity=(0.0, 0.0, 40.0),
    )
    make_collider(
        top,
        "CYLINDER",
        sizes={"height": 0.4, "radius_bottom": 0.0, "radius_top": 0.4},
        location=(0.0, 0.0, 0.2),
        surface="Ice",
        filtered="Props",
    )


def add_balloon(stage: Stage) -> None:
    """Dynamic; rises, because gravity pulls it the other way; its origin is at the knot."""
    mesh = stage.mesh("Balloon", forms.turned(forms.BALLOON, 32), "Orange")
    balloon = stage.place("Balloon", mesh, (-3.9, -3.0, 0.9), group="Dynamic")
    make_body(balloon, "DYNAMIC", mass=0.05, gravity_factor=-0.05, center_of_mass_mode="SHAPES")
    make_collider(
        balloon,
        "SPHERE",
        sizes={"radius": 0.45},
        location=(0.0, 0.0, 0.5),
        surface="Rubber",
        filtered="Props",
    )


def add_ghost(stage: Stage) -> None:
    """Dynamic; a tapered capsule that falls through the props and lands on the floor."""
    mesh = stage.mesh("Ghost", forms.turned(forms.GHOST, 32), "White")
    ghost = stage.place("Ghost", mesh, (1.9, 0.3, 2.6), group="Dynamic")
    make_body(ghost, "DYNAMIC", mass=1.0, gravity_factor=0.3)
    sizes = {"height": 0.5, "radius_bottom": 0.4, "radius_top": 0.3}
    make_collider(ghost, "CAPSULE", sizes=sizes, surface="Ice", filtered="Ghosts")


def add_landing_zone(stage: Stage) -> None:
    """A trigger of two of the three triggers below it, around where the crate falls."""
    zone = stage.empty("Landing Zone", HERE, group="Triggers")
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.mode = "LIST"
    rows: tuple[tuple[str, Vector, str, dict[str, Any]], ...] = (
        ("Landing Zone Middle", (0.0, 0.0, 0.6), "BOX", {"size": (1.6, 1.6, 1.2)}),
        ("Landing Zone Edge", (0.0, -1.1, 0.3), "CYLINDER", {"height": 0.6}),
        ("Approach", (0.0, 0.0, 2.5), "SPHERE", {"radius": 1.0}),
    )
    for name, location, kind, sizes in rows:
        part = stage.empty(name, location, below=zone)
        make_trigger(part, kind, filtered="Scenery", sizes=sizes)
        if name.startswith("Landing Zone"):
            zone.omi_physics.trigger.nodes.add().object = part


EXHIBITS = (
    add_physics_materials,
    add_collision_filters,
    add_floor,
    add_hill,
    add_ramp,
    add_statue,
    add_lift,
    add_crates,
    add_ball,
    add_pill,
    add_barrel,
    add_cone,
    add_rock,
    add_table,
    add_vase,
    add_top,
    add_balloon,
    add_ghost,
    add_landing_zone,
    add_camera_and_lights,
)
