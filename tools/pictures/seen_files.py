"""What the parts of `seen.py` tell each other, and where in a folder it lies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.pictures.silhouettes import color_of

TIMES: Final = ("start", "later")
SECONDS: Final = 2.0  # From one to the other.
RATE: Final = 60  # Steps per second of an engine.
STEPS: Final = round(SECONDS * RATE)


class Box(NamedTuple):
    """A box around something that is seen, along glTF's axes, m."""

    name: str
    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def of(cls, said: dict[str, Any]) -> Box:
        """From what an engine said."""
        return cls(said["name"], tuple(said["min"]), tuple(said["max"]))


class Made(NamedTuple):
    """A scene that Blender has exported for each target.

    Attributes:
        folder: has its files.
        names: of the objects that are seen, each with the number of its colour.
        seen: all that is seen; an object may be there several times, by instances.
        camera: "eye" and "at", in Blender's axes, and "angle", from top to bottom, radians.
        plays_alike: whether engines play what the preview does; they do not play keyframes here,
            and the preview no instances by Geometry Nodes.
        told: by target, the issues of the report, as pairs of a code and a place.
    """

    folder: Path
    name: str
    names: dict[str, int]
    seen: list[Box]
    camera: dict[str, Any]
    plays_alike: bool
    told: dict[str, list[tuple[str, str]]]

    def file(self, target: str) -> Path:
        """The export for a target."""
        return self.folder / f"{self.name}.{target}.glb"

    def picture(self, program: str, time: str) -> Path:
        """A picture by "blender" or a target."""
        return self.folder / f"{self.name}.{program}.{time}.rgb"

    def asked(self) -> dict[str, Any]:
        """What an engine must know to picture it."""
        colors = [color_of(i) for i in range(len(set(self.names.values())))]
        return {"name": self.name, "names": self.names, "colors": colors, "camera": self.camera}


def read(folder: Path, name: str) -> Made:
    """What the worker in Blender has written."""
    said = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    told = {target: [tuple(pair) for pair in pairs] for target, pairs in said["told"].items()}
    boxes = [Box.of(each) for each in said["seen"]]
    return Made(folder, name, said["names"], boxes, said["camera"], said["plays_alike"], told)
