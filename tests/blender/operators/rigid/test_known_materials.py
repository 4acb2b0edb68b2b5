"""Friction, bounce and density of known materials."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_addon.model.known_surfaces import KNOWN
from tests.blender.support.operator_scenes import cubes, obj, physics, scene_lists, select
from tools.architecture import ROOT


def use(material: str, **options: bool) -> set[str]:
    return bpy.ops.object.omi_physics_known_material(material=material, **options)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_values(known):
    cubes("motion", "collider")()
    use(known.name.upper().replace(" ", "_"))
    (entry,) = scene_lists().physics_materials
    assert physics("A").collider.physics_material == entry.name == known.name
    assert entry.static_friction == pytest.approx(known.static)
    assert entry.dynamic_friction == pytest.approx(known.dynamic)
    assert entry.restitution == pytest.approx(known.restitution or 0.0)
    motion = physics("A").motion
    assert motion.mass_mode == ("VALUE" if known.density is None else "DENSITY")
    assert known.density is None or motion.density == pytest.approx(known.density)


def test_one_entry_for_all_and_no_density_for_what_does_not_move():
    cubes("motion", "collider")()
    physics("B").motion.type = "STATIC"
    use("WOOD")
    use("WOOD")
    assert len(scene_lists().physics_materials) == 1
    assert physics("A").motion.mass_mode == "DENSITY"
    assert physics("B").motion.mass_mode == "VALUE"
    use("STEEL", use_density=False)
    assert physics("A").motion.density == pytest.approx(600.0)


def test_without_colliders():
    cubes()()
    assert use("ICE") == {"CANCELLED"}
    assert not scene_lists().physics_materials


def test_a_body_weighs_what_its_parts_are_made_of():
    cubes("collider")()
    physics("Rest").use_motion = True
    obj("A").parent = obj("Rest")
    select("A")
    use("ICE")
    assert physics("Rest").motion.density == pytest.approx(917.0)


def test_the_manual_has_every_value_and_source():
    page = (ROOT / "docs/bringing_over.md").read_text(encoding="utf-8")
    for known in KNOWN:
        row = next(line for line in page.splitlines() if line.startswith(f"| {known.name} |"))
        cells = [cell.strip() for cell in row.strip("| ").split("|")]
        bounce = "" if known.restitution is None else f"{known.restitution:g}"
        density = "" if known.density is None else f"{known.density:g}"
        assert cells[1:6] == [known.on, f"{known.static:g}", f"{known.dynamic:g}", bounce, density]
        assert known.friction_source in page
