"""A user that follows a script, which may branch on the agent's reply."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from grice.identity.code import code_data, name_of_code
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.matching.patterns import PatternError, compile_pattern, search
from grice.matching.verdicts import error_text
from grice.records import Conversation, JsonValue, Outcome, Reply
from grice.text import did_you_mean, shorten, value_text
from grice.users.character import check_number
from grice.users.protocol import Player, SimulatorError, UserConfigError, UserMove, UserSupport

MAX_TIMES = 100
MAX_SHOWN = 200

Condition = str | Matcher[Any] | Callable[[Reply], object]
"""What is asked of a reply: a pattern found in its text (JavaScript syntax, on RE2), a matcher, or a function
of the Reply."""


class Case(msgspec.Struct, frozen=True):
    """The message for replies that meet the condition; `flags` are those of a pattern."""

    condition: Condition
    say: str
    flags: str = ""

    @property
    def words(self) -> str:
        """The condition in words."""
        if isinstance(self.condition, str):
            return f"/{self.condition}/{self.flags}"
        return self.condition.phrase if isinstance(self.condition, Matcher) else name_of_code(self.condition)


class Branch(msgspec.Struct, frozen=True):
    """A step that depends on the reply: the first case whose condition holds gives the message.

    Where none holds, `fallback` is said; with `skips` nothing, and the next step comes.
    """

    cases: tuple[Case, ...]
    fallback: str | None = None
    skips: bool = False

    def when(self, condition: Condition, say: str, *, flags: str = "") -> Branch:
        """Add a case. Raises UserConfigError."""
        return msgspec.structs.replace(self, cases=(*self.cases, _case(condition, say, flags)))

    def otherwise(self, say: str) -> Branch:
        """Add the message for replies that meet no condition. Raises UserConfigError."""
        return msgspec.structs.replace(self, fallback=_checked_text("otherwise", say), skips=False)

    def or_skip(self) -> Branch:
        """Go on with the next step where no condition holds."""
        return msgspec.structs.replace(self, fallback=None, skips=True)


class Repeat(msgspec.Struct, frozen=True):
    """A step that is repeated up to `times` times, or until no condition of a branch in it holds."""

    step: str | Branch
    times: int


Step = str | Branch | Repeat


def when(condition: Condition, say: str, *, flags: str = "") -> Branch:
    """Make a step of a script: say this when the last reply meets the condition.

    Further cases follow with `.when(...)`, and `.otherwise("...")` or `.or_skip()` at the end; without either
    a reply that meets no condition is a SimulatorError. Raises UserConfigError for what is no condition, and
    for a bad pattern.
    """
    return Branch((_case(condition, say, flags),))


def repeat(step: str | Branch, *, times: int) -> Repeat:
    """Make a step of a script that is repeated up to `times` times, 1 to 100.

    A branch without `otherwise` is left as soon as the reply meets none of its conditions. Raises
    UserConfigError.
    """
    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MAX_TIMES:
        raise UserConfigError(
            f"repeat: times is a whole number from 1 to {MAX_TIMES}, found {value_text(times)}"
        )
    if not isinstance(step, Branch):
        step = _checked_text("repeat", step)
    return Repeat(step, times)


@dataclass(frozen=True, init=False)
class UserScript:
    """A user that follows a script: texts, `when(...)` branches and `repeat(...)`, one after the other.

    A step may be given as data: `{"say": text}`, `{"when": pattern, "say": text}` or
    `{"when": {pattern: text}}`, and with it `otherwise` (None goes on with the next step), `flags`, `repeat`.
    When it is through the user is done, `goal_reached`. `goal` says what it is after, for reports and judges.
    Raises UserConfigError for what is no step, and for no steps at all.
    """

    steps: tuple[Step, ...]
    goal: str
    max_turns: int | None

    def __init__(
        self, *steps: Step | Mapping[str, Any], goal: str = "", max_turns: int | None = None
    ) -> None:
        if not steps:
            raise UserConfigError("a script has at least one step, found none")
        if not isinstance(goal, str):
            raise UserConfigError(f"goal: expected a text, found {value_text(goal)}")
        check_number("max_turns", max_turns, 0)
        taken = tuple(_step(f"step {number}", one) for number, one in enumerate(steps, 1))
        for name, value in (("steps", taken), ("goal", goal), ("max_turns", max_turns)):
            object.__setattr__(self, name, value)

    kind: ClassVar[str] = "script"

    @property
    def persona_name(self) -> str:
        """Always ""."""
        return ""

    def start(self, support: UserSupport) -> Player:  # noqa: ARG002 - as every plan has it
        """Make the player for one conversation."""
        return _ScriptPlayer(self)


class _ScriptPlayer:
    """Follows a script through one conversation."""

    def __init__(self, script: UserScript) -> None:
        self.faults: list[str] = []
        self.asked = 0
        self._steps = enumerate(script.steps, 1)
        self._again: tuple[int, Repeat, int] | None = None

    def move(self, conversation: Conversation, topic: str) -> UserMove:  # noqa: ARG002 - scripts know no topics
        """The next move. Raises SimulatorError where a branch has nothing to say."""
        self.asked += 1
        for number, step in self._left():
            if isinstance(step, str):
                return UserMove(step)
            said = _chosen(number, step, conversation)
            if said is not None:
                return UserMove(said)
            self._again = None
        return UserMove(done="goal_reached", reason="the script is through")

    def _left(self) -> Iterator[tuple[int, str | Branch]]:
        """The steps that are left, those of a loop as long as it goes on."""
        while True:
            if self._again is not None:
                number, loop, left = self._again
                self._again = (number, loop, left - 1) if left > 1 else None
                yield number, _looped(loop)
                continue
            following = next(self._steps, None)
            if following is None:
                return
            number, step = following
            if isinstance(step, Repeat):
                self._again = (number, step, step.times)
            else:
                yield number, step


def _looped(loop: Repeat) -> str | Branch:
    step = loop.step
    return step.or_skip() if isinstance(step, Branch) and step.fallback is None else step


def _chosen(number: int, branch: Branch, conversation: Conversation) -> str | None:
    """What the branch says to the last reply, None where it is skipped."""
    if not conversation.turns:
        raise SimulatorError(f"step {number} of the script looks at a reply, and there is none yet")
    reply = Reply(conversation, len(conversation.turns))
    for case in branch.cases:
        if _holds(number, case, reply):
            return case.say
    if branch.fallback is not None or branch.skips:
        return branch.fallback
    tried = ", ".join(case.words for case in branch.cases)
    raise SimulatorError(
        f"step {number} of the script has nothing to say to {value_text(shorten(reply.text, MAX_SHOWN))}: "
        f"none of {tried} holds; give the step .otherwise('...') or .or_skip()"
    )


def _holds(number: int, case: Case, reply: Reply) -> bool:
    """Whether the condition holds. Raises SimulatorError where it cannot be told."""
    condition = case.condition
    if isinstance(condition, str):
        return search(condition, case.flags, reply.text) is not None
    if isinstance(condition, Matcher):
        seen = resolve_subject(reply)
        verdict = judge(condition, seen.subject, seen.context)
        if verdict.outcome is Outcome.ERROR:
            raise SimulatorError(f"step {number} of the script: {case.words}: {verdict.reason}")
        return verdict.outcome is Outcome.PASS
    try:
        said = condition(reply)
    except Exception as error:  # somebody's code
        raise SimulatorError(
            f"step {number} of the script: the condition {case.words} raised {error_text(error)}"
        ) from error
    if isinstance(said, Coroutine):
        said.close()
        raise SimulatorError(f"step {number} of the script: the condition {case.words} is async")
    return bool(said)


# -- what is given


def _step(where: str, given: object) -> Step:
    if isinstance(given, Branch | Repeat):
        return given
    if isinstance(given, Mapping):
        return _of_data(where, given)
    return _checked_text(where, given)


def _checked_text(where: str, given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise UserConfigError(f"{where}: expected a text to say, found {value_text(given)}")
    return given


def _case(condition: object, say: object, flags: object = "") -> Case:
    said = _checked_text("when", say)
    if not isinstance(flags, str):
        raise UserConfigError(f"when: flags are a text, found {value_text(flags)}")
    if isinstance(condition, str):
        try:
            compile_pattern(condition, flags)
        except PatternError as error:
            raise UserConfigError(f"when: {error}") from error
        return Case(condition, said, flags)
    if flags:
        raise UserConfigError("when: flags belong to a pattern")
    if isinstance(condition, Matcher):
        if condition.waits:
            raise UserConfigError(f"when: {condition.phrase} has to be waited for: branch on code")
        return Case(condition, said)
    from inspect import iscoroutinefunction  # slow to import

    if not callable(condition) or isinstance(condition, type) or iscoroutinefunction(condition):
        raise UserConfigError(
            "when: expected a pattern, a matcher or a plain function of the reply, found "
            f"{value_text(condition)}"
        )
    return Case(condition, said)


def _of_data(where: str, data: Mapping[Any, Any]) -> Step:
    """A step as data: `{say}`, `{when: pattern, say}` or `{when: {pattern: say}}`, and otherwise, repeat."""
    known = ("say", "when", "otherwise", "repeat", "flags")
    strange = [str(name) for name in data if name not in known]
    if strange:
        hint = did_you_mean(strange[0], known)
        raise UserConfigError(f"{where}: unknown field {strange[0]!r}{hint}; there are {', '.join(known)}")
    try:
        step = _step_of(data)
        return repeat(step, times=data["repeat"]) if "repeat" in data else step
    except UserConfigError as error:
        raise UserConfigError(f"{where}: {error}") from error


def _step_of(data: Mapping[Any, Any]) -> str | Branch:
    cases, flags = data.get("when"), data.get("flags", "")
    if cases is None:
        if "otherwise" in data or flags:
            raise UserConfigError("otherwise and flags belong to a step with when")
        return _checked_text("say", data.get("say"))
    if isinstance(cases, Mapping):
        if "say" in data or not cases:
            raise UserConfigError("when is a pattern beside say, or {pattern: text}")
        branch = Branch(tuple(_case(pattern, say, flags) for pattern, say in cases.items()))
    elif isinstance(cases, str):
        branch = when(cases, _checked_text("say", data.get("say")), flags=flags)
    else:
        raise UserConfigError(f"when: expected a pattern or {{pattern: text}}, found {value_text(cases)}")
    if "otherwise" not in data:
        return branch
    return branch.or_skip() if data["otherwise"] is None else branch.otherwise(data["otherwise"])


def script_data(script: UserScript) -> dict[str, JsonValue]:
    """The script as JSON; a function stands in it as a digest of its source, marked `opaque`."""
    steps: Sequence[JsonValue] = [_step_data(step) for step in script.steps]
    found: dict[str, JsonValue] = {"steps": list(steps)}
    if script.goal:
        found["goal"] = script.goal
    return found if script.max_turns is None else {**found, "max_turns": script.max_turns}


def _step_data(step: Step) -> JsonValue:
    if isinstance(step, str):
        return step
    if isinstance(step, Repeat):
        return {"repeat": step.times, "step": _step_data(step.step)}
    cases: list[JsonValue] = [[_condition_data(case), case.say] for case in step.cases]
    end: dict[str, JsonValue] = (
        {"otherwise": step.fallback} if step.fallback is not None or step.skips else {}
    )
    return {"when": cases, **end}


def _condition_data(case: Case) -> JsonValue:
    condition = case.condition
    if isinstance(condition, str):
        return {"pattern": condition, "flags": case.flags}
    if isinstance(condition, Matcher):
        return {"matcher": condition.factory.name, "phrase": condition.phrase}
    return code_data(condition)
