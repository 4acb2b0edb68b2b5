"""Parts of vehicles whose settings stand on the node, and the keys of 2025."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.omi import omi_vehicle
from omi_physics_addon.codec.values.records import Writing
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.document import PhysicsDocument
from omi_physics_addon.model.vehicles import Wheel
from tests.support.documents import gltf, read, write

WHEEL = "OMI_vehicle_wheel"


def on_node(count: int, **members: Any) -> PhysicsDocument:
    """A file with so many wheels in its list, and a part of these members on its node."""
    node = {"extensions": {WHEEL: members}}
    lists = {WHEEL: {"wheels": [{"radius": 0.5}] * count}} if count else {}
    return read(gltf(node, **lists))[0]


def part_of(document: PhysicsDocument) -> dict[str, Any]:
    return write(document)[0].nodes[0][WHEEL]


def test_settings_on_the_node_become_an_entry_of_the_list():
    document = on_node(0, radius=0.4, width=0.2, name="Front")
    assert document.wheels == [Wheel(radius=0.4, width=0.2)]
    assert part_of(document) == {"wheel": 0, "name": "Front"}


def test_settings_beside_an_index_are_kept_and_not_used():
    document = on_node(1, wheel=0, radius=0.4)
    assert document.wheels == [Wheel(radius=0.5)]
    assert part_of(document) == {"wheel": 0, "radius": 0.4}


def test_settings_beside_an_index_that_is_none_are_dropped():
    """Without the index they would be read as settings the next time."""
    assert "radius" not in part_of(on_node(1, wheel=7, radius=0.4))


@pytest.mark.parametrize("kind", omi_vehicle.PARTS, ids=lambda kind: kind.key)
def test_settings_that_are_all_usual_are_no_empty_object(kind: omi_vehicle.PartKind):
    """Blender's exporter drops what is empty, and the indices of nodes would be wrong."""
    document = PhysicsDocument(**{kind.attribute: [kind.settings()]})
    written = omi_vehicle.write_document(kind, document, Writing(Issues(), {}))
    (entry,) = written[kind.array]
    assert entry
    assert kind.required in {"", *entry}


@pytest.mark.parametrize("old_names", [False, True])
def test_keys_of_2025_are_written_on_request_only(old_names: bool):
    document = PhysicsDocument(wheels=[Wheel(max_propulsion_force=5.0)])
    options = {"old_names": True} if old_names else {}
    written = omi_vehicle.write_document(
        omi_vehicle.WHEEL, document, Writing(Issues(), {}), **options
    )
    (wheel,) = written["wheels"]
    assert wheel["maxPropulsionForce"] == 5.0
    assert ("maxForce" in wheel) is old_names
