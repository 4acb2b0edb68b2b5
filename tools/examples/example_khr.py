"""The example `khr`: a scene for readers of KHR_physics_rigid_bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    held,
    hide_mesh,
    make_body,
    make_collider,
    make_joint,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage


def add_lists(stage: Stage) -> None:
    """The family to write, and what colliders share."""
    physics = stage.scene.omi_physics
    physics.export.family = "KHR"
    stage.surface("Stone", static_friction=0.9, dynamic_friction=0.8, friction_combine="MAXIMUM")
    stage.surface("Rubber", restitution=0.8, restitution_combine="MAXIMUM")
    stage.surface("Ice", static_friction=0.05, dynamic_friction=0.03, friction_combine="MINIMUM")
    stage.filter("Scenery", "scenery")
    stage.filter("Props", "props", but="ghosts")
    stage.filter("Ghosts", "ghosts", only="scenery")
    stage.settings("Ball", held("LINEAR"))


def add_floor(stage: Stage) -> None:
    """Level geometry: an endless plane; below it there is only what is seen of it."""
    mesh = stage.mesh("Floor", forms.box((12.0, 8.0, 0.1), (0.0, 0.0, -0.05)), "Plaster")
    floor = stage.place("Floor", mesh, HERE, group="Level")
    make_collider(floor, "PLANE", surface="Stone", filtered="Scenery")
    ice = (2.4, 2.4)
    mesh = stage.mesh("Ice", forms.box((*ice, 0.06), (0.0, 0.0, -0.03)), "White")
    table = stage.place("Ice", mesh, (3.6, -1.6, 0.5), group="Level")
    sizes = {"use_size_x": True, "size_x": ice[0], "use_size_z": True, "size_z": ice[1]}
    sizes["double_sided"] = True
    make_collider(table, "PLANE", sizes=sizes, surface="Ice", filtered="Scenery")


def add_hill(stage: Stage) -> None:
    """Level geometry of triangles."""
    mesh = stage.mesh("Hill", forms.hill(4.0, 3.2, 12), "Grass")
    hill = stage.place("Hill", mesh, (-3.6, 1.8, 0.0), group="Level")
    make_collider(hill, "TRIMESH", surface="Stone", filtered="Scenery")


def add_bodies(stage: Stage) -> None:
    """Dynamic; a hull, a ball, and a ghost that falls through both."""
    mesh = stage.mesh("Rock", forms.rock(0.55), "Stone")
    rock = stage.place("Rock", mesh, (-0.6, -1.8, 0.8), group="Dynamic")
    make_body(rock, "DYNAMIC", mass_mode="ENGINE", center_of_mass_mode="ENGINE")
    make_collider(rock, "CONVEX", surface="Stone", filtered="Props")
    mesh = stage.mesh("Ball", forms.ball(0.35), "Red")
    ball = stage.place("Ball", mesh, (-3.4, 1.8, 2.4), group="Dynamic")
    make_body(ball, "DYNAMIC", mass=2.0, linear_velocity=(0.5, 0.0, 0.0))
    make_collider(ball, "SPHERE", sizes={"radius": 0.35}, surface="Rubber", filtered="Props")
    mesh = stage.mesh("Ghost", forms.turned(forms.GHOST, 24), "White")
    ghost = stage.place("Ghost", mesh, (-0.6, -1.8, 2.4), group="Dynamic")
    make_body(ghost, "DYNAMIC", mass=1.0, gravity_factor=0.3)
    sizes = {"height": 0.5, "radius_bottom": 0.4, "radius_top": 0.3}
    make_collider(ghost, "CAPSULE", sizes=sizes, filtered="Ghosts")
    crate = stage.block("Crate on Ice", (0.7, 0.7, 0.7), (3.6, -1.6, 0.86), "Wood", "DYNAMIC")
    crate.omi_physics.motion.mass = 12.0
    crate.omi_physics.motion.linear_velocity = (0.6, 0.0, 0.0)


def add_flywheel(stage: Stage) -> None:
    """Dynamic of infinite mass and inertia: it keeps turning, whatever bumps into it."""
    form = forms.turned(forms.cylinder(0.3, 0.9), 32)
    mesh = stage.mesh("Flywheel", form, "Steel")
    wheel = stage.place("Flywheel", mesh, (1.2, 2.2, 0.4), group="Dynamic")
    make_body(
        wheel,
        "DYNAMIC",
        mass_mode="INFINITE",
        inertia_mode="INFINITE",
        gravity_factor=0.0,
        angular_velocity=(0.0, 0.0, 2.0),
    )
    sizes = {"height": 0.3, "radius_bottom": 0.9, "radius_top": 0.9}
    make_collider(wheel, "CYLINDER", sizes=sizes, surface="Rubber")


def add_lamp(stage: Stage) -> None:
    """Dynamic; hangs from a place in the world that belongs to no body."""
    hook = stage.empty("Lamp Hook", (4.2, 2.0, 3.2), group="Level")
    mesh = stage.mesh("Lamp", forms.turned(forms.TOP, 24), "Yellow")
    lamp = stage.place("Lamp", mesh, (4.2, 2.0, 2.0), group="Dynamic")
    make_body(lamp, "DYNAMIC", mass=3.0, center_of_mass=(0.0, 0.0, 0.3))
    hull = stage.place(
        "Lamp Hull", stage.mesh("Lamp Hull", forms.turned(forms.TOP, 8), "Yellow"), HERE, below=lamp
    )
    make_collider(hull, "CONVEX", filtered="Props")
    hide_mesh(hull)
    cord = stage.empty("Lamp Cord", (0.0, 0.0, 1.2), below=lamp)
    make_joint(cord, "Ball", hook)


def add_zone(stage: Stage) -> None:
    """A trigger of two parts, where rock and ghost come down."""
    zone = stage.empty("Zone", (-0.6, -1.8, 0.0), group="Triggers")
    zone.omi_physics.use_trigger = True
    zone.omi_physics.trigger.mode = "LIST"
    for name, kind, sizes in (
        ("Zone Low", "BOX", {"size": (1.6, 1.6, 1.0)}),
        ("Zone High", "SPHERE", {"radius": 0.8}),
    ):
        height = 0.5 if kind == "BOX" else 1.5
        part = stage.empty(name, (0.0, 0.0, height), below=zone)
        make_trigger(part, kind, sizes=sizes, filtered="Props")
        zone.omi_physics.trigger.nodes.add().object = part


def add_view(stage: Stage) -> None:
    """From the front and above."""
    add_camera_and_lights(stage, (0.0, -11.6, 6.4), 64.0)


EXHIBITS = (
    add_lists,
    add_floor,
    add_hill,
    add_bodies,
    add_flywheel,
    add_lamp,
    add_zone,
    add_view,
)
