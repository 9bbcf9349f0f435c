"""What a rater sees, and what each key does: the reply to judge in its conversation, and the question.

Only the conversation of an item is shown: no verdict, no label, none of the other fields of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.rule import Rule

from grice.identity import redact_text
from grice.matching.redacted import redacted_record, redaction_of
from grice.matching.transcript import ROLE_WIDTH, call_text, transcript
from grice.records import Conversation, Message, Turn
from grice.reporting.console import Screen
from grice.reporting.layout import wrapped
from grice.reporting.lines import Line
from grice.text import did_you_mean, shorten, value_text, visible
from grice.validation.judges.items import Item, Label, LabelValue
from grice.validation.labelling.keyboard import Keyboard
from grice.validation.labelling.labelling_questions import LabellingQuestion
from grice.validation.labelling.session import Session

_MARGIN = 5 + ROLE_WIDTH
_LONG = 2_000  # characters, and
_LINES = 40  # lines, after which a transcript cuts a message
_SHOWN_EXAMPLES = 12
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


def say(console: Screen, text: str, *, style: str = "", indent: int = 0, hanging: int | None = None) -> None:
    """Print a text of any origin, line by line, wrapped and indented."""
    start, rest = " " * indent, " " * (indent if hanging is None else hanging)
    for line in visible(redact_text(text)).split("\n"):
        for piece in wrapped(line, max(console.width - len(rest), 24)):
            console.print(Line(start).append(piece, style), soft_wrap=True)
            start = rest


def print_item(
    console: Screen, item: Item, asked: LabellingQuestion, *, done: int, total: int, note: str = ""
) -> None:
    """Print the item, the rater's progress, and the question."""
    console.print()
    console.print(Rule(f"{done} of {total} done", style="dim"))
    turns = redacted_record(item.conversation, Conversation).turns
    _print_transcript(console, transcript(turns, marked=turns[-1].number))
    text = redaction_of(item.conversation).text(item.text)
    if len(text) > _LONG or text.count("\n") >= _LINES:
        console.print()
        say(console, f"The whole reply ({len(text):,} characters):", style="bold")
        say(console, text, indent=2)
    console.print()
    _print_question(console, asked)
    if note:
        say(console, f"note: {note}", style="dim")
    console.print(Line(keys_line(asked), "dim"), soft_wrap=True)


def print_whole(console: Screen, item: Item) -> None:
    """Print everything up to and with the reply, uncut, with secrets redacted."""
    console.print()
    conversation = redacted_record(item.conversation, Conversation)
    if conversation.system:
        say(console, "system prompt", style="bold")
        say(console, conversation.system, indent=2)
    for turn in conversation.turns:
        for message in turn.messages:
            name = f"{turn.number}  {message.role}"
            say(console, name, style="bold")
            for line in _whole(message, turn):
                say(console, line, indent=2)


def print_help(console: Screen, asked: LabellingQuestion) -> None:
    """Print the question, with the author's examples, and every key."""
    console.print()
    _print_question(console, asked)
    for verdict, text, why in asked.examples[:_SHOWN_EXAMPLES]:
        console.print()
        say(console, f"{verdict}: {why}", style="bold")
        say(console, shorten(text, _LONG), indent=2)
    console.print()
    for key, words in _keys(asked):
        say(console, f"  {key:<5}{words}", hanging=7)


def keys_line(asked: LabellingQuestion) -> str:
    """The keys in one line."""
    if asked.kind == "score":
        answers = "1-5 the score"
    else:
        answers = "  ".join(f"{key} {_answer(value)}" for key, value in asked.keys.items())
    return (
        f"{visible(answers, newlines=False)}  ? cannot tell  u undo  s skip  m note  t whole  h help  q quit"
    )


def said(value: LabelValue | None) -> str:
    """A label in words."""
    return "cannot tell" if value is None else _answer(value)


def _answer(value: LabelValue) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return f"{value:g}" if isinstance(value, float | int) else visible(value, newlines=False)


def _keys(asked: LabellingQuestion) -> Iterator[tuple[str, str]]:
    if asked.kind == "score":
        yield "1-5", "the score"
    else:
        yield from ((key, _answer(value)) for key, value in asked.keys.items())
    yield "?", "could not tell: no label counts for this item"
    yield "u", "take the last answer back and give another"
    yield "s", "skip: ask again next time"
    yield "m", "write a note that goes with the label"
    yield "t", "show the whole conversation, nothing cut"
    yield "h", "this help"
    yield "q", "quit; every label is kept, and the next start goes on here"


def _print_question(console: Screen, asked: LabellingQuestion) -> None:
    name = f"{asked.criterion}: " if asked.criterion else ""
    say(console, f"{name}{asked.text}", style="bold", hanging=2)
    for score, words in sorted(asked.anchors, reverse=True):
        say(console, f"{score}  {words}", indent=2, hanging=5)


def _print_transcript(console: Screen, shown: str) -> None:
    for line in shown.split("\n"):
        style = "bold" if line.startswith(">") else ""
        margin, text = line[:_MARGIN], line[_MARGIN:]
        for piece in wrapped(text, max(console.width - _MARGIN, 24)):
            console.print(Line((margin + piece).rstrip(), style), soft_wrap=True)
            margin = margin[:1] + " " * (_MARGIN - 1)


def _whole(message: Message, turn: Turn) -> Sequence[str]:
    lines = [message.content] if message.content else []
    lines += [f"-> {call_text(call)}" for call in message.tool_calls]
    answered = {one.tool_call_id for one in turn.messages if one.role == "tool"}
    lines += [
        f"   error: {call.error}" for call in message.tool_calls if call.error and call.id not in answered
    ]
    return lines or ["(no text)"]


def ask_all(console: Screen, keyboard: Keyboard, session: Session, asked: LabellingQuestion) -> None:
    """Show every item that is left and write the rater's answers.

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

    def __init__(
        self, console: Screen, keyboard: Keyboard, session: Session, asked: LabellingQuestion
    ) -> None:
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
        """Carry out a key or a line; False when the rater leaves."""
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
