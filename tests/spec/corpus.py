"""Where files of others are, and what the newest schemas demand of a file."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tools import schema_facts

# Where the files of others are; the schemas' facts are in a table of ours, on every machine.
_FOLDER = os.environ.get(schema_facts.CORPUS)
CORPUS = Path(_FOLDER).resolve() if _FOLDER else None
needs_corpus = pytest.mark.skipif(
    CORPUS is None,
    reason="no files of others; set OMI_PHYSICS_CORPUS to the folder that has them",
)
DATA = Path(__file__).resolve().parents[1] / "data"

# Members that every object may have.
FREE = {"extras", "extensions"}
BODIES = ("OMI_physics_shape", "OMI_physics_body")


@functools.cache
def table() -> dict[str, dict[str, Any]]:
    """What the schemas demand of each object, by extension and name of the schema."""
    return json.loads(schema_facts.TABLE.read_text(encoding="utf-8"))


@functools.cache
def schemas() -> dict[str, Any]:
    """What each schema demands, by its name."""
    return {name: found for objects in table().values() for name, found in objects.items()}


def schema(name: str) -> dict[str, Any]:
    """What the schema of this name demands."""
    return schemas()[name]


@functools.cache
def validator(name: str) -> Draft202012Validator:
    """Holds JSON against the schema of this name."""
    resources = [(key, DRAFT202012.create_resource(value)) for key, value in schemas().items()]
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator({"$ref": name}, registry=registry)


def complaints(
    root: dict[str, Any], nodes: dict[int, dict[str, Any]], names: Collection[str] = BODIES
) -> Iterator[str]:
    """What the newest schemas of the named extensions say against the objects of a file."""
    places = [(f"glTF.{key}", value, f"/extensions/{key}") for key, value in root.items()]
    for i, extensions in nodes.items():
        places += [
            (f"node.{key}", value, f"/nodes/{i}/extensions/{key}")
            for key, value in extensions.items()
        ]
    for name, json_value, at in places:
        if name.partition(".")[2] not in names:
            continue
        if name in schemas():
            yield from _complaints(name, json_value, at)
        else:
            yield f"{at}: may not stand here"


def _complaints(name: str, json_value: Any, at: str) -> Iterator[str]:
    for error in validator(name).iter_errors(json_value):
        path = "".join(f"/{step}" for step in error.absolute_path)
        yield f"{at}{path}: {error.message}"


def files(*folders: str) -> list[Path]:
    """Every glTF below these folders of the corpus; none where there is no corpus."""
    if CORPUS is None:
        return []
    return [path for folder in folders for path in below(CORPUS / folder)]


def own_files(*folders: str) -> list[Path]:
    """Every glTF below these folders of our own data."""
    return [path for folder in folders for path in below(DATA / folder)]


def below(folder: Path) -> list[Path]:
    """Every glTF below a folder."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".gltf", ".glb")]


def name_of(path: Path) -> str:
    """A file in the name of a test."""
    root = DATA if CORPUS is None or path.is_relative_to(DATA) else CORPUS
    return path.relative_to(root).as_posix()
