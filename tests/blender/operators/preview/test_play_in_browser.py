"""Play in Browser: `scene.omi_physics_play_in_browser`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.operators.preview import play_in_browser
from omi_physics_addon.blender.panels import menus
from omi_physics_addon.files import playing
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tests.files.test_playing import asset_of, report_of
from tools import environment

JOINTS = environment.ROOT / "examples" / "joints.glb"


def crate() -> Any:
    obj = add("Crate", cube_mesh())
    add_body(obj)
    add_collider(obj)
    return obj


def test_the_scene_is_written_to_a_page_and_to_nothing_else():
    crate()
    before = {*Path(bpy.app.tempdir).rglob("*.glb")}
    assert bpy.ops.scene.omi_physics_play_in_browser() == {"FINISHED"}
    page = Path(bpy.app.tempdir) / "omi_physics_player.html"
    assert report_of(page.read_bytes())["cost"]["bodies"] == 1
    assert asset_of(page.read_bytes()).startswith(b"glTF")
    assert {*Path(bpy.app.tempdir).rglob("*.glb")} == before


def test_a_scene_with_errors_plays_all_the_same():
    crate().omi_physics.motion.mass = 0.0  # With which an export writes nothing.
    made, _ = play_in_browser.write_scene()
    assert made.found.cost.bodies == 1


def test_a_file_is_played_without_the_scene():
    assert bpy.ops.scene.omi_physics_play_in_browser(filepath=str(JOINTS)) == {"FINISHED"}
    page = Path(bpy.app.tempdir) / "omi_physics_player.html"
    assert report_of(page.read_bytes())["name"] == "joints.glb"


def test_what_is_no_gltf_is_refused_with_its_name(tmp_path):
    path = tmp_path / "none.glb"
    path.write_bytes(b"no glTF")
    with pytest.raises(RuntimeError, match=r"none\.glb: the text is not JSON"):
        bpy.ops.scene.omi_physics_play_in_browser(filepath=str(path))


@pytest.mark.parametrize("opens", [True, False])
def test_a_browser_is_opened_or_the_page_is_named(monkeypatch, opens):
    opened: list[str] = []
    reports: list[tuple[set[str], str]] = []
    monkeypatch.setattr(
        play_in_browser.bpy, "app", SimpleNamespace(background=False, tempdir=bpy.app.tempdir)
    )
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or opens)
    made = SimpleNamespace(found=playing.player_page(_source()).found)
    monkeypatch.setattr(play_in_browser, "write_scene", lambda: (made, Path("/pages/a.html")))
    operator: Any = SimpleNamespace(filepath="", report=lambda *told: reports.append(told))
    ended = play_in_browser.OMIPHYSICS_OT_play_in_browser.execute(operator, bpy.context)
    assert opened == ["file:///pages/a.html"]
    assert ended == ({"FINISHED"} if opens else {"CANCELLED"})
    assert opens or "/pages/a.html" in reports[0][1]


def _source():
    from omi_physics_addon.files import source

    return source.read(JOINTS)


def test_it_is_in_the_menu_of_files():
    shown: list[str] = []
    layout = SimpleNamespace(
        separator=lambda: None, operator=lambda name, text="": shown.append(name)
    )
    menus.draw_file_menu(SimpleNamespace(layout=layout), bpy.context)
    assert shown == ["scene.omi_physics_play_in_browser", "scene.omi_physics_play_in_engine"]
