"""What is authored is what engines do, or the report of the export says so.

Scenes of our own and all examples go through all engines at once; see support/clients.py for
where these are, and tools/engines/acceptance.py for what counts as the same.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import pytest

from tests.blender.support import clients
from tools.engines import acceptance, acceptance_table, engine_batches
from tools.engines.acceptance import EXAMPLES, FAMILIES, SCENES, Made
from tools.engines.engine_batches import Godot, MissingError

ALL = {scene.name: scene for scene in [*SCENES, *EXAMPLES]}
SCALED = {
    "body scaled evenly",
    "box scaled unevenly",
    "sphere scaled evenly",
    "sphere scaled unevenly",
    "capsule scaled evenly",
    "cylinder scaled unevenly",
    "tapered capsules as legs, scaled unevenly",
    "body below a scaled empty",
    "body below an unevenly scaled empty",
    "body with a shape beside its origin, scaled",
    "start velocity of a body scaled unevenly",
    "body below a body, scaled and turned",
}
FEWEST = 60  # Scenes of our own.


class Outcome(NamedTuple):
    made: dict[str, Made]
    found: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def outcome(_addon: None, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    clients.runner()  # Skips where there are none.
    folder = tmp_path_factory.mktemp("scenes")
    made = {name: acceptance.make(scene, folder) for name, scene in ALL.items()}
    where = Path(os.environ["OMI_PHYSICS_CLIENTS"])
    try:
        found = {t: acceptance.run(ALL.values(), made, where, t) for t in acceptance.TARGETS}
    except MissingError as error:
        pytest.skip(str(error))
    return Outcome(made, found)


def again(path: Path, family: str) -> bytes:
    """A file after it was imported into Blender and exported as the specification has it."""
    acceptance.empty()
    bpy.ops.import_scene.gltf(filepath=str(path))
    settings = bpy.context.scene.omi_physics.export
    settings.family, settings.write_anyway = family, True
    out = path.with_suffix(".again.glb")
    bpy.ops.export_scene.gltf(filepath=str(out))
    return out.read_bytes()


@pytest.mark.parametrize("target", FAMILIES)
@pytest.mark.parametrize("name", ALL)
def test_it_is_the_same_or_named(outcome: Outcome, name: str, target: str) -> None:
    error, verdicts = outcome.found[target][name]
    assert error == ""
    assert verdicts
    assert [each for each in verdicts if not (each.same or each.told)] == []
    assert all(math.isfinite(each.off) for each in verdicts)


@pytest.mark.parametrize("target", FAMILIES)
@pytest.mark.parametrize("name", ALL)
def test_its_file_holds_what_was_authored(outcome: Outcome, name: str, target: str) -> None:
    files, family = outcome.made[name].files, FAMILIES[target]
    assert again(files[target], family) == again(files[f"SPECIFICATION {family}"], family)


def kept(name: str) -> dict[str, Any]:
    """The results of a scene that the manual is made of."""
    rows = json.loads(acceptance_table.RESULTS.read_text(encoding="utf-8"))["scenes"]
    (row,) = (row for row in rows if row["name"] == name)
    return row


@pytest.mark.parametrize("name", ALL)
def test_the_manual_says_what_happens(outcome: Outcome, name: str) -> None:
    row = kept(name)
    for column, (engine, add_on) in acceptance_table.COLUMNS.items():
        if add_on and engine in outcome.found:
            now = acceptance.state(*outcome.found[engine][name], ALL[name])
            assert (now["state"], now["codes"]) == (row[column]["state"], row[column]["codes"])


def test_scaled_bodies_are_right_in_both_physics_engines_of_godot(outcome: Outcome) -> None:
    """What rolls or hangs on joints is another matter for GodotPhysics3D."""
    where, target = Path(os.environ["OMI_PHYSICS_CLIENTS"]), "GODOT_4"
    scenes = [scene for scene in SCENES if scene.name in SCALED]
    files = [outcome.made[scene.name].files[target] for scene in scenes]
    try:
        runs = engine_batches.play(
            where,
            target,
            files,
            seconds=acceptance.SECONDS,
            rate=60,
            godot=Godot(physics="godot"),
        )
    except MissingError as error:
        pytest.skip(str(error))
    for scene, run in zip(scenes, runs, strict=True):
        found = acceptance.compare(scene, outcome.made[scene.name], target, {60: run})
        assert (scene.name, found[0], all(each.same for each in found[1])) == (scene.name, "", True)
    assert len(scenes) == len(SCALED)


def test_godot_does_the_same_with_our_reader(outcome: Outcome) -> None:
    """Of a file in which nothing is bent; what differs is named in the table."""
    found = {scene.name: outcome.found["GODOT_READER"][scene.name] for scene in SCENES}
    assert [name for name, (error, verdicts) in found.items() if error or not verdicts] == []
    same = [name for name, (_, verdicts) in found.items() if all(each.same for each in verdicts)]
    assert len(same) >= 0.95 * len(SCENES)
    told = [each for _, verdicts in found.values() for each in verdicts if not each.same]
    assert all(each.told for each in told)


def test_robot_and_bridge_are_as_promised(outcome: Outcome) -> None:
    robot = outcome.found["GODOT_4"]["robot"][1]
    assert len(robot) == 10
    assert all(each.same and not each.told for each in robot)


def test_the_page_has_the_results_that_are_kept() -> None:
    results = json.loads(acceptance_table.RESULTS.read_text(encoding="utf-8"))
    page = acceptance_table.PAGE.read_text(encoding="utf-8")
    assert acceptance_table.put(page, acceptance_table.table(results)) == page
    assert results["reasons"] == acceptance_table.reasons(list(ALL.values()))
    assert [row["name"] for row in results["scenes"]] == list(ALL)
    assert len(SCENES) >= FEWEST
    assert "differs" not in {
        row[column]["state"] for row in results["scenes"] for column in ("Godot", "Babylon.js")
    }
