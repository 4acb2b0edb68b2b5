"""What tests of the preview have in common at their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from omi_physics_addon.blender.preview import player
from omi_physics_addon.blender.preview.stage import stage


def stopped(begin: Callable[[], object] = lambda: None) -> Any:
    """A fixture that stops the preview after each test of a file; nothing of it may be left.

    Args:
        begin: what each test begins with.
    """

    @pytest.fixture(autouse=True)
    def stop() -> Iterator[None]:
        begin()
        yield
        player.stop()
        assert not stage.is_left()

    return stop
