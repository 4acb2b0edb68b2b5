"""Every text has its place in every file, and Blender gets the language that it shows."""

from __future__ import annotations

import ast
import unicodedata
from typing import Any

import pytest

from omi_physics_addon.blender import translations
from tests.project.test_style import PACKAGE, shown_texts
from tools import translations as files

MOST_LETTERS = 38  # As tests/project/test_style.py has it for English.
NAMES = tuple(files.LANGUAGES)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return files.messages()


class Host:
    """What Blender has for add-ons with languages; as a module it has none."""

    def __init__(self, locale: str) -> None:
        self.locale = locale
        self.known: dict[str, Any] = {}

    def register(self, name: str, messages: Any) -> None:
        assert name not in self.known
        self.known[name] = messages

    def unregister(self, name: str) -> None:
        del self.known[name]


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    made = Host("en_US")
    monkeypatch.setattr(translations, "_app", made)
    monkeypatch.setattr(translations, "_shown", [])
    return made


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "FW" else 1 for letter in text)


# The files


def test_texts_of_every_kind_are_found(texts):
    assert {"Add Body", "Mass of the body", "Hinge", "Made {count} wheels", "freely"} <= set(texts)
    assert {"Press + for friction and bounce", "Select an armature"} <= set(texts)
    assert len(texts) > 1800


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_an_entry_for_each_text_and_no_other(name, texts):
    """Else run tools/translations.py --write."""
    entries = {str(entry.id) for entry in files.load(name) if entry.id}
    assert {"missing": set(texts) - entries, "dead": entries - set(texts)} == {
        "missing": set(),
        "dead": set(),
    }
    assert files.path_of(name).read_bytes() == files.as_file(files.updated(name, texts))


@pytest.mark.parametrize("name", files.LANGUAGES)
def test_no_entry_is_empty(name):
    assert [entry.id for entry in files.load(name) if entry.id and not entry.string] == []


@pytest.mark.parametrize("name", NAMES)
def test_entries_are_well_formed(name):
    told = [entry for entry in files.load(name) if entry.id and entry.string]
    wrong = {str(entry.id): found for entry in told if (found := list(files.faults(entry)))}
    assert wrong == {}


@pytest.mark.parametrize("name", NAMES)
def test_hints_fit_the_default_width_of_panels(name):
    known = {text: told for (_, text), told in translations.read(files.path_of(name)).items()}
    trees = map(ast.parse, map(_text, sorted((PACKAGE / "blender" / "panels").rglob("*.py"))))
    shown = {text for tree in trees for node in ast.walk(tree) for text in shown_texts(node)}
    assert len(shown) > 50
    told = [known[text] for text in shown if text in known]
    assert [text for text in told if width(text) > MOST_LETTERS] == []


def _text(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_labels_fit_the_default_width_of_panels(name, texts):
    """Titles of panels, and what buttons say that have a line of their own."""
    import bpy

    from omi_physics_addon.blender.registration import CLASSES

    known = {text: told for (_, text), told in translations.read(files.path_of(name)).items()}
    kinds = (bpy.types.Operator, bpy.types.Panel)
    labels = {cls.bl_label for cls in CLASSES if issubclass(cls, kinds)}
    assert len(labels) > 150
    assert [known[text] for text in labels if width(known.get(text, "")) > MOST_LETTERS] == []


@pytest.mark.parametrize(
    ("text", "told", "fault"),
    [
        ("Added {name}", "{nam} hinzugefügt", "other placeholders"),
        ("Made {count} wheels", "Räder erstellt", "other placeholders"),
        ("Fix All…", "Alle beheben", "another ending"),
        ("{name} hits:", "{name} trifft", "another ending"),
        ("No wheels", "Keine Räder.", "another ending"),
        (", given {value} kg", "gegeben {value} kg", "another beginning"),
        ("No wheels", " Keine Räder", "other spaces at its ends"),
        ("No wheels", "Keine\nRäder", "lines that the text has not"),
    ],
)
def test_a_fault_is_found(text, told, fault):
    assert fault in list(files.faults(files.Message(text, told)))


def test_marks_of_asia_are_those_of_europe():
    assert list(files.faults(files.Message("{name} hits:", "{name}のヒット："))) == []  # noqa: RUF001
    assert list(files.faults(files.Message("Save Preset...", "プリセットを保存…"))) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_add_on_reads_what_the_library_reads(name):
    entries = [entry for entry in files.load(name) if entry.id and entry.string]
    assert translations.read(files.path_of(name)) == {
        (entry.context or "", str(entry.id)): str(entry.string) for entry in entries
    }


# Blender


def test_every_file_has_names_of_blender_and_is_there():
    assert set(translations.LOCALES) == set(files.LANGUAGES)
    assert {path.stem for path in translations.FOLDER.iterdir()} == set(files.LANGUAGES)


def test_english_reads_nothing(host, monkeypatch):
    monkeypatch.setattr(translations, "read", None)
    translations.follow()
    assert host.known == {}


@pytest.mark.parametrize("locale", ["de", "de_DE"])
def test_the_language_of_the_interface_is_shown(host, locale):
    host.locale = locale
    translations.follow()
    translations.follow()
    (languages,) = host.known.values()
    messages = languages[locale]
    assert messages["*", "Add Body"] == messages["Operator", "Add Body"] != "Add Body"


def test_a_change_of_the_language_is_followed(host):
    host.locale = "de"
    translations.follow()
    host.locale = "ja_JP"
    translations.follow()
    (languages,) = host.known.values()
    assert set(languages) == {"ja", "ja_JP"}
    host.locale = "en_GB"
    translations.follow()
    assert host.known == {}


def test_a_context_of_its_own_leads(tmp_path):
    path = tmp_path / "xx.po"
    path.write_text(
        '# A comment.\nmsgid ""\nmsgstr "head"\n\nmsgid "Fit"\nmsgstr "Form"\n\n'
        'msgctxt "Operator"\nmsgid "Fit"\nmsgstr ""\n"An"\n"passen \\"x\\""\n\n'
        'msgid "No"\nmsgstr ""',
        encoding="utf-8",
    )
    told = translations.in_contexts(translations.read(path))
    assert told == {
        ("*", "Fit"): "Form",
        ("OMI Physics", "Fit"): "Form",
        ("Operator", "Fit"): 'Anpassen "x"',
        ("OMI Physics Operator", "Fit"): 'Anpassen "x"',
    }


def test_names_are_asked_for_in_our_context():
    """Blender's own word for Restitution is of a thing that dissolves, in German."""

    from omi_physics_addon.blender.registration import CLASSES

    known: dict[str, Any] = {cls.__name__: cls for cls in CLASSES}
    of_material = known["OMIPHYSICS_PG_physics_material"].bl_rna.properties
    assert of_material["restitution"].translation_context == "OMI Physics"
    assert known["OMIPHYSICS_PT_collider"].bl_rna.translation_context == "OMI Physics"
    assert known["OMIPHYSICS_OT_add_joint"].bl_rna.translation_context == "OMI Physics Operator"


def test_a_broken_file_says_where(tmp_path):
    path = tmp_path / "xx.po"
    path.write_text('msgid "Fit\nmsgstr "Form"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"xx.po, line 1: msgid \"Fit is no string"):
        translations.read(path)


def test_disabling_takes_the_texts_back(host):
    host.locale = "de"
    translations.register()
    assert len(host.known) == 1
    translations.unregister()
    assert host.known == {}
