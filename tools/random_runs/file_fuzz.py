"""Damage glTF files at random, and see that no command and no import stumbles over them.

From the command line:

    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --minutes 30
    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --minutes 10 --blender
    .venv/bpy-5.0/bin/python tools/random_runs/file_fuzz.py --seed 4711 --first 230 --files 1

Each file is one of the tests' or examples with some mishaps: members gone, of other types, copied
or taken from another file, indices that lead elsewhere, nodes below each other. It goes through
`check`, `convert` and `check` again; with --blender, also through an import and an export by the
`bpy` of this Python. A fault is a traceback, output that is no JSON, more than 10 s or 1 GB, or a
file of ours that cannot be read again. Faulty files are kept in a folder. Exit code 1: some were.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import random
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

ROOT: Final = Path(__file__).resolve().parents[2]
if __name__ == "__main__":  # Under its own name the package may be another one, beside Blender.
    sys.path.insert(0, str(ROOT))

from omi_physics_addon.cli import main as cli
from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.codec.values.json_members import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SECONDS: Final = 10  # That a file may take.
MEMORY: Final = 10**9  # Bytes.
JUNK: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 0.5, -0.0, 99, 2**63, 10**400, 1e308, 5e-324),
    *(float("inf"), float("-inf"), float("nan"), "", "box", "dynamic", "1", "\ud800", "x" * 9999),
    *([], {}, [None], [1], [0, 0, 0], [1, 2, 3], [0, 0, 0, 2], [1e308] * 3, [0, 0], [99, -1]),
    *({"type": "box"}, {"extensions": {"EXT_other": {}}}, {"min": 1, "max": -1}, {"shape": 0}),
)
LINKS: Final = frozenset(
    {"shape", "mesh", "node", "joint", "connectedNode", "collisionFilter", "physicsMaterial"}
    | {"wheel", "thruster", "hoverThruster", "pilotSeat", "collider", "children", "nodes"}
)
FAMILIES: Final = ("", "omi", "khr", "both")
TARGETS: Final = ("specification", "godot4", "babylon")
FORMS: Final = ("mesh", "mesh+node", "node", "collision-shapes")


class SlowError(Exception):
    """A file took too long."""


class Fault(NamedTuple):
    """What went wrong with a file.

    Attributes:
        number: of the file, for --first.
        words: what, and where in our code.
        path: where the file is kept.
    """

    number: int
    words: str
    path: Path


def sources(extra: Iterable[Path] = ()) -> list[dict[str, Any]]:
    """The JSON of the files that are damaged, small ones only."""
    folders = (ROOT / "tests" / "data", ROOT / "examples", *extra)
    paths = [path for folder in folders for path in sorted(folder.rglob("*.gl*"))]
    found: list[dict[str, Any]] = []
    for path in paths:
        if path.suffix in (".gltf", ".glb") and path.stat().st_size < 300_000:
            with contextlib.suppress(containers.ContainerError):
                found.append(containers.read(path.read_bytes()).json)
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item, as what holds it and its key; no accessors and buffers."""
    waiting: list[Any] = [value]
    while waiting:
        holder = waiting.pop()
        is_list = holder.__class__ is list
        keys: Iterable[Any] = range(len(holder)) if is_list else list(holder)
        for key in keys:
            yield holder, key
            if isinstance(holder[key], (dict, list)) and key not in ("bufferViews", "buffers"):
                waiting.append(holder[key])


def damaged(chance: random.Random, files: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A copy of one of the files after one to six mishaps."""
    gltf = copy.deepcopy(chance.choice(files))
    for _ in range(chance.randint(1, 6)):
        found = list(places(gltf))
        holder, key = chance.choice(found)
        physics = [at for at in found if at[1] in LINKS or at[1] in dialects.NAMES]
        if physics and chance.random() < 0.5:
            holder, key = chance.choice(physics)
        _mishap(chance, gltf, holder, key, files)
    return gltf


def _mishap(
    chance: random.Random, gltf: dict[str, Any], holder: Any, key: Any, files: Sequence[Any]
) -> None:
    value = holder[key]
    what = chance.choice(("junk", "gone", "graft", "link", "twice", "nest", "number", "family"))
    if what == "gone":
        del holder[key]
    elif what == "graft":  # A member of the same name from another file.
        others = [at for at in places(chance.choice(files)) if at[1] == key]
        other, there = chance.choice(others) if others else (holder, key)
        holder[key] = copy.deepcopy(other[there])
    elif what == "link" and isinstance(value, int):
        holder[key] = chance.randint(-1, 12)
    elif what == "twice" and isinstance(value, list):
        value.extend(copy.deepcopy(cast("list[Any]", value))[:50])
    elif what == "nest":
        nodes = as_list(gltf.get("nodes"))
        one = chance.choice(nodes) if nodes else None
        if isinstance(one, dict):
            node = cast("dict[str, Any]", one)
            node["children"] = [chance.randrange(len(nodes)) for _ in range(chance.randint(1, 3))]
            node["scale"] = chance.choice(([2, 2, 2], [1, 0, 1], [-1, 1, 1], [1, 2, 3], [1e-9] * 3))
    elif what == "number" and isinstance(value, (int, float)) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):  # A whole number that no float can hold.
            holder[key] = value * chance.choice((-1, 0, 1e-12, 1e12, 1e40, 1.0000001))
    elif what == "family":
        donor = chance.choice(files)
        gltf["extensions"] = {
            **copy.deepcopy(dict(as_object(donor.get("extensions")))),
            **as_object(gltf.get("extensions")),
        }
    else:
        holder[key] = copy.deepcopy(chance.choice(JUNK))


def run(*words: str) -> int:
    """Run a command in this process; returns its exit code.

    Raises:
        ValueError: what it printed is no report.
    """
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = cli.main([*words, "--json"])
    report = json.loads(out.getvalue())
    if report["exitCode"] != code or bool(report["error"]) != (report["report"] is None):
        raise ValueError(f"the report of {words[0]} is at odds with itself")
    return code


def through_commands(chance: random.Random, path: Path) -> None:
    """Check and convert a file, and what came of it.

    Raises:
        ValueError: what was written cannot be read, or is not as it was when written again.
    """
    first, second = path.with_name("first.gltf"), path.with_name("second.gltf")
    for old in (first, second):
        old.unlink(missing_ok=True)
    run("check", str(path), "--target", chance.choice(TARGETS))
    family = chance.choice(FAMILIES)
    options = ["--target", chance.choice(TARGETS), "--geometry", chance.choice(FORMS)]
    options += ["--family", family] if family else []
    options += [word for word in ("--repair", "--old-vehicle-names") if chance.random() < 0.3]
    if run("convert", str(path), str(first), *options) != 0:
        return
    if run("check", str(first)) == 2:
        raise ValueError("what was written cannot be read")
    if run("convert", str(first), str(second), *options) != 0:
        raise ValueError("what was written cannot be converted again")


def through_blender(chance: random.Random, path: Path) -> None:
    """Import a file with the `bpy` of this Python, and export it where that worked.

    Raises:
        ValueError: our add-on stumbled.
    """
    from omi_physics_addon.blender.base import reports
    from omi_physics_addon.cli import worker

    module: Any = worker.bpy
    module.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
    with contextlib.suppress(RuntimeError):  # The host's own; ours stands in the report.
        module.ops.import_scene.gltf(filepath=str(path))
    told: Any = reports.latest("IMPORT")
    if told is not None and told.failed:
        raise ValueError(f"import: {told.failure}")
    scene: Any = module.context.scene
    scene.omi_physics.export.family = chance.choice(("OMI", "KHR", "BOTH"))
    scene.omi_physics.export.write_anyway = True
    with contextlib.suppress(RuntimeError):
        target = str(path.with_name("exported.gltf"))
        module.ops.export_scene.gltf(filepath=target, export_format="GLTF_SEPARATE")
    told = reports.latest("EXPORT")
    if told is not None and told.failed:
        raise ValueError(f"export: {told.failure}")


def start_blender() -> None:
    """Enable the host and our add-on in the `bpy` of this Python."""
    from omi_physics_addon.cli import worker

    worker.enable(worker.HOST)
    worker.enable(worker.ADDON)


def _limit_memory() -> None:
    with contextlib.suppress(ImportError):
        import resource

        used = sum(int(word) for word in Path("/proc/self/statm").read_text().split()[:1]) * 4096
        most: Any = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, most))


def _too_slow(*_: object) -> None:
    raise SlowError(f"it took more than {SECONDS} s")


def fuzz(options: argparse.Namespace) -> list[Fault]:
    """Damage files until the time or the number is over; what went wrong, each once."""
    files = sources(options.corpus)
    folder = Path(options.folder or tempfile.mkdtemp(prefix="file_fuzz_"))
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60.0 * options.minutes
    faults: dict[str, Fault] = {}
    number = options.first
    has_alarm = hasattr(signal, "setitimer")
    if has_alarm:
        signal.signal(signal.SIGALRM, _too_slow)
    while number < options.first + options.files and time.monotonic() < end:
        chance = random.Random(f"{options.seed} {number}")
        path = folder / "now.gltf"
        path.write_text(json.dumps(damaged(chance, files)), encoding="utf-8")
        try:
            if has_alarm:
                signal.setitimer(signal.ITIMER_REAL, SECONDS)
            through_commands(chance, path)
            if options.blender:
                through_blender(chance, path)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for.
            words = _words(error)
            if words not in faults:
                kept = folder / f"fault_{number}.gltf"
                kept.write_bytes(path.read_bytes())
                faults[words] = Fault(number, words, kept)
                print(f"FAULT {number}: {words}\n  {kept}", flush=True)
        finally:
            if has_alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
        number += 1
    print(f"{number - options.first} files, {len(faults)} faults", flush=True)
    return list(faults.values())


def _words(error: Exception) -> str:
    """An error, and the last line of ours that it came through."""
    frames = [
        f"{Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "omi_physics_addon" in frame.filename
    ]
    return f"{type(error).__name__} {str(error)[:200]!r} at {' '.join(frames[-2:])}"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--minutes", type=float, default=1.0, help="how long it runs at most")
    made.add_argument("--files", type=int, default=10**9, help="how many files at most")
    made.add_argument("--seed", type=int, help="repeats a run; a new one unless given")
    made.add_argument("--first", type=int, default=0, help="number of the first file")
    made.add_argument("--blender", action="store_true", help="import and export as well")
    made.add_argument("--folder", help="where faulty files are kept; a new one unless given")
    made.add_argument("--corpus", type=Path, action="append", default=[], help="more files")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    options = parser().parse_args(arguments)
    if options.seed is None:
        options.seed = random.randrange(10**6)
    print(f"--seed {options.seed}", flush=True)
    if options.blender:
        start_blender()
    else:
        _limit_memory()
    return 1 if fuzz(options) else 0


if __name__ == "__main__":
    sys.exit(main())
