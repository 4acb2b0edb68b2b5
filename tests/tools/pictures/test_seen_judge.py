"""What is lost on the way to an engine is noticed, and what is only rounded is not."""

import numpy as np
import pytest

from tests.tools.pictures.test_silhouettes import picture
from tools import environment
from tools.pictures import seen_judge
from tools.pictures.seen_files import Box, Made

BOX = Box("Box", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
AT = (slice(100, 160), slice(100, 160))
FLOOR = (0, slice(0, 320), slice(0, 480))


def moved(x, name="Box"):
    return Box(name, (x, 0.0, 0.0), (x + 1.0, 1.0, 1.0))


@pytest.fixture
def made(tmp_path):
    names = {"Floor": 0, "Box": 1, "Ball": 2}
    told = {"GODOT_4": [("X49", "Box")], "BABYLON": [("L15", "Box")]}
    return Made(tmp_path, "room", names, [BOX, moved(3.0)], {}, True, told)


@pytest.fixture
def show(made):
    """Let Blender and an engine show something, in both pictures."""

    def write(blender, engine):
        for time in ("start", "later"):
            made.picture("blender", time).write_bytes(blender.tobytes())
            made.picture("GODOT_4", time).write_bytes(engine.tobytes())

    return write


def test_what_is_there_is_not_lost():
    assert seen_judge.lost([BOX, moved(3.0)], [moved(3.01, "Other"), BOX]) == []


@pytest.mark.parametrize("found", [[], [moved(0.1)], [Box("Box", BOX.low, (1.0, 1.0, 1.2))]])
def test_what_is_elsewhere_or_of_another_size_is_lost(found):
    assert seen_judge.lost([BOX], found) == ["Box"]


def test_one_box_stands_for_one():
    assert seen_judge.lost([BOX, BOX._replace(name="Twin")], [BOX]) == ["Twin"]


def test_counts_add_up(made):
    boxes = {("room", "GODOT_4"): made.seen, ("room", "SPECIFICATION"): None}
    counts = seen_judge.count([made], boxes)
    assert counts.totals == {"GODOT_4": (2, 2), "SPECIFICATION": (0, 2)}
    assert counts.lines == ["room for SPECIFICATION: seen 0 of 2; not: Box, Box"]


def differing(made):
    return [(d.about, d.time) for d in seen_judge.differences(made, "GODOT_4")]


def test_the_same_pictures_do_not_differ(made, show):
    same = picture(FLOOR, (1, *AT))
    show(same, same)
    assert differing(made) == []
    assert seen_judge.compare([made], ["GODOT_4"], {}, made.folder) == []


def test_a_body_that_is_not_seen_differs_and_its_pictures_are_kept(made, show, tmp_path):
    show(picture(FLOOR, (1, *AT)), picture(FLOOR))
    assert differing(made) == [("Box", "start")]
    lines = seen_judge.compare([made], ["GODOT_4"], {}, tmp_path / "kept")
    assert lines == ["room for GODOT_4, start: Box 0.000", f"see {tmp_path / 'kept' / 'room.png'}"]
    assert (tmp_path / "kept" / "room.png").is_file()


def test_small_things_that_vanish_differ(made, show):
    show(picture(FLOOR, (1, slice(10, 13), slice(10, 13))), picture(FLOOR))
    assert differing(made) == [("Box", "start")]


def test_a_pixel_at_the_edge_does_not_differ(made, show):
    small = (1, slice(10, 14), slice(10, 14))
    show(picture(FLOOR, small), picture(FLOOR, (1, slice(10, 14), slice(11, 14))))
    assert differing(made) == []


def test_the_whole_differs_where_much_is_elsewhere(made, show):
    show(picture((1, *AT)), picture((1, slice(100, 160), slice(103, 163))))
    assert differing(made) == [("Box", "start"), ("", "start"), ("", "later")]


def test_later_counts_only_what_nobody_says_is_otherwise(made):
    assert seen_judge.times(made, "GODOT_4") == ("start", "later")
    assert seen_judge.times(made, "BABYLON") == ("start",)
    assert seen_judge.times(made._replace(plays_alike=False), "GODOT_4") == ("start",)


def test_codes_are_those_of_the_manual():
    page = (environment.ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    assert {code for code in seen_judge.MOVED if f"**{code}**" not in page} == {"X04"}


def test_a_file_that_is_not_imported_is_told(made, show):
    show(picture(FLOOR), picture(FLOOR))
    lines = seen_judge.compare([made], ["GODOT_4", "BABYLON"], {}, made.folder)
    assert lines[0] == "room for BABYLON: not pictured"


def test_a_file_that_an_engine_refuses_is_told(made, show):
    same = picture(FLOOR)
    show(same, same)
    lines = seen_judge.compare([made], ["GODOT_4"], {"room": "no"}, made.folder)
    assert lines[0] == "room: no"
    assert np.array_equal(seen_judge.sheet(made, ["GODOT_4"])[:320, :480], same)
