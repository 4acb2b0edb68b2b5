"""Parts that an export writes without the body that they have in Blender."""

from __future__ import annotations

import math
import time
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from tests.blender.host.test_collection_exporters import exported
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh, write_anyway
from tests.support import pace


def told() -> dict[str, str]:
    """The body of each group of parts that is told of, and what is told."""
    found = [(i.pointer, i.message) for i in reports.latest("EXPORT").issues if i.code == "X66"]
    assert len(dict(found)) == len(found)
    return dict(found)


def collection(name: str) -> Any:
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    return made


def trigger(obj: Any, mode: str = "SHAPE") -> Any:
    obj.omi_physics.use_trigger = True
    obj.omi_physics.trigger.mode = mode
    if mode == "SHAPE":
        obj.omi_physics.trigger.shape.type = "BOX"
    return obj


def select(*names: str) -> None:
    bpy.context.view_layer.update()
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj.name in names)


def armature() -> Any:
    rig = add("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.new("Bone").tail = (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


@pytest.fixture
def car() -> Any:
    """A car whose hull is in a collection of its own, and whose wheel is not."""
    write_anyway()
    car = add("Car", collection=collection("Cars"))
    add_body(car).mass = 10.0
    car.omi_physics.use_vehicle_body = True
    hulls = collection("Hulls")
    add_collider(add("Hull", cube_mesh(), parent=car, collection=hulls))
    add("Wheel", parent=car, collection=car.users_collection[0]).omi_physics.use_wheel = True
    return car


@pytest.mark.usefixtures("car")
class TestOptions:
    def test_nothing_is_told_where_all_is_written(self, export):
        for options in ({}, {"use_visible": True}, {"use_renderable": True}):
            export(**options)
            assert not told()
        select("Car", "Hull")
        export(use_selection=True)
        assert not told()

    def test_selected_objects(self, export):
        select("Hull")
        export(use_selection=True)
        why = "its collider Hull is written without it and does not move with it; select Car, too"
        assert told() == {"Car": why}
        select("Hull", "Wheel")
        export(use_selection=True)
        why = "its 2 parts (Hull and Wheel) are written without it and do not move with it"
        assert told() == {"Car": f"{why}; select Car, too"}

    def test_the_active_collection(self, export):
        layers = bpy.context.view_layer.layer_collection.children
        bpy.context.view_layer.active_layer_collection = layers["Hulls"]
        export(use_active_collection=True)
        assert told()["Car"].endswith("; put Car into the active collection, too")

    def test_exporters_of_collections(self, tmp_path):
        exported(bpy.data.collections["Hulls"], tmp_path / "hulls.gltf")
        assert told()["Car"].endswith("; put Car into the collection Hulls, too")
        exported(bpy.data.collections["Cars"], tmp_path / "cars.gltf")
        assert not told()

    def test_full_hierarchy_of_collections(self, export):
        export(export_hierarchy_full_collections=True)
        why = "its collider Hull is not below it in the file and does not move with it"
        assert told() == {"Car": f"{why}; switch Full Collection Hierarchy off"}

    def test_flat_objects(self, export):
        export(export_hierarchy_flatten_objs=True)
        why = "its 2 parts (Hull and Wheel) are not below it in the file and do not move with it"
        assert told() == {"Car": f"{why}; switch Flatten Object Hierarchy off"}

    def test_a_hidden_body_is_told_of_once(self, export, car):
        car.hide_set(True)
        export(use_visible=True)
        issues = [i for i in reports.latest("EXPORT").issues if i.pointer == "Car"]
        assert [i.code for i in issues] == ["X04"]


class TestParts:
    def test_many_are_one_line_with_the_first_names(self, export):
        body = add("Crate")
        add_body(body)
        names = [f"Side {n}" for n in range(5)]
        for name in names:
            add_collider(add(name, parent=body))
        select(*names)
        export(use_selection=True)
        why = "its 5 colliders (Side 0, Side 1 and 3 more) are written without it"
        assert told() == {"Crate": f"{why} and do not move with it; select Crate, too"}

    @pytest.mark.parametrize("kind", ["DYNAMIC", "KINEMATIC", "STATIC"])
    def test_what_stood_still_is_not_told(self, export, kind):
        body = add("Crate")
        add_body(body, kind)
        trigger(add("Zone", parent=body))
        select("Zone")
        export(use_selection=True)
        assert ("Crate" in told()) == (kind != "STATIC")

    def test_a_body_further_up_takes_the_parts(self, export):
        train = add("Train")
        add_body(train)
        car = add("Car", parent=train)
        add_body(car, "STATIC")
        add_collider(add("Hull", parent=add("Frame", parent=car)))
        select("Train", "Hull")
        gltf = export(use_selection=True)
        assert len(gltf["nodes"]) == 2
        why = "its collider Hull is written without it and moves with Train instead"
        assert told() == {"Car": f"{why}; select Car, too"}

    def test_the_end_of_a_joint(self, export):
        crate, door = add("Crate"), add("Door")
        add_body(crate)
        add_body(door)
        hook = add("Hook", parent=crate)
        joint = add("Hinge", parent=door)
        joint.omi_physics.use_joint = True
        bpy.context.scene.omi_physics.joint_settings.add().name = "Free"
        joint.omi_physics.joint.settings = "Free"
        joint.omi_physics.joint.connected_object = hook
        select("Door", "Hinge", "Hook")
        write_anyway()
        export(use_selection=True)
        assert list(told()) == ["Crate"]
        assert "its part Hook is written without it" in told()["Crate"]

    @pytest.mark.parametrize("mode", ["BELOW", "LIST"])
    def test_a_compound_trigger(self, export, mode):
        zone = trigger(add("Zone"), mode)
        part, _other = (trigger(add(name, parent=zone)) for name in ("Part", "Other"))
        if mode == "LIST":
            zone.omi_physics.trigger.nodes.add().object = part
        select("Part", "Other")
        export(use_selection=True)
        what = "trigger Part is" if mode == "LIST" else "2 triggers (Other and Part) are"
        alone = "acts alone" if mode == "LIST" else "act alone"
        why = f"its {what} written without it and {alone}; select Zone, too"
        assert told() == {"Zone": why}
        select("Zone", "Part", "Other")
        export(use_selection=True)
        assert not told()

    def test_what_is_on_a_bone_belongs_to_the_body_of_the_bone(self, export):
        rig = armature()
        body, hit = (add(name, parent=rig) for name in ("Arm", "Hit"))
        for obj in (body, hit):
            obj.parent_type, obj.parent_bone = "BONE", "Bone"
        body.omi_physics.is_bone_stand_in = True
        add_body(body)
        add_collider(hit)
        export()  # Away from its bone, the body gets a node of its own.
        assert list(told()) == ["Arm"]
        body.location = (0.0, -1.0, 0.0)  # From the tail of the bone to its head.
        body.rotation_euler.x = -math.pi / 2
        bpy.context.view_layer.update()
        export()
        assert not told()
        select("Rig", "Hit")
        export(use_selection=True)
        assert told()["Arm"].endswith("; select Arm, too")


class TestInstances:
    def test_a_whole_body_in_an_instance(self, export):
        inside = bpy.data.collections.new("Inside")
        body = add("Crate", collection=inside)
        add_body(body)
        add_collider(add("Side", parent=body, collection=inside))
        for n in range(2):
            instance = add(f"Instance {n}")
            instance.instance_type, instance.instance_collection = "COLLECTION", inside
        export()
        assert reports.latest("EXPORT").counts["collider"] == 2
        assert not told()

    def test_colliders_in_an_instance_are_of_the_body_above_it(self, export):
        inside = bpy.data.collections.new("Inside")
        add_collider(add("Side", collection=inside))
        truck = add("Truck")
        add_body(truck)
        instance = add("Instance", parent=truck)
        instance.instance_type, instance.instance_collection = "COLLECTION", inside
        export()
        assert not told()
        select("Instance")
        export(use_selection=True)
        why = "its collider Side is written without it and does not move with it"
        assert told() == {"Truck": f"{why}; select Truck, too"}


def test_it_grows_with_the_number_of_parts(export):
    from omi_physics_addon.blender.host import parted
    from omi_physics_addon.blender.scene.scene_nodes import SceneNode
    from omi_physics_addon.issues import Issues

    def seconds(count: int) -> float:
        body = add("Body")
        add_body(body)
        objects = [add("Part", parent=body) for _ in range(count)]
        for obj in objects:
            trigger(obj)
        nodes = [SceneNode(i, obj, obj.matrix_world) for i, obj in enumerate(objects)]
        issues = Issues()
        start = time.thread_time()
        parted.tell(nodes, [-1] * count, {"gltf_selected": True}, issues)
        spent = time.thread_time() - start
        assert len(issues) == 1
        return spent

    pace.check_growth(seconds, 500, 2000, most=12.0)  # A square would take 16.
