"""The command line, with a stand-in for the add-on so that only the command line is tested."""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from omi_physics_addon.cli import background, export, jobs, main, pythons
from tools import environment, omi_physics

TOOLS = environment.ROOT / "tools"
CLI = environment.ROOT / "omi_physics_addon" / "cli"
needs_bpy = pytest.mark.skipif(
    find_spec("bpy") is None or os.name == "nt", reason="needs bpy and a shell"
)

ADDON = """
def register():
    from .blender import registration
    registration.register()


def unregister():
    from .blender import registration
    registration.unregister()


def glTF2ExportUserExtension():
    from .blender import registration
    return registration.Hooks()
"""

REGISTRATION = """
import bpy
from .base import reports


class Export(bpy.types.PropertyGroup):
    target: bpy.props.EnumProperty(
        items=[("SPECIFICATION", "Specification", ""), ("GODOT_4", "Godot 4", "")]
    )


class Settings(bpy.types.PropertyGroup):
    export: bpy.props.PointerProperty(type=Export)


class Hooks:
    def gather_gltf_extensions_hook(self, gltf, settings):
        reports.nodes = [node.name for node in gltf.nodes]


def register():
    bpy.utils.register_class(Export)
    bpy.utils.register_class(Settings)
    bpy.types.Scene.omi_physics = bpy.props.PointerProperty(type=Settings)
    print("noise from an add-on")


def unregister():
    del bpy.types.Scene.omi_physics
    bpy.utils.unregister_class(Settings)
    bpy.utils.unregister_class(Export)
"""

REPORTS = """
import bpy

nodes = None


class Report:
    def __init__(self):
        self.failed = "Broken" in nodes
        self.target = bpy.context.scene.omi_physics.export.target

    def lines(self):
        return [f"target {self.target}", f"nodes {len(nodes)}"]

    def to_json(self):
        return {"target": self.target, "nodes": nodes}


def latest(kind):
    assert kind == "EXPORT"
    return Report() if nodes is not None else None
"""

SCENE = """
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
for name in sys.argv[2:]:
    item = bpy.data.objects.new(name, None)
    bpy.context.collection.objects.link(item)
    item.select_set(name.startswith("Selected"))
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A copy of the command line in a stand-in for the add-on."""
    root = tmp_path_factory.mktemp("project")
    (root / "tools").mkdir()
    for path in TOOLS.glob("*.py"):
        shutil.copy(path, root / "tools")
    addon = root / "omi_physics_addon"
    for name in ("cli", "engines", "files", "formats", "model"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CLI.parent / name, addon / name, ignore=ignore)
    (addon / "blender" / "base").mkdir(parents=True)
    shutil.copy(CLI.parent / "issue_codes.py", addon)
    (addon / "__init__.py").write_text(ADDON)
    (addon / "blender" / "registration.py").write_text(REGISTRATION)
    (addon / "blender" / "base" / "reports.py").write_text(REPORTS)
    blender = root / "blender"
    blender.write_text(
        textwrap.dedent(f"""\
            #!/bin/sh
            # A stand-in for Blender: what it is called with, then the script with bpy.
            echo "$@" >> "{root}/calls"
            while [ "$1" != "--python" ]; do shift; done
            shift
            exec "{sys.executable}" "$@"
            """)
    )
    blender.chmod(0o755)
    return root


@pytest.fixture(scope="module")
def blend(project) -> Path:
    path = project / "scene.blend"
    save_scene(path, "Plain", "Selected")
    return path


def save_scene(path: Path, *names: str) -> None:
    subprocess.run([sys.executable, "-c", SCENE, path, *names], check=True, capture_output=True)


def run(project: Path, *arguments: object, blender: Path | None = None):
    command = [sys.executable, project / "tools" / "omi_physics.py", "export", *arguments]
    command += ["--blender", blender or project / "blender"]
    return subprocess.run([*map(str, command)], capture_output=True, text=True)


@needs_bpy
def test_summary(project, blend, tmp_path):
    done = run(project, blend, tmp_path / "out.glb", "--target", "godot4")
    assert done.stderr == ""
    assert done.stdout == "target GODOT_4\nnodes 2\n"
    assert done.returncode == 0
    assert (tmp_path / "out.glb").read_bytes()[:4] == b"glTF"


@needs_bpy
def test_blender_is_called_without_the_users_settings(project, blend, tmp_path):
    run(project, blend, tmp_path / "out.glb")
    call = (project / "calls").read_text().splitlines()[-1]
    worker = project / "omi_physics_addon" / "cli" / "worker.py"
    assert call.startswith(
        f"--background --factory-startup --python-exit-code 1 --python {worker} -- "
    )


@needs_bpy
def test_json_is_all_there_is_on_stdout(project, blend, tmp_path):
    output = tmp_path / "out.gltf"
    done = run(project, blend, output, "--json", "--selected")
    assert json.loads(done.stdout) == {
        "command": "export",
        "source": str(blend),
        "output": str(output),
        "exitCode": 0,
        "error": "",
        "report": {"target": "SPECIFICATION", "nodes": ["Selected"]},
    }
    assert output.is_file()


@needs_bpy
def test_quiet(project, blend, tmp_path):
    done = run(project, blend, tmp_path / "out.gltf", "--format", "embedded", "--quiet")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["out.gltf"]


@needs_bpy
def test_report_of_a_failure(project, tmp_path):
    save_scene(tmp_path / "broken.blend", "Broken")
    done = run(project, tmp_path / "broken.blend", tmp_path / "out.glb")
    assert done.returncode == jobs.FAILED
    assert done.stdout.endswith("nodes 1\n")
    assert done.stderr == "error: The physics was not written completely.\n"


@needs_bpy
def test_failing_operator(project, blend, tmp_path):
    (tmp_path / "out.glb").mkdir()
    done = run(project, blend, tmp_path / "out.glb", "--json")
    assert done.returncode == jobs.BAD_INPUT
    assert done.stderr == f"error: {tmp_path / 'out.glb'} is a folder\n"
    assert json.loads(done.stdout)["report"] is None


@needs_bpy
def test_file_that_is_no_blend(project, tmp_path):
    (tmp_path / "bad.blend").write_text("not a blend file")
    done = run(project, tmp_path / "bad.blend", tmp_path / "out.glb")
    assert done.returncode == jobs.BAD_INPUT
    assert done.stderr.startswith(f"error: Cannot open {tmp_path / 'bad.blend'}: ")
    assert "Traceback" not in done.stderr


@needs_bpy
def test_addon_that_does_not_start(project, blend, tmp_path):
    other = tmp_path / "project"
    shutil.copytree(project, other)
    (other / "omi_physics_addon" / "blender" / "registration.py").write_text("1 / 0\n")
    done = run(other, blend, tmp_path / "out.glb")
    assert done.returncode == jobs.BAD_INPUT
    assert "omi_physics_addon does not start: ZeroDivisionError" in done.stderr


@needs_bpy
def test_crash_shows_what_blender_said(project, blend, tmp_path):
    crashing = tmp_path / "blender"
    crashing.write_text("#!/bin/sh\necho out of memory\nexit 11\n")
    crashing.chmod(0o755)
    done = run(project, blend, tmp_path / "out.glb", blender=crashing)
    assert done.returncode == jobs.BAD_INPUT
    assert done.stderr == (
        "error: Blender stopped with exit code 11 before the end. It said:\nout of memory\n"
    )


@needs_bpy
@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs a limit of the size of files")
def test_a_full_disk_leaves_the_old_files(project, blend, tmp_path):
    names = ["out.bin", "out.gltf"]
    for name in names:
        (tmp_path / name).write_text("old")
    full = tmp_path / "full"
    full.write_text(f'#!/bin/sh\nexec prlimit --fsize=200 "{project}/blender" "$@"\n')
    full.chmod(0o755)
    done = run(project, blend, tmp_path / "out.gltf", "--json", blender=full)
    assert done.returncode == jobs.BAD_INPUT
    assert json.loads(done.stdout)["error"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", *names]
    assert {(tmp_path / name).read_text() for name in names} == {"old"}


LINKS = """
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
with bpy.data.libraries.load(sys.argv[1], link=True) as (_, wanted):
    wanted.objects = ["Plain"]
bpy.context.collection.objects.link(wanted.objects[0])
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[2])
"""


@needs_bpy
def test_a_missing_library_is_named(project, tmp_path):
    library, user = tmp_path / "library.blend", tmp_path / "user.blend"
    save_scene(library, "Plain")
    command = [sys.executable, "-c", LINKS, library, user]
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    assert run(project, user, tmp_path / "out.glb").returncode == jobs.DONE
    before = (tmp_path / "out.glb").read_bytes()
    library.unlink()
    done = run(project, user, tmp_path / "out.glb")
    assert done.returncode == jobs.BAD_INPUT
    assert done.stderr == f"error: {user} links to what is not there: {library} (Plain)\n"
    assert (tmp_path / "out.glb").read_bytes() == before


SCRIPTED = """
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
text = bpy.data.texts.new("run.py")
text.write(f"open({sys.argv[2]!r}, 'w').close()")
text.use_module = True
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=True)
"""


@needs_bpy
def test_scripts_of_a_blend_file_do_not_run(project, tmp_path):
    scripted, ran = tmp_path / "scripted.blend", tmp_path / "ran"
    command = [sys.executable, "-c", SCRIPTED, scripted, ran]
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    assert ran.exists()  # Where somebody trusts the file.
    ran.unlink()
    assert run(project, scripted, tmp_path / "out.glb").returncode == jobs.DONE
    assert not ran.exists()


@pytest.mark.skipif(find_spec("bpy") is None, reason="needs bpy")
@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Error: No camera\n", "No camera"),
        (
            "Error: Python: Traceback (most recent call last):\n"
            '  File "a.py", line 7, in execute\n    raise ValueError(text)\n'
            "ValueError: bad value\nsecond line\nLocation: ops.py:109\n",
            "ValueError: bad value\nsecond line",
        ),
        ("Error: Python: Traceback (most recent call last):\nKeyError: 1\n", "KeyError: 1"),
    ],
    ids=["report", "exception", "no frames"],
)
def test_plain_message(text, plain):
    from omi_physics_addon.cli.inside import addons

    assert addons.plain_message(RuntimeError(text)) == plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.blend", "out.glb"], "there is no file missing.blend"),
        (["in.blend", "out.obj"], "the name must end in .glb or .gltf"),
        (["in.blend", "out.glb", "--format", "separate"], "does not go with .glb"),
        (["in.blend", "out.gltf", "--format", "glb"], "does not go with .gltf"),
        (["in.blend", "nowhere/out.glb"], "there is no folder"),
        (["in.blend", "out.glb", "--blender", "no/such/blender"], "cannot start no/such/blender"),
    ],
)
def test_wrong_input(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.blend").touch()
    assert omi_physics.main(["export", *arguments]) == jobs.BAD_INPUT
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert message in printed.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["explode"],
        ["export"],
        ["export", "in.blend"],
        ["export", "in.blend", "out.glb", "--target", "unity"],
        ["export", "in.blend", "out.glb", "--bpy", "2.79"],
        ["export", "in.blend", "out.glb", "--bpy", "4.2", "--blender", "blender"],
    ],
)
def test_wrong_command(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        omi_physics.main(arguments)
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "wanted", "expected"),
    [
        ("a.glb", None, "glb"),
        ("a.GLB", None, "glb"),
        ("a.gltf", None, "separate"),
        ("a.gltf", "embedded", "embedded"),
    ],
)
def test_format(name, wanted, expected):
    assert export.format_of(Path(name), wanted) == expected


def test_bpy_runs_the_worker_in_its_environment(monkeypatch):
    monkeypatch.setattr(environment, "ensure", lambda release: Path(f"python-{release.bpy}"))
    parser = main.make_parser(omi_physics.ENVIRONMENTS)
    parsed = parser.parse_args(["export", "a", "b", "--bpy", "4.5"])
    assert background.worker_command(parsed, omi_physics.ENVIRONMENTS) == [
        "python-4.5",
        str(CLI / "worker.py"),
        "--",
    ]


def modules_loaded() -> list[Path]:
    """All of ours that are read before a command asks how old Python is."""
    names = "[m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)]"
    code = (
        f"import sys; sys.path.insert(0, '.'); import tools.omi_physics; print(*{names}, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=environment.ROOT, capture_output=True, text=True
    )
    ours = [Path(name) for name in done.stdout.splitlines()]
    return [path for path in ours if path.is_relative_to(environment.ROOT)]


def test_old_python_can_read_the_commands():
    paths = {*modules_loaded(), *CLI.glob("*.py")}
    assert {TOOLS / "environment.py", CLI / "batch" / "command.py"} <= paths
    for path in paths:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 7))


def closed(root: Path, shut: str) -> str:
    """What somebody is told who may not read some of a clone, and has no home."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")  # Which all may run.
    if python is None or shutil.which("setpriv") is None or os.geteuid() != 0:
        pytest.skip("needs to become somebody else")
    parts = ("cli", "engines", "files", "formats", "model")
    for name in ("tools", *(f"omi_physics_addon/{part}" for part in parts)):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(environment.ROOT / name, root / name, ignore=ignore)
    for name in ("__init__.py", "issue_codes.py"):
        shutil.copy(CLI.parent / name, root / "omi_physics_addon")
    for release in environment.RELEASES:
        folder = root / ".venv" / f"bpy-{release.bpy}"
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").write_text("no program")
        (folder / environment.STAMP).write_text(environment.stamp_of(release))
    (root / "in.blend").touch()
    for path in (root, *root.rglob("*")):
        path.chmod(0o755)
    (root / shut).chmod(0o700)
    somebody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    command = [*somebody, "env", "-i", python, "tools/omi_physics.py", "check", "in.blend"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == jobs.BAD_INPUT
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("shut", "told"),
    [
        (".venv", "Get the right to read"),
        (".venv/bpy-5.0", "Get the right to read"),
        (".venv/bpy-5.0/bin/python", "cannot start"),
        ("omi_physics_addon/cli", "may not be read"),
        ("omi_physics_addon/cli/main.py", "may not be read"),
        ("tools/requirements/test.txt", "cannot be used"),
    ],
)
def test_closed_files_are_told_in_a_sentence(shut, told):
    with tempfile.TemporaryDirectory() as folder:  # Others may enter the folders above it.
        text = closed(Path(folder), shut)
    assert told in text
    assert "Traceback" not in text
    assert text.count("\n") == 1


def test_a_python_that_does_not_start_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(environment, "ensure", lambda release: tmp_path)
    monkeypatch.setattr(pythons, "OLDEST_PYTHON", (4, 0))
    assert omi_physics.main(["check", "in.glb"]) == jobs.BAD_INPUT
    assert capsys.readouterr().err == f"error: cannot use {tmp_path}: Permission denied\n"


def test_every_command_says_how_it_ends(capsys):
    for command in main.COMMANDS:
        with pytest.raises(SystemExit):
            omi_physics.main([command, "--help"])
        assert capsys.readouterr().out.endswith(f"\n{jobs.EXIT_CODES}")


@pytest.mark.parametrize("release", ["3.7", "3.8", "3.9", "3.10"])
def test_old_python_is_told_what_it_lacks(release, tmp_path):
    python = environment.find_python(tuple(int(number) for number in release.split(".")))
    if python is None:
        pytest.skip(f"no Python {release} here")
    command = [python, "-m", "omi_physics_addon.cli"]

    def told(*arguments):
        done = subprocess.run(
            [*command, *arguments], cwd=environment.ROOT, capture_output=True, text=True
        )
        return done.returncode, done.stderr

    lack = f"error: Python 3.11 or newer is needed; this is Python {release}\n"
    assert told("check", "in.glb") == (jobs.BAD_INPUT, lack)
    assert told("convert", "in.glb", "out.glb") == (jobs.BAD_INPUT, lack)
    missing = (jobs.BAD_INPUT, "error: there is no file in.blend\n")
    assert told("export", "in.blend", "out.glb") == missing


def test_setup_problem(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.blend").touch()

    def fail(release):
        raise environment.SetupError("no network")

    monkeypatch.setattr(environment, "ensure", fail)
    code = omi_physics.main(
        ["export", str(tmp_path / "in.blend"), str(tmp_path / "a.glb"), "--bpy", "4.2"]
    )
    assert code == jobs.BAD_INPUT
    assert capsys.readouterr().err == "error: no network\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder of a repository of extensions, in which there is ours and nothing else."""
    folder = tmp_path_factory.mktemp("blender") / "extensions" / "user_default"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(CLI.parent, folder / "omi_physics_addon", ignore=ignore)
    shutil.copy(environment.ROOT / "blender_manifest.toml", folder / "omi_physics_addon")
    return folder


def run_installed(installed: Path, *arguments: object):
    command = [sys.executable, "-m", "omi_physics_addon.cli", *arguments]
    return subprocess.run([*map(str, command)], cwd=installed, capture_output=True, text=True)


def test_installed_extension_has_the_commands(installed):
    done = run_installed(installed, "check", environment.ROOT / "examples" / "planet.glb")
    assert (done.returncode, done.stderr) == (jobs.DONE, "")
    assert done.stdout.startswith("OMI: ")


def test_installed_extension_does_not_offer_what_only_a_clone_has(installed):
    done = run_installed(installed, "export", "--help")
    assert done.stdout.startswith("usage: python -m omi_physics_addon.cli export")
    assert "--blender" in done.stdout
    assert "--bpy" not in done.stdout


@needs_bpy
def test_installed_extension_works_with_the_bpy_of_its_python(installed, blend, tmp_path):
    done = run_installed(installed, "export", blend, tmp_path / "out.glb", "--json")
    assert (done.returncode, done.stderr) == (jobs.DONE, "")
    assert (tmp_path / "out.glb").is_file()


@needs_bpy
def test_worker_takes_the_extension_that_is_enabled(installed, blend, tmp_path):
    """As in a Blender with the user's settings, where it is part of a repository."""
    script = """
import runpy, sys, bpy, addon_utils
assert addon_utils.enable("bl_ext.user_default.omi_physics_addon", default_set=True)
runpy.run_path(sys.argv[1])["main"](sys.argv)  # As a program it would end this process.
assert "omi_physics_addon.blender" not in sys.modules
assert "bl_ext.user_default.omi_physics_addon.blender" in sys.modules
print("both true")
"""
    job = jobs.Export(str(blend), str(tmp_path / "out.glb"), "glb", None, False, False)
    jobs.write_job(tmp_path / "job", job)
    worker = installed / "omi_physics_addon" / "cli" / "worker.py"
    command = [sys.executable, "-c", script, worker, "--", tmp_path / "job", tmp_path / "outcome"]
    variables = {**os.environ, "BLENDER_USER_RESOURCES": str(installed.parents[1])}
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, env=variables, cwd=tmp_path
    )
    assert "both true" in done.stdout, done.stderr
    assert jobs.read_outcome(tmp_path / "outcome").exit_code == jobs.DONE


def test_blender_that_runs_the_command_does_the_work(monkeypatch):
    monkeypatch.setattr(background, "find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, "bpy", None)
    parsed = main.make_parser(None).parse_args(["export", "a", "b"])
    with pytest.raises(jobs.InputError, match="name the program with --blender"):
        background.worker_command(parsed, None)
    running = SimpleNamespace(app=SimpleNamespace(binary_path="some/blender"))
    monkeypatch.setitem(sys.modules, "bpy", running)
    assert background.worker_command(parsed, None)[:2] == ["some/blender", "--background"]


def test_jobs_travel_unchanged(tmp_path):
    job = jobs.Export("a", "b", "glb", None, True, True)
    jobs.write_job(tmp_path / "job", job)
    read = jobs.read_job(tmp_path / "job", [jobs.Simulate, jobs.Export])
    assert (type(read), read) == (jobs.Export, job)
    outcome = jobs.Outcome(1, "bad", ["line"], {"a": [1]})
    jobs.write_outcome(tmp_path / "outcome", outcome)
    assert jobs.read_outcome(tmp_path / "outcome") == outcome
