"""Settings for all tests."""

from __future__ import annotations

import gc
import os
import zlib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tools.test import BY_TURNS, NEWEST

if TYPE_CHECKING:
    from xdist.remote import Producer

    from tests.support.files_by_worker import FilesByWorker

# Small arrays are quicker without more threads, and all processors have tests to run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import Phase, settings

gc.disable()  # Until all tests are collected, as hardly anything is garbage until then.

# The same examples in every run, so that a green run stays green, and no minutes spent on making
# one that fails small; OMI_PHYSICS_TESTS=thorough looks further, with new ones, and does.
FOUND = (Phase.explicit, Phase.generate)
settings.register_profile("repeatable", derandomize=True, deadline=None, phases=FOUND)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("OMI_PHYSICS_TESTS", "repeatable"))

# Files that take long, and for how many seconds of a processor; the longest begin first.
LONG = {
    **{"test_style": 100, "test_joint_forces": 20, "test_round_fits": 40, "test_expect": 45},
    **{"test_vehicle_forces": 35, "test_every_operator": 30, "test_gravity_forces": 18},
    **{"test_best_fit": 26, "test_decompose": 20, "test_fuzz": 20, "test_travel": 20},
    **{"test_benchmark": 20, "test_random_documents": 20, "test_losses": 15, "test_together": 15},
    **{"test_accuracy": 11, "test_rig_vehicle": 15, "test_restores": 12, "test_cutting": 13},
    **{"test_command_pages": 12, "test_session": 12, "test_fixing": 10, "test_growth": 5},
    **{"test_main": 7, "test_simulate": 5, "test_sources": 5, "test_import_file": 5},
    **{"test_ragdolls": 10, "test_godot_names": 6, "test_godot_ragdolls": 6, "test_speed": 10},
    **{"test_trigger_watch": 9, "test_refitting": 9, "test_simple_hull": 6, "test_settle": 5},
    **{
        "test_library": 20,
        "test_server": 7,
        "test_colliders": 7,
        "test_release": 6,
        "test_test": 6,
    },
    **{"test_build_site": 16, "test_manual": 5, "test_a_year_installed": 12},
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--turn",
        metavar="I/N",
        help="of the tests that take long and are alike with all releases, the Ith of N shares",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesByWorker | None:
    """Let files be whole on one worker in a way that a crash does not end."""
    if config.getoption("dist") != "loadfile":
        return None
    from tests.support.files_by_worker import FilesByWorker

    return FilesByWorker(config, log)


def pytest_collection_finish() -> None:
    """Keep the many tests themselves out of the search for garbage, which runs all the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


def shared_by(item: pytest.Item) -> str:
    """What one release gets as a whole: a test, or its file, if that has a fixture of its own."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    file = item.nodeid.partition("::")[0]
    is_shared = any(
        made.baseid == file and made.scope == "module" for each in known.values() for made in each
    )
    return file if is_shared else item.nodeid


def take_turn(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of `BY_TURNS` that run with another release."""
    said = config.getoption("--turn")
    if said is None:
        return
    own, count = map(int, said.split("/"))

    def turn(item: pytest.Item) -> int:
        if item.nodeid.startswith(NEWEST):
            return count - 1
        return zlib.crc32(shared_by(item).encode()) % count

    others = [item for item in items if item.nodeid.startswith(BY_TURNS) and turn(item) != own]
    left_out = {item.nodeid for item in others}
    items[:] = [item for item in items if item.nodeid not in left_out]
    config.hook.pytest_deselected(items=others)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no processor is without work at the end.

    First come files that wait for another program, which say in `SECONDS` how long at most.
    """
    take_turn(config, items)
    counts = Counter(item.path for item in items)

    def key(item: pytest.Item) -> tuple[float, float, int, str]:
        most = getattr(getattr(item, "module", None), "SECONDS", 0.0)
        return -most, -LONG.get(item.path.stem, 0), -counts[item.path], str(item.path)

    items.sort(key=key)
