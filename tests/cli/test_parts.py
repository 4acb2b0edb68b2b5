"""A file for each collection or object: what goes where, and under which names."""

import json
import random
from importlib.util import find_spec

import pytest

from omi_physics_addon.cli import jobs, parts
from tests.support import pace

needs_bpy = pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")


def test_names_of_files_are_safe_short_and_unlike_each_other():
    names = ["Tür", "A/B", "A:B", "a_b", "..", "", "CON", "com1.x", " x. ", "n" * 300, "n" * 301]
    assert parts.file_names(names) == [
        *("Tür", "A_B", "A_B_2", "a_b_3", "_", "__2", "_CON", "_com1.x", "x"),
        *("n" * 100, "n" * 100 + "_2"),
    ]


def test_random_names_make_as_many_files():
    chance = random.Random(5)
    names = ["".join(chance.choices("aA_./2 ", k=chance.randrange(4))) for _ in range(500)]
    files = parts.file_names(names)
    assert len({file.casefold() for file in files}) == len(names)
    assert all(file == file.strip(" .") and "/" not in file for file in files)


def outcome(code=0, **report):
    return jobs.Outcome(exit_code=code, error="why" if code else "", report=report)


def test_outcomes_add_up_and_failures_name_their_part():
    class Thing:
        def __init__(self, name, parent=None):
            self.name, self.parent = name, parent

    above = Thing("Above")
    below = Thing("Below", above)
    one, two = parts.Part("One", "One", [above]), parts.Part("Two", "Two", [below])
    good = outcome(counts={"box shape": 1}, issues=["a"])
    found = parts.together("collection", [(one, good), (two, outcome(1, counts={"box shape": 2}))])
    assert (found.exit_code, found.error) == (1, "collection Two: why")
    assert (found.report["counts"], found.report["issues"]) == ({"box shape": 3}, ["a"])
    cut = "Below is below Above, which is not in this file"
    assert [each["cuts"] for each in found.report["parts"]] == [[], [cut]]
    assert found.lines == ("One:", "Two:", f"  {cut}")
    assert parts.together("object", [(one, good)]).exit_code == 0


@needs_bpy
def test_every_object_is_in_a_part_and_the_scene_stays_as_it_was():
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    scene = bpy.context.scene
    collections = [bpy.data.collections.new(name) for name in ("b", "a", "empty")]
    for each in collections:
        scene.collection.children.link(each)
    objects = [bpy.data.objects.new(f"o{n}", None) for n in range(6)]
    places = [collections[0], collections[1], collections[0], scene.collection]
    for obj, place in zip(objects, [*places, *places[:2]], strict=True):
        place.objects.link(obj)
    objects[2].parent, objects[5].parent = objects[0], objects[2]
    collections[1].objects.link(objects[0])
    bpy.context.view_layer.update()

    def content(way, **options):
        found = parts.parts_of(scene, way, **{"selected": False, **options})
        return {part.name: [obj.name for obj in part.objects] for part in found}

    by_collection = {
        "Scene Collection": ["o3"],
        "a": ["o0", "o1", "o5"],
        "b": ["o0", "o2", "o4"],
    }
    assert content("collection") == by_collection
    assert list(content("collection")) == sorted(by_collection)
    by_object = {"o0": ["o0", "o2", "o5"], "o1": ["o1"], "o3": ["o3"], "o4": ["o4"]}
    assert content("object") == by_object
    for obj in objects:
        obj.select_set(obj is objects[2])
    assert content("object", selected=True) == {"o2": ["o2"]}
    with parts.alone(scene, bpy.data) as show:
        for part in parts.parts_of(scene, "object", selected=False):
            show(part)
            assert set(scene.objects) == set(part.objects)
    assert content("collection") == by_collection
    assert len(bpy.data.collections) == 3


@needs_bpy
def test_making_parts_grows_with_the_number_of_objects():
    import time

    import bpy

    def seconds(count):
        bpy.ops.wm.read_homefile(use_empty=True)
        scene = bpy.context.scene
        for n in range(count):
            scene.collection.objects.link(bpy.data.objects.new(f"o{n}", None))
        start = time.thread_time()
        for part in parts.parts_of(scene, "object", selected=False):
            assert len(part.objects) == 1
        return time.thread_time() - start

    pace.check_growth(seconds, 1000, 4000, most=12.0)  # A square would take 16.


@pytest.fixture
def cut_apart():
    """A car in one collection, with a hull in another one, and a lamp below the hull."""
    bpy = pytest.importorskip("bpy")
    import addon_utils  # Which bpy brings.

    for module in ("io_scene_gltf2", "omi_physics_addon"):
        addon_utils.enable(module, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    scene, above = bpy.context.scene, None
    for name, place in (("Car", "Cars"), ("Hull", "Hulls"), ("Lamp", "Cars")):
        obj = bpy.data.objects.new(name, None)
        obj.parent, above = above, obj
        collection = bpy.data.collections.get(place) or bpy.data.collections.new(place)
        collection.objects.link(obj)
        if place not in scene.collection.children:
            scene.collection.children.link(collection)
        obj.location = (0.0, 0.0, 1.0)
    bpy.data.objects["Car"].omi_physics.use_motion = True
    bpy.data.objects["Hull"].omi_physics.use_collider = True
    bpy.data.objects["Hull"].omi_physics.collider.shape.type = "BOX"
    bpy.context.view_layer.update()
    return scene


@needs_bpy
@pytest.mark.parametrize("there", [False, True])
def test_what_is_below_another_part_is_written_without_it(there, cut_apart, tmp_path):
    import bpy

    from omi_physics_addon.blender.base import reports

    if there:
        bpy.data.collections.new(parts.LEFT_OUT)
    before = [each.name for each in bpy.data.collections]
    path, trees, told = tmp_path / "part.gltf", {}, {}
    found = parts.parts_of(cut_apart, "collection", selected=False)
    with parts.alone(cut_apart, bpy.data) as show:
        for part in found:
            show(part)
            # A linked collection is not found by name, so the objects alone must do.
            bpy.ops.export_scene.gltf(
                filepath=str(path), export_format="GLTF_SEPARATE", use_active_scene=True
            )
            nodes = json.loads(path.read_text())["nodes"]
            trees[part.name] = {
                node["name"]: [nodes[i]["name"] for i in node.get("children", ())] for node in nodes
            }
            issues = reports.latest("EXPORT").issues
            told[part.name] = [i.pointer for i in issues if i.code == "X66"]
    assert trees == {"Cars": {"Car": ["Lamp"], "Lamp": []}, "Hulls": {"Hull": []}}
    assert told == {"Cars": [], "Hulls": ["Car"]}
    assert nodes[0]["translation"] == [0, 2, 0]
    assert [each.name for each in bpy.data.collections] == before
    assert not there or not bpy.data.collections[parts.LEFT_OUT].objects
    assert not cut_apart.collection.objects
