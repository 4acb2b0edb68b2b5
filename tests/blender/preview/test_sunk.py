"""What stands a little in the floor comes out of it, and is neither thrown nor slowed."""

from __future__ import annotations

from typing import Any

import bmesh
import bpy
import numpy as np
import pytest

from tests.blender.support import scenes
from tests.blender.support.preview_scenes import (
    body,
    collision_filter,
    fall,
    floor,
    material,
    place,
    play,
    run,
)

SIZE = 0.5  # m, half a body of each kind.
RATES = ((24, 1), (60, 4), (120, 8))
ASIDE = {"box": 0.015, "triangles": 0.04}  # m; edges between triangles push aside.
SUNK = (0.01, 0.035, 0.06, 0.15)  # m


def box(name: str, at: Any) -> Any:
    obj = body(name, at)
    obj.omi_physics.collider.shape.box.size = (1.0, 1.0, 1.0)
    return obj


def ball(name: str, at: Any) -> Any:
    obj = body(name, at, kind="SPHERE")
    obj.omi_physics.collider.shape.sphere.radius = SIZE
    return obj


def cone(name: str, at: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    form = bmesh.new()
    bmesh.ops.create_cone(form, segments=24, radius1=0.4, radius2=0.0, depth=1.0, cap_ends=True)
    form.to_mesh(mesh)
    form.free()
    obj = scenes.add(name, mesh)
    obj.location = at
    scenes.add_body(obj)
    scenes.add_collider(obj, "CONVEX")
    return obj


def ground() -> Any:
    """A floor of triangles."""
    mesh = bpy.data.meshes.new("ground")
    form = bmesh.new()
    bmesh.ops.create_grid(form, x_segments=13, y_segments=13, size=10.0)
    form.to_mesh(mesh)
    form.free()
    return scenes.add_collider(scenes.add("ground", mesh), "TRIMESH")


NAMES = (("slides", 0.0), ("passes", 20.0), ("falls", 10.0))
KINDS = {"box": box, "ball": ball, "cone": cone}


def follow(session: Any, names: list[str], seconds: float = 1.0) -> dict[str, Any]:
    """The places of bodies in each frame, (k, 3)."""
    paths: dict[str, Any] = {name: [place(session, name)] for name in names}
    for _ in range(round(seconds / session.options.step)):
        run(session, session.options.step)
        for name, path in paths.items():
            path.append(place(session, name))
    return {name: np.array(path) for name, path in paths.items()}


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize(("rate", "substeps"), RATES)
@pytest.mark.parametrize("on", ["box", "triangles"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_in_the_floor_comes_out_without_a_hop(kind, on, rate, substeps):
    _ = floor() if on == "box" else ground()
    depths = SUNK if on == "box" or kind != "cone" else SUNK[:1]
    names = [f"{kind} {number}" for number in range(len(depths))]
    for number, depth in enumerate(depths):
        KINDS[kind](names[number], (3.0 * number - 4.4, 0.3, SIZE - depth))
    paths = follow(play(rate=rate, substeps=substeps), names)
    for name, depth in zip(names, depths, strict=True):
        path = paths[name]
        assert path[:, 2].max() - path[0, 2] == pytest.approx(depth, abs=0.003), name
        assert path[-1, 2] - path[0, 2] == pytest.approx(depth, abs=0.004), name
        assert np.abs(path[:, :2] - path[0, :2]).max() < ASIDE[on], name


@pytest.mark.usefixtures("stopped_preview")
@pytest.mark.parametrize("gap", [-0.02, 0.0, 0.009])
@pytest.mark.parametrize(("rate", "substeps"), RATES[1:])
def test_what_stands_on_it_is_not_thrown(gap, rate, substeps):
    floor()
    names = [f"crate {number}" for number in range(4)]
    for number, name in enumerate(names):
        box(name, (0.0, 0.0, SIZE - 0.04 + (1.0 + gap) * number))
    for number, path in enumerate(follow(play(rate=rate, substeps=substeps), names).values()):
        assert path[:, 2].max() < max(SIZE + number, path[0, 2]) + 0.005
        assert path[-1, 2] == pytest.approx(SIZE + number, abs=0.005)


@pytest.mark.usefixtures("stopped_preview")
def test_what_moves_or_may_pass_keeps_its_speed():
    """A body that slides out of the floor, one that overlaps what it passes, and one in the air."""
    floor()
    slides, passes, falls = (box(name, (0.0, y, 0.0)) for name, y in NAMES)
    slides.location.z, falls.location.z = SIZE - 0.004, 4.0
    slides.omi_physics.motion.linear_velocity = (5.0, 0.0, 0.0)
    material("Ice", slides, bpy.data.objects["Floor"], static_friction=0.0, dynamic_friction=0.0)
    ghost = box("ghost", (0.0, 20.0, 4.2))
    passes.location = (0.0, 20.0, 4.0)
    collision_filter("Ghosts", passes, ghost, systems=("Ghosts",), mode="NOT", others=("Ghosts",))
    paths = follow(play(), [name for name, _ in NAMES], 0.5)
    assert paths["slides"][-1, 0] == pytest.approx(2.5, rel=0.01)
    for name in ("passes", "falls"):
        assert paths[name][-1, 2] == pytest.approx(4.0 - fall(0.5), abs=2e-3), name


@pytest.mark.parametrize("on", ["box", "triangles"])
def test_settle_brings_it_to_the_surface(on):
    _ = floor() if on == "box" else ground()
    crate = box("crate", (0.3, 0.2, SIZE - 0.06))
    bpy.context.view_layer.update()
    crate.select_set(True)
    bpy.context.view_layer.objects.active = crate
    assert bpy.ops.object.omi_physics_settle() == {"FINISHED"}
    assert crate.location.z == pytest.approx(SIZE, abs=0.003)
    assert np.abs(np.array(crate.location[:2]) - (0.3, 0.2)).max() < ASIDE[on]
