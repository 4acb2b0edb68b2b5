"""The sample library comes into the preferences and goes again; theirs stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender import registration
from omi_physics_addon.blender.operators.presets import sample_library
from omi_physics_addon.blender.panels import create_menus
from tests.blender.panels.test_panels import FakeLayout

ops: Any = bpy.ops.scene
NAME = sample_library.NAME


@pytest.fixture(autouse=True)
def libraries() -> Iterator[Any]:
    """The asset libraries of this Blender, of which those of tests are removed again."""
    found: Any = bpy.context.preferences.filepaths.asset_libraries
    known = len(found)
    yield found
    for each in list(found)[known:]:
        found.remove(each)


def told() -> list[tuple[str, str, str]]:
    found: Any = bpy.context.preferences.filepaths.asset_libraries
    return [(each.name, each.path, each.import_method) for each in found]


def test_add_and_remove(libraries: Any, tmp_path: Path) -> None:
    libraries.new(name="Own", directory=str(tmp_path))
    preferences: Any = bpy.context.preferences
    before = told()
    for _ in range(2):
        preferences.is_dirty = False
        assert ops.omi_physics_add_sample_library() == {"FINISHED"}
        assert told() == [*before, (NAME, str(sample_library.FOLDER), "APPEND")]
        assert preferences.is_dirty
        with pytest.raises(RuntimeError, match="in the Asset Browser already"):
            ops.omi_physics_add_sample_library()
        preferences.is_dirty = False
        assert ops.omi_physics_remove_sample_library() == {"FINISHED"}
        assert told() == before
        assert preferences.is_dirty
        with pytest.raises(RuntimeError, match="Add the sample library first"):
            ops.omi_physics_remove_sample_library()


def test_there_is_no_step_to_undo() -> None:
    """Preferences are no part of the file."""
    for cls in registration.classes_of(sample_library):
        assert "UNDO" not in cls.bl_options


def test_a_library_that_was_renamed_is_ours_all_the_same(libraries: Any) -> None:
    ops.omi_physics_add_sample_library()
    libraries[NAME].name = "Samples"
    assert not ops.omi_physics_add_sample_library.poll()
    ops.omi_physics_remove_sample_library()
    assert "Samples" not in libraries


def test_one_of_another_install_moves(libraries: Any, tmp_path: Path) -> None:
    libraries.new(name=NAME, directory=str(tmp_path))
    assert not ops.omi_physics_remove_sample_library.poll()
    count = len(libraries)
    ops.omi_physics_add_sample_library()
    assert len(libraries) == count
    assert told()[-1] == (NAME, str(sample_library.FOLDER), "APPEND")


def test_the_asset_menu_has_both_once() -> None:
    menu: Any = bpy.types.ASSETBROWSER_MT_asset
    assert menu._dyn_ui_initialize().count(create_menus.draw_asset_menu) == 1
    layout = FakeLayout()
    create_menus.draw_asset_menu(type("Menu", (), {"layout": layout})(), bpy.context)
    names = [cls.bl_idname for cls in registration.classes_of(sample_library)]
    assert layout.shown == [("operator", name) for name in names]
