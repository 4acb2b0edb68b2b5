"""What shapes are fitted to: whole meshes, what is selected in them, their parts, hierarchies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...geometry.fit.loose_parts import loose_parts
from ...geometry.fit.mesh_volumes import hull_volume, mesh_volume
from ...geometry.fit.voxels import BOX_CORNERS, BOX_TRIANGLES, voxel_boxes
from ..base import mesh_arrays
from ..base.hierarchy import Children, is_moved_by_path, with_below
from ..properties.entries import without_number
from ..scene.mesh_sources import tree_of
from ..translations import pgettext_rpt

MOST_PARTS: Final = 500  # Of one mesh; more are a mistake, and would fill the scene.
_DIGEST: Final = 16  # Of a fingerprint, bytes.
SPLITTING: Final = frozenset({"PARTS", "MATERIALS"})  # Sources that give several pieces.
Surfaces = Literal["NONE", "MOST", "ALL"]  # Of faces, that count in a fingerprint.
Depsgraph = bpy.types.Depsgraph | None  # None for meshes before their modifiers.

_TOO_MANY: Final = (
    "{{name}} has more than {count} loose parts, too many for separate shapes; join some "
    "parts first"
)
_TOO_MANY_BOXES: Final = "{{name}} would get more than {count} boxes; take fewer cells"


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a mesh, in the space of its object and Blender's axes.

    Attributes:
        points: (n, 3), at least one.
        triangles: (m, 3), indices of points.
        materials: Blender materials with the surfaces of faces, None for faces without one; empty
            where no face has one.
        slots: (m,), which of them each triangle has.
    """

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    materials: tuple[Any, ...] = ()
    slots: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @cached_property
    def material(self) -> Any:
        """The Blender material with the surface that most of it has; None for none."""
        if not self.materials or not len(self.triangles):
            return None
        a, b, c = (self.points[corner] for corner in self.triangles.T)
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        return self.materials[int(np.bincount(self.slots, areas).argmax())]

    def painted(self, like: Piece) -> Piece:
        """With the surface of the other piece that it is made of, of most that is where it is."""
        if self is like or not like.materials or not len(like.triangles):
            return self
        middles = like.points[like.triangles].mean(axis=1)
        least, most = self.points.min(axis=0), self.points.max(axis=0)
        rows = np.flatnonzero(((middles >= least) & (middles <= most)).all(axis=1))
        near = like.some(like.points, like.triangles[rows], rows) if len(rows) else like
        slots = np.full(len(self.triangles), like.materials.index(near.material))
        return replace(self, materials=like.materials, slots=slots)

    def some(self, points: NDArray[Any], triangles: NDArray[np.int64], rows: Any) -> Piece:
        """Some of its triangles, with points and indices of their own."""
        slots = self.slots[rows] if self.materials else self.slots
        return Piece(points, triangles, self.materials, slots)

    @cached_property
    def volume(self) -> float:
        """The volume inside, of an open mesh that of its hull, in cubic units of the object."""
        return mesh_volume(self.points, self.triangles)

    @cached_property
    def fingerprint(self) -> bytes:
        """What differs where points or triangles do, by more than 32-bit numbers show."""
        numbers = self.points.astype(np.float32).tobytes() + self.triangles.tobytes()
        return hashlib.blake2b(numbers, digest_size=_DIGEST).digest()

    @cached_property
    def hull_volume(self) -> float:
        """The volume of the hull, in cubic units of the object; 0 where it is flat."""
        return hull_volume(self.points)

    def voxels(self, cells: int, hold_all: bool) -> list[Piece]:
        """Boxes along the axes that fill it.

        Raises:
            TooManyPartsError: there are hundreds.
        """
        boxes = voxel_boxes(self.points, self.triangles, cells, hold_all)
        if len(boxes.low) > MOST_PARTS:
            raise TooManyPartsError(pgettext_rpt(_TOO_MANY_BOXES).format(count=MOST_PARTS))
        sizes = boxes.high - boxes.low
        return [
            Piece(low + BOX_CORNERS * size, BOX_TRIANGLES).painted(self)
            for low, size in zip(boxes.low, sizes, strict=True)
        ]


def fingerprint(found: Sequence[Piece], surfaces: Surfaces = "NONE") -> str:
    """What differs where pieces do.

    Args:
        surfaces: whether it also differs where the surface that most of a piece has does, or that
            of any face.
    """
    total = hashlib.blake2b(digest_size=_DIGEST)
    for piece in found:
        total.update(piece.fingerprint)
    if surfaces == "NONE":
        return total.hexdigest()
    painted = hashlib.blake2b(digest_size=_DIGEST)
    for piece in found:
        every = surfaces == "ALL"
        trees = map(tree_of, piece.materials if every else (piece.material,))
        names = [without_number(tree.name) if tree else "" for tree in trees]
        painted.update(repr(names if any(names) else []).encode())
        painted.update(piece.slots.tobytes() if every else b"")
    return f"{total.hexdigest()} {surfaces} {painted.hexdigest()}"


def is_of(mesh: str, found: Sequence[Piece]) -> bool:
    """Whether a fingerprint is that of pieces."""
    return mesh == fingerprint(found, surfaces_in(mesh))


def surfaces_in(mesh: str) -> Surfaces:
    """Which surfaces a fingerprint has; those of older files have none."""
    return "ALL" if " ALL " in mesh else "MOST" if " MOST " in mesh else "NONE"


@dataclass(frozen=True)
class Cuts:
    """How finely meshes are cut.

    Attributes:
        concavity: how far parts may be from convex, as a part of the size of the mesh, 0.01 to 1.
        hulls: the most parts of a mesh; 0 for as many as it takes.
        vertices: the most of a part, 8 to 256.
        seed: what chance begins with; the same one gives the same parts.
    """

    concavity: float = 0.05
    hulls: int = 32
    vertices: int = 64
    seed: int = 0


class TooManyPartsError(Exception):
    """A mesh has more parts than objects should be made for; says so of `{name}`."""


class Sources:
    """Finds what shapes are fitted to; objects that show the same mesh get the same pieces.

    Attributes:
        children: of every object.
    """

    def __init__(self, depsgraph: bpy.types.Depsgraph, children: Children) -> None:
        """Start without any.

        Args:
            children: of every object, for CHILDREN.
        """
        self._depsgraph = depsgraph
        self.children = children
        self._of_data: dict[Any, list[Piece]] = {}
        self._of_content: dict[Any, Piece] = {}

    def pieces(
        self, obj: Any, source: str, part: str = "COLLIDER", state: str = "EVALUATED"
    ) -> list[Piece]:
        """What a shape, or one shape each, is fitted to; nothing where there are no vertices.

        Args:
            source: WHOLE, SELECTION, PARTS, MATERIALS or CHILDREN.
            part: whose shape; that of GRAVITY is fitted to the object above where its own object
                shows nothing.
            state: EVALUATED, or BASE for meshes before their modifiers.

        Raises:
            TooManyPartsError: the mesh has hundreds of loose parts.
        """
        depsgraph = None if state == "BASE" else self._depsgraph
        found = self._pieces(obj, source, depsgraph)
        if not found and part == "GRAVITY" and source == "WHOLE":
            return self._known(_of_parent(obj, depsgraph))
        return found

    def _pieces(self, obj: Any, source: str, depsgraph: Depsgraph) -> list[Piece]:
        if source == "SELECTION":
            return self._known(_selected(obj))
        if source == "CHILDREN":
            return self._known(_joined(obj, depsgraph, self.children))
        if source == "MATERIALS":
            return self._known(_of_materials(obj, depsgraph))
        if not _shows_its_data(obj):
            return self._known(_shown(obj, source, depsgraph))
        own = tuple(slot.material for slot in obj.material_slots if slot.link == "OBJECT")
        key = source, obj.data.session_uid, own
        if key not in self._of_data:
            self._of_data[key] = self._known(_shown(obj, source, depsgraph))
        return self._of_data[key]

    def _known(self, found: Sequence[Piece]) -> list[Piece]:
        """The same pieces, or equal ones that were found before."""
        return [self._of_content.setdefault(_content(piece), piece) for piece in found]


def _content(piece: Piece) -> Any:
    arrays = (piece.points, piece.triangles, piece.slots)
    return piece.materials, *(array.tobytes() for array in arrays)


def pieces(
    obj: Any, source: str, depsgraph: bpy.types.Depsgraph, children: Children
) -> list[Piece]:
    """What shapes of one object are fitted to; see `Sources`."""
    return Sources(depsgraph, children).pieces(obj, source)


def _shows_its_data(obj: Any) -> bool:
    """Whether an object looks as every other one of its mesh data does."""
    return obj.type == "MESH" and not obj.modifiers and obj.data.shape_keys is None


def _owner(obj: Any, depsgraph: Depsgraph) -> Any:
    """What has the materials of the mesh that an object shows, or of its own."""
    return obj if depsgraph is None else obj.evaluated_get(depsgraph)


def _shown(obj: Any, source: str, depsgraph: Depsgraph) -> list[Piece]:
    with mesh_arrays.temporary_mesh(obj, depsgraph) as mesh:
        if mesh is None or not len(mesh.vertices):
            return []
        whole = _piece(mesh, _owner(obj, depsgraph))
        if source == "WHOLE":
            return [whole]
        parts = loose_parts(len(whole.points), mesh_arrays.edges(mesh))
        if len(parts) > MOST_PARTS:
            raise TooManyPartsError(pgettext_rpt(_TOO_MANY).format(count=MOST_PARTS))
        return list(_split(whole, parts))


def _of_materials(obj: Any, depsgraph: Depsgraph) -> list[Piece]:
    """The faces of each material, in the order of the slots; all where there is no material."""
    with mesh_arrays.temporary_mesh(obj, depsgraph) as mesh:
        if mesh is None or not len(mesh.vertices):
            return []
        whole = _piece(mesh, _owner(obj, depsgraph))
        slots = mesh_arrays.material_indices(mesh)
    materials = [slot.material for slot in _owner(obj, depsgraph).material_slots]
    first = np.array([materials.index(material) for material in materials] or [0])
    slots = first[np.minimum(slots, len(first) - 1)]
    used = np.unique(slots)
    if len(used) < 2:
        return [whole]
    return [_of_triangles(whole, np.flatnonzero(slots == slot)) for slot in used]


def _of_triangles(whole: Piece, rows: NDArray[np.int64]) -> Piece:
    """Some triangles of a piece, and their corners."""
    used, index = np.unique(whole.triangles[rows], return_inverse=True)
    return whole.some(whole.points[used], index.reshape(-1, 3).astype(np.int64), rows)


def _of_parent(obj: Any, depsgraph: Depsgraph) -> list[Piece]:
    """What the object above shows, in the space of an object below it; one piece at most."""
    if obj.parent is None:
        return []
    into = _place(obj, obj.parent).inverted_safe()
    return [
        Piece(mesh_arrays.moved(piece.points, into), piece.triangles)
        for piece in _shown(obj.parent, "WHOLE", depsgraph)
    ]


def _place(obj: Any, top: Any) -> Matrix:
    """The place of an object in the space of itself or of one above it.

    Places in the world are asked for only where nothing else tells it: what is worked out of them
    differs in its last digits wherever the one above goes, as if the mesh had changed.
    """
    found, part = Matrix(), obj
    while part != top:
        is_moved = part.constraints or part.rigid_body or is_moved_by_path(part)
        if is_moved or part.parent_type != "OBJECT":
            return top.matrix_world.inverted_safe() @ obj.matrix_world
        found = part.matrix_parent_inverse @ part.matrix_basis @ found
        part = part.parent
    return found


def _piece(mesh: bpy.types.Mesh, owner: Any) -> Piece:
    """All of a mesh.

    Args:
        owner: the object whose materials it has.
    """
    points, faces = mesh_arrays.triangles(mesh)
    materials = [slot.material and slot.material.original for slot in owner.material_slots]
    trees = [tree_of(material) for material in materials]
    if not any(trees):
        return Piece(points, faces)
    found = dict(zip(trees, materials, strict=True))
    order = [*found]
    meant = np.array([order.index(tree) for tree in trees])
    slots = meant[np.minimum(mesh_arrays.material_indices(mesh), len(trees) - 1)]
    return Piece(points, faces, tuple(found[tree] if tree else None for tree in order), slots)


def _selected(obj: Any) -> list[Piece]:
    """The selected vertices and faces, of the mesh without its modifiers.

    Faces between selected faces, whose vertices are all selected, are not among them.
    """
    if obj.type != "MESH":
        return []
    mesh: bpy.types.Mesh = obj.data
    chosen = mesh_arrays.values(mesh.vertices, "select", bool)
    if not chosen.any():
        return []
    whole = _piece(mesh, obj)
    faces = mesh_arrays.values(mesh.polygons, "select", bool)
    of_faces = mesh_arrays.values(mesh.loop_triangles, "polygon_index", np.int32)
    rows = np.flatnonzero(faces[of_faces])
    if len(rows):
        whole = whole.some(whole.points, whole.triangles[rows], rows)
    return [_part(whole, np.flatnonzero(chosen))]


def _split(whole: Piece, parts: Sequence[NDArray[np.int64]]) -> Iterator[Piece]:
    if len(parts) == 1:
        yield _part(whole, parts[0])
        return
    owner = np.full(len(whole.points), -1)
    for number, part in enumerate(parts):
        owner[part] = number
    places = np.zeros(len(whole.points), dtype=np.int64)
    for part in parts:
        places[part] = np.arange(len(part))
    owners = owner[whole.triangles[:, 0]]
    order = np.argsort(owners, kind="stable")
    bounds = np.searchsorted(owners[order], np.arange(len(parts) + 1))
    for number, part in enumerate(parts):
        rows = order[bounds[number] : bounds[number + 1]]
        yield whole.some(whole.points[part], places[whole.triangles[rows]], rows)


def _part(whole: Piece, part: NDArray[np.int64]) -> Piece:
    """Some vertices of a piece, and the triangles between them."""
    places = np.full(len(whole.points), -1)
    places[part] = np.arange(len(part))
    triangles = places[whole.triangles]
    rows = np.flatnonzero((triangles >= 0).all(axis=1))
    return whole.some(whole.points[part], triangles[rows], rows)


def _joined(obj: Any, depsgraph: Depsgraph, children: Children) -> list[Piece]:
    found: list[Piece] = []
    for part in with_below(obj, children):
        for piece in _shown(part, "WHOLE", depsgraph):
            points = mesh_arrays.moved(piece.points, _place(part, obj))
            found.append(replace(piece, points=points))
    return [_together(found)] if found else []


def _together(pieces: Sequence[Piece]) -> Piece:
    """Pieces of one space as one."""
    points = np.concatenate([piece.points for piece in pieces])
    starts = np.cumsum([0, *(len(piece.points) for piece in pieces)])
    shifted = [piece.triangles + start for piece, start in zip(pieces, starts, strict=False)]
    triangles = np.concatenate(shifted)
    if not any(piece.materials for piece in pieces):
        return Piece(points, triangles)
    materials = tuple(dict.fromkeys(m for piece in pieces for m in piece.materials or (None,)))
    slots = [
        np.array([materials.index(m) for m in piece.materials])[piece.slots]
        if piece.materials
        else np.full(len(piece.triangles), materials.index(None))
        for piece in pieces
    ]
    return Piece(points, triangles, materials, np.concatenate(slots))
