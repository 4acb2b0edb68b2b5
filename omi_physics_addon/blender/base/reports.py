"""What an export or import did, in words: for the report, the Info log and the command line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from ...issue_codes import Severity
from ...issues import Issues
from ...model.shapes import WORDS, OtherGeometry

if TYPE_CHECKING:
    from ...model.document import PhysicsDocument

Kind = Literal["EXPORT", "IMPORT", "CHECK"]

# Attribute of a node's physics → what a summary calls it.
_PARTS: Final = {
    "collider": "collider",
    "trigger": "trigger",
    "joint": "joint",
    "gravity": "gravity volume",
    "vehicle_body": "vehicle",
    "wheel": "wheel",
    "thruster": "thruster",
    "hover_thruster": "hover thruster",
    "seat": "seat",
}
_VERBS: Final[dict[Kind, str]] = {"EXPORT": "wrote", "IMPORT": "read", "CHECK": "checked"}
_FAULTS: Final = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("remark", "remarks"),
}
_SHOWN: Final = 20  # Issues written out per severity in a summary; the rest is counted.


@dataclass
class Report:
    """The outcome of one export, import or check.

    Attributes:
        counts: how many of what, in the order they are told.
        failed: why nothing was written or read; empty when it went well.
    """

    kind: Kind
    counts: Counter[str] = field(default_factory=Counter[str])
    issues: Issues = field(default_factory=Issues)
    failure: str = ""

    @property
    def failed(self) -> bool:
        """Whether the export or import came to nothing."""
        return bool(self.failure)

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
        found = f" ({', '.join(faults)})" if faults else ""
        return f"OMI Physics {verb} {things or 'no physics'}{found}"

    def lines(self) -> list[str]:
        """The headline, and the issues below it, worst first; equal ones are counted."""
        out = [self.headline()]
        for severity in Severity:
            found = [issue for issue in self.issues if issue.severity is severity]
            out += [f"  {issue}" for issue in found[:_SHOWN]]
            if len(found) > _SHOWN:
                out.append(f"  … and {len(found) - _SHOWN} more of severity {severity.value}")
        return out

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "kind": self.kind,
            "failed": self.failed,
            "failure": self.failure,
            "counts": dict(self.counts),
            "issues": [issue.to_json() for issue in self.issues],
        }


def _counted(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


_latest: dict[Kind, Report] = {}


def start(kind: Kind) -> Report:
    """A new report, which is the latest of its kind from now on."""
    _latest[kind] = report = Report(kind)
    return report


def latest(kind: Kind) -> Report | None:
    """The report of the last export, import or check of this session."""
    return _latest.get(kind)


def count(document: PhysicsDocument) -> Counter[str]:
    """How many of what a document holds, bodies first."""
    bodies: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for physics in document.nodes.values():
        if physics.motion is not None:
            bodies[f"{physics.motion.type} body"] += 1
        for attribute, what in _PARTS.items():
            if getattr(physics, attribute) is not None:
                parts[what] += 1
    lists: Counter[str] = Counter()
    for shape in document.shapes:
        geometry = shape.geometry
        other = isinstance(geometry, OtherGeometry)
        lists["other shape" if other else f"{WORDS[type(geometry)]} shape"] += 1
    lists["physics material"] = len(document.physics_materials)
    lists["collision filter"] = len(document.collision_filters)
    lists["world gravity"] = int(document.world_gravity is not None)
    return bodies + parts + lists  # Adding leaves out what there is none of.
