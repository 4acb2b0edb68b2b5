"""The add-on in the language of Blender's interface.

Blender looks into its own translations first and then into those of add-ons. One language is read,
the one that Blender shows, from the same files that translators edit; English reads nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, cast

import bpy

FOLDER: Final = Path(__file__).parents[1] / "translations"
# Names of files, and Blender's names of the language: those with a country are of older releases.
LOCALES: Final[dict[str, tuple[str, ...]]] = {
    "de": ("de", "de_DE"),
    "es": ("es",),
    "fr": ("fr", "fr_FR"),
    "ja": ("ja", "ja_JP"),
    "zh_HANS": ("zh_HANS", "zh_CN"),
}
DEFAULT: Final = "*"  # Blender's context of texts without one.
OPERATOR: Final = "Operator"  # That of buttons.
_KEYWORDS: Final = ("msgctxt", "msgid", "msgstr")

Messages = dict[tuple[str, str], str]
_app: Final[Any] = cast("Any", bpy.app).translations
_owner: Final = object()
_shown: list[str] = []


def register() -> None:
    """Show the language of the interface, and follow it when it changes."""
    follow()
    bpy.msgbus.subscribe_rna(
        key=(bpy.types.PreferencesView, "language"),
        owner=_owner,
        args=(),
        notify=follow,
        options={"PERSISTENT"},
    )


def unregister() -> None:
    """Undo `register`."""
    bpy.msgbus.clear_by_owner(_owner)
    show(None)


def follow() -> None:
    """Show the language that Blender shows now."""
    show(name_of(_app.locale))


def show(name: str | None) -> None:
    """Give Blender the texts of a language, in place of those of another; None for English."""
    if _shown == ([] if name is None else [name]):
        return
    if _shown:
        _app.unregister(__name__)
        _shown.clear()
    if name is not None:
        messages = in_contexts(read(FOLDER / f"{name}.po"))
        _app.register(__name__, dict.fromkeys(LOCALES[name], messages))
        _shown.append(name)


def name_of(locale: str) -> str | None:
    """The name of the file for one of Blender's locales; None where there is none."""
    return next((name for name, locales in LOCALES.items() if locale in locales), None)


def in_contexts(messages: Messages) -> Messages:
    """The same for every context in which Blender asks: what a button says may be a label, too."""
    buttons = {(OPERATOR, text): told for (context, text), told in messages.items() if not context}
    labels = {(DEFAULT, text): told for (context, text), told in messages.items() if not context}
    own = {key: told for key, told in messages.items() if key[0]}
    return {**labels, **buttons, **own}


def read(path: Path) -> Messages:
    """The translated messages of a file, by context (empty for all) and English text.

    Strings in such files are written as in JSON. Source: GNU gettext, "The Format of PO Files".

    Raises:
        OSError: the file cannot be read.
        ValueError: a line of it is no string.
    """
    found: Messages = {}
    entry = dict.fromkeys(_KEYWORDS, "")
    keyword = ""
    for line in (*path.read_text(encoding="utf-8").splitlines(), ""):
        word, _, text = line.partition(" ")
        if word in _KEYWORDS:
            keyword = word
            entry[keyword] = json.loads(text)
        elif line.startswith('"'):
            entry[keyword] += json.loads(line)
        elif not line:
            if entry["msgid"] and entry["msgstr"]:
                found[entry["msgctxt"], entry["msgid"]] = entry["msgstr"]
            entry = dict.fromkeys(_KEYWORDS, "")
    return found
