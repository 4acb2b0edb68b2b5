"""The example `planet`: things fall to it from all sides; a moon and a satellite go round it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    brighten,
    make_body,
    make_collider,
    make_gravity,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

RADIUS = 3.0
PULL = 9.8  # m/s² at the surface.
REACH = 11.0  # Radius of the volume in which it attracts.
ORBITS = {"Moon": (5.8, 0.25), "Satellite": (7.4, -0.8)}  # Radius, m, and tilt, rad.
FALLING = 14  # Things.


def add_space(stage: Stage) -> None:
    """No gravity but that of the planet."""
    physics = stage.scene.omi_physics
    physics.use_world_gravity = True
    physics.world_gravity.source = "VALUE"
    physics.world_gravity.gravity = 0.0


def add_surfaces(stage: Stage) -> None:
    """What things rub on."""
    stage.surface("Rough", static_friction=0.9, dynamic_friction=0.9)


def _is_sea(place: Vector) -> bool:
    x, y, z = (part / RADIUS for part in place)
    return math.sin(2.6 * x + 0.4) + math.sin(2.9 * y - 0.8) + math.sin(2.3 * z + 1.7) < -0.35


def _is_ice(place: Vector) -> bool:
    return abs(place[2]) > 0.86 * RADIUS


def add_planet(stage: Stage) -> None:
    """Static; gravity gets weaker with the square of the distance."""
    mesh = stage.mesh("Planet", forms.globe(RADIUS, 3), "Meadow", flat=True)
    stage.paint(mesh, "Sea", _is_sea)
    stage.paint(mesh, "White", _is_ice)
    planet = stage.place("Planet", mesh, HERE, group="Static")
    make_body(planet, "STATIC")
    make_collider(planet, "TRIMESH", surface="Rough")
    volume = stage.empty("Planet Gravity", HERE, below=planet)
    make_trigger(volume, "SPHERE", sizes={"radius": REACH})
    make_gravity(volume, "POINT", sizes={"unit_distance": RADIUS}, gravity=PULL, stop=True)


def _spread(number: int, count: int) -> Vector:
    """Directions that are spread over a ball."""
    z = 1.0 - (2.0 * number + 1.0) / count
    angle = math.pi * (3.0 - math.sqrt(5.0)) * number
    radius = math.sqrt(1.0 - z * z)
    return (radius * math.cos(angle), radius * math.sin(angle), z)


def _upright(direction: Vector) -> Vector:
    """The rotation that leads Z to a direction."""
    x, y, z = direction
    return (0.0, math.acos(z), math.atan2(y, x))


def _scaled(direction: Vector, length: float) -> Vector:
    return (direction[0] * length, direction[1] * length, direction[2] * length)


def add_trees(stage: Stage) -> None:
    """What grows on the planet; it is solid as the planet is."""
    trunk = stage.mesh("Trunk", forms.turned(forms.cylinder(0.5, 0.07), 8), "Wood")
    crown = stage.mesh("Crown", forms.turned(forms.FIR, 10), "Leaves")
    planet = stage.data.objects["Planet"]
    number = 0
    for spread in range(46):
        direction = _spread(spread, 46)
        place = _scaled(direction, RADIUS)
        if _is_sea(place) or _is_ice(place) or spread % 3 == 0:
            continue
        number += 1
        turn = _upright(direction)
        tree = stage.place(
            f"Tree {number}", trunk, _scaled(place, 1.05), rotation=turn, below=planet
        )
        stage.place(f"Crown {number}", crown, (0.0, 0.0, 0.15), below=tree)
        sizes = {"height": 0.9, "radius_bottom": 0.14, "radius_top": 0.14}
        make_collider(tree, "CYLINDER", sizes=sizes, location=(0.0, 0.0, 0.3))


def add_falling(stage: Stage) -> None:
    """Dynamic: crates, drums and stones above all sides of the planet."""
    drum = forms.turned(forms.cylinder(0.42, 0.28), 16)
    makers: tuple[tuple[str, forms.Form, str, str, dict[str, Any]], ...] = (
        ("Crate", forms.box((0.5, 0.5, 0.5)), "Orange", "BOX", {"size": (0.5, 0.5, 0.5)}),
        ("Stone", forms.rock(0.32), "Stone", "CONVEX", {}),
        (
            "Drum",
            drum,
            "Red",
            "CYLINDER",
            {"height": 0.42, "radius_bottom": 0.28, "radius_top": 0.28},
        ),
    )
    meshes = {name: stage.mesh(name, form, color) for name, form, color, *_ in makers}
    for number in range(FALLING):
        name, _, _, kind, sizes = makers[number % len(makers)]
        direction = _spread(number, FALLING)
        place = _scaled(direction, RADIUS + 0.9 + 0.25 * (number % 5))
        turn = _upright(direction)
        title = f"{name} {number + 1}"
        thing = stage.place(title, meshes[name], place, rotation=turn, group="Dynamic")
        make_body(thing, "DYNAMIC", mass=5.0)
        make_collider(thing, kind, sizes=sizes, surface="Rough")


def add_orbits(stage: Stage) -> None:
    """Dynamic: what falls past the planet all the time."""
    moon = stage.mesh("Moon", forms.globe(0.45, 2), "Yellow", flat=True)
    case = stage.mesh("Satellite", forms.box((0.4, 0.4, 0.6)), "White")
    panel = stage.mesh("Panel", forms.box((0.5, 0.04, 1.1)), "Blue")
    way = stage.mesh("Orbit", forms.ring(1.0, 0.004, 60, 3), "White")
    for name, mesh in (("Moon", moon), ("Satellite", case)):
        radius, tilt = ORBITS[name]
        place = (radius * math.cos(tilt), 0.0, radius * math.sin(tilt))
        obj = stage.place(name, mesh, place, group="Dynamic")
        turn = (0.0, -tilt, 0.0)
        ring = stage.place(f"Orbit of {name}", way, HERE, rotation=turn, group="Static")
        ring.scale = (radius, radius, radius)
        speed = math.sqrt(PULL * RADIUS**2 / radius)
        make_body(obj, "DYNAMIC", mass=20.0, linear_velocity=(0.0, speed, 0.0))
        if name == "Moon":
            make_collider(obj, "SPHERE", sizes={"radius": 0.45})
            continue
        obj.omi_physics.motion.angular_velocity = (0.0, 0.0, speed / radius)
        make_collider(obj, "BOX", sizes={"size": (0.4, 0.4, 0.6)})
        for side, z in (("Upper", 0.85), ("Lower", -0.85)):
            stage.place(f"{side} Panel", panel, (0.0, 0.0, z), below=obj)


def add_view(stage: Stage) -> None:
    """From far enough to see the orbits."""
    add_camera_and_lights(stage, (0.0, -19.0, 8.0), 67.0)
    brighten(stage, (0.03, 0.045, 0.1), 1.0, 4.5)


EXHIBITS = (
    add_space,
    add_surfaces,
    add_planet,
    add_trees,
    add_falling,
    add_orbits,
    add_view,
)
