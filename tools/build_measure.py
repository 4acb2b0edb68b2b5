"""Builds the zip file of the measure for loaders of others in `dist`.

    python3 tools/build_measure.py

Equal content makes equal bytes, on every machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import build_extension, environment
from tools.measure.suite import run

FOLDER: Final = run.HERE
NAME: Final = "physics-measure"


def contents() -> dict[str, bytes]:
    """The files of the measure, by their names in the zip file."""
    return {
        f"{NAME}/{path.relative_to(FOLDER).as_posix()}": path.read_bytes()
        for path in FOLDER.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def build(output: Path) -> Path:
    """Build the zip file; returns its path.

    Args:
        output: folder for it, made when missing.
    """
    version = build_extension.manifest_head()["version"].strip('"')
    output.mkdir(parents=True, exist_ok=True)
    target = output / f"{NAME}-{version}.zip"
    build_extension.pack(target, contents())
    return target


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Build the zip file of the measure.")
    parser.add_argument("--output", type=Path, default=environment.ROOT / "dist")
    print(build(parser.parse_args().output.absolute()))


if __name__ == "__main__":
    main()
