"""Every test starts with an empty file and the add-on enabled in Blender as users have it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="needs a Python with bpy; see tools/test.py")

ROOT = Path(__file__).resolve().parents[2]


def _raise(problem: Exception) -> None:
    """Say what is wrong, which Blender would print and go on."""
    raise RuntimeError(f"the add-on did not register: {problem}") from problem


@pytest.fixture(scope="session", autouse=True)
def _addon() -> Iterator[None]:
    """The add-on, enabled through Blender's preferences, where its glTF add-on looks for hooks."""
    import addon_utils

    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    addon_utils.enable("io_scene_gltf2", default_set=True)
    addon_utils.enable("omi_physics_addon", default_set=True, handle_error=_raise)
    yield
    # bpy 4.2 crashes at exit when classes are left registered.
    addon_utils.disable("omi_physics_addon", default_set=True)


@pytest.fixture(autouse=True)
def _empty_file(_addon: None) -> None:
    # After `bpy.context.tool_settings`, 4.2 keeps the scene with the context, frees it when another
    # file is read, and crashes some time later. The scene itself has these settings, too.
    assert bpy.context.id_data is None, "a test has read bpy.context.tool_settings"
    from tests.blender.support.scenes import begin_empty

    begin_empty()


@pytest.fixture
def stopped_preview(_empty_file: None) -> Iterator[None]:
    """Stops the preview after a test; nothing of it may be left."""
    from omi_physics_addon.blender.preview import player
    from omi_physics_addon.blender.preview.stage import stage

    yield
    player.stop()
    assert not stage.is_left()


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Export the scene and give the JSON of the file."""

    def run(name: str = "scene.gltf", **options: Any) -> dict[str, Any]:
        path = tmp_path / name
        bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE", **options)
        return json.loads(path.read_text())

    return run


@pytest.fixture
def import_json(tmp_path: Path) -> Callable[..., dict[int, Any]]:
    """Import a glTF given as JSON; the objects by index of their node, which needs a name."""

    def run(gltf: dict[str, Any]) -> dict[str, Any]:
        path = tmp_path / "import.gltf"
        path.write_text(json.dumps({"asset": {"version": "2.0"}, **gltf}))
        before = set(bpy.data.objects)
        bpy.ops.import_scene.gltf(filepath=str(path))
        return {obj.name: obj for obj in bpy.data.objects if obj not in before}

    return run


_exit_code = 0


def pytest_sessionfinish(exitstatus: int) -> None:
    """Remember how the tests went."""
    global _exit_code
    _exit_code = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """End at once where bpy does not survive its own tidying up.

    4.2 crashes, once a property had a callback; 4.5 hangs after many imports, as it lists the
    memory that it has not freed.
    """
    if bpy.app.version < (5, 0, 0):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_exit_code)
