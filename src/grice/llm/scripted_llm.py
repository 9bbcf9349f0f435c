"""An LLM that answers from a script."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Awaitable, Mapping
from types import TracebackType
from typing import Any, get_args

import msgspec

from grice.llm.answers import read_answer
from grice.matching.protocols import LLMError
from grice.records import LLMMetadata, LLMRequest, LLMResponse, Purpose
from grice.text import did_you_mean, value_text

PURPOSES: tuple[str, ...] = get_args(Purpose)


class ScriptedLLM:
    """A judge and simulated user that answers from a script, keyed by the kind of question.

    A key is a purpose ("criterion", "grounding", "user", ...), or a purpose and a subject
    ("criterion:friendly"), which goes first. A list is used up in order; anything else answers every time: a
    text, which is given as it is, a dict, a function from the LLMRequest to an answer, or an exception, which
    is raised. `requests` are all that were asked. An unscripted request raises LLMError. As a context manager
    it verifies at its end that all was used. It may be asked from several threads. Raises ValueError for what
    is no script.
    """

    provider = "scripted"

    def __init__(self, answers: Mapping[str, Any], *, name: str = "scripted") -> None:
        self.name = name
        self.model = name
        self.requests: list[LLMRequest] = []
        self._lists: dict[str, deque[Any]] = {}
        self._always: dict[str, Any] = {}
        self._scripted: dict[str, int] = {}
        self._lock = threading.Lock()
        if not isinstance(answers, Mapping):
            raise ValueError(f"a script is a mapping of purposes to answers, found {value_text(answers)}")
        for key, answer in answers.items():
            _check_key(key)
            if isinstance(answer, list | tuple):
                for entry in answer:
                    _check_entry(key, entry)
                self._lists[key] = deque(answer)
                self._scripted[key] = len(answer)
            else:
                _check_entry(key, answer)
                self._always[key] = answer

    def __repr__(self) -> str:
        return f"ScriptedLLM({', '.join(map(repr, self._keys))})"

    @property
    def unused(self) -> dict[str, int]:
        """The answers that were not asked for, counted by list."""
        return {key: len(left) for key, left in self._lists.items() if left}

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The next scripted answer. Raises LLMError when there is none, or one is scripted."""
        with self._lock:
            self.requests.append(request)
            entry = self._next(request)
        if _is_function(entry):
            entry = entry(request)
            if isinstance(entry, Awaitable):
                entry = await entry
        if isinstance(entry, type) and issubclass(entry, BaseException):
            entry = entry()
        if isinstance(entry, LLMError):
            raise entry
        if isinstance(entry, BaseException):
            raise LLMError(f"{type(entry).__name__}: {entry}") from entry
        response = read_answer(entry, self.name)
        if isinstance(entry, LLMResponse):
            return response
        return msgspec.structs.replace(
            response, metadata=LLMMetadata(provider=self.provider, model=self.model)
        )

    def verify(self) -> None:
        """Raise LLMError when a scripted answer was not asked for."""
        if self.unused:
            left = ", ".join(
                f"{count} of {self._scripted[key]} for {key!r}" for key, count in self.unused.items()
            )
            raise LLMError(f"scripted answers were never asked for: {left}; {self._asked()}")

    def __enter__(self) -> ScriptedLLM:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.verify()

    @property
    def _keys(self) -> list[str]:
        return [*self._lists, *self._always]

    def _next(self, request: LLMRequest) -> Any:
        for key in (f"{request.purpose}:{request.subject}", request.purpose):
            if key in self._always:
                return self._always[key]
            if key in self._lists:
                if not self._lists[key]:
                    raise LLMError(f"{_asks_for(request)}: the {self._scripted[key]} for {key!r} are used up")
                return self._lists[key].popleft()
        raise LLMError(f"{_asks_for(request)}; there are answers for {self._told_keys()}")

    def _told_keys(self) -> str:
        return ", ".join(map(repr, self._keys)) or "nothing"

    def _asked(self) -> str:
        count = len(self.requests)
        asked = sorted({_key_of(request) for request in self.requests})
        of = f" ({', '.join(map(repr, asked))})" if asked else ""
        return f"there {'was' if count == 1 else 'were'} {count} request{'' if count == 1 else 's'}{of}"


def _key_of(request: LLMRequest) -> str:
    return f"{request.purpose}:{request.subject}" if request.subject else request.purpose


def _asks_for(request: LLMRequest) -> str:
    return f"the scripted LLM was asked for {_key_of(request)!r}, for which no answer is scripted"


def _is_function(entry: object) -> bool:
    return callable(entry) and not isinstance(entry, type)


def _check_key(key: object) -> None:
    purpose = key.partition(":")[0] if isinstance(key, str) else ""
    if purpose not in PURPOSES:
        hint = did_you_mean(purpose, PURPOSES)
        raise ValueError(
            f"{value_text(key)} is no purpose of asking an LLM{hint}: they are {', '.join(PURPOSES)}"
        )


def _check_entry(key: str, entry: object) -> None:
    """Raise ValueError for what can never be an answer."""
    answers = isinstance(entry, str | Mapping | list | tuple | BaseException | LLMResponse)
    raises = isinstance(entry, type) and issubclass(entry, BaseException)
    if not (answers or raises or _is_function(entry)):
        raise ValueError(
            f"{key}: an answer is a text, a dict, a function, an LLMResponse or an exception, and a list of "
            f"these is used up in order, found {value_text(entry)}"
        )
