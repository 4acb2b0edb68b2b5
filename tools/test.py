"""Runs the tests with one Blender release, or with every one that fits this machine.

From the command line:

    python3 tools/test.py                      all tests, newest Blender release that fits
    python3 tools/test.py --quick              what a commit needs, in less than a minute
    python3 tools/test.py --plain              what needs no Blender, as on other systems
    python3 tools/test.py --bpy all            all tests, every release; those of tools, or
                                               that need no Blender, once, and those that
                                               take long by turns
    python3 tools/test.py tests/codec -k box   further arguments go to pytest

All processors work, unless `-n` says otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import environment

if TYPE_CHECKING:
    from collections.abc import Sequence


# What `--quick` runs, what it leaves out of that because it takes long, and what beside it.
QUICK = (
    "tests/test_axes.py",
    "tests/test_issues.py",
    "tests/model",
    "tests/geometry",
    "tests/codec",
    "tests/engines",
    "tests/simulation",
    "tests/spec",
    "tests/project",
    "tests/tools",
    "tests/blender/test_registration.py",
    "tests/blender/host/test_gltf_export.py",
    "tests/blender/host/test_gltf_import.py",
    "tests/blender/whole/test_saved_before.py",
)
SLOW = (
    "tests/codec/gltf/test_animated.py",
    "tests/codec/test_fuzz.py",
    "tests/codec/test_growth.py",
    "tests/codec/test_random_documents.py",
    "tests/geometry/fit/test_best_fit.py",
    "tests/geometry/fit/test_joint_finding.py",
    "tests/geometry/fit/test_round_fits.py",
    "tests/geometry/fit/test_simple_hull.py",
    "tests/project/test_command_pages.py",
    "tests/simulation/bullet/test_convergence.py",
    "tests/simulation/joints/test_joint_forces.py",
    "tests/simulation/vehicles/test_vehicle_forces.py",
    "tests/simulation/test_gravity_forces.py",
    "tests/simulation/test_trigger_watch.py",
    "tests/spec/test_examples.py",
    "tests/tools/bench",
    "tests/tools/manual/test_build_site.py",
    "tests/tools/random_runs",
    "tests/tools/test_release.py",
)
# What needs no Blender, and so is the same with all releases of one Python and one NumPy.
PLAIN = (
    *("tests/test_api.py", "tests/test_axes.py", "tests/test_issues.py"),
    *("tests/model", "tests/geometry"),
    *("tests/codec", "tests/engines", "tests/simulation", "tests/expectations", "tests/files"),
    "tests/formats",
    *("tests/spec", "tests/project"),
    *("tests/cli/test_convert.py", "tests/cli/test_fix.py", "tests/cli/test_jobs.py"),
    "tests/cli/test_robots.py",
    *("tests/cli/pages/test_page.py", "tests/cli/test_printing.py", "tests/cli/test_side_paths.py"),
    *("tests/cli/players/test_command.py", "tests/cli/test_staging.py"),
)
# Tools are no part of the extension, and what starts many processes is the same with each release.
ONCE = (
    *PLAIN,
    "tests/tools",
    "tests/cli/batch",
    "tests/cli/test_expect.py",
    "tests/cli/test_colliders.py",
    "tests/blender/authoring/decomposition/test_cutting.py",
    "tests/blender/preview/test_ragdolls.py",
)
# What of every operator is decided by our code alone; undo and linked data differ by release.
EVERY_OPERATOR = (
    *("no_exception_in_edit_mode", "refusing_plain_objects_changes_nothing"),
    *("the_redo_panel_stays", "twice", "where_it_does_not_apply_it_says_why"),
)
# How its cost grows with a scene is a matter of our code alone.
GROWTH = (
    "base/test_outline.py::test_a_redraw_of_a_large_scene_walks_no_objects",
    "operators/rigid/test_rigid_bodies.py::test_the_time_grows_as_the_scene_does",
    "overlay/test_object_marks.py::test_five_thousand_mixed_parts",
    "overlay/test_overlay.py::test_five_thousand_shapes",
    "test_scripting.py::test_time_grows_with_the_number_of_objects",
)
# What takes long and is alike with all releases: each of these tests runs with one of them.
BY_TURNS = (
    *(f"tests/blender/{name}" for name in GROWTH),
    "tests/blender/authoring/following/test_refitting.py",
    "tests/blender/authoring/test_vehicle_fronts.py",
    "tests/blender/engines",
    "tests/blender/test_translations.py",
    *(f"tests/blender/operators/test_{name}.py" for name in ("decompose", "fit")),
    *(f"tests/blender/operators/test_every_operator.py::test_{name}" for name in EVERY_OPERATOR),
    *(
        f"tests/blender/operators/rigging/test_{name}.py"
        for name in ("make_ragdoll", "rig_vehicle")
    ),
    # Bullet is the same in all of them.
    "tests/blender/operators/rigid/test_rigid_bodies.py::test_both_play_alike",
    *(f"tests/blender/preview/bodies/test_{name}.py" for name in ("compounds", "forces")),
    *(f"tests/blender/preview/bodies/test_{name}.py" for name in ("gravity", "pair_bounces")),
    *(f"tests/blender/preview/bodies/test_{name}.py" for name in ("push_motors", "slack")),
    "tests/blender/preview/copies/test_wheel_copies.py",
    "tests/blender/preview/interaction/test_interaction.py",
    *(f"tests/blender/preview/test_{name}.py" for name in ("accuracy", "arms", "fast_bodies")),
    *(f"tests/blender/preview/test_{name}.py" for name in ("landings", "limitations", "losses")),
    *(f"tests/blender/preview/test_{name}.py" for name in ("messages", "neighbors", "passing")),
    *(f"tests/blender/preview/test_{name}.py" for name in ("rest", "session", "settle")),
    *(f"tests/blender/preview/test_{name}.py" for name in ("speed", "together")),
    "tests/blender/scene/test_random_documents.py",
    *(f"tests/blender/whole/test_{name}.py" for name in ("directions", "examples", "plays")),
    *(f"tests/blender/whole/test_{name}.py" for name in ("mirror_by_chance", "random_run")),
    *(f"tests/blender/whole/test_{name}.py" for name in ("extension_install", "travel", "walks")),
    *(f"tests/cli/test_{name}.py" for name in ("check", "import_file", "main", "simulate")),
    "tests/cli/test_sources.py",
)
# Of these, what opens windows, which it skips with all but the newest release.
NEWEST = (
    *(f"tests/blender/engines/test_{name}.py" for name in ("godot_blend", "seen")),
    "tests/blender/whole/test_plays.py::test_a_window_plays_by_keys",
    "tests/blender/whole/test_random_run.py::test_a_short_run_in_a_window",
    "tests/blender/whole/test_walks.py",
)
SLOW_TEST = "tests/project/test_style.py::test_pyright"


class Result(NamedTuple):
    """How one run of pytest ended; errors count as failed."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    exit_code: int = 0

    def __str__(self) -> str:
        """The counts, as pytest's closing line words them."""
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def spread(arguments: Sequence[str]) -> list[str]:
    """Arguments of pytest that let all processors work, unless they say how many.

    The tests of one file stay in one process, so that they share its fixtures.
    """
    says = any(each.startswith(("-n", "--numprocesses", "--pdb", "--trace")) for each in arguments)
    return (
        [*arguments]
        if says
        else ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder", *arguments]
    )


def quick_arguments() -> list[str]:
    """Arguments of pytest for what a commit needs."""
    return [*QUICK, *(f"--ignore={path}" for path in SLOW), f"--deselect={SLOW_TEST}"]


def run_pytest(release: environment.Release, arguments: Sequence[str], prefix: str = "") -> int:
    """Run pytest in the release's environment and return its exit code.

    Args:
        prefix: what stands before each line of pytest, where several run at the same time.
    """
    python = environment.ensure(release)
    command = [python, "-m", "pytest", *arguments]
    # Workers, releases and the hundreds of processes that tests start share what one compiled.
    variables = {**os.environ}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    if not prefix:
        return subprocess.run(command, cwd=environment.ROOT, env=variables).returncode
    with subprocess.Popen(
        command,
        cwd=environment.ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{prefix}{line}", end="", flush=True)
    return process.returncode


def read_counts(record: Path, exit_code: int) -> Result:
    """Count what pytest recorded as JUnit XML.

    A run that ends badly without a failed test, because Blender crashed or because
    no test was found, counts as one failure.
    """
    passed = failed = skipped = 0
    if record.exists():
        for suite in ElementTree.parse(record).getroot().iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            left_out = int(suite.get("skipped", 0))
            passed += int(suite.get("tests", 0)) - bad - left_out
            failed += bad
            skipped += left_out
    if exit_code and not failed:
        failed = 1
    return Result(passed, failed, skipped, exit_code)


def run_release(release: environment.Release, arguments: Sequence[str], prefix: str = "") -> Result:
    """Run pytest with one of several releases and count what it did; prefix as in `run_pytest`.

    Raises:
        SetupError: it cannot be run.
    """
    print(f"\n=== bpy {release.bpy} ===", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.xml"
        exit_code = run_pytest(release, [*arguments, f"--junitxml={record}"], prefix)
        return read_counts(record, exit_code)


def total(results: Sequence[Result]) -> Result:
    """The results added up; the exit code is the first bad one."""
    return Result(
        sum(result.passed for result in results),
        sum(result.failed for result in results),
        sum(result.skipped for result in results),
        next((result.exit_code for result in results if result.exit_code), 0),
    )


def run_all(arguments: Sequence[str], *, once: bool = False) -> int:
    """Run pytest with every release, and close with the totals.

    Args:
        once: whether `ONCE` runs with one release of each Python only, and each test of
            `BY_TURNS` with one release. Two releases run at the same time then, first the newest,
            whose windows wait for events most of the time.
    """
    plans = dict[environment.Release, list[str]]()
    pythons = set[tuple[int, int]]()
    fitting = [release for release in environment.RELEASES if environment.fits(release)]
    for release in environment.RELEASES:
        again = [f"--ignore={path}" for path in ONCE if once and release.python in pythons]
        if once and release in fitting:
            again.append(f"--turn={fitting.index(release)}/{len(fitting)}")
            pythons.add(release.python)
        plans[release] = [*arguments, *again]
    results: list[Result] = []
    lines: list[str] = []
    with ThreadPoolExecutor(2 if once else 1) as pool:
        running = {
            each: pool.submit(run_release, each, plans[each], f"{each.bpy} | " if once else "")
            for each in sorted(plans, key=lambda each: once and [each] != fitting[-1:])
        }
        try:
            for release in environment.RELEASES:
                try:
                    result = running[release].result()
                except environment.PythonMissingError as problem:
                    lines.append(f"bpy {release.bpy}: not run. {problem}")
                except environment.SetupError as problem:
                    lines.append(f"bpy {release.bpy}: not run. error: {problem}")
                    results.append(Result(failed=1, exit_code=1))
                else:
                    code = f" (pytest's exit code {result.exit_code})" if result.exit_code else ""
                    lines.append(f"bpy {release.bpy}: {result}{code}")
                    results.append(result)
        finally:
            pool.shutdown(cancel_futures=True)
    summary = total(results)
    print("\n" + "\n".join(lines) + f"\n{summary}", flush=True)
    return summary.exit_code if results else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Run the tests in Blender.",
        epilog="Further arguments go to pytest.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--bpy",
        choices=(*environment.NAMES, "all"),
        help="Blender release, or all of them; the newest that fits this Python when left out",
    )
    parser.add_argument(
        "--quick", action="store_true", help="only what a commit needs, in less than a minute"
    )
    parser.add_argument("--plain", action="store_true", help="only what needs no Blender")
    parsed, rest = parser.parse_known_args(arguments)
    is_whole = not (parsed.quick or parsed.plain or rest)
    chosen = quick_arguments() if parsed.quick else [*PLAIN] if parsed.plain else []
    rest = spread([*chosen, *rest])
    if parsed.bpy == "all":
        return run_all(rest, once=is_whole)
    try:
        return run_pytest(environment.choose(parsed.bpy), rest)
    except environment.SetupError as problem:
        environment.say(f"error: {problem}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
