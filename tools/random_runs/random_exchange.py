"""Steps of a random run that exchange files and edit lists, also while a preview runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import bpy as stubbed_bpy  # noqa: TID251

from tools.random_runs.random_inside import Run, Steps, module, override, window

bpy: Any = stubbed_bpy
_EXAMPLES: Final = Path(__file__).resolve().parents[2] / "examples"
_LISTS: Final = ("physics_material", "collision_filter", "joint_settings")
# The report, and what Blender's exporter does by itself: it shows one scene after the other, lets
# bones rest while it reads them, and goes to a frame anew, which forgets values without keys, as
# those of objects that were moved between two keys, and lets caches see that they are outdated.
_BY_EXPORT: Final = (
    *("/omi_physics/sidebar", "/screens", "/workspaces", "/view layer", "/pose/", "/bound_box"),
    *("/metallic", "/energy", "/key_blocks/", "/is_outdated", "/particle_edit/object"),
)
# Of an object, what an import must leave as it is.
_KEPT: Final = (": only", "/location", "/rotation", "/scale", "/parent", "/omi_physics")


def export(run: Run) -> Steps:
    """Export; that ends a preview, and the file has nothing of it."""
    scenes = [scene.name for scene in bpy.data.scenes if not scene.get("omi_physics_preview")]
    was_playing = run.is_playing
    run.ignored += _BY_EXPORT
    run.ignore_animated()
    first = _exported(run)
    if was_playing and run.is_playing:
        run.blame("an export leaves the preview running")
    yield from run.settle()
    if was_playing and first != _exported(run):
        run.blame("an export while a preview runs writes another file")
    found = json.loads(first)
    if not {scene["name"] for scene in found["scenes"]} <= set(scenes):
        run.blame(f"an export writes {found['scenes']}")
    yield 0.1


def _exported(run: Run) -> bytes:
    """Export without animation, for which Blender goes to other frames; the JSON of the file."""
    path = run.folder / "exported.gltf"
    with override():
        bpy.ops.export_scene.gltf(
            filepath=str(path), export_format="GLTF_SEPARATE", export_animations=False
        )
    return path.read_bytes()


def bring_in(run: Run) -> Steps:
    """Import an example; that ends a preview, and what there was stays as it is."""
    path = run.chance.choice(sorted(_EXAMPLES.glob("*.glb")))
    run.note(f"  {path.name}")
    known = {obj.session_uid: obj.name_full for obj in bpy.data.objects}
    was_playing = run.is_playing
    with override():
        bpy.ops.import_scene.gltf(filepath=str(path))
    if was_playing and run.is_playing:
        run.blame("an import leaves the preview running")
    yield from run.settle()
    run.only = tuple(f"/objects/{name}{part}" for name in known.values() for part in _KEPT)
    new = [obj for obj in bpy.data.objects if obj.session_uid not in known]
    lost = [obj.name for obj in new if _misses_settings(obj)]
    if not new or lost:
        run.blame(f"an import of {path.name} lost joint settings of {lost}")
    with override():
        bpy.ops.ed.undo_push(message="Import")
    yield 0.1


def _misses_settings(obj: Any) -> bool:
    """Whether an object has a joint whose settings no scene lists that it is in."""
    if not obj.omi_physics.use_joint:
        return False
    tree = obj.omi_physics.joint.settings_entry
    scenes = obj.users_scene
    return tree is None or not any(
        tree.data.name == each.name for scene in scenes for each in scene.omi_physics.joint_settings
    )


def edit_lists(run: Run) -> Steps:
    """Add entries to the lists of the scene, move and remove some, by their operators."""
    for _ in range(run.chance.randrange(1, 4)):
        kind = run.chance.choice(_LISTS)
        do = run.chance.choices(("add", "move", "remove"), (4, 1, 1))[0]
        run.note(f"  {do} {kind}")
        operator = getattr(bpy.ops.scene, f"omi_physics_{do}_{kind}")
        with override():
            can = operator.poll()
        if can:
            run.edit(lambda operator=operator: _call(operator))
        elif do == "add" and _can_edit():
            run.blame(f"no {kind} can be added")
        yield 0.1


def _call(operator: Any) -> None:
    with override():
        operator()


def _can_edit() -> bool:
    """Whether lists can be edited: a preview is seen in the artist's scene, or none runs."""
    session = module("player").running()
    is_artists = not window().scene.get("omi_physics_preview")
    return is_artists and (session is None or session.display is not None)
