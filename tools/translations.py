"""Keeps the translations in step with the texts that Blender shows.

From the command line:

    .venv/bpy-5.0/bin/python tools/translations.py               what is missing, by language
    .venv/bpy-5.0/bin/python tools/translations.py --write       new texts in, dead ones out
    .venv/bpy-5.0/bin/python tools/translations.py --write --blender /usr/share/locale

With --blender, the folder of a Blender with languages, empty entries take the words that Blender
has for the same text.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog, Message

PACKAGE: Final = ROOT / "omi_physics_addon"
FOLDER: Final = PACKAGE / "translations"
LANGUAGES: Final = {
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "ja": "Japanese",
    "zh_HANS": "Simplified Chinese",
}
# Below the package: where texts for Blender's interface are written; labels, tooltips and names of
# properties and choices are asked of the registered classes.
SOURCES: Final = (
    *("blender/operators", "blender/panels", "blender/preferences.py", "blender/base/roles.py"),
    *(f"blender/authoring/{name}.py" for name in ("fit_sources", "gravity_forms", "joint_pose")),
    *(f"blender/authoring/{name}.py" for name in ("joint_problems", "scale_baking")),
    *(f"blender/authoring/rigging/{name}.py" for name in ("ragdoll", "vehicle_rig")),
    "blender/authoring/decomposition/cutting.py",
    *("blender/preview/interaction", "blender/preview/limitations.py"),
    *("blender/preview/moving_limits.py", "model/joint_words.py"),
)
# What reads like a text there, and is none that Blender shows: parts of texts, and names of data.
NOT_SHOWN: Final = frozenset(
    {
        *("Added", "Removed", "Made", "Bone", "Layer", "Limit Hulls", "Rigid Body Anchor"),
        *("Left", "Right", "three axes cannot all lie along one", "Rope", "Space"),
        *("Add {one} to the scene", "Remove the active {noun} from the scene and from all {users}"),
        *("Move the active {noun} in the list", "Assign the active {noun} to the {parts}"),
        *("Select the {users} that use the active {noun}", "Select {short} Users"),
        *("have no body", "have no colliders", "have no triggers", "have no gravity volume"),
        *("have no joints", "are not vehicles", "are not wheels", "are not thrusters"),
        *("are not hover thrusters", "are not seats", "; triggers are kept"),
        *("; shared settings stay", "; their bodies are kept", "a physics material"),
        *("a collision filter", "colliders of the selected objects", "joint settings"),
        *("colliders and triggers of the selected objects", "colliders or triggers"),
        *("selected joints", "all objects that have this issue", "all that have this issue"),
        *("rigid body", "rigid-body constraint", "object that stands in", "static ", "1 remark is"),
    }
)
# Functions whose texts are shown even when they are one word.
_TELLING: Final = frozenset(
    {"pgettext_iface", "pgettext_rpt", "word", "_count", "counted", "report", "done", "refuse"}
)
_LOW: Final = re.compile("[a-z]{2}")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
_EUROPEAN: Final = dict(zip("。：；！？，、", ".:;!?,,", strict=True))  # noqa: RUF001
_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)  # Equal texts make equal files.


def messages() -> dict[str, str]:
    """Every text of the add-on that Blender shows, in English, and where it is."""
    found = dict(_of_classes())
    for text, place in (*_of_tables(), *_of_sources(), *_of_fixes()):
        found.setdefault(text, place)
    return {text: place for text, place in found.items() if re.search(r"[A-Za-z]{2}", text)}


def _of_classes() -> Iterator[tuple[str, str]]:
    """Labels, tooltips, properties and choices of what is registered."""
    import bpy

    from omi_physics_addon.blender.registration import CLASSES

    classes: tuple[Any, ...] = CLASSES
    for cls in classes:
        rna, base = cls.bl_rna, cls.bl_rna.base
        if issubclass(cls, bpy.types.Operator):
            module, name = cls.bl_idname.split(".", 1)
            rna = getattr(getattr(bpy.ops, module), name).get_rna_type()
        texts = [getattr(cls, "bl_label", ""), getattr(cls, "bl_description", "")]
        if issubclass(cls, bpy.types.Menu) and cls.__name__.endswith("_presets"):
            texts = []  # Blender calls such a menu like the preset that was used last.
        inherited = {"rna_type", *(base.properties.keys() if base else ())}
        for prop in rna.properties:
            if prop.identifier not in inherited and not prop.is_hidden:
                # What has no name of its own is called as in code, and is not shown.
                texts += [prop.name if prop.name != prop.identifier else "", prop.description]
                items = prop.enum_items_static if prop.type == "ENUM" else ()
                texts += [text for item in items for text in (item.name, item.description)]
        yield from ((text, cls.__name__) for text in texts)


def _of_tables() -> Iterator[tuple[str, str]]:
    """Sentences that tables make."""
    from omi_physics_addon.blender.operators import bodies

    for part in bodies.PARTS.values():
        for done in (part.added, "Removed"):
            yield from ((text, "PARTS") for text in part.told(done))
        yield f"The selected objects {part.lacking}", "PARTS"


def _of_fixes() -> Iterator[tuple[str, str]]:
    """What fixes are called; the texts of issues themselves are in English."""
    from omi_physics_addon.files.fixes import IN_SCENES
    from omi_physics_addon.issue_codes import CATALOGUE

    for code, words in IN_SCENES.items():
        own = (text for text in (words.one, words.many) if CATALOGUE[code].text not in text)
        yield from ((text, "FIXES") for text in (words.label, *own))


def _of_sources() -> Iterator[tuple[str, str]]:
    """Texts in the modules that show them."""
    for source in SOURCES:
        path = PACKAGE / source
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            place = module.relative_to(PACKAGE).as_posix()
            tree = ast.parse(module.read_text(encoding="utf-8"))
            yield from ((text, place) for text in _texts_in(tree) if text not in NOT_SHOWN)


def _texts_in(tree: ast.AST) -> Iterator[str]:
    nodes = list(ast.walk(tree))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [n.body for n in nodes if isinstance(n, kinds) and n.body]
    other = {id(body[0].value) for body in bodies if isinstance(body[0], ast.Expr)}
    other |= {id(part) for n in nodes if isinstance(n, ast.JoinedStr) for part in n.values}
    told = {
        id(value)
        for n in nodes
        if isinstance(n, ast.Call)
        and getattr(n.func, "attr", getattr(n.func, "id", "")) in _TELLING
        for value in n.args
    }
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) and id(node) not in other else None
        if isinstance(text, str) and (_reads(text) or (id(node) in told and _LOW.search(text))):
            yield text


def _reads(text: str) -> bool:
    """Whether a string is words: with a space and a word in small letters, or a title."""
    if re.search(r"\\|\w\|\w|^\w+\[|\| ", text):
        return False  # A pattern or a type.
    is_sentence = " " in text and re.search(r"\b[a-z]{3,}\b", text) is not None
    return (
        is_sentence or re.fullmatch(r"[A-Z][a-z]+(,? [A-Z][a-z]+)*(\.\.\.|…|:)?", text) is not None
    )


def path_of(name: str) -> Path:
    """The file of a language."""
    return FOLDER / f"{name}.po"


def load(name: str) -> Catalog:
    """The translations as they are."""
    with path_of(name).open("rb") as file:
        return pofile.read_po(file, locale=name.replace("HANS", "CN"))


def updated(name: str, texts: dict[str, str], words: dict[str, str] | None = None) -> Catalog:
    """The translations of exactly these texts, as far as there are any.

    Args:
        words: translations of others, for entries that have none.
    """
    old: dict[tuple[str | None, str], str] = {}
    if path_of(name).exists():
        old = {
            (entry.context, str(entry.id)): str(entry.string) for entry in load(name) if entry.id
        }
    new = Catalog(
        locale=name.replace("HANS", "CN"),
        project="OMI Physics",
        version="1",
        creation_date=_DATE,
        revision_date=_DATE,
        header_comment=f"# {LANGUAGES[name]} texts of OMI Physics; see CONTRIBUTING.md.",
        last_translator="OMI Physics contributors",
        language_team=LANGUAGES[name],
        fuzzy=False,
    )
    for text, place in texts.items():
        told = old.get((None, text)) or (words or {}).get(text, "")
        new.add(text, told, auto_comments=[place])
        for context in sorted(each for each, one in old if one == text and each):
            new.add(text, old[context, text], context=context, auto_comments=[place])
    return new


def as_file(catalog: Catalog) -> bytes:
    """What a file says."""
    out = io.BytesIO()
    pofile.write_po(out, catalog, width=0, no_location=True, ignore_obsolete=True)
    lines = out.getvalue().decode().rstrip("\n") + "\n"
    lines = re.sub(r"^#, python-(brace-)?format\n", "", lines, flags=re.MULTILINE)
    return lines.encode()


def faults(entry: Message) -> Iterator[str]:
    """What is wrong with an entry that has a translation, in words."""
    text, told = str(entry.id), str(entry.string)
    if sorted(_PLACEHOLDER.findall(text)) != sorted(_PLACEHOLDER.findall(told)):
        yield "other placeholders"
    if text[:1].isspace() != told[:1].isspace() or text[-1:].isspace() != told[-1:].isspace():
        yield "other spaces at its ends"
    if _ending(text) != _ending(told):
        yield "another ending"
    if text[:1] in ",;" and told[:1] not in (",", ";", *_EUROPEAN):
        yield "another beginning"
    if "\n" in told and "\n" not in text:
        yield "lines that the text has not"


def _ending(text: str) -> str:
    """The mark that a text ends with; those of Asia are the same as those of Europe."""
    text = text.strip().replace("...", "…")
    mark = _EUROPEAN.get(text[-1:], text[-1:])
    return mark if mark in ".:;!?,…" else ""


def blender_words(folder: Path, name: str) -> dict[str, str]:
    """Blender's own translations, by English text; of buttons where labels have none."""
    path = folder / name / "LC_MESSAGES" / "blender.mo"
    with path.open("rb") as file:
        catalog = mofile.read_mo(file)
    found: dict[str, str] = {}
    for wanted in ("Operator", None):
        entries = (entry for entry in catalog if entry.context == wanted and entry.id)
        found |= {str(entry.id): str(entry.string) for entry in entries}
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Keep the translations in step.")
    parser.add_argument("--write", action="store_true", help="write the files")
    parser.add_argument("--blender", metavar="FOLDER", type=Path, help="take Blender's words")
    parsed = parser.parse_args(arguments)
    import omi_physics_addon

    omi_physics_addon.register()
    try:
        texts = messages()
    finally:
        omi_physics_addon.unregister()
    for name in LANGUAGES:
        words = None if parsed.blender is None else blender_words(parsed.blender, name)
        catalog = updated(name, texts, words)
        if parsed.write:
            FOLDER.mkdir(exist_ok=True)
            path_of(name).write_bytes(as_file(catalog))
        missing = sum(bool(entry.id) and not entry.string for entry in catalog)
        print(f"{name}: {len(texts)} texts, {missing} without a translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
