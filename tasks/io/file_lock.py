"""Advisory locks on files, which the system drops when their holder dies, however it dies."""

import fcntl
import os
from pathlib import Path


class FileLock:
    """A lock that one process at a time can hold. `take` does not wait; closing gives it back."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def take(self, note: str = "") -> bool:
        """Try to take the lock; `note` says to others who holds it."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, note.encode(), 0)
        return True

    def note(self) -> str:
        """What the last holder said of itself."""
        return os.pread(self._descriptor, 300, 0).decode(errors="replace").strip()

    def close(self) -> None:
        """Give the lock back."""
        os.close(self._descriptor)
