"""What a suite file says: scenarios, each a conversation with checks."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import msgspec

from grice.files.locate import JsonPath
from grice.files.prompt_files import PromptFile
from grice.identity import fingerprint
from grice.judging.criterion import Criterion
from grice.matching.assertions.evaluation import RunMode
from grice.matching.matcher import Matcher
from grice.matching.selector import ValueSelector
from grice.records import JsonValue
from grice.text.display import shorten, visible
from grice.wire.replies import Fault, ModelReply


class Target(msgspec.Struct, frozen=True):
    """What a check looks at.

    `kind` is `exchange` for the request with the `number` (from 1; -1 is the last) of those in the turn, or
    in the whole conversation for a check of the whole scenario; `prompt` is the system prompt of the last;
    `state` what the scenario's `state` was before the turn or the scenario, and is after it. `trimmed` is the
    text of the reply without the white space around it, which no check names.
    """

    kind: Literal["reply", "trimmed", "data", "tool_calls", "exchange", "prompt", "conversation", "state"] = (
        "reply"
    )
    number: int = -1


class SuiteCheck(msgspec.Struct, frozen=True):
    """One check of a suite: a matcher (negation applied), what it looks at, and the caller's choice.

    `id` and `description` are "" when the file gives none; `line` is that of its `matcher`.
    """

    matcher: Matcher[Any]
    target: Target = Target()
    at: ValueSelector = ValueSelector()
    mode: Literal["hard", "soft"] = "hard"
    id: str = ""
    description: str = ""
    place: JsonPath = ()
    line: int = 1


class SuiteTurn(msgspec.Struct, frozen=True):
    """One message of the user, the scripted replies of the agent's model if any, and the checks after it.

    `model` goes to `ScriptedModel.script` as it is; of a scenario that says several texts the first turn has
    the replies for all of them. Without one the turn goes on with what is left of the one before; with an
    empty one it makes no request. `tools` are the answers to tools that the client runs, by name.
    """

    say: str
    model: tuple[ModelReply | Fault, ...] | None = None
    tools: dict[str, JsonValue] = {}
    checks: tuple[SuiteCheck, ...] = ()


class SuiteScenario(msgspec.Struct, frozen=True, dict=True):
    """One conversation with its checks.

    `checks` are those of the whole scenario, looked at after the last turn: their reply is the last one.
    `skipped_checks` says which expected outputs are not looked at, and why; "" when there is none. `content`
    is what the file says, `suite` the name of the suite (the file's stem unless it has another), `criteria`
    what its checks may name besides the criteria of its project. `agent` is the name of the agent, or the
    agent that the file describes; `state` says where a state is read: an address, a function's name, or
    several by name; `prompt` is what an LLM answers in place of one, and its only turn says it
    with the scenario's inputs.
    """

    id: str
    turns: tuple[SuiteTurn, ...]
    checks: tuple[SuiteCheck, ...] = ()
    history: tuple[JsonValue, ...] = ()
    description: str = ""
    run_mode: RunMode = "DEFAULT"
    agent: object = None
    state: str | dict[str, str] = ""
    skipped_checks: str = ""
    suite: str = ""
    file: str = ""
    line: int = 1
    content: dict[str, JsonValue] = {}
    criteria: tuple[Criterion, ...] = ()
    prompt: PromptFile | None = None

    @cached_property
    def fingerprint(self) -> str:
        """That of what the file says."""
        return fingerprint(self.content)

    @property
    def judged(self) -> bool:
        """Whether a judge is wanted for any of its checks."""
        checks = (*self.checks, *(check for turn in self.turns for check in turn.checks))
        return any(check.matcher.judged for check in checks)


def id_problem(id_: str) -> str:
    """What is wrong with the id, "" when nothing is."""
    shown = shorten(visible(id_.replace("\t", "\\t"), newlines=False), 60)
    if not id_.strip():
        return f"expected a text that is not empty, found {id_!r}"
    if visible(id_, newlines=False) != id_ or "\t" in id_:
        return f"an id is one line of characters that can be seen, found '{shown}'"
    if id_ != id_.strip():
        return f"an id has no blanks around it, found '{shown}'"
    if "::" in id_:
        return f"an id has no '::', which divides file and name for pytest, found '{shown}'"
    return ""
