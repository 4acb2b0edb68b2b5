"""Scenes about shapes, places and scales, bodies, and surfaces."""

from __future__ import annotations

import math
from typing import Any

import bpy

from .building import (
    Scene,
    add,
    body,
    choose,
    collision_filter,
    cube,
    drum,
    floor,
    material,
    mesh,
    motion,
    scene_group,
    scenes_of,
    shape,
)

SCENES: list[Scene] = []
_shapes = scenes_of("Shapes", SCENES)
_places = scenes_of("Places and scales", SCENES)
_bodies = scenes_of("Bodies", SCENES)
_surfaces = scenes_of("Surfaces", SCENES)
QUARTER = math.pi / 2.0
_TAPERED = {"height": 0.8, "radius_bottom": 0.4, "radius_top": 0.2}
_IMPACT = (
    0.7,
    "two balls of 2 and 1 kg go on at 4/3 m/s, as in both engines; in the preview the struck one "
    "has 1.6, as Bullet throws back a fifth",
)
_HIGH = (0.0, 0.0, 1.0)
_GODOT_SURFACES = {"GODOT_4": "X26"}
_OPS: Any = bpy.ops


def _on_floor(kind: str, height: float, **options: Any) -> Any:
    floor()
    return body("Body", (0.0, 0.0, height), kind, **options)


# Shapes


@_shapes("box")
def _() -> None:
    _on_floor("BOX", 0.8, size={"size": (1.0, 0.8, 0.6)})


@_shapes("sphere")
def _() -> None:
    _on_floor("SPHERE", 0.9, size={"radius": 0.4})


@_shapes("capsule, standing on its end")
def _() -> None:
    _on_floor("CAPSULE", 1.2, size={"height": 1.0, "radius_bottom": 0.3, "radius_top": 0.3})


@_shapes("capsule, lying")
def _() -> None:
    sizes = {"height": 1.0, "radius_bottom": 0.3, "radius_top": 0.3}
    _on_floor("CAPSULE", 0.6, size=sizes, turn=(QUARTER, 0.0, 0.0))


@_shapes("cylinder")
def _() -> None:
    _on_floor("CYLINDER", 0.8, size={"height": 0.8, "radius_bottom": 0.4, "radius_top": 0.4})


@_shapes("cylinder, lying")
def _() -> None:
    sizes = {"height": 0.8, "radius_bottom": 0.4, "radius_top": 0.4}
    _on_floor("CYLINDER", 0.7, size=sizes, turn=(QUARTER, 0.0, 0.0))


@_shapes("cylinder, tapered")
def _() -> None:
    _on_floor("CYLINDER", 0.7, size={"height": 0.8, "radius_bottom": 0.5, "radius_top": 0.2})


@_shapes("cone")
def _() -> None:
    _on_floor("CYLINDER", 0.7, size={"height": 0.8, "radius_bottom": 0.5, "radius_top": 0.0})


@_shapes("capsule, tapered")
def _() -> None:
    _on_floor("CAPSULE", 0.9, size=_TAPERED)


def _on_legs(scale: float | tuple[float, float, float]) -> None:
    """A board on three tapered capsules, which cannot roll."""
    floor()
    board = body("Body", (0.0, 0.0, 1.1), size={"size": (2.0, 2.0, 0.2)}, scale=scale)
    for x, y in ((0.7, 0.5), (-0.7, 0.5), (0.0, -0.7)):
        leg = add("Leg", (x, y, -0.5), below=board)
        shape(leg, "CAPSULE", height=0.5, radius_bottom=0.15, radius_top=0.3)


@_shapes("capsules, tapered, as legs")
def _() -> None:
    _on_legs(1.0)


@_shapes("cylinder, tapered, on its narrow end")
def _() -> None:
    sizes = {"height": 0.8, "radius_bottom": 0.3, "radius_top": 0.6}
    _on_floor("CYLINDER", 0.7, size=sizes)


@_shapes("hull")
def _() -> None:
    _on_floor("CONVEX", 0.8, data=drum())


@_shapes("hull of another object's mesh")
def _() -> None:
    other = add("Mesh Source", (5.0, 0.0, 0.0), data=cube((0.8, 0.8, 0.8)))
    group = shape(_on_floor("CONVEX", 0.8), "CONVEX")
    group.mesh_source, group.mesh_object = "OBJECT", other


@_shapes("triangle mesh that stands still")
def _() -> None:
    ground = mesh(
        "Ground", [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [(0, 1, 2), (0, 2, 3)]
    )
    shape(add("Ground", data=ground), "TRIMESH")
    body("Body", (0.3, 0.2, 0.9), "SPHERE", size={"radius": 0.4})


@_shapes("hull that stands still")
def _() -> None:
    ground = add("Ground", (0.0, 0.0, -0.5), data=cube((20.0, 20.0, 1.0)))
    shape(ground, "CONVEX")
    body("Body", (0.0, 0.0, 0.8))


@_shapes("plane without an end")
def _() -> None:
    shape(add("Plane"), "PLANE")
    body("Body", (20.0, 0.0, 0.8))


@_shapes("plane with ends, turned")
def _() -> None:
    plane = add("Plane", turn=(0.2, 0.0, 0.0))
    shape(plane, "PLANE", use_size_x=True, size_x=10.0, use_size_z=True, size_z=10.0)
    body("Body", (0.0, 0.0, 0.6), turn=(0.2, 0.0, 0.0))


# Places and scales


@_places("shape beside the origin of its body")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.6), "", center_of_mass_mode="SHAPES")
    shape(obj, "BOX", at=(0.4, 0.2, 0.3))


@_places("shape turned on its body")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.8), "")
    shape(obj, "CYLINDER", turn=(QUARTER, 0.0, 0.0), height=0.8, radius_bottom=0.4, radius_top=0.4)


@_places("shapes on children")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.8), "", center_of_mass_mode="SHAPES")
    for i, x in enumerate((-0.6, 0.6)):
        shape(add(f"Part {i}", (x, 0.0, 0.0), below=obj), "SPHERE", radius=0.3)


@_places("shape beside the origin of a child")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.8), "")
    shape(add("Part", (-0.4, 0.0, 0.0), below=obj), "BOX", at=(0.4, 0.0, 0.0))


@_places("shape on a grandchild")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.8), "")
    middle = add("Middle", (1.0, 0.0, 0.0), below=obj, turn=(0.0, 0.0, 0.5))
    shape(add("Part", (-math.cos(0.5), math.sin(0.5), 0.0), below=middle), "BOX")


@_places("table whose parts are fitted")
def _() -> None:
    floor()
    table = body("Table", (0.0, 0.0, 1.0), "", center_of_mass_mode="SHAPES")
    parts = [add("Top", below=table, data=cube((1.6, 1.0, 0.1), (0.0, 0.0, 0.05)))]
    for i, (x, y) in enumerate(((-0.7, -0.4), (-0.7, 0.4), (0.7, -0.4), (0.7, 0.4))):
        leg = cube((0.1, 0.1, 0.8), (0.0, 0.0, -0.4))
        parts.append(add(f"Leg {i}", (x, y, 0.0), below=table, data=leg))
    for part in parts:
        part.omi_physics.use_collider = True
    choose(*parts)
    _OPS.object.omi_physics_fit_shape()


@_places("static body with shapes on children")
def _() -> None:
    ground = add("Ground")
    motion(ground, "STATIC")
    for i, x in enumerate((-1.0, 0.0, 1.0)):
        shape(add(f"Tile {i}", (x, 0.0, -0.5), below=ground), "BOX")
    body("Body", (0.0, 0.0, 0.8))


@_places("body scaled evenly")
def _() -> None:
    _on_floor("BOX", 1.3, scale=2.0)


@_places("box scaled unevenly")
def _() -> None:
    _on_floor("BOX", 1.3, scale=(1.5, 1.0, 2.0))


@_places("sphere scaled evenly")
def _() -> None:
    _on_floor("SPHERE", 1.3, scale=2.0)


@_places("sphere scaled unevenly")
def _() -> None:
    _on_floor("SPHERE", 1.3, scale=(1.0, 1.0, 2.0), size={"radius": 0.3})


@_places("capsule scaled unevenly")
def _() -> None:
    sizes = {"height": 0.5, "radius_bottom": 0.2, "radius_top": 0.2}
    _on_floor("CAPSULE", 0.8, scale=(1.0, 1.0, 2.0), size=sizes, turn=(QUARTER, 0.0, 0.0))


@_places("cylinder scaled unevenly")
def _() -> None:
    sizes = {"height": 0.8, "radius_bottom": 0.4, "radius_top": 0.4}
    _on_floor("CYLINDER", 0.9, scale=(1.0, 1.5, 1.5), size=sizes)


@_places("tapered cylinder scaled unevenly")
def _() -> None:
    sizes = {"height": 0.8, "radius_bottom": 0.4, "radius_top": 0.2}
    _on_floor("CYLINDER", 0.9, scale=(1.0, 1.5, 1.5), size=sizes)


@_places("tapered capsules as legs, scaled unevenly")
def _() -> None:
    _on_legs((1.0, 1.5, 1.2))


@_places("capsule scaled evenly")
def _() -> None:
    sizes = {"height": 0.5, "radius_bottom": 0.2, "radius_top": 0.2}
    _on_floor("CAPSULE", 0.7, scale=2.0, size=sizes, turn=(QUARTER, 0.0, 0.0))


@_places("cylinder scaled along its axis")
def _() -> None:
    sizes = {"height": 0.5, "radius_bottom": 0.4, "radius_top": 0.4}
    _on_floor("CYLINDER", 0.9, scale=(1.0, 1.0, 2.0), size=sizes)


@_places("hull scaled unevenly")
def _() -> None:
    _on_floor("CONVEX", 1.0, data=drum(), scale=(1.0, 2.0, 1.5))


@_places("triangle mesh scaled, standing still")
def _() -> None:
    ground = mesh(
        "Ground", [(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)], [(0, 1, 2), (0, 2, 3)]
    )
    shape(add("Ground", data=ground, scale=(8.0, 8.0, 2.0)), "TRIMESH")
    body("Body", (0.3, 0.2, 2.9), "SPHERE", size={"radius": 0.4})


@_places("shapes on scaled children")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 0.9), "")
    shape(add("Part", below=obj, scale=(0.5, 0.5, 1.5)), "BOX")
    shape(add("Wing", (0.0, 0.0, 0.2), below=obj, scale=(2.0, 0.5, 0.2)), "BOX")


@_places("shape on a turned child of a body scaled unevenly", told={"BABYLON": "X64"})
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 1.0), "", center_of_mass_mode="SHAPES", scale=(1.0, 2.0, 1.0))
    shape(add("Part", below=obj, turn=(0.0, 0.0, 0.5)), "BOX", size=(1.0, 0.5, 0.4))


@_places("body below a scaled empty")
def _() -> None:
    floor()
    empty = add("Empty", (0.0, 0.0, 0.3), scale=2.0)
    body("Body", (0.0, 0.0, 0.5), below=empty)


@_places("body below an unevenly scaled empty")
def _() -> None:
    floor()
    empty = add("Empty", (0.0, 0.0, 0.3), scale=(1.0, 2.0, 1.5))
    body("Body", (0.0, 0.0, 0.6), below=empty)


@_places("box mirrored")
def _() -> None:
    _on_floor("BOX", 0.8, scale=(-1.0, 1.0, 1.0))


@_places("body with a shape beside its origin, scaled")
def _() -> None:
    floor()
    obj = body("Body", (0.0, 0.0, 1.3), "", scale=2.0, center_of_mass_mode="SHAPES")
    shape(obj, "BOX", at=(0.2, 0.0, 0.1))


@_places("body below a turned and mirrored empty", told={"GODOT_4": "X47", "BABYLON": "S23"})
def _() -> None:
    floor()
    empty = add("Empty", (0.0, 0.0, 0.8), scale=(-1.0, 1.0, 1.0), turn=(0.0, 0.0, 0.4))
    sizes = {"height": 1.0, "radius_bottom": 0.2, "radius_top": 0.2}
    body("Body", (0.2, 0.0, 0.0), "CAPSULE", size=sizes, below=empty, turn=(0.0, 1.2, 0.0))


# Bodies


@_bodies("free fall")
def _() -> None:
    body("Body")


@_bodies("throw")
def _() -> None:
    body("Body", linear_velocity=(3.0, 1.0, 5.0))


@_bodies("start velocity of a turned body")
def _() -> None:
    body("Body", turn=(0.0, 0.0, QUARTER), linear_velocity=(3.0, 0.0, 2.0))


@_bodies("start velocity of a scaled body")
def _() -> None:
    body("Body", scale=2.0, linear_velocity=(3.0, 0.0, 2.0))


@_bodies("start velocity below a turned empty")
def _() -> None:
    empty = add("Empty", turn=(0.3, 0.0, 1.0))
    body("Body", below=empty, turn=(0.0, 0.5, 0.0), linear_velocity=(3.0, 0.0, 2.0))


@_bodies("start velocity of a turned body below an unevenly scaled empty", told={"GODOT_4": "X23"})
def _() -> None:
    empty = add("Empty", turn=(0.4, 0.2, 0.1), scale=(1.0, 2.0, 1.0))
    velocity = (3.0, 1.0, 2.0)
    body("Body", below=empty, turn=(0.3, 0.4, 0.5), linear_velocity=velocity)


@_bodies("start velocity of a body scaled unevenly")
def _() -> None:
    body("Body", scale=(1.0, 2.0, 3.0), linear_velocity=(3.0, 1.0, 2.0))


@_bodies("spin, and an arm that shows it", told={"BABYLON": "X42"})
def _() -> None:
    body("Body", angular_velocity=(0.0, 0.0, 2.0), center_of_mass=(0.5, 0.0, 0.0))


@_bodies("gravity factor of 0", told={"GODOT_4": "X25"})
def _() -> None:
    body("Body", gravity_factor=0.0, linear_velocity=(1.0, 0.0, 0.0))


@_bodies("gravity factor of 0.5", told={"GODOT_4": "X25"})
def _() -> None:
    body("Body", gravity_factor=0.5)


@_bodies("infinite mass")
def _() -> None:
    _on_floor("BOX", 1.0, mass_mode="INFINITE")


@_bodies("kinematic body with a velocity", told={"GODOT_4": "X46"})
def _() -> None:
    obj = body("Plate", (0.0, 0.0, -0.5), size={"size": (4.0, 4.0, 1.0)})
    motion(obj, "KINEMATIC", linear_velocity=(0.0, 0.0, 0.5))
    body("Body", (0.0, 0.0, 0.6))


@_bodies("body below a body")
def _() -> None:
    floor()
    upper = body("Upper", (0.0, 0.0, 1.0))
    body("Lower", (3.0, 0.0, -0.3), below=upper)


@_bodies("body below a body, scaled and turned")
def _() -> None:
    floor()
    upper = body("Upper", (0.0, 0.0, 1.3), scale=2.0, turn=(0.0, 0.0, 0.5))
    middle = body("Middle", (3.0, 0.0, -0.2), below=upper, scale=0.5)
    body("Lower", (0.0, 3.0, 0.4), below=middle)


@_bodies("body below a static one, beside it")
def _() -> None:
    ground = floor()
    body("Body", (0.0, 3.0, 1.5), below=ground)


@_bodies("kinematic body below a dynamic one")
def _() -> None:
    upper = body("Upper", (0.0, 0.0, 1.0))
    lower = body("Lower", (3.0, 0.0, -1.0), below=upper)
    motion(lower, "KINEMATIC")
    body("Body", (3.0, 0.0, 1.2))


@_bodies("trigger in the way", told={"BABYLON": "X40"})
def _() -> None:
    floor()
    zone = add("Zone", (0.0, 0.0, 1.5))
    zone.omi_physics.use_trigger = True
    body("Body", (0.0, 0.0, 3.0))


@_bodies("stack of boxes")
def _() -> None:
    floor()
    for i in range(4):
        body(f"Box {i}", (0.0, 0.0, 0.5 + 1.0 * i))


@_bodies("impact of two balls", beside=_IMPACT)
def _() -> None:
    body("Left", (-2.0, 0.0, 0.0), "SPHERE", linear_velocity=(2.0, 0.0, 0.0), mass=2.0)
    body("Right", (0.0, 0.0, 0.0), "SPHERE")


# Surfaces


def _slide(**values: Any) -> list[Any]:
    """A box slides over a ground of another friction; returns both materials."""
    ground = floor()
    obj = body("Body", (0.0, 0.0, 0.2), linear_velocity=(4.0, 0.0, 0.0))
    obj.omi_physics.collider.shape.box.size = (1.0, 1.0, 0.4)
    material("Ground", ground, static_friction=0.2, dynamic_friction=0.2, **values)
    material("Box", obj, static_friction=0.6, dynamic_friction=0.6, **values)
    return list(scene_group().physics_materials)


@_surfaces("friction, average", told=_GODOT_SURFACES)
def _() -> None:
    _slide(friction_combine="AVERAGE")


@_surfaces("friction, minimum", told=_GODOT_SURFACES)
def _() -> None:
    _slide(friction_combine="MINIMUM")


@_surfaces("friction, maximum", told=_GODOT_SURFACES)
def _() -> None:
    _slide(friction_combine="MAXIMUM")


@_surfaces("friction, multiply", told=_GODOT_SURFACES)
def _() -> None:
    _slide(friction_combine="MULTIPLY")


_MIXED = _GODOT_SURFACES | {"BABYLON": "X59"}


def _meet(ground: str, obj: str) -> None:
    """Two surfaces with different modes meet."""
    found = _slide()
    for each, mode in zip(found, (ground, obj), strict=True):
        each.friction_combine = mode


@_surfaces("friction, average and maximum", told=_GODOT_SURFACES)
def _() -> None:
    _meet("AVERAGE", "MAXIMUM")


@_surfaces("friction, minimum and maximum", told=_MIXED)
def _() -> None:
    _meet("MINIMUM", "MAXIMUM")


@_surfaces("friction, average and multiply", told=_MIXED)
def _() -> None:
    _meet("AVERAGE", "MULTIPLY")


@_surfaces("no material", told={"GODOT_4": "X49"})
def _() -> None:
    floor()
    body("Body", (0.0, 0.0, 0.2), size={"size": (1.0, 1.0, 0.4)}, linear_velocity=(4.0, 0.0, 0.0))


@_surfaces("box on a slope that holds it", told=_GODOT_SURFACES)
def _() -> None:
    ground = floor(turn=0.3)
    at = (0.26 * math.sin(0.3), 0.0, 0.26 * math.cos(0.3))
    obj = body("Body", at, size={"size": (1.0, 1.0, 0.5)}, turn=(0.0, 0.3, 0.0))
    material("Rough", ground, obj, static_friction=0.8, dynamic_friction=0.8)


@_surfaces("ball that bounces", told=_GODOT_SURFACES)
def _() -> None:
    ground = floor()
    obj = body("Body", (0.0, 0.0, 2.0), "SPHERE")
    material("Rubber", ground, obj, restitution=0.7, restitution_combine="AVERAGE")


@_surfaces("bounce, the larger of two", told=_GODOT_SURFACES)
def _() -> None:
    ground = floor()
    obj = body("Body", (0.0, 0.0, 2.0), "SPHERE")
    material("Rubber", obj, restitution=0.6, restitution_combine="MAXIMUM")
    material("Stone", ground, restitution=0.1, restitution_combine="MAXIMUM")


@_surfaces("collision filter", told=_GODOT_SURFACES)
def _() -> None:
    ground = floor()
    ghost = body("Ghost", (0.0, 0.0, 1.0))
    solid = body("Solid", (3.0, 0.0, 1.0))
    collision_filter("Ghosts", ghost, of="ghosts", but="grounds")
    collision_filter("Grounds", ground, of="grounds", but="ghosts")
    assert solid.omi_physics.use_motion


@_surfaces("filter that meets its own system only", told=_GODOT_SURFACES)
def _() -> None:
    floor()
    ghost = body("Ghost", (0.0, 0.0, 1.0))
    entry: Any = scene_group().collision_filters.add()
    entry.name, entry.mode = "Ghosts", "ONLY"
    entry.collision_systems.add().name = "ghosts"
    entry.collide_with_systems.add().name = "ghosts"
    ghost.omi_physics.collider.collision_filter = "Ghosts"
    body("Solid", (3.0, 0.0, 1.0))


@_surfaces("filter of no system, on a ground that meets one", told=_GODOT_SURFACES)
def _() -> None:
    ground = floor()
    for name, mode, obj in (("Grounds", "ONLY", ground), ("Ghosts", "NOT", body("Ghost", _HIGH))):
        entry: Any = scene_group().collision_filters.add()
        entry.name, entry.mode = name, mode
        entry.collide_with_systems.add().name = "solids"
        entry.not_collide_with_systems.add().name = "others"
        obj.omi_physics.collider.collision_filter = name


@_surfaces("more than 32 collision systems", told={"GODOT_4": "X26", "BABYLON": "X43"})
def _() -> None:
    ground = floor(150.0)
    ghosts = [body(f"Ghost {i}", (2.0 * i, 0.0, 1.0)) for i in range(34)]
    collision_filter("Grounds", ground, of="grounds", but="ghosts 0")
    for i, ghost in enumerate(ghosts):
        collision_filter(f"Ghosts {i}", ghost, of=f"ghosts {i}", but="none")
