"""Names that Godot's editor reads as commands, and how they are written so that it does not.

Seen with the import of Godot 4.6. It takes the characters of `_CLEANED` in names for `_`, and
blanks, digits and `_` at their end away; case does not count. Equal names get numbers, which breaks
nothing: joints, animations and triggers find their nodes all the same.

| Word, behind `-` or `_` at the end, or behind `$` anywhere | Of | What becomes of the node |
| --- | --- | --- |
| noimp | all nodes | it goes, with all that is below it |
| vehicle, wheel | all nodes | it hangs below a new body or wheel, which its shapes go to |
| col, convcol, colonly, convcolonly, rigid | nodes that show a mesh | a body, or a body below it |
| navmesh, occonly | nodes that show a mesh | a region or an occluder in its place |
| occ | nodes that show a mesh | it stays, with an occluder beside the others |
| col, convcol, occ | meshes | the same, where the name of the node says nothing |
| loop, loop_mode, cycle | animations | they repeat, also where the name begins or ends so |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from ...codec.engine import Named, Renamed
from ...issues import Issues
from .codes import GodotCode

_ANY: Final = frozenset(("noimp", "vehicle", "wheel"))
_BODIES: Final = frozenset(("col", "convcol", "colonly", "convcolonly", "rigid"))
_SHOWN: Final = _ANY | _BODIES | {"navmesh", "occ", "occonly"}
_MESHES: Final = frozenset(("col", "convcol", "occ"))
_LOOPS: Final = frozenset(("loop", "loop_mode", "cycle"))
# Those that leave the body alone which a node without physics hangs on.
_HARMLESS: Final = frozenset(("noimp", "navmesh", "occ", "occonly"))
_CLEANED: Final = '.:@/"%'
_MORE_CLEANED: Final = ",["  # In names of animations.
_ENDS: Final = re.compile(r"^(?:loop|cycle)|(?:loop|cycle)$", re.IGNORECASE)


@functools.cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """What finds the characters that make commands of words."""
    choice = "|".join(sorted(words))
    cleaned = re.escape(_CLEANED + (_MORE_CLEANED if words == _LOOPS else ""))
    ends = rf"[-_{cleaned}](?=(?:{choice})[\x00-\x200-9_{cleaned}]*\Z)"
    return re.compile(rf"\$(?=(?:{choice}))|{ends}", re.IGNORECASE)


def is_command(name: str, words: frozenset[str] = _SHOWN) -> bool:
    """Whether Godot reads the name of a node that shows a mesh, or other words, as a command."""
    return bool(words) and _pattern(words).search(name) is not None


def safe(name: str, taken: dict[str, int], words: frozenset[str] = _SHOWN) -> str:
    """A name like this one that is no command.

    Args:
        taken: names as Godot cleans them, each with the number that the last one like it got; the
            new name is added.
        words: the commands that count.
    """
    return _unique(_pattern(words).sub(_blank, name), taken)


def _blank(found: re.Match[str]) -> str:
    return " " if found.start() else ""


def is_loop(name: str) -> bool:
    """Whether Godot repeats an animation because of its name."""
    return _ENDS.search(name) is not None or is_command(name, _LOOPS)


def safe_animation(name: str, taken: dict[str, int]) -> str:
    """A name like this one for an animation that Godot plays once; see `safe`."""
    plain = _pattern(_LOOPS).sub(_blank, name) if "$" in name else name
    return _unique(f"({plain})", taken)


def _unique(plain: str, taken: dict[str, int]) -> str:
    name, key = plain, _cleaned(plain)
    while _cleaned(name) in taken:
        taken[key] += 1
        name = f"{plain} {taken[key]}"
    taken[_cleaned(name)] = 1
    return name


def _cleaned(name: str) -> str:
    return name.translate(dict.fromkeys(map(ord, _CLEANED), "_"))


def _taken(names: Iterable[str]) -> dict[str, int]:
    return dict.fromkeys(map(_cleaned, names), 1)


def renamed(named: Named, physics: Collection[int], convention: str = "") -> Renamed:
    """The names that are written otherwise, so that Godot takes none for a command.

    Those of nodes with physics on them or below them, of what hangs below such a node where a
    command would make a body or a wheel of it, of the meshes of all these, and of animations that
    move nodes with physics. All others stay: they are wishes of the artist.

    Args:
        physics: nodes with physics.
        convention: with Godot's own, words that make bodies of meshes are meant.
    """
    words = _SHOWN - _BODIES if convention == "GODOT" else _SHOWN
    loops = [i for i, (name, _) in enumerate(named.animations) if is_loop(name)]
    read = (*named.nodes, *(f"_{mesh}" for mesh in named.meshes))
    if not (loops or any(is_command(each, words) for each in read)):
        return Renamed()
    held = _held(named, physics)
    below = _below(named, physics) - held
    taken = _taken(name for name, _ in named.animations)
    moving = [i for i in loops if not held.isdisjoint(named.animations[i][1])]
    return Renamed(
        dict(_nodes(named, held, below, words)),
        dict(_meshes(named, held | below, _MESHES & words)),
        {i: safe_animation(named.animations[i][0], taken) for i in moving},
    )


def _nodes(
    named: Named, held: set[int], below: set[int], words: frozenset[str]
) -> Iterator[tuple[int, str]]:
    taken = _taken(named.nodes)
    for node in sorted(held | below):
        read = words if named.shown[node] >= 0 else words & _ANY
        read -= frozenset() if node in held else _HARMLESS
        if is_command(named.nodes[node], read):
            yield node, safe(named.nodes[node], taken, read)


def _meshes(named: Named, nodes: Iterable[int], words: frozenset[str]) -> Iterator[tuple[int, str]]:
    """New names of meshes, which Godot puts the name of the file and `_` before."""
    taken = _taken(named.meshes)
    for mesh in sorted({named.shown[node] for node in nodes} - {-1}):
        name = named.meshes[mesh]
        if is_command(f"_{name}", words):
            plain = _pattern(words).sub(_blank, name)
            yield mesh, _unique(f"mesh {plain}" if is_command(f"_{plain}", words) else plain, taken)


def _held(named: Named, physics: Iterable[int]) -> set[int]:
    """The nodes with physics and those above them."""
    held: set[int] = set()
    for at in physics:
        while at >= 0 and at not in held:
            held.add(at)
            at = named.parents.get(at, -1)
    return held


def _below(named: Named, physics: Iterable[int]) -> set[int]:
    """The nodes with physics and those that hang below them."""
    known = dict.fromkeys(physics, True)
    for node in range(len(named.nodes)):
        path: list[int] = []
        at = node
        while at >= 0 and at not in known:
            known[at] = False  # Also ends circles.
            path.append(at)
            at = named.parents.get(at, -1)
        known.update(dict.fromkeys(path, at >= 0 and known[at]))
    return {node for node, is_below in known.items() if is_below}


def tell(named: Named, found: Renamed, issues: Issues, place: Callable[[str, int], str]) -> None:
    """Report each name that is written otherwise.

    Args:
        place: words for messages about an item of one of glTF's lists.
    """
    for kind, names in found.lists():
        for i, name in names.items():
            old = repr(named.name(kind, i))
            does = f"repeats {old} because of" if kind == "animations" else f"reads {old} as"
            what = "its name" if kind == "animations" else "a command"
            why = f"Godot's editor {does} {what}, so the name is written for Godot as {name!r}"
            issues.add(GodotCode.READS_NAME, place(kind, i), why)
