"""Presses F1 over fields and buttons in a Blender with a window, and looks at what it opens.

Writes to the file given after `--`, as JSON, what was wrong with each of them. The seed behind it
says which of all fields are tried.
"""

from __future__ import annotations

import json
import random
import re
import sys
import traceback
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402

from tools.pictures.blender_window import area_of, enable_addons, override, region_of, run, window  # noqa: E402

Steps = Iterator[float]
FIELDS, OPERATORS = 20, 5
PATIENCE = 20  # Tries until a busy computer has drawn.
DRAWN: list[Any] = []  # Draws what is tried at the time.
OPENED: list[str] = []


def scene() -> None:
    """An object, and an entry in every list that operators fill."""
    obj = bpy.data.objects.new("Part", bpy.data.meshes.new("Part"))
    bpy.context.scene.collection.objects.link(obj)
    with override(area_of("VIEW_3D")):
        bpy.context.view_layer.objects.active = obj
        obj.select_set(True)
        obj.omi_physics.use_joint = True
        for name in ("physics_material", "collision_filter", "joint_settings"):
            getattr(bpy.ops.scene, f"omi_physics_add_{name}")(assign=True)
        settings = obj.omi_physics.joint.settings_entry.data
        settings.limits.add()
        settings.drives.add()
    obj.omi_physics.gravity.line.points.add()


def owners() -> dict[str, Any]:
    """Something of each class with properties, by the identifier of the class."""
    from tools.manual import reference_pages

    ours = {each.bl_rna.identifier for each in reference_pages.groups()}
    waiting = [bpy.context.object.omi_physics, bpy.context.scene.omi_physics]
    waiting.append(bpy.context.preferences.addons["omi_physics_addon"].preferences)
    found: dict[str, Any] = {}
    for owner in waiting:
        rna = owner.bl_rna
        if rna.identifier in found or rna.identifier not in ours:
            continue
        found[rna.identifier] = owner
        for each in reference_pages.own_properties(rna):
            value = getattr(owner, each.identifier)
            if each.type == "COLLECTION":
                waiting += list(value)[:1]
            elif each.type == "POINTER" and value is not None:
                waiting.append(value)
    return found


def fields() -> list[tuple[str, Any, Any]]:
    """Identifier, owner and property of every field that a panel could show.

    Without names: Blender asks for `PropertyGroup.name` there, which is anybody's.
    """
    from tools.manual import reference_pages

    found: list[tuple[str, Any, Any]] = []
    for name, owner in owners().items():
        for each in reference_pages.own_properties(owner.bl_rna):
            to = each.fixed_type.identifier if each.type == "POINTER" else ""
            is_group = to.startswith("OMIPHYSICS_PG_")  # Panels show what is in it.
            is_shown = not each.is_hidden and not is_group and each.type != "COLLECTION"
            if is_shown and each.identifier != "name":
                found.append((f"{name}.{each.identifier}", owner, each))
    return found


def fault(name: str, url: str) -> str:
    """What is wrong with what F1 opened for a field; empty for nothing."""
    parts = urlsplit(url)
    path = Path(url2pathname(parts.path))
    if parts.scheme != "file" or path.name != f"{name.lower()}.html" or not path.is_file():
        return f"{url} is no page of {name}"
    to = re.search(r'url=([^"#]+)#([^"]+)"', path.read_text(encoding="utf-8"))
    if to is None or to[2] != name.lower():
        return f"{path} leads elsewhere"
    page = path.parent / to[1]
    text = page.read_text(encoding="utf-8")
    return "" if f'id="{name.lower()}"' in text else f"{page} has no row {name}"


def press_f1() -> Steps:
    """F1 with the pointer over the first button of the header."""
    region = region_of(area_of("VIEW_3D"), "HEADER")
    y = region.y + region.height // 2
    for x in (region.x + 300, region.x + 45):
        window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
        yield 0.1
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type="F1", value=value, x=region.x + 45, y=y)
    yield 0.1


def tried(name: str, draw: Any) -> Iterator[float]:
    """Show something and press F1 over it; gives what is wrong."""
    DRAWN[:] = [draw]
    area_of("VIEW_3D").tag_redraw()
    OPENED.clear()
    yield 0.2
    for _ in range(PATIENCE):
        yield from press_f1()
        if OPENED:
            break
    return fault(name, OPENED[-1]) if OPENED else "F1 opened nothing"


def shown_field(owner: Any, prop: Any) -> Any:
    how: dict[str, Any] = {"index": 0} if getattr(prop, "is_array", False) else {}
    if prop.type in ("STRING", "ENUM", "POINTER"):
        how["text"] = ""  # Else the name stands beside the field.
    return lambda layout: layout.prop(owner, prop.identifier, **how)


def everything(found: dict[str, str], seed: int) -> Steps:
    enable_addons()
    from tools.manual import reference_pages

    scene()
    webbrowser.open = lambda url, *_: OPENED.append(url) or True
    bpy.types.VIEW3D_HT_header.draw = lambda self, _context: [each(self.layout) for each in DRAWN]
    chance = random.Random(seed)
    for name, owner, prop in chance.sample(fields(), FIELDS):
        found[name] = yield from tried(name, shown_field(owner, prop))
    for each in chance.sample([each.bl_idname for each in reference_pages.operators()], OPERATORS):
        found[each] = yield from tried(each, lambda layout, each=each: layout.operator(each))


def main() -> None:
    path, seed = sys.argv[sys.argv.index("--") + 1 :]
    found: dict[str, str] = {}
    bpy.context.preferences.view.show_splash = False
    run(
        lambda: everything(found, int(seed)),
        failed=lambda: found.update(itself=traceback.format_exc()),
        ended=lambda: Path(path).write_text(json.dumps(found), encoding="utf-8"),
    )


if __name__ == "__main__":
    main()
