"""What an export or import did, in words: for the report, the Info log and the command line."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import bpy

from ...issue_codes import Code, Severity
from ...issues import Issue, Issues, lines_of, node_around
from ...model.shapes import WORDS, OtherGeometry
from . import groups, ignored

if TYPE_CHECKING:
    from ...model.document import PhysicsDocument

Kind = Literal["EXPORT", "IMPORT", "CHECK"]

_VERBS: Final[dict[Kind, str]] = {"EXPORT": "wrote", "IMPORT": "read", "CHECK": "checked"}
_TITLES: Final[dict[Kind, str]] = {"EXPORT": "Export", "IMPORT": "Import", "CHECK": "Check"}
_FAULTS: Final = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("remark", "remarks"),
}


@dataclass
class Report:
    """The outcome of one export, import or check.

    Attributes:
        counts: how many of what, in the order they are told.
        failed: why nothing was written or read; empty when it went well.
        scene: identity of the scene whose settings counted.
        scene_name: what it was called.
        file: name of the file; empty for none.
        clock: when it began, as hours and minutes.
        is_outdated: physics of the scene was edited since.
        state: what the settings of the scene were, for those who compare.
        objects: identities of the objects that a place of an issue stands for.
        ignored: issues that count for nothing, as all objects they are about ignore them.
        number: another one after every change of the issues.
        is_followed: what was edited since is checked, as far as that needs no other objects.
        is_partial: it has nothing but such checks.
        written_for: the families and the engine that a check is for.
    """

    kind: Kind
    counts: Counter[str] = field(default_factory=Counter[str])
    issues: Issues = field(default_factory=Issues)
    failure: str = ""
    scene: int = 0
    scene_name: str = ""
    file: str = ""
    clock: str = field(default_factory=lambda: time.strftime("%H:%M"))
    is_outdated: bool = False
    state: Any = None
    objects: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    ignored: Issues = field(default_factory=Issues)
    number: int = 0
    is_followed: bool = True
    is_partial: bool = False
    written_for: tuple[str, ...] = ()
    _by_object: tuple[int, dict[int, list[Issue]]] = (-1, {})

    @property
    def failed(self) -> bool:
        """Whether the export or import came to nothing."""
        return bool(self.failure)

    def is_alarming(self) -> bool:
        """Whether there is more to tell than remarks."""
        return self.failed or any(i.severity is not Severity.INFO for i in self.issues)

    def title(self) -> str:
        """Of what it is a report, and from when."""
        what = ("Edits" if self.is_partial else _TITLES[self.kind]) + (
            f" of {self.file}" if self.file else ""
        )
        return ", ".join(part for part in (what, self.scene_name, self.clock) if part)

    def identities(self, issue: Issue) -> tuple[int, ...]:
        """Those of the objects that an issue is about."""
        return () if issue.code in OF_ENTRIES else self.objects.get(issue.pointer, ())

    def of_object(self, uid: int) -> list[Issue]:
        """The issues that count of one object; sorted by objects once after each change."""
        if self._by_object[0] != self.number:
            found: dict[int, list[Issue]] = {}
            for issue in self.issues:
                for about in self.identities(issue):
                    found.setdefault(about, []).append(issue)
            self._by_object = (self.number, found)
        return self._by_object[1].get(uid, [])

    def point(self, targets: Mapping[int | None, Any] | None = None) -> None:
        """Note which objects the issues are about, now that their names are right.

        Args:
            targets: the object of each node of a file, where issues name nodes.
        """
        places = {issue.pointer for issue in self.issues if issue.code not in OF_ENTRIES}
        for place in places:
            target = (targets or {}).get(node_around(place))
            if target is not None:
                self.objects[place] = (target.session_uid,)
        if any(not place.startswith("/") for place in places):
            for obj in bpy.data.objects:
                if obj.name in places:
                    self.objects[obj.name] = (*self.objects.get(obj.name, ()), obj.session_uid)
        self.set_aside()

    def set_aside(self) -> None:
        """Sort the issues into those that count and those that are ignored where they are."""
        told = [*self.issues, *self.ignored]
        about = {uid for uids in self.objects.values() for uid in uids}
        codes = {
            uid: ignored.codes_of(obj)
            for obj in (bpy.data.objects if about else ())
            if (uid := obj.session_uid) in about and groups.read(obj).ignored_issues
        }

        def is_ignored(issue: Issue) -> bool:
            uids = self.identities(issue) if codes and can_be_ignored(issue) else ()
            return bool(uids) and all(issue.code in codes.get(uid, ()) for uid in uids)

        self.ignored.found[:] = [issue for issue in told if is_ignored(issue)]
        self.issues.found[:] = [issue for issue in told if not is_ignored(issue)]
        self.number += 1

    def forget(self, codes: Iterable[str], objects: Iterable[Any]) -> None:
        """Leave out what has been set right."""
        gone = {obj.session_uid for obj in objects}
        self.issues.found[:] = [
            issue
            for issue in self.issues
            if issue.code not in codes or gone.isdisjoint(self.identities(issue))
        ]
        self.number += 1

    def renew(
        self,
        objects: Collection[Any],
        entries: Collection[str],
        issues: Collection[Issue],
        is_near: Callable[[str], bool],
    ) -> bool:
        """Put the issues of some objects and entries into the place of those from before.

        Args:
            is_near: whether issues of a code are among those that are renewed.

        Returns:
            Whether they are other ones.
        """
        names = {obj.session_uid: obj.name for obj in objects}

        def is_renewed(issue: Issue) -> bool:
            if issue.code in OF_ENTRIES:
                return issue.pointer in entries
            about = self.identities(issue)
            return not names.keys().isdisjoint(about) or issue.pointer in names.values()

        codes = {obj.name: ignored.codes_of(obj) for obj in objects}
        aside = {
            issue
            for issue in issues
            if can_be_ignored(issue) and issue.code in codes.get(issue.pointer, ())
        }
        is_other = False
        for told, new in (
            (self.issues, [issue for issue in issues if issue not in aside]),
            (self.ignored, list(aside)),
        ):
            left = [issue for issue in told if not (is_near(issue.code) and is_renewed(issue))]
            is_other |= Counter(told) != Counter([*left, *new])
            told.found[:] = sorted([*left, *new], key=weight)
        for uid, name in names.items():
            self.objects[name] = (uid,)
        self.number += is_other
        return is_other

    def headline(self) -> str:
        """One line: what was written or read, and how many issues there are."""
        verb = _VERBS[self.kind]
        if self.failed:
            return f"OMI Physics: {self.failure}"
        things = ", ".join(_counted(n, what) for what, n in self.counts.items())
        faults = [
            f"{n} {_FAULTS[severity][n > 1]}"
            for severity in Severity
            if (n := self.issues.count(severity))
        ]
        if len(self.ignored):
            faults.append(f"{len(self.ignored)} ignored")
        found = f" ({', '.join(faults)})" if faults else ""
        return f"OMI Physics {verb} {things or 'no physics'}{found}"

    def lines(self) -> list[str]:
        """The headline, and the issues below it, what to do first on top; alike ones are one."""
        from ...files.fixes import IN_SCENES

        actions = {code: f"{words.label}, in Check" for code, words in IN_SCENES.items()}
        set_aside = (f"  ignored: {line.strip()}" for line in lines_of(self.ignored))
        return [self.headline(), *lines_of(self.issues, actions), *set_aside]

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "kind": self.kind,
            "failed": self.failed,
            "failure": self.failure,
            "counts": dict(self.counts),
            "issues": [issue.to_json() for issue in self.issues],
            "ignored": [issue.to_json() for issue in self.ignored],
        }


def weight(issue: Issue) -> int:
    """A number for sorting: the worst first."""
    return list(Severity).index(issue.severity)


def can_be_ignored(issue: Issue) -> bool:
    """Whether an artist may say that an issue does not matter; errors keep files from working."""
    return issue.severity is not Severity.ERROR and issue.code not in OF_ENTRIES


def _counted(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


# Codes of issues that name an entry of a list of the scene, which may be called like an object.
OF_ENTRIES: Final = frozenset(
    {
        Code.SURFACE_VALUE_ABOVE_ONE,
        Code.DYNAMIC_FRICTION_ABOVE_STATIC,
        Code.FILTER_EMPTY,
        Code.FILTER_SYSTEM_UNUSED,
        Code.SYSTEM_NAMES_ALIKE,
        Code.SURFACE_ENTRY_UNUSED,
        Code.TOO_MANY_SYSTEMS,
        Code.JOINT_SETTINGS_UNUSED,
        Code.LIMITS_SHARE_AXIS,
        Code.DRIVES_SHARE_AXIS,
        Code.LIMIT_DISTANCES_NEGATIVE,
        Code.LIMIT_MIN_DISTANCE_NEGATIVE,
        Code.LIMIT_ANGLE_BEYOND_TURN,
        Code.LIMIT_DAMPING_WITHOUT_SPRING,
        Code.DRIVE_WITHOUT_FORCE,
        Code.DRIVE_POSITION_WITHOUT_STIFFNESS,
        Code.DRIVE_STIFFNESS_WITHOUT_POSITION,
        Code.DRIVE_VELOCITY_WITHOUT_DAMPING,
        Code.DRIVE_ON_FIXED_AXIS,
        Code.DRIVE_TARGET_OUTSIDE_LIMITS,
    }
)
_latest: Final[dict[Kind, Report]] = {}
_of_scenes: Final[dict[tuple[Kind, int], Report]] = {}
_of_collections: Final[dict[int, Report]] = {}


def start(kind: Kind, scene: Any = None, file: str = "") -> Report:
    """A new report, which is the latest of its kind from now on.

    Args:
        file: its path.
    """
    report = Report(kind, file=Path(file).name)
    if scene is not None:
        report.scene, report.scene_name = scene.session_uid, scene.name
    _latest[kind] = _of_scenes[kind, report.scene] = report
    return report


def latest(kind: Kind) -> Report | None:
    """The report of the last export, import or check, whichever scene it was of."""
    return _latest.get(kind)


def of_scene(kind: Kind, scene: Any) -> Report | None:
    """The report of the last export, import or check of a scene."""
    return _of_scenes.get((kind, scene.session_uid))


def keep_for(report: Report, collection: Any) -> None:
    """Remember the report of what an exporter of a collection wrote."""
    _of_collections[collection.session_uid] = report


def of_collection(collection: Any) -> Report | None:
    """The report of what an exporter of a collection wrote last."""
    return _of_collections.get(collection.session_uid)


def of_scenes() -> Iterable[Report]:
    """The reports of all scenes; scenes that are gone take theirs with them."""
    if _of_scenes:
        there = {scene.session_uid for scene in bpy.data.scenes}
        for key in [key for key in _of_scenes if key[1] not in there]:
            gone = _of_scenes.pop(key)
            if _latest.get(gone.kind) is gone:
                del _latest[gone.kind]
    return _of_scenes.values()


def clear() -> None:
    """Forget all reports, as another file has been opened."""
    _latest.clear()
    _of_scenes.clear()
    _of_collections.clear()


def count(document: PhysicsDocument) -> Counter[str]:
    """How many of what a document holds, bodies first."""
    from ...model.document import PART_WORDS  # Which Blender's start does without.

    bodies: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for physics in document.nodes.values():
        if physics.motion is not None:
            bodies[f"{physics.motion.type} body"] += 1
        for attribute, value in vars(physics).items():
            if value is not None and attribute in PART_WORDS:
                parts[PART_WORDS[attribute]] += 1
    lists: Counter[str] = Counter()
    for shape in document.shapes:
        geometry = shape.geometry
        other = isinstance(geometry, OtherGeometry)
        lists["other shape" if other else f"{WORDS[type(geometry)]} shape"] += 1
    lists["physics material"] = len(document.physics_materials)
    lists["collision filter"] = len(document.collision_filters)
    lists["world gravity"] = int(document.world_gravity is not None)
    return bodies + parts + lists  # Adding leaves out what there is none of.
