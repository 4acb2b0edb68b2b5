"""What the makers of Blender's rigid bodies and constraints share in one run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ....issue_codes import Code
from ....issues import Issues
from ....simulation import file_world
from ....simulation.rigid import shapes
from ....simulation.rigid.values import Values
from ...base import groups
from ...base.hierarchy import Homes
from ...scene import scene_document
from . import blender_values as blender


@dataclass
class Given:
    """What was given back.

    Attributes:
        bodies, constraints: the objects that have one now, but for those made to stand in.
        made: objects that were made to stand in for shapes and joints.
    """

    bodies: list[Any] = field(default_factory=list[Any])
    constraints: list[Any] = field(default_factory=list[Any])
    made: list[Any] = field(default_factory=list[Any])
    issues: Issues = field(default_factory=Issues)


class Giving:
    """The physics of a scene, and what of it Blender's world has by now.

    Attributes:
        objects: of the nodes of the document, but for those that were inserted.
        object: the one that a node stands for, or was inserted for.
        world: what was built of the document.
        linked, held: the objects of the two collections of Blender's world.
        old: what earlier runs made, by the object that it stands in for.
    """

    def __init__(self, scene: Any) -> None:
        self.given = Given()
        self.scene = scene
        every = [obj for obj in scene.objects if not blender.stands_in(obj)]
        ours = sorted(every, key=lambda obj: obj.name)
        self.found = scene_document.read(scene, ours, world=False)
        self.objects, self.object = self.found.objects, self.found.object_of
        self.world = file_world.world_of(
            self.found.document, self.found.tree, self.found.meshes.triangles
        )
        self.homes = Homes(scene)
        self.old: dict[Any, list[Any]] = {}
        for obj in scene.objects:
            if blender.stands_in(obj):
                self.old.setdefault(groups.read(obj).counterpart, []).append(obj)

    def begin(self) -> None:
        """Make Blender's world where there is none."""
        self.world_of_blender = blender.world_of(self.scene)
        self.linked = set(blender.bodies_of(self.scene))
        self.held = set(blender.constraints_of(self.scene))

    def tell(self, obj: Any, code: Code, why: str) -> None:
        """Add an issue about an object."""
        self.given.issues.add(code, obj.name, why)

    def write_body(self, obj: Any, values: Values) -> None:
        """Make an object a rigid body with some values."""
        if obj not in self.linked:
            self.world_of_blender.collection.objects.link(obj)
            self.linked.add(obj)
        blender.write(obj.rigid_body, values)


def box(mesh: Any, half: shapes.Half) -> None:
    """Give a mesh the edges of a box; only its bounds matter."""
    x, y, z = half
    corners = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    edges = [(i, i | bit) for i in range(len(corners)) for bit in (1, 2, 4) if not i & bit]
    mesh.from_pydata(corners, edges, [])
    mesh.update()
