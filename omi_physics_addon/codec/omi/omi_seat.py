"""OMI_seat on nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...model.fields import row
from ...model.seats import Seat
from ..values.json_values import BadValueError, convert
from ..values.records import Reading, read_record

NAME: Final = "OMI_seat"
_POINTS: Final = ("back", "foot", "knee")


def read(json: Mapping[str, Any], pointer: str, reading: Reading) -> Seat | None:
    """The seat of a node; None when one of its points is missing or no point."""
    usable = True
    for key in _POINTS:
        if key not in json:
            why = f"the point {key} is missing, so the seat is left out; set all of its points"
            reading.issues.add(Code.SEAT_POINT_MISSING, pointer, why)
            usable = False
            continue
        try:
            convert(row(Seat, key), json[key], {})
        except BadValueError as error:
            why = f"{error}, so the seat is left out"
            reading.issues.add(Code.SEAT_POINT_INVALID, f"{pointer}/{key}", why)
            usable = False
    return read_record(Seat, json, pointer, reading) if usable else None
