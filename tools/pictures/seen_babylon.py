"""Has Babylon.js picture many scenes in one go, in a Chromium without a window.

Node.js and Chromium must be installed (`apt-get install nodejs npm chromium`). What package.json
beside this file names is installed into `.venv/babylon`. The loader of KHR_physics_rigid_bodies is
no part of this project: BABYLON_RB_LOADER names a checkout of it, or OMI_PHYSICS_CLIENTS a folder
that has one as `babylon/third_party/loader-mesh`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tools import environment, programs
from tools.engines.engine_clients import MissingError
from tools.pictures import seen_files
from tools.pictures.seen_files import Made
from tools.pictures.silhouettes import SIZE

TARGET: Final = "BABYLON"
HERE: Final = Path(__file__).resolve().parent
HOME: Final = environment.ENVIRONMENTS / "babylon"
_WASM: Final = "node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm"


def babylon(made: Sequence[Made], folder: Path) -> dict[str, str]:
    """Picture scenes; by name, why Babylon.js refused one.

    Raises:
        MissingError: Node.js, the browser or the loader is not here.
        RuntimeError: it did not answer.
    """
    browser = programs.find_browser()
    if browser is None:
        raise MissingError("no browser here: set CHROMIUM to its command, or install chromium")
    home, node = set_up(), _node("node")
    files = [{**each.asked(), "path": str(each.file(TARGET))} for each in made]
    job: dict[str, Any] = {"browser": browser[0], "files": files, "size": SIZE}
    path, answer = folder / "babylon.json", folder / "refused.json"
    job.update(steps=seen_files.STEPS, folder=str(folder), target=TARGET, answer=str(answer))
    path.write_text(json.dumps(job), encoding="utf-8")
    programs.run([node, str(HERE / "seen_babylon.mjs"), str(home), str(path)], folder)
    return json.loads(answer.read_text(encoding="utf-8"))


@environment.locked(HOME.with_suffix(".lock"))
def set_up() -> Path:
    """Install what the page needs, and bundle it, unless that was done; the folder that has it.

    Raises:
        MissingError: Node.js or the loader is not here.
        RuntimeError: it could not be installed.
    """
    loader, packages, page = _loader(), HERE / "package.json", HERE / "seen_page.mjs"
    sources = [packages, page, *sorted(loader.parent.glob("*.ts"))]
    stamp = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
    kept = HOME / "stamp.txt"
    if kept.is_file() and kept.read_text(encoding="utf-8") == stamp:
        return HOME
    HOME.mkdir(parents=True, exist_ok=True)
    kept.unlink(missing_ok=True)
    shutil.copy(packages, HOME)
    shutil.copy(page, HOME)
    quiet = ["--no-package-lock", "--no-audit", "--no-fund"]
    programs.run([_node("npm"), "install", *quiet], HOME)
    options = ["--bundle", "--format=esm", "--ignore-annotations", "--log-level=error"]
    out = ["--outfile=page.mjs", f"--alias:rigid-body-loader={loader}"]
    around = {**os.environ, "NODE_PATH": str(HOME / "node_modules")}
    programs.run([_node("npx"), "esbuild", page.name, *options, *out], HOME, around)
    shutil.copy(HOME / _WASM, HOME)
    kept.write_text(stamp, encoding="utf-8")
    return HOME


def _loader() -> Path:
    clients = os.environ.get("OMI_PHYSICS_CLIENTS")
    places = [os.environ.get("BABYLON_RB_LOADER")]
    places += [f"{clients}/babylon/third_party/loader-mesh"] if clients else []
    for place in filter(None, places):
        found = Path(place) / "packages" / "loader" / "src" / "index.ts"
        if found.is_file():
            return found
    raise MissingError(
        "no loader of KHR_physics_rigid_bodies for Babylon.js here: set BABYLON_RB_LOADER to a"
        " checkout of it"
    )


def _node(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingError(f"there is no {name}: install Node.js, and put it on PATH")
    return found
