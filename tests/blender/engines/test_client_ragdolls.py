"""Ragdolls of three skeletons fall in Babylon.js and Godot; see support/clients.py."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.base.hierarchy import body_of
from tests.blender.operators.rigging.test_make_ragdoll import made, rows_of
from tests.blender.support.clients import runner
from tests.blender.support.preview_scenes import floor, gravity
from tests.blender.support.skeletons import KINDS

LOOSE = 0.03  # m, between the two ends of a joint.
SOFT = {"babylon": 0.05, "godot": 0.15}  # rad, beyond a range.
# Steps a second: with 60, Havok lets light feet bend too far where they land, by 1 rad at worst.
STEPS = {"babylon": ("--hz", "240"), "godot": ()}
OTHERWISE = 0.3  # rad, beyond ranges about several axes, which the report of the export names.
TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def rigid(body: dict[str, Any], when: str) -> Any:
    """Where a body is in Blender's axes, as a matrix (4, 4)."""
    x, y, z, w = body[when]["rotation"]
    place = Matrix.LocRotScale(body[when]["position"], Quaternion((w, x, y, z)), None)
    return np.array(TO_BLENDER @ place)


@pytest.mark.parametrize("client", ["babylon", "godot"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_ragdoll_falls_and_holds_together(kind: str, client: str, tmp_path: Path) -> None:
    run, soft = runner(), SOFT[client]
    bodies, joints = made(kind, (0.0, 0.0, 0.6))
    floor()
    gravity()
    settings = bpy.context.scene.omi_physics.export
    settings.target = {"babylon": "BABYLON", "godot": "GODOT_4"}[client]
    settings.family = {"babylon": "KHR", "godot": "OMI"}[client]
    path = tmp_path / "ragdoll.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    named = {i.pointer for i in reports.latest("EXPORT").issues if i.code in ("X53", "X56")}
    answer = run(f"{client}/load.mjs", path, "--seconds", "5", "--samples", "20", *STEPS[client])
    assert answer["ok"], answer
    found = [b for b in answer["nodes" if client == "godot" else "bodies"] if "track" in b]
    start = {obj: np.array(obj.matrix_world.normalized()) for obj in bodies}
    moved: dict[Any, Any] = {}
    for obj in bodies:
        near = min(found, key=lambda b: float(np.linalg.norm((rigid(b, "t0") - start[obj])[:3, 3])))
        moved[obj] = rigid(near, "tT") @ np.linalg.inv(rigid(near, "t0"))
        track = np.array([row[1:4] for row in near["track"]])
        speeds = np.linalg.norm(np.diff(track, axis=0), axis=1) / 0.25
        assert speeds.max() < 8.0
        assert speeds[-1] < 2.0
        assert -0.1 < track[-1][1] < 1.0
    for joint in joints:
        own, to = body_of(joint), joint.omi_physics.joint.connected_object
        frame = np.array(joint.matrix_world.normalized())
        mine, other = moved[own] @ frame, moved[to] @ frame
        assert np.linalg.norm(mine[:3, 3] - other[:3, 3]) < LOOSE, joint.name
        turn = Matrix((other[:3, :3].T @ mine[:3, :3]).tolist()).to_quaternion()
        angle, ranges = math.remainder(turn.angle, 2.0 * math.pi), rows_of(joint)
        if np.ptp(ranges[0]) == 0.0:  # A hinge turns about Z alone.
            about = angle * turn.axis.z
            assert ranges[2, 0] - soft < about < ranges[2, 1] + soft, joint.name
            assert abs(abs(about) - abs(angle)) < soft, joint.name
        else:
            assert joint.name in named
            most = np.linalg.norm(np.abs(ranges).max(axis=1)) + OTHERWISE
            assert abs(angle) < most, joint.name
