"""New files begin as the preferences say, and no other file changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import preferences

PREFERRED = {
    "family": "KHR",
    "target": "BABYLON",
    "geometry": "NODE",
    "line_width": 3.0,
    "symbol_size": 0.25,
}


@pytest.fixture
def preferred() -> Iterator[Any]:
    """Preferences of somebody who works for Babylon.js."""
    found = preferences.of_artist()
    for name, value in PREFERRED.items():
        setattr(found, name, value)
    yield found
    for name in PREFERRED:
        found.property_unset(name)


def values(scene: Any) -> dict[str, Any]:
    return {
        name: getattr(getattr(scene.omi_physics, part), name)
        for name, part in preferences.BEGINNINGS.items()
    }


FIRST = {
    "family": "OMI",
    "target": "SPECIFICATION",
    "geometry": "MESH",
    "line_width": 1.5,
    "symbol_size": 0.5,
}


def test_the_beginnings_are_those_of_scenes():
    chosen = preferences.of_artist()
    assert {name: getattr(chosen, name) for name in FIRST} == values(bpy.context.scene) == FIRST
    assert PREFERRED.keys() == preferences.BEGINNINGS.keys()


def test_a_new_file_begins_as_preferred(preferred):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    assert values(bpy.context.scene) == PREFERRED


def test_a_saved_file_stays_as_it_is(preferred, tmp_path):
    path = str(tmp_path / "saved.blend")
    preferred.family = "OMI"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    before = values(bpy.context.scene)
    preferred.family, preferred.line_width = "BOTH", 5.0
    bpy.ops.wm.open_mainfile(filepath=path)
    assert values(bpy.context.scene) == before


def test_what_is_set_already_stays(preferred):
    scene = bpy.data.scenes.new("Own")
    assert values(scene) == FIRST
    scene.omi_physics.export.family = "BOTH"
    preferences.begin(scene)
    assert values(scene) == {**PREFERRED, "family": "BOTH"}


def test_nothing_is_set_without_preferences(monkeypatch):
    monkeypatch.setattr(preferences, "of_artist", lambda: None)
    scene = bpy.data.scenes.new("Own")
    preferences.begin(scene)
    assert not scene.omi_physics.export.is_property_set("family")
