"""What Rig Vehicle makes of chassis and wheels drives in Godot; see support/clients.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from tests.blender.operators.rigging.test_rig_vehicle import (
    CARS,
    CRAFTS,
    build,
    craft,
    rigged,
    stripped,
    update,
)
from tests.blender.support.clients import runner
from tests.blender.support.preview_scenes import floor, gravity
from tests.support.vehicle_shapes import VEHICLES

CRAFT = {"HOVERCRAFT": (2.0, 4.0, 1.0), "ROCKET": (1.0, 1.0, 8.0), "SPACESHIP": (4.0, 6.0, 1.0)}
APART = 40.0  # m; the kart, whose wheels are steered, goes in circles of 5 m.
STANDING = 0.01  # m
AHEAD = 3.0  # m in three seconds; the trucks go 4 m.


def test_vehicles_of_all_kinds_drive_in_godot(tmp_path: Path) -> None:
    run = runner()
    vehicles: list[Any] = []
    for vehicle in VEHICLES.values():
        build(vehicle, Matrix.Translation((APART * len(vehicles), 0.0, 0.0)), len(vehicles))
        vehicles.append(rigged())
    for kind, size in CRAFT.items():
        obj = craft(size)
        obj.location = (APART * len(vehicles), 0.0, 30.0 if kind == "SPACESHIP" else size[2])
        update()
        vehicles.append(rigged(kind=kind))
    gravity()
    floor(size=2000.0)
    _drive(vehicles, run, tmp_path)


def test_published_vehicles_drive_in_godot_once_they_are_rigged_anew(tmp_path: Path) -> None:
    run = runner()
    vehicles: list[Any] = []
    for name, chassis, kind in [
        *((name, "SimpleCar", "AUTO") for name in CARS),
        *(published[:3] for published in CRAFTS),
    ]:
        stripped(name, chassis)
        root = bpy.context.object.parent or bpy.context.object
        root.location = (APART * len(vehicles), 0.0, 40.0 if kind in ("ROCKET", "SPACESHIP") else 1)
        update()
        vehicles.append(rigged(kind=kind))
    gravity()
    floor(size=2000.0)
    _drive(vehicles, run, tmp_path)


def test_vehicles_stand_in_godot_as_they_are_modeled(tmp_path: Path) -> None:
    run = runner()
    vehicles: list[Any] = []
    for vehicle in VEHICLES.values():
        build(vehicle, Matrix.Translation((APART * len(vehicles), 0.0, 0.0)), len(vehicles))
        vehicles.append(rigged())
    gravity()
    floor(size=2000.0)
    found = _loaded(vehicles, run, tmp_path, "5")
    for vehicle, node in zip(vehicles, found, strict=True):
        rise = node["tT"]["position"][1] - node["t0"]["position"][1]
        assert abs(rise) < STANDING, vehicle.name


def _loaded(vehicles: list[Any], run: Any, folder: Path, seconds: str) -> list[dict[str, Any]]:
    """What Godot plays of vehicles, each of which stands further along X."""
    bpy.context.scene.omi_physics.export.target = "GODOT_4"
    path = folder / "vehicles.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    answer = run("godot/load.mjs", path, "--seconds", seconds)
    assert answer["ok"]
    found = {n["gltf_node"]: n for n in answer["nodes"] if n["class"] == "VehicleBody3D"}
    assert len(found) == len(vehicles)
    return sorted(found.values(), key=lambda node: node["t0"]["position"][0])


def _drive(vehicles: list[Any], run: Any, folder: Path) -> None:
    """Each moves along its front, and is upright."""
    for vehicle in vehicles:
        vehicle.omi_physics.vehicle_body.linear_activation = (0.0, -1.0, 0.0)
    update()
    moved = {}
    for vehicle, node in zip(vehicles, _loaded(vehicles, run, folder, "3"), strict=True):
        start, end = (np.array(node[when]["position"]) for when in ("t0", "tT"))
        x, y, z, w = node["tT"]["rotation"]
        turn = Quaternion((w, x, y, z))
        speed = Vector(node["tT"]["linear_velocity"])
        front = turn @ Vector((0.0, 0.0, 1.0))
        up = (turn @ Vector((0.0, 1.0, 0.0))).y
        moved[vehicle.name] = speed.dot(front), np.linalg.norm(end - start), max(up, front.y)
    assert {n: m for n, m in moved.items() if m[0] < 1.0 or m[1] < AHEAD or m[2] < 0.95} == {}
