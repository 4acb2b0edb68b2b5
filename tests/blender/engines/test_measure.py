"""Loaders that are here do what the table of the measure says; its files are made of scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.engines import acceptance
from tools.measure import columns, make_measure, play
from tools.measure.suite import run

# Three scenes that each loader gets, and some of several parts.
WORDS = "hinge about X"
SCENES = ("box", "hull", "friction, average", "car at rest, 900 kg", "rope, hanging")


@pytest.mark.parametrize("title", columns.COLUMNS)
def test_a_loader_does_what_the_table_says(title: str) -> None:
    try:
        found = columns.measure(title, WORDS)
    except columns.MissingError as problem:
        pytest.skip(str(problem))
    kept = {one["name"]: one for one in columns.kept()[title]}
    assert len(found) == 3
    assert [one["state"] for one in found] == [kept[one["name"]]["state"] for one in found]


@pytest.fixture(scope="module")
def remade(_addon: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """Some scenes, made anew without any engine."""
    folder = tmp_path_factory.mktemp("measure")
    chosen = [scene for scene in make_measure.chosen() if scene.name in SCENES]
    assert len(chosen) == len(SCENES)
    return folder, make_measure.make(chosen, folder, None)


def test_files_are_those_of_the_scenes(remade: tuple[Path, list[Any]]) -> None:
    folder, _ = remade
    made = {path.relative_to(folder): path.read_bytes() for path in folder.glob("files/*/*")}
    kept = {path: (make_measure.FOLDER / path).read_bytes() for path in made}
    assert made == kept
    assert len(made) > len(SCENES)


def test_what_is_expected_is_what_the_scenes_say(remade: tuple[Path, list[Any]]) -> None:
    said = run.read(make_measure.FOLDER)
    kept = [scene for scene in said["scenes"] if scene["name"] in SCENES]
    assert json.loads(json.dumps(remade[1])) == kept
    assert said["leftOut"] == {why: list(names) for why, names in make_measure.LEFT_OUT.items()}
    every = [scene["name"] for scene in said["scenes"]]
    every += [name for names in make_measure.LEFT_OUT.values() for name in names]
    assert sorted(every) == sorted(scene.name for scene in acceptance.SCENES)


def test_a_loader_that_is_not_here_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DESKTOP_ROOT", str(tmp_path))
    for name in ("GODOT", play.CLIENTS, "CHROMIUM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    job = tmp_path / "job.json"
    asked = {"files": [], "seconds": 3.0, "perSecond": 10, "out": str(tmp_path / "out.json")}
    job.write_text(json.dumps(asked), encoding="utf-8")
    for engine in ("godot", "godot-importer", "babylon", "rapier", "page"):
        assert play.main([engine, str(job)]) == 2
        assert capsys.readouterr().err.startswith("error: there ")
    with pytest.raises(columns.MissingError, match="there are no engines of others"):
        columns.measure("Babylon.js", WORDS)


def test_engines_agree_on_what_is_the_same_alone() -> None:
    scene = next(scene for scene in acceptance.SCENES if not scene.rests)
    path = [(0.1 * i, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0) for i in range(31)]
    near = [(x, 0.04, *more) for x, _, *more in path]
    turned = [(*pose[:3], 0.0, 0.0, 1.0, 0.0) for pose in path]
    far = [(x, 0.5, *more) for x, _, *more in path]
    agreed = make_measure.agree(scene, {"preview": {"A": far}, "babylon": {"A": path}})
    assert agreed is None
    runs = {"preview": {"A": far}, "babylon": {"A": path}, "godot": {"A": near}}
    agreed = make_measure.agree(scene, runs)
    assert agreed is not None
    assert (agreed.engines, agreed.apart) == (("babylon", "godot"), pytest.approx(0.04))
    assert agreed.bodies["A"][10] == pytest.approx((1.0, 0.02, 0.0, 0.0, 0.0, 0.0, 1.0))
    agreed = make_measure.agree(scene, {"preview": {"A": path}, "babylon": {"A": turned}})
    assert agreed is not None
    assert agreed.bodies["A"][10] == pytest.approx((1.0, 0.0, 0.0))  # Without rotations.
    assert make_measure.agree(scene, {"preview": {"A": path}, "babylon": {"B": path}}) is None
