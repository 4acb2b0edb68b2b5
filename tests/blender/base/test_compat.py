"""Names and removal of IDs, where Blender's own ways look through the whole file."""

from __future__ import annotations

import re
from pathlib import Path

import bpy
import pytest

from omi_physics_addon.blender.base import compat
from tests.blender.support.scenes import add

PACKAGE = Path(compat.__file__).parents[2]


@pytest.fixture(name="updates")
def updates_():
    """The names of what updates of the scene were about."""
    found: list[set[str]] = []

    def note(_scene, depsgraph):
        found.append({each.id.name for each in depsgraph.updates})

    bpy.app.handlers.depsgraph_update_post.append(note)
    yield found
    bpy.app.handlers.depsgraph_update_post.remove(note)


def test_removing_nothing_evaluates_nothing(updates):
    add("Box")
    bpy.context.view_layer.update()
    updates.clear()
    compat.remove_data([])
    bpy.context.view_layer.update()
    assert updates == []
    compat.remove_data(bpy.data.objects[name] for name in ("Box",))
    bpy.context.view_layer.update()
    assert len(updates) == 1
    assert "Box" not in bpy.data.objects


def test_ids_are_removed_in_one_place():
    users = [
        path.name
        for path in PACKAGE.rglob("*.py")
        if "batch_remove(" in path.read_text(encoding="utf-8")
    ]
    assert users == ["compat.py"]


def test_a_name_that_another_one_has_gets_a_number():
    first, second, third = (add(name) for name in ("Wheel", "Wheel.001", "Other"))
    compat.rename(third, "Door")
    assert third.name == "Door"
    compat.rename(third, "Wheel")
    assert re.fullmatch(r"Wheel\.\d+", third.name)
    assert [first.name, second.name] == ["Wheel", "Wheel.001"]
