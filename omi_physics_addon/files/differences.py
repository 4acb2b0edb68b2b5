"""What the physics of two files means differently."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, Final, cast

import numpy as np

from ..codec import dialects
from ..codec.values.json_members import as_list, member
from ..codec.values.node_tree import Tree
from ..issues import Issues
from ..model.bodies import Motion
from ..model.document import LISTS, PARTS, PhysicsDocument
from ..model.fields import MeshIndex, NodeIndex, Quantity, table
from ..model.fields import camel as key_of
from ..model.shapes import WORDS
from . import pages
from .source import Source

UNREADABLE: Final = "that cannot be read"  # What is said of such a mesh.
_WORLD: Final = "(the file)"
_NEAR: Final = 1e-9  # Numbers that differ by less are equal whatever their size.

Leaves = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One value that differs.

    Attributes:
        node: path of names, or words for the file as a whole.
        key: of the value, "motion.mass"; empty for all of a node.
        before, after: None where there is none.
    """

    node: str
    key: str
    before: Any
    after: Any

    @property
    def kind(self) -> str:
        """Added, removed or changed."""
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    def __str__(self) -> str:
        sign = {"added": "+", "removed": "-", "changed": "~"}[self.kind]
        place = f"{sign} {self.node}: {self.key}" if self.key else f"{sign} {self.node}"
        told = [show(value) for value in (self.before, self.after) if value is not None]
        return f"{place}: {' -> '.join(told)}"

    def to_json(self) -> dict[str, Any]:
        """The change for a program."""
        return {
            "node": self.node,
            "key": self.key,
            "kind": self.kind,
            "before": _plain(self.before),
            "after": _plain(self.after),
        }


@dataclass(frozen=True)
class Differences:
    """All that differs.

    Attributes:
        names: of the two files.
        compared: how many values there are in both together.
    """

    names: tuple[str, str]
    changes: tuple[Change, ...]
    compared: int

    def headline(self) -> str:
        """How much differs."""
        if not self.changes:
            return f"{self.names[0]} and {self.names[1]} mean the same"
        kinds = Counter(change.kind for change in self.changes)
        told = (f"{kinds[kind]} {kind}" for kind in ("changed", "added", "removed") if kinds[kind])
        return f"{self.names[0]} and {self.names[1]} differ: {', '.join(told)}"

    def lines(self) -> list[str]:
        """All of it for a person."""
        return [self.headline(), *(f"  {change}" for change in self.changes)]

    def to_json(self) -> dict[str, Any]:
        """All of it for a program."""
        return {
            "same": not self.changes,
            "compared": self.compared,
            "changes": [change.to_json() for change in self.changes],
        }


def compare(before: Source, after: Source, tolerance: float) -> Differences:
    """What two files mean differently.

    Args:
        tolerance: by which numbers may differ, relative to the larger one.
    """
    one, other = _Meaning(before), _Meaning(after)
    changes: list[Change] = []
    pairs = _matched(one.names, other.names)
    there = {theirs: ours for ours, theirs in pairs.items()}
    same = {other.names[theirs]: one.names[ours] for ours, theirs in pairs.items()}
    for at in one.names:
        if at not in pairs:
            changes.append(Change(one.names[at], "", one.summary(at), None))
            continue
        ours, theirs = one.leaves(at), other.leaves(pairs[at], same)
        changes += _of_leaves(one.names[at], ours, theirs, tolerance)
    for at in other.names:
        if at not in there:
            changes.append(Change(other.names[at], "", None, other.summary(at)))
    changes += _of_leaves(_WORLD, one.world(), other.world(), tolerance)
    return Differences((before.path.name, after.path.name), tuple(changes), one.count + other.count)


def _of_leaves(node: str, ours: Leaves, theirs: Leaves, tolerance: float) -> Iterator[Change]:
    for key in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(key), theirs.get(key)
        if not _equal(one, other, tolerance):
            yield Change(node, key, one, other)


def _matched(ours: dict[int, str], theirs: dict[int, str]) -> dict[int, int]:
    """Which node of one file is which of the other: by path, else by a name that stands once."""
    by_path = {path: at for at, path in theirs.items()}
    found = {at: by_path[path] for at, path in ours.items() if path in by_path}
    taken = set(found.values())

    def last(path: str) -> str:
        return path.rpartition("/")[2]

    open_ours = [at for at in ours if at not in found]
    open_theirs = [at for at in theirs if at not in taken]
    once = Counter(last(theirs[at]) for at in open_theirs)
    twice = Counter(last(ours[at]) for at in open_ours)
    by_name = {last(theirs[at]): at for at in open_theirs}
    for at in open_ours:
        name = last(ours[at])
        if once[name] == twice[name] == 1:
            found[at] = by_name[name]
    return found


class _Meaning:
    """What a file says, in values without indices."""

    def __init__(self, source: Source) -> None:
        self._source = source
        file = dialects.gltf_file(source.json)
        self._document: PhysicsDocument = dialects.read(file, Issues())
        self._tree = Tree.of(file)
        for at, new in enumerate(self._document.new_nodes, len(file.nodes)):
            self._tree.place_new(at, new)
        self._nodes = as_list(source.json.get("nodes"))
        self._paths: dict[int, str] = {}
        self._meshes: dict[int, str] = {}
        self.count = 0
        seen: Counter[str] = Counter()
        self.names: dict[int, str] = {}
        for at in sorted(self._document.nodes):
            if not self.summary(at):  # An extension without a member says nothing.
                continue
            path = self._path(at)
            seen[path] += 1
            self.names[at] = path if seen[path] == 1 else f"{path} ({seen[path]})"

    def _path(self, at: int) -> str:
        """The names from the top of the tree down to a node."""
        if at not in self._paths:
            self._paths[at] = "/".join(self._name(i) for i in reversed([*self._tree.upward(at)]))
        return self._paths[at]

    def _name(self, at: int) -> str:
        name = member(self._nodes[at], "name") if at < len(self._nodes) else None
        text = name if isinstance(name, str) and name else f"node {at}"
        plain = "".join(sign if sign.isprintable() and sign != "/" else "�" for sign in text)
        return plain.encode("utf-8", "replace").decode("utf-8")

    def summary(self, at: int) -> str:
        """The parts that a node has."""
        physics = self._document.nodes[at]
        return ", ".join(
            part.replace("_", " ") for part in PARTS if getattr(physics, part) is not None
        )

    def leaves(self, at: int, same: dict[str, str] | None = None) -> Leaves:
        """All values of a node by their keys, "motion.mass".

        Args:
            same: names of the other file by those of this one, for references to nodes.
        """
        found: Leaves = {}

        def named(node: int) -> str:
            below: list[str] = []
            for i in self._tree.upward(node):  # Of a pivot, its body has physics and is matched.
                name = self.names.get(i)
                if name is not None:
                    return "/".join([(same or {}).get(name, name), *reversed(below)])
                below.append(self._name(i))
            return self._path(node)

        physics = self._document.nodes[at]
        for part in PARTS:
            record = getattr(physics, part)
            if isinstance(record, Motion) and record.type == "static":
                record = Motion(type="static", gravity_factor=record.gravity_factor)
            if record is not None:
                self._add(found, key_of(part), record, named)
        if found:
            found["place"] = self._tree.world(at)
        self.count += len(found)
        return found

    def world(self) -> Leaves:
        """The values of the file as a whole."""
        found: Leaves = {}
        if self._document.world_gravity is not None:
            self._add(found, "worldGravity", self._document.world_gravity, str)
        self.count += len(found)
        return found

    def _add(self, found: Leaves, key: str, record: Any, named: Callable[[int], str]) -> None:
        kind: type = record.__class__
        found.setdefault(key, WORDS.get(kind, "present"))
        rows = {row.name: row for row in table(kind)}
        for item in dataclasses.fields(record):
            value = getattr(record, item.name)
            name = f"{key}.{key_of(item.name)}"
            row = rows.get(item.name)
            if item.name in ("carried", "name") or value is None or value == ():
                continue
            if dataclasses.is_dataclass(value):
                self._add(found, name, value, named)
            elif item.name in ("limits", "drives"):
                plain = (dataclasses.replace(inner, carried="") for inner in value)
                for k, inner in enumerate(sorted(plain, key=repr)):
                    self._add(found, f"{name}.{k}", inner, named)
            elif row is not None and row.type is NodeIndex:
                found[name] = named(value)
            elif row is not None and row.item is NodeIndex:
                found[name] = tuple(sorted(map(named, value)))
            elif row is not None and row.type is MeshIndex:
                found[name] = self._mesh(value)
            elif row is not None and row.type in LISTS:
                entry = getattr(self._document, LISTS[row.type])[value]
                self._add(found, name, entry, named)
            elif row is not None and row.item is str:
                found[name] = tuple(sorted(set(value)))
            elif row is not None and row.field.quantity is Quantity.ROTATION:
                # Both signs say the same; the last number is not negative.
                found[name] = tuple(-v for v in value) if value[-1] < 0.0 else value
            else:
                found[name] = value

    def _mesh(self, mesh: int) -> str:
        """What a mesh is, whatever the order of its corners."""
        if mesh not in self._meshes:
            triangles = self._source.triangles(mesh)
            if triangles is None:
                meshes = as_list(self._source.json.get("meshes"))
                name = member(meshes[mesh], "name") if mesh < len(meshes) else None
                self._meshes[mesh] = f"mesh {name!r} {UNREADABLE}"
            else:
                points = np.unique(np.round(triangles[0], 4) + 0.0, axis=0)
                digest = hashlib.sha256(points.tobytes()).hexdigest()[:8]
                count = len(triangles[1])
                self._meshes[mesh] = f"mesh of {count} triangles on {len(points)} places, {digest}"
        return self._meshes[mesh]


def _equal(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or math.isclose(one, other, rel_tol=tolerance, abs_tol=_NEAR)
    if isinstance(one, tuple) and isinstance(other, tuple):
        ours, theirs = cast("tuple[Any, ...]", one), cast("tuple[Any, ...]", other)
        if len(ours) != len(theirs):
            return False
        numbers = [v for v in (*ours, *theirs) if isinstance(v, (int, float))]
        if len(numbers) == 2 * len(ours):
            # Against the largest of them: what is small beside it is noise.
            largest = max((abs(float(v)) for v in numbers), default=0.0)
            near = max(tolerance * (largest if math.isfinite(largest) else 0.0), _NEAR)
            return all(a == b or abs(a - b) <= near for a, b in zip(ours, theirs, strict=True))
        return all(_equal(a, b, tolerance) for a, b in zip(ours, theirs, strict=True))
    return one == other


def show(value: Any) -> str:
    """A value in a line."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        if len(items) == 16:
            x, y, z = items[12:15]
            turned = "" if items[:3] == (1.0, 0.0, 0.0) else ", turned or scaled"
            return f"at ({x:.6g}, {y:.6g}, {z:.6g}){turned}"
        return f"({', '.join(map(show, items))})"
    return str(value)


def _plain(value: Any) -> Any:
    """A value as JSON has it; what is not finite as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[Any, ...]", value)]
    return value


def page(found: Differences) -> str:
    """The page of what differs."""
    parts = [f"<h1>{escape(found.headline())}</h1>"]
    if found.changes:
        rows = [
            (
                change.kind.capitalize(),
                change.node,
                change.key,
                "" if change.before is None else show(change.before),
                "" if change.after is None else show(change.after),
            )
            for change in found.changes
        ]
        classes = [change.kind for change in found.changes]
        parts.append(pages.table(("Change", "Node", "Value", *found.names), rows, classes))
    return pages.page(found.headline(), parts)
