"""Which symbol is below the mouse, and when symbols can be clicked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.overlay import symbols
from omi_physics_addon.blender.preview import player
from tests.blender.operators.test_bodies import select
from tests.blender.support.scenes import add, add_collider, cube_mesh
from tests.blender.support.viewports import Viewport

SIZE = (200.0, 100.0)
FLAT = Matrix.Diagonal((0.1, 0.1, 0.1, 1.0))  # The region shows from -10 to 10 m.


@pytest.fixture
def viewport():
    made = Viewport()
    yield made
    made.close()


def seat(name: str, **options: Any) -> Any:
    obj = add(name, **options)
    obj.omi_physics.use_seat = True
    return obj


def found(viewport: Viewport, mouse: tuple[float, float], matrix: Matrix = FLAT) -> Any:
    return symbols.nearest(viewport.redraw(), matrix, SIZE, mouse, 10.0)


def test_the_nearest_symbol_is_found(viewport):
    one, two = seat("One", location=(0.0, 0.0, 0.0)), seat("Two", location=(1.5, 0.0, 0.0))
    assert found(viewport, (100.0, 50.0)).uid == one.session_uid
    hit = found(viewport, (112.0, 52.0))
    assert hit.uid == two.session_uid
    assert tuple(hit.pixel) == pytest.approx((115.0, 50.0))
    assert found(viewport, (130.0, 50.0)) is None
    two.location.x = 3.0
    assert found(viewport, (130.0, 50.0)).uid == two.session_uid
    bpy.data.objects.remove(two)
    assert found(viewport, (130.0, 50.0)) is None


def test_only_empties_have_symbols(viewport):
    mesh = add("Mesh", cube_mesh())
    mesh.omi_physics.use_seat = True
    add_collider(add("Collider"))
    assert found(viewport, (100.0, 50.0)) is None


def test_what_is_behind_the_viewer_is_not_found(viewport):
    seat("One", location=(0.0, 0.0, 1.0))
    toward = Matrix(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, -1, 0)))
    assert found(viewport, (100.0, 50.0), toward) is None
    away = Matrix(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 1, 0)))
    assert found(viewport, (100.0, 50.0), away) is not None


def polls(overlays: bool = True) -> bool:
    space = SimpleNamespace(overlay=SimpleNamespace(show_overlays=overlays))
    context: Any = SimpleNamespace(
        scene=bpy.context.scene, space_data=space, view_layer=bpy.context.view_layer
    )
    return symbols.OMIPHYSICS_GGT_symbols.poll(context)


def test_symbols_are_clicked_where_they_are_shown(monkeypatch):
    obj = add("A", cube_mesh())
    select(obj)
    assert polls()
    assert not polls(overlays=False)
    settings = bpy.context.scene.omi_physics.overlay
    for name in ("enabled", "handles"):
        setattr(settings, name, False)
        assert not polls()
        setattr(settings, name, True)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not polls()
    bpy.ops.object.mode_set(mode="OBJECT")
    monkeypatch.setattr(player, "running", object)
    assert not polls()
