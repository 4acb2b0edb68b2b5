"""Runs tests inside of a Blender that is installed, which has pytest and little else.

    blender --background --python tests/blender/support/inside_blender.py -- found.json TEST...

Writes to the file, as JSON, what came of each test; nothing where pytest is not there.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402


class Session:
    """What conftest.py does for bpy, and a note of what came of each test.

    Attributes:
        found: by test, nothing where it passed, or what was wrong.
    """

    def __init__(self) -> None:
        """Start without results."""
        self.found: dict[str, str] = {}

    def pytest_runtest_setup(self) -> None:
        """Begin with an empty file."""
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)

    def pytest_runtest_logreport(self, report) -> None:
        """Note what came of a test."""
        if report.when == "call" or report.failed:
            self.found[report.nodeid] = report.longreprtext if report.failed else ""


def main() -> None:
    path, *tests = sys.argv[sys.argv.index("--") + 1 :]
    session = Session()
    if importlib.util.find_spec("pytest") is not None:
        import pytest

        addons = importlib.import_module("addon_utils")
        for name in ("io_scene_gltf2", "omi_physics_addon"):
            assert addons.enable(name, default_set=True), name

        class Fixtures:
            """Those of conftest.py that the tests name."""

            @pytest.fixture
            def _empty_file(self) -> None:
                """Nothing more than is done before each test."""

        options = ("--noconftest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null")
        # Not where other runs have theirs, as each run of pytest removes those of older ones.
        own = f"--basetemp={ROOT / 'temporary'}"
        place = (f"--rootdir={ROOT}", own, "--import-mode=importlib")
        pytest.main([*options, *place, *tests], plugins=[session, Fixtures()])
    Path(path).write_text(json.dumps(session.found), encoding="utf-8")


if __name__ == "__main__":
    main()
