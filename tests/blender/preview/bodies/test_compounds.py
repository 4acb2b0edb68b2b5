"""Bodies of several shapes, and hulls that are boxes: how they land, rest and turn."""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    STEP,
    at,
    axes,
    body,
    floor,
    free_rotation,
    gravity,
    place,
    play,
    run,
)

SLOW = 0.02  # m/s and rad/s below which a thing lies still.


pytestmark = pytest.mark.usefixtures("standard_gravity")


def part(parent: Any, spot: Any, kind: str = "BOX", turn: Any = (0.0, 0.0, 0.0)) -> Any:
    """A collider on an object; its shape."""
    obj = scenes.add("part", scenes.cube_mesh(), location=spot, parent=parent)
    obj.rotation_euler = turn
    return scenes.add_collider(obj, kind)


def time_to_rest(session: Session, name: str, seconds: float) -> float:
    """When a thing moved for the last time."""
    last = 0.0
    before = place(session, name), axes(session, name)
    for _ in range(round(seconds / STEP)):
        session.step()
        now = place(session, name), axes(session, name)
        moved = np.linalg.norm(now[0] - before[0]) / STEP
        turned = np.linalg.norm(now[1] - before[1]) / math.sqrt(2.0) / STEP
        if max(moved, turned) > SLOW:
            last = session.time
        before = now
    return last


def wide_mesh() -> Any:
    """Three metres wide and one high, its middle one below the origin."""
    mesh = scenes.cube_mesh()
    for vertex in mesh.vertices:
        vertex.co.x *= 3.0
        vertex.co.z -= 1.0
    return mesh


def dropped(kind: str, height: float) -> None:
    """A body that stands on two legs, or on one block, or on the hull of a mesh."""
    floor()
    whole = body("whole", (0.0, 0.0, 1.5 + height), "")
    if kind == "legs":
        part(whole, (-1.0, 0.0, -1.0))
        part(whole, (1.0, 0.0, -1.0))
    elif kind == "block":
        part(whole, (0.0, 0.0, -1.0)).box.size = (3.0, 1.0, 1.0)
    else:
        whole.data = wide_mesh()
        scenes.add_collider(whole, "CONVEX")


@pytest.mark.parametrize("height", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["legs", "block", "hull"])
def test_what_falls_flat_lies_still_at_once(kind: str, height: float) -> None:
    dropped(kind, height)
    session = play()
    rest = time_to_rest(session, "whole", 2.0)
    assert rest == pytest.approx(math.sqrt(2.0 * height / 9.81), abs=0.3)
    assert place(session, "whole") == pytest.approx((0.0, 0.0, 1.5), abs=2e-3)
    assert np.abs(axes(session, "whole") - np.eye(3)).max() < 5e-3


def test_the_parts_of_a_compound_have_their_places_and_turns() -> None:
    """Stands on the edge of a box that is turned by an eighth, and on a ball, as high."""
    floor()
    height = 0.5 * math.sqrt(2.0)
    whole = body("whole", (0.0, 0.0, height), "", mass=3.0)
    part(whole, (-1.0, 0.0, 0.0), turn=(math.pi / 4, 0.0, 0.0))
    part(whole, (1.0, 0.0, 0.0), "SPHERE").sphere.radius = height
    part(whole, (0.0, 2.0, 0.0), "CAPSULE", (0.0, math.pi / 2, 0.0))
    part(whole, (0.0, -2.0, 0.0), "CYLINDER", (0.0, math.pi / 2, 0.0))
    for obj in whole.children[2:]:
        shape = obj.omi_physics.collider.shape
        sizes = getattr(shape, shape.type.lower())
        sizes.height = 0.5
        for name in ("radius_bottom", "radius_top"):
            setattr(sizes, name, height)
    session = play()
    run(session, 1.0)
    assert place(session, "whole") == pytest.approx((0.0, 0.0, height), abs=2e-3)
    assert np.abs(axes(session, "whole") - np.eye(3)).max() < 5e-3


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_a_compound_turns_by_its_own_inertia(turn: float) -> None:
    gravity(0.0)
    spin = (0.5, 0.0, 3.0)
    whole = body("whole", kind="", mass=5.0, angular_velocity=spin, inertia_mode="VALUE")
    moments = (1.0, 1.0, 2.0)
    whole.omi_physics.motion.inertia_diagonal = moments
    part(whole, (0.5, 0.2, 0.0), turn=(turn, turn, 0.0))
    part(whole, (-0.5, 0.0, 0.3), "SPHERE")
    part(whole, (0.0, 0.0, 1.0), "CAPSULE", (0.0, turn, turn))
    session = play(substeps=10)
    run(session, 1.0)
    assert np.abs(axes(session, "whole") - free_rotation(moments, spin, 1.0)).max() < 0.03


def test_the_inertia_of_a_compound_is_that_of_its_parts() -> None:
    """Two balls on a bar without weight turn about their middle as a dumbbell does."""
    gravity(0.0)
    whole = body("whole", kind="", mass=2.0, angular_velocity=(0.3, 0.0, 2.0))
    for x in (-1.0, 1.0):
        part(whole, (x, 0.0, 0.0), "SPHERE").sphere.radius = 0.25
    session = play(substeps=10)
    run(session, 1.0)
    along = 0.4 * 2.0 * 0.25**2
    expected = free_rotation((along, along + 2.0, along + 2.0), (0.3, 0.0, 2.0), 1.0)
    assert np.abs(axes(session, "whole") - expected).max() < 0.03
    assert at(session, "whole") == 0


@pytest.mark.parametrize("scale", [(-1.0, -1.0, -1.0), (-0.5, 1.0, 2.0)])
@pytest.mark.parametrize("is_below", [False, True])
def test_a_mirrored_body_moves_along_the_axes_that_its_file_has(
    scale: Any, is_below: bool, tmp_path: Any
) -> None:
    """As Blender takes its matrix apart; its centre of mass is where it is in its space."""
    gravity(0.0)
    whole = body("whole", (1.0, 2.0, 3.0), linear_velocity=(1.0, 2.0, 3.0))
    whole.omi_physics.motion.center_of_mass = (0.1, 0.2, 0.3)
    whole.rotation_euler = (0.3, 0.5, 1.0)
    whole.scale = scale
    if is_below:
        whole.parent = scenes.add("above", None)
        whole.parent.scale, whole.scale = (-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)
    bpy.context.view_layer.update()
    turn = np.array(whole.matrix_world.to_quaternion().to_matrix())
    center = whole.matrix_world @ whole.omi_physics.motion.center_of_mass
    expected = np.array(center) + turn @ (0.5, 1.0, 1.5)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "whole.glb"))
    for is_imported in (False, True):
        if is_imported:
            player.stop()
            bpy.data.objects.remove(whole)
            bpy.ops.import_scene.gltf(filepath=str(tmp_path / "whole.glb"))
        session = play()
        run(session, 0.5)
        assert place(session, "whole") == pytest.approx(expected, abs=2e-3)
