"""File > New > Physics opens scenes of the first steps, as files without a name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.panels import create_menus
from tests.blender.panels.test_panels import FakeLayout
from tools.examples import walk_scenes
from tools.examples.make_templates import WALKS

MOST = 120_000  # Bytes of one, which all who install the extension download.


@pytest.mark.parametrize("label", create_menus.TEMPLATES)
def test_a_template_is_what_its_walk_makes(label: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Blender warns of none, as it does of files without a window."""
    path = create_menus.TEMPLATES[label]
    assert path.stat().st_size < MOST
    bpy.ops.wm.read_homefile(filepath=str(path), load_ui=False, use_factory_startup=False)
    assert "Warning" not in capfd.readouterr().out
    assert bpy.data.filepath == ""
    walk_scenes.WALKS[WALKS[path.stem]].check()


def test_the_menu_is_in_file_new_once() -> None:
    menu: Any = bpy.types.TOPBAR_MT_file_new
    assert menu._dyn_ui_initialize().count(create_menus.draw_new_menu) == 1
    layout = FakeLayout()
    create_menus.draw_new_menu(SimpleNamespace(layout=layout), bpy.context)
    assert layout.shown == [("menu", "OMIPHYSICS_MT_new_file")]
