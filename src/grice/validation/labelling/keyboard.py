"""Single keys from a terminal, lines from everything else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, Protocol, TextIO

END = "\x04"


class Keyboard(Protocol):
    """The source of answers."""

    def key(self) -> str | None:
        """The next key, or a whole line where keys cannot be told; None at the end of the input."""
        ...

    def line(self) -> str | None:
        """The next line; None at the end of the input."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was found."""
        ...


class LineKeyboard:
    """Lines of a stream: a file, a pipe, a terminal that has no single keys."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def key(self) -> str | None:
        """The next line that is not blank."""
        while (line := self.line()) is not None:
            if line:
                return line
        return None

    def line(self) -> str | None:
        """The next line, without blanks around it."""
        read = self._stream.readline()
        return read.strip() if read else None

    def close(self) -> None:
        """Nothing to do."""


class PosixKeyboard:
    """A terminal of Linux or macOS: a key is read when it is pressed, and is not echoed."""

    def __init__(self, stream: TextIO) -> None:
        import termios

        self._stream = stream
        self._file = stream.fileno()
        self._before: list[Any] = termios.tcgetattr(self._file)

    def key(self) -> str | None:
        """The next key; one that sends several characters, such as an arrow, is no key here."""
        import os
        import termios
        import tty

        tty.setcbreak(self._file, termios.TCSADRAIN)
        while True:
            read = os.read(self._file, 1)
            if not read or read == END.encode():
                return None
            if read == b"\x1b":
                self._drop_sequence()
                continue
            wanted = 0 if read < b"\xc0" else 1 + (read >= b"\xe0") + (read >= b"\xf0")
            return (read + b"".join(os.read(self._file, 1) for _ in range(wanted))).decode(errors="replace")

    def line(self) -> str | None:
        """A line that is typed with echo, and can be corrected."""
        self.close()
        read = self._stream.readline()
        return read.strip() if read else None

    def close(self) -> None:
        """Restore the terminal's mode."""
        import termios

        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def _drop_sequence(self) -> None:
        """Read away what follows an escape at once, as `[A` does for an arrow."""
        import os
        from select import select

        while select([self._file], [], [], 0.02)[0]:
            if os.read(self._file, 1) not in b"[O0123456789;":
                return


class WindowsKeyboard:
    """The console of Windows."""

    def __init__(self, stream: TextIO) -> None:
        import importlib

        console: Any = importlib.import_module("msvcrt")
        self._read: Callable[[], str] = console.getwch
        self._stream = stream

    def key(self) -> str | None:
        """The next key; arrows and function keys are none."""
        while True:
            read = self._read()
            if read in ("\x00", "\xe0"):
                self._read()
            elif read == "\x03":
                raise KeyboardInterrupt
            else:
                return None if read in (END, "\x1a") else read

    def line(self) -> str | None:
        """A line that is typed with echo."""
        read = self._stream.readline()
        return read.strip() if read else None

    def close(self) -> None:
        """Nothing to do."""


def keyboard_for(stream: TextIO) -> Keyboard:
    """Single keys when the stream is a terminal, lines otherwise."""
    if not stream.isatty():
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
        return LineKeyboard(stream)
    return WindowsKeyboard(stream) if sys.platform == "win32" else PosixKeyboard(stream)
