"""Where fitted shapes go: on the object itself, or on objects below it for its loose parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import bpy
import numpy as np
from mathutils import Matrix

from ...geometry.arrays import Indices
from ...geometry.fit.best_fit import SIMPLEST_FIRST, fit_wish, simplest, volume_error
from ...geometry.fit.decimation import decimate
from ...geometry.fit.k_dop import Planes, k_dop
from ...geometry.fit.mesh_volumes import mesh_volume
from ...geometry.fit.placed_shape import Placed
from ...geometry.fit.simple_hull import SimpleHull, simple_hull
from ...geometry.nearest import MeshSurface
from ..base import compat, groups
from ..base.hierarchy import Children, Homes, keep_off_path, new_empty
from ..base.mesh_arrays import MESHLIKE, children_of_all
from ..scene.mesh_sources import tree_of
from . import fitted_objects, fitting
from .fit_sources import Cuts, Piece, Surfaces, fingerprint

_PLANES: Final[dict[str, Planes]] = {"10": 10, "18": 18, "26": 26}
_SHARED: Final = ("physics_material", "collision_filter")
_DISPLAY: Final = 0.1  # Size of the cross that shows an object made for a part, m.
_SAME_ERROR: Final = 1e-6  # How far a volume error may be above the threshold.
VOXEL: Final = "VOXEL"  # No type of shapes: boxes that fill the mesh.
SIMPLEST: Final = "SIMPLEST"  # No type of shapes: the simplest that is near enough.


@dataclass(frozen=True)
class Plan:
    """What to fit, and how.

    Attributes:
        kind: one of the types of shapes, SIMPLEST or VOXEL.
        one_more: whether what is selected gets a shape beside those that the object has.
        along, orientation, taper, margin, planes, use_budget, budget, hold_all, cells,
            use_triangles, triangles: as operators have them.
        threshold: largest volume error for SIMPLEST, as a part of the mesh.
        cuts: into what convex parts each piece is cut first; None to take it as it is.
        mesh_state: EVALUATED, or BASE for meshes before their modifiers.
        within: whether capsules end where the mesh does; its corners stick out of their round ends.
        for_body: whether it came with a body, and goes with it.
        is_remembered: whether the object keeps how it was fitted.
    """

    kind: str
    part: str = "COLLIDER"
    source: str = "WHOLE"
    one_more: bool = False
    along: fitting.Along = "AUTO"
    orientation: str = "OBJECT"
    taper: bool = False
    margin: float = 0.0
    planes: str = "ANY"
    use_budget: bool = False
    budget: int = 32
    hold_all: bool = True
    cells: int = 12
    use_triangles: bool = False
    triangles: int = 500
    threshold: float = 0.2
    cuts: Cuts | None = None
    mesh_state: str = "EVALUATED"
    within: bool = False
    for_body: bool = False
    is_remembered: bool = True

    @property
    def limit(self) -> int | None:
        """The most corners of a hull."""
        return self.budget if self.use_budget else None

    @property
    def is_added(self) -> bool:
        """Whether shapes that are there stay as they are."""
        return self.one_more and self.source == "SELECTION" and self.part != "GRAVITY"


def _homes() -> Homes:
    return Homes(*filter(None, (groups.current_scene(), *bpy.data.scenes)))


@dataclass
class Outcome:
    """The outcome of fits.

    Attributes:
        kinds: how many shapes of each type.
        errors: by what part of their mesh shapes are larger, where it is not flat.
        beyond: how far points stick out of hulls, in the units of their objects.
        misses: errors of the simplest shapes that are larger than was asked for.
        kept: how many parts of earlier fits were not needed, and stay as they were changed by hand.
        shared: the shape in glTF's axes, or the type of one that is a mesh, that each piece got;
            all objects that show the same piece get the same.
        written: what had to be written of the shapes, so that they hold their points.
        voxels: the boxes that fill each piece.
        dropped: meshes of earlier fits, to be removed at the end; see `remove_dropped`.
        homes: where new parts of objects go.
    """

    kinds: Counter[str] = field(default_factory=Counter[str])
    errors: list[float] = field(default_factory=list[float])
    beyond: float = 0.0
    misses: list[float] = field(default_factory=list[float])
    kept: int = 0
    shared: dict[Piece, Placed | str] = field(default_factory=dict[Piece, "Placed | str"])
    written: dict[Piece, Placed] = field(default_factory=dict[Piece, Placed])
    voxels: dict[Piece, list[Piece]] = field(default_factory=dict[Piece, list[Piece]])
    dropped: list[Any] = field(default_factory=list[Any])
    homes: Homes = field(default_factory=_homes)

    @cached_property
    def children(self) -> Children:
        """What was below objects before."""
        return children_of_all()

    def note(self, kind: str, volume: float, of_mesh: float) -> None:
        """Count a shape."""
        self.kinds[kind] += 1
        error = volume_error(volume, of_mesh)
        if error is not None:
            self.errors.append(error)

    def include(self, other: Outcome) -> None:
        """Count what another one counted."""
        self.kinds += other.kinds
        self.errors += other.errors
        self.misses += other.misses
        self.beyond = max(self.beyond, other.beyond)
        self.kept += other.kept
        self.dropped += other.dropped

    def remove_dropped(self) -> None:
        """Remove meshes that no shape uses any more."""
        compat.remove_data(self.dropped)
        self.dropped.clear()

    def judge(self, plan: Plan, volume: float, of_mesh: float) -> None:
        """Note whether the simplest shape is too large; the margin is no fault of it."""
        error = volume_error(volume, of_mesh)
        if plan.kind == SIMPLEST and error is not None and error > plan.threshold + _SAME_ERROR:
            self.misses.append(error)


def fit_object(
    obj: Any, found: Sequence[Piece], old: Sequence[Any], plan: Plan, outcome: Outcome
) -> list[Any]:
    """Fit one object or its parts; the objects of an earlier fit that are not needed any more.

    Args:
        old: objects that an earlier fit made below it.

    Raises:
        TooManyPartsError: it would take hundreds of boxes.
    """
    if plan.kind == VOXEL:
        return _fit_voxels(obj, found, old, plan, outcome)
    if plan.is_added and (old or _has_shape(obj, plan.part)):
        _add_parts(obj, found, plan, outcome)
        return []
    group, name = groups.of_object(obj), plan.part.lower()
    if len(found) == 1:
        if old and not getattr(group, f"use_{name}"):
            _take_shared(getattr(group, name), getattr(groups.of_object(old[0]), name))
            _paint(obj, found[0], None)  # The mesh says what it is made of.
        setattr(group, f"use_{name}", True)
        if plan.part == "TRIGGER":
            group.trigger.mode = "SHAPE"
        elif plan.part == "GRAVITY":
            group.gravity.shaped.use_shape = True
        fit_own(obj, found[0], plan, outcome)
        obj.update_tag(refresh={"OBJECT", "DATA"})
        return [*old]
    parts = fit_parts(obj, found, old, plan, outcome)
    if plan.part == "TRIGGER":  # The triggers below make it up.
        group.use_trigger = True
        group.trigger.mode = "BELOW"
    else:  # The colliders below stand in for its own.
        group.property_unset("collider")
        group.property_unset("use_collider")
    _remember(obj, plan, found, is_own=False)
    for each in (obj, *parts):
        each.update_tag(refresh={"OBJECT", "DATA"})
    return [each for each in old if each not in parts]


def _fit_voxels(
    obj: Any, found: Sequence[Piece], old: Sequence[Any], plan: Plan, outcome: Outcome
) -> list[Any]:
    boxes: list[Piece] = []
    for piece in found:
        if piece not in outcome.voxels:
            outcome.voxels[piece] = piece.voxels(plan.cells, plan.hold_all)
        boxes += outcome.voxels[piece]
    alone = replace(plan, kind="BOX", orientation="OBJECT", is_remembered=False)
    inner = Outcome(dropped=outcome.dropped, homes=outcome.homes)
    useless = fit_object(obj, boxes, old, alone, inner)
    whole = sum(piece.volume for piece in found)
    outcome.kinds["BOX"] += len(boxes)
    error = volume_error(sum(box.volume for box in boxes), whole)
    outcome.errors += [] if error is None else [error]
    if not plan.is_added:
        _remember(obj, plan, found, is_own=len(boxes) == 1)
    return useless


def _remember(obj: Any, plan: Plan, found: Sequence[Piece], is_own: bool) -> None:
    """Keep how an object was fitted, unless it was what Edit Mode selects, or what was cut."""
    is_found_again = plan.is_remembered and plan.source != "SELECTION" and plan.cuts is None
    values = {name: value for name, value in asdict(plan).items() if name != "cuts"}
    mesh = fingerprint(found, _surfaces(obj, plan, is_own)) if is_found_again else ""
    fitted_objects.remember(obj, plan.part, values if is_found_again else None, mesh, is_own)


def _surfaces(obj: Any, plan: Plan, is_own: bool) -> Surfaces:
    """Which surfaces a fit has from its mesh; others are looked up when they are needed."""
    shape = fitted_objects.shape_of(obj, plan.part)
    is_made = shape.type in fitting.MESHES and shape.mesh_source == "DATA"
    if plan.part != "COLLIDER" or (is_own and not is_made):
        return "NONE"
    return "ALL" if plan.kind in ("TRIMESH", VOXEL) else "MOST"


def _has_shape(obj: Any, part: str) -> bool:
    is_there = fitted_objects.has_part(obj, part)
    return is_there and fitted_objects.shape_of(obj, part).type != "NONE"


def _add_parts(obj: Any, found: Sequence[Piece], plan: Plan, outcome: Outcome) -> None:
    """Give pieces shapes on objects of their own, which are the artist's from now on."""
    trigger = groups.of_object(obj).trigger
    if plan.part == "TRIGGER" and _has_shape(obj, plan.part) and trigger.mode == "SHAPE":
        _make_compound(obj, trigger, outcome.homes.of(obj))
    start = f"{obj.name} {plan.part.title()}"
    count = sum(child.name.startswith(start) for child in outcome.children.get(obj, ()))
    for part in fit_parts(obj, found, (), plan, outcome, first=count + 1):
        groups.of_object(part).is_fitted_part = False
        groups.of_object(part).fitted_state = ""
        if plan.part == "TRIGGER" and trigger.mode == "LIST":
            trigger.nodes.add().object = part
        part.update_tag(refresh={"OBJECT", "DATA"})


def _make_compound(obj: Any, trigger: Any, homes: Sequence[Any]) -> None:
    """Give the shape of a trigger to an object below, so that others can stand beside it."""
    part = _new_part(obj, obj, "TRIGGER", homes)
    compat.rename(part, f"{obj.name} Trigger 1")
    keep_off_path(part)
    groups.of_object(part).is_fitted_part = False
    shape = groups.of_object(part).trigger.shape
    groups.copy_group(trigger.shape, shape)
    if shape.type in fitting.MESHES and shape.mesh_source == "OWN":
        shape.mesh_source, shape.mesh_object = "OBJECT", obj
    trigger.property_unset("shape")
    trigger.mode = "LIST"
    trigger.nodes.clear()
    trigger.nodes.add().object = part
    fitted_objects.remember(obj, "TRIGGER", None, "", is_own=True)
    obj.update_tag(refresh={"OBJECT", "DATA"})


def fit_own(obj: Any, piece: Piece, plan: Plan, outcome: Outcome) -> None:
    """Fit the shape of an object itself."""
    _fit_shape(obj, piece, plan, outcome, has_mesh=True)
    _remember(obj, plan, [piece], is_own=True)


def _fit_shape(obj: Any, piece: Piece, plan: Plan, outcome: Outcome, *, has_mesh: bool) -> Any:
    """Fit a shape of an object; its property group.

    Args:
        has_mesh: whether the piece is of the mesh of the object.
    """
    shape = fitted_objects.shape_of(obj, plan.part)
    if piece not in outcome.shared:
        outcome.shared[piece] = _fit(piece, plan)
    found = outcome.shared[piece]
    is_own = has_mesh and isinstance(found, str) and not _is_changed(obj, piece, plan, found)
    if is_own or isinstance(found, Placed):
        fitting.drop_made_mesh(shape, outcome.dropped)
    if isinstance(found, Placed):
        _write_placed(shape, found, piece, plan, outcome)
    elif is_own:
        fitting.use_own_mesh(shape, found)
        volume = piece.hull_volume if found == "CONVEX" else piece.volume
        outcome.note(found, volume, piece.volume)
        outcome.judge(plan, volume, piece.volume)
    else:
        _write_data(shape, obj.name, piece, plan, found, outcome)
    return shape


def _write_placed(shape: Any, found: Placed, piece: Piece, plan: Plan, outcome: Outcome) -> None:
    written = outcome.written.get(piece)
    if written is None:
        points = fitting.to_gltf(piece.points)
        if plan.within:
            points = points[found.beyond(points) <= 0.0]
        written = fitting.write_placed(shape, found, points, plan.margin)
        outcome.written[piece] = written
    else:
        fitting.write_stored(shape, written)
    outcome.note(shape.type, written.volume, piece.volume)
    outcome.judge(plan, found.volume, piece.volume)


def fit_parts(
    obj: Any,
    pieces: Sequence[Piece],
    old: Sequence[Any],
    plan: Plan,
    outcome: Outcome,
    first: int = 1,
) -> list[Any]:
    """Fit shapes on objects below, one for each piece; the objects.

    Args:
        old: objects that an earlier fit made, which keep their settings.
        first: number of the first one.
    """
    parts = [*old[: len(pieces)]]
    model = old[0] if old else obj
    homes = outcome.homes.of(obj)
    new = [_new_part(obj, model, plan.part, homes) for _ in range(len(pieces) - len(parts))]
    for each in new[:1]:
        keep_off_path(each)
    for each in new[1:]:
        each.matrix_parent_inverse = new[0].matrix_parent_inverse
    parts += new
    for number, (part, piece) in enumerate(zip(parts, pieces, strict=True), first):
        if part not in old:
            compat.rename(part, f"{obj.name} {plan.part.title()} {number}")
        center = (piece.points.min(axis=0) + piece.points.max(axis=0)) / 2.0
        _fit_part(part, replace(piece, points=piece.points - center), plan, outcome)
        # So that the object is where its shape is, and the file needs no node for the offset.
        shape = fitted_objects.shape_of(part, plan.part)
        place = Matrix.LocRotScale(shape.location, shape.rotation, None)
        part.matrix_basis = Matrix.Translation(center.tolist()) @ place
        shape.property_unset("location")
        shape.property_unset("rotation")
        fitted_objects.note(part, plan.part, number)
    return parts


def _fit_part(part: Any, piece: Piece, plan: Plan, outcome: Outcome) -> None:
    """Fit the shape of an object that has no mesh of its own."""
    shape = _fit_shape(part, piece, plan, outcome, has_mesh=False)
    _paint(part, piece, None if shape.type in fitting.MESHES else piece.material)


def _paint(obj: Any, piece: Piece, material: Any) -> None:
    """Give a collider the surface of a Blender material, unless the artist chose another one."""
    collider = groups.of_object(obj).collider
    old = collider.physics_material_entry
    if piece.materials and (old is None or old in map(tree_of, piece.materials)):
        collider.physics_material_entry = tree_of(material)


def _fit(piece: Piece, plan: Plan) -> Placed | str:
    """A shape in glTF's axes, or the type of one that is a mesh."""
    if plan.kind in fitting.MESHES:
        return plan.kind
    points = fitting.to_gltf(piece.points)
    if plan.kind == SIMPLEST:
        found = simplest(points, piece.volume, plan.threshold, lambda: piece.hull_volume)
        if found is None:
            return "CONVEX"
        return found.within(points) if plan.within else found
    free = plan.orientation == "FREE"
    return fit_wish(points, fitting.wish(plan.kind, plan.along, free, plan.taper))


def _is_changed(obj: Any, piece: Piece, plan: Plan, kind: str) -> bool:
    """Whether a shape that is a mesh is another one than that of its object."""
    is_deformed = bool(obj.modifiers) or getattr(obj.data, "shape_keys", None) is not None
    if plan.source in ("SELECTION", "CHILDREN") or obj.type not in MESHLIKE:
        return True
    if plan.mesh_state == "BASE" and is_deformed:
        return True
    if kind == "TRIMESH":
        return plan.use_triangles and len(piece.triangles) > plan.triangles
    return plan.planes != "ANY" or plan.use_budget or plan.margin != 0.0


def _write_data(
    shape: Any, name: str, piece: Piece, plan: Plan, kind: str, outcome: Outcome
) -> None:
    """A shape that is a mesh of its own; what is flat becomes a thin box."""
    hull = None
    if kind == "TRIMESH" and len(piece.triangles):
        surface = piece.points, piece.triangles
        if plan.use_triangles:
            surface = decimate(*surface, plan.triangles)
        hull = SimpleHull(*surface, 0.0)
    elif kind == "CONVEX":
        count = _PLANES.get(plan.planes)
        if count is None:
            hull = simple_hull(piece.points, plan.limit, plan.hold_all, plan.margin)
        else:
            hull = k_dop(piece.points, count, plan.margin)
    if hull is None:
        points = fitting.to_gltf(piece.points)
        fitting.write_placed(shape, fit_wish(points, SIMPLEST_FIRST[4]), points)
        outcome.note(shape.type, 0.0, 0.0)
        return
    fitting.use_mesh(shape, kind, name, hull, *_materials(piece, plan, kind, hull))
    if kind == "CONVEX":
        volume = hull.volume
    else:
        decimated = len(hull.triangles) < len(piece.triangles)
        volume = mesh_volume(hull.corners, hull.triangles) if decimated else piece.volume
    outcome.note(kind, volume, piece.volume)
    outcome.judge(plan, piece.hull_volume if plan.margin else volume, piece.volume)
    outcome.beyond = max(outcome.beyond, hull.beyond)


def _materials(
    piece: Piece, plan: Plan, kind: str, made: SimpleHull
) -> tuple[tuple[Any, ...], Indices | None]:
    """The Blender materials of a mesh that was made of a piece, and which its faces have."""
    if kind == "CONVEX" or len(piece.materials) < 2:
        return ((), None) if piece.material is None else ((piece.material,), None)
    if not plan.use_triangles:
        return piece.materials, piece.slots
    used = np.unique(piece.slots)
    middles = made.corners[made.triangles].mean(axis=1)
    nearest = [
        MeshSurface(piece.points, piece.triangles[piece.slots == slot])(middles) for slot in used
    ]
    far = [np.linalg.norm(each - middles, axis=1) for each in nearest]
    return piece.materials, used[np.argmin(far, axis=0)]


def _new_part(obj: Any, model: Any, part: str, homes: Sequence[Any]) -> Any:
    """An empty object below another, with the collider or trigger settings of a model."""
    new = new_empty(f"{obj.name} {part.title()}", homes, size=_DISPLAY)
    new.parent = obj
    group, above = groups.of_object(new), groups.of_object(model)
    group.is_fitted_part = True
    name = part.lower()
    setattr(group, f"use_{name}", True)
    own, source = getattr(group, name), getattr(above, name)
    if getattr(above, f"use_{name}"):
        _take_shared(own, source)
    if part == "TRIGGER":
        own.mode = "SHAPE"
    return new


def _take_shared(own: Any, source: Any) -> None:
    """Give a collider or a trigger the physics material and the filter of another."""
    for shared in _SHARED:
        if hasattr(source, shared) and getattr(source, shared):
            setattr(own, shared, getattr(source, shared))
