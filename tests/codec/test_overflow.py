"""Numbers that are too large on their way to another family or an engine: told, never written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issues import Issues
from tests.codec.test_fuzz import fuzzed
from tests.engines.babylon.test_deviations import KHR, SHAPES, SOLID, gltf, node
from tests.support.documents import gltf as plain
from tests.support.documents import read, rewrite
from tests.support.random_documents import FAMILIES, FORMS, HUGE, NODES, documents

TARGETS = ("SPECIFICATION", "GODOT_4", "BABYLON")
WANTED = ((), ("OMI",), ("KHR",), ("OMI", "KHR"))
SIZES = [0.0, 1.0, -1.0, 5e-324, 1e-300, 1e-30, 1e30, 1e80, 1e99, -1e99]
vectors = st.lists(st.sampled_from(SIZES), min_size=3, max_size=3)
places = st.fixed_dictionaries({}, optional={"scale": vectors, "translation": vectors})


@st.composite
def huge_files(draw: st.DrawFn) -> dict[str, Any]:
    """A file of a family or both with very large and very small numbers, also in its nodes."""
    form = draw(st.sampled_from(FORMS))
    is_chain = draw(st.booleans())
    below = [[i + 1] if is_chain and i + 1 < NODES else [] for i in range(NODES)]
    empty = plain(*({"children": each} for each in below), mesh_count=2)
    file = rewrite(empty, draw(documents(HUGE, form)), families=FAMILIES[form])
    for each in file["nodes"]:
        each.update(draw(places))
    owners = (file, *file["nodes"])
    used = sorted({name for owner in owners for name in owner.get("extensions", {})})
    roots = [0] if is_chain else list(range(NODES))
    return {**file, "scene": 0, "scenes": [{"nodes": roots}], "extensionsUsed": used}


@fuzzed(20)
@given(huge_files(), st.sampled_from(WANTED), st.sampled_from(TARGETS))
def test_no_file_has_a_number_that_is_none(file, families, target):
    issues = Issues()
    written = rewriting.change(file, issues, WriteOptions(target=engine_of(target)), families).json
    json.dumps(written, allow_nan=False)
    assert "G04" not in read(written)[1].codes()


TURNED = {"scale": [1e20, 1e20, 1e20]}
FLYING = {"motion": {"mass": 1, "linearVelocity": [1e300, 0, 0]}, "collider": SOLID}
OFF = {"motion": {"mass": 1e308, "centerOfMass": [0, 1e20, 0]}, "collider": SOLID}
HEAVY = {"motion": {"mass": 0, "inertiaDiagonal": [0, 1e308, 0]}, "collider": SOLID}
SPRUNG = {"motion": {"mass": 1e-300, "inertiaDiagonal": [1e100] * 3}, "collider": SOLID}
BALL = {"type": "sphere", "sphere": {"radius": 1e300}}


@pytest.mark.parametrize(
    ("source", "target", "families", "told"),
    [
        (gltf(node("A", **HEAVY)), "GODOT_4", (), ["/nodes/0"]),
        (gltf(node("A", **HEAVY)), "SPECIFICATION", ("OMI",), ["/nodes/0"]),
        (gltf(node("A", **SPRUNG), node("B", **SPRUNG)), "BABYLON", (), ["/nodes/0", "/nodes/1"]),
        (gltf(node("A", **OFF)), "BABYLON", (), ["/nodes/0"]),
        (gltf(node("A", below={"scale": [1e-20] * 3}, **FLYING)), "BABYLON", (), ["/nodes/0"]),
        (gltf(node("A", below=TURNED, **FLYING), shapes=[BALL]), "SPECIFICATION", ("OMI",),
         ["shape 0"]),
    ],
    ids=["moment", "moment in OMI", "moments by mass", "away from the center", "velocity", "size"],
)  # fmt: skip
def test_what_became_too_large_is_told_with_its_place(source, target, families, told):
    issues = Issues()
    written = rewriting.change(
        source, issues, WriteOptions(target=engine_of(target)), families
    ).json
    json.dumps(written, allow_nan=False)
    assert [i.pointer for i in issues if i.code == "G04"] == told


def test_what_is_as_large_as_can_be_and_needs_no_change_is_kept():
    source = gltf(node("A", **HEAVY), shapes=[BALL])
    issues = Issues()
    written = rewriting.change(source, issues, WriteOptions()).json
    assert written["nodes"][0]["extensions"][KHR]["motion"]["inertiaDiagonal"] == [0, 1e308, 0]
    assert written["extensions"][SHAPES]["shapes"][0]["sphere"]["radius"] == 1e300
    assert "G04" not in issues.codes()
