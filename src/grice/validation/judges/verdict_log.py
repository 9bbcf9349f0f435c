"""A JSONL log of a judge's answers: read again, and written line by line as answers come."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, BinaryIO

import msgspec

from grice.files.document import FileError, FileErrors, WholeFileError, parse_document
from grice.files.typed import read
from grice.formats.lines import Unreadable, long_line, open_log, read_lines
from grice.identity import redact_text
from grice.records import Outcome, Verdict, clean_json
from grice.text import shorten, value_text
from grice.typed import Closed, says
from grice.user_files import open_file
from grice.validation.judges.items import LabelValue
from grice.validation.judges.judge_calls import Judged

SWAPPED = "swapped"
"""The order of an answer to which the two replies were shown the other way round."""

MAX_REASON = 2_000
MAX_ERRORS = 100


def _wrong_order(order: str) -> str:
    if order in ("", "given", SWAPPED):
        return ""
    return f"expected {SWAPPED!r}, or none for the order of the item, found {value_text(order)}"


class Answer(Closed, frozen=True, kw_only=True, omit_defaults=True):
    """One answer of a judge on one item; samples are numbered from 0.

    `value` is whether the criterion is met, a score where nobody said what is wanted, or the one that was
    chosen of several, by the name that the item has for it whatever order they were shown in (`order`). None
    is no answer, and `error` says why. `model` is the one that answered, `asked` the one that was asked where
    that has another name. `tokens` are those of question and answer.
    """

    item: str
    value: Annotated[LabelValue | None, says("true, false, a score or a choice")]
    judge: str = ""
    model: str = ""
    asked: str = ""
    prompt: str = ""
    prompt_version: int = 0
    prompt_hash: str = ""
    fingerprint: str = ""
    sample: Annotated[int, says("a number from 0", ge=0)] = 0
    score: Annotated[float, says("a number from 1 to 5", ge=1, le=5)] | None = None
    order: Annotated[str, says(check=_wrong_order)] = ""
    reason: str = ""
    error: str = ""
    tokens: float | None = None
    latency_ms: float | None = None

    @property
    def swapped(self) -> bool:
        """Whether the replies were shown in the other order."""
        return self.order == SWAPPED


def answer_of(judged: Judged, item: str, sample: int, verdict: Verdict, asked: str) -> Answer:
    """The answer in a verdict of the judge; `asked` is the model that was asked."""
    given = verdict.outcome in (Outcome.PASS, Outcome.FAIL)
    judgement = verdict.judgement
    common: dict[str, Any] = {"judge": judged.name, "item": item, "sample": sample}
    common |= {"fingerprint": judged.fingerprint, "score": verdict.score}
    if judgement is not None:
        tokens = [one for one in (judgement.input_tokens, judgement.output_tokens) if one is not None]
        common |= {
            "model": judgement.model,
            "asked": asked if asked != judgement.model else "",
            "prompt": judgement.prompt,
            "prompt_version": judgement.version,
            "prompt_hash": judgement.prompt_hash,
            "tokens": sum(tokens) if tokens else None,
            "latency_ms": judgement.latency_ms,
        }
    reason = shorten(verdict.reason, MAX_REASON)
    if given:
        return Answer(value=verdict.outcome is Outcome.PASS, reason=reason, **common)
    why = reason if verdict.outcome is Outcome.ERROR else f"{verdict.outcome}: {reason}"
    return Answer(value=None, error=why, **common)


def read_answers(path: Path) -> list[Answer]:
    """Read the answers of a log; a log that does not exist has none.

    A last line without an end, as a process that was killed leaves it, is left out when it cannot be read.
    Raises FileErrors with everything else that is wrong.
    """
    answers: list[Answer] = []
    errors: list[FileError] = []
    if not path.exists():
        return []
    try:
        with open_log(path, stdin=False) as stream:
            lines = list(read_lines(stream))
    except Unreadable as error:
        raise FileErrors([WholeFileError(path, str(error))]) from None
    torn = _ends_torn(path)
    for place, (number, line) in enumerate(lines):
        found, wrong = _read(path, number, line)
        if wrong and torn and place == len(lines) - 1:
            break
        errors += wrong
        if found is not None:
            answers.append(found)
    if errors:
        raise FileErrors(errors[:MAX_ERRORS])
    return answers


def _ends_torn(path: Path) -> bool:
    """Whether the last line of the file has no end."""
    with open_file(path) as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        return stream.read(1) not in (b"", b"\n")


def _read(path: Path, number: int, line: bytes | None) -> tuple[Answer | None, list[FileError]]:
    """The answer on a line, or what is wrong with it."""
    if line is None:
        return None, [FileError(str(path), number, 1, long_line())]
    try:
        document = parse_document(line.decode("utf-8"), path=path)
    except UnicodeDecodeError:
        return None, [FileError(str(path), number, 1, "not UTF-8")]
    except FileError as error:
        return None, [FileError(str(path), number, error.column, error.message)]
    value = document.value
    if isinstance(value, dict) and type(value.get("item")) is int:
        value = {**value, "item": str(value["item"])}
    found = read(document, Answer, value)
    if isinstance(found, Answer):
        return found, []
    return None, [
        FileError(one.path, number, one.column, one.message.removeprefix("the file: ")) for one in found
    ]


class AnswerLog:
    """Appends answers to a log, each written before the next is; a context manager.

    A torn last line is cut off, for what follows would be torn with it. Raises OSError when the file cannot
    be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: BinaryIO | None = None

    def __enter__(self) -> AnswerLog:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and _ends_torn(self.path):
                _mend(self.path)
            self._stream = self.path.open("ab", buffering=0)
        except OSError as error:
            raise OSError(f"{self.path}: cannot be written: {error.strerror or error}") from error
        return self

    def append(self, answer: Answer) -> None:
        """Write the answer, secrets redacted."""
        assert self._stream is not None
        plain = msgspec.structs.replace(
            answer, reason=redact_text(answer.reason), error=redact_text(answer.error)
        )
        fields = {"item": plain.item, "value": plain.value, **msgspec.to_builtins(plain)}
        self._stream.write(msgspec.json.encode(clean_json(fields)) + b"\n")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()


def _mend(path: Path) -> None:
    """End the last line of a file that has none: cut it off when it holds no answer."""
    content = path.read_bytes()
    start = content.rfind(b"\n") + 1
    found, _ = _read(path, 1, content[start:])
    with path.open("r+b") as stream:
        if found is None:
            stream.truncate(start)
        else:
            stream.seek(0, os.SEEK_END)
            stream.write(b"\n")
