"""Writes docs/reference: every property and every operator, as Blender knows them.

From the command line:

    .venv/bpy-5.0/bin/python tools/manual/reference_pages.py --write

Each row has an anchor, by which F1 finds it: the identifiers that Blender asks for, in lower case.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251

from omi_physics_addon.blender import registration

bpy: Any = stubbed_bpy
FOLDER: Final = ROOT / "docs" / "reference"
# The pages, by the module of `blender` whose groups they have; a group elsewhere is an error.
PAGES: Final = {
    "properties.objects": ("objects", "Objects"),
    "properties.bodies": ("bodies", "Bodies, colliders, triggers"),
    "properties.shapes": ("shapes", "Shapes"),
    "properties.joints": ("joints", "Joints"),
    "properties.gravity": ("gravity", "Gravity"),
    "properties.vehicles": ("vehicles", "Vehicles and seats"),
    "properties.fits": ("fits", "Fits"),
    "properties.scenes": ("scenes", "Scene, export, overlay, preview"),
    "properties.entries": ("scenes", "Scene, export, overlay, preview"),
    "properties.sidebar": ("sidebar", "Sidebar"),
    "preferences": ("preferences", "Preferences"),
}
OPERATORS: Final = "operators"
HEAD: Final = (
    "| Property | In scripts | What it is | Values | Default |\n| --- | --- | --- | --- | --- |"
)
_UNITS: Final = {
    "LENGTH": "m",
    "MASS": "kg",
    "VELOCITY": "m/s",
    "ACCELERATION": "m/s²",
    "ROTATION": "rad",
    "TIME_ABSOLUTE": "s",
}
_ROOTS: Final = ("Object", "Collection", "Material", "Scene")
_SPEEDS: Final = ("speed", "per second")  # In texts of what Blender takes for a rotation, too.
_ENDLESS: Final = 1e9  # A bound beyond it is none.


def classes(kind: str) -> list[Any]:
    """Our registered classes below one of Blender's, in the order of registration."""
    base = getattr(bpy.types, kind)
    return [each for each in registration.CLASSES if issubclass(each, base)]


def groups() -> list[Any]:
    """Every class with properties that a file or the preferences store."""
    kinds = ("PropertyGroup", "NodeTree", "AddonPreferences")
    return [each for kind in kinds for each in classes(kind)]


def operators() -> list[Any]:
    """Every operator."""
    return [*classes("Operator"), *classes("Macro")]


def own_properties(rna: Any) -> list[Any]:
    """The properties of a struct that none of Blender's own has; F1 asks by the same rule."""
    base = rna.base
    known: Any = {} if base is None else base.properties
    return [each for each in rna.properties if known.get(each.identifier) != each]


def _rna_of(operator: Any) -> Any:
    family, _, name = operator.bl_idname.partition(".")
    return getattr(getattr(bpy.ops, family), name).get_rna_type()


def options(operator: Any) -> list[Any]:
    """What an operator can be told."""
    return [each for each in own_properties(_rna_of(operator)) if each.identifier != "rna_type"]


def property_anchor(group: Any, name: str) -> str:
    """The anchor of a property."""
    return f"{group.bl_rna.identifier}.{name}".lower()


def anchors() -> list[str]:
    """The anchors that the pages must have: one for each property and each operator."""
    of_properties = [
        property_anchor(group, each.identifier)
        for group in groups()
        for each in own_properties(group.bl_rna)
    ]
    return [*of_properties, *(each.bl_idname for each in operators())]


def paths() -> dict[str, str]:
    """Where scripts find a group, by the identifier of its class; the shortest way counts."""
    ours = {each.bl_rna.identifier: each.bl_rna for each in groups()}
    waiting: list[tuple[str, Any]] = []
    for root in _ROOTS:
        attached = getattr(bpy.types, root).bl_rna.properties["omi_physics"]
        waiting.append((f"{root.lower()}.omi_physics", attached.fixed_type))
    found: dict[str, str] = {}
    for path, rna in waiting:
        if rna.identifier in found:
            continue
        found[rna.identifier] = path
        for each in own_properties(ours[rna.identifier]):
            to = getattr(each, "fixed_type", None)
            if to is not None and to.identifier in ours:
                index = "[…]" if each.type == "COLLECTION" else ""
                waiting.append((f"{path}.{each.identifier}{index}", to))
    return found


def title(group: Any) -> str:
    """What a group is called: the name of its class in words."""
    return _in_words(group.__name__)


def _in_words(identifier: str) -> str:
    return identifier.split("_", 2)[2].replace("_", " ").title()


def _plain(text: str) -> str:
    """A text as Markdown that is nothing but this text, in a cell of a table."""
    for sign in "\\|*<[":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())


def _number(value: float) -> str:
    return f"{value or 0.0:.6g}"  # Zero has no sign.


def _range(prop: Any) -> str:
    """The bounds of a number; empty where it has none."""
    low, high = prop.hard_min, prop.hard_max
    if low > -_ENDLESS and high < _ENDLESS:
        return f", {_number(low)} to {_number(high)}"
    if low > -_ENDLESS:
        return f", {_number(low)} or more"
    return f", {_number(high)} or less" if high < _ENDLESS else ""


def _values_of_number(prop: Any) -> str:
    word = "whole number" if prop.type == "INT" else "number"
    unit = _UNITS.get(prop.unit, "")
    if unit == "rad" and any(word in prop.description.lower() for word in _SPEEDS):
        unit = "rad/s"
    what = f"{prop.array_length} {word}s" if prop.is_array else word
    return what + (f" in {unit}" if unit else "") + _range(prop)


def _values_of_choice(prop: Any) -> str:
    names = [each.name for each in prop.enum_items_static if each.name]
    return _plain(", ".join(names)) if names else "depends on the scene"


def _values_of_pointer(prop: Any) -> str:
    to = prop.fixed_type
    is_ours = to.identifier.startswith("OMIPHYSICS")
    name = _in_words(to.identifier) if is_ours else to.name
    return f"list of {name}" if prop.type == "COLLECTION" else name


def _switch(_prop: Any) -> str:
    return "on, off"


_VALUES: Final[dict[str, Callable[[Any], str]]] = {
    "BOOLEAN": _switch,
    "INT": _values_of_number,
    "FLOAT": _values_of_number,
    "STRING": lambda _prop: "text",
    "ENUM": _values_of_choice,
    "POINTER": _values_of_pointer,
    "COLLECTION": _values_of_pointer,
}


def _default(prop: Any) -> str:
    """What a property has until somebody changes it; empty for what has nothing then."""
    if prop.type in ("POINTER", "COLLECTION"):
        return ""
    if prop.type == "ENUM":
        chosen = prop.default_flag if prop.is_enum_flag else {prop.default}
        items = prop.enum_items_static
        return _plain(", ".join(each.name for each in items if each.identifier in chosen))
    values = list(prop.default_array) if getattr(prop, "is_array", False) else [prop.default]
    if prop.type == "BOOLEAN":
        return ", ".join("on" if value else "off" for value in values)
    return ", ".join(
        _plain(value) if isinstance(value, str) else _number(value) for value in values
    )


def row(prop: Any, anchor: str = "") -> str:
    """The row of a property or an option."""
    mark = f'<a id="{anchor}"></a>' if anchor else ""
    cells = (
        mark + _plain(prop.name),
        f"`{prop.identifier}`",
        _plain(prop.description),
        _VALUES[prop.type](prop),
        _default(prop),
    )
    return f"| {' | '.join(cells)} |"


def group_section(group: Any, where: dict[str, str]) -> str:
    """The section of a group."""
    rows = [
        row(each, property_anchor(group, each.identifier)) for each in own_properties(group.bl_rna)
    ]
    path = where.get(group.bl_rna.identifier)
    place = f"In scripts: `{path}`\n\n" if path else ""
    return f"## {title(group)}\n\n{place}{HEAD}\n" + "\n".join(rows) + "\n"


def operator_section(operator: Any) -> str:
    """The section of an operator."""
    rna = _rna_of(operator)
    told = [row(each) for each in options(operator)]
    table = f"\n{HEAD}\n".replace("Property", "Option") + "\n".join(told) + "\n" if told else ""
    return (
        f'<a id="{operator.bl_idname}"></a>\n\n## {_plain(rna.name)}\n\n'
        f"{_plain(rna.description)}\n\nIn scripts: `bpy.ops.{operator.bl_idname}()`\n{table}"
    )


def _begin(name: str) -> str:
    return (
        f"# {name}\n\nWritten by `tools/manual/reference_pages.py` from what Blender knows. "
        "Numbers are in SI units; angles are degrees in panels, radians here and in scripts.\n\n"
    )


def property_pages() -> Iterator[tuple[str, str]]:
    """The names and texts of the pages with properties.

    Raises:
        KeyError: a group is in a module that no page is for.
    """
    where = paths()
    sections: dict[tuple[str, str], list[str]] = {page: [] for page in PAGES.values()}
    for group in groups():
        module = group.__module__.partition(".blender.")[2]
        if own_properties(group.bl_rna):
            sections[PAGES[module]].append(group_section(group, where))
    for (name, words), parts in sections.items():
        yield name, _begin(words) + "\n".join(parts)


def pages() -> dict[Path, str]:
    """All pages as they should be, by their paths; the add-on must be registered."""
    sections = [operator_section(each) for each in sorted(operators(), key=_by_label)]
    texts = dict(property_pages())
    texts[OPERATORS] = _begin("Operators") + "\n".join(sections)
    return {FOLDER / f"{name}.md": text for name, text in texts.items()}


def _by_label(operator: Any) -> tuple[str, str]:
    return operator.bl_label, operator.bl_idname


def outdated(wanted: dict[Path, str]) -> list[Path]:
    """The pages that are not what they should be, or should not be there."""
    there = FOLDER.glob("*.md")
    wrong = [path for path, text in wanted.items() if not _is(path, text)]
    return [*wrong, *(path for path in there if path not in wanted)]


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(wanted: dict[Path, str], wrong: Iterable[Path]) -> None:
    """Make the pages what they should be."""
    FOLDER.mkdir(exist_ok=True)
    for path in wrong:
        if path in wanted:
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write docs/reference from what Blender knows.")
    parser.add_argument("--write", action="store_true", help="change the pages")
    chosen = parser.parse_args(arguments)
    registration.register()
    try:
        wanted = pages()
    finally:
        registration.unregister()  # bpy 4.2 crashes at exit when classes are left registered.
    wrong = outdated(wanted)
    if chosen.write:
        write(wanted, wrong)
    for path in wrong:
        print(f"{path.name} is {'written anew' if chosen.write else 'not what it should be'}")
    return 0 if chosen.write or not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
