"""What the assets of the sample library export and how they play, to be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import bpy
import numpy as np

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.operators.presets import sample_library
from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.session import Session
from omi_physics_addon.files import differences, source
from omi_physics_addon.issues import Severity
from tests.blender.support.preview_scenes import play, run
from tools.examples.make_library import ASSETS

NAME: Final = sample_library.NAME
FILE: Final = sample_library.FOLDER / "library.blend"
TITLES: Final = tuple(ASSETS)
SECONDS: Final = 2.0
CLOSE: Final = 1e-3  # Of places before anything moves, m.
NEAR: Final = 0.02  # After that; Bullet solves two bridges in another order than one, m.
# What is beside physics takes most of the time of an export.
BARE: Final[dict[str, Any]] = {
    **{f"export_{name}": False for name in ("animations", "normals", "texcoords")},
    "export_materials": "NONE",
}
Array = Any


class Seen(NamedTuple):
    """What a scene exports, and where its bodies are at the start and the end, (2, n, 3), m."""

    file: source.Source
    way: Array


def exported(folder: Path, name: str = "out.glb") -> source.Source:
    """The file of the scene that is shown, with no more than remarks."""
    bpy.ops.export_scene.gltf(filepath=str(folder / name), use_active_scene=True, **BARE)
    report = reports.latest("EXPORT")
    assert report is not None
    assert [each.message for each in report.issues if each.severity is not Severity.INFO] == []
    return source.read(folder / name)


def differing(one: source.Source, other: source.Source) -> list[str]:
    """What two files mean differently."""
    return [str(change) for change in differences.compare(one, other, 1e-5).changes]


def places(session: Session) -> Array:
    """Of all bodies, (n, 3), m, in Blender's axes."""
    x, y, z = session.poses().position.T
    return np.stack([x, -z, y], axis=1)


def played() -> Array:
    """Where all bodies are at the start and at the end of a preview, (2, n, 3), m."""
    session = play()
    start = places(session)
    run(session, SECONDS)
    found = np.stack([start, places(session)])
    player.stop()
    return found


def seen(folder: Path, name: str) -> Seen:
    """What the scene that is shown exports, and how it plays."""
    return Seen(exported(folder, name), played())


def seen_at(folder: Path, wanted: Seen) -> tuple[float, list[str], float]:
    """How far what was dropped somewhere is from what it is of.

    Returns:
        the largest distances of bodies at the start and the end, m, and what files say otherwise.
    """
    way = played()
    by = (way[0] - wanted.way[0]).mean(axis=0)
    for obj in bpy.context.scene.objects:
        if obj.parent is None:
            obj.location = np.array(obj.location) - by
    bpy.context.view_layer.update()
    start, end = np.abs(way - by - wanted.way).max(axis=(1, 2))
    return start, differing(wanted.file, exported(folder)), end
