"""Makes and reuses the virtual environments in `.venv`, one for each Blender release.

From the command line:

    python3 tools/environment.py                         make all that fit this machine
    python3 tools/environment.py --bpy 4.2 ruff check    run a command in one of them

Standard library only, and readable by old Pythons, so that they get a message
that helps instead of a syntax error.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "tools" / "requirements"
ENVIRONMENTS = ROOT / ".venv"
STAMP = "omi_physics_stamp.txt"
RUNNING = sys.version_info[:2]


class SetupError(Exception):
    """An environment cannot be made; the message says why and what to do."""


class PythonMissingError(SetupError):
    """No Python at hand fits the Blender release."""


class Release(NamedTuple):
    """A Blender release that the project is tested with.

    Attributes:
        bpy: the release as users write it, "4.2".
        python: major and minor version of the Python its `bpy` is made for.
        requirements: names of files in `tools/requirements`.
    """

    bpy: str
    python: tuple[int, int]
    requirements: tuple[str, ...]


RELEASES = (
    Release("4.2", (3, 11), ("bpy-4.2.txt", "test.txt", "lint.txt", "dask.txt", "manual.txt")),
    Release("4.5", (3, 11), ("bpy-4.5.txt", "test.txt")),
    Release("5.0", (3, 11), ("bpy-5.0.txt", "test.txt")),
    Release("5.2", (3, 13), ("bpy-5.2.txt", "test.txt")),
)
NAMES = tuple(release.bpy for release in RELEASES)


def say(message: str) -> None:
    """Tell the person at the terminal; standard output belongs to the tools."""
    print(message, file=sys.stderr, flush=True)


def python_name(version: Sequence[int]) -> str:
    """The version as users write it, "3.11"."""
    return ".".join(str(number) for number in version)


def which_fit() -> str:
    """One sentence that names the Pythons and the releases they fit."""
    versions = sorted({release.python for release in RELEASES})
    parts = [
        f"Python {python_name(version)} fits bpy "
        + ", ".join(release.bpy for release in RELEASES if release.python == version)
        for version in versions
    ]
    return "; ".join(parts) + "."


def folder_of(release: Release) -> Path:
    """Where the release's environment lives."""
    return ENVIRONMENTS / f"bpy-{release.bpy}"


def scripts_of(release: Release) -> Path:
    """The folder with the environment's commands."""
    return folder_of(release) / ("Scripts" if os.name == "nt" else "bin")


def python_of(release: Release) -> Path:
    """The environment's Python."""
    return scripts_of(release) / ("python.exe" if os.name == "nt" else "python")


def stamp_of(release: Release) -> str:
    """What the stamp of an up-to-date environment says."""
    digest = hashlib.sha256()
    for name in release.requirements:
        digest.update((REQUIREMENTS / name).read_bytes())
    return f"python {python_name(release.python)}, requirements {digest.hexdigest()}\n"


def read_stamp(release: Release) -> str | None:
    """What the environment's stamp says; None when it is half made or missing."""
    try:
        return (folder_of(release) / STAMP).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise SetupError(no_access(error)) from error


def no_access(error: OSError) -> str:
    """What to do where the environments belong to somebody else."""
    return (
        f"{error.filename} cannot be used: {error.strerror}. "
        "Get the right to read and write there, or use a clone of your own."
    )


def is_ready(release: Release) -> bool:
    """Whether the environment is complete and up to date.

    Raises:
        SetupError: nobody may look.
    """
    try:
        exists = python_of(release).exists()
    except PermissionError as error:
        raise SetupError(no_access(error)) from error
    return exists and read_stamp(release) == stamp_of(release)


def find_python(version: tuple[int, int]) -> Path | None:
    """A Python of this version on PATH that starts and can make environments."""
    name = f"python{python_name(version)}" + (".exe" if os.name == "nt" else "")
    probe = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidate = Path(folder) / name
        if not folder or not os.access(candidate, os.X_OK):
            continue
        # A file of that name need not work: version managers put stand-ins on PATH.
        try:
            answer = subprocess.run([candidate, "-c", probe], capture_output=True, text=True)
        except OSError:
            continue  # It is no program, or of another machine.
        if answer.returncode == 0 and answer.stdout.strip() == python_name(version):
            return candidate
    return None


def fits(release: Release) -> bool:
    """Whether there is a Python for a release, or an environment that was made by one."""
    is_here = release.python == RUNNING or is_ready(release)
    return is_here or find_python(release.python) is not None


def choose(name: str | None = None) -> Release:
    """The release of that name; without a name, the newest that fits a Python at hand.

    Raises:
        PythonMissingError: no name was given and no Python fits any release.
        SetupError: there is no such release.
    """
    if name is not None:
        for release in RELEASES:
            if release.bpy == name:
                return release
        raise SetupError(f"There is no bpy {name} here, only {', '.join(NAMES)}.")
    for release in reversed(RELEASES):
        if release.python == RUNNING:
            return release
    for release in reversed(RELEASES):
        if fits(release):
            return release
    raise PythonMissingError(
        f"No bpy fits Python {python_name(RUNNING)}. {which_fit()} "
        "Install one of them; it is found on PATH as "
        + " or ".join(sorted({f"python{python_name(release.python)}" for release in RELEASES}))
        + "."
    )


def interpreter_for(release: Release) -> Path:
    """A Python that can make the release's environment.

    Raises:
        PythonMissingError: neither this Python nor one on PATH fits.
    """
    if release.python == RUNNING:
        return Path(sys.executable)
    needed = python_name(release.python)
    found = find_python(release.python)
    if found is None:
        raise PythonMissingError(
            f"bpy {release.bpy} needs Python {needed}; this is Python {python_name(RUNNING)} "
            f"and no python{needed} on PATH works. {which_fit()}"
        )
    say(f"bpy {release.bpy} needs Python {needed}, this is {python_name(RUNNING)}: using {found}.")
    return found


def run_quietly(command: Sequence[str | Path], purpose: str, advice: str) -> None:
    """Run a command and show what it prints only when it fails.

    Raises:
        SetupError: it failed; the message holds purpose, output and advice.
    """
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        raise SetupError(f"{purpose} failed: {error}\n{advice}") from error
    if done.returncode:
        text = done.stdout.decode("utf-8", "replace")
        # pip says this once for every place it does not search.
        lines = [line for line in text.splitlines() if "is ignored" not in line]
        shown = "\n".join(f"    {line[:200]}" for line in lines[-25:])
        raise SetupError(f"{purpose} failed with exit code {done.returncode}:\n{shown}\n{advice}")


@contextlib.contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Hold a file that one process at a time can hold; the system frees it when we die.

    Raises:
        SetupError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("ab")
    except OSError as error:
        raise SetupError(no_access(error)) from error
    with opened as handle:
        if sys.platform == "win32":
            import msvcrt

            while True:
                # Gives up after ten seconds; setting up takes longer.
                with contextlib.suppress(OSError):
                    msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
                    break
        else:
            import fcntl

            fcntl.flock(handle.fileno(), fcntl.LOCK_EX)
        yield


def make_empty(release: Release, interpreter: Path) -> None:
    """Put a new environment with nothing but pip where a half-made one may be."""
    folder = folder_of(release)
    if folder.exists():
        shutil.rmtree(folder)
    run_quietly(
        [interpreter, "-m", "venv", folder],
        f"Making {folder.name}",
        "On Debian and Ubuntu, Python's venv is a package of its own: "
        f"apt install python{python_name(release.python)}-venv",
    )


def install(release: Release) -> None:
    """Bring the environment's packages to the pinned versions."""
    python = python_of(release)
    command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-input"]
    # What is imported gets compiled then; bpy has thousands of scripts that tests never load.
    command += ["--disable-pip-version-check", "--no-compile"]
    for name in release.requirements:
        command += ["-r", REQUIREMENTS / name]
    run_quietly(
        command,
        f"Installing the packages of bpy {release.bpy}",
        "Is the package index within reach, and is there 2 GB of free disk space? "
        "Run the same command again to retry.",
    )
    run_quietly(
        [python, "-c", "import bpy"],
        f"Starting bpy {release.bpy}",
        "When a shared library is missing, install it: on Debian and Ubuntu, apt install "
        "libgl1 libsm6 libx11-6 libxfixes3 libxi6 libxkbcommon0 libxrender1",
    )


def ensure(release: Release) -> Path:
    """The Python of the release's environment, which is made or updated when it has to be.

    Raises:
        SetupError: it cannot be made.
    """
    try:
        return made(release)
    except OSError as error:
        raise SetupError(no_access(error)) from error


def made(release: Release) -> Path:
    """The same.

    Raises:
        SetupError: it cannot be made.
        OSError: a file cannot be read or written.
    """
    if is_ready(release):
        return python_of(release)
    interpreter = interpreter_for(release)
    with locked(ENVIRONMENTS / f"bpy-{release.bpy}.lock"):
        # Another process may have made it while this one waited.
        if is_ready(release):
            return python_of(release)
        stamp = folder_of(release) / STAMP
        if python_of(release).exists() and stamp.exists():
            say(f"Updating bpy {release.bpy} …")
            stamp.unlink()
        else:
            say(f"Setting up bpy {release.bpy}: downloads about 450 MB …")
            make_empty(release, interpreter)
        install(release)
        stamp.write_text(stamp_of(release), encoding="utf-8")
    return python_of(release)


def variables_of(release: Release) -> dict[str, str]:
    """The environment variables with which a command finds the release's packages first."""
    variables = {**os.environ, "VIRTUAL_ENV": str(folder_of(release))}
    variables["PATH"] = str(scripts_of(release)) + os.pathsep + os.environ.get("PATH", "")
    return variables


def run_in(release: Release, command: Sequence[str]) -> int:
    """Run a command in the release's environment and return its exit code."""
    ensure(release)
    variables = variables_of(release)
    program = shutil.which(command[0], path=variables["PATH"])
    if program is None:
        raise SetupError(f"There is no {command[0]} in the environment of bpy {release.bpy}.")
    return subprocess.run([program, *command[1:]], env=variables).returncode


def make_all() -> None:
    """Make every environment a Python at hand fits, and say which are left out.

    Raises:
        PythonMissingError: none fits.
    """
    choose()
    for release in RELEASES:
        try:
            ensure(release)
        except PythonMissingError as problem:
            say(f"bpy {release.bpy}: left out. {problem}")
        else:
            say(f"bpy {release.bpy}: ready.")


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Make the environments that tests and tools run in, one per Blender release."
    )
    parser.add_argument("--bpy", choices=NAMES, help="only this Blender release")
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, help="run this in the environment, with its arguments"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parsed = parse_arguments(arguments)
    try:
        if parsed.command:
            return run_in(choose(parsed.bpy), parsed.command)
        if parsed.bpy:
            ensure(choose(parsed.bpy))
            say(f"bpy {parsed.bpy}: ready.")
        else:
            make_all()
    except SetupError as problem:
        say(f"error: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
