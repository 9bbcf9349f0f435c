"""An agent that is a program in any language and speaks JSON lines."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import msgspec

from grice.agents.chat_turn import ChatTurn
from grice.agents.context import AgentContext
from grice.agents.errors import AgentLoadError, BadReturn
from grice.agents.process import ChildProcess, ProcessFailed
from grice.agents.response import read_response
from grice.matching.protocols import OnToolCall
from grice.records import AgentResponse, JsonValue
from grice.text import did_you_mean, value_text
from grice.wire.addresses import check_number
from grice.wire.environment import PREFIX, Environment
from grice.wire.placeholders import check_text, fill_text

MAX_BYTES = 10_000_000

_MODEL_NAMES = ("model_url", "model_key")
_SIGNAL = ("name", "arguments", "result", "error", "id")
_TYPES = ("tool_call", "reply")


@dataclass(frozen=True, eq=False, repr=False)
class SubprocessAgent:
    """A program that gets one JSON line a turn on its standard input and answers with JSON lines.

    In: `{"type": "chat", "messages": [...], "user": "...", "turn": 1}`. Out: any number of
    `{"type": "tool_call", "name": ..., "arguments": ..., "result": ...}`, then one
    `{"text": ..., "tool_calls": [...]}`, which may repeat the `turn` that it answers. A reply to another turn
    fails, and so does one that nobody asked for. Each conversation has a process of its own, which ends
    with it. `env` is added to its environment and may hold `${env:NAME}`; with a scripted model, the usual
    variables for a model's address and key are set too. A line of more than `max_bytes` is refused. Raises
    ValueError for what cannot work.
    """

    command: Sequence[str]
    _: KW_ONLY
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | os.PathLike[str] | None = None
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        command: Any = self.command
        words = command if isinstance(command, list | tuple) else ()
        if not words or not all(isinstance(word, str) and word for word in words):
            found = value_text(command)
            raise ValueError(f'command: expected a list such as ["node", "agent.mjs"], found {found}')
        if not isinstance(self.env, Mapping):
            raise ValueError(f"env: expected a mapping of names to texts, found a {type(self.env).__name__}")
        for name, text in self.env.items():
            check_text(text, f"env.{name}", names=_MODEL_NAMES)
        if self.cwd is not None and not isinstance(self.cwd, str | os.PathLike):
            raise ValueError(f"cwd: expected a folder, found {value_text(self.cwd)}")
        check_number(self.max_bytes, "max_bytes", least=1)

    def __repr__(self) -> str:
        return f"SubprocessAgent({Environment().hide(repr(list(self.command)))})"

    def build(self, context: AgentContext) -> SubprocessConversation:
        """The agent for one conversation. Raises AgentLoadError for a variable that is not set."""
        return SubprocessConversation(self, context)


class SubprocessConversation:
    """One conversation with a SubprocessAgent. It is driven from one thread."""

    def __init__(self, agent: SubprocessAgent, context: AgentContext) -> None:
        self._agent = agent
        self._context = context
        self._environment = Environment(error=AgentLoadError)
        self._environ = {**os.environ, **_model_variables(context)}
        for name, text in agent.env.items():
            self._environ[name] = self._filled(name, text)
        self._process: ChildProcess | None = None
        self._gone = ""
        self._on_tool_call: OnToolCall | None = None
        self._requests = 0

    def metadata(self) -> dict[str, JsonValue]:
        """The agent's entry in the record."""
        return {
            "type": "subprocess",
            "command": [self._environment.hide(word) for word in self._agent.command],
        }

    @contextmanager
    def around(self) -> Iterator[None]:
        """The life of the process: it begins and ends with the conversation.

        Raises BadReturn at its end when the process gave more answers than it was asked for.
        """
        ended: ChildProcess | None = None
        try:
            self._start()
            yield
        finally:
            ended = self._end()
        if ended is not None:
            try:
                self._take_late(ended)
            except BadReturn as error:
                raise BadReturn(self._environment.hide(str(error))) from None

    def chat(self, messages: list[dict[str, Any]], on_tool_call: OnToolCall) -> AgentResponse:
        """The answer of the process to the messages.

        A turn that fails ends the process: a late answer would be taken for that of the next turn.
        """
        turn = ChatTurn(messages, "", self._context)
        process = self._start()
        try:
            self._take_late(process)
            self._on_tool_call = on_tool_call
            self._requests += 1
            process.send({"type": "chat", "messages": messages, "user": turn.user, "turn": turn.turn})
            response = self._answer(process, turn.turn, on_tool_call)
            self._take_late(process)
        except ProcessFailed as error:
            self._give_up(turn.turn)
            said = "; ".join([str(error), *process.last_words()])
            raise ProcessFailed(self._environment.hide(said)) from None
        except BaseException as error:
            self._give_up(turn.turn)
            if isinstance(error, BadReturn):
                error.args = (self._environment.hide(str(error)),)
            for words in process.last_words():
                error.add_note(self._environment.hide(words))
            raise
        stray = [self._environment.hide(line) for line in process.take_stray()]
        if not stray:
            return response
        return msgspec.structs.replace(response, metadata={**response.metadata, "stray_output": stray})

    def _answer(self, process: ChildProcess, turn: int, on_tool_call: OnToolCall) -> AgentResponse:
        while True:
            line = process.next_line()
            kind = line.pop("type", "reply")
            if kind == "reply":
                _refuse_other_turn(line.pop("turn", turn), turn, line)
                return read_response(line)
            if kind != "tool_call":
                hint = did_you_mean(str(kind), _TYPES)
                raise BadReturn(
                    f"the agent's process printed a line of type {value_text(kind)}{hint}, expected "
                    f"'tool_call', or a reply with 'text' or 'tool_calls': {value_text(line)}"
                )
            _signal(line, on_tool_call)

    def _take_late(self, process: ChildProcess) -> None:
        """Take what was printed since the last answer: signals belong to that turn, answers to none."""
        while (line := process.waiting()) is not None:
            if line.get("type") != "tool_call" or self._on_tool_call is None:
                said = f"the agent's process printed a line without being asked: {value_text(line)}"
                raise BadReturn(f"{said}{self._too_many(line)}")
            _signal({name: value for name, value in line.items() if name != "type"}, self._on_tool_call)

    def _too_many(self, line: Mapping[str, JsonValue]) -> str:
        """What an answer too many means for those before it: any of them may be the one too many."""
        if line.get("type", "reply") != "reply" or not self._requests:
            return ""
        asked = "once" if self._requests == 1 else f"{self._requests} times"
        shifted = "" if self._requests == 1 else ", and an earlier one may have been taken for another turn's"
        return f"; it was asked {asked} and this is answer {self._requests + 1}{shifted}"

    def _start(self) -> ChildProcess:
        if self._gone:
            raise ProcessFailed(f"the agent cannot answer: {self._gone}")
        if self._process is None:
            cwd = None if self._agent.cwd is None else os.fspath(self._agent.cwd)
            self._process = ChildProcess(
                self._agent.command, cwd, self._environ, max_bytes=self._agent.max_bytes
            )
            weakref.finalize(self, self._process.end, at_once=True)
        return self._process

    def _end(self) -> ChildProcess | None:
        """End the process, which is the result; None when it had ended before the conversation."""
        process, self._process = self._process, None
        self._gone = self._gone or "its conversation has ended"
        if process is not None:
            process.end()
        return process

    def _give_up(self, turn: int) -> None:
        process, self._process = self._process, None
        self._gone = f"its process was ended when turn {turn} failed"
        if process is not None:
            process.end(at_once=True)

    def _filled(self, variable: str, text: str) -> str:
        def value_of(name: str) -> JsonValue:
            if name.startswith(PREFIX):
                return self._environment.value_of(name, f"env.{variable}")
            return getattr(self._context, name)

        return fill_text(text, value_of)


def _model_variables(context: AgentContext) -> dict[str, str]:
    """The variables by which the usual clients find their model."""
    if context.model is None:
        return {}
    return {
        "ANTHROPIC_BASE_URL": context.model_url,
        "ANTHROPIC_API_KEY": context.model_key,
        "OPENAI_BASE_URL": f"{context.model_url}/v1",
        "OPENAI_API_KEY": context.model_key,
    }


def _refuse_other_turn(answered: JsonValue, asked: int, line: Mapping[str, JsonValue]) -> None:
    """Raise BadReturn for a reply that says that it answers another turn than the one asked for."""
    if isinstance(answered, bool) or answered != asked:
        raise BadReturn(
            f"the agent's process answered turn {value_text(answered)} when it was asked for turn {asked}: "
            f"{value_text(line)}"
        )


def _signal(line: dict[str, JsonValue], on_tool_call: OnToolCall) -> None:
    """Signal the call that a line reports. Raises BadReturn for a line that does not say which."""
    for name in line:
        if name not in _SIGNAL:
            hint, known = did_you_mean(name, _SIGNAL), ", ".join(_SIGNAL)
            raise BadReturn(f"a tool_call line has the unknown field {name!r}{hint}; known are {known}")
    if "name" not in line:
        raise BadReturn(f"a tool_call line needs a name, found {value_text(line)}")
    on_tool_call(**line)
