"""The example `rope_bridge`: planks and ropes between two cliffs, and loads that drop on it."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tools.examples import example_forms as forms
from tools.examples.example_stage import (
    add_camera_and_lights,
    brighten,
    held,
    make_body,
    make_collider,
    make_joint,
)

if TYPE_CHECKING:
    from tools.examples.example_stage import Stage, Vector

PLANKS = 17
HALF = 5.0  # From the middle to each cliff, m.
SAG = 0.9
_RADIUS = (HALF**2 + SAG**2) / (2.0 * SAG)  # Of the arc in which the planks hang.
_STEP = 2.0 * math.asin(HALF / _RADIUS) / PLANKS
PITCH = 2.0 * _RADIUS * math.sin(0.5 * _STEP)  # From one end of a plank to the next one's.
_SIDES = (("Left", -0.7), ("Right", 0.7))  # Where the ropes are along Y.
_RAIL = 0.95  # Height of the rails above the planks.
_POST = HALF + 0.5 * PITCH  # Where the posts stand along X.
_CLIFF = (5.0, 8.0, 4.6)
_SEA = (60.0, 90.0, 0.2)


def add_settings(stage: Stage) -> None:
    """What knots allow, and what planks and loads rub on."""
    stage.settings("Knot", held("LINEAR"))
    stage.surface("Rough", static_friction=0.8, dynamic_friction=0.8)


def add_cliffs(stage: Stage) -> None:
    """Static, with posts."""
    for name, side in (("Left", -1.0), ("Right", 1.0)):
        x = side * (HALF + 0.5 * _CLIFF[0])
        center = (0.0, 0.0, -0.5 * _CLIFF[2])
        cliff = stage.block(
            f"Cliff {name}", _CLIFF, (x, 0.0, 0.0), "Stone", "STATIC", center=center
        )
        cliff.omi_physics.collider.physics_material = "Rough"
        size = (_CLIFF[0], _CLIFF[1], 0.12)
        seen = (size[0] + 0.01, size[1] + 0.01, size[2])  # In front of the rock.
        mesh = stage.mesh(f"Turf {name}", forms.box(seen), "Meadow")
        turf = stage.place(f"Turf {name}", mesh, (0.0, 0.0, 0.0), below=cliff)
        make_collider(turf, "BOX", sizes={"size": size}, surface="Rough")
        for end, y in _SIDES:
            mesh = stage.mesh(f"Post {name} {end}", forms.box((0.16, 0.16, 1.3)), "Wood")
            place = (side * _POST - x, y * 1.15, 0.5)
            post = stage.place(f"Post {name} {end}", mesh, place, below=cliff)
            make_collider(post, "BOX", sizes={"size": (0.16, 0.16, 1.3)})


def add_water(stage: Stage) -> None:
    """Static, on the ground between the cliffs."""
    water = stage.block("Water", _SEA, (0.0, 0.3 * _SEA[1], -4.5), "Sea", "STATIC")
    water.omi_physics.collider.physics_material = "Rough"


def _on_arc(number: float) -> tuple[float, float, float]:
    """X, Z and the slope, rad, of the arc at so many planks from its left end."""
    angle = (number - 0.5 * PLANKS) * _STEP
    low = _RADIUS * math.cos(0.5 * PLANKS * _STEP)
    return _RADIUS * math.sin(angle), low - _RADIUS * math.cos(angle), angle


def _knot(stage: Stage, name: str, place: Vector, body: Any, other: Any) -> None:
    """Hold a point of a body to another body."""
    make_joint(stage.empty(name, place, below=body), "Knot", other, pivot_at_joint=True)


def add_deck(stage: Stage) -> None:
    """Dynamic planks; each is tied to the one before at both ends."""
    size = (0.42, 1.5, 0.07)
    mesh = stage.mesh("Plank", forms.box(size), "Wood")
    rope = stage.mesh("Rope", _rod(PITCH, 0.03), "Plaster")
    before = stage.data.objects["Cliff Left"]
    flat = _RADIUS * math.cos(0.5 * _STEP)  # Of the middles of chords.
    for number in range(PLANKS):
        angle = (number + 0.5 - 0.5 * PLANKS) * _STEP
        low = _RADIUS * math.cos(0.5 * PLANKS * _STEP)
        place = (flat * math.sin(angle), 0.0, low - flat * math.cos(angle))
        name = f"Plank {number + 1}"
        turn = (0.0, -angle, 0.0)
        plank = stage.place(name, mesh, place, rotation=turn, group="Dynamic")
        make_body(plank, "DYNAMIC", mass=10.0)
        make_collider(plank, "BOX", sizes={"size": size}, surface="Rough")
        for end, y in _SIDES:
            stage.place(f"{name} Rope {end}", rope, (0.0, y, 0.0), below=plank)
            _knot(stage, f"{name} Knot {end}", (-0.5 * PITCH, y, 0.0), plank, before)
        before = plank
    for end, y in _SIDES:
        cliff = stage.data.objects["Cliff Right"]
        _knot(stage, f"Last Knot {end}", (0.5 * PITCH, y, 0.0), before, cliff)


def _rod(length: float, radius: float) -> forms.Form:
    """A rope along X."""
    return forms.laid_along_x(forms.turned(forms.cylinder(length, radius), 8))


def add_rails(stage: Stage) -> None:
    """Dynamic ropes from post to post, that hang on every second plank by other ropes."""
    places = [(-_POST, _RAIL)]
    places += [(x, z + _RAIL) for x, z, _ in map(_on_arc, _middles())]
    places.append((_POST, _RAIL))
    for side, y in _SIDES:
        before = stage.data.objects["Cliff Left"]
        at = 1.15 * y
        for number, (start, end) in enumerate(pairwise(places), 1):
            rail = _rope(stage, f"Rail {side} {number}", start, end, at, 3.0)
            length = math.dist(start, end)
            _knot(stage, f"Rail Knot {side} {number}", (-0.5 * length, 0.0, 0.0), rail, before)
            before = rail
            if number == len(places) - 1:
                cliff = stage.data.objects["Cliff Right"]
                _knot(stage, f"Rail End {side}", (0.5 * length, 0.0, 0.0), rail, cliff)
        for number, (x, z) in enumerate(places[1:-1], 1):
            name = f"Hanger {side} {number}"
            hanger = _rope(stage, name, (x, z - _RAIL), (x, z), at, 2.0)
            plank = stage.data.objects[f"Plank {2 * number}"]
            rail = stage.data.objects[f"Rail {side} {number}"]
            _knot(stage, f"{name} Foot", (-0.5 * _RAIL, 0.0, 0.0), hanger, plank)
            _knot(stage, f"{name} Head", (0.5 * _RAIL, 0.0, 0.0), hanger, rail)


def _middles() -> list[float]:
    """Of every second plank."""
    return [number + 0.5 for number in range(1, PLANKS, 2)]


def _rope(
    stage: Stage,
    name: str,
    start: tuple[float, float],
    end: tuple[float, float],
    y: float,
    mass: float,
) -> Any:
    """A piece of rope between two places in the plane of X and Z."""
    length = math.dist(start, end)
    radius = 0.035
    key = f"Rope {length:.3f}"
    mesh = stage.data.meshes.get(key) or stage.mesh(key, _rod(length, radius), "Plaster")
    place = (0.5 * (start[0] + end[0]), y, 0.5 * (start[1] + end[1]))
    turn = (0.0, -math.atan2(end[1] - start[1], end[0] - start[0]), 0.0)
    rope = stage.place(name, mesh, place, rotation=turn, group="Dynamic")
    make_body(rope, "DYNAMIC", mass=mass)
    # Shorter than what is seen, as other ropes are tied to its ends.
    sizes = {"height": length - 0.2, "radius_bottom": radius, "radius_top": radius}
    make_collider(rope, "CAPSULE", sizes=sizes, rotation=(0.0, math.radians(90.0), 0.0))
    return rope


def add_loads(stage: Stage) -> None:
    """Dynamic; they fall from different heights."""
    boxes = (
        ("Crate 1", 0.5, (-2.7, 0.1, 1.2), "Orange", 20.0),
        ("Crate 2", 0.62, (0.3, -0.15, 2.6), "Red", 30.0),
        ("Crate 3", 0.45, (2.3, 0.2, 3.4), "Yellow", 15.0),
    )
    for name, edge, place, color, mass in boxes:
        crate = stage.block(name, (edge, edge, edge), place, color, "DYNAMIC", mass=mass)
        crate.omi_physics.collider.physics_material = "Rough"
        crate.rotation_euler = (0.0, 0.0, 0.4 * place[0])
    mesh = stage.mesh("Barrel", forms.turned(forms.BARREL, 20), "Steel")
    turn = (math.radians(90.0), 0.0, 0.0)
    barrel = stage.place("Barrel", mesh, (-1.2, 0.0, 3.6), rotation=turn, group="Dynamic")
    make_body(barrel, "DYNAMIC", mass=30.0)
    make_collider(barrel, "CONVEX", surface="Rough")


def add_view(stage: Stage) -> None:
    """From the front and above."""
    add_camera_and_lights(stage, (3.4, -12.6, 4.0), 74.0, heading=15.0)
    brighten(stage)


EXHIBITS = (
    add_settings,
    add_cliffs,
    add_water,
    add_deck,
    add_rails,
    add_loads,
    add_view,
)
