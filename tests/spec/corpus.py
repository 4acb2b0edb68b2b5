"""Where files and schemas of others are, and what the newest schemas say of a file."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("OMI_PHYSICS_CORPUS", ROOT / "../shared/spec")).resolve()
needs_corpus = pytest.mark.skipif(
    not (CORPUS / "schemas").is_dir(),
    reason="no files of others; set OMI_PHYSICS_CORPUS to the folder that has them",
)

# Members that every object may have.
FREE = {"extras", "extensions"}
# Extension → schema of the document's object, schema of a node's object.
SCHEMAS = {
    "OMI_physics_shape": ("glTF.OMI_physics_shape", None),
    "OMI_physics_body": ("glTF.OMI_physics_body", "node.OMI_physics_body"),
}
FOLDERS = ("_glTF_base_2.0", *SCHEMAS)


@functools.cache
def _schemas() -> dict[str, Any]:
    """Every schema by file name; the `$id`s of some are wrong."""
    out: dict[str, Any] = {}
    for folder in FOLDERS:
        for path in sorted((CORPUS / "schemas" / folder).rglob("*.schema.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            found.pop("$id", None)
            out[path.name] = found
    return out


def schema(name: str) -> dict[str, Any]:
    """The schema of a file name, with or without its ending."""
    return _schemas()[f"{name.removesuffix('.schema.json')}.schema.json"]


@functools.cache
def _validator(name: str) -> Draft202012Validator:
    resources = [(key, DRAFT202012.create_resource(value)) for key, value in _schemas().items()]
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator({"$ref": f"{name}.schema.json"}, registry=registry)


def complaints(root: dict[str, Any], nodes: dict[int, dict[str, Any]]) -> Iterator[str]:
    """What the newest schemas say against the extension objects of a file."""
    for extension, (of_root, of_node) in SCHEMAS.items():
        if extension in root:
            yield from _complaints(of_root, root[extension], f"/extensions/{extension}")
        for i, extensions in nodes.items():
            if extension in extensions:
                at = f"/nodes/{i}/extensions/{extension}"
                if of_node is None:
                    yield f"{at}: stands on a node"
                else:
                    yield from _complaints(of_node, extensions[extension], at)


def _complaints(name: str, json_value: Any, at: str) -> Iterator[str]:
    for error in _validator(name).iter_errors(json_value):
        path = "".join(f"/{step}" for step in error.absolute_path)
        yield f"{at}{path}: {error.message}"


def files(*folders: str) -> list[Path]:
    """Every glTF below these folders of the corpus."""
    return sorted(
        path
        for folder in folders
        for path in (CORPUS / folder).rglob("*")
        if path.suffix in (".gltf", ".glb")
    )


def name_of(path: Path) -> str:
    """A file in the name of a test."""
    return path.relative_to(CORPUS).as_posix()
