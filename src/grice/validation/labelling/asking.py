"""Asking a rater about one item after the other until nothing is left, or until they leave."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from grice.text import did_you_mean, value_text
from grice.validation.judges.items import Label, LabelValue
from grice.validation.labelling.asked import Asked
from grice.validation.labelling.keyboard import Keyboard
from grice.validation.labelling.session import Session
from grice.validation.labelling.showing import print_help, print_item, print_whole, said, say

__all__ = ["ask_all"]

_WORDS = {
    "unsure": "?",
    "yes": "y",
    "pass": "y",
    "no": "n",
    "fail": "n",
    "undo": "u",
    "skip": "s",
    "note": "m",
    "quit": "q",
    "help": "h",
    "whole": "t",
}


def ask_all(console: Console, keyboard: Keyboard, session: Session, asked: Asked) -> None:
    """Show every item that is left and write down what the rater says.

    Ends when nothing is left, at `q`, at the end of the input, or when nobody reads the output. Raises
    OSError when a label cannot be written, and KeyboardInterrupt; what was written stays.
    """
    asking = _Asking(console, keyboard, session, asked)
    shown: object = None
    while session.item is not None and not console.quiet:
        if session.item is not shown:
            shown = session.item
            print_item(console, shown, asked, done=session.done, total=session.total, note=session.note)
            session.show()
        given = keyboard.key()
        if given is None:
            return
        if not asking.take(given):
            return


class _Asking:
    """What each key does."""

    def __init__(self, console: Console, keyboard: Keyboard, session: Session, asked: Asked) -> None:
        self._console, self._keyboard = console, keyboard
        self._session, self._asked = session, asked
        self._answers: dict[str, LabelValue | None] = {**asked.keys, "?": None}
        self._commands: dict[str, Callable[[str], None]] = {
            "u": self._undo,
            "s": self._skip,
            "m": self._note,
            "t": self._whole,
            "h": self._help,
        }

    def take(self, given: str) -> bool:
        """Do what a key or a line says; False when the rater leaves."""
        key, rest = self._split(given)
        if key == "q":
            return False
        if key in self._answers:
            self._session.label(self._answers[key])
            say(self._console, f"{said(self._answers[key])}", style="green")
        elif key in self._commands:
            self._commands[key](rest)
        elif key not in ("", "\r", "\n"):
            self._refuse(given)
        return True

    def _split(self, given: str) -> tuple[str, str]:
        """The key that a line stands for, and the words behind it."""
        word, _, rest = given.partition(" ")
        if word in ("m", "note", "M"):
            return "m", rest
        whole = given.strip().lower()
        for key, value in self._asked.keys.items():
            if isinstance(value, str) and value.lower() == whole:
                return key, ""
        return _WORDS.get(whole, whole), ""

    def _refuse(self, given: str) -> None:
        known = [*self._answers, *self._commands, "q"]
        hint = did_you_mean(given, _WORDS) if len(given) > 1 else ""
        say(self._console, f"{value_text(given)} is no key here{hint}: {' '.join(known)}", style="yellow")

    def _undo(self, _: str) -> None:
        taken = self._session.undo()
        if taken is None:
            say(self._console, "there is nothing to take back", style="yellow")
        elif isinstance(taken, Label):
            say(self._console, f"taken back: {said(taken.value)}", style="yellow")

    def _skip(self, _: str) -> None:
        self._session.skip()
        say(self._console, "skipped", style="yellow")

    def _note(self, rest: str) -> None:
        if not rest:
            self._console.print("note: ", end="")
        note = rest or self._keyboard.line() or ""
        self._session.annotate(note)
        say(self._console, f"noted: {note}" if note else "no note", style="dim")

    def _whole(self, _: str) -> None:
        item = self._session.item
        if item is not None:
            print_whole(self._console, item)

    def _help(self, _: str) -> None:
        print_help(self._console, self._asked)
