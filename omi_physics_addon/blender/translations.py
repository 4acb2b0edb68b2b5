"""The add-on in the language of Blender's interface.

Blender looks into its own translations first and then into those of add-ons, so what it calls alike
and means otherwise would get its word; our properties, panels and menus ask in a context of their
own. One language is read, the one that Blender shows, from the same files that translators edit;
English reads nothing.
"""

from __future__ import annotations

import inspect
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
OWN: Final = "OMI Physics"  # That of our properties, panels, menus and sentences.
BUTTON: Final = "OMI Physics Operator"  # That of our buttons.
_CONTEXTS: Final = (DEFAULT, OWN, OPERATOR, BUTTON)
_KEYWORDS: Final = ("msgctxt", "msgid", "msgstr")

Messages = dict[tuple[str, str], str]
_app: Final[Any] = cast("Any", bpy.app).translations
_DEFERRED: Final[type] = cast("Any", bpy.props)._PropertyDeferred
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
    plain = [(text, told) for (context, text), told in messages.items() if not context]
    shown = {(context, text): told for context in _CONTEXTS for text, told in plain}
    buttons = [(text, told) for (context, text), told in messages.items() if context == OPERATOR]
    return {**shown, **{(own, text): told for own in _CONTEXTS[2:] for text, told in buttons}}


def use_own_context(cls: type) -> None:
    """Have Blender ask for the names that a class shows in our context; call it before registering.

    What is registered here: https://docs.blender.org/api/current/bpy.props.html, where a property
    in an annotation waits for its class.
    """
    package = __name__.partition(".blender.")[0]
    for base in cls.__mro__:
        if not base.__module__.startswith(package):
            continue
        for prop in inspect.get_annotations(base).values():
            if isinstance(prop, _DEFERRED):
                prop.keywords.setdefault("translation_context", OWN)
    if issubclass(cls, (bpy.types.Panel, bpy.types.Menu, bpy.types.Operator)):
        is_button = issubclass(cls, bpy.types.Operator)
        cast("Any", cls).bl_translation_context = BUTTON if is_button else OWN


def pgettext_iface(text: str) -> str:
    """A text of the interface in the language that is shown."""
    return _app.pgettext_iface(text, OWN)


def pgettext_rpt(text: str) -> str:
    """What an operator reports, in the language that is shown."""
    return _app.pgettext_rpt(text, OWN)


def read(path: Path) -> Messages:
    """The translated messages of a file, by context (empty for all) and English text.

    Strings in such files are written as in JSON. Source: GNU gettext, "The Format of PO Files".

    Raises:
        OSError: the file cannot be read.
        ValueError: a line of it is no string; the message says which.
    """
    found: Messages = {}
    entry: dict[str, str] = {}
    keyword = ""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate((*lines, ""), 1):
        if not line:
            text, told = entry.get("msgid"), entry.get("msgstr")
            if text and told:
                found[entry.get("msgctxt", ""), text] = told
            entry = {}
        elif not line.startswith("#"):
            word, _, string = line.partition(" ") if line[0] != '"' else (keyword, "", line)
            if word not in _KEYWORDS or string[:1] + string[-1:] != '""':
                raise ValueError(f"{path.name}, line {number}: {line} is no string")
            text = json.loads(string) if "\\" in string else string[1:-1]
            entry[word] = entry.get(word, "") + text
            keyword = word
    return found
