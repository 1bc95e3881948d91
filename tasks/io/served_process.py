"""A model server in a child process, from start to end.

The child announces its base URL as one line of JSON on stdout when it is ready; all else that it
prints goes to a log, whose end is shown when the start fails. It runs in a process group of its
own, so that Ctrl-C reaches only us, and it ends when its stdin closes: when we stop it, and also
when we are killed and can do nothing any more.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO

from tasks.core.errors import BadInput, ModelUnavailable
from tasks.io.settings import ROOT

STOP_WITH_STDIN = "--stop-with-stdin"
LOOPBACK = "127.0.0.1"

_STOP_WAIT_S = 5.0
_SHOWN_LOG_LINES = 4
_SHOWN_LOG_BYTES = 4_000


class ServedProcess:
    """One run of `python -m MODULE ARGUMENTS`. `what` names it in messages."""

    def __init__(self, what: str, module: str, arguments: Sequence[str]) -> None:
        self._what = what
        self._command = [sys.executable, "-m", module, *arguments, STOP_WITH_STDIN]
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def process_id(self) -> int | None:
        """The child's process id; None where it does not run."""
        return None if self._process is None else self._process.pid

    def start(self, ready_within_s: float) -> str:
        """Start the child and return its base URL.

        Raises ModelUnavailable with the end of the log if it ends or is not ready in time; nothing
        is left running then.
        """
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- `stop` closes it
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)},
        )
        try:
            return self._read_announcement(self._process, time.monotonic() + ready_within_s)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the child; does nothing where it has ended."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)
        log, self._log = self._log, None
        if log is not None:
            log.close()

    def raise_if_ended(self) -> None:
        """Raise ModelUnavailable, with the end of the log, where the child ended by itself."""
        if self._process is not None and (code := self._process.poll()) is not None:
            raise ModelUnavailable(
                f"{self._what} ended with code {code}; its log ends: {self.log_tail()}"
            )

    def log_tail(self) -> str:
        """Return the last lines that the child printed, in one line."""
        if self._log is None:
            return ""
        size = self._log.seek(0, os.SEEK_END)
        content = os.pread(self._log.fileno(), _SHOWN_LOG_BYTES, max(0, size - _SHOWN_LOG_BYTES))
        lines = [line.strip() for line in content.decode(errors="replace").splitlines()]
        return " / ".join([line for line in lines if line][-_SHOWN_LOG_LINES:])

    def _read_announcement(self, process: subprocess.Popen[bytes], deadline: float) -> str:
        assert process.stdout is not None
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise ModelUnavailable(
                        f"{self._what} was not ready in time; its log ends: {self.log_tail()}"
                    )
                read = os.read(process.stdout.fileno(), 4096)
                if not read:
                    code = process.wait()
                    raise ModelUnavailable(
                        f"{self._what} ended with code {code} before it was ready; "
                        f"its log ends: {self.log_tail()}"
                    )
                line += read
        return str(json.loads(line)["base_url"])


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(_STOP_WAIT_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process.stdout.close()


def announce(base_url: str) -> None:
    """In the child: say that the server is ready. What is printed later goes to the log."""
    sys.stdout.write(json.dumps({"base_url": base_url}) + "\n")
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())


def stop_with_stdin() -> None:
    """In the child, first of all: end at once when the parent stops us or dies."""
    threading.Thread(target=_exit_at_end_of_stdin, daemon=True).start()


def _exit_at_end_of_stdin() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


def open_listener(port: int) -> socket.socket:
    """Bind a port of the loopback address; 0 is any free one. Raises BadInput where that fails."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise BadInput(f"port {port} cannot be used ({error}); take another port") from None
    return listener


def require_free_port(port: int) -> None:
    """Raise BadInput where the port is taken or none."""
    open_listener(port).close()
