"""Measures what the add-on costs when Blender starts: its modules, and its registration.

Run by `benchmark.py --panels`, in a process of its own.
"""

from __future__ import annotations

import sys
import time
from typing import Final, NamedTuple

BOUNDS: Final = {"modules": 90.0, "register": 60.0}  # ms.


class Cost(NamedTuple):
    """CPU time of one start, ms.

    Attributes:
        modules: to import all modules that registration needs; NumPy is there already.
        register: to register.
    """

    modules: float
    register: float


def measure(compiled: str) -> Cost:
    """Start the add-on in this Python.

    Args:
        compiled: folder of the compiled modules; they are put there if they are missing.
    """
    sys.dont_write_bytecode, sys.pycache_prefix = False, compiled
    from omi_physics_addon.cli.inside import addons

    addons.enable(addons.HOST)
    import numpy as np

    assert np.__version__
    start = time.thread_time()
    from omi_physics_addon.blender import registration

    imported = time.thread_time()
    registration.register()
    return Cost(1000.0 * (imported - start), 1000.0 * (time.thread_time() - imported))


def table(cost: Cost) -> list[str]:
    """The line below the table of panels."""
    return [f"start: modules {cost.modules:.0f} ms, registration {cost.register:.1f} ms"]


def exceeded(cost: Cost) -> list[str]:
    """What is slower than it may be, in words."""
    return [
        f"start: {name} takes {getattr(cost, name):.0f} ms, {bound:.0f} are allowed"
        for name, bound in BOUNDS.items()
        if getattr(cost, name) > bound
    ]
