"""Meshes that are cut into convex parts by CoACD."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from omi_physics_addon.blender.authoring.decomposition import cutting
from omi_physics_addon.blender.authoring.decomposition.cutting import CutError, Cutting
from omi_physics_addon.blender.authoring.fit_sources import Cuts, Piece
from tests.support.meshes import box, ring

COARSE = Cuts(concavity=0.1, hulls=16)


@pytest.fixture(scope="module")
def torus() -> Piece:
    return Piece(*ring(1.0, 0.3, 12, 6))


@pytest.fixture(scope="module")
def parts(torus) -> list[Piece]:
    (found,) = Cutting([torus], COARSE).wait()
    return found


def test_the_parts_of_a_torus_fill_it_and_leave_the_hole(torus, parts):
    assert 5 <= len(parts) <= 16
    whole = sum(part.hull_volume for part in parts)
    assert whole == pytest.approx(torus.volume, rel=0.15)
    for part in parts:
        assert part.volume == pytest.approx(part.hull_volume, rel=1e-3)  # It is convex.
        assert len(part.points) <= 64
        # No part reaches over the hole.
        assert np.linalg.norm(part.points[:, :2].mean(axis=0)) > 0.5
    points = np.concatenate([part.points for part in parts])
    assert np.abs(points).max(axis=0) == pytest.approx([1.3, 1.3, 0.3], abs=0.05)


def test_a_seed_gives_the_same_parts(torus, parts):
    (again,) = Cutting([torus], COARSE).wait()
    assert [part.points.tobytes() for part in parts] == [part.points.tobytes() for part in again]
    assert [p.triangles.tobytes() for p in parts] == [p.triangles.tobytes() for p in again]


def test_budgets_are_kept(torus, parts):
    budgets = Cuts(COARSE.concavity, hulls=4, vertices=12)
    assert len(parts) > budgets.hulls
    assert max(len(part.points) for part in parts) > budgets.vertices
    (few,) = Cutting([torus], budgets).wait()
    assert len(few) <= budgets.hulls
    assert max(len(part.points) for part in few) <= budgets.vertices


def test_pieces_are_cut_in_their_order_and_what_is_convex_is_one():
    pieces = [Piece(*box((1.0, 2.0, 3.0))), Piece(*ring(1.0, 0.3, 10, 5))]
    first, second = Cutting(pieces, COARSE).wait()
    assert len(first) == 1
    assert first[0].hull_volume == pytest.approx(6.0, rel=1e-3)
    assert len(second) > 4


def test_it_tells_how_far_it_is_and_ends_without_a_trace(torus, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    work = Cutting([torus] * 3, Cuts(concavity=0.01, hulls=0))
    told = set[float]()
    end = time.monotonic() + 60
    while not any(0.0 < share < 1.0 for share in told):
        assert not work.step()
        told.add(work.progress)
        assert time.monotonic() < end
        time.sleep(0.02)
    process = work._process
    work.cancel()
    assert process is not None
    assert process.poll() is not None
    assert list(tmp_path.iterdir()) == []
    work.cancel()  # Twice does no harm.


def test_equal_pieces_are_cut_once(torus, monkeypatch):
    started = []
    real = Cutting._start
    monkeypatch.setattr(Cutting, "_start", lambda self: started.append(1) or real(self))
    flat = Piece(np.zeros((1, 3)), np.zeros((0, 3), dtype=np.int64))
    known: dict[Piece, list[Piece]] = {}
    once = cutting.parts_of([torus, flat], COARSE, known)
    assert once[-1] is flat
    again = cutting.parts_of([torus], COARSE, known)
    assert again == once[:-1]
    assert len(started) == 3  # One piece, its end, and nothing the second time.


def test_where_the_library_is_missing_it_says_what_to_do(torus, monkeypatch):
    monkeypatch.setattr(cutting, "is_here", lambda: False)
    with pytest.raises(CutError, match=r"needs CoACD.*pip install coacd"):
        Cutting([torus], COARSE)


def test_a_process_that_fails_is_told_with_what_it_said(torus, monkeypatch, tmp_path):
    script = tmp_path / "fails.py"
    script.write_text("print('no way'); raise SystemExit(3)")
    monkeypatch.setattr(cutting, "_CUTTER", script)
    with pytest.raises(CutError, match="exit code 3: no way"):
        Cutting([torus], COARSE).wait()
    monkeypatch.setattr(sys, "executable", str(Path("/none/python")))
    with pytest.raises(CutError, match="cannot start /none/python"):
        Cutting([torus], COARSE)
