"""Does files on the workers of a Dask cluster, which see the same folders as we do.

The workers need this package; the scheduler does not, as only a small function and plain data
pass through it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import sys
import threading
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import jobs, printing
from . import SERVER, ledger, plan, pool

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

IDLE_SECONDS = 30  # A process without a file for so long is ended.
CONNECT_SECONDS = 10
# What each machine has at its own place.
PYTHON, SCRIPT = "{python}", "{server}"


def dask() -> Any:
    """The client library of Dask, which is an extra.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as problem:
        why = f"--scheduler needs Dask: pip install 'omi-physics-addon[dask]' ({problem})"
        raise jobs.InputError(why) from problem


@contextlib.contextmanager
def connected(address: str) -> Generator[Any, None, None]:
    """A client of the scheduler at an address.

    Raises:
        InputError: there is none, or no Dask here.
    """
    distributed = dask()
    # What goes wrong is told by us, in one sentence.
    for name in [
        each for each in logging.root.manager.loggerDict if each.startswith("distributed")
    ]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:
        why = str(problem).partition("\n")[0] or type(problem).__name__
        raise jobs.InputError(f"no Dask scheduler answers at {address}: {why}") from problem
    try:
        yield client
    finally:
        client.close(timeout=CONNECT_SECONDS)


def run(
    tasks: Sequence[plan.Task],
    command: Sequence[str],
    address: str,
    limits: pool.Limits,
    folder: Path,
) -> Generator[tuple[plan.Task, ledger.Entry], None, None]:
    """Do files on the workers of a scheduler; gives each as it is done.

    Raises:
        InputError: the scheduler is not there or went away, or a worker cannot do our files.
    """
    if not tasks:
        return
    own = {sys.executable: PYTHON, str(SERVER): SCRIPT}
    order = {
        "command": [own.get(word, word) for word in command],
        "limits": list(limits),
        "folder": str(folder),
        "version": plan.version(),
        "bpy": plan.bpy_release() if tasks[0].command in plan.WRITTEN else None,
    }
    distributed = dask()
    with connected(address) as client:
        if not client.scheduler_info(n_workers=-1)["workers"]:
            printing.say(f"the scheduler at {address} has no workers yet; waiting for them")
        name = uuid.uuid4().hex
        by_key = {f"omi-batch-{name}-{number}": task for number, task in enumerate(tasks)}
        futures = client.map(
            errand(), [list(task) for task in tasks], key=list(by_key), order=order, pure=False
        )
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                task = by_key[future.key]
                yield task, entry_of(distributed, future, task, address)
                ledger.take(task, folder)
                future.release()
        finally:
            # Where the scheduler is gone there is nothing to take back.
            if client.status == "running":
                client.cancel(futures)


def entry_of(distributed: Any, future: Any, task: plan.Task, address: str) -> ledger.Entry:
    """How a file went on its worker.

    Raises:
        InputError: the scheduler went away, or the worker cannot do our files.
    """
    gone = (distributed.client.FutureCancelledError, distributed.CancelledError)
    try:
        answer: dict[str, Any] = future.result(timeout=CONNECT_SECONDS)
    except distributed.KilledWorker as problem:
        count = problem.allowed_failures + 1
        return _lost(task, f"{count} workers stopped while they did this file")
    except (*gone, OSError) as problem:
        if future.status == "error":
            return _lost(task, f"the worker could not do it: {problem}")
        why = f"the Dask scheduler at {address} has stopped; run the same command again to continue"
        raise jobs.InputError(why) from problem
    if "unfit" in answer:
        raise jobs.InputError(answer["unfit"])
    return ledger.entry_of(answer)


def _lost(task: plan.Task, why: str) -> ledger.Entry:
    """A file that is done again the next time."""
    lost = jobs.Outcome(exit_code=jobs.FAILED, error=why)
    return ledger.Entry(task.key, lost, crashed=True, outputs={})


def errand() -> Callable[..., dict[str, Any]]:
    """The function for the workers, which carries its code with it."""

    def on_worker(task: list[Any], order: dict[str, Any]) -> dict[str, Any]:
        import socket

        try:
            from omi_physics_addon.cli.batch import farm
        except ImportError as problem:
            return {"unfit": f"the worker on {socket.gethostname()} lacks this program: {problem}"}
        return farm.work(task, order)

    return on_worker


@functools.cache
def version() -> str:
    """The digest of our code when it was first asked for, so of the code that runs."""
    return plan.version()


def work(words: Sequence[Any], order: dict[str, Any]) -> dict[str, Any]:
    """Do a file on a worker; returns how it went, or why this worker is unfit, as plain data."""
    import socket

    own = {PYTHON: sys.executable, SCRIPT: str(SERVER)}
    theirs: list[str] = order["command"]
    other = "this program" if version() != order["version"] else ""
    if PYTHON in theirs and order["bpy"] not in (None, plan.bpy_release()):
        other = "the bpy module"
    if other:
        why = f"has another release of {other}: install ours there and start it again"
        return {"unfit": f"the worker on {socket.gethostname()} {why}"}
    task, folder = plan.Task(*words), Path(order["folder"])
    # A worker may have done it, and died before the run got to know.
    entry = ledger.left(task, folder)
    if entry is not None:
        return ledger.data_of(entry)
    command = tuple(own.get(word, word) for word in theirs)
    with borrowed(command, pool.Limits(*order["limits"])) as server:
        entry = pool.do(task, server, folder)
    if not entry.crashed:
        ledger.leave(entry, folder)
    return ledger.data_of(entry)


# The processes of this worker that wait for a file, each with the timer that will end it.
_idle: dict[Any, list[tuple[pool.Server, threading.Timer]]] = {}
_idle_lock = threading.Lock()


@contextlib.contextmanager
def borrowed(command: tuple[str, ...], limits: pool.Limits) -> Generator[pool.Server, None, None]:
    """A process that does files of a kind, and which others may have afterwards."""
    kind = command, limits
    with _idle_lock:
        waiting = _idle.setdefault(kind, [])
        found = waiting.pop() if waiting else None
    if found is not None:
        found[1].cancel()
    server = pool.Server(command, limits) if found is None else found[0]
    try:
        yield server
    finally:
        timer = threading.Timer(IDLE_SECONDS, _retire, (kind, server))
        timer.daemon = True
        with _idle_lock:
            waiting.append((server, timer))
        timer.start()


def _retire(kind: Any, server: pool.Server) -> None:
    """End a process, unless it has a file again."""
    with _idle_lock:
        waiting = _idle[kind]
        own = [
            each for each in waiting if each[0] is server and each[1] is threading.current_thread()
        ]
        for each in own:
            waiting.remove(each)
    if own:
        server.close()
