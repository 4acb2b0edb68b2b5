"""glTF files in which animations move each property of physics, told apart by their numbers."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from omi_physics_addon.codec.gltf import animated, containers
from omi_physics_addon.codec.values import carried

Json = dict[str, Any]
# Members that no animation may move: what refers to something, and flags.
REFERENCES = frozenset(
    (
        *("shape", "physicsMaterial", "collisionFilter", "joint", "connectedNode", "nodes"),
        *("wheel", "thruster", "hoverThruster", "mesh", "node", "pilotSeat"),
        *("linearAxes", "angularAxes"),
    )
)
COMPONENTS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


def value_at(value: Any, pointer: str) -> Any:
    """What a JSON pointer leads to; None where the last member is left out, as a default is."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    at: Any = value
    for step in steps[:-1]:
        at = at[int(step)] if at.__class__ is list else at[step]
    return at[int(steps[-1])] if at.__class__ is list else at.get(steps[-1])


def numbers(value: Any, at: str) -> Iterator[str]:
    """Pointers to the numbers and vectors of one, three or four numbers of a JSON value."""
    if isinstance(value, dict):
        for key, inner in cast(Json, value).items():
            if key not in REFERENCES and key not in ("extras", "extensions"):
                yield from numbers(inner, f"{at}/{carried.escape(key)}")
    elif isinstance(value, list):
        items = cast(list[Any], value)
        if all(isinstance(item, (int, float)) for item in items):
            if len(items) in COMPONENTS:
                yield at
        else:
            for i, item in enumerate(items):
                yield from numbers(item, f"{at}/{i}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield at


def properties(gltf: Json) -> list[str]:
    """Pointers to all numbers of physics in a parsed glTF."""
    places = [(gltf.get("extensions", {}), "/extensions")]
    for i, node in enumerate(gltf["nodes"]):
        places.append((node.get("extensions", {}), f"/nodes/{i}/extensions"))
    return [
        pointer
        for extensions, at in places
        for name, value in extensions.items()
        for pointer in numbers(value, f"{at}/{name}")
        if animated.is_ours(pointer)
    ]


def channel(pointer: str, sampler: int = 0) -> Json:
    """A channel of an animation that moves what a pointer leads to."""
    target = {"path": "pointer", "extensions": {animated.POINTER: {"pointer": pointer}}}
    return {"sampler": sampler, "target": target}


class Track(NamedTuple):
    """A channel of a file.

    Attributes:
        pointer: to what it moves.
        value: of that in the file.
        first: number of the track's output, which tells it from others.
        rest: name of the animation, interpolation, times, component type.
    """

    pointer: str
    value: Any
    first: float
    rest: tuple[Any, ...]


class Binary:
    """A parsed glTF and the bytes of its one buffer."""

    def __init__(self, path: Path) -> None:
        """Read a .glb file."""
        container = containers.read(path.read_bytes())
        self.json: Json = json.loads(json.dumps(container.json))
        chunk = b"".join(bytes(each[1]) for each in container.chunks or ())
        size = self.json.get("buffers", [{"byteLength": 0}])[0]["byteLength"]
        self.data = bytearray(chunk[:size])

    def accessor(self, values: Any, kind: str, dtype: str = "<f4", component: int = 5126) -> int:
        """Add numbers; the index of their accessor."""
        self.data += b"\0" * (-len(self.data) % 4)
        array = np.array(values, dtype)
        views, accessors = (self.json.setdefault(key, []) for key in ("bufferViews", "accessors"))
        views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes})
        self.data += array.tobytes()
        count = array.size // {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        new = {"bufferView": len(views) - 1, "componentType": component, "type": kind}
        accessors.append(
            {**new, "count": count, "min": [0], "max": [1]}
            if kind == "SCALAR"
            else {**new, "count": count}
        )
        return len(accessors) - 1

    def animate(self, pointers: list[str], name: str = "Physics") -> None:
        """Add an animation that moves what the pointers lead to, each by its own numbers."""
        samplers: list[Json] = []
        times = self.accessor([0.0, 1.0], "SCALAR")
        for i, pointer in enumerate(pointers):
            value = value_at(self.json, pointer)
            width = len(cast(list[Any], value)) if isinstance(value, list) else 1
            output = self.accessor([i + 0.25] * (2 * width), COMPONENTS[width])
            samplers.append({"input": times, "output": output, "interpolation": "STEP"})
        channels = [channel(pointer, i) for i, pointer in enumerate(pointers)]
        new = {"name": name, "channels": channels, "samplers": samplers}
        self.json.setdefault("animations", []).append(new)
        self.json.setdefault("extensionsUsed", []).append(animated.POINTER)

    def write(self, path: Path) -> None:
        """Write a .glb file."""
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text, data = json.dumps(self.json).encode(), bytes(self.data)
        text += b" " * (-len(text) % 4)
        data += b"\0" * (-len(data) % 4)
        size = 12 + 8 + len(text) + 8 + len(data)
        path.write_bytes(
            b"glTF"
            + struct.pack("<II", 2, size)
            + struct.pack("<I", len(text))
            + b"JSON"
            + text
            + struct.pack("<I", len(data))
            + b"BIN\0"
            + data
        )

    def numbers(self, accessor: int) -> tuple[float, ...]:
        """The numbers of an accessor that `accessor` or our export has written."""
        entry = self.json["accessors"][accessor]
        view = self.json["bufferViews"][entry["bufferView"]]
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        dtype = np.dtype({5126: "<f4", 5120: "i1", 5121: "u1"}[entry["componentType"]])
        count = entry["count"] * {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry["type"]]
        return tuple(np.frombuffer(self.data, dtype, count, start).tolist())

    def tracks(self) -> list[Track]:
        """All channels that move physics."""
        found: list[Track] = []
        for each in animated.channels(self.json, with_core=True):
            animation = self.json["animations"][each.animation]
            sampler = animation["samplers"][animation["channels"][each.channel]["sampler"]]
            output = self.json["accessors"][sampler["output"]]
            rest = (
                animation.get("name"),
                sampler.get("interpolation"),
                self.numbers(sampler["input"]),
                output["componentType"],
                output["type"],
                output["count"],
            )
            value = value_at(self.json, each.pointer)
            found.append(Track(each.pointer, value, self.numbers(sampler["output"])[0], rest))
        return sorted(found, key=lambda track: track.first)
