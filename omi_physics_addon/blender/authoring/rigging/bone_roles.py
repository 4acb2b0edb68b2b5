"""What bones are by their names, and how far people bend there.

Names are those of Rigify, of Mixamo-like and of VRM skeletons, and what others call them alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....geometry.arrays import Array
from ....model.fields import AxisIndex
from ....model.joints import JointLimit, JointSettings

# Beginnings that tell of a skeleton, not of a bone.
_PREFIX: Final = re.compile(r"^(?:mixamorig\d*[:_]|DEF-|ORG-|J_(?:Bip|Sec|Adj)_|Bip\d+|ValveBiped)")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SIDES: Final = frozenset({"left", "right", "l", "r"})
_MIDDLE: Final = "c"
# The first that fits counts. Words are in lower case, without the side.
_ROLES: Final = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        ("finger", r"finger|thumb|index|middle|\bring\b|pinky|little|palm"),
        ("toe", r"\btoes?\b|toebase|\bball\b|\bheel\b"),
        (
            "face",
            r"\beyes?\b|brow|\blids?\b|\blips?\b|\bjaw|tongue|teeth|\bears?\b|\bnose|cheek|\bchin\b"
            r"|\bhair|forehead|temple|\bface\b|head ?top",
        ),
        ("twist", r"twist|\broll\b"),
        ("breast", r"breast|bust"),
        ("clavicle", r"shoulder|clavicle|collar"),
        ("upper_leg", r"thigh|up ?leg|upper ?leg|\bleg upper|\bhip joint\b"),
        ("lower_leg", r"shin|calf|lower ?leg|\bleg\b|\bknee\b"),
        ("foot", r"foot|ankle"),
        ("lower_arm", r"fore ?arm|lower ?arm|\barm lower|elbow"),
        ("upper_arm", r"upper ?arm|\barm\b"),
        ("hand", r"hand|wrist"),
        ("head", r"head"),
        ("neck", r"neck"),
        ("hips", r"hips?\b|pelvis"),
        ("spine", r"spine|chest|torso|abdomen|waist"),
        ("tail", r"tail"),
    )
)
# How Rigify numbers the spine of people.
_RIGIFY: Final = {"spine": "hips", "spine.004": "neck", "spine.005": "neck", "spine.006": "head"}
SMALL: Final = frozenset({"finger", "toe", "face", "twist", "breast", "clavicle", "girdle"})
LARGE: Final = frozenset(
    {"upper_leg", "lower_leg", "foot", "upper_arm", "lower_arm", "hand", "head", "hips"}
)
LIMBS: Final = LARGE - {"head", "hips"}
# What bones of each role lead to.
NEXT: Final = {
    "hips": {"spine"},
    "spine": {"spine", "neck", "head"},
    "neck": {"neck", "head"},
    "upper_leg": {"lower_leg"},
    "lower_leg": {"foot"},
    "foot": {"toe"},
    "upper_arm": {"lower_arm"},
    "lower_arm": {"hand"},
    "hand": {"finger"},
    "tail": {"tail"},
}


def role_of(name: str) -> str:
    """What a bone is; empty for what no name tells."""
    plain = _PREFIX.sub("", name)
    if plain in _RIGIFY:
        return _RIGIFY[plain]
    words = [word.lower() for word in _WORD.findall(plain)]
    text = " ".join(word for word in words if word not in _SIDES and word != _MIDDLE)
    found = next((role for role, pattern in _ROLES if pattern.search(text)), "")
    return "girdle" if found == "hips" and not _SIDES.isdisjoint(words) else found


def role_between(role: str, above: str, below: Collection[str]) -> str:
    """What a bone is by those above and below it, where its name alone would be misread.

    Some bones have the names of their joints: a shoulder with an elbow below it is an upper arm,
    a leg or hip with a knee a thigh. Animals have more bones in their spine than Rigify's people.
    """
    if role == "clavicle" and "lower_arm" in below and "upper_arm" not in below:
        return "upper_arm"
    if role in ("girdle", "lower_leg") and "lower_leg" in below and not above.endswith("_leg"):
        return "upper_leg"
    goes_on = "spine" in below or (role == "head" and "neck" in below)
    return "spine" if role in ("neck", "head") and goes_on else role


@dataclass(frozen=True)
class Bending:
    """How far a bone turns against the one before it, degrees.

    Attributes:
        toward: where it bends to: FRONT, BACK or UP.
        bend: range of the bend; zero is the pose at the start.
        raised: range of the turn aside; to the outside and up counts as positive.
        twist: to either side, about the bone itself.
    """

    toward: str
    bend: tuple[float, float]
    raised: tuple[float, float] = (0.0, 0.0)
    twist: float = 0.0


_BENDING: Final = {
    "upper_leg": Bending("FRONT", (-20.0, 100.0), (-20.0, 40.0), 25.0),
    "lower_leg": Bending("BACK", (-2.0, 130.0)),
    "foot": Bending("UP", (-40.0, 25.0), (-15.0, 15.0), 10.0),
    "upper_arm": Bending("FRONT", (-40.0, 90.0), (-80.0, 80.0), 45.0),
    "lower_arm": Bending("FRONT", (-2.0, 140.0)),
    "hand": Bending("FRONT", (-60.0, 60.0), (-25.0, 25.0), 15.0),
    "head": Bending("FRONT", (-40.0, 40.0), (-30.0, 30.0), 50.0),
    "neck": Bending("FRONT", (-25.0, 25.0), (-20.0, 20.0), 25.0),
    "hips": Bending("FRONT", (-15.0, 30.0), (-15.0, 15.0), 15.0),
    "spine": Bending("FRONT", (-15.0, 30.0), (-15.0, 15.0), 15.0),
    "tail": Bending("UP", (-40.0, 40.0), (-40.0, 40.0), 15.0),
    "": Bending("FRONT", (-35.0, 35.0), (-35.0, 35.0), 20.0),
}


@dataclass(frozen=True, eq=False)
class Stance:
    """How a figure stands in the world; directions (3,) of length one.

    Attributes:
        front, up: of the whole figure.
        middle: (3,), a place between its left and its right side.
    """

    front: Array
    up: Array
    middle: Array


def bending(role: str, along: Array, stance: Stance) -> Bending:
    """How far a bone of a role turns; arms that hang may be raised farther than raised ones."""
    found = _BENDING.get(role, _BENDING[""])
    if role != "upper_arm":
        return found
    hanging = math.degrees(math.acos(float(np.clip(-along @ stance.up, -1.0, 1.0))))
    raised = (-min(hanging + 10.0, 80.0), max(min(160.0 - hanging, 85.0), 20.0))
    return Bending(found.toward, found.bend, raised, found.twist)


def frame(along: Array, toward: str, stance: Stance) -> Array:
    """The axes (3, 3) of a joint as columns: X along the bone, Z what it bends about.

    A positive turn about Z leads to where it bends to, on the left side as on the right.
    """
    aim = {"FRONT": stance.front, "BACK": -stance.front, "UP": stance.up}[toward]
    for wanted in (aim, stance.up, stance.front):
        about = np.cross(along, wanted)
        size = float(np.linalg.norm(about))
        if size > 0.3:
            about /= size
            return np.stack([along, np.cross(about, along), about], axis=1)
    raise ArithmeticError("a bone cannot lie along two directions at right angles")


def settings(found: Bending, axes: Array, place: Array, stance: Stance) -> JointSettings:
    """The joint of a bone: a hinge where it only bends.

    Args:
        axes: (3, 3), from `frame`.
        place: (3,), of the joint, which tells its side.
    """
    limits = [JointLimit(linear_axes=_axes(0, 1, 2), min=0.0, max=0.0)]
    if found.raised == (0.0, 0.0) and not found.twist:
        limits.append(JointLimit(angular_axes=_axes(0, 1), min=0.0, max=0.0))
    else:
        low, high = found.raised
        lateral = np.cross(stance.up, stance.front)
        side = np.sign((place - stance.middle) @ lateral)
        # A positive turn about Y leads the bone against Z.
        if -axes[:, 2] @ (side * lateral + stance.up) < 0.0:
            low, high = -high, -low
        limits.append(_turns(0, -found.twist, found.twist))
        limits.append(_turns(1, low, high))
    limits.append(_turns(2, *found.bend))
    return JointSettings(limits=tuple(limits))


def _turns(axis: int, low: float, high: float) -> JointLimit:
    return JointLimit(angular_axes=_axes(axis), min=math.radians(low), max=math.radians(high))


def _axes(*found: int) -> tuple[AxisIndex, ...]:
    return tuple(AxisIndex(axis) for axis in found)
