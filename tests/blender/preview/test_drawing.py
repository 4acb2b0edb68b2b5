"""What is drawn over a preview, with a stand-in for the graphics card."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from omi_physics_addon.blender.preview import drawing
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import play


@pytest.fixture(autouse=True)
def _ready(stopped_preview: None) -> None:
    pass


@pytest.mark.parametrize("kinds", [("NONE",), ("NONE", "BOX")])
def test_triggers_without_a_shape_draw_nothing_and_hide_no_other(
    kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in kinds:
        zone = scenes.add(kind, None)
        zone.omi_physics.use_trigger = True
        zone.omi_physics.trigger.shape.type = kind
    session = play()
    drawn: list[int] = []

    def batch(_shader: Any, _kind: str, content: dict[str, Any]) -> Any:
        count = len(content["pos"])
        if not count:
            raise ValueError("Expected a component of size 1, got 3")  # As Blender does.
        return SimpleNamespace(draw=lambda _shader: drawn.append(count))

    matrix = SimpleNamespace(push_pop=contextlib.nullcontext, multiply_matrix=lambda _matrix: None)
    monkeypatch.setattr(drawing, "gpu", SimpleNamespace(matrix=matrix))
    monkeypatch.setattr(drawing, "gpu_batch", SimpleNamespace(batch_for_shader=batch))
    shader: Any = SimpleNamespace(uniform_float=lambda _name, _value: None)
    drawing._draw_triggers(session, shader, 1.0)
    assert len(drawn) == kinds.count("BOX")
