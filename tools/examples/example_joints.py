"""The example `joints`: a door, a drawer, a chain and a motor, held to bodies that stand still."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    held,
    make_body,
    make_collider,
    make_joint,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

LINKS = 4
LINK = 0.7  # m from one ball joint to the next.


def add_settings(stage: Stage) -> None:
    """What the joints allow and do; those of the chain share one entry."""
    still = held("LINEAR")
    swing = {"min_angle": math.radians(-100.0), "max_angle": math.radians(100.0)}
    soft = {"use_stiffness": True, "stiffness": 60.0, "damping": 6.0}
    stage.settings(
        "Hinge with Soft Stop",
        still,
        held("ANGULAR", "XY"),
        held("ANGULAR", "Z", **swing, **soft),
    )
    stage.settings(
        "Slider",
        held("LINEAR", "XZ"),
        held("LINEAR", "Y", min_distance=-0.6, max_distance=0.0),
        held("ANGULAR"),
    )
    stage.settings("Ball", still)
    motor = {
        "type": "ANGULAR",
        "axis": "Y",
        "use_velocity_target": True,
        "velocity_angle": 2.0,
        "damping": 40.0,
        "use_max_force": True,
        "max_force": 200.0,
    }
    stage.settings("Motor", still, held("ANGULAR", "XZ"), drives=(motor,))


def add_ground(stage: Stage) -> None:
    """Static, below everything."""
    stage.ground((13.0, 6.0, 0.3))


def add_door(stage: Stage) -> None:
    """Dynamic; turns on the post beside it and is stopped by a spring."""
    post = stage.block("Door Post", (0.2, 0.2, 2.4), (-5.0, 0.0, 1.2), "Steel", "STATIC")
    door = stage.block(
        "Door",
        (1.2, 0.08, 2.1),
        (-4.85, 0.0, 1.15),
        "Wood",
        "DYNAMIC",
        mass=25.0,
        center=(0.6, 0.0, 0.0),
    )
    door.omi_physics.motion.center_of_mass_mode = "SHAPES"
    hinge = stage.empty("Door Hinge", HERE, below=door)
    make_joint(hinge, "Hinge with Soft Stop", post, pivot_at_joint=True)


def add_drawer(stage: Stage) -> None:
    """Dynamic; slides out of a cabinet, whose empty inside is left open to the front."""
    cabinet = stage.empty("Cabinet", (-1.9, 0.3, 0.0), group="Static")
    make_body(cabinet, "STATIC")
    rows = (
        ("Cabinet Bottom", (1.2, 0.9, 0.08), (0.0, 0.0, 0.6)),
        ("Cabinet Top", (1.2, 0.9, 0.08), (0.0, 0.0, 1.12)),
        ("Cabinet Left", (0.08, 0.9, 1.16), (-0.6, 0.0, 0.58)),
        ("Cabinet Right", (0.08, 0.9, 1.16), (0.6, 0.0, 0.58)),
    )
    for name, size, place in rows:
        flat = name in ("Cabinet Bottom", "Cabinet Top")  # Behind the edges of the sides.
        seen = (size[0], size[1] - 0.01, size[2] - 0.01) if flat else size
        part = stage.place(name, stage.mesh(name, forms.box(seen), "Wood"), place, below=cabinet)
        make_collider(part, "BOX", sizes={"size": size})
    drawer = stage.block(
        "Drawer", (1.04, 0.84, 0.4), (-1.9, 0.25, 0.86), "Orange", "DYNAMIC", mass=6.0
    )
    slide = stage.empty("Drawer Slide", HERE, below=drawer)
    make_joint(slide, "Slider", cabinet, pivot_at_joint=True)


def hang_links(
    stage: Stage, name: str, above: Any, place: Vector, length: float, radius: float, count: int
) -> Any:
    """Dynamic links, each with a ball joint at its upper end; returns the last.

    Args:
        above: the body that holds the first.
        place: of the upper end of the first.
        length: from one joint to the next, m.
    """
    middle = length - 3.0 * radius  # The caps stay apart.
    mesh = stage.mesh(f"{name} Link", forms.turned(forms.capsule(middle, radius), 16), "Yellow")
    sizes = {"height": middle, "radius_bottom": radius, "radius_top": radius}
    for number in range(count):
        at = (place[0], place[1], place[2] - (number + 0.5) * length)
        link = stage.place(f"{name} Link {number + 1}", mesh, at, group="Dynamic")
        make_body(link, "DYNAMIC", mass=1.5)
        make_collider(link, "CAPSULE", sizes=sizes)
        ball = stage.empty(f"{name} Joint {number + 1}", (0.0, 0.0, 0.5 * length), below=link)
        make_joint(ball, "Ball", above, pivot_at_joint=True)
        above = link
    return above


def add_chain(stage: Stage) -> None:
    """Links below a beam."""
    top = 3.4
    beam = stage.block("Chain Beam", (1.6, 0.2, 0.2), (1.2, 0.0, top), "Steel", "STATIC")
    hang_links(stage, "Chain", beam, (1.2, 0.0, top - 0.1), LINK, 0.1, LINKS)


def add_windmill(stage: Stage) -> None:
    """Dynamic; a motor turns it about the axis of its tower."""
    tower = stage.block("Windmill Tower", (0.4, 0.4, 2.6), (4.4, 0.3, 1.3), "White", "STATIC")
    rotor = stage.empty("Windmill Rotor", (4.4, -0.15, 2.3), group="Dynamic")
    make_body(rotor, "DYNAMIC", mass=12.0)
    thick = 0.06
    for name, size, seen in (
        ("Blades Across", (2.4, thick, 0.25), thick),
        ("Blades Upright", (0.25, thick, 2.4), thick - 0.01),  # Behind the others.
    ):
        mesh = stage.mesh(name, forms.box((size[0], seen, size[2])), "Red")
        part = stage.place(name, mesh, HERE, below=rotor)
        make_collider(part, "BOX", sizes={"size": size})
    axle = stage.empty("Windmill Motor", HERE, below=rotor)
    make_joint(axle, "Motor", tower, pivot_at_joint=True)


def add_view(stage: Stage) -> None:
    """From the front."""
    add_camera_and_lights(stage, (0.0, -12.6, 4.6), 77.0)


EXHIBITS = (
    add_settings,
    add_ground,
    add_door,
    add_drawer,
    add_chain,
    add_windmill,
    add_view,
)
