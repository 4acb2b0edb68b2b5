"""Says whether what is seen in an engine is what is seen in Blender."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.pictures import silhouettes
from tools.pictures.seen_files import TIMES, Box, Made
from tools.pictures.silhouettes import Objects, Pixels

NEAR: Final = 0.02  # m, and share of the size, that a side of a box may be off.
SAME: Final = {"start": 0.97, "later": 0.95}  # Overlap that is asked for.
MOST: Final = 5  # Names in a line.
# Codes of reports by which something moves otherwise in an engine: those of docs/engines.md that
# tell of motion, and that of what is exported without its physics.
_MOVED_IN_GODOT: Final = ("X23", "X25", "X26", "X27", "X30", "X33", "X34", "X35", "X46", "X47")
_MOVED_IN_BABYLON: Final = ("L15", "X41", "X42", "X43", "X54", "X55", "X56", "X58", "X59", "X64")
MOVED: Final = frozenset({"X04", "X48", "X53", *_MOVED_IN_GODOT, *_MOVED_IN_BABYLON})
EDGE: Final = 6  # Pixels of an object that may differ, however small it is,
EDGE_SHARE: Final = 0.05  # and share of those at its outline, such as of a thin ring.


class Difference(NamedTuple):
    """What is not seen as it should be.

    Attributes:
        about: the object, or empty for the whole picture.
        overlap: of that in both pictures, 0 to 1.
    """

    scene: str
    target: str
    time: str
    about: str
    overlap: float

    def __str__(self) -> str:
        what = self.about or "the whole"
        return f"{self.scene} for {self.target}, {self.time}: {what} {self.overlap:.3f}"


class Counts(NamedTuple):
    """How much is seen.

    Attributes:
        lines: for people, one for each scene and target where something is lost.
        totals: by target, how much is seen, and of how much.
    """

    lines: list[str]
    totals: dict[str, tuple[int, int]]


def count(made: Sequence[Made], boxes: Mapping[tuple[str, str], Sequence[Box] | None]) -> Counts:
    """How much of scenes is seen, by what was found in an engine by scene and target."""
    lines: list[str] = []
    totals: dict[str, tuple[int, int]] = {}
    names = {each.name: each for each in made}
    for (name, target), found in boxes.items():
        expected = names[name].seen
        missing = lost(expected, found or ())
        seen, of = totals.get(target, (0, 0))
        totals[target] = seen + len(expected) - len(missing), of + len(expected)
        if missing:
            some = ", ".join(missing[:MOST])
            many = f"{len(expected) - len(missing)} of {len(expected)}"
            lines.append(f"{name} for {target}: seen {many}; not: {some}")
    return Counts(lines, totals)


def lost(expected: Sequence[Box], found: Sequence[Box]) -> list[str]:
    """The names of what is seen in Blender, and not where it is in an engine.

    Every box of the engine stands for one of Blender.
    """
    left = list(found)
    missing: list[str] = []
    for box in expected:
        match = next((each for each in left if is_near(box, each)), None)
        if match is None:
            missing.append(box.name)
        else:
            left.remove(match)
    return missing


def is_near(one: Box, other: Box) -> bool:
    """Whether two boxes are the same but for what meshes and engines round."""
    ends = np.array([[one.low, one.high], [other.low, other.high]])
    allowed = NEAR * (1.0 + (ends[0, 1] - ends[0, 0]).max())
    return bool((np.abs(ends[0] - ends[1]) <= allowed).all())


def differences(made: Made, target: str, at: Sequence[str] = TIMES) -> Iterator[Difference]:
    """What differs between Blender's pictures of a scene and those of an engine.

    Each object is compared at the start, all of them together at every time.
    """
    for time in at:
        one, other = (_seen(made.picture(program, time)) for program in ("blender", target))
        if time == TIMES[0]:
            first = {number: name for name, number in reversed(made.names.items())}
            for number, name in first.items():
                overlap = silhouettes.overlap(one, other, number)
                if overlap < SAME[time] and not is_edge(one == number, other == number):
                    yield Difference(made.name, target, time, name, overlap)
        overlap = silhouettes.overlap_of_all(one, other)
        if overlap < SAME[time]:
            yield Difference(made.name, target, time, "", overlap)


def _seen(path: Path) -> Objects:
    return silhouettes.objects_in(silhouettes.read(path))


def is_edge(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> bool:
    """Whether no more pixels of an object differ than its outline makes likely."""
    inner = np.ones_like(one)
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        inner &= np.roll(one, step, axis)
    outline = np.count_nonzero(one & ~inner)
    return np.count_nonzero(one ^ other) <= max(EDGE, EDGE_SHARE * outline)


def compare(
    made: Sequence[Made], targets: Sequence[str], refused: Mapping[str, str], kept: Path
) -> list[str]:
    """What differs in the pictures of scenes, a line for each difference.

    Args:
        refused: by name, why the last of the targets refused it.
        kept: gets the pictures of scenes that differ.
    """
    lines: list[str] = []
    for each in made:
        there = [t for t in targets if each.picture(t, TIMES[-1]).exists()]
        found = [str(d) for target in there for d in differences(each, target, times(each, target))]
        found += [f"{each.name} for {t}: not pictured" for t in targets if t not in there]
        if each.name in refused:
            found.append(f"{each.name}: {refused[each.name]}")
        if found:
            found.append(f"see {keep(each, there, kept)}")
        lines += found
    return lines


def times(made: Made, target: str) -> tuple[str, ...]:
    """When a scene must look the same in an engine: later only if nobody says that it does not."""
    codes = {code for code, _ in made.told[target]}
    return TIMES if made.plays_alike and not codes & MOVED else TIMES[:1]


def sheet(made: Made, targets: Sequence[str]) -> Pixels:
    """The pictures of a scene: Blender and the engines side by side, a row for each time."""
    rows = [
        silhouettes.side_by_side(
            [silhouettes.read(made.picture(program, time)) for program in ("blender", *targets)]
        )
        for time in TIMES
    ]
    return np.concatenate(rows, axis=0)


def keep(made: Made, targets: Sequence[str], folder: Path) -> Path:
    """Write the pictures of a scene as one PNG, for eyes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made.name}.png"
    silhouettes.write_png(path, sheet(made, targets))
    return path
