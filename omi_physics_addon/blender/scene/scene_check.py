"""Checks a scene without an export: what reading and writing it finds, and the rules over all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import bpy
from mathutils import Matrix

from ...codec.dialects import Family, Writer
from ...codec.rules import all_rules
from ...codec.rules.subject import Solids, Subject
from ...issue_codes import CATALOGUE
from ...issues import Issue, Issues, node_of
from ..base import groups, reports
from ..base.animated import has_keyed_place
from ..base.reports import Report
from ..properties import names
from . import (
    derived_masses,
    newcomers,
    report_age,
    scene_document,
    scene_rules,
    shape_scales,
)
from .scene_document import SceneDocument

_NODE: Final = re.compile(r"\bnode (\d+)\b")


def check(scene: Any, more: Callable[[list[Any], Issues], None] | None = None) -> Report:
    """Check all objects of a scene, and of the collections it instances.

    Args:
        more: notes what else is wrong with objects, by their names.
    """
    objects = list(names.objects_of(scene))
    found = find(scene, objects)
    if more is not None:
        more(objects, found.issues)
    scene_rules.check_unused(scene, lambda: objects, found.issues, ())
    scene_rules.check_gravity(scene, found.reader, objects, groups.of_scene(scene).export.target)
    tell_scaled_instances(scene, objects, found.issues)
    report = report_age.start("CHECK", scene, bpy.data.filepath)
    report.counts = reports.count(found.document)
    for issue in once(found):
        report.issues.add(CATALOGUE[issue.code], issue.pointer, issue.message, issue.severity)
    report.point()
    return report


def tell_scaled_instances(
    scene: Any, objects: Iterable[Any], issues: Issues, *, is_written: bool = False
) -> None:
    """Tell at instances of collections what their scales do to shapes in them.

    Args:
        objects: those that may be instances of collections.
        issues: what is told of the objects inside for that is taken out.
        is_written: whether these are of what an export writes.
    """
    shape_scales.move_to_instances(
        issues,
        objects,
        lambda inside, moved: once(find(scene, inside, near=True, moved=moved)),
        is_written=is_written,
    )


def find(
    scene: Any, objects: Iterable[Any], *, near: bool = False, moved: Matrix | None = None
) -> SceneDocument:
    """Read some objects of a scene, and note in the document what is wrong with them.

    Args:
        near: leave out what needs the numbers of meshes, or all bodies.
        moved: what moves them all in the world, as an instance does.
    """
    newcomers.catch_up()
    chosen = sorted(objects, key=lambda obj: obj.name)
    found = scene_document.read(scene, chosen, weigh=not near, moved=moved)
    settings = groups.of_scene(scene)
    families = groups.families_written(settings.export)
    document, for_khr = found.written(settings.origin, groups.family_name(families))
    writer = Writer(
        found.issues,
        scene_document.options_of(settings.export, families),
        place=found.name_of,
        place_of_shape=found.reader.user_of_shape,
    )
    writer.document(document, for_khr=for_khr)  # Into nothing, for the issues that this finds.
    subject = _subject(found, families, settings.export.target)
    if near:
        subject.solids = Solids()
    all_rules.check(subject)
    if not near:
        _check_start(found, subject)
    scene_rules.check_compounds(found.document, found.name_of, found.issues)
    scene_rules.check_visible_triggers(((o, groups.read(o)) for o in chosen), found.issues)
    return found


def _subject(found: SceneDocument, families: tuple[Family, ...], target: str) -> Subject:
    document = found.document
    objects = enumerate(found.objects)
    return Subject(
        document,
        found.tree,
        found.issues,
        place=found.name_of,
        entry=lambda name, k: getattr(document, name)[k].name,
        families=families,
        target=target,
        animated={i for i, obj in objects if has_keyed_place(obj)},
        triangles=found.meshes.count,
        solids=Solids(found.meshes.triangles, derived_masses.hull_of, found.meshes.is_part),
    )


def _check_start(found: SceneDocument, subject: Subject) -> None:
    """Look at how the bodies begin."""
    from ...simulation import file_world
    from ...simulation.start import start_check

    if not subject.having("motion", "gravity"):
        return
    engine = "KHR" if subject.families == ("KHR",) else "OMI"
    world = file_world.world_of(
        found.document, found.tree, found.meshes.triangles, engine=engine, animated=subject.animated
    )
    start_check.check(world, found.document, subject.place, found.issues)


def once(found: SceneDocument) -> Iterator[Issue]:
    """The issues with names in place of pointers to nodes; each once, errors first."""
    seen: set[tuple[str, str]] = set()
    for issue in sorted(found.issues, key=reports.weight):
        at = node_of(issue.pointer)
        place = issue.pointer if at is None else found.name_of(at)
        if (issue.code, place) not in seen:
            seen.add((issue.code, place))
            message = _NODE.sub(lambda number: found.name_of(int(number[1])), issue.message)
            yield Issue(issue.code, place, message, issue.severity)
