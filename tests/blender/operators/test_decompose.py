"""Convex decomposition in Blender: hulls below objects, by operator, API and command line."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from omi_physics_addon import api
from omi_physics_addon.blender.authoring import fitted_objects
from omi_physics_addon.blender.authoring.decomposition import cutting
from omi_physics_addon.blender.base.mesh_arrays import children_of_all
from omi_physics_addon.blender.operators import decompose
from omi_physics_addon.cli import main
from omi_physics_addon.codec.gltf import containers
from tests.blender.operators.test_bodies import can, run, select
from tests.blender.operators.test_fit import boxes_mesh
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.support.meshes import ring

CUT = "object.omi_physics_decompose"
COARSE: dict[str, Any] = {"concavity": 10.0, "hulls": 12, "hull_vertices": 32}


def torus(name: str = "Ring", mesh: Any = None) -> Any:
    points, triangles = ring(1.0, 0.3, 12, 6)
    if mesh is None:
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points.tolist(), [], triangles.tolist())
    return add(name, mesh)


def below(obj: Any, part: str = "COLLIDER") -> list[Any]:
    return fitted_objects.below(obj, part, children_of_all())


def test_a_body_gets_hulls_in_place_of_its_own_collider():
    obj = torus()
    add_body(obj)
    add_collider(obj, "SPHERE")
    obj.omi_physics.collider.physics_material = "Rubber"
    select(obj)
    assert run(CUT, **COARSE) == {"FINISHED"}
    parts = below(obj)
    assert 4 < len(parts) <= 12
    assert not obj.omi_physics.use_collider
    for part in parts:
        assert part.omi_physics.collider.shape.type == "CONVEX"
        assert len(part.omi_physics.collider.shape.mesh.vertices) <= 32
        assert part.omi_physics.collider.physics_material == "Rubber"
    run(CUT, **COARSE, seed=3)  # Once more takes the places of the first ones.
    assert below(obj)[0] == parts[0]
    assert len({part for part in bpy.data.objects if part.parent == obj}) == len(below(obj))


def test_what_is_convex_gets_one_shape_of_its_own():
    obj = add("Cube", cube_mesh())
    select(obj)
    run(CUT, **COARSE)
    assert not below(obj)
    assert obj.omi_physics.use_collider
    assert obj.omi_physics.collider.shape.type == "CONVEX"


def test_a_chair_of_boxes_that_overlap_is_its_boxes_by_loose_parts():
    places = [(0.0, 0.0, 0.45), (0.0, 0.23, 0.75), (0.21, 0.21, 0.22), (-0.21, 0.21, 0.22)]
    chair = add("Chair", boxes_mesh(*places, size=(0.5, 0.3, 0.6)))
    select(chair)
    run(CUT, source="PARTS")
    parts = below(chair)
    assert len(parts) == len(places)
    for part, place in zip(parts, places, strict=True):
        vertices = part.omi_physics.collider.shape.mesh.vertices
        assert len(vertices) == 8
        corners = np.array([part.matrix_world @ vertex.co for vertex in vertices])
        assert corners.max(axis=0) == pytest.approx(np.array(place) + (0.25, 0.15, 0.3), abs=1e-6)
        assert corners.min(axis=0) == pytest.approx(np.array(place) - (0.25, 0.15, 0.3), abs=1e-6)


def test_hulls_that_were_changed_by_hand_stay(capfd):
    chair = add("Chair", boxes_mesh((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    select(chair)
    run(CUT, source="PARTS")
    first, moved = below(chair)
    moved.location.z += 1.0
    run(CUT, source="PARTS")
    assert "; 1 part edited by hand was kept" in capfd.readouterr().out
    assert moved.location.z == 1.0
    assert moved not in below(chair)
    assert [part.location.x for part in below(chair)] == [0.0, 3.0]
    assert below(chair)[0] == first
    run(CUT, source="PARTS")
    assert "kept" not in capfd.readouterr().out
    assert len(chair.children) == 3


def test_triggers_are_made_of_the_triggers_below():
    obj = torus()
    select(obj)
    run(CUT, **COARSE, part="TRIGGER")
    assert obj.omi_physics.trigger.mode == "BELOW"
    assert len(below(obj, "TRIGGER")) > 4


def test_objects_of_one_mesh_are_cut_once(monkeypatch):
    one = torus("A")
    other = torus("B", one.data)
    asked = list[int]()
    real = cutting.Cutting
    monkeypatch.setattr(
        cutting, "Cutting", lambda pieces, cuts: asked.append(len(pieces)) or real(pieces, cuts)
    )
    select(one, other)
    run(CUT, **COARSE)
    assert asked == [1]
    assert len(below(one)) == len(below(other)) > 4


def test_what_has_no_faces_is_refused():
    select(add("Empty"))
    assert run(CUT) == {"CANCELLED"}


def test_without_the_library_the_button_is_grey(monkeypatch):
    select(torus())
    assert can(CUT)
    monkeypatch.setattr(cutting, "is_here", lambda: False)
    assert not can(CUT)


class Run:
    """The operator with a window, by hand: what it is given is kept."""

    def __init__(self) -> None:
        self.said: list[str] = []
        rna = bpy.ops.object.omi_physics_decompose.get_rna_type()
        for prop in rna.properties:
            setattr(self, prop.identifier, getattr(prop, "default", None))
        for name, value in COARSE.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(decompose.OMIPHYSICS_OT_decompose, name).__get__(self)

    def report(self, _kind: Any, text: str) -> None:
        self.said.append(text)


class Window:
    """The context with a window manager that keeps no operator, as there are no events here."""

    def __init__(self) -> None:
        names = ("event_timer_add", "event_timer_remove", "modal_handler_add", "progress_begin")
        names += ("progress_update", "progress_end")
        self.window_manager = SimpleNamespace(**dict.fromkeys(names, lambda *_, **_more: None))
        self.workspace = SimpleNamespace(status_text_set=lambda _text: None)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


def test_while_it_runs_everything_else_goes_on_and_esc_leaves_no_trace(tmp_path, monkeypatch):
    cutter = tmp_path / "cutter.py"
    cutter.write_text("import time; time.sleep(60)")
    monkeypatch.setattr(cutting, "_CUTTER", cutter)
    select(torus())
    before = set(bpy.data.objects), set(bpy.data.meshes)
    made = Run()
    assert made.invoke(Window(), None) == {"RUNNING_MODAL"}
    key = SimpleNamespace(type="G", value="PRESS")
    assert made.modal(Window(), key) == {"PASS_THROUGH"}
    tick = SimpleNamespace(type="TIMER", value="NOTHING")
    assert made.modal(Window(), tick) == {"PASS_THROUGH"}
    escape = SimpleNamespace(type="ESC", value="PRESS")
    assert made.modal(Window(), escape) == {"CANCELLED"}
    assert (set(bpy.data.objects), set(bpy.data.meshes)) == before


def test_what_is_gone_when_it_is_done_gets_nothing():
    gone, stays = torus("Gone"), torus("Stays")
    select(gone, stays)
    made = Run()
    made.invoke(Window(), None)
    bpy.data.objects.remove(gone)
    made._cutting.wait()
    tick = SimpleNamespace(type="TIMER", value="NOTHING")
    assert made.modal(Window(), tick) == {"FINISHED"}
    assert len(below(stays)) > 4
    assert "convex hulls for Stays, " in made.said[-1]


def test_scripts_have_it():
    obj = torus()
    counts = api.decompose([obj], concavity=0.1, hulls=12)
    assert counts == {"Ring": len(below(obj))}
    with pytest.raises(ValueError, match="vertices is 3, and must be 8 to 255"):
        api.decompose([obj], vertices=3)


def test_the_command_line_has_it_and_gives_the_same_bytes(tmp_path, capsys):
    obj = torus()
    source = tmp_path / "ring.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(source), copy=True)
    capsys.readouterr()  # What Blender says of the file.
    words = ["--fit", "hulls", "--concavity", "10", "--most-hulls", "12", "--body", "dynamic"]
    for name in ("a.glb", "b.glb"):
        code = main.main(["colliders", str(source), str(tmp_path / name), *words, "--json"])
        assert code == 0
        told = json.loads(capsys.readouterr().out)["report"]
    assert told["fitted"][0]["object"] == obj.name
    assert set(told["fitted"][0]["shapes"]) == {"convex"}
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    gltf = containers.read((tmp_path / "a.glb").read_bytes()).json
    assert len(gltf["extensions"]["OMI_physics_shape"]["shapes"]) == len(
        told["fitted"][0]["shapes"]
    )
