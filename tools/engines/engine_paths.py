"""Compares where a preview and an engine of others take the same bodies.

Nobody can say where a die comes to rest, and engines least of all. So the engine runs several
times, in coarse and in fine steps, and what its runs disagree on is not asked of the preview:

- *rest*: all runs come to rest in the same place. The preview must come to rest there too.
- *path*: the body goes on moving, and the two finest runs agree on it all the time. So must the
  preview.
- *chance*: they part. Until then the preview must agree; from then on, for all such bodies of a
  scene together, only the height of the middle one of them counts, averaged over time.

Same place means within `NEAR` and `SHARE` of the way from the start; the runs agree within half
of that.
"""

from __future__ import annotations

import itertools
import math
import statistics
from typing import TYPE_CHECKING, Literal, NamedTuple

from tools.measure.suite.run import angle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Vector = tuple[float, ...]
Kind = Literal["rest", "path", "chance", "missing"]

NEAR = 0.02  # m.
SHARE = 0.02
HIGH = 0.1  # m, difference of heights that chance may make, beside that of the two runs.
STILL = 0.01  # m, what a body may move in the last second while it rests.
TURNED = math.radians(5.0)
SPUN = 0.1  # rad/s, and the same share of the spin; what spins slower does not count as spinning.


class Path(NamedTuple):
    """Where a body was over time, in glTF's axes.

    Attributes:
        kind: "dynamic", "kinematic" or "static".
        times: s, from 0 on.
        places: m, of the origin of its node.
        turn: its rotation in the end, x, y, z, w.
        spin: rad/s, in the end.
    """

    kind: str
    times: Sequence[float]
    places: Sequence[Vector]
    turn: Vector
    spin: Vector

    def at(self, time: float) -> Vector:
        """Where it was at the recorded time that is nearest."""
        step = self.times[-1] / (len(self.times) - 1)
        return self.places[min(round(time / step), len(self.places) - 1)]

    @property
    def last(self) -> list[Vector]:
        """Where it was during the last second."""
        since = self.times[-1] - 1.0
        return [p for t, p in zip(self.times, self.places, strict=True) if t > since]

    @property
    def rests(self) -> bool:
        """Whether it stayed in its place during the last second; it may spin there."""
        return all(math.dist(place, self.places[-1]) < STILL for place in self.last)


class Verdict(NamedTuple):
    """What became of a body in the preview and in an engine.

    Attributes:
        body: its name.
        kind: what could be compared; "missing" where one of them does not have it moving.
        until: s, how long the runs of the engine agree.
        off: m, by how much the preview is away: in the end for "rest", else the most until then.
        allowed: m, by how much it may.
        turned: rad, between the rotations in the end; None where there is nothing to compare.
        spun: rad/s, between the spins in the end; likewise.
        same: whether the preview does what the engine does.
    """

    body: str
    kind: Kind
    until: float
    off: float
    allowed: float
    turned: float | None
    spun: float | None
    same: bool


def tolerance(way: float) -> float:
    """By how much two may differ on the place of a body this far, m, from its start."""
    return NEAR + SHARE * way


def compare(preview: Mapping[str, Path], runs: Sequence[Mapping[str, Path]]) -> list[Verdict]:
    """What became of every body that moves in the preview or in the engine.

    Args:
        preview: by name of the body.
        runs: of the engine, at least two, the finest last.
    """
    names = [name for name, path in preview.items() if path.kind == "dynamic"]
    names += [n for n, path in runs[-1].items() if path.kind == "dynamic" and n not in names]
    found: list[Verdict] = []
    for name in names:
        paths = [run.get(name) for run in (preview, *runs)]
        moving = [path for path in paths if path is not None and path.kind == "dynamic"]
        if len(moving) == len(paths):
            found.append(_verdict(name, moving[0], moving[1:]))
        else:
            found.append(Verdict(name, "missing", 0.0, 0.0, 0.0, None, None, same=False))
    return _with_heights(found, preview, runs)


def _verdict(name: str, preview: Path, runs: Sequence[Path]) -> Verdict:
    coarse, fine = runs[-2:]
    until = agreement(coarse, fine)
    start, end = fine.places[0], fine.places[-1]
    ends = [run.places[-1] for run in runs]
    if all(run.rests and math.dist(run.places[-1], end) <= _half(start, end) for run in runs):
        allowed = tolerance(math.dist(start, end))
        off = max(_away(place, ends) for place in preview.last)
        turned, spun = _rotation(preview, runs)
        same = off <= allowed and _is_turned_alike(turned, spun, fine)
        return Verdict(name, "rest", until, off, allowed, turned, spun, same)
    off, allowed = _worst(preview, coarse, fine, until)
    if until < fine.times[-1]:
        return Verdict(name, "chance", until, off, allowed, None, None, off <= allowed)
    turned, spun = _rotation(preview, runs[-2:])
    same = off <= allowed and _is_turned_alike(turned, spun, fine)
    return Verdict(name, "path", until, off, allowed, turned, spun, same)


def agreement(coarse: Path, fine: Path) -> float:
    """How long, in s, two runs of an engine agree on a body."""
    until = 0.0
    for time, place in zip(fine.times, fine.places, strict=True):
        if math.dist(place, coarse.at(time)) > _half(fine.places[0], place):
            break
        until = time
    return until


def _half(start: Vector, place: Vector) -> float:
    return tolerance(math.dist(start, place)) / 2.0


def _worst(preview: Path, coarse: Path, fine: Path, until: float) -> tuple[float, float]:
    """How far the preview is away where that is worst for what is allowed there, and that."""
    worst = (0.0, tolerance(0.0))
    for time, place in zip(fine.times, fine.places, strict=True):
        if time > until:
            break
        off = _away(preview.at(time), (coarse.at(time), place))
        allowed = tolerance(math.dist(fine.places[0], place))
        if off / allowed > worst[0] / worst[1]:
            worst = (off, allowed)
    return worst


def _away(place: Vector, others: Sequence[Vector]) -> float:
    """How far a place is from all that lies between others, one after the other."""
    return min(_from_line(place, *pair) for pair in itertools.pairwise(others))


def _from_line(place: Vector, one: Vector, other: Vector) -> float:
    along = [b - a for a, b in zip(one, other, strict=True)]
    length = sum(x * x for x in along)
    reach = sum((p - a) * x for p, a, x in zip(place, one, along, strict=True))
    share = min(max(reach / length, 0.0), 1.0) if length else 0.0
    return math.dist(place, [a + share * x for a, x in zip(one, along, strict=True)])


def _rotation(preview: Path, runs: Sequence[Path]) -> tuple[float | None, float | None]:
    """The difference of rotations, or of spins where it spins, if the runs agree on that."""
    fine = runs[-1]
    if math.hypot(*fine.spin) > SPUN:
        agreed = all(math.dist(run.spin, fine.spin) <= _spin(fine) / 2.0 for run in runs)
        return None, math.dist(preview.spin, fine.spin) if agreed else None
    agreed = all(angle(run.turn, fine.turn) <= TURNED / 2.0 for run in runs)
    return angle(preview.turn, fine.turn) if agreed else None, None


def _spin(fine: Path) -> float:
    return SPUN * (1.0 + math.hypot(*fine.spin))


def _is_turned_alike(turned: float | None, spun: float | None, fine: Path) -> bool:
    return (turned is None or turned <= TURNED) and (spun is None or spun <= _spin(fine))


def _with_heights(
    verdicts: list[Verdict], preview: Mapping[str, Path], runs: Sequence[Mapping[str, Path]]
) -> list[Verdict]:
    """The verdicts, with those of chance differing where the heights do."""
    chance = [one for one in verdicts if one.kind == "chance"]
    if not chance:
        return verdicts
    mine, *theirs = (
        statistics.median(_height(run[one.body], one.until) for one in chance)
        for run in (preview, *runs)
    )
    off = max(min(theirs) - mine, mine - max(theirs), 0.0)
    allowed = HIGH + max(theirs) - min(theirs)
    if off <= allowed:
        return verdicts
    return [
        one._replace(off=off, allowed=allowed, same=False)
        if one.kind == "chance" and one.same
        else one
        for one in verdicts
    ]


def _height(path: Path, since: float) -> float:
    """The mean height, in m, from a time on."""
    places = zip(path.times, path.places, strict=True)
    return statistics.fmean(place[1] for time, place in places if time >= since)
