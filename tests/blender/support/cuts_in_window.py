"""Cuts a mesh by the button in a Blender with a window, cancels it by Esc, and lets it finish.

Writes to the file given after `--`, as JSON, what was wrong with each case. CoACD is looked for in
the folder beside it.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "library")]

import bpy  # noqa: E402

from tests.support.meshes import ring  # noqa: E402
from tools.pictures.blender_window import area_of, enable_addons, override, run, window  # noqa: E402
from tools.random_runs.blender_dump import differences, dump  # noqa: E402

Steps = Iterator[float]
LATE = 2400  # Looks at whether something has happened, until it is too late.
FINE: dict[str, Any] = {"concavity": 1.0}  # It takes long enough to be cancelled.
COARSE: dict[str, Any] = {"concavity": 10.0, "hulls": 8, "hull_vertices": 16}
BUSY: list[Any] = []  # What is being cut.
FAULTS: list[str] = []  # Why it could not be.


def until(happened: Callable[[], Any], what: str) -> Steps:
    for _ in range(LATE):
        if happened():
            return
        yield 0.05
    raise AssertionError(f"never: {what} {FAULTS} {[state(each) for each in BUSY]}")


def state(work: Any) -> str:
    """How far a cut is, and what its process said last."""
    process = work._process
    if process is None:
        return f"{len(work.parts)} parts are cut"
    return f"{process.poll()=} {work.progress=} {work._said()[-300:]!r}"


def key(kind: str, **keys: Any) -> Steps:
    area = area_of("VIEW_3D")
    x, y = area.x + area.width // 2, area.y + area.height // 2
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 0.1
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type=kind, value=value, x=x, y=y, **keys)
    yield 0.3


def scene(around: int) -> Any:
    """A ring with a collider of its own, and a box beside it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    enable_addons()
    bpy.context.preferences.system.viewport_aa = "OFF"  # Else all is drawn eight times.
    yield 0.3
    points, triangles = ring(1.0, 0.3, around, around // 2)
    made: list[Any] = []
    for name in ("Ring", "Box"):
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points.tolist(), [], triangles.tolist())
        made.append(bpy.data.objects.new(name, mesh))
        bpy.context.scene.collection.objects.link(made[-1])
    made[0].omi_physics.use_collider = True
    with override(area_of("VIEW_3D")):
        made[0].select_set(True)
        bpy.context.view_layer.objects.active = made[0]
        bpy.ops.ed.undo_push(message="Before")
    yield 0.3
    return made[0]


def begin(options: dict[str, Any]) -> Steps:
    BUSY.clear()
    with override(area_of("VIEW_3D")):
        assert bpy.ops.object.omi_physics_decompose.poll()
        bpy.ops.object.omi_physics_decompose("INVOKE_DEFAULT", **options)
    yield from until(lambda: BUSY, "it begins")


def esc_leaves_no_trace() -> Steps:
    yield from scene(48)
    before = dump()
    yield from begin(FINE)
    work = BUSY[0]
    folder, process = Path(work._folder.name), work._process
    yield from until(lambda: work.progress > 0.02, "it tells how far it is")
    yield from key("A")  # Everything else goes on.
    assert all(obj.select_get() for obj in bpy.context.scene.objects)
    assert process.poll() is None
    yield from key("ESC")
    yield from until(lambda: process.poll() is not None, "its process ends")
    assert work._process is None
    assert not folder.exists()
    bpy.data.objects["Box"].select_set(False)
    found = [each for each in differences(before, dump()) if "select" not in each]
    assert found == [], found[:9]
    yield from begin(COARSE)  # And another one can begin.
    last = BUSY[0]
    yield from key("ESC")
    yield from until(lambda: last._process is None, "it is cancelled before the next case")


def hulls_come_as_one_step_of_undo() -> Steps:
    ring = yield from scene(12)
    yield from begin(COARSE)
    yield from until(lambda: any(o.parent == ring for o in bpy.data.objects), "hulls come")
    hulls = [o for o in bpy.data.objects if o.parent == ring]
    assert 2 < len(hulls) <= 8
    assert max(len(o.omi_physics.collider.shape.mesh.vertices) for o in hulls) <= 16
    assert not ring.omi_physics.use_collider
    yield from key("Z", ctrl=True)
    ring = bpy.data.objects["Ring"]
    assert not [o for o in bpy.data.objects if o.parent == ring]
    assert ring.omi_physics.use_collider


CASES = (esc_leaves_no_trace, hulls_come_as_one_step_of_undo)


def everything(found: dict[str, str]) -> Steps:
    enable_addons()
    import omi_physics_addon.blender.authoring.decomposition.cutting as module

    begin, step = module.Cutting.__init__, module.Cutting.step

    def begun(self: Any, *arguments: Any) -> None:
        begin(self, *arguments)
        BUSY.append(self)

    def stepped(self: Any) -> bool:
        try:
            return step(self)
        except module.CutError as error:
            FAULTS.append(str(error))
            raise

    module.Cutting.__init__, module.Cutting.step = begun, stepped
    for case in CASES:
        try:
            yield from case()
            found[case.__name__] = ""
        except Exception:  # noqa: BLE001 - the next case comes all the same.
            found[case.__name__] = traceback.format_exc()
            yield from key("ESC")


def main() -> None:
    (path,) = sys.argv[sys.argv.index("--") + 1 :]
    found: dict[str, str] = {}
    bpy.context.preferences.view.show_splash = False
    run(
        lambda: everything(found),
        failed=lambda: found.update(itself=traceback.format_exc()),
        ended=lambda: Path(path).write_text(json.dumps(found), encoding="utf-8"),
    )


if __name__ == "__main__":
    main()
