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

LOOSE = 0.04  # m, between the two ends of a joint.
# Beyond a range when a body is hit, and after all lies, rad; hinges, and ranges about several axes
# as Babylon.js measures them.
HIT, LIES = 0.25, 0.08
SOFT = {"babylon": 0.15, "godot": 0.15}  # Of hinges when they are hit.
OF_ALL = 0.3  # In Godot, beyond the largest turn that the ranges allow together.
# When joints are looked at, s; engines take 60 steps a second.
TIMES = {"babylon": ("0.5", "0.7", "0.8", "1", "1.5", "3", "5"), "godot": ("5",)}
TO_BLENDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def rigid(body: dict[str, Any], when: str) -> Any:
    """Where a body is in Blender's axes, as a matrix (4, 4)."""
    x, y, z, w = body[when]["rotation"]
    place = Matrix.LocRotScale(body[when]["position"], Quaternion((w, x, y, z)), None)
    return np.array(TO_BLENDER @ place)


def twist_and_swing(turn: Quaternion) -> Any:
    """The angles about the axes of a joint as Babylon.js measures them.

    It turns by the swing first, about an axis at right angles to X, then by the twist about X.
    """
    twist = 2.0 * math.atan2(turn.x, turn.w)
    swing = (Quaternion((1.0, 0.0, 0.0), -twist) @ turn).to_exponential_map()
    return np.array((math.remainder(twist, 2.0 * math.pi), swing.y, swing.z))


def moves(answer: dict[str, Any], bodies: list[Any]) -> tuple[dict[Any, Any], list[Any]]:
    """How each body of the scene moved, as a matrix (4, 4), and the places where it was."""
    found = [body for body in answer.get("nodes") or answer["bodies"] if "track" in body]
    moved: dict[Any, Any] = {}
    tracks: list[Any] = []
    for obj in bodies:
        start = np.array(obj.matrix_world.normalized())
        near = min(found, key=lambda b: float(np.linalg.norm((rigid(b, "t0") - start)[:3, 3])))
        moved[obj] = rigid(near, "tT") @ np.linalg.inv(rigid(near, "t0"))
        tracks.append(np.array([row[1:4] for row in near["track"]]))
    return moved, tracks


def check_joint(joint: Any, moved: dict[Any, Any], client: str, lies: bool) -> bool:
    """Assert that it holds together and within its ranges; whether these are about several axes."""
    soft = LIES if lies else SOFT[client]
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
        return False
    if client == "babylon":
        angles, soft = twist_and_swing(turn), LIES if lies else HIT
        assert (ranges[:, 0] - soft < angles).all(), (joint.name, angles, ranges)
        assert (angles < ranges[:, 1] + soft).all(), (joint.name, angles, ranges)
    else:
        assert abs(angle) < np.linalg.norm(np.abs(ranges).max(axis=1)) + OF_ALL, joint.name
    return True


@pytest.mark.parametrize("client", ["babylon", "godot"])
@pytest.mark.parametrize("kind", [*KINDS, "bare rigify"])
def test_a_ragdoll_falls_and_holds_together(kind: str, client: str, tmp_path: Path) -> None:
    run = runner()
    bare, _, name = kind.rpartition(" ")
    bodies, joints = made(name, (0.0, 0.0, 0.6), is_bare=bool(bare))
    floor()
    gravity()
    settings = bpy.context.scene.omi_physics.export
    settings.target = {"babylon": "BABYLON", "godot": "GODOT_4"}[client]
    settings.family = {"babylon": "KHR", "godot": "OMI"}[client]
    path = tmp_path / "ragdoll.glb"
    bpy.ops.export_scene.gltf(filepath=str(path))
    named = {i.pointer for i in reports.latest("EXPORT").issues if i.code in ("X53", "X56")}
    tracks: list[Any] = []
    for seconds in TIMES[client]:
        answer = run(f"{client}/load.mjs", path, "--seconds", seconds, "--samples", "20")
        assert answer["ok"], answer
        moved, tracks = moves(answer, bodies)
        for joint in joints:
            if check_joint(joint, moved, client, seconds == "5"):
                assert joint.name in named
    for places in tracks:
        speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / 0.25
        assert speeds.max() < 8.0
        assert speeds[-1] < 2.0
        assert -0.1 < places[-1][1] < 1.0
