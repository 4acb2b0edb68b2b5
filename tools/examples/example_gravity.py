"""The example `gravity`: that of the world, and volumes where things fall elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    HERE,
    add_camera_and_lights,
    make_body,
    make_collider,
    make_gravity,
    make_trigger,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

PULL = 9.8  # m/s² at the surface of the small worlds.


def add_world(stage: Stage) -> None:
    """The gravity of Blender's scene, for all that is in no volume."""
    physics = stage.scene.omi_physics
    physics.use_world_gravity = True
    physics.world_gravity.source = "SCENE"
    stage.ground((17.0, 11.0, 0.3))


def add_room(stage: Stage) -> None:
    """A room where things fall to the wall at its right."""
    room = stage.empty("Sideways Room", (-6.0, 2.5, 1.4), group="Volumes")
    make_trigger(room, "BOX", sizes={"size": (3.6, 3.0, 2.6)})
    make_gravity(
        room,
        "DIRECTIONAL",
        sizes={"direction": (1.0, 0.0, 0.0)},
        gravity=PULL,
        priority=1,
        stop=True,
    )
    stage.block("Room Wall", (0.2, 3.0, 2.6), (-4.1, 2.5, 1.4), "Stone", "STATIC")
    stage.block("Room Crate", (0.6, 0.6, 0.6), (-6.6, 2.5, 1.6), "Wood", "DYNAMIC", mass=10.0)
    mesh = stage.mesh("Falling Ball", forms.ball(0.3), "Red")
    ball = stage.place("Falling Ball", mesh, (-6.0, -0.6, 2.0), group="Dynamic")
    make_body(ball, "DYNAMIC", mass=1.0)
    make_collider(ball, "SPHERE", sizes={"radius": 0.3})


def _moon(stage: Stage, name: str, location: Vector) -> None:
    """A small ball that falls to the world beside it."""
    mesh = stage.data.meshes.get("Moon") or stage.mesh("Moon", forms.ball(0.15), "Yellow")
    moon = stage.place(name, mesh, location, group="Dynamic")
    make_body(moon, "DYNAMIC", mass=0.5)
    make_collider(moon, "SPHERE", sizes={"radius": 0.15})


def add_planet(stage: Stage) -> None:
    """Gravity to a point, which gets weaker with the square of the distance."""
    mesh = stage.mesh("Planet", forms.ball(0.8), "Blue")
    planet = stage.place("Planet", mesh, (-1.6, 2.5, 1.8), group="Static")
    make_body(planet, "STATIC")
    make_collider(planet, "SPHERE", sizes={"radius": 0.8})
    volume = stage.empty("Planet Gravity", HERE, below=planet)
    make_trigger(volume, "SPHERE", sizes={"radius": 1.7})
    make_gravity(volume, "POINT", sizes={"unit_distance": 0.8}, gravity=PULL, stop=True)
    _moon(stage, "Planet Moon", (-0.3, 2.5, 2.2))


def add_disc(stage: Stage) -> None:
    """Gravity to a flat world, from above and below."""
    mesh = stage.mesh("Disc", forms.turned(forms.cylinder(0.2, 1.0), 32), "Grass")
    disc = stage.place("Disc", mesh, (2.4, 2.5, 1.6), group="Static")
    make_body(disc, "STATIC")
    sizes = {"height": 0.2, "radius_bottom": 1.0, "radius_top": 1.0}
    make_collider(disc, "CYLINDER", sizes=sizes)
    volume = stage.empty("Disc Gravity", HERE, below=disc)
    sizes = {"height": 2.6, "radius_bottom": 1.6, "radius_top": 1.6}
    make_trigger(volume, "CYLINDER", sizes=sizes)
    make_gravity(volume, "DISC", sizes={"radius": 1.0}, gravity=PULL, stop=True)
    _moon(stage, "Disc Moon", (2.0, 2.5, 0.7))


def add_ring(stage: Stage) -> None:
    """Gravity to a ring; its triangles are solid."""
    mesh = stage.mesh("Ring", forms.ring(0.9, 0.25, 32, 12), "Orange")
    ring = stage.place("Ring", mesh, (6.2, 2.5, 1.5), group="Static")
    make_body(ring, "STATIC")
    make_collider(ring, "TRIMESH")
    volume = stage.empty("Ring Gravity", HERE, below=ring)
    make_trigger(volume, "SPHERE", sizes={"radius": 1.8})
    make_gravity(
        volume, "TORUS", sizes={"radius": 0.9, "unit_distance": 0.3}, gravity=PULL, stop=True
    )
    _moon(stage, "Ring Moon", (6.2, 2.5, 2.4))


def add_path(stage: Stage) -> None:
    """Gravity to a line, whose points come from a curve."""
    curve = stage.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    points = ((-2.4, 0.0, 0.0), (-0.8, 0.6, 0.3), (0.8, -0.6, 0.3), (2.4, 0.0, 0.0))
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 1.0)
    path = stage.place("Path", curve, (-1.6, -2.6, 1.0), group="Volumes")
    volume = stage.empty("Path Gravity", (-1.6, -2.6, 1.0), group="Volumes")
    make_trigger(volume, "BOX", sizes={"size": (6.0, 2.6, 1.8)})
    make_gravity(volume, "LINE", sizes={"curve": path}, gravity=4.0, priority=1, stop=True)
    _moon(stage, "Path Moon", (-1.2, -2.2, 0.5))


def add_cube_world(stage: Stage) -> None:
    """Gravity to the surface of a shape, here the same box that is solid."""
    size = (1.2, 1.2, 1.2)
    world = stage.block("Cube World", size, (4.6, -2.4, 1.6), "Stone", "STATIC")
    volume = stage.empty("Cube World Gravity", HERE, below=world)
    make_trigger(volume, "SPHERE", sizes={"radius": 1.5})
    shaped = make_gravity(volume, "SHAPED", gravity=PULL, stop=True)
    shaped.shape.type = "BOX"
    shaped.shape.box.size = size
    _moon(stage, "Cube World Moon", (5.6, -2.4, 1.9))


def add_view(stage: Stage) -> None:
    """From the front and above."""
    add_camera_and_lights(stage, (0.0, -14.6, 8.6), 62.0)


EXHIBITS = (
    add_world,
    add_room,
    add_planet,
    add_disc,
    add_ring,
    add_path,
    add_cube_world,
    add_view,
)
