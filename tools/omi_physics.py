"""OMI Physics on the command line, in a clone of the project.

For example:

    python3 tools/omi_physics.py export scene.blend scene.glb
    python3 tools/omi_physics.py export scene.blend scene.gltf --target godot4 --json
    python3 tools/omi_physics.py convert omi.glb khr.glb --family khr
    python3 tools/omi_physics.py simulate scene.blend --seconds 5 --out poses.json
    python3 tools/omi_physics.py check scene.glb

The commands are in `omi_physics_addon/cli`; a clone adds Pythons with `bpy`, made when needed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    from omi_physics_addon.cli import jobs
    from omi_physics_addon.cli import main as cli
    from omi_physics_addon.cli.pythons import Environments
    from tools import environment
except (OSError, ImportError) as lack:
    print(f"error: this clone is not complete, or may not be read: {lack}", file=sys.stderr)
    sys.exit(2)

if TYPE_CHECKING:
    from collections.abc import Sequence


def python_for(name: str | None) -> Path:
    """The Python with the `bpy` of a release, made when needed; None is the newest that fits.

    Raises:
        InputError: there is none, and it cannot be made.
    """
    try:
        return environment.ensure(environment.choose(name))
    except environment.SetupError as problem:
        raise jobs.InputError(str(problem)) from problem


ENVIRONMENTS = Environments(environment.NAMES, python_for)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    return cli.main(arguments, ENVIRONMENTS)


if __name__ == "__main__":
    sys.exit(main())
