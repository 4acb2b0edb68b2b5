"""What the hooks of the exporter and of the importer share: failing loudly."""

from __future__ import annotations

import atexit
import functools
import gc
import shutil
import tempfile
import traceback
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

import bpy

from ...issue_codes import Severity
from ..base.reports import Report

P = ParamSpec("P")
_discarded: Final[list[str]] = []  # Folders for files of failed exports, until they are removed.


class Hooks(Protocol):
    """The hooks of one run of the host."""

    report: Report

    def where(self) -> str:
        """What was being worked on, for the message: an object or a JSON pointer."""
        ...

    def fail(self, host: Any) -> None:
        """Make the run come to nothing; `host` is its last argument."""
        ...


H = TypeVar("H", bound=Hooks)


def reported(
    hook: Callable[Concatenate[H, P], None],
) -> Callable[Concatenate[H, P], None]:
    """Turn any exception of a hook into an error that the operator reports.

    The host swallows exceptions of hooks; an error in its log makes the operator raise in a
    script and show a popup to an artist. After a failure the other hooks do nothing.
    """

    @functools.wraps(hook)
    def wrapped(self: H, *args: P.args, **kwargs: P.kwargs) -> None:
        if self.report.failed:
            return
        host: Any = args[-1]
        try:
            hook(self, *args, **kwargs)
        except Exception as error:  # noqa: BLE001 - the one place that catches everything.
            at = self.where()
            place = f"{at}: " if at else ""
            self.report.failure = f"{place}{type(error).__name__}: {error}"
            _log(host).error(f"{self.report.failure}\n{traceback.format_exc()}")
            _log(host).error(self.report.headline(), popup=True)
            self.fail(host)

    return wrapped


def ease_collector() -> None:
    """Take the objects made so far out of the garbage collector's sight.

    Exporter and importer make millions of objects that stay, and the collector walks all of
    them again and again; half of the cost of adding to a large file was that.
    """
    gc.freeze()
    if not bpy.app.timers.is_registered(_restore_later):  # In case the host fails.
        bpy.app.timers.register(_restore_later, first_interval=0.0)


def restore_collector() -> None:
    """Undo `ease_collector`; does no harm where nothing was eased."""
    gc.unfreeze()
    if bpy.app.timers.is_registered(_restore_later):
        bpy.app.timers.unregister(_restore_later)


def _restore_later() -> None:
    gc.unfreeze()


def tell(report: Report, host: Any) -> None:
    """Put the summary of a run into the operator's report and the Info log."""
    lines = report.lines()
    if report.issues.count(Severity.ERROR) or report.issues.count(Severity.WARNING):
        _log(host).warning("\n".join(lines), popup=True)
    else:
        _log(host).info("\n".join(lines), popup=True)


def _log(host: Any) -> Any:
    """The host's log: in the settings of an export, an attribute of an import."""
    return cast(dict[str, Any], host)["log"] if isinstance(host, dict) else host.log


def discard_output(settings: dict[str, Any]) -> None:
    """Let the exporter write into a folder that is thrown away, so that old files stay as they are.

    The host offers no way to stop an export that does not skip its own tidying up.
    """
    folder = tempfile.mkdtemp(prefix="omi_physics_failed_export_")
    _discarded.append(folder)
    settings["gltf_filepath"] = f"{folder}/discarded"
    settings["gltf_filedirectory"] = f"{folder}/"
    settings["gltf_texturedirectory"] = folder
    settings["gltf_use_gltfpack"] = False


def remove_discarded() -> None:
    """Throw away what failed exports wrote."""
    while _discarded:
        shutil.rmtree(_discarded.pop(), ignore_errors=True)


atexit.register(remove_discarded)
