"""What `file_fuzz.py` does with a file, and what must come of it: each step, and nothing lost.

Something is lost when a file that was written says something else than the one it was made of, and
no issue was told about that node, about an entry that it uses, or about the file as a whole.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

from omi_physics_addon.cli import main as cli
from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.convert import mesh_nodes
from omi_physics_addon.codec.values.json_members import as_list, as_object, member
from omi_physics_addon.files import differences, source
from tools.random_runs import mishaps

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Collection, Iterable

    Step = Callable[[str], contextlib.AbstractContextManager[None]]

FAMILIES: Final = ("", "", "", "omi", "khr", "both")
TARGETS: Final = ("specification", "specification", "godot4", "babylon")
FORMS: Final = ("mesh", "mesh+node", "node", "collision-shapes")
NO_TARGET: Final = ("core",)  # Forms that no engine reads.
_NODE: Final = re.compile(r"/nodes/(\d+)")
_NAME: Final = re.compile(r"node-(\d{3,})")
_ADDED: Final = re.compile(r"/node-\d+ \w+$")
_DECLARED: Final = ("extensionsUsed", "extensionsRequired")
_ROUNDING: Final = 1e-5  # Of numbers that a codec writes.
_FLOATS: Final = 1e-4  # Of numbers that Blender held in 32 bits, and turned.
_OF_BLENDER: Final = ("place",)  # What it makes of faulty places is its own affair.

Told = list[dict[str, Any]]


class LostError(Exception):
    """A file says less than the one that it was made of, and nobody was told."""


def _fly(problem: Exception) -> str:
    raise problem


def run(step: Step, *words: str) -> tuple[int, Told]:
    """Run a command in this process; its exit code and the issues it told.

    Raises:
        ValueError: what it printed is no report.
    """
    out = io.StringIO()
    with (
        step(words[0]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        mock.patch.object(cli, "fault", _fly),  # What nobody foresaw is what we look for.
    ):
        code = cli.main([*words, "--json"])
    answer: dict[str, Any] = json.loads(out.getvalue())
    if answer["exitCode"] != code or bool(answer["error"]) != (answer["report"] is None):
        raise ValueError(f"the report of {words[0]} is at odds with itself")
    report: Any = answer["report"]
    return code, list(report["issues"]) if report and "issues" in report else []


def through_commands(step: Step, chance: random.Random, path: Path) -> bool:
    """Check and convert a file, and what came of it; whether it could be compared.

    Raises:
        ValueError: what was written cannot be read, or is not as it was when written again.
        LostError: something was lost.
    """
    first, second = path.with_name("first.gltf"), path.with_name("second.gltf")
    for old in (first, second):
        old.unlink(missing_ok=True)
    _, told = run(step, "check", str(path), "--target", chance.choice(TARGETS))
    family = chance.choice(FAMILIES)
    target = chance.choice(TARGETS)
    forms = (*FORMS, *NO_TARGET) if target == "specification" else FORMS
    options = ["--target", target, "--geometry", chance.choice(forms)]
    options += ["--family", family] if family else []
    options += [word for word in ("--repair", "--old-vehicle-names") if chance.random() < 0.3]
    code, more = run(step, "convert", str(path), str(first), *options)
    if code == 2:
        return False
    is_compared = (
        not family
        and target == "specification"
        and must_say_the_same(path, first, [*told, *more], _ROUNDING)
    )
    if run(step, "check", str(first))[0] == 2:
        raise ValueError("what was written cannot be read")
    code, more = run(step, "convert", str(first), str(second), *options)
    if code == 2:
        raise ValueError("what was written cannot be converted again")
    return is_compared


def must_say_the_same(
    before: Path, after: Path, told: Told, tolerance: float, but: Collection[str] = ()
) -> bool:
    """Compare two files of which one was made of the other; False where no names tell the nodes.

    Args:
        but: keys that may differ.

    Raises:
        LostError: they differ where no issue was told.
    """
    one, other = source.read(before), source.read(after)
    nodes = as_list(one.json.get("nodes"))
    names = [member(node, "name") for node in nodes]
    if names != [mishaps.name_of(i) for i in range(len(nodes))]:
        return False
    key = ""
    if after.name == "first.gltf":
        key = _lost_member(one.json, _with_meshes_back(other.json, len(nodes)))
    if key and all(issue["pointer"] != f"/{key}" for issue in told):
        raise LostError(f"{key} is not as it was")
    known = _Known(one.json, told)
    for change in differences.compare(one, other, tolerance).changes:
        is_lost = _says_something(change.before) and not _is_new(change.after)
        if is_lost and change.key not in but and not known.explains(change):
            raise LostError(str(change))
    return True


class _Known:
    """What was told about a file."""

    def __init__(self, json_value: dict[str, Any], told: Told) -> None:
        self._nodes: set[int] = set()
        for issue in told:
            about = f"{issue['pointer']} {issue['message']}"
            self._nodes |= {*map(int, _NODE.findall(about)), *map(int, _NAME.findall(about))}
        self._is_told_at_large = any(_is_at_large(issue["pointer"]) for issue in told)
        waiting = list(self._nodes)
        nodes = as_list(json_value.get("nodes"))
        while waiting:  # What is told of a node may move all below it.
            at = waiting.pop()
            for child in as_list(member(nodes[at], "children")) if at < len(nodes) else ():
                if isinstance(child, int) and child not in self._nodes:
                    self._nodes.add(child)
                    waiting.append(child)

    def explains(self, change: differences.Change) -> bool:
        """Whether an issue was told about what differs."""
        if self._is_told_at_large and "." in change.key:
            return True  # It may be about an entry that the node uses.
        about = f"{change.node} {change.before} {change.after}"
        nodes = set(map(int, _NAME.findall(about)))
        return not nodes.isdisjoint(self._nodes)


def _says_something(value: Any) -> bool:
    """Whether there was something to lose; Blender reads some meshes that nobody else can."""
    unreadable = isinstance(value, str) and value.endswith(differences.UNREADABLE)
    return value is not None and not unreadable


def _is_new(value: Any) -> bool:
    """Whether a reference leads to a node that was added to stand for the one before."""
    return isinstance(value, str) and bool(_ADDED.search(value))


def _is_at_large(pointer: str) -> bool:
    """Whether an issue is about an entry or the whole file, and not about a node."""
    return not (_NODE.search(pointer) or _NAME.search(pointer))


def _lost_member(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The member of a file that is no physics of ours and did not stay as it was; "" for none."""
    is_draft = "shapes" in before or "shapes" in after  # Whose version tells it.
    for key, value in before.items():
        one, other = _without_ours(value), _without_ours(after.get(key))
        if key == "asset" and is_draft and isinstance(one, dict) and isinstance(other, dict):
            one["version"] = other["version"] = ""
        if isinstance(one, list) and isinstance(other, list):  # Some nodes may be new.
            other = as_list(other)[: len(as_list(one))]
        if key not in _DECLARED and one != other and (one or other):
            return key
    return ""


def _with_meshes_back(json_value: dict[str, Any], count: int) -> dict[str, Any]:
    """A file in which no node after the first ones shows what its parent showed."""
    nodes = [dict(as_object(node)) for node in as_list(json_value.get("nodes"))]
    shown: dict[int, int] = {}
    for at, node in enumerate(nodes[:count]):
        for child in as_list(node.get("children")):
            if isinstance(child, int) and count <= child < len(nodes) and "mesh" not in node:
                mesh_nodes.move(nodes[child], node)
                shown[child] = at
    result = {**json_value, "nodes": nodes}
    mesh_nodes.retarget(result, shown)
    return result if shown else json_value


def _without_ours(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_ours(item) for item in as_list(value)]
    if not isinstance(value, dict):
        return value
    left = {
        key: _without_ours(item)
        for key, item in as_object(value).items()
        if key not in dialects.NAMES and key not in ("children", "nodes")
    }
    if left.get("extensions") == {}:
        del left["extensions"]
    return left


def start_blender() -> None:
    """Enable the host and our add-on in the `bpy` of this Python."""
    from omi_physics_addon.cli.inside import addons

    addons.enable(addons.HOST)
    addons.enable(addons.ADDON)


def through_blender(step: Step, chance: random.Random, path: Path) -> bool:
    """Import a file with the `bpy` of this Python, and export it; whether it could be compared.

    Raises:
        ValueError: our add-on stumbled.
        LostError: something was lost.
    """
    from omi_physics_addon.cli.inside import addons

    module: Any = addons.bpy
    module.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    is_imported = False
    with step("import"), contextlib.suppress(RuntimeError):  # The host's; ours is in the report.
        module.ops.import_scene.gltf(filepath=str(path))
        is_imported = True
    told = _report("IMPORT")
    scene: Any = module.context.scene
    origin = scene.omi_physics.origin
    family = chance.choice(("OMI", "KHR", "BOTH", origin, origin))
    family = "OMI" if family == "NONE" else family
    scene.omi_physics.export.family = family
    scene.omi_physics.export.write_anyway = True
    target = path.with_name("exported.gltf")
    target.unlink(missing_ok=True)
    with step("export"), contextlib.suppress(RuntimeError):
        module.ops.export_scene.gltf(filepath=str(target), export_format="GLTF_SEPARATE")
    told += _report("EXPORT")
    return (
        is_imported
        and target.exists()
        and origin == family
        and must_say_the_same(path, target, told, _FLOATS, _OF_BLENDER)
    )


def _report(kind: Any) -> Told:
    """The issues of the last import or export.

    Raises:
        ValueError: it failed.
    """
    from omi_physics_addon.blender.base import reports

    found: Any = reports.latest(kind)
    if found is not None and found.failed:
        raise ValueError(f"{kind}: {found.failure}")
    return [] if found is None else [issue.to_json() for issue in found.issues]


def quieten(names: Iterable[str] = ("glTFImporter", "glTFImporter_errors")) -> None:
    """Take away what logs of the host gather: one more of them with each import and export."""
    for name in names:
        logging.getLogger(name).handlers.clear()
