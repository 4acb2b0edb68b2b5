"""Builds the manual as a site in `dist/manual`: README, the change log and all of docs.

From the command line:

    python3 tools/manual/build_site.py

It needs no network, and neither do the pages, which can be opened as files. Warnings are errors,
such as a link that leads nowhere. Sphinx is in the environment of the release with the linters.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools import environment
from tools.manual import local_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = environment.ROOT
SETTINGS: Final = Path(__file__).resolve().parent
OUTPUT: Final = ROOT / "dist" / "manual"
RELEASE: Final = "4.2"  # The environment with Sphinx.
# What is on the left of each page, in this order; what nobody named stands at the end.
CONTENTS: Final = {
    "Tasks": (
        *("docs/manual", "docs/rigging", "docs/preview", "docs/checking", "docs/bringing_over"),
        *("docs/decomposition", "docs/player", "docs/godot"),
    ),
    "Engines": ("docs/engines", "docs/preview_accuracy", "docs/costs"),
    "Properties and operators": ("docs/reference/*",),
    "Checks and commands": (
        *("docs/rules", "docs/command_line", "docs/commands/*", "docs/api", "docs/recipes/*"),
    ),
    "Project": ("CHANGELOG", "CONTRIBUTING", "SECURITY", "docs/*"),
}
_LINK: Final = re.compile(r'\]\(([^)\s#]+)[^)\s]*\)|src="([^"]+)"')


def texts() -> list[Path]:
    """The pages of the site as Markdown, and those that they lead to; README is the first."""
    found = [ROOT / "README.md", *sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])]
    for page in found:
        found += [each for each in linked(page) if each.suffix == ".md" and each not in found]
    return list(dict.fromkeys(found))


def linked(page: Path) -> Iterator[Path]:
    """The pages, pictures and other files of the project that a page leads to."""
    for found in _LINK.finditer(page.read_text(encoding="utf-8")):
        link = found[1] or found[2]
        path = (page.parent / link).resolve()
        if "://" not in link and path.is_file():
            yield path


def contents(names: Sequence[str]) -> str:
    """The table of contents for the pages of these names, each once."""
    left = [name for name in names if name != "README"]
    last = list(CONTENTS)[-1]
    parts: list[str] = []
    for title, patterns in CONTENTS.items():
        chosen: list[str] = []
        for pattern in patterns:
            found = [name for name in left if Path(name).match(pattern)]
            chosen += found
            left = [name for name in left if name not in found]
        chosen += left if title == last else []
        parts.append(
            f"```{{toctree}}\n:caption: {title}\n:hidden:\n\n" + "\n".join(chosen) + "\n```\n"
        )
    return "\n".join(parts)


def stage(folder: Path) -> None:
    """Put the sources where Sphinx reads them: the pages, and what they lead to, where they are."""
    pages = texts()
    for path in {*pages, *(each for page in pages for each in linked(page))}:
        to = folder / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
    names = [path.relative_to(ROOT).with_suffix("").as_posix() for path in pages]
    with (folder / "README.md").open("a", encoding="utf-8") as begin:
        begin.write(f"\n{contents(names)}")


def add_fields(output: Path) -> None:
    """Add the files by which F1 finds fields, as the extension has them."""
    (output / local_pages.FIELDS).mkdir(exist_ok=True)
    reference = local_pages.reference(ROOT / "docs" / "reference")
    for name, text in local_pages.forwards(reference, "../docs/reference").items():
        (output / name).write_text(text, encoding="utf-8")
    (output / "index.html").write_text(local_pages.forward("README.html"), encoding="utf-8")


def build(output: Path) -> int:
    """Build the site with this Python's Sphinx; returns the exit code of Sphinx."""
    from sphinx.cmd.build import build_main

    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        source.mkdir()
        stage(source)
        words = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(SETTINGS)]
        code = build_main([*words, "-d", str(Path(scratch) / "trees"), str(source), str(made)])
        if not code:
            add_fields(made)
            shutil.rmtree(output, ignore_errors=True)
            shutil.copytree(made, output)
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description="Build the manual as a site.")
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        type=Path,
        default=OUTPUT,
        help="where the site goes, in the place of what is there; dist/manual when left out",
    )
    output: Path = parser.parse_args(arguments).output.absolute()
    if find_spec("sphinx") is None:
        try:
            python = environment.ensure(environment.choose(RELEASE))
        except environment.SetupError as problem:
            environment.say(f"error: {problem}")
            return 1
        return subprocess.run([python, __file__, f"--output={output}"]).returncode
    code = build(output)
    if not code:
        print(output / "index.html")
    return code


if __name__ == "__main__":
    sys.exit(main())
