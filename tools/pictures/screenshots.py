"""Makes the pictures in docs/images, in a Blender with a window.

From the command line:

    blender --factory-startup --enable-event-simulate --python tools/pictures/screenshots.py
    (the same) -- overlay

It builds small scenes, shows one panel after the other, and saves what it looks like; the words
after `--` choose some of the pictures. Blender closes itself at the end. Needs X, Blender's window
at its lower left, and ImageMagick.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

ROOT: Final = Path(__file__).resolve().parents[2]
# Blender does not put a script's own folder on the path.
sys.path.insert(0, str(ROOT))

import bmesh
import bpy as stubbed_bpy  # noqa: TID251

from tools.pictures import screenshot_scenes
from tools.pictures.blender_window import (
    SOON,
    Steps,
    area_of,
    click,
    cut,
    difference,
    enable_addons,
    override,
    region_of,
    run,
    save,
    shown,
    window,
)

PANEL_WIDTH: Final = 400  # Of the Properties editor, pixels.
DIALOG_HEIGHT: Final = 300  # Of the pictures of file dialogs, pixels.
BROWSER_HEIGHT: Final = 330  # Of the picture of the Asset Browser, pixels.

bpy: Any = stubbed_bpy


# The scene


def add(name: str, build: Callable[[Any], object] | None = None, **place: Any) -> Any:
    """An object in the scene, with a mesh when something builds one."""
    mesh = None
    if build is not None:
        mesh = bpy.data.meshes.new(name)
        work = bmesh.new()
        build(work)
        work.to_mesh(mesh)
        work.free()
    obj = bpy.data.objects.new(name, mesh)
    obj.empty_display_size = 0.15
    for attribute, value in place.items():
        setattr(obj, attribute, value)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def cube(x: float, y: float, z: float) -> Callable[[Any], object]:
    """Builds a box of these lengths."""

    def build(work: Any) -> None:
        bmesh.ops.create_cube(work, size=1.0)
        bmesh.ops.scale(work, vec=(x, y, z), verts=work.verts)

    return build


def ball(work: Any) -> None:
    """Builds a ball of radius 0.5."""
    bmesh.ops.create_uvsphere(work, u_segments=24, v_segments=12, radius=0.5)


def rock(work: Any) -> None:
    """Builds something that is not convex."""
    bmesh.ops.create_icosphere(work, subdivisions=2, radius=0.7)
    for index, vert in enumerate(work.verts):
        vert.co *= 1.0 - 0.35 * (index * 7 % 5 == 0)


def barrel(work: Any) -> None:
    """Builds a cylinder of height 1.2."""
    bmesh.ops.create_cone(
        work, segments=24, radius1=0.4, radius2=0.4, depth=1.2, cap_ends=True, cap_tris=False
    )


def ramp(work: Any) -> None:
    """Builds a curved surface."""
    bmesh.ops.create_grid(work, x_segments=6, y_segments=4, size=1.0)
    for vert in work.verts:
        vert.co.z = 0.3 * (vert.co.x + 1.0) ** 2


def solid(obj: Any, kind: str, body: str = "") -> Any:
    """Make an object a collider of a kind that fits it, and a body when one is named."""
    bpy.context.view_layer.update()
    with bpy.context.temp_override(object=obj, selected_editable_objects=[obj]):
        bpy.ops.object.omi_physics_add_collider(shape_type=kind)
        if body:
            bpy.ops.object.omi_physics_add_motion(type=body)
    return obj


def build_scene() -> None:
    """One object of every role and kind of shape, side by side."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    solid(add("Ground", cube(9.0, 7.0, 0.2), location=(0.0, 0.0, -0.1)), "BOX")
    solid(add("Crate", cube(1.0, 1.0, 1.0), location=(-0.4, -1.8, 0.5)), "BOX", "DYNAMIC")
    solid(add("Ball", ball, location=(1.2, -2.0, 0.5)), "SPHERE", "DYNAMIC")
    solid(add("Barrel", barrel, location=(2.7, -1.6, 0.6)), "CYLINDER", "DYNAMIC")
    solid(add("Ramp", ramp, location=(3.0, 1.2, 0.0)), "TRIMESH")
    solid(add("Lift", cube(1.6, 1.6, 0.3), location=(-0.2, 1.8, 1.0)), "BOX", "KINEMATIC")
    character = add("Character", cube(0.7, 0.7, 1.8), location=(-2.0, -1.8, 0.9))
    solid(character, "CAPSULE", "KINEMATIC")
    rocks = solid(add("Rocks", location=(-3.2, 1.2, 0.5)), "NONE", "STATIC")
    for x, y in ((-0.3, 1.0), (0.1, -0.8)):
        solid(add("Rock", rock, location=(x, y, 0.0), parent=rocks), "CONVEX")
    area = add("Goal", location=(0.4, 0.0, 0.8))
    area.omi_physics.use_trigger = True
    area.omi_physics.trigger.mode = "LIST"
    for name, x in (("Goal Left", -0.9), ("Goal Right", 0.9)):
        half = add(name, location=(x, 0.0, 0.0), parent=area)
        half.omi_physics.use_trigger = True
        half.omi_physics.trigger.shape.box.size = (1.6, 1.0, 1.6)
        area.omi_physics.trigger.nodes.add().object = half
    fill_lists()


def add_vehicle() -> None:
    """A car with four wheels, a joint, and a place where things fall to a line.

    After the other pictures; the second time it does nothing.
    """
    if "Car" in bpy.data.objects:
        return
    chassis = add("Car", cube(1.8, 3.6, 0.5), location=(0.0, -0.2, 0.8))
    turned = (0.0, 1.5708, 0.0)
    wheels = [
        add(f"{end} {side}", wheel, location=(x, y, 0.4), rotation_euler=turned)
        for side, x in (("Right", -1.0), ("Left", 1.0))
        for end, y in (("Front", -1.4), ("Back", 1.0))
    ]
    seat = add("Car Seat", location=(0.4, 0.0, 1.0), parent=chassis)
    seat.omi_physics.use_seat = True
    bpy.context.view_layer.update()
    with bpy.context.temp_override(object=chassis, selected_editable_objects=[chassis, *wheels]):
        bpy.ops.object.omi_physics_rig_vehicle()
    door = add("Door", parent=bpy.data.objects["Crate"]).omi_physics
    door.use_joint, door.joint.settings = True, "Door Hinge"
    door.joint.connected_object = bpy.data.objects["Rocks"]
    stream = add("Stream", location=(0.0, 0.0, 0.5))
    with bpy.context.temp_override(object=stream, selected_editable_objects=[stream]):
        bpy.ops.object.omi_physics_add_gravity(type="LINE")


def wheel(work: Any) -> None:
    """Builds a cylinder along Z, as Blender's own."""
    bmesh.ops.create_cone(
        work, segments=24, radius1=0.4, radius2=0.4, depth=0.25, cap_ends=True, cap_tris=False
    )


def fill_lists() -> None:
    """Some materials and filters, and objects that use them."""
    scene = bpy.context.scene
    for name in ("Ice", "Rubber", "Wood"):
        bpy.ops.scene.omi_physics_add_physics_material()
        scene.omi_physics.physics_materials[-1].name = name
    material = scene.omi_physics.physics_materials["Rubber"]
    material.static_friction, material.dynamic_friction, material.restitution = 0.9, 0.8, 0.7
    scene.omi_physics.physics_materials_index = 1
    bpy.ops.scene.omi_physics_add_collision_filter()
    entry = scene.omi_physics.collision_filters[-1]
    entry.name, entry.mode = "Players", "NOT"
    for name in ("Character", "Pushable"):
        entry.collision_systems.add().name = name
    entry.not_collide_with_systems.add().name = "Debris"
    bpy.ops.scene.omi_physics_add_joint_settings()
    scene.omi_physics.joint_settings[-1].name = "Door Hinge"
    bpy.ops.scene.omi_physics_set_joint_settings_kind(kind="HINGE")
    crate = bpy.data.objects["Crate"].omi_physics
    crate.collider.physics_material = "Rubber"
    crate.motion.mass_mode, crate.motion.density = "DENSITY", 600.0


# The pictures


def prepare() -> Steps:
    """Enable the add-on, build the scene, make room for a tall Properties editor."""
    from omi_physics_addon.blender.panels import scenes

    scenes.OMIPHYSICS_PT_scene.bl_options = set()  # Open, so that nobody has to click.
    enable_addons()
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    build_scene()
    view = area_of("VIEW_3D")
    with override(view):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=1.0 - PANEL_WIDTH / view.width)
    yield SOON
    new = min((a for a in window().screen.areas if a.type == "VIEW_3D"), key=lambda a: a.width)
    new.type = "PROPERTIES"
    hide_other_panels()
    yield SOON


def hide_other_panels() -> None:
    """Leave nothing but ours in the two tabs that are shown."""
    for cls in cast("list[Any]", bpy.types.Panel.__subclasses__()):
        tab = getattr(cls, "bl_context", "")
        if tab in ("physics", "scene") and "OMIPHYSICS" not in cls.__name__ and cls.is_registered:
            bpy.utils.unregister_class(cls)


def properties(tab: str) -> Any:
    """The region of the tall Properties editor, which shows a tab."""
    areas = [area for area in window().screen.areas if area.type == "PROPERTIES"]
    area = max(areas, key=lambda each: each.height)
    area.spaces.active.context = tab
    return region_of(area)


def activate(name: str) -> None:
    """Make an object the only selected one."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name == name)
    bpy.context.view_layer.objects.active = bpy.data.objects[name]


def object_panels() -> Steps:
    """The Physics tab of a body with a collider."""
    activate("Crate")
    yield SOON
    region = properties("PHYSICS")
    yield SOON
    save(cut(region), "object_body_collider")


def vehicle_panels() -> Steps:
    """The Physics tab of a wheel and a joint."""
    add_vehicle()
    for name, picture in (
        ("Front Left Wheel", "object_wheel"),
        ("Door", "object_joint"),
    ):
        activate(name)
        yield SOON
        region = properties("PHYSICS")
        yield SOON
        save(cut(region), picture)


def scene_panel() -> Steps:
    """The Scene tab."""
    region = properties("SCENE")
    yield 2 * SOON
    save(cut(region), "scene_lists")


def sidebar() -> Steps:
    """The tab in the sidebar of the 3D Viewport, in front of nothing."""
    add_vehicle()
    activate("Car")
    view = area_of("VIEW_3D")
    space = view.spaces.active
    space.overlay.show_overlays = space.show_gizmo = False
    space.region_3d.view_location = (0.0, 0.0, 1000.0)
    space.show_region_ui = True
    yield 2 * SOON
    region = region_of(view, "UI")
    region.active_panel_category = "OMI Physics"
    for _ in range(8):  # Sections slide to their places.
        region.tag_redraw()
        yield SOON
    save(cut(region), "sidebar")
    space.show_region_ui = False
    space.overlay.show_overlays = True
    yield SOON


def aim(view: Any) -> None:
    """Look at the scene from above."""
    space = view.spaces.active
    space.region_3d.view_rotation = (0.8, 0.46, 0.19, 0.33)
    space.region_3d.view_location = (0.0, 0.0, 0.4)
    space.region_3d.view_distance = 9.5
    space.show_gizmo = space.show_region_toolbar = False
    space.overlay.show_text = space.overlay.show_cursor = False


def viewport() -> Steps:
    """The shapes in a 3D Viewport, one of them selected."""
    activate("Crate")
    view = area_of("VIEW_3D")
    aim(view)
    yield 3 * SOON
    region = region_of(view)
    height = region.height
    save(shown(region)[height // 5 : height * 4 // 5], "overlay")


def overlay_popover() -> Steps:
    """The overlay popover."""
    view = area_of("VIEW_3D")
    region = region_of(view)
    x, y = region.x + region.width // 2, region.y + region.height - 150
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
    yield SOON
    before = shown(region)
    with override(view):
        bpy.ops.wm.call_panel(name="VIEW3D_PT_overlay", keep_open=True)
    yield 2 * SOON
    save(difference(before, shown(region)), "overlay_popover")
    window().event_simulate(type="ESC", value="PRESS", x=x, y=y)
    window().event_simulate(type="ESC", value="RELEASE", x=x, y=y)
    yield SOON


def dialog(operator: Any, picture: str) -> Steps:
    """The options of a file dialog, the last of them."""
    with override(area_of("VIEW_3D")):
        operator("INVOKE_DEFAULT")
    yield 3 * SOON
    area = area_of("FILE_BROWSER")
    region = region_of(area, "TOOL_PROPS")
    save(cut(region)[:DIALOG_HEIGHT], picture)
    with override(area):
        bpy.ops.file.cancel()
    yield 2 * SOON


def sample_library() -> Steps:
    """The Asset Browser with all assets of the sample library."""
    view = area_of("VIEW_3D")
    bpy.ops.scene.omi_physics_add_sample_library()
    known, name = view.ui_type, bpy.context.preferences.filepaths.asset_libraries[-1].name
    view.ui_type = "ASSETS"
    while view.spaces.active.params is None:
        yield SOON
    view.spaces.active.params.asset_library_reference = name
    for _ in range(8):  # Pictures come one by one.
        view.tag_redraw()
        yield SOON
    save(shown(view)[-BROWSER_HEIGHT:], "sample_library")
    view.ui_type = known
    bpy.ops.scene.omi_physics_remove_sample_library()
    yield SOON


def overlay_kinds() -> Steps:
    """The other kinds of the overlay, each in a scene of its own."""
    view = area_of("VIEW_3D")
    aim(view)
    region = region_of(view)
    yield from click(region.x + 40, region.y + 40)  # Away with the splash screen.
    for name, build in screenshot_scenes.SCENES.items():
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
        distance = build(bpy)
        view.spaces.active.region_3d.view_distance = distance
        overlay = view.spaces.active.overlay
        # The empties that hold the parts.
        overlay.show_extras = overlay.show_relationship_lines = False
        yield 3 * SOON
        height = region.height
        save(shown(region)[height // 8 : height * 7 // 8], f"overlay_{name}")


def pictures() -> Steps:
    """All of them, or those that are named on the command line."""
    parts: dict[str, Callable[[], Steps]] = {
        "panels": object_panels,
        "scene": scene_panel,
        "viewport": viewport,
        "popover": overlay_popover,
        "export": lambda: dialog(bpy.ops.export_scene.gltf, "export_dialog"),
        "vehicle": vehicle_panels,
        "sidebar": sidebar,
        "library": sample_library,
        "overlay": overlay_kinds,
    }
    named = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    yield from prepare()
    for name, part in parts.items():
        if not named or name in named:
            yield from part()


if __name__ == "__main__":
    bpy.context.preferences.view.show_splash = False
    run(pictures)
