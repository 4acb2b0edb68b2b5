"""The table of all wheels of a vehicle."""

from __future__ import annotations

from typing import Any

import bpy

from omi_physics_addon.blender.panels import vehicle_wheels
from tests.blender.panels.test_panels import context, draw, panel
from tests.blender.support.scenes import add


def vehicle(count: int) -> Any:
    car = add("Car")
    car.omi_physics.use_vehicle_body = True
    for i in range(count):
        wheel = add(f"W{i}", parent=car, location=(1.0 - i % 2 * 2.0, 2.0 - i // 2, 0.0))
        wheel.omi_physics.use_wheel = True
    layer: Any = bpy.context.view_layer
    layer.update()
    return car


def test_each_wheel_has_a_row_from_the_front_to_the_rear() -> None:
    car = vehicle(4)
    layout = draw(panel("vehicle_wheels"), context(car))
    assert layout is not None
    rows = [text for kind, text in layout.shown if kind == "operator" and "select" in text]
    assert rows == ["object.omi_physics_outliner_select"] * 4
    assert [obj.name for obj in vehicle_wheels.wheels_of(car)] == ["W2", "W3", "W0", "W1"]
    fields = [name for kind, name in layout.shown if kind == "OMIPHYSICS_PG_wheel"]
    assert fields == [name for _, name in vehicle_wheels.COLUMNS] * 4


def test_long_tables_end_and_say_so() -> None:
    layout = draw(panel("vehicle_wheels"), context(vehicle(40)))
    assert layout is not None
    assert "… and 8 more" in " ".join(layout.texts)


def test_wheels_that_go_leave_the_table() -> None:
    car = vehicle(2)
    assert len(vehicle_wheels.wheels_of(car)) == 2
    bpy.data.objects.remove(bpy.data.objects["W0"])
    assert [obj.name for obj in vehicle_wheels.wheels_of(car)] == ["W1"]
    assert draw(panel("vehicle_wheels"), context(vehicle(0))) is None
