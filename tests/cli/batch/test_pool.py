"""Where the outputs of a batch go, whatever lies in its output folder and beside its sources."""

import json

import pytest

from omi_physics_addon.cli import jobs, staging
from omi_physics_addon.cli.batch import ledger, pages, plan, pool

NOTHING = {"asset": {"version": "2.0"}}


class Writer:
    """A process that writes its output."""

    stopped = False

    def ask(self, _task, output):
        with open(output, "w") as file:
            file.write("new")
        return jobs.Outcome(), []


@pytest.fixture
def out(tmp_path):
    """An output folder, beside one that it must not reach."""
    for name in ("in", "out", "elsewhere"):
        (tmp_path / name).mkdir()
    return tmp_path / "out"


def do(out, name, gltf):
    source = out.parent / "in" / name
    source.parent.mkdir(exist_ok=True)
    source.write_text(json.dumps(gltf))
    task = plan.Task(name, "convert", str(source), str(out / name), (), "key")
    return pool.do(task, Writer(), out)


@pytest.mark.parametrize("link", ["sub", "sub/a.gltf"])
def test_no_link_in_the_output_folder_leads_a_file_elsewhere(out, link):
    assert do(out, "sub/a.gltf", NOTHING).outputs
    elsewhere = out.parent / "elsewhere"
    (out / link).rename(elsewhere / "old")
    (out / link).symlink_to(elsewhere / "old")
    for path in (out / link, out / "sub" / "a.gltf"):
        assert path.resolve().is_relative_to(elsewhere)
    (out / "sub" / "a.gltf").write_text("mine")
    done = do(out, "sub/a.gltf", NOTHING).outcome
    assert done.exit_code == jobs.BAD_INPUT
    assert f"a.gltf leads out of {out}: remove the link" in done.error
    assert (out / "sub" / "a.gltf").read_text() == "mine"


def test_no_link_leads_a_summary_elsewhere(out):
    (out.parent / "elsewhere" / "page").write_text("mine")
    (out / "batch.html").symlink_to(out.parent / "elsewhere" / "page")
    with pytest.raises(jobs.InputError, match=r"batch.html leads out of .*out: remove the link"):
        pages.write(out, pages.report([]), "check", "batch")
    assert (out.parent / "elsewhere" / "page").read_text() == "mine"


LEDGER = ledger.LEDGER.format(part="")
OURS = [
    LEDGER,
    ledger.LEDGER.format(part="-1-of-2"),
    ledger.LOCK.format(part=""),
    f"{ledger.LEFT}/key.json",
]


@pytest.mark.parametrize("name", OURS)
def test_a_source_brings_no_file_under_a_name_of_ours(out, name):
    """What a glTF names beside itself is copied along, but for what batch believes."""
    path = out.parent / "in" / name
    path.parent.mkdir(exist_ok=True)
    for each in (path, path.with_name("wood.png")):
        each.write_text("from elsewhere")
    texture = path.with_name("wood.png").relative_to(out.parent / "in").as_posix()
    gltf = {**NOTHING, "images": [{"uri": name}, {"uri": texture}]}
    entry = do(out, "a.gltf", gltf)
    is_folder = name.startswith(ledger.LEFT)
    assert sorted(entry.outputs) == (["a.gltf"] if is_folder else ["a.gltf", texture])
    assert not (out / name).exists()


def test_a_disk_name_that_is_too_long_costs_only_its_file(out):
    entry = do(out, "a.gltf", {**NOTHING, "images": [{"uri": "n" * 300}]})
    assert entry.outcome == jobs.Outcome()
    assert staging.is_plain(out / "a.gltf")


def test_ctrl_c_is_for_the_run_alone(monkeypatch):
    """On Windows a session of its own does not keep it from a process; a group of its own does."""
    asked = {}

    def started(_command, **options):
        asked.update(options)
        raise OSError("no process")

    monkeypatch.setattr(pool.subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(pool.subprocess, "Popen", started)
    server = pool.Server(["none"], pool.Limits(1, 1, 1.0))
    with pytest.raises(OSError, match="no process"):
        server.ask(plan.Task("a", "check", "a.gltf", None, (), "key"), None)
    server.close()
    assert (asked["start_new_session"], asked["creationflags"]) == (True, 512)
