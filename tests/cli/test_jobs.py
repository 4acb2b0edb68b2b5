"""What a worker leaves for the command line."""

from pathlib import Path

import pytest

from omi_physics_addon.cli import jobs


def test_an_outcome_is_there_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    """As on a disk that is full: what there is of it could not be read."""
    path = tmp_path / "outcome.json"
    plain = Path.write_text

    def fill(path, text, **options):
        plain(path, text[:5], **options)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", fill)
        with pytest.raises(OSError, match="No space"):
            jobs.write_outcome(path, jobs.Outcome(error="x"))
    assert not path.exists()
    jobs.write_outcome(path, jobs.Outcome(error="x"))
    assert jobs.read_outcome(path).error == "x"
