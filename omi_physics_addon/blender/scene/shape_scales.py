"""Tells of scales that shapes do not follow: uneven ones of round shapes, those of instances.

The objects in an instance are not scaled themselves, so what is told of their nodes belongs to the
instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from mathutils import Matrix

from ...axes import Axes
from ...codec.values.node_tree import scale_of
from ...geometry.scaled_shapes import exact
from ...issue_codes import Code
from ...issues import Issue, Issues
from ...model.shapes import Capsule, Cylinder, Geometry, Sphere

ROUND: Final = (Sphere, Capsule, Cylinder)

_UNEVEN: Final = (
    "its scale is uneven, of which engines make round shapes of different sizes: "
    "apply the scale and fit the shape again, or use a convex shape"
)
# What the scale of an instance does to the shapes in it, the worst first.
_DONE: Final[dict[str, str]] = {
    Code.SHAPE_SCALED_TO_NOTHING.value: "leaves the shapes of {} no volume",
    Code.SHAPE_MIRRORED.value: "mirrors the shapes of {}, and engines may place them wrongly",
    Code.ROUND_SHAPE_SCALED_UNEVENLY.value: (
        "makes ellipsoids of the round shapes of {}, which no shape can be"
    ),
    Code.SHAPE_SCALED.value: "scales the shapes of {}, which importers of OMI may ignore",
    Code.SHAPE_SCALED_IN_KHR.value: "scales the shapes of {}, which some importers ignore",
}
_NAMED: Final = 3  # Objects of an instance that are named.
Reading = Callable[[list[Any], Matrix], Iterable[Issue]]


def tell_uneven(geometry: Geometry, matrix: Matrix, axes: Axes, name: str, issues: Issues) -> None:
    """Tell of a sphere, capsule or cylinder that stops being one on a node.

    Args:
        matrix: of the node in the world, in Blender's axes.
    """
    if not isinstance(geometry, ROUND):
        return
    if matrix.to_3x3().is_orthogonal:  # Nothing is scaled; asking so costs next to nothing.
        return
    columns: Any = matrix.transposed()
    scale = scale_of(tuple(number for column in columns for number in column))
    if scale is None or exact(geometry, axes.size_to_gltf(scale)) is None:
        issues.add(Code.ROUND_SHAPE_SCALED_UNEVENLY, name, _UNEVEN)


def move_to_instances(
    issues: Issues, objects: Iterable[Any], read: Reading, *, is_written: bool
) -> None:
    """Tell at instances what is told of the objects in them, where only the instances are scaled.

    Args:
        issues: what is told already; what belongs to instances is taken out.
        objects: those that may be instances of collections.
        read: what is wrong with some objects that a matrix moves, each by its name.
        is_written: whether what is told already is of the nodes in instances, too, so that there
            is nothing to tell of what it leaves out.
    """
    already = _told(issues)
    found: dict[tuple[Any, ...], dict[str, list[str]]] = {}
    unscaled: dict[Any, set[tuple[str, str]]] = {}  # By collection.
    moved: set[tuple[str, str]] = set()
    for obj in filter(_is_scaled, dict.fromkeys(objects)):
        inside, linear = obj.instance_collection, obj.matrix_world.to_3x3()
        key = (inside, *(round(number, 6) for row in linear for number in row))
        if key not in found:
            found[key] = told = {}
            members = sorted(inside.all_objects, key=lambda one: one.name)
            if inside not in unscaled:
                unscaled[inside] = _told(read(members, Matrix()))
            there = _told(read(members, linear.to_4x4())) - unscaled[inside]
            for code, name in there & already if is_written else there:
                told.setdefault(code, []).append(name)
        moved |= {(code, name) for code, names in found[key].items() for name in names}
        code = next((code for code in _DONE if code in found[key]), None)
        if code is not None:
            issues.add(Code.INSTANCE_SCALED, obj.name, _why(code, sorted(found[key][code])))
    issues.found[:] = [one for one in issues.found if (one.code, one.pointer) not in moved]


def _told(issues: Iterable[Issue]) -> set[tuple[str, str]]:
    return {(issue.code, issue.pointer) for issue in issues if issue.code in _DONE}


def _is_scaled(obj: Any) -> bool:
    """Whether an object shows a collection in another size or mirrored."""
    if obj.instance_collection is None or obj.instance_type != "COLLECTION":
        return False
    linear = obj.matrix_world.to_3x3()
    return not linear.is_orthogonal or linear.is_negative


def _why(code: str, names: list[str]) -> str:
    told = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        told += f" and {len(names) - _NAMED} more"
    return (
        f"the scale of the instance {_DONE[code].format(told)}; set its scale to 1, or use "
        "Object > Apply > Make Instances Real, then Bake Scale"
    )
