"""Seats. Source: OMI_seat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from ..issue_codes import Code
from .fields import Carried, Field, Quantity, Vector3


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Where a character sits, whatever its size. Source: OMI_seat."""

    back: Annotated[
        Vector3,
        Field("Where the back meets the seat", "m", Quantity.VECTOR, rule=Code.SEAT_POINT_INVALID),
    ]
    foot: Annotated[
        Vector3, Field("Where the feet rest", "m", Quantity.VECTOR, rule=Code.SEAT_POINT_INVALID)
    ]
    knee: Annotated[
        Vector3, Field("Where the knees bend", "m", Quantity.VECTOR, rule=Code.SEAT_POINT_INVALID)
    ]
    angle: Annotated[
        float, Field("Angle between the spine and the line from back to knee", "rad")
    ] = math.pi / 2
    carried: Carried = ""
