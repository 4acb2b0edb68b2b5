"""Plays scenes of our own in engines of others and in the preview, and compares.

What is authored is what an engine does, or the export says so: each moving body keeps within
`NEAR` and `SHARE` of its way to the preview at its finest, or the report of the export names its
object by an issue that the scene expects.

    python tools/engines/acceptance.py --clients FOLDER [--write] [--only WORDS] [--runtime]

runs in a Python that has bpy. Godot's editor imports the files, as it does for everybody; with
--runtime Godot loads them as a game does. With --write the results are kept in docs/engines.json,
and the tables of docs/engines.md are made of them.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bpy

from omi_physics_addon.blender.base import reports
from omi_physics_addon.blender.preview import recorder
from omi_physics_addon.blender.preview.stage.options import PreviewOptions
from omi_physics_addon.model.tolerance import NEAR, SECONDS, SHARE
from tools.engines import acceptance_table, engine_batches
from tools.engines.engine_batches import AS_USERS, PER_SECOND, Godot, Played, Pose
from tools.engines.scenes import body_scenes, joint_scenes, vehicle_scenes
from tools.engines.scenes.building import Scene
from tools.examples import make_examples
from tools.measure.suite import run as judging

SCENES: list[Scene] = [*body_scenes.SCENES, *joint_scenes.SCENES, *vehicle_scenes.SCENES]
FAMILIES = {"GODOT_4": "OMI", "BABYLON": "KHR"}
TARGETS = (*FAMILIES, "GODOT_READER")
# Whose steps count for an engine, and what files for our reader may be told of in any scene.
_STEPPED = {"GODOT_READER": "GODOT_4"}
_OF_READER = "X47 X48 X53"
RATE, FINE_RATE = 60, 480  # Steps per second of an engine.
FPS, SUBSTEPS = 120, 8  # The preview, whose solver so steps 960 times a second.
EXAMPLE = "Examples"
LAST = PER_SECOND // 4  # Places at the end that count where a body comes to rest.
_OPS: Any = bpy.ops
_DATA: Any = bpy.data


class Made(NamedTuple):
    """A scene that was built, exported for each engine, and played by the preview.

    Attributes:
        files: by target; "SPECIFICATION OMI" and "SPECIFICATION KHR" are those for nobody.
        told: by target, the issues of the export, as pairs of a code and a place.
        paths: by family, the poses of moving bodies by name.
        coarse: the same of an example, in half as many steps; empty for other scenes.
        objects: of a body, the names of the objects by which a report may name it: itself, what
            is below it, and both ends of the joints there.
    """

    files: dict[str, Path]
    told: dict[str, list[tuple[str, str]]]
    paths: dict[str, dict[str, list[Pose]]]
    coarse: dict[str, list[Pose]]
    objects: dict[str, set[str]]


class Verdict(NamedTuple):
    """What became of a body in an engine.

    Attributes:
        off: m, by how much it was away at most, where that is worst for what is allowed.
        same: whether that is allowed.
        rate: steps per second of the engine that it holds for.
        told: the codes that name it in the report.
    """

    body: str
    off: float
    same: bool
    rate: int
    told: tuple[str, ...]


def empty() -> None:
    """Open an empty file."""
    _OPS.wm.read_homefile(use_empty=True, use_factory_startup=False)
    for blocks in (_DATA.objects, _DATA.meshes, _DATA.materials, _DATA.collections):
        for block in list(blocks):
            blocks.remove(block)


def make(scene: Scene, folder: Path) -> Made:
    """Build a scene in an empty file, export it for everybody, and play it."""
    empty()
    scene.make()
    return export_and_play(folder, scene.name.replace(" ", "_"), is_example=scene.part == EXAMPLE)


def open_example(name: str) -> None:
    """Open an example of the project."""
    path = make_examples.EXAMPLES / f"{name}.blend"
    _OPS.wm.open_mainfile(filepath=str(path), use_scripts=False)


# What an engine takes otherwise in an example moves what it touches, too.
_EXAMPLES = {
    "shapes_and_bodies": ("X25 X26", "X42"),
    "gravity": ("X27", "L15"),
    "vehicles": ("", "L15"),
    "khr": ("X25 X26 X46", "X42"),
    "everything": ("X26 X27 X34", "L15 X41 X42"),
    "car": ("E05 X26", "E05 L15"),
    "planet": ("X27", "L15 X54"),
    "robot": ("", "X41"),
    "rope_bridge": ("", "X42"),
}
EXAMPLES: list[Scene] = [
    Scene(
        EXAMPLE,
        name,
        functools.partial(open_example, name),
        dict(zip(FAMILIES, _EXAMPLES.get(name, ("", "")), strict=True)),
        dict.fromkeys(FAMILIES, "many bodies hang on each other"),
        rests="many bodies touch and swing; what the steps of the engine or of the preview change "
        "is allowed",
    )
    for name in make_examples.ALL
]


def export_and_play(
    folder: Path, name: str, *, seconds: float = SECONDS, is_example: bool = False
) -> Made:
    """Export the scene that is open for everybody, and play it."""
    context = cast("Any", bpy.context)
    context.view_layer.update()
    settings = context.scene.omi_physics.export
    settings.write_anyway = True  # Joints may hang on nothing.
    files: dict[str, Path] = {}
    told: dict[str, list[tuple[str, str]]] = {}
    everybody = (("SPECIFICATION", family) for family in FAMILIES.values())
    for target, family in (*FAMILIES.items(), ("GODOT_READER", "OMI"), *everybody):
        settings.target, settings.family = target, family
        key = target if target in TARGETS else f"{target} {family}"
        files[key] = folder / f"{name} {key}.glb"
        _OPS.export_scene.gltf(filepath=str(files[key]))
        report = reports.latest("EXPORT")
        assert report is not None
        assert not report.failed, report.failure
        told[key] = [(issue.code, issue.pointer) for issue in report.issues]
    paths = {"OMI": played(context.scene, "OMI", seconds)}
    paths["KHR"] = (
        played(context.scene, "KHR", seconds) if _differs_in_khr(context.scene) else paths["OMI"]
    )
    coarse = played(context.scene, "OMI", seconds, SUBSTEPS // 2) if is_example else {}
    return Made(files, told, paths, coarse, {body: _objects_of(body) for body in paths["OMI"]})


def import_file(path: Path) -> None:
    """Import a glTF file into the scene that is open."""
    _OPS.import_scene.gltf(filepath=str(path))


def played(
    scene: Any,
    family: str,
    seconds: float,
    substeps: int = SUBSTEPS,
    kinds: Sequence[str] = ("dynamic",),
) -> dict[str, list[Pose]]:
    """The poses of bodies of some kinds in the preview, by name, `PER_SECOND`."""
    options = PreviewOptions(
        rate=FPS,
        substeps=substeps,
        seconds=seconds + 10.0 / FPS,
        engine=cast("Any", family),
        show=False,
    )
    recording = recorder.record(scene, options, seconds).recording
    every = FPS // PER_SECOND
    return {
        name: [
            (*map(float, place[i]), *map(float, turn[i]))
            for place, turn in zip(recording.places, recording.rotations, strict=True)
        ][::every]
        for i, name in enumerate(recording.names)
        if recording.types[i] in kinds
    }


def _differs_in_khr(scene: Any) -> bool:
    """Whether a scene leaves something open that the two families take differently."""
    shared = any(
        sum(limit.axes) > 1
        and any((limit.min_distance, limit.max_distance, limit.min_angle, limit.max_angle))
        for entry in scene.omi_physics.joint_settings
        for limit in entry.limits
    )
    motions = [obj.omi_physics.motion for obj in scene.objects if obj.omi_physics.use_motion]
    modes = {mode for each in motions for mode in (each.mass_mode, each.center_of_mass_mode)}
    return shared or "ENGINE" in modes


def _objects_of(body: str) -> set[str]:
    """The objects by which a report may name a body."""
    own = _DATA.objects[body]
    family = {own, *own.children_recursive}
    joints = {obj for obj in _DATA.objects if obj.omi_physics.use_joint}
    ends = {obj for obj in joints if obj.omi_physics.joint.connected_object in family}
    others = {obj.omi_physics.joint.connected_object for obj in joints & family}
    return {obj.name for obj in family | ends | others if obj is not None}


def compare(
    scene: Scene, made: Made, target: str, runs: dict[int, Played]
) -> tuple[str, list[Verdict]]:
    """What became of each moving body; why the file was refused, if it was.

    Args:
        runs: of the engine, by its steps per second, the coarsest first.
    """
    error = next((run.error for run in runs.values() if run.error), "")
    is_reader = target == "GODOT_READER"
    expected = (_OF_READER if is_reader else scene.told.get(target, "")).split()
    family = "OMI" if is_reader else FAMILIES[target]
    told = made.told[target]
    found: list[Verdict] = []
    for name, path in made.paths[family].items():
        named = {
            code
            for code, at in told
            if code in expected and _about(at, name, made, is_example=scene.part == EXAMPLE)
        }
        poses = {rate: run.bodies[name].poses for rate, run in runs.items() if name in run.bodies}
        verdict = Verdict(name, math.inf, False, RATE, tuple(sorted(named)))
        for rate in runs:
            off, same = math.inf, False
            if rate in poses:
                last = LAST if scene.rests else 0
                own = 0.0
                if scene.part == EXAMPLE:
                    own = max(spread(list(poses.values())), spread([path, made.coarse[name]]))
                off, same = apart(path, poses[rate], last=last, more=scene.beside[0] + own)
            verdict = verdict._replace(off=off, same=same, rate=rate)
            if same:
                break
        found.append(verdict)
    return error, found


def spread(runs: Sequence[Sequence[Pose]]) -> float:
    """How far the runs of an engine are apart from each other at the end, where that is worst."""
    first, *others = runs
    ends = (zip(first[-LAST:], other[-LAST:], strict=True) for other in others)
    far = [math.dist(a[:3], b[:3]) for pairs in ends for a, b in pairs]
    return max((each for each in far if math.isfinite(each)), default=0.0)


def _about(place: str, body: str, made: Made, *, is_example: bool) -> bool:
    """Whether an issue is about a body, or about all that is there."""
    return (
        is_example
        or place in made.objects[body]
        or place not in {name for names in made.objects.values() for name in names}
    )


def apart(
    path: Sequence[Pose], other: Sequence[Pose], *, last: int = 0, more: float = 0.0
) -> tuple[float, bool]:
    """How far one path is from another where that is worst, and whether that is allowed.

    Args:
        last: only so many places at the end count; 0 for all.
        more: m, how much more is allowed.
    """
    first = len(path) - last if last else 0
    places = [[pose[:3] for pose in each] for each in (path, other)]
    return judging.apart(*places, near=NEAR + more, share=SHARE, first=first)


def run(
    scenes: Iterable[Scene],
    made: dict[str, Made],
    clients: Path,
    target: str,
    godot: Godot = AS_USERS,
) -> dict[str, tuple[str, list[Verdict]]]:
    """What became of each scene in an engine.

    Args:
        target: what the files are written for.
        godot: how Godot plays them.
    """
    chosen = list(scenes)
    runs: dict[str, dict[int, Played]] = {scene.name: {} for scene in chosen}
    stepped = _STEPPED.get(target, target)
    godot = godot._replace(reader=target == "GODOT_READER")
    fine = [scene for scene in chosen if {target, stepped} & set(scene.steps)]
    for some, rate in ((chosen, RATE), (fine, FINE_RATE)):
        if some:
            files = [made[scene.name].files[target] for scene in some]
            answers = engine_batches.play(
                clients, target, files, seconds=SECONDS, rate=rate, godot=godot
            )
            for scene, answer in zip(some, answers, strict=True):
                runs[scene.name][rate] = answer
    return {
        scene.name: compare(scene, made[scene.name], target, runs[scene.name]) for scene in chosen
    }


def state(error: str, verdicts: Sequence[Verdict], scene: Scene) -> dict[str, Any]:
    """What is kept of a scene in an engine: its worst body, and the codes that name bodies."""
    if error:
        return {"state": "refused", "why": error}
    named = [each for each in verdicts if not each.same and each.told]
    codes = sorted({code for each in named for code in each.told})
    if any(not each.same and not each.told for each in verdicts):
        kind = "differs"
    elif named:
        kind = "named"
    elif any(each.rate != RATE for each in verdicts):
        kind = "same in finer steps"
    else:
        kind = "same at rest" if scene.rests else "same"
    off = max((each.off for each in verdicts if (each in named) == (kind == "named")), default=0.0)
    found = {"state": kind, "off": None if math.isinf(off) else round(off, 3), "codes": codes}
    return {**found, "bodies": len(verdicts), "named": len(named)}


def enable() -> None:
    """Enable the add-ons, in a Blender that has none."""
    import addon_utils

    addon_utils.enable("io_scene_gltf2", default_set=True)
    addon_utils.enable("omi_physics_addon", default_set=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play our scenes in engines of others.")
    parser.add_argument("--clients", type=Path, required=True, help="folder with the engines")
    parser.add_argument("--only", default="", help="scenes with these words in their names")
    parser.add_argument("--runtime", action="store_true", help="have Godot load files at run time")
    parser.add_argument("--write", action="store_true", help="keep the results in the manual")
    arguments = parser.parse_args()
    enable()
    chosen = [s for s in [*SCENES, *EXAMPLES] if arguments.only in f"{s.part}: {s.name}"]
    rows: list[dict[str, Any]] = [{"part": s.part, "name": s.name} for s in chosen]
    with tempfile.TemporaryDirectory() as folder:
        made = {scene.name: make(scene, Path(folder)) for scene in chosen}
        for column, (engine, add_on) in acceptance_table.COLUMNS.items():
            godot = Godot(add_on, is_imported=not arguments.runtime)
            found = run(chosen, made, arguments.clients, engine, godot)
            for row, scene in zip(rows, chosen, strict=True):
                row[column] = state(*found[scene.name], scene)
    for row in rows:
        for column in acceptance_table.COLUMNS:
            print(f"{column}: {row['part']}, {row['name']}: {acceptance_table.cell(row[column])}")
    if arguments.write:
        acceptance_table.keep(rows, [*SCENES, *EXAMPLES])


if __name__ == "__main__":
    main()
