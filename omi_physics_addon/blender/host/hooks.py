"""What the hooks of the exporter and of the importer share: failing loudly."""

from __future__ import annotations

import functools
import gc
import traceback
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

import bpy

from ..base import report_window
from ..base.reports import Report

# New objects between two looks of the garbage collector; what it has seen once it leaves alone.
_EASED: Final = (2000, 1000, 1000)
_usual: list[tuple[int, int, int]] = []  # How often it looks otherwise, while it is eased.

P = ParamSpec("P")


class Hooks(Protocol):
    """The hooks of one run of the host."""

    report: Report

    def where(self) -> str:
        """What was being worked on, for the message: an object or a JSON pointer."""
        ...

    def fail(self, hook: str) -> None:
        """Make the run come to nothing; called in each hook from the one that failed on."""
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
        host: Any = args[-1]
        if not self.report.failed:
            try:
                hook(self, *args, **kwargs)
            except Exception as error:  # noqa: BLE001 - the one place that catches everything.
                at = self.where()
                place = f"{at}: " if at else ""
                failure = f"{place}{type(error).__name__}: {error}"
                _log(host).error(f"{failure}\n{traceback.format_exc()}")
                refuse(self.report, host, failure)
        if self.report.failed:
            self.fail(hook.__name__)

    return wrapped


def ease_collector() -> None:
    """Take the objects made so far out of the garbage collector's sight.

    Exporter and importer make millions of objects that stay, and the collector walks all of
    them again and again; half of the cost of adding to a large file was that. What comes next is
    looked at once.
    """
    if not _usual:
        _usual.append(gc.get_threshold())
        gc.set_threshold(*_EASED)
    gc.freeze()
    if not bpy.app.timers.is_registered(_restore_usual):  # In case the host fails.
        bpy.app.timers.register(_restore_usual, first_interval=0.0)


def restore_collector() -> None:
    """Undo `ease_collector`; does no harm where nothing was eased."""
    _restore_usual()
    if bpy.app.timers.is_registered(_restore_usual):
        bpy.app.timers.unregister(_restore_usual)


def _restore_usual() -> None:
    gc.unfreeze()
    if _usual:
        gc.set_threshold(*_usual.pop())


def tell(report: Report, host: Any) -> None:
    """Put the summary of a run into the operator's report and the Info log.

    Artists get one line, as Blender opens a window for more, and our dialog where there is
    something to look at; the console gets all lines.
    """
    lines = report.lines()
    log = _log(host)
    if bpy.app.background:
        (log.warning if report.is_alarming() else log.info)("\n".join(lines), popup=True)
        return
    log.info(lines[0], popup=True)
    if report.is_alarming():
        log.warning("\n".join(lines[1:]))
        report_window.bring_forward(report)


def refuse(report: Report, host: Any, why: str) -> None:
    """Let a run fail, and the operator tell why."""
    report.failure = why
    report.point()
    _log(host).error(report.headline(), popup=True)
    report_window.bring_forward(report)


def _log(host: Any) -> Any:
    """The host's log: in the settings of an export, an attribute of an import."""
    return cast(dict[str, Any], host)["log"] if isinstance(host, dict) else host.log
