"""The page that plays, in a browser without a network, and its reader against the preview."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from omi_physics_addon.files import playing
from tools import environment
from tools.engines import acceptance, player_acceptance, player_pages
from tools.engines.engine_clients import MissingError

EXAMPLES = sorted((environment.ROOT / "examples").glob("*.glb"))
HOSTILE = "<img src=x onerror='window.hostile=1'></script><script>window.hostile=1</script>"


@pytest.fixture(scope="module", autouse=True)
def sources() -> Path:
    try:
        return player_pages.set_up()
    except MissingError as problem:
        pytest.skip(str(problem))


@pytest.fixture
def opened(tmp_path: Path):
    """What opens pages of files."""

    def open_files(*files: Path, **how) -> list[player_pages.Opened]:
        try:
            return player_pages.open_pages([player_pages.make(f, tmp_path) for f in files], **how)
        except MissingError as problem:
            pytest.skip(str(problem))

    return open_files


def is_quiet(one: player_pages.Opened) -> bool:
    return not (one.failed or one.errors or one.requests or one.wrong)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_plays_without_an_error(opened, file):
    (found,) = opened(file)
    assert is_quiet(found), found
    assert found.bodies


@pytest.mark.parametrize("size", [player_pages.DESKTOP, player_pages.PHONE])
def test_every_control_does_what_it_says(opened, size):
    files = [file for file in EXAMPLES if file.stem in ("vehicles", "joints")]
    for found in opened(*files, size=size, controls=True, seconds=0.5):
        assert is_quiet(found), found


def test_words_of_a_file_are_only_read(opened, tmp_path):
    path = tmp_path / "a.gltf"
    body = {"OMI_physics_body": {"motion": {"type": HOSTILE}, "trigger": {"shape": 0}}}
    said = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": HOSTILE, "extensions": body}],
        "extensions": {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {}}]}},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
    }
    path.write_text(json.dumps(said), encoding="utf-8")
    (found,) = opened(path, controls=True, seconds=0.1)
    assert is_quiet(found), found
    assert HOSTILE in found.text


def test_a_file_that_cannot_be_read_says_why_and_where(opened, tmp_path):
    """What Python lets through and the page cannot play: a page by others, with a broken file."""
    page = player_pages.make(EXAMPLES[0], tmp_path)
    plain = playing.PLAYER.read_text(encoding="utf-8")
    report = {"name": "broken.gltf", "tree": [], "issues": [], "missing": []}
    broken = {"asset": {"version": "1.0"}}
    for mark, content in (("@REPORT@", report), ("@ASSET@", broken)):
        plain = plain.replace(mark, playing.as_base64(json.dumps(content).encode()), 1)
    page.write_text(plain, encoding="utf-8")
    (found,) = player_pages.open_pages([page])
    assert "/asset/version: the version of glTF is" in found.failed
    assert found.failed in found.text
    assert not found.requests


def test_bodies_are_where_the_preview_has_them(tmp_path):
    """Of an example; scenes of our own are in the measure, with formulas for them."""
    acceptance.enable()
    (scene,) = (scene for scene in acceptance.EXAMPLES if scene.name == "joints")
    try:
        (found,) = player_acceptance.compare([scene], tmp_path)
    except MissingError as problem:
        pytest.skip(str(problem))
    assert found.same, found


def test_the_reader_passes_its_own_tests(sources):
    files = sorted(str(each) for each in (sources / "reader" / "test").glob("*.test.js"))
    done = subprocess.run(
        ["node", "--test", *files], cwd=sources, capture_output=True, text=True, timeout=1200
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_page_is_that_of_its_sources(sources, tmp_path):
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=sources, check=True, timeout=480)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in playing.PLAYER.parent.iterdir()}
    assert made == kept


def test_sources_name_no_registry():
    lock = (player_pages.HOME / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
