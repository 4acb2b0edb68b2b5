"""What a file says about physics: its dialect, its tree, what it costs, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..codec import dialects
from ..codec.gltf import rewriting
from ..codec.values.json_members import as_list, member
from ..geometry.hull import convex_hull
from ..issue_codes import Code, Severity
from ..issues import Issue, lines_of
from ..model.document import PART_WORDS, NodePhysics, PhysicsDocument
from ..model.joint_kinds import recognize
from ..model.joint_words import NAMES
from ..model.shapes import WORDS, Box, Capsule, Convex, Cylinder, Plane, Sphere, Trimesh
from . import checking
from .checking import Checked
from .source import Source

_LETTERS = 120  # Of a name at most, in a line for people.


@dataclass(frozen=True)
class TreeNode:
    """A node of the file with physics, or above one.

    Attributes:
        depth: how many nodes are above it.
        words: what each part of its physics is.
    """

    index: int
    depth: int
    name: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        told = f": {', '.join(self.words)}" if self.words else ""
        return f"{'  ' * self.depth}{shortened(self.name)}{told}"


@dataclass(frozen=True)
class Cost:
    """What an engine has to carry.

    Attributes:
        shapes: colliders and triggers with a shape.
        hull_vertices: of the hulls of all of them.
        triangles: of the trimeshes of all of them.
        unread: meshes that could not be read.
    """

    bodies: int
    moving: int
    shapes: int
    hull_vertices: int
    triangles: int
    joints: int
    unread: int

    def lines(self) -> list[str]:
        """The cost in words."""
        lines = [
            f"{self.bodies} bodies, {self.moving} of which move, and {self.joints} joints",
            f"{self.shapes} shapes with {self.hull_vertices} vertices of hulls and "
            f"{self.triangles} triangles",
        ]
        if self.unread:
            lines.append(f"{self.unread} collision meshes could not be read")
        return lines


@dataclass(frozen=True)
class Inspection:
    """All that is told of a file.

    Attributes:
        name: of the file.
        extensions: of physics that it uses, in their order.
        dialect: findings about older forms.
        counts: how many of each kind of thing there are.
        issues: the worst first.
    """

    name: str
    families: tuple[str, ...]
    extensions: tuple[str, ...]
    dialect: tuple[str, ...]
    counts: dict[str, int]
    cost: Cost
    tree: tuple[TreeNode, ...]
    issues: tuple[Issue, ...]

    def lines(self) -> list[str]:
        """All of it for a person."""
        found = [f"{self.name}: {' and '.join(self.families) or 'no physics'}"]
        if self.extensions:
            found.append(f"extensions: {', '.join(self.extensions)}")
        found += [f"older form: {text}" for text in self.dialect]
        if self.counts:
            found += [
                "",
                *(f"{number:>6} {_of(name, number)}" for name, number in self.counts.items()),
            ]
            found += ["", *self.cost.lines()]
        if self.issues:
            found += ["", *(line.strip() for line in lines_of(self.issues))]
        if self.tree:
            found += ["", *map(str, self.tree)]
        return found

    def to_json(self) -> dict[str, Any]:
        """All of it for a program."""
        return {
            "families": list(self.families),
            "extensions": list(self.extensions),
            "dialect": list(self.dialect),
            "counts": self.counts,
            "cost": {
                "bodies": self.cost.bodies,
                "movingBodies": self.cost.moving,
                "shapes": self.cost.shapes,
                "hullVertices": self.cost.hull_vertices,
                "triangles": self.cost.triangles,
                "joints": self.cost.joints,
                "unreadMeshes": self.cost.unread,
            },
            "tree": [
                {"node": at.index, "depth": at.depth, "name": at.name, "physics": list(at.words)}
                for at in self.tree
            ],
            "issues": [issue.to_json() for issue in self.issues],
        }


def _of(name: str, number: int) -> str:
    """The name of a kind of thing, for so many of them."""
    if number == 1:
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def inspect(source: Source) -> tuple[Inspection, Checked]:
    """What a file says about physics, and what it was read as."""
    checked = checking.check(source)
    order = list(Severity)
    issues = sorted(checked.issues, key=lambda issue: order.index(issue.severity))
    used = {name for name in checked.file.extensions if name in dialects.NAMES}
    for node in checked.file.nodes:
        used |= {name for name in node.extensions if name in dialects.NAMES}
    dialect = (issue.message for issue in issues if issue.code == str(Code.DIALECT_OLD))
    inspection = Inspection(
        name=source.path.name,
        families=checked.families,
        extensions=tuple(sorted(used)),
        dialect=tuple(dict.fromkeys(dialect)),
        counts=rewriting.count(checked.document),
        cost=_cost(checked.document, source),
        tree=tuple(_tree(checked, source)),
        issues=tuple(issues),
    )
    return inspection, checked


def _cost(document: PhysicsDocument, source: Source) -> Cost:
    known: dict[tuple[int, bool], int | None] = {}

    def size(mesh: int, is_hull: bool) -> int | None:
        key = (mesh, is_hull)
        if key not in known:
            found = source.triangles(mesh)
            if found is None:
                known[key] = None
            elif is_hull:
                hull = convex_hull(found[0][np.unique(found[1])]) if len(found[1]) else None
                known[key] = 0 if hull is None else len(hull[0])
            else:
                known[key] = len(found[1])
        return known[key]

    sizes = {True: 0, False: 0}
    shapes = unread = 0
    physics = document.nodes.values()
    for _name, _part, shape in (row for node in physics for row in document.shaped(node)):
        shapes += 1
        geometry = shape.geometry
        if isinstance(geometry, (Convex, Trimesh)) and geometry.mesh is not None:
            is_hull = isinstance(geometry, Convex)
            count = size(geometry.mesh, is_hull)
            unread += count is None
            sizes[is_hull] += count or 0
    motions = [node.motion for node in physics if node.motion is not None]
    return Cost(
        bodies=len(motions),
        moving=sum(motion.type != "static" for motion in motions),
        shapes=shapes,
        hull_vertices=sizes[True],
        triangles=sizes[False],
        joints=sum(node.joint is not None for node in physics),
        unread=unread,
    )


def _tree(checked: Checked, source: Source) -> Iterator[TreeNode]:
    """The nodes with physics and those above them, as they hang below each other."""
    tree, document = checked.tree, checked.document
    wanted = {at for i in document.nodes for at in tree.upward(i)}
    nodes = as_list(source.json.get("nodes"))

    def name_of(at: int) -> str:
        name = member(nodes[at], "name") if at < len(nodes) else None
        new = document.new_nodes[at - len(tree.children) :][:1] if at >= len(tree.children) else []
        return _line(name) or _line(new[0].name if new else None) or f"node {at}"

    waiting = [(i, 0) for i in sorted(wanted, reverse=True) if i not in tree.parents]
    seen: set[int] = set()
    while waiting:
        at, depth = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        physics = document.nodes.get(at, NodePhysics())
        yield TreeNode(at, depth, name_of(at), tuple(_words(physics, document, name_of)))
        children = tree.children[at] if at < len(tree.children) else ()
        below = [child for child in children if child in wanted]
        waiting += [(child, depth + 1) for child in reversed(below)]


def _line(name: Any) -> str:
    """A name on one line, without signs that a terminal would obey."""
    text = name if isinstance(name, str) else ""
    plain = "".join(sign if sign.isprintable() else "�" for sign in text)
    return plain.encode("utf-8", "replace").decode("utf-8")


def shortened(text: str, most: int = _LETTERS) -> str:
    """A text as long as a line may be."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _words(
    physics: NodePhysics, document: PhysicsDocument, name_of: Callable[[int], str]
) -> Iterator[str]:
    motion = physics.motion
    if motion is not None:
        mass = "" if motion.mass is None or motion.type == "static" else f" of {motion.mass:g} kg"
        yield f"{motion.type} body{mass}"
    for name in ("collider", "trigger"):
        part = getattr(physics, name)
        if part is not None and part.shape is not None:
            yield f"{name}: {shape_words(document.shapes[part.shape].geometry)}"
        elif part is not None:
            yield f"{name} of others"
    joint = physics.joint
    if joint is not None:
        settings = document.settings_of(physics)
        kind = None if settings is None else recognize(settings)
        word = f"{NAMES[kind.kind].lower()} " if kind is not None else ""
        end = (
            ""
            if joint.connected_node is None
            else f" to {shortened(name_of(joint.connected_node))}"
        )
        yield f"{word}joint{end}"
    if physics.gravity is not None:
        yield f"gravity of {physics.gravity.gravity:g} m/s²"
    for name in ("vehicle_body", "wheel", "thruster", "hover_thruster", "seat"):
        if getattr(physics, name) is not None:
            yield PART_WORDS[name]


def shape_words(geometry: Any) -> str:
    """A shape with its sizes in metres."""
    kind: type = geometry.__class__
    word = WORDS.get(kind, "shape of another kind")
    if isinstance(geometry, Box):
        return f"{word} {' x '.join(f'{size:.4g}' for size in geometry.size)} m"
    if isinstance(geometry, Sphere):
        return f"{word} of radius {geometry.radius:.4g} m"
    if isinstance(geometry, (Capsule, Cylinder)):
        radii = dict.fromkeys((geometry.radius_bottom, geometry.radius_top))
        told = " to ".join(f"{radius:.4g}" for radius in radii)
        return f"{word} {geometry.height:.4g} m high, of radius {told} m"
    if isinstance(geometry, Plane):
        sizes = (geometry.size_x, geometry.size_z)
        return f"{word} {' x '.join('endless' if s is None else f'{s:.4g} m' for s in sizes)}"
    if isinstance(geometry, (Convex, Trimesh)):
        return f"{word} of mesh {geometry.mesh}"
    return word
