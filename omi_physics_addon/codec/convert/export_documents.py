"""The documents that OMI and KHR are written from when a scene is exported.

A scene that came from a file of the same family is written as it is; any other is converted, and
what no family can say as it stands (planes, infinite masses) is replaced.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from ...issues import Issues
from ...model.document import PhysicsDocument
from ...model.shapes import Plane
from ..values.node_tree import LaterMatrices, Matrix, Tree, compose
from . import anchors, family_conversion, infinite_masses
from .shape_conversion import MeasureMesh


def for_families(
    document: PhysicsDocument,
    tree: Tree,
    origin: str,
    family: str,
    issues: Issues,
    measure_mesh: MeasureMesh | None = None,
) -> tuple[PhysicsDocument, PhysicsDocument | None]:
    """The document to write, and another for KHR where the two families need different ones.

    Args:
        origin: family of the file the scene came from: OMI, KHR, BOTH, or NONE.
        family: what is written: OMI, KHR or BOTH.
        measure_mesh: see `shape_conversion.estimate`.
    """
    first, for_khr = _written(document, tree, origin, family, issues, measure_mesh)
    if family == "OMI":
        return first, for_khr
    if for_khr is None:
        return anchors.marked(first, tree), None
    return first, anchors.marked(for_khr, tree)


def _written(
    document: PhysicsDocument,
    tree: Tree,
    origin: str,
    family: str,
    issues: Issues,
    measure_mesh: MeasureMesh | None,
) -> tuple[PhysicsDocument, PhysicsDocument | None]:
    write = functools.partial(_documents, tree=tree, issues=issues, measure_mesh=measure_mesh)
    if not infinite_masses.is_in(document):
        return write(document, origin, family)
    if origin == "KHR":
        return write(infinite_masses.as_zeros(document), origin, family)
    if family == "KHR":
        for_khr, _ = write(document, origin, family)
        return infinite_masses.as_zeros(for_khr), None
    if family == "OMI":
        return write(infinite_masses.as_large(document, tree, issues), origin, family)
    for_omi, for_khr = write(document, origin, family)
    return infinite_masses.as_large(for_omi, tree, issues), infinite_masses.as_zeros(
        for_khr or for_omi
    )


def _documents(
    document: PhysicsDocument,
    origin: str,
    family: str,
    *,
    tree: Tree,
    issues: Issues,
    measure_mesh: MeasureMesh | None,
) -> tuple[PhysicsDocument, PhysicsDocument | None]:
    has_planes = any(isinstance(shape.geometry, Plane) for shape in document.shapes)
    for_khr = document if family == "BOTH" else None
    if origin in (family, "BOTH"):
        if family == "KHR" or not has_planes:
            return document, None
        return family_conversion.without_planes(document, tree, issues), for_khr
    if origin == "KHR":
        if family == "OMI":
            return family_conversion.to_omi(document, tree, issues, measure_mesh=measure_mesh), None
        shared = family_conversion.for_both(document, tree, issues)
        return family_conversion.to_omi(shared, tree, issues, measure_mesh=measure_mesh), shared
    if family == "KHR":
        return family_conversion.to_khr(document, tree, issues), None
    if has_planes:
        return family_conversion.to_omi(document, tree, issues, measure_mesh=measure_mesh), for_khr
    return document, family_conversion.to_khr(document, tree, issues) if family == "BOTH" else None


def tree_of(nodes: Sequence[Any], parents: Sequence[int], *, settled: bool = False) -> Tree:
    """The tree of nodes of Blender's exporter, each with the index of its parent or -1.

    Args:
        settled: nobody moves the nodes any more, so that their matrices can wait.
    """
    children: list[list[int]] = [[] for _ in nodes]
    for i, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(i)
    sized = [i for i, node in enumerate(nodes) if node.scale is not None or node.matrix]
    later = LaterMatrices(len(nodes), lambda i: _matrix(nodes[i]))
    matrices = later if settled else [_matrix(node) for node in nodes]
    return Tree(children, matrices, sized=frozenset(sized))


def _matrix(node: Any) -> Matrix:
    if node.matrix:
        return tuple(node.matrix)
    return compose(node.translation, node.rotation, node.scale)
