"""Ragdolls of three skeletons fall for five seconds; one release is enough, as it takes long."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mathutils import Matrix

from omi_physics_addon.blender.base.hierarchy import body_of
from omi_physics_addon.blender.preview import player
from tests.blender.operators.rigging.test_make_ragdoll import made, rows_of
from tests.blender.support.preview_scenes import at, axes, floor, gravity, place, play
from tests.blender.support.preview_scenes import run as play_on
from tests.blender.support.skeletons import KINDS


def rigid(session: Any, name: str) -> Any:
    """The place (4, 4) of a body in Blender's axes."""
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = axes(session, name), place(session, name)
    return found


def test_three_figures_fall_for_five_seconds_and_hold_together() -> None:
    """Nothing explodes, joints stay within 1 cm, hinges within 0.1 rad of their range.

    So do the whole turns of other joints.
    """
    figures = [made(kind, (3.0 * i, 0.0, 0.6)) for i, kind in enumerate(KINDS)]
    bodies, joints = (
        [obj for part in parts for obj in part] for parts in zip(*figures, strict=True)
    )
    floor()
    gravity()
    frames = {j: (np.array(j.matrix_world.normalized()), rows_of(j)) for j in joints}
    session = play(show=False)
    start = {obj: np.linalg.inv(rigid(session, obj.name)) for obj in bodies}
    numbers = [at(session, obj.name) for obj in bodies]
    beyond: list[tuple[int, str]] = []
    for moment in range(1, 11):
        play_on(session, 0.5 * moment - session.time)
        speeds = np.linalg.norm(session.state.velocity[numbers], axis=1)
        assert speeds.max() < (8.0 if moment < 10 else 2.0)
        now = {obj: rigid(session, obj.name) @ start[obj] for obj in bodies}
        for joint, (frame, ranges) in frames.items():
            own, to = body_of(joint), joint.omi_physics.joint.connected_object
            mine, other = now[own] @ frame, now[to] @ frame
            assert np.linalg.norm(mine[:3, 3] - other[:3, 3]) < 0.01, joint.name
            turn = Matrix((other[:3, :3].T @ mine[:3, :3]).tolist()).to_quaternion()
            angle = math.remainder(turn.angle, 2.0 * math.pi)
            if np.ptp(ranges[0]) == 0.0:  # A hinge turns about Z alone.
                about = angle * turn.axis.z
                assert ranges[2, 0] - 0.1 < about < ranges[2, 1] + 0.1, joint.name
                assert abs(abs(about) - abs(angle)) < 0.1, joint.name
            elif abs(angle) > np.linalg.norm(np.abs(ranges).max(axis=1)) + 0.1:
                beyond.append((moment, joint.name))
    assert beyond == []
    player.stop()
