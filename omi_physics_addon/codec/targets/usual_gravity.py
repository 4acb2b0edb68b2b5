"""The gravity that engines have unless somebody says otherwise."""

from __future__ import annotations

from typing import Final

from ...model.gravity import WorldGravity

_GRAVITIES: Final = (9.8, 9.81)  # m/s², of Godot's projects and Babylon.js's scenes.
_TOLERANCE: Final = 0.02  # m/s².
_DOWN: Final = (0.0, -1.0, 0.0)


def is_usual(gravity: WorldGravity) -> bool:
    """Whether a file's gravity is what engines have that do not read it."""
    near = any(abs(gravity.gravity - usual) < _TOLERANCE for usual in _GRAVITIES)
    return near and tuple(gravity.direction) == _DOWN
