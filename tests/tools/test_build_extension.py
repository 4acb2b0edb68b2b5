"""The zip file that users install."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest

from tools import build_extension, environment

needs_builder = pytest.mark.skipif(
    build_extension.find_bpy() is None, reason="bpy, which contains the builder, is not installed"
)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small extension instead of ours, so that work in progress does not matter."""
    package = tmp_path / "package"
    (package / "inner" / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").write_text("def register(): ...\ndef unregister(): ...\n")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "__pycache__" / "old.pyc").write_text("")
    (package / ".hidden").write_text("")
    (package / "inner" / "picture.blend1").write_text("a backup")
    manifest = tmp_path / "blender_manifest.toml"
    shutil.copy(build_extension.MANIFEST, manifest)
    monkeypatch.setattr(build_extension, "PACKAGE", package)
    monkeypatch.setattr(build_extension, "MANIFEST", manifest)
    monkeypatch.setattr(build_extension, "REFERENCE", tmp_path / "none")
    return tmp_path


def digest(path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@needs_builder
def test_our_extension_builds_and_is_valid(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert build_extension.main(["--validate", "--output", "made"]) == 0
    path = tmp_path / "made" / build_extension.zip_name()
    assert capsys.readouterr().out == f"{path}\n"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert {"LICENSE", "__init__.py", "blender_manifest.toml", "cli/__main__.py"} <= set(names)
    assert path.name == f"omi_physics_addon-{manifest['version']}.zip"
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]


def test_zip_is_sorted_and_clean(project):
    assert build_extension.main([f"--output={project / 'dist'}"]) == 0
    with zipfile.ZipFile(project / "dist" / build_extension.zip_name()) as archive:
        assert archive.namelist() == [
            "LICENSE",
            "__init__.py",
            "blender_manifest.toml",
            "inner/__init__.py",
        ]


def test_equal_content_makes_equal_bytes(project):
    output = project / "dist"
    digests = set()
    for moment in (1_000_000_000, 1_500_000_000):
        os.utime(build_extension.PACKAGE / "__init__.py", (moment, moment))
        assert build_extension.main([f"--output={output}"]) == 0
        digests.add(digest(output / build_extension.zip_name()))
    assert len(digests) == 1


def test_nothing_in_the_zip_tells_the_machine(project, monkeypatch):
    """What zipfile would take from the system is given, and nothing depends on zlib."""
    assert build_extension.main([f"--output={project / 'one'}"]) == 0
    monkeypatch.setattr(zipfile.sys, "platform", "win32")
    assert build_extension.main([f"--output={project / 'two'}"]) == 0
    one, two = (project / name / build_extension.zip_name() for name in ("one", "two"))
    assert digest(one) == digest(two)
    with zipfile.ZipFile(one) as archive:
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_STORED}


@needs_builder
def test_zip_holds_what_blender_packs(project):
    staged, packed = project / "staged", project / "packed.zip"
    # What builders leave out of a folder depends on their release.
    for name, path in build_extension.contents().items():
        (staged / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, staged / name)
    command = build_extension.validator_in(build_extension.find_bpy())[:2]
    paths = [f"--source-dir={staged}", f"--output-filepath={packed}"]
    subprocess.run([*command, "build", *paths], check=True, capture_output=True)
    assert build_extension.main([f"--output={project / 'dist'}"]) == 0
    built = project / "dist" / build_extension.zip_name()
    with zipfile.ZipFile(packed) as theirs, zipfile.ZipFile(built) as ours:
        assert {name: theirs.read(name) for name in theirs.namelist()} == {
            name: ours.read(name) for name in ours.namelist()
        }


@pytest.mark.parametrize(
    ("pattern", "replacement", "said"),
    [
        (r"^tagline = .*\n", "", "does not say tagline."),
        (r"^name = .*\n", 'name = ""\n', "does not say name."),
        (r"^license = .*\n", "license = []\n", "does not say license."),
        (r"\A(?s:.*)", "", "does not say schema_version, id, version, name, tagline,"),
        ('"add-on"', '"theme"', 'the type of an add-on is "add-on".'),
        (r"^version = .*\n", 'version = "soon"\n', "the version is not of three numbers."),
    ],
)
def test_manifest_that_lacks_something(project, capsys, pattern, replacement, said):
    manifest = build_extension.MANIFEST
    text = re.sub(pattern, replacement, manifest.read_text(), flags=re.MULTILINE)
    manifest.write_text(text)
    assert build_extension.main([f"--output={project / 'dist'}"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: blender_manifest.toml")
    assert said in error
    assert not (project / "dist").exists()


@needs_builder
def test_builder_refuses_and_we_say_why(project, capsys):
    manifest = build_extension.MANIFEST
    manifest.write_text(manifest.read_text().replace('"Physics"', '"Phisics"'))
    assert build_extension.main(["--validate", f"--output={project / 'dist'}"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: Blender's builder says:")
    assert "Phisics" in error
    assert "Traceback" not in error
    assert not list((project / "dist").iterdir())


@needs_builder
def test_real_blender_runs_the_same_steps(project, capsys):
    """A stand-in for Blender hands `--command extension …` to the builder."""
    script = build_extension.validator_in(build_extension.find_bpy())[1]
    stand_in = project / "blender"
    stand_in.write_text(
        f'#!/bin/sh\nshift 2\necho "$1" > "$0.called"\nexec "{sys.executable}" "{script}" "$@"\n'
    )
    stand_in.chmod(0o755)
    code = build_extension.main([f"--blender={stand_in}", f"--output={project / 'dist'}"])
    assert code == 0
    assert capsys.readouterr().out.strip().endswith(build_extension.zip_name())
    assert (project / "blender.called").read_text() == "validate\n"


def test_missing_blender(project, capsys):
    assert build_extension.main(["--blender", str(project / "nothing")]) == 1
    assert "error: cannot start" in capsys.readouterr().err


def test_without_bpy_it_runs_again_in_an_environment(project, monkeypatch):
    calls = []
    monkeypatch.setattr(build_extension, "find_bpy", lambda: None)
    monkeypatch.setattr(environment, "ensure", lambda release: project / release.bpy)

    class Done:
        returncode = 0

    monkeypatch.setattr(
        build_extension.subprocess, "run", lambda command: calls.append(command) or Done()
    )
    assert build_extension.main(["--bpy", "4.5", "--output", str(project)]) == 0
    assert calls == [
        [project / "4.5", build_extension.__file__, "--validate", f"--output={project}"]
    ]


def test_build_needs_no_blender(project, monkeypatch, capsys):
    monkeypatch.setattr(build_extension, "find_bpy", lambda: None)
    monkeypatch.setattr(build_extension, "subprocess", None)
    assert build_extension.main([f"--output={project / 'dist'}"]) == 0
    assert capsys.readouterr().out == f"{project / 'dist' / build_extension.zip_name()}\n"


def test_blender_and_bpy_exclude_each_other(capsys):
    with pytest.raises(SystemExit, match="2"):
        build_extension.main(["--blender", "blender", "--bpy", "4.2"])
    assert "not allowed with" in capsys.readouterr().err


def fake_pip(folder, monkeypatch):
    """A pip that finds a wheel for every system."""
    real = subprocess.run

    def run(command, **options):
        if "download" not in command:
            return real(command, **options)
        tag = next(word.partition("=")[2] for word in command if word.startswith("--platform="))
        path = folder / "wheels" if "-d" not in command else command[command.index("-d") + 1]
        (build_extension.Path(path) / f"coacd-1.0.14-cp39-abi3-{tag}.whl").write_bytes(b"wheel")
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr(build_extension.subprocess, "run", run)


def test_each_system_gets_a_file_with_its_wheels(project, monkeypatch, capsys):
    fake_pip(project, monkeypatch)
    output = project / "dist"
    assert build_extension.main([f"--output={output}", "--split-platforms"]) == 0
    made = [build_extension.Path(line) for line in capsys.readouterr().out.split()]
    assert {path.name.rpartition("-")[2] for path in made[1:]} == {
        "linux_x64.zip",
        "macos_arm64.zip",
        "windows_x64.zip",
    }
    for path in made[1:]:
        with zipfile.ZipFile(path) as archive:
            said = tomllib.loads(archive.read("blender_manifest.toml").decode())
            (wheel,) = said["wheels"]
            assert archive.read(wheel.removeprefix("./")) == b"wheel"
        assert [each.replace("-", "_") for each in said["platforms"]] == [
            path.stem.rpartition("-")[2]
        ]
        assert said["permissions"]
    with zipfile.ZipFile(made[0]) as archive:
        assert "wheels" not in tomllib.loads(archive.read("blender_manifest.toml").decode())


@needs_builder
def test_blender_finds_a_file_with_wheels_valid(tmp_path, monkeypatch):
    fake_pip(tmp_path, monkeypatch)
    validator = build_extension.validator_in(build_extension.find_bpy())
    path = build_extension.build(tmp_path, validator, "linux-x64")
    assert path.is_file()


def test_a_wheel_that_is_nowhere_is_told(project, monkeypatch, capsys):
    monkeypatch.setattr(
        build_extension.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 1, "no match"),
    )
    assert build_extension.main([f"--output={project}", "--split-platforms"]) == 1
    assert "pip finds no wheels for linux-x64:\nno match" in capsys.readouterr().err
