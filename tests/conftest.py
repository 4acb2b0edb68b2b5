"""Settings for all tests."""

from __future__ import annotations

import os

# Small arrays are quicker without more threads, and all processors have tests to run.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

# The same examples in every run, so that a green run stays green; OMI_PHYSICS_TESTS=thorough
# looks further, with new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("thorough", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("OMI_PHYSICS_TESTS", "repeatable"))
