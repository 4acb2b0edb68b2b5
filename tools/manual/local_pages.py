"""The pages that F1 opens without a network: the reference of docs, as HTML inside the extension.

They have no pictures and no script, so that they add less than half a megabyte to the zip file.
What starts a browser drops the anchor behind a local file (Windows and xdg-open do), so each field
has a file of its own, which sends the browser to its row. These files are the list of fields
that the extension knows, see `omi_physics_addon/blender/manual.py`.

Standard library only, as the extension is built without Blender.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PLACE: Final = "manual"  # In the extension.
FIELDS: Final = "f1"  # The files of single fields, below the pages.
_ANCHOR: Final = re.compile(r'<a id="([\w.]+)"></a>')
_SPANS: Final = re.compile(
    r"`(?P<code>[^`]*)`|\\(?P<sign>[\\|*<\[])|(?P<tag><a id=\"[\w.]+\"></a>)"
)
_CELL: Final = re.compile(r"(?<!\\)\|")
_STYLE: Final = (
    ":root{color-scheme:light dark;--mark:#fff0b3}"
    "@media(prefers-color-scheme:dark){:root{--mark:#5a4a00}}"
    "body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}"
    "td,th{text-align:left;vertical-align:top;border-bottom:1px solid #8886;padding:.3em .6em}"
    "nav a{margin-right:1em}a[id]{scroll-margin-top:3em}"
    "tr:has(a:target),p:has(a:target)+h2{background:var(--mark)}"
)


def anchors(text: str) -> list[str]:
    """The anchors of a page."""
    return _ANCHOR.findall(text)


def _inline(text: str) -> str:
    """HTML of a line of the reference, which has code, anchors and escaped signs."""
    parts: list[str] = []
    end = 0
    for found in _SPANS.finditer(text):
        parts.append(html.escape(text[end : found.start()]))
        code, sign, tag = found.group("code", "sign", "tag")
        parts.append(tag or (f"<code>{html.escape(code)}</code>" if code else html.escape(sign)))
        end = found.end()
    return "".join([*parts, html.escape(text[end:])])


def _table(rows: list[str]) -> Iterator[str]:
    yield "<table>"
    for number, row in enumerate(rows):
        if number != 1:  # The line below the head.
            kind = "td" if number else "th"
            cells = _CELL.split(row.strip())[1:-1]
            yield "<tr>" + "".join(f"<{kind}>{_inline(cell.strip())}</{kind}>" for cell in cells)
    yield "</table>"


def _body(text: str) -> Iterator[str]:
    for block in text.strip().split("\n\n"):
        lines = block.strip().splitlines()
        if block.startswith("|"):
            yield from _table(lines)
        elif block.startswith("#"):
            signs, _, words = block.partition(" ")
            yield f"<h{len(signs)}>{_inline(words)}</h{len(signs)}>"
        else:
            yield f"<p>{_inline(' '.join(lines))}</p>"


def page(text: str, navigation: str) -> str:
    """A page of the reference as HTML."""
    head, _, rest = text.partition("\n")
    title = html.escape(head.removeprefix("# "))
    body = "\n".join(_body(rest))
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>\n'
        f"<nav>{navigation}</nav>\n<h1>{title}</h1>\n{body}\n</html>\n"
    )


def forward(to: str) -> str:
    """A page that sends the browser to another address, and has a link to it."""
    where = html.escape(to)
    return (
        '<!doctype html><meta charset="utf-8"><title>OMI Physics</title>'
        f'<meta http-equiv="refresh" content="0;url={where}"><a href="{where}">{where}</a>\n'
    )


def forwards(texts: dict[str, str], folder: str) -> dict[str, str]:
    """The files of all fields, by their names.

    Args:
        texts: the reference, by the names of its pages.
        folder: where its HTML is, seen from these files.
    """
    return {
        f"{FIELDS}/{anchor}.html": forward(f"{folder}/{name}.html#{anchor}")
        for name, text in texts.items()
        for anchor in anchors(text)
    }


def reference(folder: Path) -> dict[str, str]:
    """The pages of the reference as Markdown, by their names."""
    paths = sorted(folder.glob("*.md"))
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def files(folder: Path) -> dict[str, bytes]:
    """All that goes into the extension, by its name there.

    Args:
        folder: the reference as Markdown; nothing comes of a folder without it.
    """
    texts = reference(folder)
    titles = {name: text.partition("\n")[0].removeprefix("# ") for name, text in texts.items()}
    links = "".join(
        f'<a href="{name}.html">{html.escape(words)}</a>' for name, words in titles.items()
    )
    made = {f"{name}.html": page(text, links) for name, text in texts.items()}
    made |= forwards(texts, "..")
    return {f"{PLACE}/{name}": text.encode() for name, text in made.items()}
