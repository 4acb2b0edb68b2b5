"""Short runs of tools/random_runs/random_run.py, and that it tells faults."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from tests.blender.support.screens import blender, copy_project, screen
from tools import programs
from tools.random_runs import random_exchange, random_inside, random_run, random_scene
from tools.random_runs.blender_dump import differences, dump
from tools.random_runs.random_inside import Run

SECONDS = 900  # That a window may take.


def test_a_short_run_without_a_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same on every machine, as steps and not seconds are counted."""
    folder = str(tmp_path)
    limits = ["--module", "--minutes", "60", "--steps", "60", "--seed", "66", "--folder", folder]
    code = random_run.main(limits)
    said = capsys.readouterr().out
    assert code == 0, said
    steps = random_run.told(tmp_path)
    assert said.splitlines()[0].startswith("seed 66, ")
    assert said.splitlines()[-1].endswith("1 starts of Blender, 0 faults")
    assert {"start", "stop", "redo", "fail", "damage", "bake"} <= set(steps)
    assert steps.count("  compared: 0 differences") >= 3


def test_a_short_run_in_a_window(tmp_path: Path) -> None:
    command = shlex.join(blender())
    copy_project(tmp_path, "examples")
    limits = ["--minutes", "0.5", "--seed", "7", "--folder", "run", "--blender", command]
    with screen(tmp_path) as around:
        words = [sys.executable, "tools/random_runs/random_run.py", *limits]
        said = programs.run(words, tmp_path, around, seconds=SECONDS, may_fail=True)
    if "Unable to open a display" in said:
        pytest.skip("Blender has no window here")
    assert said.splitlines()[-1].endswith(", 0 faults"), said
    assert "start" in random_run.told(tmp_path / "run")


# What it finds


@pytest.mark.parametrize(
    ("said", "code", "wrong"),
    [
        ("all is well\n", 0, None),
        ("", None, "it hung"),
        ("last words\n", -11, "it ended with -11"),
        ("FAULT after stop: x\n", 0, "FAULT after stop: x"),
        ("Traceback (most recent call last):\n  File\nKeyError: 3\n", 0, "an error: KeyError: 3"),
        ("Traceback (most recent call last):\n  File\nInjectedError: on purpose\n", 0, None),
        (
            "Traceback (most recent call last):\n  File\nInjectedError: on purpose\n"
            "Traceback (most recent call last):\n  File\n    x\nValueError\n",
            0,
            "an error: ValueError",
        ),
    ],
)
def test_what_it_takes_for_a_fault(
    said: str, code: int | None, wrong: str | None, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    log.write_text(said, encoding="utf-8")
    assert [*random_run.found_in(log, code), None][0] == wrong


def judged(run: Run, capsys: pytest.CaptureFixture[str]) -> str:
    run.judge()
    return capsys.readouterr().out


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path, 1, 1.0, 1)


def test_a_change_of_the_artists_data_is_told(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    random_scene.body("Box", (0.0, 0.0, 0.0))
    run.expect()
    assert judged(run, capsys) == ""
    run.expect()
    bpy.data.objects["Box"].location.x = 1.0
    assert "FAULT after : /objects/Box/location" in judged(run, capsys)


def test_the_last_digits_of_what_is_computed_are_no_change() -> None:
    before = {"location": [0.1], "matrix_world": [[0.1, 5.0]], "dimensions": [0.5599999]}
    assert differences(before, {**before, "dimensions": [0.56]}) == []
    assert differences(before, {**before, "matrix_world": [[0.100008, 5.0]]}) == []
    assert len(differences(before, {**before, "matrix_world": [[0.1001, 5.0]]})) == 1
    assert len(differences(before, {**before, "dimensions": [0.56, 0.0]})) == 1
    assert len(differences(before, {**before, "location": [0.1000001]})) == 1


def test_what_is_not_where_its_place_says_is_told(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    random_scene.body("Box", (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.data.objects["Box"].location.x = 1.0
    run.expect()
    assert (
        "FAULT after : Box, at (0.0, 0.0, 0.0) for (1.0, 0.0, 0.0), is not where its place says"
        in judged(run, capsys)
    )
    run.expect()
    assert judged(run, capsys) == ""


def test_what_a_step_changes_on_purpose_is_expected(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    random_scene.body("Box", (0.0, 0.0, 0.0))
    run.expect()
    run.edit(lambda: setattr(bpy.data.objects["Box"].omi_physics.motion, "mass", 5.0))
    assert judged(run, capsys) == ""


def test_what_is_left_of_a_preview_is_told(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random_scene.body("Box", (0.0, 0.0, 0.0))
    scene: Any = bpy.context.scene
    player.start(scene, PreviewOptions())
    assert judged(run, capsys) == ""
    with monkeypatch.context() as lost:
        lost.setattr(player, "_running", None)
        said = judged(run, capsys)
    player.stop()
    assert "something of a preview is left" in said
    assert "is left, waiting" in said


def test_an_exception_of_an_operator_is_a_fault(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_run: Run) -> Any:
        raise RuntimeError("Error: Python: Traceback (most recent call last):\n  KeyError")
        yield 0.0

    def refuses(_run: Run) -> Any:
        raise RuntimeError("Error: Nothing to play")
        yield 0.0

    list(run.step(refuses))
    assert capsys.readouterr().out == ""
    list(run.step(fails))
    assert "FAULT after fails: Error: Python: Traceback" in capsys.readouterr().out


def test_the_scene_has_one_of_each_kind() -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    random_scene.fill()
    scene: Any = bpy.context.scene
    session = player.start(scene, PreviewOptions())
    try:
        session.step(5)
        assert session.error == ""
        assert session.world.joints
        assert session.forces.triggers is not None
        assert session.driver.names == ("Ship",)
        assert any(session.instanced)
        assert scene.rigidbody_world.point_cache.is_baked
    finally:
        player.stop()
    assert dump()["scenes/Other"]


def test_steps_can_be_made_where_no_window_plays(run: Run) -> None:
    random_scene.body("Box", (0.0, 0.0, 5.0))
    scene: Any = bpy.context.scene
    session = player.start(scene, PreviewOptions())
    run.go_on(0.1)
    assert session.frame == 1 + session.options.rate // 10
    run.is_held = True
    run.go_on(0.1)
    assert session.frame == 1 + session.options.rate // 10
    run.is_held = False
    session.error = "of all things"
    run.go_on(0.1)
    assert player.running() is None
    assert random_inside.HAS_WINDOW is False


@pytest.mark.parametrize("place", ["SCENE", "COPY"])
@pytest.mark.parametrize("name", ["export", "bring_in", "edit_lists"])
def test_exchange_while_a_preview_runs_has_no_fault(
    name: str, place: Any, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    random_scene.body("Box", (0.0, 0.0, 5.0))
    scene: Any = bpy.context.scene
    bpy.context.view_layer.update()
    run.expect()
    player.start(scene, PreviewOptions(place=place))
    for _ in run.step(getattr(random_exchange, name)):
        pass
    assert (player.running() is None) == (name != "edit_lists")
    player.stop()
    run.judge()
    assert "FAULT" not in capsys.readouterr().out


def test_an_export_of_the_preview_is_a_fault(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random_scene.body("Box", (0.0, 0.0, 5.0))
    scene: Any = bpy.context.scene
    player.start(scene, PreviewOptions(place="COPY"))
    with monkeypatch.context() as lost:
        lost.setattr(player, "stop_for", lambda _why: None)
        for _ in run.step(random_exchange.export):
            pass
    player.stop()
    assert "an export leaves the preview running" in capsys.readouterr().out


@pytest.mark.parametrize(("needs", "copies"), [(True, True), (False, False)])
def test_some_scenes_need_no_copies(needs: bool, copies: bool) -> None:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    random_scene.fill(needs_copies=needs)
    scene: Any = bpy.context.scene
    session = player.start(scene, PreviewOptions(place="SCENE"))
    assert bool(session.why_copies) == copies
    player.stop()
