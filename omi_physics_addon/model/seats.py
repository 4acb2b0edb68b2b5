"""Seats. Source: OMI_seat."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ..issue_codes import Code
from .fields import Carried, Field, Quantity, Vector3, described, meaning


def _point(text: str) -> dict[str, Field]:
    return meaning(Field(text, "m", Quantity.VECTOR, rule=Code.SEAT_POINT_INVALID))


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Where a character sits, whatever its size. Source: OMI_seat."""

    back: Vector3 = field(metadata=_point("Where the back meets the seat"))
    foot: Vector3 = field(metadata=_point("Where the feet rest"))
    knee: Vector3 = field(metadata=_point("Where the knees bend"))
    angle: float = described(
        math.pi / 2, "Angle between the spine and the line from back to knee", "rad"
    )
    carried: Carried = ""
