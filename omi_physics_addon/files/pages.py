"""HTML pages that need nothing but themselves: no network, no other file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .drawing import Drawing
    from .inspecting import Inspection

# Okabe and Ito 2008: colours that people with any kind of sight tell apart.
COLOURS: Final = {
    "static": "#0072b2",
    "kinematic": "#cc79a7",
    "dynamic": "#009e73",
    "trigger": "#d55e00",
    "joint": "#e69f00",
}
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 1.8em; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .25em 2em .25em 0; }
td { max-width: 30em; overflow-wrap: break-word; white-space: pre-wrap; }
td:last-child { max-width: none; overflow-wrap: anywhere; }
tr + tr { border-top: 1px solid #8884; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
canvas { width: 100%; height: 30em; border: 1px solid #8884; cursor: grab; touch-action: none; }
.ERROR, .removed { color: #c2410c; } .WARNING, .changed { color: #a16207; }
.added { color: #15803d; } .key { margin-right: 1.2em; }
"""
_SCRIPT: Final = """
const drawn = JSON.parse(document.getElementById("lines").textContent);
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
let low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30];
for (const numbers of Object.values(drawn.lines))
  for (let i = 0; i < numbers.length; i++) {
    low[i % 3] = Math.min(low[i % 3], numbers[i]); high[i % 3] = Math.max(high[i % 3], numbers[i]);
  }
const middle = low.map((v, i) => (v + high[i]) / 2);
let turn = 0.6, tilt = 0.45, zoom = 1;
function views() {
  const [c, s, d, t] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  return [[c, 0, -s], [-t * s, d, -t * c]];
}
// The box around all, as it is first seen
const [across, above] = views().map(axis =>
  axis.reduce((sum, v, i) => sum + Math.abs(v) * (high[i] - low[i]), 0) || 1);
function draw() {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const scale = zoom * 0.9 * Math.min(width / across, height / above);
  const [right, up] = views();
  for (const [role, n] of Object.entries(drawn.lines)) {
    pen.strokeStyle = drawn.colours[role]; pen.beginPath();
    for (let i = 0; i < n.length; i += 3) {
      const x = n[i] - middle[0], y = n[i + 1] - middle[1], z = n[i + 2] - middle[2];
      const px = width / 2 + scale * (right[0] * x + right[1] * y + right[2] * z);
      const py = height / 2 - scale * (up[0] * x + up[1] * y + up[2] * z);
      i % 6 ? pen.lineTo(px, py) : pen.moveTo(px, py);
    }
    pen.stroke();
  }
}
canvas.addEventListener("pointerdown", e => canvas.setPointerCapture(e.pointerId));
canvas.addEventListener("pointermove", e => {
  if (!e.buttons) return;
  turn += e.movementX * 0.01;
  tilt = Math.max(-1.5, Math.min(1.5, tilt + e.movementY * 0.01));
  draw();
});
canvas.addEventListener("wheel", e => {
  e.preventDefault(); zoom *= Math.exp(-e.deltaY * 0.001); draw();
});
window.addEventListener("resize", draw);
draw();
"""


def page(title: str, parts: Iterable[str], script: str = "") -> str:
    """A whole page; what `parts` have of a file must be escaped already."""
    scripts = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f"\n{scripts}</body>\n</html>\n"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]], classes: Sequence[str] = ()) -> str:
    """A table of plain texts, which are escaped; each row may have a class."""
    lines = ["<table>", "<tr>" + "".join(f"<th>{escape(text)}</th>" for text in head) + "</tr>"]
    for k, row in enumerate(rows):
        name = f' class="{escape(classes[k])}"' if k < len(classes) else ""
        cells = "".join(f"<td>{escape(text)}</td>" for text in row)
        lines.append(f"<tr{name}>{cells}</tr>")
    return "\n".join([*lines, "</table>"])


def data(name: str, value: object) -> str:
    """Numbers and texts for a script, in a form that cannot end the element they stand in."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    safe = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return f'<script type="application/json" id="{name}">{safe}</script>'


def inspection_page(found: Inspection, drawing: Drawing) -> str:
    """The page of what a file says about physics."""
    families = " and ".join(found.families) or "no physics"
    parts = [f"<h1>{escape(found.name)}</h1>", f"<p>{escape(families)}</p>"]
    if drawing.lines:
        keys = "".join(
            f'<span class="key" style="color: {COLOURS[role]}">━ {role}</span>'
            for role in COLOURS
            if role in drawing.lines
        )
        parts += ["<canvas></canvas>", f"<p>{keys} Drag to turn, scroll to zoom.</p>"]
        if drawing.left_out:
            parts.append(f"<p>{drawing.left_out} lines are left out, as there are too many.</p>")
    if found.counts:
        rows = [(name, str(number)) for name, number in found.counts.items()]
        parts += ["<h2>What is in it</h2>", table(("Kind", "Number"), rows)]
        parts += ["<h2>Cost</h2>", *(f"<p>{escape(text)}</p>" for text in found.cost.lines())]
    if found.extensions:
        rows = [(name,) for name in found.extensions]
        parts += ["<h2>Extensions</h2>", table(("Name",), rows)]
        parts += [f"<p>Older form: {escape(text)}</p>" for text in found.dialect]
    if found.tree:
        text = escape("\n".join(map(str, found.tree)))
        parts += ["<h2>Tree</h2>", f"<pre>{text}</pre>"]
    parts.append("<h2>Issues</h2>")
    if found.issues:
        rows = [
            (
                issue.severity.value.capitalize(),
                issue.code,
                issue.pointer,
                f"{issue.message}{' (derived)' if issue.is_derived else ''}",
            )
            for issue in found.issues
        ]
        classes = [issue.severity.value for issue in found.issues]
        parts.append(table(("Severity", "Code", "Place", "What is wrong"), rows, classes))
    else:
        parts.append("<p>Nothing is wrong.</p>")
    if not drawing.lines:
        return page(found.name, parts)
    colours = {role: COLOURS[role] for role in drawing.lines}
    parts.append(data("lines", {"lines": drawing.to_json(), "colours": colours}))
    return page(found.name, parts, _SCRIPT)
