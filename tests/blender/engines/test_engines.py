"""The preview beside engines of others, and the table of the manual about that.

The files come from OMI_PHYSICS_CORPUS, the engines from OMI_PHYSICS_CLIENTS.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from omi_physics_addon.cli import background
from tests.blender.support import clients
from tools.engines import compare_engines, engine_clients, engine_table
from tools.engines.engine_clients import Engines
from tools.engines.engine_reasons import REASONS, WHY

ROOT = Path(__file__).resolve().parents[3]
CORPUS = Path(os.environ.get("OMI_PHYSICS_CORPUS", "nowhere")).resolve() / "corpus"
PAGE = ROOT / "docs" / "preview.md"
OFF = 0.01  # m, by which distances may change without making the table wrong.
# Some that are the same wherever it is played, and do not take long.
FILES = (
    "omi/OMI_physics_body/complex/dynamic_with_velocity.gltf",
    "omi/OMI_physics_joint/rope_railing.gltf",
    "khr/samples/Filtering/Filtering.gltf",
    "khr/tests/RigidBodies_CollisionFilter/RigidBodies_CollisionFilter_01.gltf",
    "khr/tests/RigidBodies_Joint/RigidBodies_Joint_00.gltf",
)


@pytest.fixture(scope="module")
def engines():
    clients.runner()  # Skips where there are none.
    if not CORPUS.is_dir():
        pytest.skip("no files of others: set OMI_PHYSICS_CORPUS to the folder that has them")
    return Engines(Path(os.environ["OMI_PHYSICS_CLIENTS"]))


def rehearse(job):
    worker = [sys.executable, str(compare_engines.WORKER), "--"]
    return background.run_worker(worker, job)


@pytest.mark.parametrize("engine", engine_clients.ENGINES)
@pytest.mark.parametrize("file", FILES)
def test_the_table_is_still_true(engines, file, engine):
    name = Path(file).stem
    try:
        results = compare_engines.compare_file(CORPUS / file, name, engines, engine, rehearse)
    except engine_clients.MissingError as error:
        pytest.skip(str(error))
    content = engine_table.table(results, WHY, REASONS)
    now = engine_table.kept(engine_table.put(f"{engine_table.BEGIN}{engine_table.END}", content))
    before = {
        key: line
        for key, line in engine_table.kept(PAGE.read_text(encoding="utf-8")).items()
        if key[:2] == (name, engine_clients.TITLES[engine])
    }
    assert now.keys() == before.keys()
    for key, line in now.items():
        assert figures(line)[0] == figures(before[key])[0]
        assert figures(line)[1] == pytest.approx(figures(before[key])[1], abs=OFF)


def figures(line):
    """What a row says, and its distances, m."""
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    distances = [float(cell.removesuffix(" m")) for cell in cells if cell.endswith(" m")]
    return [cell for cell in cells if not cell.endswith(" m")], distances
