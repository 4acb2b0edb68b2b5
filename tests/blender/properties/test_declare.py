"""Properties that take their numbers and tooltips from records."""

from dataclasses import dataclass
from typing import Any

import bpy
import pytest

from omi_physics_addon.axes import Axes
from omi_physics_addon.blender.properties import declare
from omi_physics_addon.blender.scene import property_records
from omi_physics_addon.codec.values.records import Reading, Writing, read_record, write_record
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.fields import Carried, described
from omi_physics_addon.model.vehicles import Wheel


@dataclass(frozen=True, kw_only=True)
class Tire:
    """A record with a number that may be left out."""

    tire_width: float | None = described(None, "Width of the tire", "m", above=0.0)
    carried: Carried = ""


class Tires(declare.RecordGroup, bpy.types.PropertyGroup):
    """Shows a `Tire`."""

    tire_width: declare.optional(Tire, "tire_width", "Give the tire a width", 0.2)
    kept: declare.kept()


@pytest.fixture
def group() -> Any:
    bpy.utils.register_class(Tires)
    bpy.types.Scene.tires = bpy.props.PointerProperty(type=Tires)
    yield bpy.context.scene.tires
    del bpy.types.Scene.tires
    bpy.utils.unregister_class(Tires)


def test_an_optional_number_has_a_flag(group: Any):
    rows = group.bl_rna.properties
    assert rows["use_tire_width"].description == "Give the tire a width"
    assert (rows["use_tire_width"].name, rows["tire_width"].name) == (
        "Use Tire Width",
        "Tire Width",
    )
    assert (group.use_tire_width, round(group.tire_width, 6)) == (False, 0.2)
    assert rows["tire_width"].unit == "LENGTH"


def test_an_optional_number_goes_to_json_and_back(group: Any):
    def written() -> dict[str, Any]:
        record = property_records.read(group, Tire, Axes())
        return write_record(record, "tire", Writing(Issues(), {}))

    assert written() == {}
    group.use_tire_width = True
    assert written() == {"tireWidth": 0.2}
    read = read_record(Tire, {"tireWidth": 0.35}, "/tire", Reading(Issues(), {}))
    property_records.write(read, group, Axes())
    assert written() == {"tireWidth": 0.35}
    property_records.write(Tire(), group, Axes())
    assert written() == {}


@pytest.mark.parametrize("declared", [declare.flag, declare.number])
def test_a_number_that_may_be_left_out_is_told_how_to_be_declared(declared: Any):
    with pytest.raises(TypeError, match=r"Tire\.tire_width .* optional"):
        declared(Tire, "tire_width")


def test_a_number_is_no_flag():
    with pytest.raises(TypeError, match=r"Wheel\.radius is no flag"):
        declare.flag(Wheel, "radius")
