"""Which of two parts turn or slide on each other: assemblies with known joints, and others."""

from __future__ import annotations

import time

import numpy as np
import pytest

from omi_physics_addon.geometry.fit.joint_finding import SURE, find, joint_of
from omi_physics_addon.geometry.fit.joint_surfaces import surfaces_of
from omi_physics_addon.geometry.rotations import rotation_matrix
from tests.support import pace
from tests.support.assemblies import ASSEMBLIES, NONE, block, rod, together

TURN = rotation_matrix((0.18, -0.36, 0.54, 0.74))
WAYS = {
    "as it is": (np.eye(3), 1.0),
    "turned": (TURN, 1.0),
    "tiny": (np.eye(3), 0.01),
    "huge and turned": (TURN, 50.0),
}


def moved(mesh, way):
    turn, scale = WAYS[way]
    return surfaces_of(scale * mesh[0] @ turn.T + (1.0, 2.0, 3.0), mesh[1])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ASSEMBLIES)
def test_a_known_joint_is_found(name, way):
    part, other, (kind, place, axis) = ASSEMBLIES[name]
    turn, scale = WAYS[way]
    found = joint_of(moved(part, way), moved(other, way))
    assert found is not None
    assert found.kind == kind
    assert found.confidence >= SURE
    if axis is None:
        assert found.axis is None
    else:
        along = turn @ np.eye(3)[axis]
        assert abs(found.axis @ along) > 0.9999
    if place is not None:
        offset = found.place - (scale * turn @ np.array(place, dtype=float) + (1.0, 2.0, 3.0))
        if axis is not None:  # Anywhere on the line will do.
            offset = offset - (offset @ along) * along
        assert np.linalg.norm(offset) < 0.01 * scale


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NONE)
def test_what_just_touches_gets_nothing_by_itself(name, way):
    part, other = NONE[name]
    found = joint_of(moved(part, way), moved(other, way))
    assert found is None or found.confidence < SURE


def test_a_drawer_comes_out_at_the_front_only():
    part, other, _ = ASSEMBLIES["drawer in a cabinet"]
    found = joint_of(moved(part, "as it is"), moved(other, "as it is"))
    ways = sorted(end * float(found.axis[1]) for end in found.reach)
    assert ways == pytest.approx([-0.4, 0.0])


def test_a_piston_stays_in_its_cylinder():
    wanted = {
        "piston in a cylinder": ([-0.6, 0.32], 0.3),
        "piston on its rod": ([-0.15, 0.75], 0.2),
    }
    for name, (reach, middle) in wanted.items():
        part, other, _ = ASSEMBLIES[name]
        for first, second, sign in ((part, other, 1.0), (other, part, -1.0)):
            found = joint_of(moved(first, "as it is"), moved(second, "as it is"))
            ways = sorted(sign * end * float(found.axis[2]) for end in found.reach)
            assert ways == pytest.approx(reach, abs=0.01)
            # Where the surfaces are in each other.
            assert found.place[2] == pytest.approx(3.0 + middle, abs=0.01)


def test_of_many_parts_each_pair_is_found_with_the_smaller_one_first():
    parts, pairs = [], []
    for number, (part, other, _) in enumerate(ASSEMBLIES.values()):
        for mesh in (other, part):
            parts.append(surfaces_of(mesh[0] + (20.0 * number, 0.0, 0.0), mesh[1]))
        sizes = [float(np.prod(each.size)) for each in parts[-2:]]
        first = 2 * number + (sizes[1] < sizes[0])
        pairs.append((first, 4 * number + 1 - first))
    assert sorted((a, b) for a, b, _ in find(parts)) == sorted(pairs)


def test_damaged_meshes_and_none_at_all_have_no_joints():
    nothing = surfaces_of(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    flat = surfaces_of(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert find([]) == find([nothing]) == find([nothing, flat, nothing]) == []


def test_the_time_grows_as_the_scene_does():
    def seconds(count):
        wheel, _, _ = ASSEMBLIES["gear on a shaft"]
        floor = together(block((-1, -1, -1), (1, 1, 0)), rod((1, 2, 3), 0.2, 2.0))
        begin = time.thread_time()
        parts = [
            surfaces_of(mesh[0] + (5.0 * at, 0.0, 0.0), mesh[1])
            for at in range(count)
            for mesh in (wheel, floor)
        ]
        assert len(find(parts)) == count
        return time.thread_time() - begin

    pace.check_growth(seconds, 10, 80, most=16.0)  # A square would take 64.
