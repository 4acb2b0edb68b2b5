"""What is drawn over a preview, with a stand-in for the graphics card."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import pytest

from omi_physics_addon.blender.preview import drawing, player
from tests.blender.support import scenes
from tests.blender.support.preview_scenes import body, floor, gravity, play, run


@pytest.fixture(autouse=True)
def _ready(stopped_preview: None) -> None:
    pass


class Card:
    """Stands in for the graphics card: how many points are drawn, and in which color."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: list[int] = []
        self.colors: list[Any] = []
        matrix = SimpleNamespace(
            push_pop=contextlib.nullcontext, multiply_matrix=lambda _matrix: None
        )
        monkeypatch.setattr(drawing, "gpu", SimpleNamespace(matrix=matrix))
        batches = SimpleNamespace(batch_for_shader=self._batch)
        monkeypatch.setattr(drawing, "gpu_batch", batches)

    def draw(self, session: Any) -> None:
        drawing._draw_triggers(session, SimpleNamespace(uniform_float=self._style), 1.0)

    def _style(self, name: str, value: Any) -> None:
        if name == "color":
            self.colors.append(value)

    def _batch(self, _shader: Any, _kind: str, content: dict[str, Any]) -> Any:
        count = len(content["pos"])
        if not count:
            raise ValueError("Expected a component of size 1, got 3")  # As Blender does.
        return SimpleNamespace(draw=lambda _shader: self.drawn.append(count))


@pytest.mark.parametrize("kinds", [("NONE",), ("NONE", "BOX")])
def test_triggers_without_a_shape_draw_nothing_and_hide_no_other(
    kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in kinds:
        zone = scenes.add(kind, None)
        zone.omi_physics.use_trigger = True
        zone.omi_physics.trigger.shape.type = kind
    session, card = play(), Card(monkeypatch)
    card.draw(session)
    assert len(card.drawn) == kinds.count("BOX")


def test_a_trigger_on_a_floor_lights_up_when_something_that_moves_is_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gravity()
    floor()
    zone = scenes.add("Zone", None, location=(0.0, 0.0, 0.5))
    zone.omi_physics.use_trigger = True
    session, card = play(), Card(monkeypatch)
    card.draw(session)
    run(session, 0.1)
    card.draw(session)
    assert card.colors == [drawing._EMPTY[0]] * 2
    player.stop()
    body("Crate", (0.0, 0.0, 1.4))
    session = play()
    card.draw(session)
    run(session, 0.5)
    card.draw(session)
    assert card.colors[2:] == [drawing._EMPTY[0], drawing._HELD[0]]


def test_keys_are_above_the_panel_of_the_last_operator() -> None:
    window = SimpleNamespace(type="WINDOW", y=100, height=500)
    panel = SimpleNamespace(type="HUD", y=110, height=150)
    closed = SimpleNamespace(type="HUD", y=0, height=1)
    below = SimpleNamespace(type="HUD", y=40, height=30)  # Of a window in which none was shown.
    shown = ([], 0), ([closed], 0), ([below], 0), ([panel], 160)
    for panels, low in shown:
        regions = [window, *panels]
        context = SimpleNamespace(area=SimpleNamespace(regions=regions), region=window)
        assert drawing._above_redo(context) == low


def test_how_slow_it_is_stands_above_the_panel_of_the_last_operator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body("Crate")
    session = play()
    lines: list[tuple[float, str]] = []
    text = SimpleNamespace(SHADOW=0)
    for name in ("size", "enable", "disable", "shadow", "color"):
        setattr(text, name, lambda *_values: None)
    text.dimensions = lambda _font, words: (10.0 * len(words), 10.0)
    text.position = lambda _font, _x, y, _z: lines.append((y, ""))
    text.draw = lambda _font, words: lines.append((lines.pop()[0], words))
    monkeypatch.setattr(drawing, "blf", text)
    window = SimpleNamespace(type="WINDOW", y=100, height=500)
    redo = SimpleNamespace(type="HUD", y=110, height=150)
    system = SimpleNamespace(ui_scale=1.0, use_region_overlap=True)
    context = SimpleNamespace(
        preferences=SimpleNamespace(system=system),
        area=SimpleNamespace(regions=[window, redo]),
        region=window,
        scene=SimpleNamespace(name=session.seen),
        space_data=SimpleNamespace(overlay=SimpleNamespace(show_overlays=True)),
    )
    monkeypatch.setattr(drawing, "bpy", SimpleNamespace(context=context))
    monkeypatch.setattr(type(session.pace), "words", lambda _pace: "0.4x real time")
    drawing._draw_text()
    assert [words for _, words in lines if words] == ["0.4x real time"]
    assert min(y for y, _ in lines) >= redo.y - window.y + redo.height
