"""Every test of the preview stops it at its end; whole files choose the gravity they start with."""

from __future__ import annotations

import pytest

from tests.blender.support.preview_scenes import gravity


@pytest.fixture(autouse=True)
def _stopped(stopped_preview: None) -> None:
    """Stops the preview after each test."""


@pytest.fixture
def standard_gravity(_stopped: None) -> None:
    """Lets bodies of the scene fall at 9.81 m/s²."""
    gravity()


@pytest.fixture
def no_gravity(_stopped: None) -> None:
    """Lets bodies of the scene float."""
    gravity(0.0)
