"""A pytest plugin that runs tests without a part of the preview; `switched_off` starts it.

The add-on knows nothing of it: names of its modules are bound to what stands in for them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tools.bench.stand_ins import PACKAGE, PARTS, Function, Off, module_of
from tools.bench.switched_off import RECORD, TASK


class Switching:
    """Binds stand-ins, and notes which tests fail, how long they take, and what they call."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        """Take a task.

        Args:
            task: `part`, the name of what is switched off, or empty; `tests`, in their order, or
                empty for all; `most`, seconds after which no test begins.
        """
        self._part, self._most = str(task["part"]), float(task["most"])
        self._order = {test: at for at, test in enumerate(task["tests"])}
        self._begin = time.monotonic()
        self._test = ""
        self.failed: dict[str, None] = {}
        self.seconds: dict[str, float] = {}
        self.used: dict[str, dict[str, None]] = {part.name: {} for part in PARTS}

    def bind(self) -> None:
        """Put stand-ins in the places of what they stand in for, wherever that is known by now."""
        for part in PARTS:
            for off in part.offs:
                if self._part == part.name:
                    bind(off.place, lambda function, off=off: standing_in(off, function))
                elif not self._part:
                    bind(
                        off.place,
                        lambda function, part=part, off=off: self._compared(
                            part.name, off, function
                        ),
                    )

    def _compared(self, name: str, off: Off, function: Function) -> Function:
        """A function that notes where it gives something else than its stand-in."""
        instead = None if off.acts else standing_in(off, function)

        def call(*args: Any, **options: Any) -> Any:
            known = self._test in self.used[name]
            expected = None if known or instead is None else instead(*args, **options)
            try:
                result = function(*args, **options)
            except Exception:
                self.used[name][self._test] = None
                raise
            if not known and (instead is None or not same(result, expected)):
                self.used[name][self._test] = None
            return result

        return call

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what the task does not name, and take its order."""
        if self._order:
            items[:] = [item for item in items if item.nodeid in self._order]
            items.sort(key=lambda item: self._order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test runs."""
        self._test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended."""
        took = self.seconds.get(report.nodeid, 0.0)
        self.seconds[report.nodeid] = took + report.duration
        if report.failed:
            self.failed[report.nodeid] = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Begin no other test when the time is over."""
        if time.monotonic() - self._begin > self._most:
            item.session.shouldstop = "the time is over"

    def record(self) -> dict[str, Any]:
        """All that was noted."""
        used = {name: [test for test in tests if test] for name, tests in self.used.items()}
        return {"failed": [*self.failed], "seconds": self.seconds, "used": used}


def standing_in(off: Off, function: Function) -> Function:
    """What is called in the place of a function."""
    return partial(off.instead, function) if off.wraps else off.instead


def bind(place: str, made: Callable[[Function], Function]) -> None:
    """Put what is made of a function or a method in its place, wherever modules know it."""
    module, _, path = place.partition(":")
    holder, (*above, name) = module_of(module), path.split(".")
    for each in above:
        holder = getattr(holder, each)
    original = getattr(holder, name)
    other = made(original)
    setattr(holder, name, other)
    known = [] if above else [m for key, m in sys.modules.items() if key.startswith(PACKAGE)]
    for each in known:
        for key in [key for key, value in vars(each).items() if value is original]:
            setattr(each, key, other)


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same, as far as anybody could tell."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(cast(Any, one), cast(Any, other))
    if type(one) is not type(other):
        return bool(one == other)
    if isinstance(one, (list, tuple)):
        pair = cast(Sequence[Any], one), cast(Sequence[Any], other)
        return len(pair[0]) == len(pair[1]) and all(map(same, *pair))
    if is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    return bool(one == other)


def pytest_configure(config: pytest.Config) -> None:
    """Begin, where there is a task."""
    task = os.environ.get(TASK)
    if task is not None:
        switching = Switching(json.loads(Path(task).read_text()))
        switching.bind()
        config.pluginmanager.register(switching, "switching")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write the record beside the task."""
    switching = config.pluginmanager.get_plugin("switching")
    if isinstance(switching, Switching):
        path = Path(os.environ[TASK]).with_name(RECORD)
        path.write_text(json.dumps(switching.record()))
