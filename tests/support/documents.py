"""Small glTF files, and the ways through the codec that the tests take."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.dialects import Encoded, WriteOptions, Writer
from omi_physics_addon.codec.values.records import Reading, Writing
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issue, Issues
from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.fields import (
    FilterIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
)

DATA = Path(__file__).resolve().parents[1] / "data"
BODY = "OMI_physics_body"
SHAPE = "OMI_physics_shape"
COLLIDER = "OMI_collider"
INDICES = (NodeIndex, MeshIndex, ShapeIndex, MaterialIndex, FilterIndex)


def gltf(*nodes: Any, mesh_count: int = 0, **extensions: Any) -> dict[str, Any]:
    """A glTF of these nodes, with these extensions in its root."""
    return {"nodes": list(nodes), "meshes": [{}] * mesh_count, "extensions": extensions}


def body(*children: int, **members: Any) -> dict[str, Any]:
    """A node with an OMI_physics_body of these members."""
    return {"extensions": {BODY: members}, "children": list(children)}


def shaped(*shapes: Any, nodes: Any = (), mesh_count: int = 0) -> dict[str, Any]:
    """A glTF with these entries in its list of shapes."""
    return gltf(*nodes, mesh_count=mesh_count, OMI_physics_shape={"shapes": list(shapes)})


def read(json: Mapping[str, Any]) -> tuple[PhysicsDocument, Issues]:
    """The document of a parsed glTF, and what was found on the way."""
    issues = Issues()
    return dialects.read(dialects.gltf_file(json), issues), issues


def how(*, target: str = "SPECIFICATION", **options: Any) -> WriteOptions:
    """How to write for a target."""
    return WriteOptions(target=engine_of(target), **options)


def write(document: PhysicsDocument, **options: Any) -> tuple[Encoded, Issues]:
    """The extension objects of a document, and what was found on the way."""
    issues = Issues()
    return Writer(issues, how(**options)).document(document), issues


def rewrite(json: Mapping[str, Any], document: PhysicsDocument, **options: Any) -> dict[str, Any]:
    """A glTF with the tree and the meshes of `json` and the physics of `document`."""
    file = dialects.gltf_file(json)
    counts = {NodeIndex: len(file.nodes), MeshIndex: file.mesh_count}
    encoded = Writer(Issues(), how(**options), counts=counts).document(document)
    nodes = [
        {
            "children": [child for child in node.children if 0 <= child < len(file.nodes)],
            "extensions": encoded.nodes.get(i, {}),
        }
        for i, node in enumerate(file.nodes)
    ]
    return through_text(gltf(*nodes, mesh_count=file.mesh_count, **encoded.root))


def through_text(json_value: Any) -> Any:
    """What a parser makes of the JSON text of a value."""
    return json.loads(json.dumps(json_value, allow_nan=False))


def reading(count: int = 0) -> Reading:
    """All that reading one record needs; every list has `count` entries."""
    return Reading(Issues(), dict.fromkeys(INDICES, count))


def writing(*, repair: bool = False) -> Writing:
    """All that writing one record needs; indices are written as they are."""
    return Writing(Issues(), dict.fromkeys(INDICES, lambda index: index), repair)


def found(issues: Issues) -> list[tuple[str, str]]:
    """Code and pointer of each issue."""
    return [(issue.code, issue.pointer) for issue in issues]


def load(path: Path) -> dict[str, Any]:
    """A parsed .gltf or .glb."""
    raw = path.read_bytes()
    if raw[:4] == b"glTF":
        raw = raw[20 : 20 + int.from_bytes(raw[12:16], "little")]
    return json.loads(raw)


def physics_of(json: Mapping[str, Any]) -> Encoded:
    """The extension objects of ours that a glTF has, as a writer gives them."""
    nodes = {
        i: {k: v for k, v in node.get("extensions", {}).items() if k in dialects.NAMES}
        for i, node in enumerate(json.get("nodes", []))
    }
    root = {k: v for k, v in json.get("extensions", {}).items() if k in dialects.NAMES}
    return Encoded(root, {i: extensions for i, extensions in nodes.items() if extensions})


def differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two values of a JSON parser differ by more than rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}, key=str):
            if key not in one or key not in other:
                yield f"{where}/{key}: only in {'the second' if key in other else 'the first'}"
            else:
                yield from differences(one[key], other[key], f"{where}/{key}")
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        if len(one) != len(other):
            yield f"{where}: {len(one)} items and {len(other)}"
        for i, (a, b) in enumerate(zip(one, other, strict=False)):
            yield from differences(a, b, f"{where}/{i}")
    elif isinstance(one, frozenset) and isinstance(other, frozenset):
        if one != other:
            yield f"{where}: {one!r} and {other!r}"
    elif isinstance(one, (bool, str)) or isinstance(other, (bool, str)) or None in (one, other):
        if one != other or type(one) is not type(other):
            yield f"{where}: {one!r} and {other!r}"
    elif not math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12):
        yield f"{where}: {one!r} and {other!r}"


def leads_somewhere(pointer: str, json: Any) -> bool:
    """Whether a JSON pointer (RFC 6901) leads to a place in `json`, or to an absent member.

    An absent member is the place of something that is missing; what it is missing from is there.
    """
    if not pointer.startswith("/"):
        return False
    steps = pointer[1:].split("/")
    for i, step in enumerate(steps):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(json, Mapping) and key in json:
            json = json[key]
        elif isinstance(json, list) and step.isdigit() and int(step) < len(json):
            json = json[int(step)]
        else:
            return i == len(steps) - 1
    return True


def worst(issues: Issues) -> list[Issue]:
    """The issues of severities above INFO."""
    return [issue for issue in issues if issue.severity.value != "INFO"]
