"""Draws the package as rooms on floors: its folders and modules, and who imports whom.

From the command line:

    python3 tools/architecture.py            print the drawing
    python3 tools/architecture.py --write    put it into docs/architecture.md

A room is a folder or a module. It stands one floor above the highest room that it imports from, so
that imports lead down only. Imports for types alone, and those inside functions, count as well.
"""

from __future__ import annotations

import argparse
import ast
import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "omi_physics_addon"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- drawing: tools/architecture.py --write -->\n", "<!-- end of the drawing -->"
# The folders that are drawn; what is inside of all others is a set of modules side by side.
DRAWN = (
    "",
    "model",
    "geometry",
    "codec",
    "engines/godot",
    "simulation",
    "blender",
    "blender/preview",
    "blender/panels",
    "blender/operators",
)
_WIDTH = 92

Graph = dict[str, dict[str, int]]


class CircleError(Exception):
    """Rooms import from each other in a circle; the message names them."""


def modules(package: Path = PACKAGE) -> dict[str, Path]:
    """The modules of a package by their dotted name below it; "" is the package itself."""
    found: dict[str, Path] = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def imports(package: Path = PACKAGE) -> tuple[tuple[str, str], ...]:
    """Pairs of modules of which the first imports the second, one pair for each import."""
    return tuple(_imports(package))


def _imports(package: Path) -> Iterator[tuple[str, str]]:
    known = modules(package)
    for name, path in known.items():
        parts = name.split(".") if name else []
        inside = parts if path.name == "__init__.py" else parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                yield from ((name, target) for target in _targets(node, inside, package, known))


def _targets(
    node: ast.ImportFrom, inside: list[str], package: Path, known: Mapping[str, Path]
) -> Iterator[str]:
    """The modules of the package that an import statement names."""
    full = (node.module or "").split(".") if node.module else []
    if node.level:
        full = inside[: len(inside) - node.level + 1] + full
    elif full[:1] == [package.name]:
        full = full[1:]
    else:
        return
    for alias in node.names:
        inner = ".".join([*full, alias.name])
        yield inner if inner in known else ".".join(full)


def rooms(folder: str, package: Path = PACKAGE) -> Graph:
    """The rooms of a folder, with the rooms each imports from and how many imports that are."""
    prefix = folder.replace("/", ".") + "." if folder else ""
    known = {name for name in modules(package) if name.startswith(prefix)}
    graph: Graph = {name[len(prefix) :].split(".")[0]: {} for name in sorted(known - {""})}
    for source, target in imports(package):
        if not (source.startswith(prefix) and target.startswith(prefix)):
            continue
        one, other = (name[len(prefix) :].split(".")[0] for name in (source, target))
        if one and other and one != other and other in graph:
            graph[one][other] = graph[one].get(other, 0) + 1
    return graph


def floors(graph: Graph) -> dict[str, int]:
    """The floor of each room, 1 is the lowest.

    Raises:
        CircleError: some rooms import from each other.
    """
    found: dict[str, int] = {}

    def climb(room: str, below: tuple[str, ...]) -> int:
        if room in below:
            raise CircleError(" -> ".join((*below[below.index(room) :], room)))
        if room not in found:
            found[room] = 1 + max((climb(to, (*below, room)) for to in graph[room]), default=0)
        return found[room]

    for room in graph:
        climb(room, ())
    return found


def drawing(package: Path = PACKAGE) -> str:
    """The drawn folders, the highest floor first, as Markdown."""
    texts: list[str] = []
    for folder in DRAWN:
        graph = rooms(folder, package)
        level = floors(graph)
        arrows = sum(len(below) for below in graph.values())
        upward = sum(level[to] >= level[room] for room, below in graph.items() for to in below)
        lines = [f"{package.name}/{folder}".rstrip("/")]
        for floor in range(max(level.values()), 0, -1):
            here = [_sign(package, folder, room) for room in graph if level[room] == floor]
            lines += _wrapped(f"{floor:>4}  ", here)
        lines.append(f"      {len(graph)} rooms, {arrows} arrows, {upward} of them upward")
        texts.append("```text\n" + "\n".join(lines) + "\n```\n")
    return "\n".join(texts)


def _sign(package: Path, folder: str, room: str) -> str:
    return f"{room}/" if (package / folder / room).is_dir() else room


def _wrapped(head: str, words: Sequence[str]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append(" " * len(head))
        lines[-1] += word + "  "
    return [line.rstrip() for line in lines]


def with_drawing(text: str) -> str:
    """The page with the drawing of the package as it is."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{drawing()}\n{END}{rest.partition(END)[2]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Draw the package as rooms on floors.")
    parser.add_argument("--write", action="store_true", help="put it into docs/architecture.md")
    parsed = parser.parse_args(arguments)
    try:
        if parsed.write:
            PAGE.write_text(with_drawing(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            print(drawing())
    except CircleError as problem:
        print(f"error: rooms import from each other: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
