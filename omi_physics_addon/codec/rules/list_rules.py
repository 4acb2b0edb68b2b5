"""Rules about the materials, filters and settings that a document shares."""

from __future__ import annotations

from typing import Final

from ...issue_codes import Code
from ...model.bodies import CollisionFilter, PhysicsMaterial
from ...model.filters import systems_of
from ...model.gravity import ShapedGravity
from ...model.shapes import Shape
from .subject import Subject

_MOST_SYSTEMS: Final = 32  # Bits that engines have for layers.
# The lists whose entries may be unused, the parts of nodes that name entries, and where.
_UNUSED: Final[tuple[tuple[str, tuple[str, ...], str, Code], ...]] = (
    ("physics_materials", ("collider",), "physics_material", Code.SURFACE_ENTRY_UNUSED),
    ("collision_filters", ("collider", "trigger"), "collision_filter", Code.SURFACE_ENTRY_UNUSED),
    ("joint_settings", ("joint",), "joint", Code.JOINT_SETTINGS_UNUSED),
)


def check(subject: Subject) -> None:
    """Look at every entry, and at the names of systems as a whole."""
    document = subject.document
    for k, material in enumerate(document.physics_materials):
        _check_material(subject, subject.entry("physics_materials", k), material)
    known = {name for row in document.collision_filters for name in row.collision_systems}
    for k, row in enumerate(document.collision_filters):
        _check_filter(subject, subject.entry("collision_filters", k), row, known)
    _check_systems(subject)
    _check_shapes(subject)
    for name, parts, attribute, code in _UNUSED:
        entries = getattr(document, name)
        users = [getattr(at, part) for part in parts if entries for _, at in subject.having(part)]
        if name == "physics_materials":
            users += document.wheels
        used = {getattr(user, attribute) for user in users}
        for k in range(len(entries)):
            if k not in used:
                why = "nothing in the file uses this entry; it can be removed"
                subject.issues.add(code, subject.entry(name, k), why)


def _check_shapes(subject: Subject) -> None:
    """Look for shapes that nothing uses, and for those that another one says already."""
    shapes = subject.document.shapes[: subject.listed_shapes]
    used = {p.shape for _, node in subject.nodes for p in (node.collider, node.trigger) if p}
    for _, node in subject.having("gravity"):
        if node.gravity is not None and isinstance(node.gravity.field, ShapedGravity):
            used.add(node.gravity.field.shape)
    first: dict[Shape, int] = {}
    for k, shape in enumerate(shapes):
        at = subject.entry("shapes", k)
        if k not in used:
            why = "nothing in the file uses this entry; it can be removed"
            subject.issues.add(Code.SHAPE_UNUSED, at, why)
        if first.setdefault(shape, k) != k:
            why = (
                f"the shape is a duplicate of {subject.entry('shapes', first[shape])}; keep "
                "one and use it for both"
            )
            subject.issues.add(Code.SHAPES_ALIKE, at, why)


def _check_material(subject: Subject, at: str, material: PhysicsMaterial) -> None:
    values = (material.static_friction, material.dynamic_friction, material.restitution)
    if max(values) > 1.0:
        why = (
            f"the friction or restitution of {max(values):g} is above 1, which is allowed "
            "but unusual; check the value"
        )
        subject.issues.add(Code.SURFACE_VALUE_ABOVE_ONE, at, why)
    if material.dynamic_friction > material.static_friction:
        why = (
            "dynamic friction is higher than static friction, which real surfaces never "
            "have; swap the two values"
        )
        subject.issues.add(Code.DYNAMIC_FRICTION_ABOVE_STATIC, at, why)


def _check_filter(subject: Subject, at: str, row: CollisionFilter, known: set[str]) -> None:
    named = (*row.collide_with_systems, *row.not_collide_with_systems)
    if not row.collision_systems and not named:
        why = (
            "the collision filter has no systems, so it has no effect; add systems, or "
            "remove the filter"
        )
        subject.issues.add(Code.FILTER_EMPTY, at, why)
    strangers = [name for name in dict.fromkeys(named) if name not in known]
    if strangers:
        text = ", ".join(map(repr, strangers))
        why = (
            f"the filter refers to {text}, but no object is in such a system; check the "
            "name, or remove it"
        )
        subject.issues.add(Code.FILTER_SYSTEM_UNUSED, at, why)


def _check_systems(subject: Subject) -> None:
    rows = subject.document.collision_filters
    systems: dict[str, int] = {}  # Each with the first filter that names it.
    for k, row in enumerate(rows):
        for name in systems_of([row]):
            systems.setdefault(name, k)
    alike: dict[str, str] = {}
    for name, k in systems.items():
        first = alike.setdefault("".join(name.split()).casefold(), name)
        if first != name:
            why = (
                f"{first!r} and {name!r} differ only in case or spaces, so they are two "
                "systems; use one spelling"
            )
            subject.issues.add(Code.SYSTEM_NAMES_ALIKE, subject.entry("collision_filters", k), why)
    if len(systems) > _MOST_SYSTEMS:
        why = (
            f"there are {len(systems)} collision systems, and most engines support 32; merge "
            "some of them"
        )
        subject.issues.add(Code.TOO_MANY_SYSTEMS, subject.entry("collision_filters", 0), why)
