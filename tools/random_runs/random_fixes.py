"""Spoils the physics of the examples by chance, and sees whether `fix` mends without harm.

From the command line:

    .venv/bpy-5.0/bin/python tools/random_runs/random_fixes.py --count 1000 --seed 7
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from omi_physics_addon.codec import dialects
from omi_physics_addon.codec.gltf.containers import Container
from omi_physics_addon.files import checking, fixing, source
from omi_physics_addon.files.source import Source
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issues

# Small ones with much in them.
EXAMPLES: Final = ("joints", "khr", "everything", "gravity", "vehicles")
NUMBERS: Final = (0.0, -1.0, 0.5, 2.0, 100.0, -0.001, 1e9)
WORDS: Final = ("", "static", "dynamic", "average", "cone", "box", "rigid")
MOST_FAULTS: Final = 5
Json = dict[str, Any]
Place = tuple[Any, Any]  # A list or an object, and an index or a key of it.


def places(json: Json) -> list[Place]:
    """Every member and item within the extensions of physics of a parsed glTF."""
    found: list[Place] = []

    def walk(value: Any) -> None:
        items: Iterator[tuple[Any, Any]] = iter(())
        if isinstance(value, dict):
            items = iter(cast(Json, value).items())
        elif isinstance(value, list):
            items = iter(enumerate(cast("list[Any]", value)))
        for key, inner in items:
            found.append((cast(Any, value), key))
            walk(inner)

    for owner in [json, *json["nodes"]]:
        for name, extension in owner.get("extensions", {}).items():
            if name in dialects.NAMES:
                walk(extension)
    return found


def spoil(chance: random.Random, json: Json) -> None:
    """Change a few values, so that much may be wrong, but not that all of it is nonsense."""
    for _ in range(chance.randint(1, MOST_FAULTS)):
        holder, key = chance.choice(places(json))
        value = holder[key]
        if isinstance(holder, dict) and chance.random() < 0.2:
            del cast(Json, holder)[key]
        elif isinstance(value, bool):
            holder[key] = not value
        elif isinstance(value, int):
            holder[key] = chance.choice((value + 1, 0, -1, 1, 2))
        elif isinstance(value, float):
            holder[key] = chance.choice((-value, value * 10.0, chance.choice(NUMBERS)))
        elif isinstance(value, str):
            holder[key] = chance.choice(WORDS)
        elif isinstance(value, list) and value:
            items = cast("list[Any]", value)
            holder[key] = chance.choice((items[::-1], items[:-1], [*items, items[0]]))
    if chance.random() < 0.3:
        chance.choice(json["nodes"])["scale"] = [chance.choice((2.0, 0.5, -1.0))] * 3


def counts(issues: Issues) -> Counter[str]:
    """How often each code is there that is worse than an info."""
    return Counter(issue.code for issue in issues if issue.severity is not Severity.INFO)


def faults(given: Source) -> list[str]:
    """What a fix did that it must not do."""
    before = checking.check(given).issues
    fixed = fixing.fix(given, infos=False)
    was, now = counts(before), counts(fixed.left)
    told = counts(checking.check(fixed.source).issues)
    wrong = [f"new: {code}" for code in now if now[code] > was[code]]
    if told != now:
        wrong.append(f"left is said to be {dict(now)} and is {dict(told)}")
    mended = {repair.issue.code for repair in fixed.repairs}
    wrong += [f"not mended: {code}" for code in mended if 0 < was[code] <= now[code]]
    again = fixing.fix(fixed.source, infos=False)
    if again.repairs or again.source.json != fixed.source.json:
        wrong.append(f"a second fix mends {dict(now - counts(again.left))} of {dict(now)}")
    return wrong


def run(seed: int, count: int) -> Iterator[tuple[int, str, list[str]]]:
    """Spoil and mend so many files; their numbers, examples and what was wrong with each."""
    examples = {name: source.read(ROOT / "examples" / f"{name}.glb") for name in EXAMPLES}
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        name = chance.choice(EXAMPLES)
        json = copy.deepcopy(examples[name].json)
        spoil(chance, json)
        container = Container(json=json, chunks=examples[name].container.chunks)
        yield number, name, faults(Source(examples[name].path, container))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Spoil files by chance and mend them.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    chosen = parser.parse_args(arguments)
    bad = 0
    for number, name, wrong in run(chosen.seed, chosen.count):
        bad += bool(wrong)
        for line in wrong:
            print(f"{number} ({name}): {line}", flush=True)
    print(f"{chosen.count} files, {bad} with faults, seed {chosen.seed}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
