"""Settings for all tests."""

from __future__ import annotations

import os
from collections import Counter

import pytest

# Small arrays are quicker without more threads, and all processors have tests to run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import Phase, settings

# The same examples in every run, so that a green run stays green, and no minutes spent on making
# one that fails small; OMI_PHYSICS_TESTS=thorough looks further, with new ones, and does.
FOUND = (Phase.explicit, Phase.generate)
settings.register_profile("repeatable", derandomize=True, deadline=None, phases=FOUND)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("OMI_PHYSICS_TESTS", "repeatable"))

# What waits for a window most of the time.
WINDOWS = (
    *("test_in_window", "test_plays", "test_walks", "test_random_run", "test_godot_blend"),
    "test_seen",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no processor is without work at the end."""
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.stem not in WINDOWS, -counts[item.path], str(item.path)))
