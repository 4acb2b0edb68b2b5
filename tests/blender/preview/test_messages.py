"""Blender finds nothing to complain about while a preview starts, plays and stops."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.bodies.actors import Actors
from omi_physics_addon.blender.preview.bodies.constraints import Constraints
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.blender.preview.stage.stage import Stage
from tests.blender.preview.stage.test_restores import rich_scene

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.blend"))
COMPLAINTS = ("cycle", "ERROR", "Error", "no vertices", "Convex Hull")


def complaints(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """What Blender itself wrote, beyond Python, that sounds like a fault."""
    ctypes.CDLL(None if os.name == "posix" else "msvcrt").fflush(None)
    out, err = capfd.readouterr()
    lines = (out + err).splitlines()
    return [line for line in lines if any(word in line for word in COMPLAINTS)]


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples_play_without_complaints(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), use_scripts=False)
    complaints(capfd)
    for _ in range(2):
        running = player.start(bpy.context.scene, PreviewOptions())
        running.step(30)
        assert running.error == ""
        player.stop()
    assert complaints(capfd) == []


@pytest.mark.parametrize(
    ("cls", "method"), [(Stage, "make_world"), (Actors, "configure"), (Constraints, "make")]
)
def test_a_start_that_fails_half_way_is_quiet(
    cls: type, method: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    scene = rich_scene()
    original = getattr(cls, method)

    def fails(*args: object, **options: object) -> None:
        original(*args, **options)
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(cls, method, fails)
    complaints(capfd)
    with pytest.raises(ZeroDivisionError):
        player.start(scene, PreviewOptions())
    assert complaints(capfd) == []
