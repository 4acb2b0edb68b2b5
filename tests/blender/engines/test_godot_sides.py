"""Triangle meshes that bodies come to from behind, after Godot's editor imported them.

GODOT, or `godot` on PATH; see programs.py. Each is played in both of Godot's engines.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.blender.engines.test_godot import load
from tools.engines import godot_projects
from tools.engines.scenes.building import CORNERS, add, body, mesh, motion, shape
from tools.programs import find_godot

SECONDS = 480
STEPS = 180  # Three seconds, in which what falls is 44 m down.
OUTWARD = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def bowl(*, looks_up: bool) -> tuple[Any, Any]:
    """A round bowl of 1.5 m, whose faces look up into it or down."""
    count, rings = 32, 8
    points: Any = [(0.0, 0.0, 0.0)]
    for ring in range(1, rings + 1):
        share = ring / rings
        for k in range(count):
            turn = math.tau * k / count
            x, y = 1.5 * share * math.cos(turn), 1.5 * share * math.sin(turn)
            points.append((x, y, 0.6 * share * share))
    faces: Any = [(0, k + 1, (k + 1) % count + 1) for k in range(count)]
    for ring in range(rings - 1):
        a, b = 1 + ring * count, 1 + (ring + 1) * count
        faces += [(a + k, b + k, b + (k + 1) % count, a + (k + 1) % count) for k in range(count)]
    return points, faces if looks_up else [face[::-1] for face in faces]


def stand(name: str, at: Any, points: Any, faces: Any, scale: Any = 1.0) -> Any:
    """A static triangle mesh, and a marble above its middle."""
    obj = add(name, at, data=mesh(name, points, faces), scale=scale)
    shape(obj, "TRIMESH")
    motion(obj, "STATIC")
    return obj


def fill() -> None:
    """Meshes beside each other, all of which hold their marble in the preview."""
    big = [(4 * x, 4 * y, 2 * z) for x, y, z in CORNERS]
    inward = [face[::-1] for face in OUTWARD]
    stand("Bowl Down", (0, 0, 0), *bowl(looks_up=False))
    stand("Bowl Up", (10, 0, 0), *bowl(looks_up=True))
    stand("Block", (20, 0, -1), big, OUTWARD)
    stand("Block In", (30, 0, -1), big, inward)
    stand("Room", (40, 0, 0), big, inward)
    stand("Block One Flipped", (50, 0, -1), big, [*OUTWARD[:5], OUTWARD[5][::-1]])
    stand("Block Mirrored", (60, 0, -1), big, OUTWARD, scale=(-1.0, 1.0, 1.0))
    sheet = [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)]
    stand("Sheet Back", (70, 0, 0), sheet, [(3, 2, 1, 0)])
    for k, name in enumerate(HELD):
        bowls = name.startswith("Bowl")
        size = {"radius": 0.1}
        body(f"Marble {name}", (10.0 * k + (1.0 if bowls else 0.3), 0.2, 0.45), "SPHERE", size=size)


HELD = (
    "Bowl Down",
    "Bowl Up",
    "Block",
    "Block In",
    "Room",
    "Block One Flipped",
    "Block Mirrored",
    "Sheet Back",
)


def heights(folder: Path, target: str, engine: str) -> dict[str, float]:
    """How high the marbles of a file for a target are in Godot at last, m."""
    godot = find_godot()
    if godot is None:
        pytest.skip("no Godot here: set GODOT to its command, or put godot on PATH")
    bpy.context.scene.omi_physics.export.target = target
    bpy.ops.export_scene.gltf(filepath=str(folder / "sides.glb"))
    (scene,) = godot_projects.make(folder, godot, [folder / "sides.glb"], physics=engine)
    bodies = load(godot, scene, folder, folder / "project", steps=STEPS)["bodies"]
    found = {b["name"].replace("_", " "): b["end"][1] for b in bodies}
    return {name: found[f"Marble {name}"] for name in HELD}


@pytest.mark.usefixtures("_empty_file", "_addon")
@pytest.mark.parametrize("engine", ["jolt", "godot"])
def test_what_is_written_for_godot_holds_bodies_on_both_sides(engine, tmp_path):
    fill()
    found = heights(tmp_path, "GODOT_4", engine)
    inside = {"Room": -0.9}
    lost = {n: y for n, y in found.items() if not -0.05 < y - inside.get(n, 0.0) < 0.5}
    assert lost == {}


@pytest.mark.usefixtures("_empty_file", "_addon")
def test_godot_lets_bodies_through_what_is_written_for_everybody(tmp_path):
    fill()
    found = heights(tmp_path, "SPECIFICATION", "jolt")
    assert {name for name, y in found.items() if y < -0.5} >= {"Bowl Down", "Sheet Back"}
