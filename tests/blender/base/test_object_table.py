"""The table of objects: what it shows, its order, and what it costs at 10 000 objects."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import object_table
from omi_physics_addon.blender.panels import scenes
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support import pace


def rows(name: str = "", sort: str = "NAME", selected: Any = None) -> list[str]:
    """The names that are shown, in their order."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    flags, order = object_table.arrangement(scene, scene.objects, name, sort, selected)
    places = {order[i]: obj.name for i, obj in enumerate(scene.objects) if flags[i]}
    return [places[at] for at in sorted(places)]


def props() -> None:
    for name, kind, mass, shape in (
        ("Crate", "DYNAMIC", 9.0, "BOX"),
        ("Barrel", "DYNAMIC", 2.0, "CYLINDER"),
        ("Anvil", "STATIC", 5.0, "CONVEX"),
    ):
        obj = add(name, cube_mesh())
        add_body(obj, kind).mass = mass
        add_collider(obj, shape)
    add("Lamp")
    zone = add("Zone")
    zone.omi_physics.use_trigger = True
    bpy.data.objects["Crate"].omi_physics.collider.physics_material = "Wood"


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("NAME", ["Anvil", "Barrel", "Crate", "Zone"]),
        ("TYPE", ["Zone", "Barrel", "Crate", "Anvil"]),
        ("MASS", ["Zone", "Barrel", "Anvil", "Crate"]),
        ("SHAPE", ["Crate", "Zone", "Anvil", "Barrel"]),
        ("MATERIAL", ["Anvil", "Barrel", "Zone", "Crate"]),
        ("FILTER", ["Anvil", "Barrel", "Crate", "Zone"]),
    ],
)
def test_rows_are_sorted(sort, expected):
    props()
    assert rows(sort=sort) == expected


def test_rows_are_searched_and_those_of_the_selection():
    props()
    assert rows("r") == ["Barrel", "Crate"]
    assert rows("b*l") == ["Barrel"]
    crate = bpy.data.objects["Crate"]
    assert rows(selected=frozenset({crate.session_uid})) == ["Crate"]
    crate.omi_physics.motion.mass = 1.0
    crate.update_tag()
    assert rows(sort="MASS") == ["Zone", "Crate", "Barrel", "Anvil"]


def cells(name: str, width: int) -> list[str]:
    """What a row shows in an editor of this width, in pixels at scale 1."""
    drawn: list[str] = []
    layout = SimpleNamespace(
        prop=lambda _data, name, **_options: drawn.append(name),
        label=lambda **_options: drawn.append(""),
    )
    layout.row = layout.split = lambda **_options: layout
    context = SimpleNamespace(
        scene=bpy.context.scene,
        region=SimpleNamespace(width=width),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
    )
    cls: Any = scenes.OMIPHYSICS_UL_table
    cls.draw_row(None, context, layout, bpy.data.objects[name])
    return drawn


def test_a_row_has_a_cell_for_each_column():
    props()
    expected = ["name", "type", "mass", "type", "physics_material", "collision_filter"]
    assert cells("Crate", 600) == expected
    assert cells("Zone", 600) == ["name", "", "", "type", "", ""]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("NAME", ["name", "type", "mass"]),
        ("MASS", ["name", "type", "mass"]),
        ("SHAPE", ["name", "type", "type"]),
        ("MATERIAL", ["name", "type", "physics_material"]),
        ("FILTER", ["name", "type", "collision_filter"]),
    ],
)
def test_a_narrow_editor_shows_the_columns_that_fit_and_that_of_the_order(sort, expected):
    """As wide as a new window has it, where six columns had names of three letters."""
    props()
    bpy.context.scene.omi_physics.sidebar.table_sort = sort
    assert cells("Crate", 290) == expected
    assert cells("Crate", 200) == [expected[0], expected[1 if sort == "NAME" else 2]]


def test_ten_thousand_objects_cost_once_for_each_change():
    mesh = cube_mesh()
    for i in range(10_000):
        add_collider(add(f"Prop {i}", mesh))
    scene = bpy.context.scene
    bpy.context.view_layer.update()

    def arranged() -> None:
        object_table.arrangement(scene, scene.objects, "", "SHAPE", None)

    first = pace.fastest(arranged, 1)
    pace.check_takes(arranged, first / 5)
    assert first < 0.5
