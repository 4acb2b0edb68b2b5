"""Damages files of robots by chance, and tells which of them bring a conversion down.

    .venv/bpy-5.0/bin/python tools/random_runs/robot_fuzz.py --minutes 10

A damaged file may be refused, with a sentence; or it is read, and then what was read is written in
each format. Anything else is a fault, and its seed is printed. Each file has a process of its own,
as what MuJoCo cannot stand ends the process, or lets it wait for ever at the next file.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.files.source import Source
from omi_physics_addon.formats import files
from omi_physics_addon.formats.table import FormatError
from omi_physics_addon.issues import Issues
from tests.support import robot_models

SECONDS: Final = 20
# Also as text of USD, where its library is installed.
USD: Final = (".usda",) if importlib.util.find_spec("pxr") else ()
WORDS: Final = (
    *("0", "-1", "1", "nan", "inf", "1e308", "1e-308", "-0", "", " ", "0 0 0", "1 2", "true", "x"),
    *("1 0 0 0", "world", "é\u2028", "../../x.obj", "package:///", "9" * 400, "wedge.obj", "mesh"),
)
_VALUE: Final = re.compile(r'"([^"]*)"')
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_ELEMENT: Final = re.compile(r"<[a-z]\w*[^<>]*/>")


def damaged(text: str, chance: random.Random) -> bytes:
    """A text with one to four things changed."""
    for _ in range(chance.randint(1, 4)):
        text = chance.choice((_value, _value, _number, _element, _swap, _cut))(text, chance)
    raw = bytearray(text.encode("utf-8"))
    if chance.random() < 0.1 and raw:
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def _value(text: str, chance: random.Random) -> str:
    """Another word in one attribute: any, or that of another one."""
    found = [*_VALUE.finditer(text)]
    if not found:
        return text
    at = chance.choice(found)
    word = chance.choice((*WORDS, chance.choice(found)[1]))
    return f"{text[: at.start(1)]}{word}{text[at.end(1) :]}"


def _number(text: str, chance: random.Random) -> str:
    """Another word in place of a number."""
    found = [*_NUMBER.finditer(text)]
    if not found:
        return text
    at = chance.choice(found)
    return f"{text[: at.start()]}{chance.choice(WORDS)}{text[at.end() :]}"


def _element(text: str, chance: random.Random) -> str:
    """One element less, or twice."""
    found = [*_ELEMENT.finditer(text)]
    if not found:
        return text
    at = chance.choice(found)
    return text[: at.start()] + at[0] * chance.choice((0, 2)) + text[at.end() :]


def _swap(text: str, chance: random.Random) -> str:
    """The tag of one element in place of another."""
    tags = re.findall(r"<([a-z]\w*)", text)
    if not tags:
        return text
    one, other = chance.choice(tags), chance.choice(tags)
    return re.sub(rf"(</?){one}\b", rf"\g<1>{other}", text, count=chance.randint(1, 2))


def _cut(text: str, chance: random.Random) -> str:
    """A few letters less."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.randint(0, 3) :]


def as_usd(path: Path) -> Path:
    """The same robot in another file."""
    container = files.read(path, Issues())
    gltf = Source(path, containers.read(containers.write(container, container.json)))
    output = path.with_suffix(".usda")
    output.write_bytes(files.write(gltf, output, Issues())[0])
    return output


def tried(path: Path) -> str:
    """What comes of a file: the beginning of why it is refused, or that it was read."""
    issues = Issues()
    try:
        container = files.read(path, issues)
    except FormatError as problem:
        return re.sub(r'".*|\d.*', "", str(problem).partition(": ")[2])[:40]
    try:
        content = containers.write(container, container.json)
    except containers.ContainerError:
        return "numbers beyond any file"
    gltf = Source(path.with_suffix(".glb"), containers.read(content))
    for suffix in (".urdf", ".xml", *USD):
        try:
            files.write(gltf, path.with_name(f"out{suffix}"), Issues())
        except FormatError as problem:
            return f"not written: {str(problem)[-30:]}"
    return "read and written"


def in_process(seed: int, folder: Path) -> tuple[str, str]:
    """A file and what comes of it, in a process of its own, which may die or take too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        signal.alarm(SECONDS)
        path = folder
        try:
            path = made(seed, folder)
            outcome = tried(path)
        except BaseException:  # noqa: BLE001 - which is what is looked for.
            outcome = f"FAULT: {traceback.format_exc()}"
        os.write(writing, f"{path.name}\n{outcome[:4000]}".encode("utf-8", "replace"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        name, _, outcome = told.read().decode("utf-8").partition("\n")
    _, status = os.waitpid(child, 0)
    return name, outcome if not status else f"FAULT: the process ended with {status}"


def made(seed: int, folder: Path) -> Path:
    """The damaged file of a number."""
    chance = random.Random(seed)
    path = robot_models.write(chance.choice([*robot_models.URDF, *robot_models.MJCF]), folder)
    if USD and chance.random() < 0.5:
        path = as_usd(path)
    path.write_bytes(damaged(path.read_text(encoding="utf-8"), chance))
    return path


def main() -> None:
    """Try until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, help="the first one; of --minutes 0 the only one")
    chosen = parser.parse_args()
    for name in ("mujoco", "pxr.UsdPhysics", "pxr.UsdShade"):  # Once, and not in each process.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    end = time.monotonic() + 60.0 * chosen.minutes
    seed = random.randrange(10**9) if chosen.seed is None else chosen.seed
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        while True:
            name, outcome = in_process(seed, folder)
            outcomes[outcome.partition(":")[0] if outcome.startswith("FAULT") else outcome] += 1
            if outcome.startswith("FAULT"):
                print(f"--minutes 0 --seed {seed}, {name}: {outcome}", flush=True)
            if time.monotonic() > end:
                break
            seed += 1
    for outcome, count in outcomes.most_common():
        print(f"{count:7} {outcome}")
    sys.exit(outcomes["FAULT"] > 0)


if __name__ == "__main__":
    main()
