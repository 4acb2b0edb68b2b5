"""Measures the preview: how long it takes to start and to stop, and what a frame costs.

Run by `benchmark.py --preview`. A frame is compared with one of Blender's own rigid-body world with
the same bodies. Without a window nobody reads Blender's notes of changes, and each removal searches
all of them: a stop takes far longer here than in a window.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

COUNTS: Final = (1000, 5000)
START: Final = 0.3  # ms for each body; 1.5 s for 5 000.
RATIO: Final = 1.15  # Times the frame of Blender's own world.
FORCED: Final = 0.05  # ms for each body in a gravity volume; 20 frames a second of 1 000.
_FRAMES: Final = 15
_ROUNDS: Final = 5  # Of which the fastest counts.
_SIDE: Final = 40  # Bodies in a row.


class Cost(NamedTuple):
    """What somebody waits for, ms.

    Attributes:
        number: of bodies, which show the meshes they are made of.
        raw: a frame of Blender's own rigid-body world.
        start: of the preview of bodies that fall on a floor.
        frame: of that preview.
        stop: of that preview.
        forced: a frame of bodies in a gravity volume.
        turned: a start with bodies that are turned at random.
        different: a start with bodies that are turned, and each of a size of its own.
    """

    number: int
    raw: float
    start: float
    frame: float
    stop: float
    forced: float
    turned: float
    different: float


def _cube(bpy: Any) -> Any:
    """Mesh data that all bodies share."""
    mesh = bpy.data.meshes.new("Cube")
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    return mesh


def _scene_of(
    bpy: Any, count: int, *, in_volume: bool = False, turned: bool = False, different: bool = False
) -> Any:
    """An empty file with bodies over a floor, or inside a gravity volume."""
    bpy.ops.wm.read_homefile(use_empty=True)
    scene, mesh = bpy.context.scene, _cube(bpy)
    chance = random.Random(0)
    group = bpy.data.collections.new("Bodies")
    for i in range(count):
        obj = bpy.data.objects.new("Body", mesh)
        obj.location = (1.5 * (i % _SIDE), 1.5 * (i // _SIDE % _SIDE), 1.0 + 1.5 * (i // _SIDE**2))
        obj.omi_physics.use_motion = obj.omi_physics.use_collider = True
        obj.omi_physics.collider.shape.type = "BOX"
        if turned:
            obj.rotation_euler = [chance.uniform(-3.0, 3.0) for _ in range(3)]
        if different:
            obj.scale = [chance.uniform(0.5, 1.0) for _ in range(3)]
        group.objects.link(obj)
    other = bpy.data.objects.new("Other", None)
    other.location = (30.0, 30.0, -0.5)
    if in_volume:
        scene.gravity = (0.0, 0.0, 0.0)
        other.omi_physics.use_trigger = other.omi_physics.use_gravity = True
        other.omi_physics.trigger.shape.type = "SPHERE"
        other.omi_physics.trigger.shape.sphere.radius = 500.0
        other.omi_physics.gravity.type = "POINT"
    else:
        other.omi_physics.use_collider = True
        other.omi_physics.collider.shape.type = "BOX"
        other.omi_physics.collider.shape.box.size = (200.0, 200.0, 1.0)
    group.objects.link(other)
    scene.collection.children.link(group)
    bpy.context.view_layer.update()
    return scene


def _raw_world(bpy: Any, count: int, substeps: int, rate: int) -> Any:
    """The same bodies in Blender's own rigid-body world."""
    scene = _scene_of(bpy, count)
    bpy.ops.rigidbody.world_add()
    group = bpy.data.collections["Bodies"]
    floor = bpy.data.objects["Other"]
    group.objects.unlink(floor)
    ground = bpy.data.objects.new("Ground", _cube(bpy))
    ground.location, ground.scale = floor.location, (200.0, 200.0, 1.0)
    group.objects.link(ground)
    scene.rigidbody_world.collection = group
    scene.rigidbody_world.substeps_per_frame = substeps
    scene.render.fps = rate
    for obj in group.objects:
        obj.rigid_body.collision_shape = "BOX"
        obj.rigid_body.use_margin, obj.rigid_body.collision_margin = True, 0.0
    ground.rigid_body.type = "PASSIVE"
    return scene


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds on the clock."""
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


def _frames(scene: Any, first: int) -> float:
    """What a frame takes: the fastest of some rounds, the same parts of a play for each scene."""

    def run(start: int) -> Callable[[], None]:
        def play() -> None:
            for frame in range(start, start + _FRAMES):
                scene.frame_set(frame)

        return play

    rounds = [_timed(run(first + i * _FRAMES)) for i in range(_ROUNDS)]
    return min(rounds) / _FRAMES


def measure(bpy: Any, number: int) -> Cost:
    """Measure the preview of some number of bodies."""
    from omi_physics_addon.blender.preview import player
    from omi_physics_addon.blender.preview.stage.options import PreviewOptions

    options = PreviewOptions()
    player.start(_scene_of(bpy, 1), options)  # Loads what is loaded once.
    player.stop()

    def played(in_volume: bool) -> tuple[float, float, float]:
        """Start, frame and stop."""
        scene = _scene_of(bpy, number, in_volume=in_volume)
        start = _timed(lambda: player.start(scene, options))
        session: Any = player.running()
        session.step(1)
        return start, _frames(session.scene, session.frame + 1), _timed(player.stop)

    def started(different: bool) -> float:
        scene = _scene_of(bpy, number, turned=True, different=different)
        start = _timed(lambda: player.start(scene, options))
        player.stop()
        return start

    def raw() -> float:
        scene = _raw_world(bpy, number, options.substeps, options.rate)
        scene.frame_set(1)
        scene.frame_set(2)
        return _frames(scene, 3)

    raws = [raw()]
    start, frame, stop = played(in_volume=False)
    raws.append(raw())  # By turns, as the speed of machines changes meanwhile.
    frame = min(frame, played(in_volume=False)[1])
    forced = played(in_volume=True)[1]
    turned, different = started(different=False), started(different=True)
    return Cost(number, min(raws), start, frame, stop, forced, turned, different)


def table(costs: Sequence[Cost]) -> list[str]:
    """The lines of the table, and how the start grows below it."""
    lines = [
        f"{'bodies':>8}  {'start':>8}  {'turned':>8}  {'different':>9}  {'stop':>8}"
        f"  {'Blender':>8}  {'preview':>8}  {'ratio':>5}  {'in gravity volume':>18}"
    ]
    lines += [
        f"{cost.number:>8}  {cost.start:>5.0f} ms  {cost.turned:>5.0f} ms"
        f"  {cost.different:>6.0f} ms  {cost.stop:>5.0f} ms  {cost.raw:>5.1f} ms"
        f"  {cost.frame:>5.1f} ms  {cost.frame / cost.raw:>5.2f}"
        f"  {cost.forced:>5.1f} ms, {1e3 / cost.forced:>4.0f} fps"
        for cost in costs
    ]
    if len(costs) > 1:
        rates = [cost.start / cost.number for cost in costs]
        spread = max(rates) / statistics.median(rates)
        lines.append(f"start: {max(rates):.3f} ms for each body at most, {spread:.2f} the median")
    return lines


def exceeded(costs: Iterable[Cost]) -> list[str]:
    """What is slower than it may be, in words."""
    found: list[str] = []
    for cost in costs:
        where = f"preview of {cost.number} bodies"
        for name, value, bound in (
            ("start", cost.start, START * cost.number),
            ("start of turned bodies", cost.turned, START * cost.number),
            ("frame", cost.frame, RATIO * cost.raw),
            ("frame in a gravity volume", cost.forced, FORCED * cost.number),
        ):
            if value > bound:
                found.append(f"{where}: {name} takes {value:.1f} ms, {bound:.1f} are allowed")
    return found
