"""Hypothesis strategies for whole documents of all extensions, in the families' own terms."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from hypothesis import strategies as st

from omi_physics_addon.codec.convert.merging import indices, move
from omi_physics_addon.codec.values import carried
from omi_physics_addon.model.bodies import (
    IDENTITY,
    ZERO,
    Collider,
    CollisionFilter,
    Motion,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_addon.model.document import NodePhysics, PhysicsDocument
from omi_physics_addon.model.fields import (
    AxisIndex,
    FilterIndex,
    HoverThrusterIndex,
    JointIndex,
    MaterialIndex,
    MeshIndex,
    NodeIndex,
    ShapeIndex,
    ThrusterIndex,
    WheelIndex,
)
from omi_physics_addon.model.gravity import (
    DirectionalGravity,
    DiscGravity,
    GravityVolume,
    LineGravity,
    OtherGravity,
    PointGravity,
    ShapedGravity,
    TorusGravity,
    WorldGravity,
)
from omi_physics_addon.model.joints import Joint, JointDrive, JointLimit, JointSettings
from omi_physics_addon.model.seats import Seat
from omi_physics_addon.model.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherGeometry,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_addon.model.vehicles import (
    HoverThruster,
    HoverThrusterPart,
    Thruster,
    ThrusterPart,
    VehicleBody,
    Wheel,
    WheelPart,
)

Form = Literal["OMI", "KHR", "BOTH"]
FORMS: tuple[Form, ...] = ("OMI", "KHR", "BOTH")
FAMILIES: dict[Form, tuple[Any, ...]] = {"OMI": ("OMI",), "KHR": ("KHR",), "BOTH": ("OMI", "KHR")}
NODES = 5

# Index types → attribute of the document that they point into.
LISTS: dict[Any, str] = {
    ShapeIndex: "shapes",
    MaterialIndex: "physics_materials",
    FilterIndex: "collision_filters",
    JointIndex: "joint_settings",
    WheelIndex: "wheels",
    ThrusterIndex: "thrusters",
    HoverThrusterIndex: "hover_thrusters",
}
# Unit vectors and quaternions of few decimals.
DIRECTIONS = [
    (0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 0.6, 0.8), (-0.8, 0.0, 0.6),
]  # fmt: skip
ROTATIONS = [
    IDENTITY, (1.0, 0.0, 0.0, 0.0), (0.6, 0.0, 0.0, 0.8), (0.0, -0.28, 0.96, 0.0),
    (0.5, 0.5, -0.5, 0.5), (0.1, 0.7, 0.5, 0.5),
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Values:
    """What the fields of records are drawn from."""

    numbers: st.SearchStrategy[float]
    positive: st.SearchStrategy[float]
    fractions: st.SearchStrategy[float]
    texts: st.SearchStrategy[str]
    carried: st.SearchStrategy[str]
    whole: st.SearchStrategy[int]
    directions: st.SearchStrategy[Any]
    rotations: st.SearchStrategy[Any]

    @functools.cached_property
    def sizes(self) -> st.SearchStrategy[float]:
        """Zero or more."""
        return st.just(0.0) | self.positive

    @functools.cached_property
    def vectors(self) -> st.SearchStrategy[Any]:
        """Three of any numbers."""
        return st.tuples(self.numbers, self.numbers, self.numbers)

    @functools.cached_property
    def extents(self) -> st.SearchStrategy[Any]:
        """Three numbers above zero."""
        return st.tuples(self.positive, self.positive, self.positive)


def _carried(
    texts: st.SearchStrategy[str], numbers: st.SearchStrategy[Any]
) -> st.SearchStrategy[str]:
    """The text of members that no specification will ever name; often none."""
    values = st.booleans() | numbers | texts | st.lists(numbers | texts, max_size=2)
    values |= st.dictionaries(texts, values, min_size=1, max_size=2)
    keys = texts.map("vendor/~{}".format) | st.sampled_from(["extras", "extensions"])
    members = st.dictionaries(keys, values, min_size=1, max_size=2)
    return st.just("") | members.map(carried.pack)


_WIDE = st.floats(allow_nan=False, allow_infinity=False)
_LETTERS = st.text(max_size=8)
_FEW = [0.0, 1.0, 5e-324, 1e-308, 1e-160, 1e-30, 1e30, 1e80, 1e154, 1e160, 1e300, 1e308]
# What overflows or vanishes in products, sums and roots.
HUGE = Values(
    numbers=st.sampled_from([*_FEW, *(-each for each in _FEW)]),
    positive=st.sampled_from(_FEW[1:]),
    fractions=st.floats(0.0, 1.0),
    texts=st.just("a"),
    carried=st.just(""),
    whole=st.integers(-2, 2),
    directions=st.sampled_from(DIRECTIONS),
    rotations=st.sampled_from(ROTATIONS),
)
# Whatever JSON can hold.
ANY = Values(
    numbers=_WIDE,
    positive=st.floats(min_value=0.0, exclude_min=True, allow_infinity=False),
    fractions=st.floats(-1.0, 1.0),
    texts=_LETTERS,
    carried=_carried(_LETTERS, _WIDE),
    whole=st.integers(-(2**53), 2**53),
    directions=st.sampled_from(DIRECTIONS),
    rotations=st.sampled_from(ROTATIONS),
)
_SHORT = st.integers(-99999, 99999).map(lambda hundredths: hundredths / 100.0)
_NAMES = st.text("abz /~.\"\\äß语🚀'", max_size=6)
# What comes out of 32-bit numbers as it went in: few decimals, and texts without zero bytes.
SHORT = Values(
    numbers=_SHORT,
    positive=st.integers(1, 99999).map(lambda hundredths: hundredths / 100.0),
    fractions=st.integers(-100, 100).map(lambda hundredths: hundredths / 100.0),
    texts=_NAMES,
    carried=_carried(_NAMES, _WIDE | st.integers(-(2**70), 2**70)),
    whole=st.integers(-(2**31), 2**31 - 1),
    directions=st.sampled_from(DIRECTIONS),
    rotations=st.sampled_from(ROTATIONS),
)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


@functools.cache
def _index(kind: Callable[[int], Any], count: int) -> st.SearchStrategy[Any]:
    """Nothing, or an index into a list."""
    return st.sampled_from([None, *map(kind, range(count))])


@functools.cache
def _sure(kind: Callable[[int], Any], count: int) -> st.SearchStrategy[Any]:
    return st.sampled_from([*map(kind, range(count))])


@functools.cache
def motions(values: Values, form: Form) -> st.SearchStrategy[Motion]:
    """What OMI leaves out has a value; what KHR leaves out is the engine's. No faults."""
    by_engine = st.none() if form == "KHR" else st.nothing()
    inertia = st.tuples(values.extents, values.rotations)
    words = ["kinematic", "dynamic", *([] if form == "KHR" else ["static"])]
    return st.tuples(
        st.builds(
            Motion,
            type=st.sampled_from(words),
            mass=by_engine | values.positive,
            center_of_mass=by_engine | values.vectors,
            linear_velocity=st.just(ZERO) | values.vectors,
            angular_velocity=st.just(ZERO) | values.vectors,
            gravity_factor=values.numbers,
            carried=values.carried,
        ),
        st.none() | inertia,
    ).map(lambda pair: _with_inertia(*pair))


def _with_inertia(motion: Motion, inertia: Any) -> Motion:
    if inertia is None:
        return motion
    diagonal, orientation = inertia
    return dataclasses.replace(motion, inertia_diagonal=diagonal, inertia_orientation=orientation)


@functools.cache
def shapes(
    values: Values, form: Form, meshes: int, *, upright: bool = True
) -> st.SearchStrategy[Shape]:
    """Shapes of all types of a family; KHR keeps what travels with a mesh in one place."""
    text = values.carried
    radii = st.tuples(values.sizes, values.positive)
    radii |= st.tuples(values.positive, values.sizes)

    def round_(kind: type) -> st.SearchStrategy[Any]:
        return st.builds(
            lambda height, ends, carried: kind(
                height=height, radius_bottom=ends[0], radius_top=ends[1], carried=carried
            ),
            values.positive,
            radii,
            text,
        )

    found = st.builds(Box, size=values.extents, carried=text)
    found |= st.builds(Sphere, radius=values.positive, carried=text)
    found |= st.just(OtherGeometry(type="blob"))
    if upright:
        found |= round_(Capsule) | round_(Cylinder)
        if form == "KHR":
            found |= st.builds(
                Plane,
                size_x=_maybe(values.positive),
                size_z=_maybe(values.positive),
                double_sided=st.booleans(),
                carried=text,
            )
    if meshes:
        mesh, inner = _sure(MeshIndex, meshes), text if form == "OMI" else st.just("")
        found |= st.builds(Convex, mesh=mesh, carried=inner)
        found |= st.builds(Trimesh, mesh=mesh, carried=inner)
    return st.builds(Shape, geometry=found, name=values.texts, carried=text)


@functools.cache
def materials(values: Values) -> st.SearchStrategy[PhysicsMaterial]:
    words = st.sampled_from(["average", "minimum", "maximum", "multiply"])
    return st.builds(
        PhysicsMaterial,
        static_friction=values.sizes,
        dynamic_friction=values.sizes,
        restitution=values.sizes,
        friction_combine=words,
        restitution_combine=words,
        name=values.texts,
        carried=values.carried,
    )


@functools.cache
def filters(values: Values) -> st.SearchStrategy[CollisionFilter]:
    systems = st.lists(values.texts, max_size=3).map(tuple)
    only = st.sampled_from(["collide_with_systems", "not_collide_with_systems"])
    return st.tuples(
        st.builds(
            CollisionFilter, collision_systems=systems, name=values.texts, carried=values.carried
        ),
        only,
        systems,
    ).map(lambda parts: dataclasses.replace(parts[0], **{parts[1]: parts[2]}))


@functools.cache
def limits(values: Values) -> st.SearchStrategy[JointLimit]:
    axes = st.lists(st.integers(0, 2).map(AxisIndex), min_size=1, max_size=3, unique=True).map(
        lambda found: tuple(sorted(found))
    )
    kinds = st.sampled_from(["linear_axes", "angular_axes"])
    ends: st.SearchStrategy[Any] = st.tuples(values.numbers, values.numbers).map(sorted)
    ends |= st.tuples(values.numbers, st.none()) | st.tuples(st.none(), values.numbers)
    ends |= values.sizes.map(lambda end: (-end, end))
    return st.builds(
        lambda kind, axes, ends, stiffness, damping, carried: JointLimit(
            **{kind: axes},
            min=ends[0],
            max=ends[1],
            stiffness=stiffness,
            damping=damping,
            carried=carried,
        ),
        kinds,
        axes,
        ends,
        _maybe(values.sizes),
        values.sizes,
        values.carried,
    )


@functools.cache
def drives(values: Values) -> st.SearchStrategy[JointDrive]:
    return st.builds(
        JointDrive,
        type=st.sampled_from(["linear", "angular", "strange"]),
        mode=st.sampled_from(["force", "acceleration", "odd"]),
        axis=st.integers(0, 2).map(AxisIndex),
        max_force=_maybe(values.sizes),
        position_target=_maybe(values.numbers),
        velocity_target=_maybe(values.numbers),
        stiffness=values.sizes,
        damping=values.sizes,
        carried=values.carried,
    )


@functools.cache
def joint_settings(values: Values) -> st.SearchStrategy[JointSettings]:
    return st.builds(
        JointSettings,
        limits=st.lists(limits(values), max_size=3).map(tuple),
        drives=st.lists(drives(values), max_size=2).map(tuple),
        name=values.texts,
        carried=values.carried,
    )


@functools.cache
def wheels(values: Values, material_count: int) -> st.SearchStrategy[Wheel]:
    return st.builds(
        Wheel,
        braking_force=values.numbers,
        max_propulsion_force=values.sizes,
        max_steering_angle=values.fractions.map(abs),
        physics_material=_index(MaterialIndex, material_count),
        propulsion_force_change_rate=values.numbers,
        radius=values.positive,
        steering_change_rate=values.numbers,
        suspension_damping_compression=values.positive,
        suspension_damping_rebound=values.positive,
        suspension_stiffness=values.positive,
        suspension_travel=values.sizes,
        target_propulsion_force_ratio=values.numbers,
        target_steering_ratio=values.fractions,
        width=values.positive,
        name=values.texts,
        carried=values.carried,
    )


def _gimbals(values: Values) -> st.SearchStrategy[Any]:
    ratio = values.fractions.filter(lambda ratio: abs(ratio) <= 0.7)
    return st.tuples(ratio, ratio)


@functools.cache
def thrusters(values: Values) -> st.SearchStrategy[Thruster]:
    return st.builds(
        Thruster,
        max_force=values.sizes,
        force_change_rate=values.numbers,
        gimbal_change_rate=values.numbers,
        linear_gimbal_adjust_ratio=values.fractions.map(abs),
        max_gimbal=values.fractions.map(abs) | st.just(3.125),
        target_force_ratio=values.sizes,
        target_gimbal_ratio=_gimbals(values),
        name=values.texts,
        carried=values.carried,
    )


@functools.cache
def hover_thrusters(values: Values) -> st.SearchStrategy[HoverThruster]:
    return st.builds(
        HoverThruster,
        max_hover_energy=values.sizes,
        gimbal_change_rate=values.numbers,
        hover_energy_change_rate=values.numbers,
        linear_gimbal_adjust_ratio=values.fractions.map(abs),
        max_gimbal=values.fractions.map(abs) | st.just(3.125),
        target_hover_ratio=values.sizes,
        target_gimbal_ratio=_gimbals(values),
        name=values.texts,
        carried=values.carried,
    )


@functools.cache
def volumes(values: Values, shape_count: int) -> st.SearchStrategy[GravityVolume]:
    common = {"unit_distance": values.sizes, "carried": values.carried}
    points = st.lists(values.vectors, min_size=2, max_size=4).map(tuple)
    fields = st.one_of(
        st.builds(DirectionalGravity, direction=values.directions, carried=values.carried),
        st.builds(PointGravity, **common),
        st.builds(DiscGravity, radius=values.positive, **common),
        st.builds(TorusGravity, radius=values.positive, **common),
        st.builds(LineGravity, points=points, **common),
        st.just(OtherGravity(type="swirl")),
    )
    if shape_count:
        fields |= st.builds(ShapedGravity, shape=_sure(ShapeIndex, shape_count), **common)
    return st.builds(
        GravityVolume,
        field=fields,
        gravity=values.numbers,
        priority=values.whole,
        replace=st.booleans(),
        stop=st.booleans(),
        carried=values.carried,
    )


@functools.cache
def worlds(values: Values) -> st.SearchStrategy[WorldGravity | None]:
    return _maybe(
        st.builds(
            WorldGravity,
            gravity=values.numbers,
            direction=values.directions,
            carried=values.carried,
        )
    )


@functools.cache
def vehicle_bodies(values: Values) -> st.SearchStrategy[VehicleBody]:
    sizes = st.tuples(values.sizes, values.sizes, values.sizes)
    return st.builds(
        VehicleBody,
        angular_activation=values.vectors,
        linear_activation=values.vectors,
        gyro_torque=sizes,
        max_speed=values.numbers,
        pilot_seat=_index(NodeIndex, NODES),
        angular_dampeners=st.booleans(),
        linear_dampeners=st.booleans(),
        use_throttle=st.booleans(),
        carried=values.carried,
    )


@st.composite
def documents(
    draw: st.DrawFn, values: Values, form: Form, *, meshes: int = 2, upright: bool = True
) -> PhysicsDocument:
    """A document of which every part is as the families want it.

    Args:
        form: what can be said; BOTH is what OMI and KHR say alike, and what only OMI does.
        upright: with shapes that have a direction of their own.
    """
    has_omi = form != "KHR"

    def some(strategy: st.SearchStrategy[Any], most: int = 2) -> list[Any]:
        return draw(_some(strategy, most))

    document = PhysicsDocument(
        shapes=some(shapes(values, form, meshes, upright=upright), 3),
        physics_materials=some(materials(values)),
        collision_filters=some(filters(values)),
        joint_settings=some(joint_settings(values)),
    )
    if has_omi:
        document.wheels = some(wheels(values, len(document.physics_materials)))
        document.thrusters = some(thrusters(values))
        document.hover_thrusters = some(hover_thrusters(values))
    document.world_gravity = draw(worlds(values))
    counts = tuple(len(getattr(document, name)) for name in LISTS.values())
    document.nodes = dict(sorted(draw(_nodes(values, form, counts)).items()))
    document.carried = _document_carried(draw, values, form, document)
    return document


@functools.cache
def _some(strategy: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(strategy, max_size=most, unique=True)


@functools.cache
def _nodes(
    values: Values, form: Form, counts: tuple[int, ...]
) -> st.SearchStrategy[dict[int, NodePhysics]]:
    """The physics of nodes where the lists of the document, as in LISTS, have these lengths."""
    has_omi, (shape_count, material_count, filter_count, joint_count, *_) = form != "KHR", counts
    shape = _index(ShapeIndex, shape_count) if has_omi else _sure(ShapeIndex, shape_count)
    filter_ = _index(FilterIndex, filter_count)
    colliders = st.builds(
        Collider,
        shape=shape,
        physics_material=_index(MaterialIndex, material_count),
        collision_filter=filter_,
        carried=values.carried,
    )
    listed = st.lists(st.integers(0, NODES - 1).map(NodeIndex), min_size=1, unique=True)
    triggers = st.builds(Trigger, nodes=listed.map(tuple), carried=values.carried)
    if form == "OMI":
        triggers |= st.builds(Trigger, collision_filter=filter_, carried=values.carried)
    if shape_count:
        triggers |= st.builds(
            Trigger,
            shape=_sure(ShapeIndex, shape_count),
            collision_filter=filter_,
            carried=values.carried,
        )
    parts: dict[str, st.SearchStrategy[Any]] = {
        "motion": motions(values, form),
        "trigger": triggers,
        "seat": st.builds(
            Seat,
            back=values.vectors,
            foot=values.vectors,
            knee=values.vectors,
            angle=values.numbers,
            carried=values.carried,
        ),
    }
    if has_omi or shape_count:
        parts["collider"] = colliders
    if joint_count:
        parts["joint"] = st.builds(
            Joint,
            joint=_sure(JointIndex, joint_count),
            connected_node=_sure(NodeIndex, NODES),
            enable_collision=st.booleans(),
            carried=values.carried,
        )
    if has_omi:
        parts |= _omi_parts(values, dict(zip(LISTS, counts, strict=True)))
    name = "OMI_physics_body" if has_omi else "KHR_physics_rigid_bodies"
    texts = values.carried.map(lambda text: ((name, text),) if text else ())
    found = st.fixed_dictionaries({}, optional={**parts, "carried": texts}).map(
        lambda members: NodePhysics(**members)
    )
    return st.dictionaries(st.integers(0, NODES - 1), found.filter(bool), max_size=NODES)


def _omi_parts(values: Values, counts: dict[Any, int]) -> dict[str, st.SearchStrategy[Any]]:
    parts: dict[str, st.SearchStrategy[Any]] = {
        "gravity": volumes(values, counts[ShapeIndex]),
        "vehicle_body": vehicle_bodies(values),
    }
    for attribute, record, kind in (
        ("wheel", WheelPart, WheelIndex),
        ("thruster", ThrusterPart, ThrusterIndex),
        ("hover_thruster", HoverThrusterPart, HoverThrusterIndex),
    ):
        count = counts[kind]
        if count:
            parts[attribute] = st.builds(
                record, **{attribute: _sure(kind, count)}, carried=values.carried
            )
    return parts


def _document_carried(
    draw: st.DrawFn, values: Values, form: Form, document: PhysicsDocument
) -> dict[str, str]:
    names = ["OMI_physics_body", "OMI_physics_joint"] if form != "KHR" else []
    if form != "KHR" and document.shapes:
        names.append("OMI_physics_shape")
    if form != "OMI":
        names.append("KHR_physics_rigid_bodies")
        if has_listed(document):
            names.append("KHR_implicit_shapes")
    return {name: text for name in sorted(names) if (text := draw(values.carried))}


def has_listed(document: PhysicsDocument) -> bool:
    """Whether KHR lists a shape; without one it has no object for what travels beside them."""
    return not all(isinstance(shape.geometry, (Convex, Trimesh)) for shape in document.shapes)


def in_order(
    document: PhysicsDocument, kinds: Iterable[Any] = tuple(LISTS), *, only_used: bool = True
) -> PhysicsDocument:
    """The same with its lists in the order in which the nodes use them, each entry once."""
    moves: dict[Any, dict[int, int | None]] = {}
    changes: dict[str, Any] = {}
    for kind in kinds:
        items = getattr(document, LISTS[kind])
        used = [at for physics in document.nodes.values() for at in _uses(physics, kind, document)]
        order = list(dict.fromkeys(used if only_used else [*used, *range(len(items))]))
        unique = list(dict.fromkeys(items[at] for at in order))
        moves[kind] = {at: unique.index(items[at]) for at in order}
        changes[LISTS[kind]] = unique
    changes["nodes"] = {i: move(physics, moves) for i, physics in document.nodes.items()}
    if MaterialIndex in moves:
        changes["wheels"] = [
            _moved_material(wheel, moves[MaterialIndex])
            for wheel in changes.get("wheels", document.wheels)
        ]
    return dataclasses.replace(document, **changes)


def _uses(physics: NodePhysics, kind: Any, document: PhysicsDocument) -> Iterable[int]:
    yield from indices(physics, kind)
    if kind is MaterialIndex and physics.wheel is not None and physics.wheel.wheel is not None:
        material = document.wheels[physics.wheel.wheel].physics_material
        if material is not None:
            yield material


def _moved_material(wheel: Wheel, moves: dict[int, int | None]) -> Wheel:
    old = wheel.physics_material
    new = None if old is None else moves[old]
    return dataclasses.replace(wheel, physics_material=None if new is None else MaterialIndex(new))


def as_khr_reads(document: PhysicsDocument) -> PhysicsDocument:
    """The same with its shapes in the order of KHR: those of meshes last, as nodes use them."""
    listed = [
        i
        for i, shape in enumerate(document.shapes)
        if not isinstance(shape.geometry, (Convex, Trimesh))
    ]
    used = [at for physics in document.nodes.values() for at in indices(physics, ShapeIndex)]
    order = list(dict.fromkeys([*listed, *(at for at in used if at not in listed)]))
    moves: dict[Any, Any] = {ShapeIndex: {at: i for i, at in enumerate(order)}}
    return dataclasses.replace(
        document,
        shapes=[document.shapes[at] for at in order],
        nodes={i: move(physics, moves) for i, physics in document.nodes.items()},
    )
