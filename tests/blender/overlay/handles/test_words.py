"""What the header shows, and what typed numbers mean."""

from __future__ import annotations

import math
from typing import Any

import bpy
import pytest
from mathutils import Matrix

from omi_physics_addon.blender.overlay.handles import words
from omi_physics_addon.blender.overlay.handles.handle import Space

LENGTH = Space(Matrix()).along("key", "Size Z", [], (0, 0, 0), (0, 0, 1), value=0.0)
ANGLE = Space(Matrix()).about("key", "Max Angle", [], (1, 0, 0), (0, 0, 1), value=0.0)


def units(**how: Any) -> Any:
    scene = bpy.context.scene
    for name, value in how.items():
        setattr(scene.unit_settings, name, value)
    return scene


def test_lengths_and_angles_are_told_in_the_units_of_the_scene():
    scene = units()
    assert words.in_words(scene, LENGTH, 3.0) == "Size Z: 3 m"
    assert words.in_words(scene, ANGLE, math.radians(45.0)) == "Max Angle: 45°"
    assert words.in_words(units(length_unit="CENTIMETERS"), LENGTH, 3.0) == "Size Z: 300 cm"
    units(length_unit="ADAPTIVE")
    scene = units(scale_length=0.01, system_rotation="RADIANS")
    assert words.in_words(scene, LENGTH, 3.0) == "Size Z: 3 cm"
    assert words.in_words(scene, ANGLE, 0.5) == "Max Angle: 0.5 rad"
    assert words.in_words(scene, ANGLE, 0.5, "1.") == "Max Angle: [1.|]"


def typed(*keys: str) -> str:
    text = ""
    for key in keys:
        found = words.edited(text, key, "" if len(key) > 1 else key)
        text = text if found is None else found
    return text


def test_keys_write_a_number():
    assert typed("1", ".", "5") == "1.5"
    assert typed("1", ",", "5", "BACK_SPACE", "BACK_SPACE") == "1"
    assert typed("1", "-") == "-1"
    assert typed("-", "2", "-") == "2"
    assert typed("x", "LEFT_SHIFT", "MOUSEMOVE", "4") == "4"


@pytest.mark.parametrize(
    ("how", "handle", "text", "value"),
    [
        ({}, LENGTH, "1.5", 1.5),
        ({"scale_length": 0.01}, LENGTH, "1.5", 150.0),
        ({"system": "IMPERIAL"}, LENGTH, "1", 0.3048),
        ({"length_unit": "CENTIMETERS"}, LENGTH, "50", 0.5),
        ({"length_unit": "MILLIMETERS", "scale_length": 0.001}, LENGTH, "50", 50.0),
        ({"system": "IMPERIAL", "length_unit": "INCHES"}, LENGTH, "10", 0.254),
        ({"system": "NONE"}, LENGTH, "-2", -2.0),
        ({}, ANGLE, "90", math.pi / 2.0),
        ({"system_rotation": "RADIANS"}, ANGLE, "0.5", 0.5),
        ({}, ANGLE, "-", None),
        ({}, LENGTH, "1.2.3", None),
    ],
)
def test_numbers_are_in_the_units_of_the_scene(how: Any, handle: Any, text: str, value: Any):
    found = words.number(units(**how), handle, text)
    assert found == (None if value is None else pytest.approx(value, rel=1e-5))
