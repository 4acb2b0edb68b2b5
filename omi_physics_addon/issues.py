"""What is wrong with a file or a scene: issues, their severities, and the catalogue of codes."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_NODE: Final = re.compile(r"/nodes/(\d+)")


class Severity(enum.Enum):
    """How bad an issue is."""

    ERROR = "ERROR"  # A rule of the specification is broken, or the thing cannot work.
    WARNING = "WARNING"  # Legal or disputed; some reader will do something else.
    INFO = "INFO"  # Worth knowing.


@dataclass(frozen=True)
class Code:
    """One row of the catalogue."""

    severity: Severity
    text: str


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

# Codes of one or two letters and two digits that stand in the table of checks keep their
# meaning there; F (format), X (exchange) are ours.
CATALOGUE: Final[dict[str, Code]] = {
    "B01": Code(_E, "A motion has no type"),
    "B02": Code(_E, "A motion has an unknown type"),
    "B03": Code(_W, "A moving body has no collider"),
    "B04": Code(_I, "A body is below another one and does not follow it"),
    "B05": Code(_E, "A mass is negative"),
    "B05z": Code(_W, "A mass is zero, which OMI gives no meaning"),
    "B07": Code(_W, "A mass is zero, which stands for infinite"),
    "B08": Code(_E, "A principal moment of inertia is negative"),
    "B09": Code(_W, "A principal moment is larger than the sum of the others"),
    "B10": Code(_W, "Some but not all principal moments are zero"),
    "B10k": Code(_W, "A principal moment is zero, which stands for infinite"),
    "B11": Code(_E, "An orientation is not a unit quaternion"),
    "B12": Code(_W, "An inertia orientation stands without an inertia diagonal"),
    "B13": Code(_E, "An array has the wrong length"),
    "B14": Code(_W, "A static body has a velocity"),
    "B15": Code(_I, "A kinematic body has a velocity"),
    "B18": Code(_W, "A dynamic body is animated"),
    "B19": Code(_W, "A body is scaled"),
    "B22": Code(_W, "A dynamic body has a trigger and no collider"),
    "B23": Code(_E, "An orientation is a zero quaternion"),
    "B24": Code(_W, "Bodies of very different masses are joined"),
    "C01": Code(_W, "A collider without a shape groups nothing"),
    "C02": Code(_E, "A collider has no geometry"),
    "C03": Code(_W, "A collider and a trigger are on one node"),
    "C04": Code(_E, "A friction or restitution is negative"),
    "C05": Code(_I, "A friction or restitution is above 1"),
    "C06": Code(_E, "A combine mode is unknown"),
    "C07": Code(_W, "A dynamic friction is above the static one"),
    "C08": Code(_E, "A filter names systems to collide with and systems not to"),
    "C09": Code(_W, "A filter has no systems at all"),
    "C10": Code(_W, "A filter names a system that nothing is in"),
    "C11": Code(_W, "Names of systems differ only in case or spaces"),
    "C13": Code(_I, "A material or filter is used by nothing"),
    "C14": Code(_W, "There are more than 32 collision systems"),
    "C15": Code(_I, "A material does not say how it combines with others"),
    "F01": Code(_E, "A value has the wrong type"),
    "F02": Code(_E, "A value is outside its bounds"),
    "F03": Code(_E, "A value is nested too deeply"),
    "G01": Code(_E, "An extension is used and not listed"),
    "G02": Code(_I, "An extension is listed and not used"),
    "G03": Code(_W, "An extension of physics is required"),
    "G04": Code(_E, "A number is not finite"),
    "G05": Code(_E, "An index points beyond its array"),
    "G06": Code(_W, "An index is written as -1"),
    "G07": Code(_I, "An object has a key that no specification names"),
    "G08": Code(_W, "OMI and KHR disagree on a node"),
    "G09": Code(_I, "The file is written in an older dialect"),
    "G10": Code(_E, "A list of the document is empty"),
    "E01": Code(_E, "A seat lacks one of its points"),
    "E02": Code(_E, "A point of a seat is not three numbers"),
    "E03": Code(_E, "The points of a seat are on a line"),
    "E04": Code(_W, "The angle of a seat is not between 0 and half a turn"),
    "E05": Code(_I, "A seat has no trigger through which it is entered"),
    "E06": Code(_W, "A seat is very large or very small"),
    "E07": Code(_W, "A seat is scaled"),
    "H01": Code(_E, "A vehicle is no body"),
    "H02": Code(_W, "A vehicle is no dynamic body"),
    "H03": Code(_E, "The pilot seat of a vehicle is no seat"),
    "H04": Code(_W, "A pilot seat does not face forward"),
    "H06": Code(_W, "An activation of a vehicle is outside -1 to 1"),
    "H07": Code(_I, "A vehicle starts with an activation"),
    "H08": Code(_W, "A vehicle has a largest speed of zero"),
    "H09": Code(_W, "A gyroscope has a negative torque"),
    "H10": Code(_W, "A vehicle uses a throttle and nothing drives it"),
    "H11": Code(_W, "A vehicle has nothing that moves it"),
    "J01": Code(_E, "A joint has no settings"),
    "J02": Code(_E, "A joint connects to nothing"),
    "J03": Code(_W, "A joint is not below a dynamic body"),
    "J04": Code(_E, "A joint is connected to something without a body"),
    "J05": Code(_E, "A joint connects a body to itself"),
    "J06": Code(_E, "A joint connects two things that cannot move"),
    "J07": Code(_W, "A joint is not on a node of its own"),
    "J08": Code(_E, "A joint is connected to its own node"),
    "J09": Code(_W, "Two joints connect the same two nodes"),
    "J10": Code(_W, "Joint settings have neither limits nor drives"),
    "J11": Code(_E, "A limit has no axis"),
    "J12": Code(_W, "A limit has linear and angular axes together"),
    "J13": Code(_E, "An axis is none of 0, 1, 2 or is repeated"),
    "J14": Code(_W, "A limit has neither min nor max"),
    "J15": Code(_E, "A limit has a min above its max"),
    "J16": Code(_E, "A limit allows only negative distances"),
    "J16i": Code(_I, "A limit of a distance has a negative min"),
    "J17": Code(_W, "An angle of a limit is beyond a whole turn"),
    "J18": Code(_E, "A stiffness is negative"),
    "J19": Code(_E, "A damping is negative"),
    "J20": Code(_W, "A hard limit has a damping"),
    "J21": Code(_W, "Two limits hold for one axis"),
    "J22": Code(_E, "A drive lacks its type, mode or axis"),
    "J23": Code(_E, "A drive has an unknown type or mode"),
    "J24": Code(_E, "A drive has an axis other than 0, 1, 2"),
    "J25": Code(_W, "A drive has a position target and no stiffness"),
    "J26": Code(_W, "A drive has a stiffness and no position target"),
    "J27": Code(_W, "A drive has a velocity target and no damping"),
    "J28": Code(_W, "A drive has a target outside the limits"),
    "J29": Code(_W, "A drive acts on a fixed axis"),
    "J30": Code(_W, "Two drives act on one axis"),
    "J31": Code(_W, "A drive has no force"),
    "J31n": Code(_E, "A largest force is negative"),
    "J33": Code(_W, "A fixed joint does not fit where its ends are"),
    "J34": Code(_W, "A joint is scaled or sheared"),
    "J36": Code(_I, "Joint settings are used by nothing"),
    "J37": Code(_I, "A limit was split because its axes turn differently"),
    "J38": Code(_W, "A joint or what it is connected to is animated"),
    "L01": Code(_I, "A static body is written as colliders that belong to no body"),
    "L02": Code(_W, "A static body inside a moving one is written as kinematic"),
    "L03": Code(_W, "The families take the velocity of a kinematic body differently"),
    "L04": Code(_W, "A mass that the engine computes is written as an estimate"),
    "L05": Code(_W, "A center of mass that the engine computes is written as an estimate"),
    "L06": Code(_W, "An infinite mass is written as kinematic or as a large one"),
    "L07": Code(_W, "An infinite moment of inertia is written as a large one"),
    "L08": Code(_W, "A plane is written as a box"),
    "L09": Code(_I, "A collider that groups others is left out"),
    "L10": Code(_I, "A compound trigger is written with the list of its parts"),
    "L11": Code(_W, "A limit of several axes holds for a distance or for each axis"),
    "L12": Code(_I, "A joint got a static body or a node of its own to end on"),
    "L13": Code(_I, "A joint is written from its other side"),
    "L14": Code(_W, "A joint cannot be written from its dynamic side"),
    "L15": Code(_W, "Gravity, vehicles or their parts are left out, as KHR has none"),
    "L16": Code(_W, "A plane is written in a form that has none"),
    "L17": Code(_W, "A geometry of a whole node is written as its mesh"),
    "L18": Code(_W, "A mesh is named by itself, because no node carries it alone"),
    "L19": Code(_I, "A body that is switched off is read as none"),
    "L20": Code(_I, "A scaled shape is written with its scaled size"),
    "L21": Code(_W, "A scaled shape cannot be written with its scaled size"),
    "L22": Code(_I, "A filter with several systems is taken differently"),
    "L23": Code(_W, "A drive is written without a gain that has no effect"),
    "L24": Code(_W, "Partly zero moments of inertia are left to the engine"),
    "L25": Code(_W, "Members that the other family has no place for are left out"),
    "L26": Code(_W, "Something points at a property that is no longer there"),
    "R01": Code(_E, "A thruster has no largest force or energy, or a negative one"),
    "R01z": Code(_W, "A thruster has no force or energy"),
    "R03": Code(_E, "A gimbal angle is outside 0 to half a turn"),
    "R05": Code(_W, "A gimbal ratio is longer than 1"),
    "R06": Code(_W, "A gimbal adjustment is outside 0 to 1"),
    "R07": Code(_I, "A gimbal cannot turn after the start"),
    "S01": Code(_E, "A shape has an unknown type"),
    "S02": Code(_W, "A shape has no object named like its type"),
    "S03": Code(_W, "A shape carries the object of another type"),
    "S04": Code(_E, "A box size is not three positive numbers"),
    "S05": Code(_E, "A sphere radius is not positive"),
    "S06": Code(_E, "A height is not positive"),
    "S07": Code(_E, "A radius is negative"),
    "S08": Code(_E, "Both radii are zero"),
    "S09": Code(_I, "A capsule or cylinder is tapered"),
    "S10": Code(_W, "One ball of a capsule swallows the other"),
    "S12": Code(_E, "A convex or trimesh shape has no valid mesh"),
    "S13": Code(_E, "A collision mesh has no triangle"),
    "S16": Code(_E, "A collision mesh is not made of triangles"),
    "S17": Code(_W, "A trimesh is on a dynamic body"),
    "S18": Code(_W, "A trimesh is a trigger"),
    "S19": Code(_W, "A trimesh is on a kinematic body"),
    "S20": Code(_W, "A shape is scaled"),
    "S21": Code(_W, "A round shape is scaled unevenly"),
    "S22": Code(_W, "A shape is scaled to nothing"),
    "S23": Code(_W, "A shape is mirrored"),
    "S24": Code(_W, "A capsule or cylinder has the older single radius"),
    "S25": Code(_I, "A shape is used by nothing"),
    "S26": Code(_E, "A plane size is not positive"),
    "S28": Code(_E, "A geometry names not exactly one of shape and mesh"),
    "S29": Code(_E, "A geometry names a node without a mesh"),
    "S30": Code(_I, "A convex hull is asked of a shape of no mesh"),
    "S31": Code(_W, "A collision mesh has very many triangles"),
    "S32": Code(_I, "A geometry is more than one plain mesh"),
    "S33": Code(_W, "A plane is on a moving body"),
    "T01": Code(_E, "A trigger has neither a shape nor nodes"),
    "T02": Code(_E, "A trigger has both a shape and nodes"),
    "T03": Code(_E, "A trigger lists a node that is not below it"),
    "T04": Code(_E, "A trigger lists a node that is no trigger"),
    "T05": Code(_W, "A compound trigger has a collision filter"),
    "T06": Code(_E, "A trigger lists no node, or one twice"),
    "T07": Code(_W, "A compound trigger lists another one"),
    "T08": Code(_E, "A trigger lists itself"),
    "T09": Code(_W, "A trigger below a compound one is not listed"),
    "V01": Code(_E, "A gravity volume has no trigger"),
    "V02": Code(_E, "A gravity volume is a body or a collider"),
    "V03": Code(_E, "A part of a compound trigger has gravity of its own"),
    "V04": Code(_E, "A gravity has an unknown type"),
    "V05": Code(_E, "A gravity volume has no strength"),
    "V06": Code(_W, "A gravity has no object named like its type"),
    "V07": Code(_W, "A gravity carries the object of another type"),
    "V08": Code(_W, "A gravity direction is zero or not of length 1"),
    "V09": Code(_E, "A unit distance is negative"),
    "V10": Code(_E, "A disc or torus has no size"),
    "V11": Code(_E, "Line points are too few or not whole triples"),
    "V12": Code(_W, "A piece of a gravity line has no length"),
    "V13": Code(_E, "Shaped gravity has no valid shape"),
    "V15": Code(_E, "A priority is not whole"),
    "V16": Code(_E, "World gravity has no strength"),
    "V17": Code(_W, "A world gravity direction is not of length 1"),
    "V18": Code(_W, "A gravity volume is scaled"),
    "V19": Code(_W, "A gravity volume stops others and has a negative priority"),
    "V20": Code(_I, "A gravity is the same at every distance"),
    "V21": Code(_I, "A gravity volume replaces and stops"),
    "V22": Code(_W, "A gravity volume of strength zero has no effect"),
    "W01": Code(_W, "A vehicle part is below no vehicle"),
    "W02": Code(_E, "A vehicle part is on the vehicle itself"),
    "W03": Code(_E, "A wheel radius or width is not positive"),
    "W04": Code(_E, "A suspension value is out of range"),
    "W05": Code(_E, "A steering angle is outside 0 to half a turn"),
    "W06": Code(_W, "A steering ratio is outside -1 to 1"),
    "W07": Code(_E, "A propulsion force is negative"),
    "W08": Code(_E, "A vehicle part is below another body than its vehicle"),
    "W09": Code(_W, "A vehicle part is scaled"),
    "W10": Code(_W, "The axle of a wheel is not across its vehicle"),
    "W11": Code(_W, "A vehicle part has key names of 2025"),
    "X01": Code(_I, "Other readers take the size of this shape differently"),
    "X02": Code(_W, "A tapered shape cannot be written for the chosen engine"),
    "X03": Code(_I, "The file uses an extension that was not read"),
    "X04": Code(_W, "A referenced object is not part of the export"),
    "X05": Code(_W, "A name is not in the scene's list"),
    "X06": Code(_W, "An automatic value could not be computed"),
    "X07": Code(_W, "An export option was changed so that physics is not lost"),
    "X08": Code(_I, "A fault of the imported file was written back unchanged"),
    "X09": Code(_W, "Physics of a node has no object to live on"),
    "X11": Code(_W, "An animation of physics is not kept"),
    "X12": Code(_W, "The unit scale of the scene is not exported"),
    "X13": Code(_W, "Members beside a list of shapes are left out, as there are no shapes"),
    "X14": Code(_I, "A name is only in the list of another scene"),
    "X15": Code(_W, "The place of a shape on its object is not exported"),
    "X16": Code(_W, "An unfinished joint is not written"),
    "X20": Code(_W, "Godot leaves a joint out"),
    "X21": Code(_W, "Godot takes a collider away from its body"),
    "X22": Code(_W, "Godot moves a body with the body above it"),
    "X23": Code(_W, "Godot takes a velocity along other axes"),
    "X24": Code(_W, "Godot does not read the orientation of an inertia"),
    "X25": Code(_W, "Godot does not read a gravity factor"),
    "X26": Code(_W, "Godot does not read materials and filters"),
    "X27": Code(_W, "Godot does not read gravity"),
    "X28": Code(_W, "Godot does not connect a wheel"),
    "X29": Code(_W, "Godot starts a thruster otherwise"),
    "X30": Code(_W, "Godot holds a joint where its bodies are"),
    "X31": Code(_W, "Godot breaks on a joint"),
    "X32": Code(_W, "Godot does not let a joint turn"),
    "X33": Code(_W, "Godot takes a soft limit for a hard one"),
    "X34": Code(_W, "Godot takes a drive otherwise"),
    "X35": Code(_W, "Godot takes an acceleration for a force"),
    "X36": Code(_W, "Godot turns a joint the other way round"),
}


@dataclass(frozen=True)
class Issue:
    """One finding.

    Attributes:
        code: key of `CATALOGUE`.
        pointer: JSON pointer into the file, or the name of a Blender object.
        message: what is wrong and what was done about it, one sentence.
    """

    code: str
    pointer: str
    message: str
    severity: Severity

    def __str__(self) -> str:
        return f"{self.severity.value} {self.code} {self.pointer}: {self.message}"


def node_of(pointer: str) -> int | None:
    """The node that a pointer leads to; None for what is in a node, and for all else."""
    found = _NODE.fullmatch(pointer)
    return int(found[1]) if found else None


class Issues:
    """A list of findings that grows while a file or scene is read."""

    def __init__(self) -> None:
        self.found: list[Issue] = []

    def __iter__(self) -> Iterator[Issue]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def add(self, code: str, pointer: str, message: str, severity: Severity | None = None) -> None:
        """Append a finding; the severity is the catalogue's unless given.

        Raises:
            ValueError: `code` is not in the catalogue.
        """
        if code not in CATALOGUE:
            raise ValueError(f"unknown issue code {code!r}")
        severity = severity or CATALOGUE[code].severity
        self.found.append(Issue(code, _storable(pointer), _storable(message), severity))

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(issue.severity is severity for issue in self.found)

    def codes(self) -> Counter[str]:
        """How often each code was found."""
        return Counter(issue.code for issue in self.found)


def _storable(text: str) -> str:
    """`text` with halves of surrogate pairs spelled out, which neither files nor Blender take."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
