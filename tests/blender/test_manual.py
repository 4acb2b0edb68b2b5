"""The reference has a row for everything, and F1 finds it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Any

import addon_utils
import bpy
import pytest

from omi_physics_addon.blender import manual
from omi_physics_addon.blender.base import preferences
from omi_physics_addon.model.fields import table
from tests.blender.panels.test_panels import GROUPS
from tests.blender.scene.test_property_records import name_of_group
from tests.blender.support import leftovers
from tests.model.test_fields import RECORDS
from tools.environment import ROOT
from tools.manual import local_pages, reference_pages

REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as the extension has them, in a folder that needs quoting."""
    folder = tmp_path_factory.mktemp("my extensions") / "Zubehör #1"
    for name, data in local_pages.files(REFERENCE).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / local_pages.PLACE


@pytest.fixture
def pages(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, where the add-on looks for them."""
    monkeypatch.setattr(manual, "FOLDER", installed)
    return installed


@pytest.fixture
def site() -> Iterator[Any]:
    """The preferences; without a site again after the test."""
    found = preferences.of_artist()
    yield found
    found.property_unset("manual_site")


def asked_for(name: str) -> str | None:
    """What Blender looks for where the user interface calls a field or an operator so."""
    from bl_operators import wm

    return wm._wm_doc_get_id(name, do_url=False)


def opened(name: str) -> str | None:
    """The address that F1 opens for what the user interface calls so."""
    from bl_operators import wm

    return wm.WM_OT_doc_view_manual._lookup_rna_url(asked_for(name), verbose=False)


def unanswered() -> dict[str, str | None]:
    """The fields that Blender asks for by another name, or not at all, and this name."""
    found: dict[str, str | None] = {}
    for group in reference_pages.groups():
        for each in reference_pages.own_properties(group.bl_rna):
            name = f"{group.bl_rna.identifier}.{each.identifier}"
            if each.identifier == "name":
                found[name] = "bpy.types.PropertyGroup.name"  # Though ours says more.
            elif issubclass(group, bpy.types.NodeTree):
                found[name] = None  # It is a group, so no panel shows it.
            elif issubclass(group, bpy.types.AddonPreferences) and bpy.app.version < (5, 0, 0):
                found[name] = None
    return found


def test_pages_are_those_of_the_code():
    wrong = reference_pages.outdated(reference_pages.pages())
    assert wrong == [], "write them by tools/manual/reference_pages.py --write"


def test_every_field_has_one_row_and_every_row_a_field():
    texts = local_pages.reference(REFERENCE).values()
    rows = [anchor for text in texts for anchor in local_pages.anchors(text)]
    assert sorted(rows) == sorted(reference_pages.anchors())
    assert len(set(rows)) == len(rows) > 500


def test_all_that_blender_knows_of_us_is_asked_for():
    """By another way than registration's list: what is registered."""
    ids = {f"operator {each.bl_idname}" for each in reference_pages.operators()}
    assert ids == {each for each in leftovers.find() if each.startswith("operator ")}
    assert set(GROUPS) <= set(reference_pages.groups())


def test_f1_finds_the_row_of_everything(pages: Path):
    asked = [
        f"{group.bl_rna.identifier}.{each.identifier}"
        for group in reference_pages.groups()
        for each in reference_pages.own_properties(group.bl_rna)
    ]
    asked += [each.bl_idname for each in reference_pages.operators()]
    left = unanswered()
    assert {each: asked_for(each) for each in left} == left
    asked = [each for each in asked if each not in left]
    assert len(asked) > 480
    prefix = f"{(pages / 'f1').as_uri()}/"
    assert {each: opened(each) for each in asked} == {
        each: f"{prefix}{each.lower()}.html" for each in asked
    }


def test_an_option_of_an_operator_opens_its_operator(pages: Path):
    address = opened("OBJECT_OT_omi_physics_add_wheel.mass")
    assert address is not None
    assert address.endswith("/f1/object.omi_physics_add_wheel.html")


def test_what_is_blenders_is_left_to_blender(pages: Path):
    address = opened("Object.location")
    assert address is not None
    assert address.startswith("https://docs.blender.org/")


def test_the_site_of_the_preferences_comes_first(pages: Path, site: Any):
    for address in ("https://physics.example/manual", " https://physics.example/manual/ "):
        site.manual_site = address
        found = opened("OMIPHYSICS_PG_wheel.radius")
        assert found == "https://physics.example/manual/f1/omiphysics_pg_wheel.radius.html"


def test_addresses_of_folders_on_windows():
    folder: Any = PureWindowsPath(r"C:\Users\A B\omi_physics_addon\manual\f1")
    assert manual.prefix_of(folder) == "file:///C:/Users/A%20B/omi_physics_addon/manual/f1/"


def test_without_pages_nothing_is_promised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(manual, "FOLDER", tmp_path / "none")
    assert manual.manual_map()[1] == ()
    assert opened("OMIPHYSICS_PG_wheel.radius") is None


def test_blender_asks_us_once_and_not_when_disabled():
    maps = vars(bpy.utils)["_manual_map"]
    assert maps.count(manual.manual_map) == 1
    addon_utils.disable("omi_physics_addon", default_set=True)
    try:
        assert manual.manual_map not in maps
    finally:
        addon_utils.enable("omi_physics_addon", default_set=True)


def test_units_are_those_of_records():
    """Blender has one unit for angles and their speeds; the words of the field tell them apart."""
    rows = "\n".join(local_pages.reference(REFERENCE).values()).splitlines()
    rates = [
        (name_of_group(r), i.name) for r in RECORDS for i in table(r) if i.field.unit == "rad/s"
    ]
    assert len(rates) >= 3
    for group, name in rates:
        (row,) = [each for each in rows if f'<a id="{group}.{name}"'.lower() in each.lower()]
        assert "in rad/s" in row.split(" | ")[3]
