from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

import omi_physics_addon
from omi_physics_addon.blender import operators, panels, registration
from omi_physics_addon.blender.base.roles import PARTS
from omi_physics_addon.blender.panels import exchange, menus
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh
from tools.bench.benchmark_panels import Instance

PACKAGE = Path(omi_physics_addon.__file__).parent
UI = bpy.types.UILayout.bl_rna
ICONS = set(UI.functions["prop"].parameters["icon"].enum_items.keys())
# Methods of layouts that Blender has written in Python or without a description.
PYTHON_ONLY = {"panel", "introspect"}

# Operators that change nothing of the file, so that there is nothing to undo.
VIEW_ONLY = {
    "omi_physics_check": {"REGISTER"},
    "omi_physics_inspect": {"REGISTER"},
    "omi_physics_add_sample_library": {"REGISTER"},
    "omi_physics_remove_sample_library": {"REGISTER"},
    "omi_physics_inspect_export": {"REGISTER"},
    "omi_physics_play_in_browser": {"REGISTER"},
    "omi_physics_record": {"REGISTER"},
    "omi_physics_play_in_engine": {"REGISTER"},
    "omi_physics_install_importer": {"REGISTER"},
    "omi_physics_copy_json": {"REGISTER"},
    "omi_physics_update_json": {"INTERNAL"},
    "omi_physics_about_issue": {"INTERNAL"},
    "omi_physics_report": {"INTERNAL"},
    "omi_physics_outliner_fold": {"INTERNAL"},
    "omi_physics_outliner_fold_all": {"INTERNAL"},
    "omi_physics_preview_listen": {"INTERNAL"},
    "omi_physics_preview_set_substeps": {"REGISTER", "UNDO"},  # It changes an option of the scene.
}


class FakeLayout:
    """Stands for Blender's layout: remembers what is shown, and fails at what Blender lacks."""

    def __init__(self, root: FakeLayout | None = None, above: FakeLayout | None = None) -> None:
        self.root, self.above = root or self, above
        if root is None:
            self.enabled_operators: set[str] = set()
            self.enabled_menus: set[str] = set()
            self.shown: list[tuple[str, str]] = []  # Class of the data, or what it is; name.
            self.texts: list[str] = []
            self.options: dict[str, dict[str, Any]] = {}  # Operator → what its button sets.

    def __setattr__(self, name: str, value: Any) -> None:
        own = {"root", "above", "shown", "texts", "options", "enabled_operators", "enabled_menus"}
        if name not in own:
            assert name in UI.properties, f"layouts have no {name}"
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        assert name in UI.functions or name in PYTHON_ONLY, f"layouts have no {name}()"

        def call(*args: Any, **options: Any) -> Any:
            self._check(name, options)
            self.root.texts.append(str(options.get("text", "")))
            handler = getattr(type(self), f"_do_{name}", None)
            return handler(self, *args, **options) if handler else FakeLayout(self.root, self)

        return call

    @staticmethod
    def _check(name: str, options: dict[str, Any]) -> None:
        if name in UI.functions:
            unknown = options.keys() - set(UI.functions[name].parameters.keys())
            assert not unknown, f"{name}() has no {unknown}"
        assert options.get("icon", "NONE") in ICONS, f"no icon {options['icon']}"

    def _do_prop(self, data: Any, name: str, **_options: Any) -> None:
        assert name in data.bl_rna.properties, f"{data} has no {name}"
        self.root.shown.append((type(data).__name__, name))

    def _do_prop_search(
        self, data: Any, name: str, owner: Any, list_name: str, **_options: Any
    ) -> None:
        self._do_prop(data, name)
        self._do_prop(owner, list_name)

    def _do_template_list(
        self,
        list_type: str,
        _list_id: str,
        data: Any,
        name: str,
        active_data: Any,
        active_name: str,
        **_options: Any,
    ) -> None:
        cls = getattr(bpy.types, list_type)
        self._do_prop(data, name)
        self._do_prop(active_data, active_name)
        for item in getattr(data, name):
            cls.draw_item(
                Instance(cls),
                bpy.context,
                FakeLayout(self.root),
                data,
                item,
                0,
                active_data,
                active_name,
                0,
                0,
            )

    def _do_operator(self, name: str, **_options: Any) -> Any:
        space, _, operator = name.partition(".")
        rna = getattr(getattr(bpy.ops, space), operator).get_rna_type()
        self.root.shown.append(("operator", name))
        if self.is_enabled() and getattr(getattr(bpy.ops, space), operator).poll():
            self.root.enabled_operators.add(name)
        return OperatorProperties(rna, self.root.options.setdefault(name, {}))

    def is_enabled(self) -> bool:
        """Whether neither this layout nor one that it is in was switched off."""
        own = vars(self).get("enabled", True)
        return bool(own) and (self.above is None or self.above.is_enabled())

    def _do_menu(self, name: str, **_options: Any) -> None:
        assert hasattr(bpy.types, name)
        self.root.shown.append(("menu", name))
        if self.is_enabled():
            self.root.enabled_menus.add(name)

    def _do_panel(self, idname: str, **_options: Any) -> tuple[FakeLayout, FakeLayout]:
        self.root.shown.append(("panel", idname))
        return FakeLayout(self.root), FakeLayout(self.root)


class OperatorProperties:
    """What a layout gives for an operator: takes the values it has properties for."""

    def __init__(self, rna: Any, noted: dict[str, Any]) -> None:
        object.__setattr__(self, "rna", rna)
        object.__setattr__(self, "noted", noted)

    def __setattr__(self, name: str, value: Any) -> None:
        prop = self.rna.properties[name]
        if prop.type == "ENUM":
            assert value in prop.enum_items
        self.noted[name] = value


def context(obj: Any = None, **more: Any) -> Any:
    more.setdefault("selected_objects", [] if obj is None else [obj])
    more.setdefault("selected_editable_objects", more["selected_objects"])
    more.setdefault("view_layer", bpy.context.view_layer)
    more.setdefault("window_manager", SimpleNamespace(operators=[]))
    more.setdefault("area", None)
    return SimpleNamespace(object=obj, scene=bpy.context.scene, **more)


def draw(cls: Any, ctx: Any) -> FakeLayout | None:
    """What a panel shows; None when it is not there."""
    if hasattr(cls, "poll") and not cls.poll(ctx):
        return None
    layout = FakeLayout()
    cls.draw(Instance(cls, layout=layout), ctx)
    return layout


def names(cls: Any, ctx: Any) -> set[str]:
    layout = draw(cls, ctx)
    return set() if layout is None else {name for _, name in layout.shown}


def panel(name: str) -> Any:
    return getattr(bpy.types, f"OMIPHYSICS_PT_{name}")


LINE_BUTTONS = ("add", "remove", "duplicate", "move")
OURS = [*registration.CLASSES]
OPERATORS = [cls for cls in OURS if issubclass(cls, bpy.types.Operator)]
GROUPS = [cls for cls in OURS if issubclass(cls, bpy.types.PropertyGroup)]
DRAWN = [cls for cls in OURS if issubclass(cls, (bpy.types.Panel, bpy.types.Menu))]
MENUS = [cls for cls in OURS if issubclass(cls, bpy.types.Menu)]
DESCRIBED = [cls for cls in OURS if not issubclass(cls, (bpy.types.Panel, bpy.types.Menu))]

# What every operator has; among the properties of those that have their own of that name as well.
BUILT_IN = {"name"}


def test_buttons_of_presets_say_what_they_are_for() -> None:
    """They are icons in headers."""
    every: Any = bpy.types.Menu.__subclasses__()
    menus = [
        m for m in every if m.__name__.startswith("OMIPHYSICS_MT_") and "presets" in m.__name__
    ]
    assert len(menus) > 5
    assert {menu.bl_description for menu in menus} == {"Load, save and remove presets"}


def test_every_class_is_registered():
    """Gizmos do not say so, but have Blender's description of them as long as they are."""
    for cls in OURS:
        assert getattr(cls, "is_registered", "bl_rna" in vars(cls)), cls


def test_every_class_in_the_folders_is_in_the_list():
    prefix = re.compile(r"^class (OMIPHYSICS_\w+)", re.MULTILINE)
    for folder in ("operators", "panels", "properties"):
        for path in (PACKAGE / "blender" / folder).rglob("*.py"):
            for name in prefix.findall(path.read_text(encoding="utf-8")):
                assert name in {cls.__name__ for cls in OURS}


def test_operators_follow_the_rules():
    for cls in OPERATORS:
        space, _, name = cls.bl_idname.partition(".")
        assert cls.__name__ == f"OMIPHYSICS_OT_{name.removeprefix('omi_physics_')}"
        assert space in ("object", "scene"), name
        # The preview changes nothing that could be undone, and repeating it would not listen to
        # keys.
        is_preview = name.startswith("omi_physics_preview")
        usual = set() if is_preview else {"REGISTER", "UNDO"}
        assert cls.bl_options == VIEW_ONLY.get(name, usual), name
        assert cls.bl_description, name
        assert not cls.bl_description.endswith("."), name
        assert cls.bl_label[0].isupper(), name
        assert hasattr(cls, "poll"), name


def test_labels_fit_into_redo_panels_that_are_closed():
    """Measured in Blender 5.2; where nothing can be changed there is no such panel."""
    for cls in OPERATORS:
        space, _, name = cls.bl_idname.partition(".")
        properties = getattr(getattr(bpy.ops, space), name).get_rna_type().properties
        if any(not p.is_hidden for p in properties if p.identifier != "rna_type"):
            assert len(cls.bl_label) <= 24, name


def test_every_property_is_described_in_one_sentence_without_stop():
    both = (*OPERATORS, *GROUPS)
    for cls, prop in [(each, prop) for each in both for prop in each.bl_rna.properties]:
        own = any(prop.identifier in vars(c).get("__annotations__", {}) for c in cls.__mro__)
        own = own and not (cls in OPERATORS and prop.identifier in BUILT_IN)
        if not own or prop.identifier.startswith("bl_") or is_group(prop):
            continue
        if not prop.is_hidden:
            assert prop.description, f"{cls.__name__}.{prop.identifier} says nothing"
        assert not prop.description.endswith("."), f"{cls.__name__}.{prop.identifier}"
        assert prop.name, f"{cls.__name__}.{prop.identifier}"
        for item in prop.enum_items if prop.type == "ENUM" else ():
            told = f"{cls.__name__}.{prop.identifier}: {item.identifier}"
            assert item.description, told
            assert not item.description.endswith("."), told


def is_group(prop: Any) -> bool:
    """Whether a property only holds a property group, and is not shown itself."""
    return prop.type == "POINTER" and prop.fixed_type.identifier.startswith("OMIPHYSICS_PG_")


def test_panels_and_menus_draw_nothing_but_what_exists():
    space = SimpleNamespace(overlay=SimpleNamespace(show_overlays=True))
    for obj in (add("Empty"), every_part(add("Full", cube_mesh()))):
        for cls in DRAWN:
            draw(cls, context(obj, space_data=space))


def every_part(obj: Any) -> Any:
    add_body(obj)
    add_collider(obj)
    obj.omi_physics.use_trigger = True
    obj.omi_physics.trigger.nodes.add().object = obj
    for part in PARTS:
        setattr(obj.omi_physics, f"use_{part}", True)
    return obj


def test_an_object_without_physics_is_told_what_to_do():
    layout = draw(panel("object"), context(add("Empty")))
    assert "Choose what the object is in glTF" in " ".join(layout.texts)
    assert ("operator", "object.omi_physics_add_motion") in layout.shown
    assert ("operator", "object.omi_physics_add_collider") in layout.shown
    for part in ("body", "collider", "trigger"):
        assert draw(panel(part), context(add("Empty"))) is None


@pytest.mark.parametrize(
    ("kind", "shown", "hidden"),
    [
        ("STATIC", set(), {"mass", "gravity_factor", "linear_velocity", "inertia_mode"}),
        ("KINEMATIC", {"mass", "linear_velocity"}, {"gravity_factor", "inertia_mode"}),
        ("DYNAMIC", {"mass", "gravity_factor", "linear_velocity", "inertia_mode"}, {"density"}),
    ],
)
def test_only_what_counts_for_the_type_of_body(kind, shown, hidden):
    obj = add("Body")
    add_body(obj, kind)
    found = set[str]()
    for name in ("body", "inertia", "velocity"):
        found |= names(panel(name), context(obj))
    assert shown <= found
    assert not hidden & found


def test_values_that_come_from_elsewhere_are_hidden():
    obj = add("Body")
    motion = add_body(obj)
    motion.mass_mode = "DENSITY"
    assert names(panel("body"), context(obj)) >= {"mass_mode", "density"}
    assert "mass" not in names(panel("body"), context(obj))
    motion.mass_mode = "ENGINE"
    assert not {"mass", "density"} & names(panel("body"), context(obj))
    assert "inertia_diagonal" not in names(panel("inertia"), context(obj))
    motion.inertia_mode, motion.center_of_mass_mode = "VALUE", "SHAPES"
    found = names(panel("inertia"), context(obj))
    assert {"inertia_diagonal", "inertia_orientation"} <= found
    assert "center_of_mass" not in found


SIZES = {
    "BOX": {"size"},
    "SPHERE": {"radius"},
    "CAPSULE": {"height", "radius_bottom", "radius_top"},
    "CYLINDER": {"height", "radius_bottom", "radius_top"},
    "CONVEX": {"mesh_source"},
    "TRIMESH": {"mesh_source"},
    "OTHER": {"other_type"},
    "NONE": set(),
}


@pytest.mark.parametrize("part", ["collider", "trigger"])
@pytest.mark.parametrize("kind", SIZES)
def test_only_the_sizes_of_the_shape(kind, part):
    obj = every_part(add("Solid"))
    getattr(obj.omi_physics, part).shape.type = kind
    found = names(panel(part), context(obj))
    assert found & set().union(*SIZES.values()) == SIZES[kind]
    fits = kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER")
    assert ("object.omi_physics_fit_shape" in found) == fits
    assert ("location" in found) == (kind != "NONE")


@pytest.mark.parametrize(
    ("source", "shown"), [("OWN", set()), ("OBJECT", {"mesh_object"}), ("DATA", {"mesh"})]
)
def test_the_field_of_the_chosen_mesh(source, shown):
    obj = add("Solid")
    add_collider(obj, "TRIMESH").mesh_source = source
    assert names(panel("collider"), context(obj)) & {"mesh_object", "mesh"} == shown


def test_the_list_of_a_trigger():
    obj = every_part(add("Area"))
    trigger = obj.omi_physics.trigger
    assert "nodes" not in names(panel("trigger"), context(obj))
    trigger.mode = "LIST"
    assert "nodes" in names(panel("trigger"), context(obj))
    trigger.mode = "BELOW"
    assert "unlisted" in names(panel("trigger"), context(obj))
    assert "collision_filter" in names(panel("trigger"), context(obj))


def test_the_settings_of_a_material_where_it_is_used():
    obj = add("Solid")
    add_collider(obj)
    bpy.ops.scene.omi_physics_add_physics_material()
    assert "static_friction" not in names(panel("collider"), context(obj))
    obj.omi_physics.collider.physics_material = "Physics Material"
    assert "static_friction" in names(panel("collider"), context(obj))


@pytest.mark.parametrize(
    ("panel_name", "find"),
    [
        ("object", lambda group: group),
        ("body", lambda group: group.motion),
        ("collider", lambda group: group.collider),
        ("collider", lambda group: group.collider.shape),
        ("collider", lambda group: group.collider.shape.box),
        ("trigger", lambda group: group.trigger),
    ],
)
def test_what_was_kept_from_the_imported_file_is_told(panel_name, find):
    obj = every_part(add("Imported"))
    find(obj.omi_physics).kept = json.dumps({"mass": -1, "color": "red"})
    layout = draw(panel(panel_name), context(obj))
    assert "Unknown data kept from the file: mass, color" in layout.texts
    find(obj.omi_physics).kept = json.dumps({f"OMI_future_{i}": i for i in range(9)})
    told = [text for text in draw(panel(panel_name), context(obj)).texts if "OMI_future" in text]
    assert len(told) > 1
    assert max(map(len, told)) <= 44  # What the Properties editor shows at its usual width.
    find(obj.omi_physics).kept = "no JSON"
    assert "Unknown data kept from the file: no JSON" in draw(panel(panel_name), context(obj)).texts


@pytest.mark.parametrize("name", ["physics_materials", "collision_filters", "joint_settings"])
def test_empty_lists_of_the_scene_say_what_to_do(name):
    def hints() -> list[str]:
        shown = draw(panel(name), context())
        assert shown is not None
        return [text for text in shown.texts if text.startswith("Press + ")]

    assert len(hints()) == 1
    getattr(bpy.context.scene.omi_physics, name).add()
    assert hints() == []


def test_velocities_name_their_axes():
    shown = draw(panel("velocity"), context(add_body(add("Crate")).id_data))
    assert shown is not None
    fields = [text for text in shown.texts if text]
    assert fields == ["Linear X", "Y", "Z", "Angular X", "/s", "Y", "/s", "Z", "/s"]


def test_lists_of_the_scene():
    ctx = context()
    assert "mode" not in names(panel("collision_filters"), ctx)
    bpy.ops.scene.omi_physics_add_collision_filter()
    bpy.ops.scene.omi_physics_add_physics_material()
    assert {"static_friction", "restitution_combine"} <= names(panel("physics_materials"), ctx)
    entry = ctx.scene.omi_physics.collision_filters[0]
    for systems in ("collision_systems", "collide_with_systems", "not_collide_with_systems"):
        getattr(entry, systems).add().name = systems
    for mode, count in {"ALL": 1, "ONLY": 2, "NOT": 2, "BOTH": 3}.items():
        entry.mode = mode
        layout = draw(panel("collision_filters"), ctx)
        fields = [s for s in layout.shown if s == ("OMIPHYSICS_PG_system", "name")]
        assert len(fields) == count


@pytest.mark.parametrize("what", ["physics_materials", "collision_filters"])
def test_a_name_that_files_do_not_get_is_told(what):
    ctx = context()
    entry = getattr(ctx.scene.omi_physics, what).add()
    entry.name = "Made Up"
    entry.name_in_file = ""
    assert "Exported without a name" in draw(panel(what), ctx).texts
    entry.name_in_file = "Ice"
    assert "Exported as Ice" in draw(panel(what), ctx).texts
    entry.name = "Snow"
    assert not any("Exported" in text for text in draw(panel(what), ctx).texts)


def test_the_export_dialog_has_our_panel_once():
    import io_scene_gltf2

    drawn = io_scene_gltf2.exporter_extension_layout_draw
    assert [draw for draw in drawn.values() if draw.__module__.endswith("exchange")] == [
        exchange.draw_export
    ]
    assert set(drawn) <= set(bpy.context.preferences.addons.keys())


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (exchange.draw_export, {"enabled", "target", "repair", "include_hidden"}),
        (exchange.draw_import, {"enabled"}),
    ],
)
def test_dialogs(function, shown):
    layout = FakeLayout()
    function(context(), layout)
    assert shown <= {name for _, name in layout.shown}


@pytest.mark.parametrize(
    ("target", "family", "told"),
    [
        ("SPECIFICATION", "OMI", []),
        ("GODOT_4", "OMI", []),
        ("GODOT_4", "KHR", ["Godot 4 reads OMI, which is written"]),
        ("BABYLON", "OMI", ["Babylon.js reads KHR, which is written"]),
        ("BABYLON", "BOTH", []),
    ],
)
def test_the_export_dialog_says_which_family_an_engine_gets(target, family, told):
    settings = bpy.context.scene.omi_physics.export
    settings.target, settings.family = target, family
    layout = FakeLayout()
    exchange.draw_export(context(), layout)
    assert [text for text in layout.texts if "reads" in text] == told
    assert ("geometry" in {name for _, name in layout.shown}) == (target == "BABYLON")


def test_overlay_popover_shows_every_setting():
    settings = bpy.context.scene.omi_physics.overlay
    space = SimpleNamespace(overlay=SimpleNamespace(show_overlays=True))
    own = {p.identifier for p in settings.bl_rna.properties} - {"rna_type", "name"}
    assert names(panel("overlay"), context(space_data=space)) == own


def test_the_menu_has_every_operator_on_objects():
    found = set[str]()
    for cls in MENUS:
        found |= names(cls, context())
    ours = {cls.bl_idname for cls in OPERATORS if cls.bl_idname.startswith("object.")}
    # The other ones need the lists that their buttons stand beside.
    beside = {f"object.omi_physics_{name}" for name in ("trigger_remove", "trigger_clear")}
    beside |= {f"object.omi_physics_line_{name}" for name in LINE_BUTTONS}
    beside |= {cls.bl_idname for cls in OPERATORS if "_select_" in cls.bl_idname}
    beside |= {cls.bl_idname for cls in OPERATORS if "_outliner_" in cls.bl_idname}
    beside |= {
        f"object.omi_physics_{name}"
        for name in ("fix_issue", "fix_all", "ignore_issue", "about_issue", "update_json")
    }
    beside.add("object.omi_physics_make_wheels")  # For scripts; Make Vehicle does the same.
    assert ours - beside <= found


def test_the_menu_is_short_enough_for_a_small_window():
    """Of 768 pixels, each row taking 24 at most."""
    menu = bpy.types.OMIPHYSICS_MT_object
    rows = len(draw(menu, context()).shown)
    assert 15 < rows <= 24


def test_the_menu_is_in_the_object_menu_once():
    drawn = bpy.types.VIEW3D_MT_object._dyn_ui_initialize()
    assert drawn.count(menus.draw_object_menu) == 1
    layout = FakeLayout()
    menus.draw_object_menu(SimpleNamespace(layout=layout), bpy.context)
    assert layout.shown == [("menu", "OMIPHYSICS_MT_object")]


def test_unregister_leaves_nothing_behind():
    def handlers() -> int:
        lists = [getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)]
        return sum(len(each) for each in lists if isinstance(each, list))

    before = handlers()
    omi_physics_addon.unregister()
    try:
        left = [name for name in dir(bpy.types) if name.startswith("OMIPHYSICS_")]
        assert not left
        assert not hasattr(bpy.types.Object, "omi_physics")
        drawn = bpy.types.VIEW3D_MT_object._dyn_ui_initialize()
        assert menus.draw_object_menu not in drawn
        assert handlers() < before
    finally:
        omi_physics_addon.register()
    assert handlers() == before


def test_packages_list_all_their_modules():
    for package in (operators, panels):
        for module in package.MODULES:
            found = registration.classes_of(module)
            assert found, module
            assert set(found) <= set(OURS)
