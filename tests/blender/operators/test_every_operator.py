"""Every operator of ours, by its row: effect, undo and redo, poll, several objects, twice.

The tests of each theme say what exactly an operator does; this is the net below them.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import redraws
from omi_physics_addon.blender.properties import entries
from tests.blender.support.operator_rows import ROWS, Row, operators
from tests.blender.support.operator_scenes import REST, linked_scene, select
from tests.blender.support.scenes import add, begin_empty, cube_mesh

Dump = dict[str, Any]
every_row = pytest.mark.parametrize("name", sorted(ROWS))


@pytest.fixture(autouse=True)
def _presets_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bpy.utils, "user_resource", lambda *_args, **_options: str(tmp_path))
    monkeypatch.setattr(bpy.utils, "preset_paths", lambda _subdir: [str(tmp_path)])


def of_pointer(value: Any) -> Any:
    is_id = value is None or isinstance(value, bpy.types.ID)
    return getattr(value, "name", None) if is_id else group(value)


@functools.cache
def readers(kind: Any) -> dict[str, Callable[[Any], Any] | None]:
    """What makes a value that can be compared after undo, for each property of a group."""
    found: dict[str, Callable[[Any], Any] | None] = {}
    for prop in kind.bl_rna.properties:
        if prop.type == "COLLECTION":
            found[prop.identifier] = lambda items: [group(item) for item in items]
        elif prop.type == "POINTER":
            found[prop.identifier] = of_pointer
        else:
            found[prop.identifier] = tuple if getattr(prop, "is_array", False) else None
    del found["rna_type"]
    return found


def group(data: Any) -> Dump:
    """All values of a property group."""
    found: Dump = {}
    for name, read in readers(type(data)).items():
        value = getattr(data, name)
        found[name] = value if read is None else read(value)
    return found


def numbers(matrix: Any) -> list[float]:
    return [number for row in matrix for number in row]


def dump_object(obj: Any) -> Dump:
    data = obj.data
    is_mesh = obj.type == "MESH" and data is not None
    return {
        "physics": group(obj.omi_physics),
        "parent": obj.parent and obj.parent.name,
        "basis": numbers(obj.matrix_basis),
        "inverse": numbers(obj.matrix_parent_inverse),
        "data": data and data.name,
        "points": [tuple(vertex.co) for vertex in data.vertices] if is_mesh else None,
        "collections": sorted(each.name for each in obj.users_collection),
    }


def dump() -> Dump:
    """All data of the scene that operators change."""
    scene = bpy.context.scene
    lists = group(scene.omi_physics)
    for name in entries.TREES:
        lists[name] = [group(entry) for entry in getattr(scene.omi_physics, name)]
    del lists["sidebar"]["outliner_index"]  # Follows from which object is active.
    world = (tuple(scene.gravity), scene.use_gravity)
    objects = {obj.name: dump_object(obj) for obj in scene.objects}
    return {"Scene": {**lists, "world": world}, **objects}


def view() -> Dump:
    """What is selected, hidden and active."""
    layer = bpy.context.view_layer
    found: Dump = {obj.name: (obj.select_get(), obj.hide_get()) for obj in layer.objects}
    return {**found, "active of all": layer.objects.active and layer.objects.active.name}


def texts() -> Dump:
    return {text.name: text.as_string() for text in bpy.data.texts}


def changed(before: Dump, after: Dump) -> set[str]:
    return {name for name in before if before[name] != after.get(name)}


def call(name: str, options: dict[str, Any], undo: bool = False) -> set[str]:
    space, _, operator = name.partition(".")
    return getattr(getattr(bpy.ops, space), operator)("EXEC_DEFAULT", undo, **options)


def can(name: str) -> bool:
    space, _, operator = name.partition(".")
    return bool(getattr(getattr(bpy.ops, space), operator).poll())


def state(row: Row) -> Dump:
    """What an operator of this kind changes."""
    return {"data": dump, "view": view, "text": texts, "nothing": dump}[row.kind]()


def size(data: Any) -> int:
    """How many values there are in it."""
    if isinstance(data, dict):
        return sum(size(each) for each in data.values())
    return sum(size(each) for each in data) if isinstance(data, list) else 1


# These need a preview that plays, or change animations, which no dump here sees: they have tests
# of effect, undo, poll and repetition of their own.
ELSEWHERE = {
    **dict.fromkeys(
        (f"scene.omi_physics_preview_{name}" for name in ("start", "pause", "restart", "stop")),
        "preview/test_preview.py",
    ),
    "scene.omi_physics_preview_check": "preview/test_preview.py",
    "scene.omi_physics_preview_set_substeps": "preview/test_needed_substeps.py",
    "scene.omi_physics_preview_drive": "../preview/interaction/test_interaction.py",
    "scene.omi_physics_preview_listen": "preview/test_preview_input.py",
    "scene.omi_physics_record": "../preview/test_recorder.py",
    "scene.omi_physics_report": "../panels/test_report_dialog.py",
    "object.omi_physics_bake": "../preview/test_bake.py",
    "object.omi_physics_remove_bake": "../preview/test_bake.py",
    "object.omi_physics_pose_joint": "../authoring/test_joint_pose.py",
    "object.omi_physics_rest_joint": "../authoring/test_joint_pose.py",
    "object.omi_physics_settle": "../preview/test_settle.py",
    "object.omi_physics_select_faces": "test_check.py",
    "scene.omi_physics_play_in_engine": "preview/test_play_in_engine.py",
    "scene.omi_physics_install_importer": "preview/test_play_in_engine.py",
    "scene.omi_physics_import_robot": "rigid/test_robots.py",
    "scene.omi_physics_add_sample_library": "presets/test_sample_library.py",
    "scene.omi_physics_remove_sample_library": "presets/test_sample_library.py",
    "scene.omi_physics_inspect": "test_inspect_file.py",
    "scene.omi_physics_inspect_export": "test_inspect_file.py",
    "scene.omi_physics_play_in_browser": "preview/test_play_in_browser.py",
}


def test_every_operator_has_a_row_or_tests_elsewhere():
    assert set(ROWS) | ELSEWHERE.keys() == set(operators())
    assert not set(ROWS) & ELSEWHERE.keys()
    for name, file in ELSEWHERE.items():
        word = name.partition(".")[2]
        assert word in (Path(__file__).parent / file).read_text(), name


def test_the_dump_sees_every_kind_of_value():
    """So that no change hides from the other tests."""
    add("A", cube_mesh())
    before = dump()
    physics: Any = bpy.data.objects["A"].omi_physics
    physics.trigger.nodes.add().object = bpy.data.objects["A"]
    one = dump()
    physics.collider.shape.box.size[1] = 3.0
    two = dump()
    bpy.data.objects["A"].data.vertices[0].co.x = 9.0
    three = dump()
    states = [before, one, two, three]
    assert all(changed(a, b) == {"A"} for a, b in itertools.pairwise(states))


# Blender itself draws anew what is hidden and shown.
HIDING = {f"object.omi_physics_{name}" for name in ("hide_role", "show_role", "show_all")}
DATA = {name for name, row in ROWS.items() if row.kind == "data"}


@contextlib.contextmanager
def watched_redraws() -> Iterator[list[bool]]:
    """Whether editors are to be drawn anew, at each update of Blender."""
    due: list[bool] = []

    def watch(_scene: Any, depsgraph: Any) -> None:
        due.append(redraws.is_due(depsgraph))

    handlers: Any = bpy.app.handlers.depsgraph_update_post
    handlers.append(watch)
    try:
        yield due
    finally:
        handlers.remove(watch)


@every_row
def test_effect_on_all_that_is_selected(name: str):
    """Editors show it: Blender tells of what is tagged, and draws nothing anew by itself."""
    row = ROWS[name]
    row.build()
    options = row.call_options()
    bpy.context.view_layer.update()
    before, before_state, count = dump(), state(row), len(bpy.context.scene.objects)
    assert can(name)
    with watched_redraws() as due:
        assert call(name, options) == {"FINISHED"}
        bpy.context.view_layer.update()
    assert changed(before, dump()) == set(row.changes.split())
    assert len(bpy.context.scene.objects) - count == row.adds
    if row.kind != "nothing":
        assert state(row) != before_state
    if name in DATA - HIDING:
        assert any(due)


@every_row
def test_undo_and_redo(name: str):
    row = ROWS[name]
    if row.kind == "nothing":
        assert "UNDO" not in operators()[name].bl_options or name.endswith("_preset")
        return
    row.build()
    options = row.call_options()
    bpy.ops.ed.undo_push(message="Before")
    before = (dump(), view(), texts())
    call(name, options, undo=True)  # The operator itself makes the step.
    bpy.context.view_layer.update()
    after = (dump(), view(), texts())
    assert before != after
    bpy.ops.ed.undo()
    assert (dump(), view(), texts()) == before
    bpy.ops.ed.redo()
    assert (dump(), view(), texts()) == after


@every_row
def test_twice(name: str):
    row = ROWS[name]
    row.build()
    options = row.call_options()
    chosen = [obj.name for obj in bpy.context.selected_objects]
    active = bpy.context.view_layer.objects.active
    active_name = "" if active is None else active.name
    found = [state(row)]
    for _ in range(2):
        if row.kind == "data":  # New objects are selected instead of the old ones.
            select("", "")
            for each in chosen:
                bpy.data.objects[each].select_set(True)
            bpy.context.view_layer.objects.active = bpy.data.objects.get(active_name)
        call(name, options) if can(name) else None
        bpy.context.view_layer.update()
        found.append(state(row))
    first, second, third = found
    if row.twice == "same":
        assert third == second
    elif row.twice == "again":
        assert third != second
        if not row.adds:
            assert size(third) - size(second) == size(second) - size(first) != 0
        assert len(third) - len(second) == len(second) - len(first) == row.adds
    else:
        assert third != second


def adjustable(name: str) -> bool:
    """Whether the redo panel offers something to change once the operator has run."""
    space, _, operator = name.partition(".")
    properties = getattr(getattr(bpy.ops, space), operator).get_rna_type().properties
    own = [prop for prop in properties if prop.identifier != "rna_type" and not prop.is_hidden]
    return {"REGISTER", "UNDO"} <= operators()[name].bl_options and bool(own)


def some_of(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every part of a selection, from none to all of it."""
    sizes = range(len(names) + 1)
    return itertools.chain.from_iterable(itertools.combinations(names, n) for n in sizes)


@every_row
def test_the_redo_panel_stays(name: str):
    """Blender hides it where poll fails on what the operator left selected."""
    if not adjustable(name):
        return
    row = ROWS[name]
    row.build()
    chosen = [obj.name for obj in bpy.context.selected_objects]
    lost: list[tuple[str, ...]] = []
    done = 0
    for some in some_of(chosen):
        begin_empty()
        row.build()
        options = row.call_options()
        active = bpy.context.view_layer.objects.active
        select(" ".join(some), "" if active is None else active.name)
        if can(name) and call(name, options) == {"FINISHED"}:
            done += 1
            bpy.context.view_layer.update()
            lost += [] if can(name) else [some]
    assert done
    assert not lost


@contextlib.contextmanager
def overridden(override: Any) -> Iterator[None]:
    with bpy.context.temp_override(**override):
        yield


@every_row
def test_where_it_does_not_apply_it_says_why(name: str):
    row = ROWS[name]
    if row.not_where is None:
        return
    with overridden(row.not_where()):
        assert not can(name)
        with pytest.raises(RuntimeError, match=r"poll\(\)") as told:
            call(name, {})
    why = str(told.value).partition("poll()")[2].strip()
    assert why, "it does not say why"
    assert "context is incorrect" not in why


@pytest.mark.parametrize("name", sorted(n for n, row in ROWS.items() if "Scene" in row.changes))
def test_the_lists_of_a_linked_scene_stay_as_they_are(name: str):
    """Where all else that an operator needs is there."""
    ROWS[name].build()
    with overridden(linked_scene()):
        assert not can(name)


@every_row
def test_refusing_plain_objects_changes_nothing(name: str):
    """Where the scene suits the operator, but not what is selected."""
    row = ROWS[name]
    row.build()
    options = row.call_options()
    add("Plain")
    select("Plain")
    before = dump()
    if can(name) and "FINISHED" not in call(name, options):
        assert dump() == before


def _plain() -> None:
    for each in ("A", "B"):
        add(each, cube_mesh())
    select("A B")


def _no_active() -> None:
    _plain()
    bpy.context.view_layer.objects.active = None


def _active_only() -> None:
    _plain()
    select("", "A")


def _editing() -> None:
    _plain()
    bpy.ops.object.mode_set(mode="EDIT")


def _camera() -> None:
    add("A", bpy.data.cameras.new("A"))
    add("B")
    select("A B")


def _hidden() -> None:
    _plain()
    bpy.data.objects["A"].hide_viewport = True
    bpy.context.view_layer.update()


CONTEXTS = {
    "empty": lambda: None,
    "plain": _plain,
    "no active object": _no_active,
    "active but not selected": _active_only,
    "edit mode": _editing,
    "no vertices": _camera,
    "hidden": _hidden,
}


@pytest.mark.parametrize("context", CONTEXTS)
def test_refusing_changes_nothing(context: str):
    """Calls without the scene that the row makes; what is cancelled leaves no trace.

    The next operator gets the same scene, or a new one where this one has done its work.
    """
    before = None
    for name in sorted(ROWS):
        if before is None:
            begin_empty()
            CONTEXTS[context]()
            before = dump(), view()
        if not can(name):
            continue
        if "FINISHED" in call(name, {}):
            before = None
        else:
            assert (dump(), view()) == before, name


@every_row
def test_no_exception_in_edit_mode(name: str):
    row = ROWS[name]
    row.build()
    options = row.call_options()
    active = bpy.context.view_layer.objects.active
    if active is not None and active.type in ("MESH", "CURVE") and not active.hide_get():
        bpy.ops.object.mode_set(mode="EDIT")
    if can(name):
        call(name, options)


def linked() -> list[Any]:
    """Put all that is in the scene into another file, and link it in place of the old."""
    layer = bpy.context.view_layer
    chosen = {obj.name for obj in layer.objects if obj.select_get()}
    active = layer.objects.active and layer.objects.active.name
    path = Path(tempfile.mkdtemp(dir=bpy.app.tempdir)) / "library.blend"
    local = list(bpy.context.scene.objects)
    bpy.data.libraries.write(str(path), set(local))
    names = [obj.name for obj in local]
    bpy.data.batch_remove(local)
    with bpy.data.libraries.load(str(path), link=True) as (_there, here):
        here.objects = names
    objects = [obj for obj in here.objects if obj is not None]
    for obj in objects:
        bpy.context.scene.collection.objects.link(obj)
    _reselect(objects, chosen, active)
    return objects


def overrides() -> list[Any]:
    """As `linked`, but with library overrides of all."""
    there = linked()
    chosen = {obj.name for obj in bpy.context.selected_objects}
    active = bpy.context.view_layer.objects.active
    active_name = None if active is None else active.name
    made = {obj.name: obj.override_create(remap_local_usages=False) for obj in there}
    for obj in there:
        bpy.context.scene.collection.objects.unlink(obj)
    for obj in made.values():
        bpy.context.scene.collection.objects.link(obj)
    wanted = {made[name].name for name in chosen}
    _reselect(list(made.values()), wanted, active_name and made[active_name].name)
    return list(made.values())


def _reselect(objects: list[Any], chosen: set[str], active: str | None) -> None:
    layer = bpy.context.view_layer
    layer.update()
    for obj in objects:
        obj.select_set(obj.name in chosen)
        if obj.name == active:
            layer.objects.active = obj
    layer.update()


def lasting(obj: Any) -> Dump:
    """What must not change on data of another file; that it was hidden may be noted."""
    found = dump_object(obj)
    found["physics"].pop("hidden_in")
    found.pop("collections")
    return found


@pytest.mark.parametrize("borrow", [linked, overrides])
@every_row
def test_data_of_other_files_stay_as_they_are(name: str, borrow: Any):
    row = ROWS[name]
    row.build()
    options = row.call_options()
    objects = borrow()
    if "uid" in options:
        options["uid"] = objects[0].session_uid
    assert all(obj.library or obj.override_library for obj in objects)
    before = [lasting(obj) for obj in objects]
    if can(name):
        call(name, options)
    assert [lasting(obj) for obj in objects] == before


@pytest.mark.parametrize("name", ["add_seat", "find_pilot_seat", "fit_suspension"])
def test_a_vehicle_of_another_file_stays_as_it_is(name: str):
    """Also where its parts are of this file."""
    vehicle = add("V", cube_mesh())
    vehicle.omi_physics.use_motion = vehicle.omi_physics.use_vehicle_body = True
    (vehicle,) = linked()
    seat = add("Seat", parent=vehicle)
    seat.omi_physics.use_seat = name != "add_seat"
    before = lasting(vehicle)
    select("V Seat", "Seat")
    call(f"object.omi_physics_{name}", {})
    assert seat.omi_physics.use_seat
    assert lasting(vehicle) == before


def test_merging_filters_leaves_those_of_other_files():
    """Linked objects have the filters of their own file."""
    ROWS["scene.omi_physics_merge_filters"].build()
    (obj,) = [each for each in linked() if each.name == "A"]
    local = add("Local")
    local.omi_physics.use_trigger = True
    local.omi_physics.trigger.collision_filter = "F"
    assert call("scene.omi_physics_merge_filters", {}) == {"FINISHED"}
    filters: Any = bpy.context.scene.omi_physics.collision_filters
    ours = [each.name for each in filters if each.id_data.library is None]
    assert ours == ["F", "H"]
    assert obj.omi_physics.trigger.collision_filter.startswith("G [")
    assert local.omi_physics.trigger.collision_filter == "F"


def test_what_is_beside_stays_as_it_is():
    """The rows name all that changes, and few of them the object beside."""
    touched = [name for name, row in ROWS.items() if REST in row.changes.split()]
    assert touched == ["object.omi_physics_connect_selected", "object.omi_physics_connect_row"]
