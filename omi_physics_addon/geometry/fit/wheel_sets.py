"""Which of many parts are the wheels of a vehicle, and where its front is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..arrays import Array, Flags
from .round_parts import RoundPart

# Parts of the radius of the largest wheel.
_SMALLEST: Final = 0.4
_GROUND: Final = 0.25  # By which the lowest points of wheels may differ.
_PLACE: Final = 0.35  # By which a wheel may be away from the mirror image of its partner.

_LEVEL: Final = 0.5  # Sine of the angle between an axle and the ground.
_ACROSS: Final = 0.75  # Cosine of the angle that front wheels may be steered.
_STRAIGHT: Final = 0.98  # Cosine of the angle between axles that count as parallel.
_ALONG: Final = 0.7  # Cosine of the angle to the front that the axle of a spare wheel has.
_TILTED: Final = (0.1, 0.95)  # Cosines of the angle between the axle of a steering wheel and up.
_ALIKE: Final = 0.15  # Difference of radii of a spare wheel and the wheels.
_LARGER: Final = 0.05  # Difference of radii of front and rear wheels that tells which is which.
_UNEVEN: Final = 0.3  # Difference of distances between axles that tells which are at the rear.

_FRONT: Final = frozenset({"front", "fore", "fwd", "fl", "fr", "lf", "rf"})
_REAR: Final = frozenset({"rear", "back", "aft", "rl", "rr", "bl", "br", "lr", "lb", "rb"})
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, eq=False)
class Part:
    """What may be a wheel, a part of one, or neither.

    Attributes:
        name: of the object.
        center: (3,), the middle of all its points.
        reach: m, from there to the farthest point.
        form: what it is round about; None for nothing.
    """

    name: str
    center: Array
    reach: float
    form: RoundPart | None


@dataclass(frozen=True, eq=False)
class FoundWheel:
    """A wheel.

    Attributes:
        tire: index of the part that tells its size.
        form: of the tire.
        others: indices of the parts that turn with it.
    """

    tire: int
    form: RoundPart
    others: tuple[int, ...]

    @property
    def parts(self) -> tuple[int, ...]:
        """Indices of all that turns."""
        return (self.tire, *self.others)


@dataclass(frozen=True, eq=False)
class WheelSet:
    """The wheels of a vehicle, and how it stands.

    Attributes:
        wheels: in the order of their tires.
        front, up: (3,), of length one, at right angles.
        evidence: what told the front: one of NAMES, STEERING_WHEEL, SPARE_WHEEL, AXLES, RADII
            and USUAL, where nothing else did.
    """

    wheels: tuple[FoundWheel, ...]
    front: Array
    up: Array
    evidence: str


def find_wheels(parts: Sequence[Part], axes: Array) -> WheelSet | None:
    """The wheels among parts; None for none.

    Wheels are round about axles that lie across the vehicle, stand on one ground, and are as large
    as others. Where four and more have partners on the other side, those without one between them
    are no wheels. Parts inside of a wheel turn with it.

    Args:
        axes: (3, 3), the axes of the chassis in the world, as columns; the one that is nearest to
            the Z axis of the world is up.
    """
    up = upward(axes)
    round_ones = [(i, part.form) for i, part in enumerate(parts) if part.form is not None]
    rolling = [(i, form) for i, form in round_ones if abs(float(form.axle @ up)) < _LEVEL]
    if not rolling:
        return None
    rollers, forms = [i for i, _ in rolling], [form for _, form in rolling]
    across, standing = _standing(forms, axes, up)
    up = up - (up @ across) * across
    up /= np.linalg.norm(up)
    tires = _tires(forms, np.flatnonzero(standing).tolist())
    tires = [tires[i] for i in _symmetric([forms[t] for t in tires], across, np.cross(up, across))]
    wheels = tuple(
        FoundWheel(rollers[t], forms[t], tuple(_inside(parts, rollers[t], forms[t]))) for t in tires
    )
    front, evidence = _front(parts, wheels, axes, up, across)
    return WheelSet(wheels, front, up, evidence)


def upward(axes: Array) -> Array:
    """The axis (3,) of a frame (3, 3) that is nearest to the Z axis of the world, turned up."""
    axis = int(np.abs(axes[2]).argmax())
    return axes[:, axis] * (1.0 if axes[2, axis] > 0.0 else -1.0)


def usual_front(axes: Array, ahead: Array) -> Array:
    """A direction, or its opposite, as vehicles usually have it: -Y of the chassis, else +X."""
    along = axes.T @ ahead
    axis = 1 if abs(along[1]) >= abs(along[0]) else 0
    wanted = -1.0 if axis == 1 else 1.0
    return ahead if along[axis] * wanted >= 0.0 else -ahead


def _standing(forms: Sequence[RoundPart], axes: Array, up: Array) -> tuple[Array, Flags]:
    """The direction across a vehicle, and which round parts stand on its ground."""
    axles = np.array([form.axle for form in forms])
    radii = np.array([form.radius for form in forms])
    bottoms = np.array([form.center @ up for form in forms]) - radii
    level = [axis for axis in axes.T if abs(axis @ up) < _LEVEL]
    largest = [axles[i] for i in np.argsort(-radii, kind="stable")[:3]]
    found: list[tuple[Array, Flags, float]] = []
    for direction in (*level, *largest):
        across = direction - (direction @ up) * up
        across /= np.linalg.norm(across)
        cosines = np.abs(axles @ across)
        standing = _on_ground(radii, bottoms, cosines > _ACROSS)
        # Straight wheels count more than steered ones; axes of the chassis come first.
        score = float((radii * np.where(cosines > _STRAIGHT, 1.0, cosines - 0.3))[standing].sum())
        if score > 0.0:
            found.append((across, standing, score))
    # Some lie above others that stand lower, as a propeller does above the wheels of a plane.
    ground = min((bottoms[s].min() for _, s, _ in found if s.sum() > 1), default=np.inf)
    best, least = (level[0], np.zeros(len(forms), dtype=np.bool_)), 0.0
    for across, standing, score in found:
        is_above = bottoms[standing].min() - ground > _GROUND * radii[standing].max()
        if not is_above and score > least * (1.0 + 1e-6):
            best, least = (across, standing), score
    return best


def _on_ground(radii: Array, bottoms: Array, chosen: Flags) -> Flags:
    """Which of the chosen parts stand on the lowest ground, and are large enough."""
    large = chosen.copy()
    while large.any():
        ground = bottoms[large].min()
        standing = large & (bottoms - ground < _GROUND * radii[large].max())
        most = radii[standing].max()
        small = standing & (radii < _SMALLEST * most)
        if not small.any():
            return standing
        large &= ~small
    return large


def _tires(forms: Sequence[RoundPart], standing: Sequence[int]) -> list[int]:
    """The largest of round parts that lie within each other; two side by side both stay."""
    found: list[int] = []
    for i in sorted(standing, key=lambda i: -forms[i].radius):
        if not any(_is_within(forms[i].center, forms[t]) for t in found):
            found.append(i)
    return sorted(found)


def _is_within(center: Array, tire: RoundPart) -> bool:
    away = center - tire.center
    along = abs(float(away @ tire.axle))
    aside = float(np.linalg.norm(away - (away @ tire.axle) * tire.axle))
    return along < 0.5 * tire.width + 0.1 * tire.radius and aside < _PLACE * tire.radius


def _symmetric(forms: Sequence[RoundPart], across: Array, ahead: Array) -> list[int]:
    """Those that have a partner on the other side or lie between the sides.

    Where that leaves less than four, all of them: not every vehicle is symmetric.
    """
    centers = np.array([form.center for form in forms]).reshape(-1, 3)
    radii = np.array([form.radius for form in forms])
    if len(forms) < 5:
        return list(range(len(forms)))
    aside, along = centers @ across, centers @ ahead
    middle = float(np.median(aside))
    near = _PLACE * radii
    mirrored = np.abs(aside[:, None] + aside - 2.0 * middle) < near[:, None]
    abreast = np.abs(along[:, None] - along) < near[:, None]
    alike = np.abs(radii[:, None] - radii) < _ALIKE * radii[:, None]
    others = ~np.eye(len(forms), dtype=np.bool_)
    paired = (mirrored & abreast & alike & others).any(axis=1)
    kept = paired | (np.abs(aside - middle) < near)
    if int(paired.sum()) < 4:
        return list(range(len(forms)))
    return np.flatnonzero(kept).tolist()


def _inside(parts: Sequence[Part], tire: int, form: RoundPart) -> Iterator[int]:
    """The parts that lie in a wheel."""
    reach = 1.05 * float(np.hypot(form.radius, form.width))
    for i, part in enumerate(parts):
        if i != tire and part.reach < reach and _is_within(part.center, form):
            yield i


def _front(
    parts: Sequence[Part], wheels: Sequence[FoundWheel], axes: Array, up: Array, across: Array
) -> tuple[Array, str]:
    """Where a vehicle drives to, and what tells it: the first evidence that there is."""
    ahead = usual_front(axes, np.cross(up, across))
    along = np.array([wheel.form.center @ ahead for wheel in wheels])
    radii = np.array([wheel.form.radius for wheel in wheels])
    inner = {i for wheel in wheels for i in wheel.parts}
    rest = [part for i, part in enumerate(parts) if i not in inner]
    for evidence, side in (
        ("NAMES", _by_names(parts, wheels, along)),
        ("STEERING_WHEEL", _by_steering_wheel(rest, wheels, ahead, up)),
        ("SPARE_WHEEL", _by_spare(rest, along, radii, ahead)),
        ("AXLES", _by_gaps(along, radii)),
        ("RADII", _by_radii(along, radii)),
    ):
        if side:
            return ahead * np.sign(side), evidence
    return ahead, "USUAL"


def _by_names(parts: Sequence[Part], wheels: Sequence[FoundWheel], along: Array) -> float:
    """Positive where the wheels that are called front ones are in front; zero for no answer."""
    sides = np.array([_side_of_name([parts[i].name for i in wheel.parts]) for wheel in wheels])
    middle = (along.min() + along.max()) / 2.0
    return float((sides * (along - middle)).sum())


def _side_of_name(names: Sequence[str]) -> int:
    words = {word.lower() for name in names for word in _WORDS.findall(name)}
    return int(bool(words & _FRONT)) - int(bool(words & _REAR))


def _by_steering_wheel(
    rest: Sequence[Part], wheels: Sequence[FoundWheel], ahead: Array, up: Array
) -> float:
    """A steering wheel is above the wheels, small, and looks up and back to who steers."""
    top = max(float(wheel.form.center @ up) for wheel in wheels)
    most = min(wheel.form.radius for wheel in wheels)
    for part in rest:
        form = part.form
        if form is None or form.radius > most or form.width > form.radius:
            continue
        axle = form.axle if form.axle @ up > 0.0 else -form.axle
        if _TILTED[0] < axle @ up < _TILTED[1] and form.center @ up > top:
            facing = float(axle @ ahead)
            if abs(facing) > 0.5 * float(np.sqrt(1.0 - (axle @ up) ** 2)):
                return -facing
    return 0.0


def _by_spare(rest: Sequence[Part], along: Array, radii: Array, ahead: Array) -> float:
    """A spare wheel that faces along the vehicle, before or behind all others, is at the back."""
    size = float(np.median(radii))
    for part in rest:
        form = part.form
        if form is None or abs(form.radius - size) > _ALIKE * size:
            continue
        if form.width < form.radius and abs(float(form.axle @ ahead)) > _ALONG:
            place = float(form.center @ ahead)
            if place < along.min() - 0.5 * size:
                return 1.0
            if place > along.max() + 0.5 * size:
                return -1.0
    return 0.0


def _by_gaps(along: Array, radii: Array) -> float:
    """Of three axles and more, two that are close to each other are at the rear."""
    places = np.sort(along)
    size = float(radii.max())
    starts = np.concatenate([[0], np.flatnonzero(np.diff(places) > size) + 1])
    axles = np.array([group.mean() for group in np.split(places, starts[1:])])
    if len(axles) < 3:
        return 0.0
    rear, front = axles[1] - axles[0], axles[-1] - axles[-2]
    return float(front - rear) if abs(front - rear) > _UNEVEN * max(front, rear) else 0.0


def _by_radii(along: Array, radii: Array) -> float:
    """Larger wheels are at the rear."""
    middle = (along.min() + along.max()) / 2.0
    front, rear = radii[along > middle], radii[along < middle]
    if not len(front) or not len(rear):
        return 0.0
    more = float(rear.mean() - front.mean())
    return more if abs(more) > _LARGER * float(radii.max()) else 0.0
