"""What chance does to glTF files, for `file_fuzz.py`."""

from __future__ import annotations

import base64
import contextlib
import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.codec.values.json_members import as_list, as_object
from omi_physics_addon.files.beside import Beside

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[2]
JUNK: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 0.5, -0.0, 99, 2**63, 10**400, 1e308, 5e-324),
    *(float("inf"), float("-inf"), float("nan"), "", "box", "dynamic", "1", "\ud800", "x" * 9999),
    *([], {}, [None], [1], [0, 0, 0], [1, 2, 3], [0, 0, 0, 2], [1e308] * 3, [0, 0], [99, -1]),
    *({"type": "box"}, {"extensions": {"EXT_other": {}}}, {"min": 1, "max": -1}, {"shape": 0}),
)
_MISHAPS: Final = (
    *("junk", "gone", "graft", "link", "twice", "nest", "number", "family") * 6,
    "many",
)
# Of which Blender's own importer makes data-blocks or animation, one after another.
HOST_LISTS: Final = frozenset(
    {"nodes", "children", "scenes", "meshes", "primitives", "materials", "images", "textures"}
    | {"accessors", "bufferViews", "buffers", "samplers", "channels", "animations", "cameras"}
    | {"skins", "joints", "extensionsUsed", "extensionsRequired"}
)
_MOST: Final = 300_000  # Letters of a list that grew.
LINKS: Final = frozenset(
    {"shape", "mesh", "node", "joint", "connectedNode", "collisionFilter", "physicsMaterial"}
    | {"boundingVolume", "shapes"}
    | {"wheel", "thruster", "hoverThruster", "pilotSeat", "collider", "children", "nodes"}
)


def sources(extra: Iterable[Path] = ()) -> list[dict[str, Any]]:
    """The JSON of the files that are damaged, small ones only; it holds their buffers, too."""
    folders = (ROOT / "tests" / "data", ROOT / "examples", *extra)
    paths = [path for folder in folders for path in sorted(folder.rglob("*.gl*"))]
    found: list[dict[str, Any]] = []
    for path in paths:
        if path.suffix in (".gltf", ".glb") and path.stat().st_size < 300_000:
            with contextlib.suppress(containers.ContainerError):
                container = containers.read(path.read_bytes())
                _hold_buffers(container, path)
                found.append(container.json)
    return found


def _hold_buffers(container: containers.Container, path: Path) -> None:
    beside = Beside(path, allow_outside=False)
    for i, item in enumerate(as_list(container.json.get("buffers"))):
        content = containers.buffer(container, i, beside.read)
        if isinstance(item, dict) and content is not None:
            text = base64.b64encode(content).decode("ascii")
            cast("dict[str, Any]", item)["uri"] = f"data:application/octet-stream;base64,{text}"


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item, as what holds it and its key; no accessors and buffers."""
    waiting: list[Any] = [value]
    while waiting:
        holder = waiting.pop()
        is_list = holder.__class__ is list
        keys: Iterable[Any] = range(len(holder)) if is_list else list(holder)
        for key in keys:
            yield holder, key
            if isinstance(holder[key], (dict, list)) and key not in ("bufferViews", "buffers"):
                waiting.append(holder[key])


def damaged(chance: random.Random, files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A copy of one of the files after one to six mishaps."""
    gltf = copy.deepcopy(chance.choice(files))
    if chance.random() < 0.7:
        _name_nodes(gltf)
    for _ in range(chance.randint(1, 6)):
        found = list(places(gltf))
        holder, key = chance.choice(found)
        physics = [at for at in found if at[1] in LINKS or at[1] in dialects.NAMES]
        if physics and chance.random() < 0.5:
            holder, key = chance.choice(physics)
        _mishap(chance, gltf, holder, key, files)
    return gltf


def _name_nodes(gltf: dict[str, Any]) -> None:
    """Give each node a name of its own, by which it is known again."""
    for i, node in enumerate(as_list(gltf.get("nodes"))):
        if isinstance(node, dict):
            cast("dict[str, Any]", node)["name"] = name_of(i)


def name_of(node: int) -> str:
    """What a node is called."""
    return f"node-{node:03}"


def _repeat(chance: random.Random, items: list[Any]) -> None:
    """Make a list up to `_MOST` letters long, with the items that it has."""
    letters = len(json.dumps(items))
    if items and letters < _MOST:
        for item in copy.deepcopy(items) * chance.randint(1, _MOST // letters):
            items.append(copy.copy(item))


def _mishap(
    chance: random.Random, gltf: dict[str, Any], holder: Any, key: Any, files: Sequence[Any]
) -> None:
    value = holder[key]
    what = chance.choice(_MISHAPS)
    if what == "gone":
        del holder[key]
    elif what == "graft":  # A member of the same name from another file.
        others = [at for at in places(chance.choice(files)) if at[1] == key]
        other, there = chance.choice(others) if others else (holder, key)
        holder[key] = copy.deepcopy(other[there])
    elif what == "link" and isinstance(value, int):
        holder[key] = chance.randint(-1, 12)
    elif what == "twice" and isinstance(value, list):
        value.extend(copy.deepcopy(cast("list[Any]", value))[:50])
    elif what == "many" and isinstance(value, list) and key not in HOST_LISTS:
        _repeat(chance, cast("list[Any]", value))
    elif what == "nest":
        nodes = as_list(gltf.get("nodes"))
        one = chance.choice(nodes) if nodes else None
        if isinstance(one, dict):
            node = cast("dict[str, Any]", one)
            node["children"] = [chance.randrange(len(nodes)) for _ in range(chance.randint(1, 3))]
            node["scale"] = chance.choice(([2, 2, 2], [1, 0, 1], [-1, 1, 1], [1, 2, 3], [1e-9] * 3))
    elif what == "number" and isinstance(value, (int, float)) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):  # A whole number that no float can hold.
            holder[key] = value * chance.choice((-1, 0, 1e-12, 1e12, 1e40, 1.0000001))
    elif what == "family":
        donor = chance.choice(files)
        gltf["extensions"] = {
            **copy.deepcopy(dict(as_object(donor.get("extensions")))),
            **as_object(gltf.get("extensions")),
        }
    else:
        holder[key] = copy.deepcopy(chance.choice(JUNK))
