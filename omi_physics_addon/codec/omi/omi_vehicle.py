"""OMI_vehicle_body, OMI_vehicle_wheel, OMI_vehicle_thruster, OMI_vehicle_hover_thruster.

Older forms (read, written on request beside today's): the key names of 2025, which are all that
Godot's OMI add-on knows. Also read: settings written on the node itself.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...issue_codes import Code
from ...model.document import PhysicsDocument
from ...model.fields import table
from ...model.vehicles import (
    HoverThruster,
    HoverThrusterPart,
    Thruster,
    ThrusterPart,
    VehicleBody,
    Wheel,
    WheelPart,
)
from ..values import carried
from ..values.records import (
    Reading,
    Writing,
    merge_carried,
    read_lists,
    read_record,
    with_carried,
    write_record,
)
from .omi_form import CURRENT, OmiForm

BODY: Final = "OMI_vehicle_body"


@dataclass(frozen=True)
class PartKind:
    """One of the three extensions for parts of vehicles.

    Attributes:
        array: key of the list in the document; attribute of the document that holds it.
        old_keys: key of 2025 → today's; the first that is there counts.
        required: key without which the settings are of no use.
    """

    name: str
    array: str
    attribute: str
    key: str
    settings: type[Any]
    part: type[Any]
    old_keys: Mapping[str, str]
    required: str = ""


WHEEL: Final = PartKind(
    name="OMI_vehicle_wheel",
    array="wheels",
    attribute="wheels",
    key="wheel",
    settings=Wheel,
    part=WheelPart,
    old_keys={
        "maxForce": "maxPropulsionForce",
        "currentForceRatio": "targetPropulsionForceRatio",
        "currentSteeringRatio": "targetSteeringRatio",
    },
)
THRUSTER: Final = PartKind(
    name="OMI_vehicle_thruster",
    array="thrusters",
    attribute="thrusters",
    key="thruster",
    settings=Thruster,
    part=ThrusterPart,
    old_keys={"currentForceRatio": "targetForceRatio", "currentGimbalRatio": "targetGimbalRatio"},
    required="maxForce",
)
HOVER_THRUSTER: Final = PartKind(
    name="OMI_vehicle_hover_thruster",
    array="hoverThrusters",
    attribute="hover_thrusters",
    key="hoverThruster",
    settings=HoverThruster,
    part=HoverThrusterPart,
    old_keys={
        "currentHoverRatio": "targetHoverRatio",
        "currentForceRatio": "targetHoverRatio",
        "currentGimbalRatio": "targetGimbalRatio",
    },
    required="maxHoverEnergy",
)
PARTS: Final = (WHEEL, THRUSTER, HOVER_THRUSTER)


def read_document(
    kind: PartKind, extension: Any, reading: Reading, document: PhysicsDocument
) -> None:
    """Read the list of settings of the document's extension object."""

    def read(item: Any, pointer: str, reading: Reading) -> Any:
        return read_settings(kind, item, pointer, reading)

    pointer = f"/extensions/{kind.name}"
    lists, rest = read_lists(extension, pointer, reading, {kind.array: read})
    setattr(document, kind.attribute, lists[kind.array])
    if rest:
        document.carried[kind.name] = rest


def read_settings(kind: PartKind, json: Any, pointer: str, reading: Reading) -> Any:
    """One entry of the list of settings, or settings written on a node."""
    given = reading.mapping(json, pointer)
    if given is None:
        return kind.settings()
    members = _renamed(kind, given, pointer, reading)
    settings = read_record(kind.settings, members, pointer, reading)
    if kind.required and kind.required not in members:
        why = f"the {kind.required} is missing, so zero is used; set a value"
        reading.issues.add(Code.THRUSTER_MAX_INVALID, pointer, why)
        settings = with_carried(settings, {kind.required: None})
    gimbal = getattr(settings, "target_gimbal_ratio", (0.0, 0.0))
    if math.hypot(*gimbal) > 1.0 + 1e-6:
        why = "the gimbal ratio is longer than 1, and engines clamp it or not; shorten it to 1"
        reading.issues.add(Code.GIMBAL_RATIO_TOO_LONG, f"{pointer}/targetGimbalRatio", why)
    return settings


def _renamed(
    kind: PartKind, json: Mapping[str, Any], pointer: str, reading: Reading
) -> Mapping[str, Any]:
    """`json` with today's keys; where both stand, today's counts and the old one goes."""
    old = [key for key in kind.old_keys if key in json]
    if not old:
        return json
    members = {key: value for key, value in json.items() if key not in kind.old_keys}
    for key in old:
        members.setdefault(kind.old_keys[key], json[key])
    if any(kind.old_keys[key] not in json for key in old):
        why = (
            "the part has 2025 property names, which an export replaces with the current "
            f"ones: {', '.join(old)}"
        )
        reading.issues.add(Code.VEHICLE_PART_OLD_KEYS, pointer, why)
    return members


def write_document(
    kind: PartKind,
    document: PhysicsDocument,
    writing: Writing,
    *,
    old_names: bool = False,
    form: OmiForm = CURRENT,
) -> dict[str, Any]:
    """The document's extension object; empty when there is nothing to say.

    Args:
        old_names: write the keys of 2025 beside today's.
        form: may say which of them, whatever is asked for.
    """
    old_keys = tuple(kind.old_keys) if old_names else ()
    if form.vehicle_keys is not None:
        old_keys = form.vehicle_keys.get(kind.name, ())
    out: dict[str, Any] = {}
    items = getattr(document, kind.attribute)
    if items:
        out[kind.array] = [
            _write_settings(kind, item, f"{kind.key} {i}", writing, old_keys)
            for i, item in enumerate(items)
        ]
    merge_carried(out, document.carried.get(kind.name, ""))
    return out


def _write_settings(
    kind: PartKind, item: Any, place: str, writing: Writing, old_keys: tuple[str, ...]
) -> dict[str, Any]:
    always = tuple(info.name for info in table(kind.settings) if info.key == kind.required)
    # A field to write even when all have their defaults, so that the object is not empty.
    first = "radius" if kind is WHEEL else table(kind.settings)[0].name
    out = write_record(item, place, writing, always=always or (first,))
    for old in old_keys:
        new = kind.old_keys[old]
        if new in out and old not in out:
            out[old] = out[new]
    return out


def read_part(
    kind: PartKind,
    json: Mapping[str, Any],
    pointer: str,
    reading: Reading,
    add: Callable[[Any], int],
) -> Any:
    """A part on a node; settings that stand there themselves are added to the list by `add`."""
    keys = {info.key for info in table(kind.settings)} | set(kind.old_keys)
    inline = {key: value for key, value in json.items() if key in keys and key != "name"}
    if kind.key in json or not inline:
        part = read_record(kind.part, json, pointer, reading)
        if inline and getattr(part, table(kind.part)[0].name) is None:
            # Without the index they would be read as settings the next time.
            members = {k: v for k, v in carried.unpack(part.carried).items() if k not in inline}
            part = dataclasses.replace(part, carried=carried.pack(members))
        return part
    index = add(read_settings(kind, inline, pointer, reading))
    part = read_record(kind.part, json, pointer, reading, by_hand=inline.keys())
    return kind.part(carried=part.carried, **{table(kind.part)[0].name: index})


def write_body(body: VehicleBody, place: str, writing: Writing) -> dict[str, Any]:
    """The JSON object of a vehicle body; the default of its dampeners once was another."""
    return write_record(body, place, writing, always=("linear_dampeners",))
