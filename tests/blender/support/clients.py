"""Engines of others: OMI_PHYSICS_CLIENTS names the folder that has them.

The folder holds commands for Node.js, each of which prints one JSON object about a file:
`validate.mjs` (the Khronos validator, and published schemas from the folders in GLTF_SCHEMAS),
`babylon/load.mjs` (Babylon.js with Havok), `godot/load.mjs` (Godot with the OMI add-on), and
`compare.mjs`, which compares what two of the engines say. Each ends with 2 where it is not set up.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMANDS = ("validate.mjs", "babylon/load.mjs", "godot/load.mjs", "compare.mjs")
NOT_SET_UP = 2
SECONDS = 480

Run = Callable[..., dict[str, Any]]


def runner() -> Run:
    """Runs a command of the folder; gives its answer, whatever it thinks of the file.

    Skips the test where there is no such folder.
    """
    folder, node = os.environ.get("OMI_PHYSICS_CLIENTS"), shutil.which("node")
    if not folder:
        pytest.skip("no engines of others: set OMI_PHYSICS_CLIENTS to the folder that has them")
    missing = [name for name in COMMANDS if not (Path(folder) / name).is_file()]
    if missing:
        pytest.skip(f"OMI_PHYSICS_CLIENTS has no {', '.join(missing)}")
    if node is None:
        pytest.skip("no Node.js here: put node on PATH")

    def answer(name: str, *arguments: str | Path) -> dict[str, Any]:
        # A file and no pipe, which Node.js may leave before long answers are through.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
            done = subprocess.run(
                [node, str(Path(folder) / name), *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                timeout=SECONDS,
            )
            out.seek(0)
            said = out.read()
        if done.returncode == NOT_SET_UP:
            pytest.skip(f"{name} is not set up: {done.stderr.strip()}")
        assert said, done.stderr
        return json.loads(said)

    return answer
