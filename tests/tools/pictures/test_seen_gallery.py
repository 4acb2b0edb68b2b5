"""The gallery of docs/engines.md shows the examples as they are."""

import json

from tools.examples import make_examples
from tools.pictures import seen_gallery

BIGGEST = 40_000  # Bytes of a picture.


def test_pictures_are_of_the_examples_as_they_are():
    assert seen_gallery.outdated() == [], "run tools/pictures/seen.py --write, and look at them"


def test_a_changed_example_is_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr(make_examples, "EXAMPLES", tmp_path)
    monkeypatch.setattr(make_examples, "ALL", {"car": make_examples.ALL["car"]})
    monkeypatch.setattr(seen_gallery, "DIGESTS", tmp_path / "seen.json")
    (tmp_path / "car.glb").write_bytes(b"one")
    (tmp_path / "seen.json").write_text(json.dumps({"car": seen_gallery.digest("car")}))
    assert seen_gallery.outdated() == []
    (tmp_path / "car.glb").write_bytes(b"other")
    assert seen_gallery.outdated() == ["car"]


def test_the_page_shows_them_all():
    page = seen_gallery.PAGE.read_text(encoding="utf-8")
    assert seen_gallery.BEGIN + seen_gallery.section() + seen_gallery.END in page
    sizes = {name: seen_gallery.image(name).stat().st_size for name in make_examples.ALL}
    assert max(sizes.values()) < BIGGEST, sizes
