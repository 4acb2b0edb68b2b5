"""The properties that keyframes and drivers animate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from . import compat

_PLACES: Final = ("location", "rotation", "scale", "matrix", "delta_")


def is_place(path: str) -> bool:
    """Whether a path is that of a location, rotation, scale or matrix."""
    return path.startswith(_PLACES)


def keyed(data: Any) -> Iterator[str]:
    """The paths of what actions and NLA strips animate; the animation data may be None.

    An empty path stands for what cannot be known, as in a meta strip.
    """
    if data is None:
        return
    strips = [s for track in data.nla_tracks if not track.mute for s in track.strips]
    if any(strip.action is None for strip in strips):  # A meta strip, or a transition.
        yield ""
    for source in (data, *(strip for strip in strips if strip.action is not None)):
        yield from (curve.data_path for curve in compat.curves(source))


def paths(data: Any) -> Iterator[str]:
    """The paths of what drivers, actions and NLA strips animate; see `keyed`."""
    if data is not None:
        yield from (driver.data_path for driver in data.drivers)
        yield from keyed(data)


def has_keyed_place(obj: Any) -> bool:
    """Whether keyframes move an object itself."""
    return any(not path or is_place(path) for path in keyed(obj.animation_data))


def frame_rate(scene: Any) -> float:
    """Frames per second of a scene."""
    return float(scene.render.fps / scene.render.fps_base)
