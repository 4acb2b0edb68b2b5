"""What `omi_physics_addon.api` offers inside Blender: thin functions over what operators use."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import bpy
from mathutils import Matrix, Vector

from ..engines import WORDS
from .base import groups, reports
from .base.groups import can_change
from .base.hierarchy import body_of

if TYPE_CHECKING:
    from ..model.joint_kinds import Kind
    from ..simulation.recording import Recording
    from .base.reports import Report

_BODIES: Final = ("STATIC", "KINEMATIC", "DYNAMIC")
_SHAPES: Final = ("SIMPLEST", "BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONVEX", "TRIMESH")
_SOURCES: Final = ("WHOLE", "CHILDREN", "PARTS", "MATERIALS")
_PLANES: Final = ("10", "18", "26")


def add_bodies(
    objects: Iterable[Any], kind: str = "DYNAMIC", *, mass: float | None = None, fit: bool = True
) -> None:
    """Make objects bodies.

    Args:
        kind: STATIC, KINEMATIC or DYNAMIC.
        mass: of each, kg; as it is unless given.
        fit: give those that have no shape yet the simplest collider that fits.

    Raises:
        ValueError: a word or a number is none of those, or an object cannot be changed.
    """
    from .authoring.starting_shapes import make_bodies

    chosen = _editable(objects)
    _choose("kind", kind, _BODIES)
    if mass is not None and not (math.isfinite(mass) and mass >= 0.0):
        raise ValueError(f"mass is {mass}, and must be a number of at least 0")
    make_bodies(_depsgraph(), dict.fromkeys(chosen, kind), fit)
    if mass is not None:
        for obj in chosen:
            motion = groups.of_object(obj).motion
            motion.mass_mode, motion.mass = "VALUE", mass


def add_colliders(objects: Iterable[Any], shape: str = "SIMPLEST") -> None:
    """Make objects solid, each with a shape that holds what it shows.

    Args:
        shape: SIMPLEST, BOX, SPHERE, CAPSULE, CYLINDER, CONVEX or TRIMESH.

    Raises:
        ValueError: a word is none of those, or an object cannot be changed.
    """
    _start(objects, "COLLIDER", shape)


def add_triggers(objects: Iterable[Any], shape: str = "SIMPLEST") -> None:
    """Make objects notice bodies that enter them; words as for `add_colliders`.

    Raises:
        ValueError: a word is none of those, or an object cannot be changed.
    """
    _start(objects, "TRIGGER", shape)


def fit(
    objects: Iterable[Any],
    shape: str = "SIMPLEST",
    *,
    tolerance: float = 0.2,
    planes: int | None = None,
    vertices: int | None = None,
    free: bool = False,
    source: str = "WHOLE",
    cells: int = 12,
    triangles: int | None = None,
) -> dict[str, list[str]]:
    """Fit colliders to what objects show; objects without one get one.

    Args:
        shape: as for `add_colliders`, or VOXEL, which fills it with boxes on objects below.
        tolerance: how much larger than its mesh the simplest shape may be, as a part of it.
        planes: 10, 18 or 26 for a CONVEX with faces along so many directions.
        vertices: the most that a hull may have, 8 to 256.
        free: let shapes lie however they are smallest.
        source: WHOLE, CHILDREN for it with all objects below, or PARTS or MATERIALS for one shape
            each, on objects below.
        cells: of VOXEL, along the longest side of a mesh, 1 to 64.
        triangles: the most that a TRIMESH may have, 4 to a million.

    Returns:
        The types of the shapes, in small letters, by names of objects that have vertices.

    Raises:
        ValueError: a word or a number is none of those, an object cannot be changed, or one would
            get hundreds of shapes; those before it have theirs by then.
    """
    from .authoring import fitted_objects
    from .authoring.fit_destinations import Outcome, Plan, fit_object
    from .authoring.fit_sources import Sources, TooManyPartsError
    from .base.mesh_arrays import children_of_all

    chosen = _editable(objects)
    _choose("shape", shape, (*_SHAPES, "VOXEL"))
    _choose("source", source, _SOURCES)
    if planes is not None:
        _choose("planes", str(planes), _PLANES)
    if vertices is not None and not 8 <= vertices <= 256:
        raise ValueError(f"vertices is {vertices}, and must be 8 to 256")
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise ValueError(f"tolerance is {tolerance}, and must be a number of at least 0")
    if not 1 <= cells <= 64:
        raise ValueError(f"cells is {cells}, and must be 1 to 64")
    if triangles is not None and not 4 <= triangles <= 1_000_000:
        raise ValueError(f"triangles is {triangles}, and must be 4 to 1000000")
    plan = Plan(
        kind=shape,
        source=source,
        cells=cells,
        use_triangles=triangles is not None,
        triangles=triangles or Plan.triangles,
        threshold=tolerance,
        planes="ANY" if planes is None else str(planes),
        use_budget=vertices is not None,
        budget=vertices or Plan.budget,
        orientation="FREE" if free else "OBJECT",
    )
    children, outcome, useless = children_of_all(), Outcome(), list[Any]()
    sources, fitted = Sources(_depsgraph(), children), list[Any]()
    why = ""
    for obj in chosen:
        try:
            found = sources.pieces(obj, plan.source)
            if found:
                old = fitted_objects.below(obj, plan.part, children)
                useless += fit_object(obj, found, old, plan, outcome)
                fitted.append(obj)
        except TooManyPartsError as problem:
            why = str(problem).format(name=obj.name)
            break
    fitted_objects.remove_unchanged(useless, plan.part)
    outcome.remove_dropped()
    if why:
        raise ValueError(why)
    return fitted_objects.types_of(fitted, plan.part)


def decompose(
    objects: Iterable[Any],
    *,
    concavity: float = 0.05,
    hulls: int = 32,
    vertices: int = 64,
    seed: int = 0,
) -> dict[str, int]:
    """Give objects convex hulls that together fill what they show, on objects below them.

    Args:
        concavity: how far hulls may be from the surface inside, as a part of the mesh's size.
        hulls: the most of a mesh; 0 for as many as it takes.
        vertices: the most of a hull, 8 to 255.
        seed: the same number gives the same hulls.

    Returns:
        How many hulls each object has, by names of objects that have faces.

    Raises:
        ValueError: a number is none of those, or an object cannot be changed.
        RuntimeError: CoACD is not here, or cannot cut a mesh.
    """
    from .authoring.decomposition import cutting
    from .authoring.decomposition import hulls as hulls_below
    from .authoring.fit_sources import Cuts, Sources
    from .base.mesh_arrays import children_of_all

    chosen = _editable(objects)
    bounds = (("concavity", concavity, 0.01, 1.0), ("hulls", hulls, 0, 500))
    for name, value, least, most in (*bounds, ("vertices", vertices, 8, 255)):
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}, and must be {least} to {most}")
    cuts = Cuts(concavity, hulls, vertices, seed)
    sources = Sources(_depsgraph(), children_of_all())
    wanted = [(obj, sources.pieces(obj, "WHOLE")) for obj in chosen]
    wanted = [(obj, pieces) for obj, pieces in wanted if any(len(p.triangles) for p in pieces)]
    known: dict[Any, Any] = {}
    counts: dict[str, int] = {}
    try:
        for obj, pieces in wanted:
            counts[obj.name] = len(cutting.parts_of(pieces, cuts, known))
    except cutting.CutError as problem:
        raise RuntimeError(str(problem)) from problem
    hulls_below.put(wanted, known, "COLLIDER", cuts)
    return counts


def add_joint(
    obj: Any,
    connected: Any,
    kind: Kind = "fixed",
    *,
    axis: str = "Z",
    place: Sequence[float] | None = None,
    **ends: float,
) -> Any:
    """Join two bodies by a new empty below the first one; its axes are those of the world.

    Args:
        kind: fixed, ball, hinge, slider, piston, rope, cone_twist or six_dof.
        axis: X, Y or Z, about which it turns or along which it slides.
        place: of the joint in the world, m; that of `obj` unless given.
        ends: min and max in metres, turn_min, turn_max and swing in radians, stiffness, damping.

    Returns:
        The empty that is the joint.

    Raises:
        ValueError: a word is none of those, an object is in no body, or both are in one.
    """
    from ..model import joint_kinds
    from .authoring import joint_making

    _editable([obj])
    _choose("kind", kind, tuple(k for k in joint_kinds.KINDS if k not in ("servo", "motor")))
    _choose("axis", axis, ("X", "Y", "Z"))
    names = ("min", "max", "turn_min", "turn_max", "swing", "stiffness", "damping")
    for name in ends:
        _choose("end", name, names)
    for end in (obj, connected):
        if body_of(end) is None:
            raise ValueError(f"{end.name} is in no body; add_bodies makes it one")
    if body_of(obj) == body_of(connected):
        raise ValueError(f"{obj.name} and {connected.name} are in one body")
    _depsgraph()  # So that places are those of today.
    scene = groups.current_scene()
    number = "XYZ".index(axis) if kind in joint_kinds.WITH_AXIS else 0
    wish: Any = {"kind": kind, "axis": number, **ends}
    entry = joint_making.entry_of_kind(scene, joint_kinds.JointKind(**wish))
    where = obj.matrix_world.translation if place is None else Vector(place)
    homes = obj.users_collection or [cast(Any, scene).collection]
    return joint_making.add_joint(obj, connected, Matrix.Translation(where), entry.name, homes)


def add_vehicle(
    chassis: Any, wheels: Iterable[Any], *, mass: float | None = None, **options: Any
) -> list[Any]:
    """Make an object a vehicle with the given wheels, as *Make Vehicle* does with selected ones.

    Args:
        mass: of a chassis that is no body yet, kg; guessed from its size unless given.
        options: front, drive, steering, use_collider and use_stand, as the operator has them.

    Returns:
        The objects that are its wheels now; they may be empties above those that were given.

    Raises:
        ValueError: an object cannot be changed, or none can be a wheel.
        TypeError: an option is none of those.
    """
    from .authoring import starting_values
    from .base.mesh_arrays import children_of_all

    chosen = _editable([chassis, *wheels])
    make = cast(Any, bpy.ops).object.omi_physics_make_wheels
    values = {**options, **({} if mass is None else {"mass": mass})}
    around: Any = {"object": chassis, "active_object": chassis}
    around |= {"selected_objects": chosen, "selected_editable_objects": chosen}
    with cast(Any, bpy.context).temp_override(**around):
        if len(chosen) < 2 or make(**values) != {"FINISHED"}:
            why = "it must be no wheel or thruster, and its wheels no bodies, vehicles or cameras"
            raise ValueError(f"{chassis.name} becomes no vehicle: {why}")
    children = children_of_all()
    vehicle = chassis
    if not groups.read(chassis).use_vehicle_body:
        vehicle = starting_values.vehicle_above(chassis)
    return starting_values.parts_below(vehicle, "wheel", children)


def check_scene(scene: Any = None) -> Report:
    """Check a scene; the `issues` of the report name objects.

    Args:
        scene: the one that is shown unless given.
    """
    from .authoring.following import refitting
    from .preview.stage import unseen
    from .scene import scene_check

    scene = scene or groups.current_scene()
    unseen.place(scene)
    return scene_check.check(scene, refitting.note_outdated)


def export_gltf(
    path: str | Path,
    *,
    target: str | None = None,
    selected: bool = False,
    allow_errors: bool = False,
) -> Report:
    """Write what is shown as .glb or .gltf.

    Args:
        target: SPECIFICATION or one of `engines.TARGETS`; what the scene says unless given.
        selected: only the selected objects.
        allow_errors: write it whatever is wrong; else nothing is written where there are errors.

    Raises:
        ValueError: a word is none of those, or the name ends otherwise.
        RuntimeError: nothing was written; the message says why.
    """
    formats = {".glb": "GLB", ".gltf": "GLTF_SEPARATE"}
    suffix = Path(path).suffix.lower()
    _choose("the end of the name", suffix, tuple(formats))
    settings = groups.of_scene(groups.current_scene()).export
    before = settings.target, settings.write_anyway
    if target is not None:
        _choose("target", target, WORDS.values())
        settings.target = target
    settings.write_anyway = settings.write_anyway or allow_errors
    try:
        write = cast(Any, bpy.ops.export_scene).gltf
        write(filepath=str(path), export_format=formats[suffix], use_selection=selected)
    finally:
        settings.target, settings.write_anyway = before
    return _reported("EXPORT")


def import_gltf(path: str | Path) -> Report:
    """Read a .glb or .gltf file into the scene that is shown.

    Raises:
        RuntimeError: it cannot be read; the message says why.
    """
    read = cast(Any, bpy.ops.import_scene).gltf
    if not Path(path).is_file():
        raise RuntimeError(f"there is no file {path}")
    read(filepath=str(path))
    return _reported("IMPORT")


def simulate(
    seconds: float = 5.0, *, fps: int = 60, substeps: int = 4, scene: Any = None
) -> Recording:
    """Play a scene and record its bodies in glTF's axes; the scene stays as it was.

    Args:
        scene: the one that is shown unless given.

    Raises:
        ValueError: there are no bodies, or a number is not above 0.
        RuntimeError: the preview failed.
    """
    from .preview import recorder

    for name, value in (("seconds", seconds), ("fps", fps), ("substeps", substeps)):
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} is {value}, and must be above 0")
    options = recorder.options(fps, substeps, seconds)
    return recorder.record(scene or groups.current_scene(), options, seconds).recording


def _start(objects: Iterable[Any], part: str, shape: str) -> None:
    from .authoring.starting_shapes import start_shapes

    chosen = _editable(objects)
    _choose("shape", shape, _SHAPES)
    start_shapes(_depsgraph(), chosen, part, shape)
    for obj in chosen:
        obj.update_tag(refresh={"OBJECT", "DATA"})


def _depsgraph() -> Any:
    return cast(Any, bpy.context).evaluated_depsgraph_get()


def _editable(objects: Iterable[Any]) -> list[Any]:
    chosen = list(dict.fromkeys(objects))
    for obj in chosen:
        if not can_change(obj):
            raise ValueError(f"{obj.name} is linked from another file and cannot be changed")
    return chosen


def _choose(what: str, word: str, words: Collection[str]) -> None:
    if word not in words:
        raise ValueError(f"{what} is {word!r}, and must be one of {', '.join(words)}")


def _reported(kind: reports.Kind) -> Report:
    report = reports.latest(kind)
    if report is None:
        raise RuntimeError("the add-on took no part: api.enable() enables it")
    if report.failed:
        raise RuntimeError(report.failure)
    return report
