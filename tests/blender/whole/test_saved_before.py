"""Files saved before the package was laid out in folders open with everything in them.

The files in `tests/data/blend_before_layout` are never made again: what they hold was written
under the names of then. Beside each is the JSON of its export of then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.issue_codes import Severity
from tests.blender.support.gltf_files import folded, read_glb, resolved

FOLDER = Path(__file__).resolve().parents[2] / "data" / "blend_before_layout"
NAMES = ("everything", "joints", "vehicles", "khr")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    bpy.ops.wm.open_mainfile(filepath=str(FOLDER / f"{request.param}.blend"), use_scripts=False)
    return request.param


def exported(path: Path) -> dict[str, Any]:
    bpy.ops.export_scene.gltf(filepath=str(path))
    return read_glb(path)[0]


def test_the_export_says_what_it_said(name: str, tmp_path: Path) -> None:
    then = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    now = exported(tmp_path / "now.glb")
    for node in now["nodes"]:  # Since then, KHR gets static bodies with joints as kinematic ones.
        if node.get("extras") == {"omi_physics_addon": "static"}:
            del node["extras"], node["extensions"]["KHR_physics_rigid_bodies"]["motion"]
    assert resolved(folded(now)) == resolved(then)  # Since then, meshes have their own nodes.
    assert set(now["extensionsUsed"]) == set(then["extensionsUsed"])


def test_a_second_save_keeps_it(name: str, tmp_path: Path) -> None:
    before = exported(tmp_path / "before.glb")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "again.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "again.blend"), use_scripts=False)
    assert resolved(exported(tmp_path / "after.glb")) == resolved(before)


def stored_of(owner: Any) -> Any:
    """What the file holds under the add-on's name, whatever the add-on calls it now."""
    groups = owner.bl_system_properties_get() if bpy.app.version >= (5, 0, 0) else owner
    return groups.get("omi_physics") if groups is not None else None


def unknown(stored: Any, group: Any, path: str) -> Iterator[str]:
    """Names in what the file holds that a property group of today has not."""
    for key in stored.keys():  # noqa: SIM118 - a group of Blender is no dictionary.
        at, rna = f"{path}.{key}", group.bl_rna.properties.get(key)
        if rna is None:
            yield at
        elif rna.type == "POINTER" and hasattr(stored[key], "keys"):
            if not isinstance(getattr(group, key), bpy.types.ID):
                yield from unknown(stored[key], getattr(group, key), at)
        elif rna.type == "COLLECTION":
            for i, (inner, item) in enumerate(zip(stored[key], getattr(group, key), strict=True)):
                yield from unknown(inner, item, f"{at}[{i}]")


def test_every_stored_name_is_one_of_today(name: str) -> None:
    owners = [*bpy.data.objects, *bpy.data.scenes]
    stored = [(owner, stored_of(owner)) for owner in owners]
    assert sum(found is not None for _, found in stored) > 5
    assert [
        text
        for owner, found in stored
        if found is not None
        for text in unknown(found, owner.omi_physics, owner.name)
    ] == []


def test_nothing_is_told_but_what_was_told(name: str, tmp_path: Path) -> None:
    exported(tmp_path / "now.glb")
    report = reports.latest("EXPORT")
    assert report is not None
    codes = {"everything": {"L15"}}
    found = {issue.code for issue in report.issues if issue.severity is not Severity.INFO}
    assert found == codes.get(name, set())
