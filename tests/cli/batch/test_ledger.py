"""What is believed of what is done, whatever lies in the output folder."""

import json
import os

import pytest

from omi_physics_addon.cli import jobs
from omi_physics_addon.cli import main as cli
from omi_physics_addon.cli.batch import ledger, plan

LEDGER = ledger.LEDGER.format(part="")
LOCK = ledger.LOCK.format(part="")
GOOD = ledger.data_of(ledger.Entry("good", jobs.Outcome(), crashed=False, outputs={}))
WARNING = "warning: cannot read {}: what it tells of is done again\n"


def spoiled(**values):
    """A line that would count but for some values."""
    return json.dumps({**GOOD, "key": "bad", **values}).encode()


def outcome(**values):
    return spoiled(outcome={**GOOD["outcome"], **values})


BAD = [
    *(b"", b"garbage", b"{}", b"null", b"[]", b"7", b"\xff", b'"key"', b"[" * 100_000, b"1" * 5000),
    *(
        spoiled(key=7),
        spoiled(key=[]),
        spoiled(crashed=None),
        spoiled(outputs=[]),
        spoiled(inputs=1),
    ),
    *(spoiled(outputs={"a": 1}), spoiled(inputs={"a": None}), spoiled(outcome=None)),
    *(outcome(exit_code="0"), outcome(error=None), outcome(lines=[1]), outcome(lines=None)),
    *(outcome(report=5), outcome(report=[1]), outcome(report={"issues": 5})),
    outcome(report={"issues": [{"severity": "ERROR"}]}),
]


def task(key):
    return plan.Task("", "check", "", None, (), key)


def is_done(folder, *keys):
    book = ledger.Ledger(folder)
    found = [book.done(task(key)) is not None for key in keys]
    book.close()
    return found


@pytest.mark.parametrize("line", BAD, ids=lambda line: ascii(line[-40:]))
def test_a_line_that_cannot_be_read_counts_for_nothing(tmp_path, capsys, line):
    good = json.dumps(GOOD).encode() + b"\n"
    path = tmp_path / LEDGER
    path.write_bytes(good + line + b"\n" + good)
    assert is_done(tmp_path, "good", "bad") == [True, False]
    assert capsys.readouterr().err == WARNING.format(f"1 line of {path}")
    # It is told once: the line is gone, and nothing else.
    assert path.read_bytes() == good + good
    assert is_done(tmp_path, "good", "bad") == [True, False]
    assert capsys.readouterr().err == ""


def test_the_line_of_another_part_is_told_and_stays(tmp_path, capsys):
    path = tmp_path / ledger.LEDGER.format(part="-1-of-2")
    path.write_bytes(b"garbage\n{}\n" + json.dumps(GOOD).encode() + b"\n")
    before = path.read_bytes()
    assert is_done(tmp_path, "good") == [True]
    assert path.read_bytes() == before
    assert capsys.readouterr().err == WARNING.format(f"2 lines of {path}")


def test_what_a_newer_release_added_is_left_out(tmp_path, capsys):
    later = {**GOOD, "later": 1, "outcome": {**GOOD["outcome"], "later": {}}}
    line = json.dumps(later) + "\n"
    (tmp_path / LEDGER).write_text(line)
    assert is_done(tmp_path, "good") == [True]
    assert (tmp_path / LEDGER).read_text() == line
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("line", BAD[1:], ids=lambda line: ascii(line[-40:]))
def test_what_was_left_and_cannot_be_read_counts_for_nothing(tmp_path, capsys, line):
    folder = tmp_path / ledger.LEFT
    folder.mkdir()
    (folder / "bad.json").write_bytes(line)
    (folder / "good.json").write_text(json.dumps(GOOD))
    assert ledger.left(task("bad"), tmp_path) is None
    assert ledger.left(task("good"), tmp_path) is not None
    assert is_done(tmp_path, "good", "bad") == [True, False]
    assert not folder.exists()
    assert capsys.readouterr().err == WARNING.format(folder / "bad.json")


@pytest.mark.parametrize(
    "name", ["../outside", "/{tmp}/outside", "link", "a\0b", "n" * 300, "none"]
)
def test_an_output_outside_of_the_folder_is_no_sign_that_it_is_done(tmp_path, name):
    (tmp_path / "out").mkdir()
    for path in (tmp_path / "outside", tmp_path / "out" / "inside"):
        path.write_text("x")
    (tmp_path / "out" / "link").symlink_to(tmp_path / "outside")
    digest = plan.digest_of(tmp_path / "outside")
    for output, counts in ((name.format(tmp=tmp_path), False), ("inside", True)):
        entry = ledger.Entry("key", jobs.Outcome(), crashed=False, outputs={output: digest})
        assert ledger.is_whole(entry, tmp_path / "out") is counts


def test_a_missing_output_without_a_digest_is_no_sign_that_it_is_done(tmp_path):
    entry = ledger.Entry("key", jobs.Outcome(), crashed=False, outputs={"none": ""})
    assert not ledger.is_whole(entry, tmp_path)


def test_a_crash_in_one_part_does_not_undo_what_another_did(tmp_path):
    for part, crashed in (("-1-of-2", False), ("-2-of-2", True)):
        line = json.dumps({**GOOD, "crashed": crashed}) + "\n"
        (tmp_path / ledger.LEDGER.format(part=part)).write_text(line)
    assert is_done(tmp_path, "good") == [True]


KINDS = ["link", "link that leads nowhere", *["pipe"] * hasattr(os, "mkfifo"), "other"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name",
    [LEDGER, LOCK, ledger.LEFT, f"{ledger.LEFT}/a.json", ledger.LEDGER.format(part="-1-of-2")],
)
def test_links_and_devices_under_our_names_are_refused(tmp_path, capsys, kind, name):
    """A link would have us read, remove and write files elsewhere, and a pipe would never end."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.gltf").write_text('{"asset": {"version": "2.0"}}')
    goal, path = tmp_path / "elsewhere", tmp_path / "out" / name
    path.parent.mkdir(parents=True)
    if name == ledger.LEFT:
        goal.mkdir()
        (goal / "mine.json").write_text(json.dumps(GOOD))
    else:
        goal.write_text(json.dumps(GOOD) + "\nmine")
    before = {each: each.read_text() for each in tmp_path.rglob("*") if each.is_file()}
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "other":
        path.write_text("") if name == ledger.LEFT else path.mkdir()
    else:
        path.symlink_to(goal if kind == "link" else tmp_path / "nowhere")
    words = ["batch", "check", str(tmp_path / "in"), "--into", str(tmp_path / "out")]
    assert cli.main([*words, "--jobs", "1"]) == jobs.BAD_INPUT
    assert capsys.readouterr().err == f"error: {path} was not put there by a batch: remove it\n"
    assert {each: each.read_text() for each in before} == before
    assert not (tmp_path / "nowhere").exists()


def test_a_batch_goes_on_where_all_was_spoiled(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.gltf").write_text('{"asset": {"version": "2.0"}}')
    words = ["batch", "check", str(tmp_path / "in"), "--into", str(tmp_path / "out"), "--jobs", "1"]
    assert cli.main(words) == jobs.DONE
    (tmp_path / "out" / LEDGER).write_bytes(b"\n".join(BAD) + b"\n")
    capsys.readouterr()
    assert cli.main(words) == jobs.DONE
    assert "1 file, 0 failed, 0 done before" in capsys.readouterr().out
    assert cli.main(words) == jobs.DONE
    assert "1 file, 0 failed, 1 done before" in capsys.readouterr().out
