"""The sub-command `page`."""

from __future__ import annotations

import json

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli import main as cli
from tests.files.test_playing import report_of
from tools import environment

JOINTS = environment.ROOT / "examples" / "joints.glb"


def test_it_writes_a_page(tmp_path, capsys):
    out = tmp_path / "joints.html"
    assert cli.main(["page", str(JOINTS), str(out)]) == jobs.DONE
    assert report_of(out.read_bytes())["name"] == "joints.glb"
    assert "7 joints" in capsys.readouterr().out


def test_programs_are_told_how_large_it_is(tmp_path, capsys):
    out = tmp_path / "joints.html"
    assert cli.main(["page", str(JOINTS), str(out), "--json"]) == jobs.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["report"]["bytes"] == out.stat().st_size


def test_another_name_than_that_of_a_page_is_refused(tmp_path, capsys):
    assert cli.main(["page", str(JOINTS), str(tmp_path / "a.glb")]) == jobs.BAD_INPUT
    assert "must end in .html" in capsys.readouterr().err


def test_what_is_no_gltf_is_refused(tmp_path, capsys):
    path = tmp_path / "a.glb"
    path.write_bytes(b"glTF")
    out = tmp_path / "a.html"
    assert cli.main(["page", str(path), str(out)]) == jobs.BAD_INPUT
    assert "the file ends in its header" in capsys.readouterr().err
    assert not out.exists()
