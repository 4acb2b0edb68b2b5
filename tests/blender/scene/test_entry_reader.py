"""Materials, filters and joint settings in the lists of scenes: their names and their users."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.properties import names
from omi_physics_addon.blender.scene import entry_reader, entry_writer
from omi_physics_addon.blender.scene.entry_reader import EntryReader
from omi_physics_addon.blender.scene.keyed.keyframes import Keyframes
from omi_physics_addon.issues import Issues
from omi_physics_addon.model.bodies import PhysicsMaterial
from omi_physics_addon.model.document import InternedLists, PhysicsDocument
from tests.blender.scene.test_feature_reader import everything
from tests.blender.support.scenes import node

LISTS = ("physics_materials", "collision_filters", "joint_settings")
FAMILIES = ("OMI", "KHR")
BODY = {"OMI": "OMI_physics_body", "KHR": "KHR_physics_rigid_bodies"}
JOINT = {"OMI": "OMI_physics_joint", "KHR": "KHR_physics_rigid_bodies"}
MATERIAL = {
    "staticFriction": 0.6,
    "dynamicFriction": 0.6,
    "restitution": 0,
    "frictionCombine": "average",
    "restitutionCombine": "average",
}


def materials(*entries: dict[str, Any]) -> list[dict[str, Any]]:
    """Physics materials with all their numbers spelled out."""
    return [{**MATERIAL, **entry} for entry in entries]


def filters(*entries: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"collisionSystems": ["a"], **entry} for entry in entries]


def settings(*entries: dict[str, Any]) -> list[dict[str, Any]]:
    """Joint settings that keep one distance, and what is different."""
    rows = []
    for entry in entries:
        rest = {"name": entry["name"]} if "name" in entry else {}
        far = entry.get("max", 0)
        rows.append({"limits": [{"linearAxes": [1, 2], "min": -0.1, "max": far}], **rest})
    return rows


def file_of(
    family: str,
    material_list: list[Any],
    filter_list: list[Any],
    settings_list: list[Any],
) -> dict[str, Any]:
    """A glTF with a node for every entry of each list."""
    nodes: list[dict[str, Any]] = []
    body, joint = BODY[family], JOINT[family]

    def add(extensions: dict[str, Any]) -> None:
        nodes.append({"name": f"Node {len(nodes)}", "extensions": extensions})

    add({body: {"motion": {"type": "static"} if family == "OMI" else {}}})
    shape = {"shape": 0} if family == "OMI" else {"geometry": {"shape": 0}}
    for key, entries in (("physicsMaterial", material_list), ("collisionFilter", filter_list)):
        for i in range(len(entries)):
            add({body: {"collider": {**shape, key: i}}})
    for i in range(len(settings_list)):
        part = {"joint": i, "connectedNode": 0}
        add({joint: part if family == "OMI" else {"joint": part}})
    root: dict[str, Any] = {body: {}}
    shapes = "OMI_physics_shape" if family == "OMI" else "KHR_implicit_shapes"
    root[shapes] = {"shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}]}
    for name, key, entries in (
        (body, "physicsMaterials", material_list),
        (body, "collisionFilters", filter_list),
        (joint, "physicsJoints", settings_list),
    ):
        if entries:
            root.setdefault(name, {})[key] = entries
    return {
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "extensions": {name: value for name, value in root.items() if value},
        "extensionsUsed": sorted(root),
    }


def shared(gltf: dict[str, Any], family: str) -> dict[str, Any]:
    """The lists of a file by key."""
    keys = ("physicsMaterials", "collisionFilters", "physicsJoints")
    lists: dict[str, Any] = {}
    for name in {BODY[family], JOINT[family]}:
        found = gltf["extensions"].get(name, {})
        lists |= {key: found[key] for key in keys if key in found}
    return lists


def lists_of(scene: Any) -> dict[str, list[str]]:
    return {name: [entry.name for entry in getattr(scene.omi_physics, name)] for name in LISTS}


MIXED = [
    {},
    {"name": "Ice"},
    {"extras": {"x": 1}},
    {"name": "Ice", "extras": {"x": 2}},
    {"name": "Ice.001", "extras": {"x": 3}},
    {"name": "Physics Material", "extras": {"x": 4}},
    {"extras": {"x": 5}},
]
JOINTS = [{}, {"name": "Hinge"}, {"max": 1}, {"name": "Hinge", "max": 2.5}]


@pytest.fixture(params=FAMILIES)
def mixed(request) -> tuple[str, dict[str, Any]]:
    """A file with entries without a name, and with one name for several."""
    return request.param, file_of(
        request.param, materials(*MIXED), filters(*MIXED), settings(*JOINTS)
    )


class TestNames:
    def test_a_file_gets_back_the_names_it_had(self, mixed, import_json, export):
        family, source = mixed
        import_json(copy.deepcopy(source))
        assert lists_of(bpy.context.scene) == {
            "physics_materials": [
                "Physics Material.001", "Ice", "Physics Material.002", "Ice.002", "Ice.001",
                "Physics Material", "Physics Material.003",
            ],
            "collision_filters": [  # A name is one for the whole file.
                "Collision Filter", "Ice.003", "Collision Filter.001", "Ice.005", "Ice.004",
                "Physics Material.004", "Collision Filter.002",
            ],
            "joint_settings": [
                "Joint Settings", "Hinge", "Joint Settings.001", "Hinge.001",
            ],
        }  # fmt: skip
        assert shared(export(), family) == shared(source, family)

    def test_round_trips_give_the_same_bytes(self, mixed, import_json, export, tmp_path):
        import_json(mixed[1])
        texts = []
        for i in range(3):
            export(f"{i}.gltf")
            texts.append((tmp_path / f"{i}.gltf").read_text())
            bpy.ops.wm.read_homefile(use_empty=True)
            bpy.ops.import_scene.gltf(filepath=str(tmp_path / f"{i}.gltf"))
        assert texts[1] == texts[0]
        assert texts[2] == texts[0]

    def test_a_renamed_entry_is_written_with_its_name(self, mixed, import_json, export):
        family, source = mixed
        import_json(copy.deepcopy(source))
        lists = bpy.context.scene.omi_physics
        for name, made_up in zip(
            LISTS, ("Physics Material.001", "Collision Filter", "Joint Settings"), strict=True
        ):
            entry = getattr(lists, name)[made_up]
            entry.name = "Mine"
            entry.name = made_up  # What the artist typed is a name, whoever had it first.
        found = shared(export(), family)
        assert found["physicsMaterials"][0]["name"] == "Physics Material.001"
        assert found["collisionFilters"][0]["name"] == "Collision Filter"
        assert found["physicsJoints"][0]["name"] == "Joint Settings"
        assert "name" not in found["physicsMaterials"][2]

    def test_a_saved_file_knows_which_names_are_made_up(self, mixed, import_json, export, tmp_path):
        family, source = mixed
        import_json(copy.deepcopy(source))
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
        assert shared(export(), family) == shared(source, family)

    def test_entries_of_artists_keep_their_names(self, export, import_json):
        bpy.ops.scene.omi_physics_add_physics_material()
        import_json(file_of("OMI", materials({}), [], []))
        entries = bpy.context.scene.omi_physics.physics_materials
        assert [names.written(entry) for entry in entries] == ["Physics Material", ""]
        assert [entry.name for entry in entries] == ["Physics Material", "Physics Material.001"]


class TestSharing:
    def test_a_second_import_adds_nothing(self, mixed, import_json):
        import_json(copy.deepcopy(mixed[1]))
        before = lists_of(bpy.context.scene)
        objects = import_json(mixed[1])
        assert lists_of(bpy.context.scene) == before
        second = objects["Node 1.001"].omi_physics.collider
        assert second.physics_material == "Physics Material.001"

    def test_numbers_that_blender_rounds_are_equal_too(self, import_json):
        # Neither is the shortest decimal of the number that Blender holds.
        rows = materials({"restitution": 0.123456789012}, {"name": "A", "restitution": 1 / 3})
        joints = settings({"max": 0.123456789012}, {"name": "A", "max": 1 / 3})
        source = file_of("OMI", rows, [], joints)
        for _ in range(3):
            import_json(copy.deepcopy(source))
        found = lists_of(bpy.context.scene)
        assert found["physics_materials"] == ["Physics Material", "A"]
        assert found["joint_settings"] == ["Joint Settings", "A.001"]  # One name for one thing.

    def test_an_entry_that_was_changed_since_stays_as_it_is(self, import_json, export):
        source = file_of("OMI", materials({"name": "Ice"}, {}), [], [])
        import_json(copy.deepcopy(source))
        entries = bpy.context.scene.omi_physics.physics_materials
        for entry in entries:
            entry.restitution = 0.5
        import_json(source)
        assert [names.written(entry) for entry in entries] == ["Ice", "", "Ice", ""]
        assert [entry.restitution for entry in entries] == [0.5, 0.5, 0, 0]
        written = shared(export(), "OMI")["physicsMaterials"]
        assert written == materials(
            {"name": "Ice", "restitution": 0.5}, {"restitution": 0.5}, {"name": "Ice"}, {}
        )

    def test_equal_entries_of_one_file_become_one(self, import_json):
        import_json(file_of("OMI", materials({}, {}, {"name": "A"}, {"name": "A"}), [], []))
        assert lists_of(bpy.context.scene)["physics_materials"] == ["Physics Material", "A"]

    def test_kept_members_make_a_difference(self, import_json):
        rows = materials({"extras": {"x": 1}}, {"extras": {"x": 2}}, {"extras": {"x": 1}})
        import_json(file_of("OMI", rows, [], []))
        found = lists_of(bpy.context.scene)["physics_materials"]
        assert found == ["Physics Material", "Physics Material.001"]

    def test_a_made_up_name_leaves_those_of_the_file_alone(self, import_json):
        rows = materials({}, {"name": "Physics Material", "restitution": 1})
        import_json(file_of("OMI", rows, [], []))
        entries = bpy.context.scene.omi_physics.physics_materials
        assert [entry.name for entry in entries] == ["Physics Material.001", "Physics Material"]


def in_scene(name: str) -> Any:
    """Make a new scene the one that is shown."""
    scene = bpy.data.scenes.new(name)
    bpy.context.window.scene = scene
    return scene


class TestScenes:
    def test_each_scene_gets_entries_of_its_own_and_a_file_one_of_each(
        self, mixed, import_json, export
    ):
        family, source = mixed
        first = bpy.context.scene
        import_json(copy.deepcopy(source))
        in_scene("Second")
        import_json(copy.deepcopy(source))
        assert lists_of(bpy.context.scene) == lists_of(first)
        gltf = export(use_active_scene=False)
        assert len(gltf["scenes"]) == 2
        assert shared(gltf, family) == shared(source, family)

    def test_entries_of_one_made_up_name_stay_apart(self, import_json, export):
        rows = [materials({"restitution": 0.25}), materials({"restitution": 0.5})]
        import_json(file_of("OMI", rows[0], [], []))
        in_scene("Second")
        import_json(file_of("OMI", rows[1], [], []))
        found = shared(export(use_active_scene=False), "OMI")["physicsMaterials"]
        assert sorted(json.dumps(row) for row in found) == sorted(
            json.dumps({**row[0]}) for row in rows
        )

    def test_equal_parts_of_two_scenes_are_written_once(self, import_json, export):
        import_json(everything())
        in_scene("Second")
        import_json(everything())
        bpy.data.objects["Wheel.001"].omi_physics.wheel.width = 0.5
        gltf = export(use_active_scene=False)
        root = gltf["extensions"]
        assert len(root["OMI_physics_joint"]["physicsJoints"]) == 1
        assert len(root["OMI_physics_body"]["physicsMaterials"]) == 1
        assert len(root["OMI_vehicle_thruster"]["thrusters"]) == 1
        assert len(root["OMI_vehicle_hover_thruster"]["hoverThrusters"]) == 1
        wheels = root["OMI_vehicle_wheel"]["wheels"]
        assert sorted(wheel["width"] for wheel in wheels) == [0.25, 0.5]
        for name, width in (("Wheel", 0.25), ("Wheel.001", 0.5)):
            part = node(gltf, name)["extensions"]["OMI_vehicle_wheel"]
            assert wheels[part["wheel"]]["width"] == width

    @pytest.mark.parametrize("second", [9.75, 1.5])
    def test_two_gravities_of_the_world_are_told(self, second, export):
        for scene, gravity in ((bpy.context.scene, 9.75), (in_scene("Second"), second)):
            scene.omi_physics.use_world_gravity = True
            world = scene.omi_physics.world_gravity
            world.source, world.gravity = "VALUE", gravity
        gltf = export(use_active_scene=False)
        assert gltf["extensions"]["OMI_physics_gravity"]["gravity"] == second
        told = [i.message for i in reports.latest("EXPORT").issues if "world gravity" in i.message]
        assert len(told) == (second != 9.75)
        assert all(text.startswith("Scene has another world gravity") for text in told)


class Counted:
    """The entries of a list, and how often they are gone through or looked up."""

    def __init__(self, entries: Any) -> None:
        self._entries = entries
        self.seen = 0

    def __iter__(self) -> Iterator[Any]:
        for entry in self._entries:
            self.seen += 1
            yield entry

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def list_name(self) -> str:
        return self._entries.list_name

    def append(self, tree: Any) -> None:
        self._entries.append(tree)

    def unlisted(self) -> Iterator[Any]:
        return self._entries.unlisted()


class TestManyEntries:
    """Work that grows with the number of entries, and not with its square."""

    COUNT = 300

    @pytest.mark.parametrize("name", ["", "Ice", "Ice {}"])
    @pytest.mark.parametrize("times", [1, 2])
    def test_an_import_looks_at_every_entry_a_few_times(self, name, times):
        entries = Counted(bpy.context.scene.omi_physics.physics_materials)
        records = [
            PhysicsMaterial(name=name.format(i), static_friction=i / 7) for i in range(self.COUNT)
        ]
        for _ in range(times):
            found = entry_writer.write_materials(entries, records)
        assert len(set(found)) == len(entries) == self.COUNT
        assert entries.seen <= 2 * (times - 1) * self.COUNT

    def test_an_export_reads_each_entry_once(self, monkeypatch):
        listed = bpy.context.scene.omi_physics.physics_materials
        for i in range(self.COUNT):
            listed.add(f"Ice {i}").static_friction = i
        read: list[str] = []
        plain = entry_reader.read_entry

        def counted(list_name: str, entry: Any, axes: Any) -> Any:
            read.append(entry.name)
            return plain(list_name, entry, axes)

        monkeypatch.setattr(entry_reader, "read_entry", counted)
        issues = Issues()
        reader = EntryReader(InternedLists(PhysicsDocument()), issues, Keyframes(issues))
        obj = bpy.data.objects.new("Cube", None)
        for _ in range(2):
            found: list[Any] = []
            for entry in listed:
                obj.omi_physics.collider.physics_material_entry = entry.id_data
                found.append(reader.material(obj.omi_physics.collider, obj))
            assert found == list(range(self.COUNT))
        assert len(read) == self.COUNT
