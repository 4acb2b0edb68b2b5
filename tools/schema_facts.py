"""Writes the table of what the published schemas demand, which every test run is held against.

From the command line:

    OMI_PHYSICS_CORPUS=folder python3 tools/schema_facts.py    read folder/schemas, write the table

The table has keys, types, defaults, bounds, lengths, words and what is required, and no text.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "data" / "schema_facts.json"
CORPUS = "OMI_PHYSICS_CORPUS"
ENDING = ".schema.json"
BASE = "_glTF_base_2.0"
# The newest of each extension; what is known of a revision that is newer still replaces it.
FOLDERS = (
    BASE,
    "OMI_physics_shape",
    "OMI_physics_body",
    "OMI_physics_joint",
    "OMI_physics_gravity",
    "OMI_vehicle_body",
    "OMI_vehicle_wheel",
    "OMI_vehicle_thruster",
    "OMI_vehicle_hover_thruster",
    "OMI_seat",
    "KHR_implicit_shapes",
    "KHR_physics_rigid_bodies",
    "KHR_physics_rigid_bodies@9dc61cb_2026-01-20",
)
# Words of JSON Schema that state a fact, and those of them that hold further schemas.
PLAIN = (
    "type",
    "const",
    "enum",
    "default",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "pattern",
    "format",
    "multipleOf",
    "minProperties",
    "required",
    "dependencies",
    "dependentRequired",
)
ONE = ("items", "not", "if", "then", "else", "additionalProperties")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
TEXTS = ("$schema", "$id", "$comment", "title", "description")  # And those of gltf_.

Schema = dict[str, Any]


def facts(schema: Any) -> Any:
    """A schema without its texts.

    Raises:
        ValueError: a word of it is neither known as a fact nor as a text.
    """
    if not isinstance(schema, dict):
        return schema  # True or False: anything, or nothing.
    found: Schema = {}
    members = cast(Schema, schema)
    for word, value in members.items():
        if word == "$ref":
            found[word] = str(value).removesuffix(ENDING)
        elif word == "properties":
            found[word] = {key: facts(inner) for key, inner in value.items()}
        elif word in ONE:
            found[word] = facts(value)
        elif word in MANY:
            found[word] = [facts(inner) for inner in value]
        elif word in PLAIN:
            found[word] = value
        elif word not in TEXTS and not word.startswith("gltf_"):
            raise ValueError(f"{word} is no known word of a schema")
    return found


def referred(schema: Any) -> set[str]:
    """The names of the schemas that one builds on."""
    if isinstance(schema, dict):
        members = cast(Schema, schema)
        own = {members["$ref"]} if isinstance(members.get("$ref"), str) else set[str]()
        return own.union(*(referred(value) for value in members.values()))
    if isinstance(schema, list):
        items = cast(list[Any], schema)
        return set[str]().union(*(referred(value) for value in items))
    return set()


def read_schemas(corpus: Path) -> dict[str, dict[str, Schema]]:
    """The facts of every object by extension and by the name of its schema."""
    table: dict[str, dict[str, Schema]] = {}
    for folder in FOLDERS:
        # Some `$id`s are wrong, so the names of the files count.
        found = {
            path.name.removesuffix(ENDING): facts(json.loads(path.read_text(encoding="utf-8")))
            for path in sorted((corpus / "schemas" / folder).rglob(f"*{ENDING}"))
        }
        table.setdefault(folder.partition("@")[0], {}).update(found)
    base = table.pop(BASE)
    return {"glTF": needed(base, referred(table)), **table}


def needed(base: dict[str, Schema], names: set[str]) -> dict[str, Schema]:
    """The schemas of glTF itself that others build on, straight or by way of each other."""
    out: dict[str, Schema] = {}
    pending = names & base.keys()
    while pending:
        out |= {name: base[name] for name in pending}
        pending = referred([base[name] for name in pending]) & (base.keys() - out.keys())
    return dict(sorted(out.items()))


def text_of(value: Any, indent: str = "") -> str:
    """JSON text in which an object or list stands on one line wherever that is short."""
    short = json.dumps(value)
    if len(indent) + len(short) <= 96 or not isinstance(value, (dict, list)):
        return short
    deeper = indent + " "
    if isinstance(value, dict):
        members = cast(Schema, value)
        lines = [
            f"{deeper}{json.dumps(key)}: {text_of(inner, deeper)}" for key, inner in members.items()
        ]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    items = cast(list[Any], value)
    return "[\n" + ",\n".join(deeper + text_of(inner, deeper) for inner in items) + f"\n{indent}]"


def main() -> int:
    """Run from the command line; returns the exit code."""
    corpus = os.environ.get(CORPUS)
    if corpus is None or not (Path(corpus) / "schemas").is_dir():
        print(f"error: set {CORPUS} to the folder with the published schemas.", file=sys.stderr)
        return 1
    TABLE.write_text(text_of(read_schemas(Path(corpus))) + "\n", encoding="utf-8")
    print(f"wrote {TABLE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
