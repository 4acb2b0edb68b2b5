"""How pytest-xdist gives whole files to its workers, such that a crash fails one test only.

As it comes, pytest-xdist 3.8 runs the test that crashed again, sends a new worker files that
have ended, and then waits for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdist.scheduler import LoadFileScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController


class FilesByWorker(LoadFileScheduling):
    """All tests of one file go to one worker; what a crash leaves goes to the others."""

    def remove_node(self, node: WorkerController) -> str | None:
        """Take the work of a worker that ended; returns the test in which it crashed, if any."""
        files = self.assigned_work[node]
        crashed = next((test for file in files.values() for test in file if not file[test]), None)
        for name, file in list(files.items()):
            if crashed in file:
                file[crashed] = True
            if all(file.values()):
                del files[name]
        super().remove_node(node)
        return crashed

    def _reschedule(self, node: WorkerController) -> None:
        # A worker begins its last test when it knows the next one, or that there is none.
        super()._reschedule(node)
        if not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)
