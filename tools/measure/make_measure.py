"""Makes the files of the measure, and what is expected of them.

    python tools/measure/make_measure.py --clients FOLDER

runs in a Python that has bpy. Scenes of `tools/engines/scenes` that a formula describes, see
`expected_motions`, need nothing else; what no formula says is what two engines of different
makers agree on, for which the folder has Babylon.js, and Godot is there.
"""

from __future__ import annotations

import argparse
import base64
import itertools
import json
import math
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.files import checking, source
from omi_physics_addon.issues import Severity
from omi_physics_addon.model.tolerance import NEAR, SECONDS, SHARE
from tools.engines import acceptance, engine_batches, engine_files
from tools.engines.acceptance import Made
from tools.engines.engine_batches import PER_SECOND, Pose
from tools.engines.scenes.building import Scene
from tools.measure.expected_motions import MOTIONS
from tools.measure.motions import LATE
from tools.measure.play import RATE
from tools.measure.suite import run as judging

FOLDER: Final = judging.HERE
EXPECTED: Final = FOLDER / "expected.json"
RECORDED: Final = 10  # Poses per second.
ANGLE: Final = 0.1  # rad, that a rotation may be off, beside the share of what was turned.
DIGITS: Final = 4  # Of places and rotations: 0.1 mm.
GENERATOR: Final = "OMI Physics for Blender"
_CHUNK_HEAD: Final = 8  # Bytes before the data of a .glb file.
# What both families have; a file with more cannot be said in KHR.
_SHARED: Final = {"OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"}
LEFT_OUT: Final = {
    "the specifications do not say what a round shape is that is scaled unevenly": (
        "sphere scaled unevenly",
        "capsule scaled unevenly",
        "cylinder scaled unevenly",
        "tapered cylinder scaled unevenly",
        "tapered capsules as legs, scaled unevenly",
    ),
    "the specifications do not say what a node or a shape is that is sheared": (
        "shape on a turned child of a body scaled unevenly",
        "start velocity of a turned body below an unevenly scaled empty",
    ),
    "the specifications leave a surface without a material to the engine": ("no material",),
    "no formula, and no two engines of different makers have vehicles": (
        "car that brakes from 10 m/s",
        "car that brakes on a slope",
        "car that is driven",
        "car with a largest speed",
    ),
    "no formula, and engines of different makers agree in part or not at all": (
        "6-DOF with room to turn",
        "ball to a heavy body that lies",
    ),
}
# What OMI leaves open: several axes in one limit, and a rope's end below 0.
_KHR_ALONE: Final = (
    *("rope, hanging", "rope that pulls aside"),
    *("cone-twist", "cone-twist, hanging over"),
)
# KHR leaves a mass that is missing to the engine.
_OMI_ALONE: Final = ("hinge about Y, with moments of inertia and no mass",)
TITLES: Final = {
    "preview": "Blender's Bullet by our preview",
    "babylon": "Babylon.js with Havok",
    "godot": "Godot with Jolt and our importer",
}


class Agreed(NamedTuple):
    """What two engines agree on.

    Attributes:
        engines: their names in `TITLES`.
        apart: m, by how much they are apart at most.
        bodies: poses by name, the mean of both; places alone where rotations are apart.
        first: s, from when on they count.
    """

    engines: tuple[str, str]
    apart: float
    bodies: dict[str, list[Pose]]
    first: float


def chosen() -> list[Scene]:
    """The scenes of the measure."""
    out = {name for names in LEFT_OUT.values() for name in names}
    return [scene for scene in acceptance.SCENES if scene.name not in out]


def slug(name: str) -> str:
    """The name of the files of a scene."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def families(scene: Scene, made: Made) -> list[str]:
    """The families in which a scene has one meaning, and no error."""
    files = {family: made.files[f"SPECIFICATION {family}"] for family in judging.FAMILIES}
    found = [family for family, path in files.items() if not _has_errors(path)]
    used = engine_files.read(files["OMI"])[0].get("extensionsUsed", ())
    if (scene.name in _OMI_ALONE or not set(used) <= _SHARED) and "KHR" in found:
        found.remove("KHR")
    if scene.name in _KHR_ALONE and "OMI" in found:
        found.remove("OMI")
    return found


def _has_errors(path: Path) -> bool:
    issues = checking.check(source.read(path)).issues
    return any(issue.severity is Severity.ERROR for issue in issues)


def as_text(path: Path) -> dict[str, Any]:
    """The JSON of a .glb file of ours, with its binary part in it."""
    said, rest = engine_files.read(path)
    said["asset"] = {"version": "2.0", "generator": GENERATOR}
    if rest:
        (buffer,) = said["buffers"]
        data = rest[_CHUNK_HEAD : _CHUNK_HEAD + buffer["byteLength"]]
        address = base64.b64encode(data).decode("ascii")
        buffer["uri"] = f"data:application/octet-stream;base64,{address}"
    return said


def agree(scene: Scene, runs: Mapping[str, Mapping[str, Sequence[Pose]]]) -> Agreed | None:
    """What two engines of different makers agree on; None where no two do.

    Args:
        runs: by engine, poses by name, `RECORDED` a second.
    """
    first = LATE if scene.rests else 0.0
    pairs = itertools.combinations(runs, 2)
    found = (_agreed((one, other), (runs[one], runs[other]), first) for one, other in pairs)
    return min((each for each in found if each), key=lambda each: each.apart, default=None)


def _agreed(
    engines: tuple[str, str], runs: tuple[Mapping[str, Sequence[Pose]], ...], first: float
) -> Agreed | None:
    """What two engines agree on, of all bodies of either; None where they do not."""
    at, worst = round(first * RECORDED), 0.0
    bodies: dict[str, list[Pose]] = {}
    if runs[0].keys() != runs[1].keys():
        return None
    for name in runs[0]:
        paths = [run[name] for run in runs]
        places = ([pose[:3] for pose in path] for path in paths)
        off, same = judging.apart(*places, near=NEAR, share=SHARE, first=at)
        if not same:
            return None
        turns = ([pose[3:] for pose in path] for path in paths)
        _, alike = judging.apart(*turns, near=ANGLE, share=SHARE, first=at, metric=judging.angle)
        worst = max(worst, off)
        bodies[name] = [mean(*pair, turns=alike) for pair in zip(*paths, strict=True)]
    return Agreed(engines, worst, bodies, first)


def mean(one: Pose, other: Pose, *, turns: bool) -> Pose:
    """The pose in the middle of two; its place alone without `turns`."""
    place = tuple((a + b) / 2.0 for a, b in zip(one[:3], other[:3], strict=True))
    if not turns:
        return place
    sign = math.copysign(1.0, sum(a * b for a, b in zip(one[3:], other[3:], strict=True)))
    sums = [a + sign * b for a, b in zip(one[3:], other[3:], strict=True)]
    length = math.hypot(*sums)
    return (*place, *(part / length for part in sums))


def entry(
    scene: Scene, made: Made, runs: Mapping[str, Mapping[str, Sequence[Pose]]], times: list[float]
) -> dict[str, Any] | None:
    """What is expected of a scene, without its files; None where nobody can say.

    Args:
        runs: as in `agree`; asked where there is no formula.
    """
    motion = MOTIONS.get(scene.name)
    if motion:
        starts = {name: poses[0] for name, poses in _preview(scene, made).items()}
        bodies = motion.move(starts, times)
        if not motion.turns:
            bodies = {name: [pose[:3] for pose in poses] for name, poses in bodies.items()}
        shows, first = motion.shows, motion.first
        why: dict[str, Any] = {"kind": "formula", "formula": motion.formula}
    else:
        agreed = agree(scene, runs)
        if agreed is None:
            return None
        bodies, first = agreed.bodies, agreed.first
        longest = max(bodies, key=lambda name: _way(bodies[name]))
        shows = f"{longest} goes {_way(bodies[longest]):.1f} m within {SECONDS:g} s."
        why = {
            "kind": "engines",
            "engines": [TITLES[engine] for engine in agreed.engines],
            "apart": round(agreed.apart, 3),
        }
    return {
        "part": scene.part,
        "name": scene.name,
        "shows": shows,
        "source": why,
        "tolerance": {"place": NEAR, "share": SHARE, "angle": ANGLE},
        "from": first,
        "bodies": {
            name: [[round(x, DIGITS) + 0.0 for x in pose] for pose in poses]
            for name, poses in bodies.items()
        },
    }


def _way(poses: Sequence[Pose]) -> float:
    return sum(math.dist(a[:3], b[:3]) for a, b in itertools.pairwise(poses))


def make(scenes: Sequence[Scene], folder: Path, clients: Path | None) -> list[dict[str, Any]]:
    """Write the files of scenes, and say what is expected of them.

    Raises:
        MissingError: an engine is needed, and not here.
    """
    times = [i / RECORDED for i in range(round(SECONDS * RECORDED) + 1)]
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as place:
        made = {scene.name: acceptance.make(scene, Path(place)) for scene in scenes}
        open_ones = [scene for scene in scenes if scene.name not in MOTIONS]
        runs = _played(open_ones, made, clients) if open_ones else {}
        for scene in scenes:
            one = entry(scene, made[scene.name], runs.get(scene.name, {}), times)
            if one is None:
                print(f"left out, because nobody agrees: {scene.name}")
                continue
            files = made[scene.name].files
            kept = families(scene, made[scene.name])
            texts = {family: as_text(files[f"SPECIFICATION {family}"]) for family in kept}
            names = {family: f"files/{family.lower()}/{slug(scene.name)}.gltf" for family in kept}
            for family, name in names.items():
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(json.dumps(texts[family], indent=1) + "\n", encoding="utf-8")
            used = {family: texts[family]["extensionsUsed"] for family in kept}
            found.append({**one, "files": names, "extensions": used})
    return found


def _played(
    scenes: Sequence[Scene], made: Mapping[str, Made], clients: Path | None
) -> dict[str, dict[str, dict[str, list[Pose]]]]:
    """By scene and engine, poses by name, `RECORDED` a second."""
    every = PER_SECOND // RECORDED
    found: dict[str, dict[str, dict[str, list[Pose]]]] = {
        scene.name: {
            "preview": {
                name: poses[::every] for name, poses in _preview(scene, made[scene.name]).items()
            }
        }
        for scene in scenes
    }
    for engine, target in (("babylon", "BABYLON"), ("godot", "GODOT_READER")):
        files = [made[scene.name].files[target] for scene in scenes]
        played = engine_batches.play(
            clients or Path(),
            target,
            files,
            seconds=SECONDS,
            rate=RATE,
            godot=engine_batches.Godot(reader=engine == "godot"),
        )
        for scene, run in zip(scenes, played, strict=True):
            found[scene.name][engine] = {
                name: body.poses[::every] for name, body in run.bodies.items() if body.moves
            }
    return found


def _preview(scene: Scene, made: Made) -> dict[str, list[Pose]]:
    return made.paths["KHR" if scene.name in _KHR_ALONE else "OMI"]


def expected(scenes: list[dict[str, Any]]) -> dict[str, Any]:
    """All of expected.json."""
    return {
        "format": "omi_physics_measure",
        "version": 1,
        "seconds": SECONDS,
        "perSecond": RECORDED,
        "leftOut": LEFT_OUT,
        "scenes": scenes,
    }


def write(path: Path, said: dict[str, Any]) -> None:
    """Write expected.json, with a line for each pose."""
    text = json.dumps(said, indent=1, ensure_ascii=False)
    # Numbers have no brackets, quotes or braces between those of their list.
    short = re.sub(r"\[([^\[\]{}\"]+)\]", lambda row: f"[{' '.join(row[1].split())}]", text)
    path.write_text(short + "\n", encoding="utf-8")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Make the files of the measure.")
    parser.add_argument("--clients", type=Path, default=os.environ.get("OMI_PHYSICS_CLIENTS"))
    arguments = parser.parse_args()
    acceptance.enable()
    for path in FOLDER.glob("files/*/*.gltf"):
        path.unlink()
    scenes = make(chosen(), FOLDER, arguments.clients)
    write(EXPECTED, expected(scenes))
    print(f"{len(scenes)} scenes")


if __name__ == "__main__":
    main()
