"""The preferences of the add-on: what they show, and who follows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import keymap, preferences
from omi_physics_addon.blender.operators import inspect_file
from omi_physics_addon.blender.overlay import overlay
from omi_physics_addon.blender.overlay.line_cache import Style
from omi_physics_addon.blender.overlay.marks import Role
from omi_physics_addon.blender.preferences import OMIPHYSICS_AP_preferences
from tests.blender.panels.test_panels import FakeLayout
from tools import environment


@pytest.fixture
def chosen() -> Iterator[Any]:
    """The preferences of this Blender; as they were at first again after the test."""
    found = preferences.of_artist()
    yield found
    for prop in found.bl_rna.properties:
        if not prop.is_readonly:
            found.property_unset(prop.identifier)


def test_all_that_can_be_preferred_is_shown(chosen):
    layout = FakeLayout()
    keys = SimpleNamespace(keymaps={})
    context = SimpleNamespace(window_manager=SimpleNamespace(keyconfigs=SimpleNamespace(user=keys)))
    panel: Any = SimpleNamespace(layout=layout, bl_rna=chosen.bl_rna)
    OMIPHYSICS_AP_preferences.draw(panel, context)
    shown = {name for kind, name in layout.shown if kind != "operator"}
    own = {p.identifier for p in chosen.bl_rna.properties} - {"rna_type", "bl_idname", "name"}
    assert shown == own
    assert {"pages_folder", "family", "color_limit"} <= own


def test_every_key_can_be_changed_there():
    assert {"scene.omi_physics_preview_start"} == keymap.OPERATORS


@pytest.mark.parametrize("role", Role)
def test_lines_have_the_color_that_is_preferred(role, chosen):
    other = Role.SEAT if role is not Role.SEAT else Role.MASS
    before = overlay.color(Style(other, False))
    assert overlay.color(Style(role, False))[:3] == pytest.approx(overlay.COLORS[role], abs=1e-6)
    setattr(chosen, preferences.COLOR.format(role.value.lower()), (0.25, 0.5, 0.125))
    assert overlay.color(Style(role, False))[:3] == (0.25, 0.5, 0.125)
    assert overlay.color(Style(other, False)) == before


def test_pages_go_where_it_is_preferred(chosen, tmp_path: Path):
    file = environment.ROOT / "examples" / "joints.glb"
    assert inspect_file.inspect(file)[1].parent == Path(bpy.app.tempdir)
    chosen.pages_folder = str(tmp_path)
    page = inspect_file.inspect(file)[1]
    assert page == tmp_path / "joints.glb.html"
    assert page.is_file()
    chosen.pages_folder = str(tmp_path / "none")
    with pytest.raises(RuntimeError, match="none"):
        bpy.ops.scene.omi_physics_inspect(filepath=str(file))
