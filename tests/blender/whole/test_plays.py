"""The plays of play_scenes.py: without a window here, and as one has recorded them."""

from __future__ import annotations

import gzip
from dataclasses import replace

import bpy
import pytest

from omi_physics_addon.blender.preview import player, recorder
from tests.blender.support.screens import copy_project, run_in_window
from tools import environment
from tools.examples import make_examples, play_scenes

NAMES = tuple(play_scenes.PLAYS)
RATE, SUBSTEPS = 60, 4
RECORDINGS = environment.ROOT / "docs" / "plays"
IMAGES = environment.ROOT / "docs" / "images"
BIGGEST = 250_000  # Bytes of a picture.
SECONDS = 1800  # That a window may take.


pytestmark = pytest.mark.usefixtures("stopped_preview")


def started(name: str, gravity: float | None = None):
    """The preview of an example; with other factors of gravity, if some are given."""
    path = make_examples.EXAMPLES / f"{name}.blend"
    bpy.ops.wm.open_mainfile(filepath=str(path), use_scripts=False)
    for obj in bpy.context.scene.objects if gravity is not None else ():
        obj.omi_physics.motion.gravity_factor = gravity
    seconds = play_scenes.PLAYS[name].seconds
    return player.start(bpy.context.scene, recorder.options(RATE, SUBSTEPS, seconds))


def performed(name: str, session) -> play_scenes.Film:
    """What is recorded of a play."""
    text = play_scenes.text_of(play_scenes.perform(name, session))
    return play_scenes.Film(text, session.world.joints)


@pytest.mark.parametrize("name", NAMES)
def test_a_play_goes_well(name):
    film = performed(name, started(name))
    assert film.times[-1] == pytest.approx(play_scenes.PLAYS[name].seconds, abs=0.02)
    play_scenes.PLAYS[name].check(film)


@pytest.mark.parametrize("name", NAMES)
def test_a_play_is_checked(name, monkeypatch):
    """Nothing that floats, and is left too early, passes."""
    short = replace(play_scenes.PLAYS[name], seconds=1.0)
    monkeypatch.setitem(play_scenes.PLAYS, name, short)
    film = performed(name, started(name, gravity=0.0))
    with pytest.raises(AssertionError):
        short.check(film)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_window_recorded(name):
    """The same figures, of the play that the pictures are of."""
    text = gzip.decompress((RECORDINGS / f"{name}.json.gz").read_bytes()).decode("utf-8")
    session = started(name)
    film = play_scenes.Film(text, session.world.joints)
    assert film.names == [session.names[body.node] for body in session.world.bodies]
    assert film.times[-1] == pytest.approx(play_scenes.PLAYS[name].seconds, abs=0.2)
    play_scenes.PLAYS[name].check(film)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_small(name):
    assert 20_000 < (IMAGES / f"play_{name}.png").stat().st_size < BIGGEST


def test_the_moving_picture_is_small_and_moves():
    data = (IMAGES / "play_car.gif").read_bytes()
    assert data.startswith(b"GIF89a")
    assert len(data) < 2 * BIGGEST
    assert data.count(b"\x21\xf9\x04") == 50  # Pictures, by the block before each.


def test_a_window_plays_by_keys(tmp_path):
    copy_project(tmp_path, "examples")
    (tmp_path / "docs").mkdir()
    words = ("tools/examples/plays.py", "--plain", "car")
    said = run_in_window(tmp_path, *words, seconds=SECONDS, size=(480, 320))
    assert 'car: {"gone, m": ' in said, said
    assert (tmp_path / "docs" / "plays" / "car.json.gz").is_file()
    assert (tmp_path / "docs" / "images" / "play_car.png").is_file()
