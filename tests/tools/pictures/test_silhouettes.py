"""Pictures of objects in flat colours: read, compared and written."""

import struct
import zlib

import numpy as np
import pytest

from tools.pictures import silhouettes
from tools.pictures.silhouettes import COLORS, NOTHING, SIZE, STRANGE

WIDTH, HEIGHT = SIZE


def picture(*rectangles):
    """Objects as rectangles of rows and columns on a black picture."""
    made = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for index, rows, columns in rectangles:
        made[rows, columns] = silhouettes.color_of(index)
    return made


def test_objects_have_colours_of_their_own():
    found = {silhouettes.color_of(i) for i in range(COLORS)}
    assert len(found) == COLORS
    assert not found & {(0, 0, 0), silhouettes.WHITE}
    assert silhouettes.color_of(COLORS) == silhouettes.color_of(0)


def test_every_colour_is_read_back_though_engines_round():
    colors = np.array([silhouettes.color_of(i) for i in range(COLORS)])[None]
    for off in (-10, 10):
        shown = np.clip(colors + off, 0, 255).astype(np.uint8)
        assert silhouettes.objects_in(shown).tolist() == [list(range(COLORS))]


def test_what_is_no_object_is_told_apart():
    shown = np.array([[(0, 0, 0), silhouettes.WHITE, (25, 25, 25)]], np.uint8)
    assert silhouettes.objects_in(shown).tolist() == [[NOTHING, STRANGE, STRANGE]]


def test_overlap_is_intersection_over_union():
    one = silhouettes.objects_in(picture((3, slice(0, 10), slice(0, 10))))
    other = silhouettes.objects_in(picture((3, slice(5, 15), slice(0, 10))))
    assert silhouettes.overlap(one, one, 3) == 1.0
    assert silhouettes.overlap(one, other, 3) == pytest.approx(50 / 150)
    assert silhouettes.overlap_of_all(one, other) == pytest.approx(50 / 150)
    assert silhouettes.overlap(one, other, 4) == 1.0


def test_another_object_in_the_same_place_is_no_overlap():
    one = silhouettes.objects_in(picture((3, slice(0, 10), slice(0, 10))))
    other = silhouettes.objects_in(picture((4, slice(0, 10), slice(0, 10))))
    assert silhouettes.overlap_of_all(one, other) == 0.0


def test_a_picture_is_read_from_its_bytes(tmp_path):
    made = picture((1, slice(3, 9), slice(2, 5)))
    (tmp_path / "one.rgb").write_bytes(made.tobytes())
    assert np.array_equal(silhouettes.read(tmp_path / "one.rgb"), made)
    (tmp_path / "one.rgb").write_bytes(made.tobytes()[:-3])
    with pytest.raises(ValueError, match="reshape"):
        silhouettes.read(tmp_path / "one.rgb")


def test_pictures_side_by_side_are_written_as_png(tmp_path):
    pair = [picture((i, slice(0, 10), slice(0, 10))) for i in (1, 2)]
    both = silhouettes.side_by_side(pair)
    assert both.shape == (HEIGHT, 2 * WIDTH + 4, 3)
    silhouettes.write_png(tmp_path / "both.png", both)
    data = (tmp_path / "both.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (both.shape[1], HEIGHT)
    (size,) = struct.unpack(">I", data[33:37])
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + size]), np.uint8).reshape(HEIGHT, -1)
    assert np.array_equal(rows[:, 1:].reshape(both.shape), both)
