"""Pulls every handle of handle_scenes.py by the mouse, in a Blender with a window.

Writes to the file given after `--`, as JSON, what was wrong with each handle of each scene.
"""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402
from bpy_extras import view3d_utils  # noqa: E402
from mathutils import Euler, Matrix, Vector  # noqa: E402

from tests.blender.support import handle_scenes  # noqa: E402
from tools.pictures.blender_window import area_of, enable_addons, region_of, run, window  # noqa: E402

Steps = Iterator[float]
SOON = 0.01  # Until Blender has noticed an event, s.
BY = {True: 0.35, False: 0.3}  # How far handles are pulled: turned, and moved.
TYPED = {True: "25", False: "0.75"}
BEGUN = Matrix.Identity(3)  # How the shape is turned at first.


def table() -> Any:
    return sys.modules["omi_physics_addon.blender.overlay.handles.table"]


def handle_of(key: str) -> Any:
    settings = bpy.context.scene.omi_physics.overlay
    return table().shown(bpy.context.view_layer.objects.active, settings)[key]


def values(key: str) -> list[Any]:
    found: list[Any] = []
    for field in handle_of(key).fields:
        value = field.read()
        found.extend(value if isinstance(value, tuple) else [value])
    return found


def near(one: list[Any], other: list[Any], within: float = 1e-6) -> bool:
    return all(abs(a - b) <= within for a, b in zip(one, other, strict=True))


def send(kind: str, value: str, at: Vector, **keys: Any) -> None:
    """Let Blender take an event; it does so when the script waits."""
    window().event_simulate(type=kind, value=value, x=round(at.x), y=round(at.y), **keys)


def tap(kind: str, at: Vector, **keys: Any) -> None:
    send(kind, "PRESS", at, **keys)
    keys.pop("unicode", None)
    send(kind, "RELEASE", at, **keys)


def on_screen(place: Vector) -> Vector:
    """Where a place is in the window."""
    area = area_of("VIEW_3D")
    region = region_of(area)
    found: Any = view3d_utils.location_3d_to_region_2d(region, area.spaces.active.region_3d, place)
    return found + Vector((region.x, region.y))


def look(handle: Any) -> None:
    """Across the line of a handle, or nearly along the axis it turns about; none lies before it."""
    way = handle.way.normalized()
    across = way.orthogonal().normalized()
    lean = 0.35 * way if handle.center is None else way / 0.3
    sides = [Matrix.Rotation(0.4 + 0.5 * turn, 3, way) @ across + lean for turn in range(12)]
    away = max((side.normalized() for side in sides), key=lambda side: room(handle, side))
    view: Any = area_of("VIEW_3D").spaces.active.region_3d
    view.view_perspective = "ORTHO"
    view.view_rotation = away.to_track_quat("Z", "Y")
    view.view_location, view.view_distance = handle.place, 7.0


def room(handle: Any, away: Vector) -> float:
    """How far other handles are from one for who looks from somewhere, as far as it matters, m."""
    settings = bpy.context.scene.omi_physics.overlay
    others = table().drawn(bpy.context.view_layer.objects.active, settings).values()
    ways = [other.place - handle.place for other in others]
    seen = [(way - away * way.dot(away)).length for way in ways if way.length > 1e-6]
    return min([0.6, *seen])


def grip(handle: Any) -> Vector:
    """Where the mouse finds a handle: arrows and rings are off their place."""
    view: Any = area_of("VIEW_3D").spaces.active.region_3d
    at = on_screen(handle.place)
    unit = (on_screen(handle.place + view.view_rotation @ Vector((1.0, 0.0, 0.0))) - at).length
    pixel = 1.0 / unit  # In m, as nothing is smaller in a view without perspective.
    scale = bpy.context.preferences.view.gizmo_size * bpy.context.preferences.system.ui_scale * 0.06
    if handle.form == "ARROW":
        return on_screen(handle.place + handle.way.normalized() * (11.5 * scale * pixel))
    if handle.form == "RING":
        arm = handle.way.orthogonal().normalized()
        arm = Matrix.Rotation(0.35, 3, handle.way) @ arm
        return on_screen(handle.place + arm * (17.8 * scale * pixel))
    return at


def moved(handle: Any, start: Vector, by: float) -> Vector:
    """Where the mouse must go to pull a handle so far."""
    if handle.center is None:
        return start + on_screen(handle.place + handle.way * by) - on_screen(handle.place)
    if handle.form == "RING":
        view: Any = area_of("VIEW_3D").spaces.active.region_3d
        region = region_of(area_of("VIEW_3D"))
        local = start - Vector((region.x, region.y))
        origin = view3d_utils.region_2d_to_origin_3d(region, view, local)
        ray = view3d_utils.region_2d_to_vector_3d(region, view, local)
        met = origin + ray * ((handle.center - origin).dot(handle.way) / ray.dot(handle.way))
    else:
        met = handle.place
    turned = Matrix.Rotation(by, 3, handle.way) @ (met - handle.center)
    return on_screen(handle.center + turned)


def pulled(handle: Any) -> float:
    """How far a handle can be pulled from where it is."""
    by = BY[handle.center is not None]
    return -by if handle.value + by > handle.most else by


def begin(handle: Any, start: Vector, end: Vector) -> Steps:
    """Press on a handle, and move the mouse."""
    send("MOUSEMOVE", "NOTHING", start - Vector((40.0, 30.0)))
    send("MOUSEMOVE", "NOTHING", start)
    yield SOON  # Blender looks what is below the pointer.
    send("LEFTMOUSE", "PRESS", start)
    for part in (0.3, 0.7, 1.0):
        send("MOUSEMOVE", "NOTHING", start.lerp(end, part))
    yield SOON


def pull(key: str) -> Steps:
    """One handle: drag, precise, typed, Esc; then drag and undo."""
    handle = handle_of(key)
    look(handle)
    yield 3 * SOON
    start, by = grip(handle), pulled(handle)
    end = moved(handle, start, by)
    before, value = values(key), handle.value
    if handle.form == "DOT":
        yield from begin(handle, start, start)
        send("LEFTMOUSE", "RELEASE", start)
        yield SOON
        (field,) = handle.fields
        assert field.read() == handle.value, "a click chooses nothing"
        undo()
        yield 2 * SOON
        assert values(key) == before, "it is chosen for good"
        return
    slack = 2.5 / (end - start).length * abs(by)  # Pixels are whole.
    told: list[str] = []
    listen(told)
    yield from begin(handle, start, end)
    assert near([now(key, value, handle)], [value + by], slack), (
        f"dragged to {now(key, value, handle)}, not {value + by}: {told}"
    )
    assert told, "the header says nothing"
    assert told[-1].startswith(f"{handle.label}: "), told[-1]
    at = now(key, value, handle)
    send("LEFT_SHIFT", "PRESS", end, shift=True)
    back = end.lerp(start, 0.5)
    send("MOUSEMOVE", "NOTHING", back, shift=True)
    send("LEFT_SHIFT", "RELEASE", back)
    yield SOON
    fine = now(key, value, handle) - at
    assert near([fine], [-0.05 * by], 0.2 * slack), f"precise by {fine}, not {-0.05 * by}"
    send("LEFT_CTRL", "PRESS", back, ctrl=True)
    send("MOUSEMOVE", "NOTHING", back + Vector((1.0, 0.0)), ctrl=True)
    yield SOON
    unit = math.radians(5.0) if handle.center is not None else 0.1
    steps = (now(key, value, handle) - value) / unit
    if handle.least < now(key, value, handle) < handle.most:
        assert abs(steps - round(steps)) < 1e-3, f"not in steps: {steps}"
    send("LEFT_CTRL", "RELEASE", back)
    text = TYPED[handle.center is not None]
    for letter in text:
        kind = {".": "PERIOD", "0": "ZERO", "2": "TWO", "5": "FIVE", "7": "SEVEN"}[letter]
        tap(kind, back, unicode=letter)
    yield SOON
    wanted = math.radians(float(text)) if handle.center is not None else float(text)
    wanted = min(max(wanted, handle.least), handle.most)
    assert near([now(key, value, handle)], [wanted], 1e-5), f"typed {now(key, value, handle)}"
    assert told[-1] == f"{handle.label}: [{text}|]", told[-1]
    tap("BACK_SPACE", back)
    yield SOON
    assert told[-1] == f"{handle.label}: [{text[:-1]}|]", told[-1]
    tap("ESC", back)
    send("LEFTMOUSE", "RELEASE", back)
    yield SOON
    assert values(key) == before, f"Esc left {values(key)}, not {before}"
    yield from begin(handle, start, end)
    send("LEFTMOUSE", "RELEASE", end)
    yield SOON
    after = now(key, value, handle)
    assert near([after], [value + by], slack), f"let go at {after}, not {value + by}"
    undo()
    yield 2 * SOON
    assert near(values(key), before), f"undone to {values(key)}, not {before}"


def now(key: str, value: float, handle: Any) -> float:
    """The value of a handle; of one that turns a shape how far it has turned it."""
    if handle.form != "RING":
        return handle_of(key).value
    (field,) = handle_of(key).fields
    turned = BEGUN.transposed() @ Euler(field.read()).to_matrix()
    w, *xyz = turned.to_quaternion()
    return value + 2.0 * math.atan2(Vector(xyz).dot(field.about), w)


def listen(told: list[str]) -> None:
    """Note what handles say in the header, which cannot be read back."""
    words: Any = sys.modules["omi_physics_addon.blender.overlay.handles.words"]
    original = getattr(words, "original", words.in_words)
    words.original = original

    def in_words(*args: Any) -> str:
        told.append(original(*args))
        return told[-1]

    words.in_words = in_words


def undo() -> None:
    area = area_of("VIEW_3D")
    with bpy.context.temp_override(window=window(), area=area, region=region_of(area)):
        bpy.ops.ed.undo()


def symbols_are_clicked() -> Steps:
    """Blender's own symbols of empties are off, so that it finds none of them itself."""
    joint = handle_scenes.build("hinge")
    other = handle_scenes.add("Seat", location=(1.5, 0.0, 0.0))
    other.omi_physics.use_seat = True
    hidden = handle_scenes.add("Hidden", location=(-1.5, 0.0, 0.0))
    hidden.omi_physics.use_seat = True
    handle_scenes.add("Before", handle_scenes.cube_mesh(), location=(-1.5, -2.0, 0.0))
    bpy.ops.ed.undo_push(message="Symbols")
    space: Any = area_of("VIEW_3D").spaces.active
    space.overlay.show_extras = False
    view = space.region_3d
    view.view_rotation = Vector((0.0, -1.0, 0.0)).to_track_quat("Z", "Y")
    view.view_location, view.view_distance = (0.0, 0.0, 0.0), 8.0
    yield 0.5

    def chosen() -> tuple[str, set[str]]:
        active = bpy.context.view_layer.objects.active
        return active.name, {obj.name for obj in bpy.context.view_layer.objects.selected}

    def clicked(name: str, **keys: Any) -> Steps:
        at = on_screen(bpy.data.objects[name].matrix_world.translation)
        send("MOUSEMOVE", "NOTHING", at - Vector((30.0, 20.0)))
        send("MOUSEMOVE", "NOTHING", at)
        yield 0.2
        tap("LEFTMOUSE", at, **keys)
        yield 0.3

    yield from clicked("Seat")
    assert chosen() == ("Seat", {"Seat"}), chosen()
    yield from clicked(joint.name, shift=True)
    assert chosen() == ("Joint", {"Joint", "Seat"}), chosen()
    undo()
    yield 0.3
    assert chosen() == ("Seat", {"Seat"}), chosen()
    yield from clicked("Hidden")
    assert chosen() == ("Before", {"Before"}), chosen()
    space.overlay.show_extras = True


def prepare() -> Steps:
    enable_addons()
    yield 0.5
    for area in window().screen.areas:
        if area.type != "VIEW_3D":
            area.type = "TEXT_EDITOR"  # Which is empty, and drawn at once.
    space: Any = area_of("VIEW_3D").spaces.active
    space.show_gizmo_navigate = space.show_region_toolbar = False
    space.overlay.show_relationship_lines = space.overlay.show_floor = False
    space.shading.type = "WIREFRAME"
    bpy.context.preferences.system.viewport_aa = "OFF"  # Else all is drawn eight times.
    yield 0.3


def everything(
    found: dict[str, dict[str, str]], wanted: list[str], write: Callable[[], object]
) -> Steps:
    yield from prepare()
    found["symbols"] = {"click": ""}
    if not wanted or "symbols" in wanted:
        try:
            yield from symbols_are_clicked()
        except Exception:  # noqa: BLE001 - the handles come all the same.
            found["symbols"] = {"click": traceback.format_exc()}
    tried = set[str]()
    for name in [each for each in wanted if each != "symbols"] or handle_scenes.SCENES:
        obj = handle_scenes.build(name)
        BEGUN[:] = Euler(obj.omi_physics.collider.shape.rotation).to_matrix()
        settings = bpy.context.scene.omi_physics.overlay
        keys = list(table().drawn(obj, settings))
        assert set(keys) == handle_scenes.SCENES[name][1], keys
        bpy.ops.ed.undo_push(message=name)
        found[name] = {}
        for key in keys:
            if key in tried and (key.startswith("pivot") or " size " in key):
                continue  # The same handle of another object; test_handles.py has all of them.
            tried.add(key)
            try:
                yield from pull(key)
                found[name][key] = ""
            except Exception:  # noqa: BLE001 - the next one comes all the same.
                found[name][key] = traceback.format_exc()
                tap("ESC", Vector((5.0, 5.0)))
                send("LEFTMOUSE", "RELEASE", Vector((5.0, 5.0)))
                yield SOON
        write()


def main() -> None:
    path, *wanted = sys.argv[sys.argv.index("--") + 1 :]
    found: dict[str, Any] = {}
    bpy.context.preferences.view.show_splash = False

    def write() -> None:
        Path(path).write_text(json.dumps(found), encoding="utf-8")

    run(
        lambda: everything(found, wanted, write),
        failed=lambda: found.update(itself=traceback.format_exc()),
        ended=write,
    )


if __name__ == "__main__":
    main()
