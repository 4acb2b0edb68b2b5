"""The preview moves imported robots as MuJoCo moves their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.formats import files
from omi_physics_addon.issues import Issues
from tests.blender.support.preview_scenes import gravity
from tests.support import robot_models
from tools.engines import compare_mujoco

mujoco = pytest.importorskip("mujoco", reason="needs mujoco; see tools/requirements/mujoco.txt")
bpy: Any = pytest.importorskip("bpy")

SECONDS, RATE = 2.0, 60
STEPS = 50  # Of MuJoCo in a frame.


def by_mujoco(path: Path) -> tuple[list[str], np.ndarray]:
    """The names of the bodies that move, and their centers of mass (frames, bodies, 3)."""
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = 1.0 / RATE / STEPS
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    moving = np.flatnonzero((model.body_weldid > 0) & (model.body_mass > 0.0))
    places = [data.xipos[moving].copy()]
    for _ in range(round(SECONDS * RATE)):
        for _ in range(STEPS):
            mujoco.mj_step(model, data)
        places.append(data.xipos[moving].copy())
    return [model.body(int(at)).name for at in moving], np.array(places)


def by_preview(path: Path, names: list[str]) -> np.ndarray:
    """The centers of mass of the imported bodies (frames, bodies, 3)."""
    container = files.read(path, Issues())
    gltf = path.with_suffix(".glb")
    gltf.write_bytes(containers.write(container, container.json))
    bpy.ops.import_scene.gltf(filepath=str(gltf))
    bpy.context.view_layer.update()
    options = PreviewOptions(rate=RATE, substeps=10, show=False)
    session = player.start(bpy.context.scene, options)
    known = list(session.names)
    which = [session.world.body_of[known.index(name)] for name in names]
    places = []
    session.step(session.begin - session.frame)
    for frame in range(round(SECONDS * RATE) + 1):
        session.step(1 if frame else 0)
        assert not session.error
        x, y, z = session.poses().position[which].T
        places.append(np.stack([x, -z, y], axis=1))
    return np.array(places)


@pytest.mark.parametrize("name", [*robot_models.URDF, *robot_models.MJCF])
def test_a_robot_moves_as_in_mujoco(name: str, tmp_path: Path, stopped_preview: None) -> None:
    gravity()
    path = robot_models.write(name, tmp_path)
    names, places = by_mujoco(path)
    found = by_preview(path, names)
    way = np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0)
    off = np.linalg.norm(found - places, axis=2).max(axis=0)
    assert off.max() <= compare_mujoco.TOLERANCE * way.max()
    assert way.max() > 0.02  # m; else nothing was compared.
