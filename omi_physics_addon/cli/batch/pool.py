"""Processes that live for many files, and are renewed before they grow or when they die."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...files.beside import is_there
from .. import background, jobs, staging
from . import plan
from .ledger import OURS, Entry
from .server import MARK

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

MEGABYTE = 1024 * 1024
_DESCRIPTORS = 8  # Of a process at most, with those that are open while it starts.
_NO_LIMIT = sys.maxsize


class Limits(NamedTuple):
    """When a process is renewed: after files, above megabytes, and seconds for one file."""

    files: int
    megabytes: int
    seconds: float


class Server:
    """One process and what it may still do."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        """Prepare; the process starts with its first file."""
        self._command, self._limits = command, limits
        self._process: subprocess.Popen[str] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._files = 0
        self.stopped = False

    def ask(self, task: plan.Task, output: str | None) -> tuple[jobs.Outcome, list[str]] | None:
        """Have a file done; how it went and what else was read, None where the process died."""
        process = self._live_process()
        assert process.stdin is not None
        assert process.stdout is not None
        words = {"command": task.command, "source": task.source, "output": output}
        timer = threading.Timer(self._limits.seconds, process.kill)
        _start(timer)
        try:
            process.stdin.write(json.dumps({**words, "options": task.options}) + "\n")
            process.stdin.flush()
            line = next((each for each in process.stdout if each.startswith(MARK)), None)
        except BrokenPipeError:
            line = None
        finally:
            timer.cancel()
        if line is None or not line.endswith("\n"):
            self.end()
            return None
        answer = json.loads(line.removeprefix(MARK))
        self._files += 1
        too_big = answer["memory"] > self._limits.megabytes * MEGABYTE
        if self._files >= self._limits.files or too_big:
            self.end()
        return jobs.Outcome(**answer["outcome"]), answer["reads"]

    def _live_process(self) -> subprocess.Popen[str]:
        """The process, which is started where there is none."""
        if self._process is None:
            self._log.seek(0)
            self._log.truncate()
            self._files = 0
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
                encoding="utf-8",
                errors="replace",
                # Ctrl-C is for the run, which ends its processes itself.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        return self._process

    def noise(self) -> list[str]:
        """The last that the process said."""
        self._log.seek(0)
        text = self._log.read().decode("utf-8", "replace")
        return text.splitlines()[-background.NOISE_LINES :]

    def end(self) -> None:
        """End the process; the next file starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(BrokenPipeError):
                    if stream is not None:
                        stream.close()

    def stop(self) -> None:
        """Have the thread that waits for an answer get none, and ask no more."""
        self.stopped = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the process for good."""
        self.end()
        self._log.close()


def do(task: plan.Task, server: Server, folder: Path) -> Entry:
    """Do a file, twice where the process dies, and put what it wrote in place as a whole."""
    for _ in range(2):
        try:
            entry = _attempt(task, server, folder)
        except (jobs.InputError, OSError) as problem:
            why = jobs.not_done(f"{task.source}: {problem}")
            return Entry(task.key, why, crashed=True, outputs={})
        if entry is not None:
            return entry
        if server.stopped:
            break
    message = "The process stopped before the end, twice. It said:"
    lost = jobs.Outcome(exit_code=jobs.FAILED, error="\n".join([message, *server.noise()]))
    return Entry(task.key, lost, crashed=True, outputs={})


def _attempt(task: plan.Task, server: Server, folder: Path) -> Entry | None:
    if task.output is None:
        answer = server.ask(task, None)
        return None if answer is None else Entry(task.key, answer[0], crashed=False, outputs={})
    goal = Path(task.output)
    staging.check_inside(goal, folder)
    goal.parent.mkdir(parents=True, exist_ok=True)
    with staging.Staging(goal) as place:
        new = place.path.parent
        if task.command not in plan.WRITTEN:
            for path in plan.beside(Path(task.source)):
                below = path.resolve().relative_to(Path(task.source).parent.resolve())
                is_ours = any(part.lower().startswith(OURS) for part in below.parts)
                if is_there(path) and not is_ours:
                    there = new / below
                    there.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, there)
        answer = server.ask(task, str(place.path))
        if answer is None:
            return None
        outcome, reads = answer
        inputs = {path: plan.state_of(path) for path in reads}
        apart = place.path.with_suffix("").is_dir() and not outcome.exit_code
        if not (place.path.exists() or apart):
            return Entry(task.key, outcome, crashed=False, outputs={}, inputs=inputs)
        outputs = {
            (goal.parent / path.relative_to(new)).relative_to(folder).as_posix(): plan.digest_of(
                path
            )
            for path in sorted(new.rglob("*"))
            if path.is_file()
        }
        place.put()
        shown = outcome.error.replace(str(place.path), task.output)
        told = outcome._replace(error=shown)
        return Entry(task.key, told, crashed=False, outputs=outputs, inputs=inputs)


def _most_processes() -> int:
    """How many processes this one may start before it runs out of descriptors; at least 1."""
    try:
        import resource

        limit, opened = resource.getrlimit(resource.RLIMIT_NOFILE)[0], len(os.listdir("/dev/fd"))
    except (ImportError, OSError):  # Windows has no such limit.
        return _NO_LIMIT
    return (
        _NO_LIMIT if limit == resource.RLIM_INFINITY else max(1, (limit - opened) // _DESCRIPTORS)
    )


def _start(thread: threading.Thread) -> None:
    """Start a thread.

    Raises:
        OSError: the system has none left.
    """
    try:
        thread.start()
    except RuntimeError as problem:  # Python has no error of its own for it.
        raise OSError(errno.EAGAIN, "the system has no thread or memory left") from problem


def run(
    tasks: Iterable[plan.Task], command: Sequence[str], count: int, limits: Limits, folder: Path
) -> Generator[tuple[plan.Task, Entry], None, None]:
    """Do files with several processes; gives each as it is done.

    There are fewer processes where the system has no descriptors or threads for more.

    Args:
        tasks: gone through by the threads of the processes, one at a time, as these get free.

    Raises:
        OSError: there is not even a thread for one.
    """
    done: queue.SimpleQueue[tuple[plan.Task, Entry] | BaseException | None] = queue.SimpleQueue()
    todo, turn = iter(tasks), threading.Lock()
    servers = [Server(command, limits) for _ in range(min(count, _most_processes()))]

    def work(server: Server) -> None:
        try:
            while not server.stopped:
                with turn:
                    task = next(todo, None)
                if task is None:
                    break
                done.put((task, do(task, server, folder)))
            done.put(None)
        except BaseException as problem:
            done.put(problem)  # For the thread that asked, which raises it.
            raise

    threads = list[threading.Thread]()
    try:
        for server in servers:
            thread = threading.Thread(target=work, args=(server,), daemon=True)
            try:
                _start(thread)
            except OSError:
                if not threads:
                    raise
                break
            threads.append(thread)
        at_work = len(threads)
        while at_work:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            if found is None:
                at_work -= 1
            else:
                yield found
    finally:
        for server in servers:
            server.stop()
        for thread in threads:
            thread.join()
        for server in servers:
            server.close()
