"""Whether Blender has a property for every field of a record."""

from __future__ import annotations

import re

import pytest

from omi_physics_addon.axes import Axes
from omi_physics_addon.blender.scene import property_records
from omi_physics_addon.blender.scene.joint_settings import IRREGULAR
from omi_physics_addon.model.bodies import Motion
from omi_physics_addon.model.fields import INDEX_TYPES, table
from tests.blender.panels.test_panels import GROUPS
from tests.blender.support.scenes import add
from tests.model.test_fields import RECORDS

# What is left out of a motion is told by modes, which have one more way.
NO_FLAGS = {Motion}
PROPERTIES = {cls.__name__: {"name", *cls.__annotations__} for cls in GROUPS}  # All have a name.


def name_of_group(record: type) -> str:
    """The name that the property group of a record has."""
    return "OMIPHYSICS_PG_" + re.sub(r"(?<!^)([A-Z])", r"_\1", record.__name__).lower()


def expected(record: type) -> set[str]:
    """The properties that a record's fields need."""
    own = [info for info in table(record) if info.name not in IRREGULAR.get(record, ())]
    found = {info.name for info in own if info.type not in INDEX_TYPES}
    if record not in NO_FLAGS:
        found |= {f"use_{i.name}" for i in own if i.default is None and i.name in found}
    return found


WITH_GROUP = [record for record in RECORDS if name_of_group(record) in PROPERTIES]


@pytest.mark.parametrize("record", WITH_GROUP, ids=lambda record: record.__name__)
def test_every_field_has_a_property(record):
    group = name_of_group(record)
    missing = expected(record) - PROPERTIES[group]
    assert not missing, f"{group} has no property for {record.__name__}: {missing}"


def test_most_records_have_a_group_of_their_own():
    assert {record.__name__ for record in RECORDS if record not in WITH_GROUP} == {
        *("GravityVolume", "OtherGravity"),  # Shown by the group of gravity.
        *("Convex", "Trimesh", "OtherGeometry"),  # By the group of shapes.
        *("WheelPart", "ThrusterPart", "HoverThrusterPart"),  # By that of the object.
    }


@pytest.mark.parametrize("motion", [Motion(), Motion(mass=2.5, type="kinematic", carried="{}")])
def test_new_groups_are_written_as_any_other(motion):
    groups = [add(name, None).omi_physics.motion for name in "ABC"]
    property_records.write(motion, groups[0], Axes())
    for group in groups[1:]:  # The second by what is remembered of the first.
        property_records.write_new(motion, group, Axes())
    names = {prop.identifier for prop in groups[0].bl_rna.properties} - {"rna_type"}
    for group in groups[1:]:
        for name in names:
            assert group.is_property_set(name) == groups[0].is_property_set(name), name
        assert property_records.read(group, Motion, Axes()) == property_records.read(
            groups[0], Motion, Axes()
        )
