"""Pictures every panel, list, menu and dialog of the add-on, to be looked at before a release.

From the command line:

    blender --factory-startup --enable-event-simulate --window-geometry 0 0 1600 1400 \
        --python tools/pictures/every_panel.py -- FOLDER [--scale 2] [--theme light] \
        [--language de_DE] [GROUP ...]

All sections are open, and lists that are longer than their editor are scrolled through; pictures
are numbered. Editors are as wide as Blender makes them. Groups are the functions of `GROUPS`.
Blender closes itself at the end. Needs what blender_window.py needs; with `--scale 2` the window
should be larger, too, as on a screen with small pixels.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bpy as stubbed_bpy  # noqa: TID251

from tools.pictures import every_panel_scenes as scenes
from tools.pictures import (
    screenshot_scenes,
    screenshots,
)
from tools.pictures.blender_window import (
    SOON,
    Pixels,
    Steps,
    area_of,
    click,
    difference,
    enable_addons,
    override,
    pages,
    press,
    region_of,
    run,
    save,
    shown,
    window,
)

# Width of the Properties editor that Blender starts with on a screen of 1920 pixels.
PROPERTIES: Final = 330
CLOSED: Final = 60  # Height below which a redo panel is closed, pixels at scale 1.
TURN: Final = (0.80, 0.46, 0.19, 0.33)
PRESET: Final = "Saloon Door With Two Springs"
# Panels and inline sections are open from the start.
OPEN: Final = {
    r'\{"DEFAULT_CLOSED"\}': "set()",
    r"default_closed=[^,\n]*?(?=[,)\n])": "default_closed=False",
}

bpy: Any = stubbed_bpy


def read_options() -> argparse.Namespace:
    """What stands behind `--` on the command line."""
    parser = argparse.ArgumentParser(prog="every_panel.py")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    parser.add_argument(
        "--language", help="Blender's name of one, such as ja_JP; English if not given"
    )
    parser.add_argument("groups", nargs="*")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])


OPTIONS: Final = read_options()


# The screen


def install_opened(folder: Path) -> None:
    """Enable a copy of the add-on whose sections all start open."""
    package = folder / "omi_physics_addon"
    shutil.copytree(ROOT / package.name, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in package.rglob("panels/*.py"):
        text = path.read_text(encoding="utf-8")
        for pattern, instead in OPEN.items():
            text = re.sub(pattern, instead, text)
        path.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    enable_addons()


def prepare(folder: Path) -> Steps:
    """Set up preferences and editors."""
    preferences = bpy.context.preferences
    preferences.view.ui_scale = OPTIONS.scale
    preferences.view.filebrowser_display_type = "SCREEN"
    if OPTIONS.theme == "light":
        themes = Path(bpy.utils.preset_paths("interface_theme")[0])
        theme, menu = str(themes / "Blender_Light.xml"), "USERPREF_MT_interface_theme_presets"
        bpy.ops.script.execute_preset(filepath=theme, menu_idname=menu)
    if OPTIONS.language:
        preferences.view.language = OPTIONS.language
    install_opened(folder)
    yield SOON
    view = area_of("VIEW_3D")
    with override(view):
        bpy.ops.screen.area_split(
            direction="VERTICAL", factor=1.0 - PROPERTIES * OPTIONS.scale / view.width
        )
    yield SOON
    new = min((a for a in window().screen.areas if a.type == "VIEW_3D"), key=lambda a: a.width)
    new.type = "PROPERTIES"
    screenshots.hide_other_panels()
    yield 2 * SOON


def clear() -> None:
    """Remove all objects and lists."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    bpy.context.scene.property_unset("omi_physics")
    bpy.context.view_layer.update()


def activate(*names: str) -> None:
    """Select objects; the last one is the active one."""
    bpy.context.view_layer.update()
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[-1]] if names else None


def properties(tab: str) -> Any:
    """The tall Properties editor, which shows a tab."""
    areas = [area for area in window().screen.areas if area.type == "PROPERTIES"]
    area = max(areas, key=lambda each: each.height)
    area.spaces.active.context = tab
    return area


def viewport() -> Generator[float, None, Any]:
    """A viewport that shows nothing but its background; returns it."""
    view = area_of("VIEW_3D")
    space = view.spaces.active
    space.overlay.show_overlays = space.show_gizmo = space.show_region_toolbar = False
    space.show_region_ui = False
    space.region_3d.view_location = (0.0, 0.0, 1000.0)
    yield 2 * SOON
    return view


def open_sidebar() -> Generator[float, None, Any]:
    """Show our tab in the sidebar, in front of nothing; returns the viewport."""
    view = yield from viewport()
    view.spaces.active.show_region_ui = True
    yield 2 * SOON
    region_of(view, "UI").active_panel_category = "OMI Physics"
    yield 2 * SOON
    return view


def keep(pixels: Pixels, name: str) -> None:
    """Write a picture into the folder of the caller."""
    save(pixels, name, OPTIONS.folder)


def picture(area: Any, kind: str, name: str) -> Steps:
    """Picture a region, page by page."""
    number = 0
    for number, page in enumerate((yield from pages(area, kind)), 1):
        keep(page, f"{name}_{number}")


def popup(name: str, show: Callable[[], object]) -> Steps:
    """Picture what opens in the viewport, and close it."""
    view = area_of("VIEW_3D")
    region = region_of(view)
    x, y = region.x + region.width // 3, region.y + region.height * 3 // 4
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield 2 * SOON
    before = shown(region)
    with override(view):
        show()
    yield 2 * SOON
    keep(difference(before, shown(region)), name)
    for _ in range(2):
        yield from press("ESC", x, y)
    yield SOON


def redo(name: str, operator: Any, **values: Any) -> Steps:
    """Run an operator as a click does, and picture its redo panel, closed and open."""
    view = area_of("VIEW_3D")
    bpy.ops.ed.undo_push(message="Before")
    with override(view):
        operator("EXEC_DEFAULT", True, **values)
    yield 3 * SOON
    region = region_of(view, "HUD")
    if region.height < CLOSED * OPTIONS.scale:
        yield from click(region.x + region.width // 3, region.y + region.height // 2)
        yield 2 * SOON
    keep(shown(region), f"redo_{name}")
    with override(view):
        bpy.ops.ed.undo()
    yield SOON


def file_dialog(name: str, operator: Any) -> Steps:
    """Picture the options of a file dialog."""
    with override(area_of("VIEW_3D")):
        operator("INVOKE_DEFAULT")
    yield 3 * SOON
    area = area_of("FILE_BROWSER")
    yield from picture(area, "TOOL_PROPS", f"dialog_{name}")
    yield from press("ESC", area.x + area.width // 2, area.y + area.height // 2)
    yield 3 * SOON


# The groups


def sidebar() -> Steps:
    """The sidebar, for all that can be selected, with findings and JSON."""
    view = yield from open_sidebar()
    clear()
    yield from picture(view, "UI", "sidebar_empty")
    scenes.build(bpy)
    activate()
    yield from picture(view, "UI", "sidebar_unselected")
    bpy.context.scene.omi_physics.sidebar.system = "Pushable Furniture"
    for name, *selected in (
        ("car", "Car"),
        ("joint", "Door Joint"),
        ("curve", "Path"),
        ("several", "Box Collider", "Dynamic Body", "Car"),
    ):
        activate(*selected)
        bpy.ops.scene.omi_physics_check()
        yield from picture(view, "UI", f"sidebar_{name}")
    settings = bpy.context.scene.omi_physics.sidebar
    settings.json_family, settings.issues_of = "KHR", "EXPORT"
    yield from picture(view, "UI", "sidebar_khr")
    activate("Box Collider")
    bpy.ops.object.mode_set(mode="EDIT")
    yield from picture(view, "UI", "sidebar_edit")
    bpy.ops.object.mode_set(mode="OBJECT")


def play() -> Steps:
    """The preview's part of the sidebar while it is stopped, plays and is paused."""
    view = yield from open_sidebar()
    clear()
    scenes.build_play(bpy)
    activate("Crate 1")
    yield SOON
    bpy.ops.scene.omi_physics_preview_check()
    yield from picture(view, "UI", "preview_stopped")
    with override(view):
        bpy.ops.scene.omi_physics_preview_start("INVOKE_DEFAULT")
    yield 5.0
    yield from picture(view, "UI", "preview_playing")
    bpy.ops.scene.omi_physics_preview_pause()
    yield SOON
    bpy.data.objects["Crate 1"].omi_physics.motion.mass_mode = "DENSITY"
    yield from picture(view, "UI", "preview_paused")
    bpy.ops.scene.omi_physics_preview_stop()
    yield 2 * SOON


def tab() -> Steps:
    """The Physics tab of each object, and each limit and drive of a joint as the active one."""
    clear()
    area = properties("SCENE")  # Which is there without an object.
    names = scenes.build(bpy)
    for name in names:
        activate(name)
        yield SOON
        area.spaces.active.context = "PHYSICS"
        yield from picture(area, "WINDOW", "tab_" + name.lower().replace(" ", "_"))
    activate("Door Joint")
    entry = bpy.context.scene.omi_physics.joint_settings["Door"]
    for part in ("limits", "drives"):
        for index in range(1, len(getattr(entry, part))):
            setattr(entry, f"{part}_index", index)
            yield SOON
            yield from picture(area, "WINDOW", f"tab_{part}_{index}")


def scene() -> Steps:
    """The Scene tab, with and without lists."""
    clear()
    area = properties("SCENE")
    yield 2 * SOON
    yield from picture(area, "WINDOW", "scene_empty")
    scenes.build(bpy)
    lists = bpy.context.scene.omi_physics
    lists.use_world_gravity = True
    for index, source in enumerate(("SCENE", "VALUE")):
        lists.physics_materials_index = lists.collision_filters_index = index
        lists.joint_settings_index, lists.world_gravity.source = index, source
        yield SOON
        yield from picture(area, "WINDOW", f"scene_{source.lower()}")


def menus() -> Steps:
    """Every menu of ours, Blender's own that lead to them, and the overlay popover."""
    view = yield from viewport()
    clear()
    scenes.build(bpy)
    activate("Car", "Door Joint")
    bpy.ops.scene.omi_physics_add_joint_preset(name=PRESET)
    ours = [name for name in dir(bpy.types) if name.startswith("OMIPHYSICS_MT_")]
    for menu in ("VIEW3D_MT_add", "VIEW3D_MT_object", *ours):
        call = partial(bpy.ops.wm.call_menu, name=menu)
        yield from popup("menu_" + menu.partition("_MT_")[2], call)
    bpy.ops.scene.omi_physics_add_joint_preset(name=PRESET, remove_name=True)
    view.spaces.active.overlay.show_overlays = True
    call = partial(bpy.ops.wm.call_panel, name="VIEW3D_PT_overlay", keep_open=True)
    yield from popup("popover", call)


def redos() -> Steps:
    """The redo panels of operators that ask for something."""
    yield from viewport()
    clear()
    scenes.build(bpy)
    objects = bpy.ops.object
    for name, selected, values in scenes.REDOS:
        activate(*selected)
        yield SOON
        operator, _, detail = name.partition(" ")
        picture_name = f"{operator}_{detail}" if detail else operator
        yield from redo(picture_name, getattr(objects, f"omi_physics_{operator}"), **values)


def dialogs() -> Steps:
    """What asks before it does something, and the options of file dialogs."""
    yield from viewport()
    clear()
    scenes.build(bpy)
    activate("Door Joint")
    yield SOON
    for name, operator, values in (
        ("bake", bpy.ops.object.omi_physics_bake, {}),
        ("rename", bpy.ops.scene.omi_physics_rename_system, {"system": "Players"}),
        ("preset", bpy.ops.scene.omi_physics_add_joint_preset, {}),
    ):
        yield from popup(f"dialog_{name}", partial(operator, "INVOKE_DEFAULT", **values))
    for family in ("OMI", "KHR", "BOTH"):
        bpy.context.scene.omi_physics.export.family = family
        yield from file_dialog(f"export_{family.lower()}", bpy.ops.export_scene.gltf)
    yield from file_dialog("import", bpy.ops.import_scene.gltf)
    yield from file_dialog("record", bpy.ops.scene.omi_physics_record)


def overlay() -> Steps:
    """The kinds of the overlay, not selected and selected."""
    view = yield from viewport()
    space = view.spaces.active
    space.overlay.show_overlays = True
    space.overlay.show_extras = space.overlay.show_relationship_lines = False
    space.region_3d.view_rotation, space.region_3d.view_location = TURN, (0.0, 0.0, 0.4)
    everything: dict[str, Callable[[Any], float]] = {"shapes": _shapes, **screenshot_scenes.SCENES}
    for name, build in everything.items():
        clear()
        space.region_3d.view_distance = build(bpy)
        for selected in (False, True):
            activate(*(obj.name for obj in bpy.context.scene.objects if selected))
            yield 3 * SOON
            pixels = shown(region_of(view))
            height = len(pixels)
            keep(pixels[height // 5 : height * 4 // 5], f"overlay_{name}{'_selected' * selected}")


def handles() -> Steps:
    """The handles of each shape, without Blender's own gizmos."""
    view = yield from viewport()
    space = view.spaces.active
    space.overlay.show_overlays = space.show_gizmo = True
    space.show_gizmo_navigate = space.show_gizmo_tool = False
    space.overlay.show_extras = space.overlay.show_relationship_lines = False
    space.region_3d.view_rotation, space.region_3d.view_location = TURN, (0.0, 0.0, 0.4)
    clear()
    space.region_3d.view_distance = _shapes(bpy)
    for obj in bpy.context.scene.objects:
        activate(obj.name)
        yield 3 * SOON
        name = obj.name.lower().replace(" ", "_")
        pixels = shown(region_of(view))
        height = len(pixels)
        keep(pixels[height // 5 : height * 4 // 5], f"handles_{name}")


def _shapes(_bpy: Any) -> float:
    screenshots.build_scene()
    return 9.5


GROUPS: Final[dict[str, Callable[[], Steps]]] = {
    group.__name__: group
    for group in (sidebar, play, tab, scene, menus, redos, dialogs, overlay, handles)
}


def pictures() -> Steps:
    """All groups, or those that are named on the command line."""
    with tempfile.TemporaryDirectory() as folder:
        yield from prepare(Path(folder))
        for name, group in GROUPS.items():
            if name in OPTIONS.groups or not OPTIONS.groups:
                yield from group()


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    run(pictures)
