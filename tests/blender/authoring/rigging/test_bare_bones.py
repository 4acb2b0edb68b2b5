"""Ragdolls of skeletons without a mesh are as thick and heavy as people and animals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon.blender.base.hierarchy import body_of
from tests.blender.operators.rigging.test_make_ragdoll import (
    RAGDOLL,
    links,
    made,
    masses,
    named,
    update,
)
from tests.blender.operators.test_bodies import run, select
from tests.blender.support.scenes import add
from tests.blender.support.skeletons import skeleton

# Dempster's table: each part alone, of the mass of a person.
SHARES = {"UpLeg": 0.1, "Leg": 0.0465, "Foot": 0.0145, "Arm": 0.028, "ForeArm": 0.016}
TRUNK = {
    "rigify": ("DEF-spine", "DEF-spine.001", "DEF-spine.003"),
    "mixamo": ("mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine2"),
}


def bare(kind: str, **options: Any) -> dict[str, float]:
    """The masses of a ragdoll of a skeleton without its mesh, by bone, kg."""
    made(kind, is_bare=True, **options)
    return masses()


def ragdoll(rig: Any, **options: Any) -> dict[str, float]:
    """The masses of a ragdoll, by bone, kg."""
    select(rig)
    assert run(RAGDOLL, **options) == {"FINISHED"}
    update()
    return masses()


def built(rows: Sequence[tuple[str, str, Any, Any]]) -> Any:
    """An armature of bones: name, parent, head and tail."""
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in rows:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = head, tail, rig.data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    update()
    return rig


def box(bone: str) -> Any:
    """The lowest and the highest corner (2, 3) of a capsule in the world."""
    obj = named(f"{bone} Physics")
    shape, scale = obj.omi_physics.collider.shape, obj.matrix_world.median_scale
    place = obj.matrix_world @ shape.location
    half = obj.matrix_world.to_3x3() @ shape.rotation.to_matrix().col[2]
    half = np.abs(np.array(half)) * shape.capsule.height / 2.0
    reach = half + shape.capsule.radius_top * scale
    return np.array((np.array(place) - reach, np.array(place) + reach))


@pytest.mark.parametrize("kind", ["rigify", "mixamo"])
def test_half_of_a_person_is_trunk_and_limbs_have_their_shares(kind: str) -> None:
    found = bare(kind)
    total = sum(found.values())
    assert 50.0 < total < 80.0  # 1.75 m high, with arms and legs that are a little short.
    assert sum(found[name] for name in TRUNK[kind]) == pytest.approx(0.497 * total, rel=1e-3)
    if kind == "mixamo":
        for part, share in SHARES.items():
            assert found[f"mixamorig:Left{part}"] == pytest.approx(share * total, rel=1e-3)
            assert found[f"mixamorig:Right{part}"] == pytest.approx(share * total, rel=1e-3)
    for name, other in links().items():
        assert max(found[name], found[other]) < 10.0 * min(found[name], found[other])


def test_chest_and_pelvis_are_as_wide_as_shoulders_and_hips() -> None:
    bare("rigify")
    hips, chest = box("DEF-spine"), box("DEF-spine.003")
    assert np.ptp(chest[:, 0]) == pytest.approx(0.34, rel=0.02)  # The upper arms are 0.34 m apart.
    assert 0.3 < np.ptp(hips[:, 0]) < 0.36
    for found in (hips, chest):
        assert 0.15 < np.ptp(found[:, 1]) < 0.3
        assert found[:, 0].sum() == pytest.approx(0.0, abs=1e-3)


def test_a_person_weighs_about_what_the_mesh_of_one_says() -> None:
    without = bare("rigify")
    bpy.ops.wm.read_homefile(use_empty=True)
    found = ragdoll(skeleton("rigify"))
    for name, mass in found.items():
        assert 0.6 < without[name] / mass < 1.4, name


def test_mass_and_density_scale_people() -> None:
    found = bare("rigify", mass=70.0)
    assert sum(found.values()) == pytest.approx(70.0, rel=1e-3)
    bpy.ops.wm.read_homefile(use_empty=True)
    light = bare("rigify", density=500.0)
    bpy.ops.wm.read_homefile(use_empty=True)
    full = bare("rigify")
    assert light == pytest.approx({name: mass / 2.0 for name, mass in full.items()}, rel=1e-3)


def test_where_the_mass_is_does_not_depend_on_how_bones_are_cut() -> None:
    """MakeHuman has two bones in each limb, and a root without a telling name for a pelvis."""
    legs: list[Any] = []
    for side, x in (("L", 1.0), ("R", -1.0)):
        for name, parent, head, tail in (
            ("pelvis", "root", (0, 0, 0.95), (0.1, 0, 0.93)),
            ("upperleg01", "pelvis", (0.1, 0, 0.93), (0.1, 0, 0.7)),
            ("upperleg02", "upperleg01", (0.1, 0, 0.7), (0.1, 0, 0.5)),
            ("lowerleg01", "upperleg02", (0.1, 0, 0.5), (0.1, 0, 0.3)),
            ("lowerleg02", "lowerleg01", (0.1, 0, 0.3), (0.1, 0, 0.1)),
            ("foot", "lowerleg02", (0.1, 0, 0.1), (0.1, -0.12, 0.02)),
            ("clavicle", "spine01", (0.02, 0, 1.42), (0.17, 0, 1.42)),
            ("upperarm01", "clavicle", (0.17, 0, 1.42), (0.3, 0, 1.3)),
            ("upperarm02", "upperarm01", (0.3, 0, 1.3), (0.36, 0, 1.24)),
            ("lowerarm01", "upperarm02", (0.36, 0, 1.24), (0.45, 0, 1.1)),
            ("lowerarm02", "lowerarm01", (0.45, 0, 1.1), (0.54, 0, 1.03)),
            ("wrist", "lowerarm02", (0.54, 0, 1.03), (0.6, 0, 0.96)),
        ):
            above = parent if parent in ("root", "spine01") else f"{parent}.{side}"
            ends = [(x * end[0], *end[1:]) for end in (head, tail)]
            legs.append((f"{name}.{side}", above, *ends))
    trunk = [
        ("root", "", (0, 0, 0.95), (0, 0, 1.0)),
        ("spine02", "root", (0, 0, 1.0), (0, 0, 1.08)),
        ("spine01", "spine02", (0, 0, 1.3), (0, 0, 1.45)),
        ("head", "spine01", (0, 0, 1.52), (0, 0, 1.72)),
    ]
    found = ragdoll(built([*trunk, *legs]))
    total = sum(found.values())
    assert found["root"] + found["spine01"] == pytest.approx(0.497 * total, rel=1e-3)
    assert found["upperleg01.L"] == pytest.approx(0.1 * total, rel=1e-3)
    assert found["head"] == pytest.approx(0.081 * total, rel=1e-3)
    low, high = box("upperleg01.L")[:, 2]
    assert (low, high) == pytest.approx((0.5, 0.93), abs=0.005)


def test_an_animal_is_mostly_trunk_as_wide_as_its_legs_stand() -> None:
    found = bare("animal")
    total = sum(found.values())
    assert 0.6 < (found["pelvis"] + found["chest"]) / total < 0.9
    for name in ("pelvis", "chest"):
        assert 0.25 < np.ptp(box(name)[:, 0]) < 0.4  # The legs are 0.2 m apart.
    assert found["thigh.L"] == pytest.approx(found["thigh.R"], rel=1e-3)


def test_a_trunk_of_one_bone_reaches_from_hind_legs_to_forelegs() -> None:
    legs = [
        (f"{name}.{side}", parent, (x, y, 0.6), (x, y, 0.3))
        for side, x in (("L", 0.15), ("R", -0.15))
        for name, parent, y in (("thigh", "body", 0.5), ("front_thigh", "body", -0.5))
    ]
    found = ragdoll(built([("body", "", (0, 0.5, 0.6), (0, 0.4, 0.6)), *legs]))
    low, high = box("body")
    assert (low[1], high[1]) == pytest.approx((-0.5, 0.5), abs=0.01)
    assert found["body"] > 5.0 * found["thigh.L"]


def test_bones_that_no_name_tells_of_are_slim_and_alike() -> None:
    rows = [
        (f"Bone.{i}", f"Bone.{i - 1}", (0, 0.15 * i, 0.1), (0, 0.15 * (i + 1), 0.1))
        for i in range(8)
    ]
    found = ragdoll(built(rows))
    assert len(found) == 8
    assert np.ptp(list(found.values())) < 1e-3
    assert np.ptp(box("Bone.3")[:, 0]) == pytest.approx(2.0 * 0.18 * 0.15, rel=0.02)
    assert all(body_of(named(f"{name} Joint")) for name in links())
