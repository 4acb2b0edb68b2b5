"""What scenes are checked for beside the rules over whole documents."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.scene import near_check, scene_check
from tests.blender.support.scenes import add, add_body, add_collider, cube_mesh

MOON = (0.0, 0.0, -1.62)


def ball(name: str = "Ball", **options: Any) -> Any:
    obj = add(name, cube_mesh(), **options)
    add_body(obj)
    add_collider(obj)
    return obj


def floor() -> Any:
    obj = add("Floor", cube_mesh(), location=(0.0, 0.0, -5.0))
    add_collider(obj)
    return obj


def pull(scene: Any, *gravity: float) -> None:
    scene.use_gravity, scene.gravity = bool(gravity), gravity or (0.0, 0.0, -9.81)


def told(report: Any) -> list[tuple[str, str, str]]:
    """Place, severity and sentence of what is told of gravity."""
    return [(i.pointer, i.severity.value, i.message) for i in report.issues if i.code == "X65"]


def checked() -> list[tuple[str, str, str]]:
    bpy.context.view_layer.update()
    return told(scene_check.check(bpy.context.scene))


class TestGravity:
    """Gravity of Blender's scene, which a preview plays, and which a file has only when asked."""

    @pytest.mark.parametrize(
        ("gravity", "words"),
        [
            (MOON, "1.62 m/s² down"),
            ((0.0, 0.0, 2.0), "2 m/s² up"),
            ((0.0, 3.0, -4.0), "(0, 3, -4 m/s²)"),
            ((), "(none)"),
        ],
    )
    def test_another_one_is_told_until_it_is_written(self, gravity, words, export):
        ball()
        floor()
        ball("Ball 2", location=(3.0, 0.0, 0.0))
        pull(bpy.context.scene, *gravity)
        gltf = export()
        assert "OMI_physics_gravity" not in gltf.get("extensions", {})
        found = told(reports.latest("EXPORT"))
        assert found == checked()
        ((place, severity, why),) = found
        assert (place, severity) == ("Ball", "WARNING")
        assert words in why
        bpy.context.scene.omi_physics.use_world_gravity = True
        written = export()["extensions"]["OMI_physics_gravity"]["gravity"]
        vector = bpy.context.scene.gravity if gravity else (0.0, 0.0, 0.0)
        assert written == pytest.approx(sum(each * each for each in vector) ** 0.5)
        assert told(reports.latest("EXPORT")) == checked() == []

    @pytest.mark.parametrize("gravity", [(0.0, 0.0, -9.81), (0.0, 0.0, -9.8)])
    @pytest.mark.parametrize("y_up", [True, False])
    def test_the_usual_one_is_not_told(self, gravity, y_up, export):
        ball()
        floor()
        pull(bpy.context.scene, *gravity)
        export(export_yup=y_up)
        assert told(reports.latest("EXPORT")) == checked() == []

    @pytest.mark.parametrize("why", ["static", "kinematic", "weightless", "none"])
    def test_where_nothing_falls_it_is_not_told(self, why, export):
        obj = ball()
        floor()
        pull(bpy.context.scene, *MOON)
        if why == "none":
            obj.omi_physics.use_motion = False
        elif why == "weightless":
            obj.omi_physics.motion.gravity_factor = 0.0
        else:
            obj.omi_physics.motion.type = why.upper()
        export()
        assert told(reports.latest("EXPORT")) == checked() == []

    def test_a_file_of_one_body_leaves_it_to_its_world(self, export):
        obj = ball()
        add_collider(add("Handle", cube_mesh(), parent=obj))
        pull(bpy.context.scene, *MOON)
        export()
        found = told(reports.latest("EXPORT"))
        assert found == checked()
        assert [each[:2] for each in found] == [("world gravity", "INFO")]
        assert "1.62 m/s² down" in found[0][2]

    @pytest.mark.parametrize(
        ("target", "words"),
        [
            ("SPECIFICATION", "turn World Gravity on to write it"),
            ("GODOT_4", "set Project Settings > Physics > 3D > Default Gravity"),
            ("BABYLON", "enablePhysics()"),
        ],
    )
    def test_engines_that_read_none_are_told_where_to_set_it(self, target, words, export):
        ball()
        floor()
        pull(bpy.context.scene, *MOON)
        bpy.context.scene.omi_physics.export.target = target
        export()
        found = told(reports.latest("EXPORT"))
        assert found == checked()
        assert found[0][2].endswith(words)

    def test_a_body_that_can_be_edited_stands_for_all(self, export):
        inside = bpy.data.collections.new("Inside")
        ball("A", collection=inside)
        ball("B")
        instance = add("Instance", location=(0.0, 0.0, 9.0))
        instance.instance_type, instance.instance_collection = "COLLECTION", inside
        pull(bpy.context.scene, *MOON)
        export()
        assert [each[0] for each in told(reports.latest("EXPORT"))] == ["B"]

    @pytest.mark.parametrize("shown_writes", [True, False])
    def test_of_several_scenes_one_decides_for_the_file(self, shown_writes, export):
        first, second = bpy.context.scene, bpy.data.scenes.new("Second")
        ball()
        floor()
        other = ball("Other")
        first.collection.objects.unlink(other)
        second.collection.objects.link(other)
        pull(first, *MOON)
        pull(second, 0.0, 0.0, -9.81)
        first.omi_physics.use_world_gravity = shown_writes
        export()
        # The gravity of the Moon is that of the file, or of the scene alone.
        expected = ("world gravity", "INFO") if shown_writes else ("Ball", "WARNING")
        assert [each[:2] for each in told(reports.latest("EXPORT"))] == [expected]

    def test_a_trip_into_such_a_scene_adds_none(self, export, import_json):
        body = {"collider": {"shape": 0}, "motion": {"type": "dynamic"}}
        node = {"extensions": {"OMI_physics_body": body}}
        shapes = {"shapes": [{"type": "sphere", "sphere": {"radius": 1}}]}
        pull(bpy.context.scene, *MOON)
        import_json(
            {
                "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
                "extensions": {"OMI_physics_shape": shapes},
                "scenes": [{"nodes": [0, 1]}],
                "nodes": [node | {"name": "One"}, node | {"name": "Two"}],
            }
        )
        gltf = export()
        assert list(gltf["extensions"]) == ["OMI_physics_shape"]
        assert [each[0] for each in told(reports.latest("EXPORT"))] == ["One"]


class TestVisibleTriggers:
    """Zones that would be seen as gray blocks where the file is played."""

    @staticmethod
    def zone(name: str = "Zone") -> Any:
        obj = add(name, cube_mesh(name))
        obj.omi_physics.use_trigger = True
        return obj

    @staticmethod
    def told() -> list[str]:
        bpy.context.view_layer.update()
        issues = scene_check.check(bpy.context.scene).issues
        return sorted(issue.pointer for issue in issues if issue.code == "T10")

    def test_a_zone_without_a_look_is_told_until_its_mesh_is_left_out(self, export):
        zone = self.zone()
        zone.data.materials.append(None)
        assert self.told() == ["Zone"]
        assert "mesh" in str(export()["nodes"])
        assert [i.pointer for i in reports.latest("EXPORT").issues if i.code == "T10"] == ["Zone"]
        assert bpy.ops.object.omi_physics_fix_issue(code="T10") == {"FINISHED"}
        assert self.told() == []
        assert "mesh" not in str(export("again.gltf")["nodes"])
        assert "T10" not in reports.latest("EXPORT").issues.codes()

    def test_an_edit_of_it_keeps_it_told(self):
        zone = self.zone()
        bpy.context.view_layer.update()
        near = near_check.check(bpy.context.scene, [zone], [zone])
        assert "T10" in {issue.code for issue in near.issues}

    def test_a_gravity_volume_is_told_too(self):
        self.zone().omi_physics.use_gravity = True
        assert self.told() == ["Zone"]

    def test_what_is_meant_to_be_seen_is_not_told(self):
        self.zone("Coin").data.materials.append(bpy.data.materials.new("Gold"))
        add_body(self.zone("Moving"))
        add_collider(self.zone("Solid"))
        self.zone("Rendered").hide_render = True
        add("Empty").omi_physics.use_trigger = True
        assert self.told() == []

    def test_one_object_of_many_instances_is_told_once(self, export):
        zone = self.zone()
        parts = bpy.data.collections.new("Parts")
        parts.objects.link(zone)
        for at in range(3):
            shown = add(f"Shown {at}", location=(3.0 * at, 0.0, 0.0))
            shown.instance_type, shown.instance_collection = "COLLECTION", parts
        export()
        told = [i.pointer for i in reports.latest("EXPORT").issues if i.code == "T10"]
        assert told == ["Zone"]
