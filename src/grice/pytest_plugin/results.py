"""The results of a test that is over, as `grice run` would have them of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from grice.agents import AgentFailed
from grice.files.scenario_sets import scenario_fingerprint
from grice.identity import stable_id
from grice.matching.failure import ExpectationFailed
from grice.matching.verdicts import error_text
from grice.pytest_plugin.attempts import PLAYED, TestAttempt, held_by
from grice.pytest_plugin.item_identity import path_of, test_path_of
from grice.pytest_plugin.projects import NoAgent
from grice.pytest_plugin.repeats import own_name, repeat_of
from grice.pytest_plugin.scenarios import scenario_of
from grice.pytest_plugin.session import UNFIT, began, log_of
from grice.pytest_plugin.support import runs_of, simulated_item
from grice.records import Conversation, JsonValue, Outcome, Result, Verdict
from grice.running.body_code import asserting_code, asserts, checks_nothing, code_detail
from grice.running.journal.form import Begun
from grice.running.outcomes import NO_AGENT, NOTHING, UNCHECKED, ending_of, judged_outcome, spoiled_by
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import broken_verdict
from grice.wire import ScriptError

if TYPE_CHECKING:
    from grice.pytest_plugin.file_items import ConversationItem
    from grice.records import Scenario


Raised = Sequence[tuple[str, BaseException]]
"""What was raised in the phases of a test: the phase, and the exception."""


@dataclass(eq=False)
class Course:
    """How a test goes: its seconds, what is raised in each phase, and what pytest makes of it.

    `failed` is why pytest fails a test in which nothing was raised, `skipped` why it counts it as skipped;
    "" where it does not.
    """

    seconds: float = 0.0
    raised: list[tuple[str, BaseException]] = field(default_factory=list)
    failed: str = ""
    skipped: str = ""
    bad: bool = False

    def add(self, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
        """Take in a phase that is over, with its report as pytest has it in the end."""
        if hasattr(report, "context"):
            return  # of a part of the phase, such as a subtest
        self.seconds += call.duration
        error = None if call.excinfo is None else call.excinfo.value
        if error is not None:
            self.raised.append((call.when, error))
        if report.failed:
            self.bad, self.skipped = True, ""
            if error is None:
                self.failed = report.longreprtext
        elif report.skipped and not self.bad:
            self.skipped = _why_skipped(report, error)


def _why_skipped(report: Any, error: BaseException | None) -> str:
    if hasattr(report, "wasxfail"):
        return _expected(report.wasxfail)
    return report.longreprtext if error is None else str(error)


def _expected(reason: str) -> str:
    return f"expected to fail: {reason}" if reason else "expected to fail"


def results_of(item: pytest.Item, course: Course) -> Iterator[Result]:
    """One for each conversation of the test; one without a conversation where it did not come to that.

    What pytest fails or counts as skipped, such as by xfail, is that here too.
    """
    if getattr(item, "left_out", ""):
        yield cast("ConversationItem", item).result_left_out()
        return
    held, claim = held_by(item), _claim(item)
    problems = [one.problem for one in held] or [None]
    for number, result in enumerate(_judged(item, course.raised, course.seconds)):
        problem = problems[number] if len(held) > 1 else None
        if course.failed:
            yield _with(result, Verdict(Outcome.FAIL, course.failed, claim=claim))
        elif isinstance(problem, pytest.skip.Exception):
            yield _with(result, Verdict(Outcome.SKIPPED, str(problem), claim=claim))
        elif course.skipped and (len(held) <= 1 or result.outcome is not Outcome.PASS):
            yield _with(result, Verdict(Outcome.SKIPPED, course.skipped, claim=claim))
        else:
            yield result


def _with(result: Result, word: Verdict) -> Result:
    """The result with pytest's word on it, which decides."""
    skipped = word.outcome is Outcome.SKIPPED
    return msgspec.structs.replace(
        result,
        outcome=word.outcome,
        verdicts=result.verdicts if word in result.verdicts else (*result.verdicts, word),
        failure="none" if skipped else "assertion",
        spoiled="" if skipped else result.spoiled,
        counts=not skipped and result.counts,
    )


def _judged(item: pytest.Item, raised: Raised, seconds: float) -> Iterator[Result]:
    """The results as the conversations, their verdicts, and what was raised have them."""
    if PLAYED in item.stash:
        yield item.stash[PLAYED]
        return
    log, start = log_of(item).verdicts, began(item)
    held = held_by(item)
    several = len(held) > 1
    for one in held:
        errors = [] if one.problem is None else [("call", one.problem)]
        errors += [each for each in raised if not several or each[0] == "teardown"]
        verdicts = tuple(log[one.first : one.last])
        yield _result(item, one.conversation.record, verdicts, errors, one, seconds / len(held))
    for begun in () if held else begun_by(item):  # it did not come to any of its runs
        empty = Conversation(id=begun.id, name=item.nodeid)
        result = _result(item, empty, tuple(log[start:]), raised, None, seconds)
        yield msgspec.structs.replace(result, repeat=begun.repeat)


def begun_by(item: pytest.Item) -> Iterator[Begun]:
    """What begins with the test, a conversation each, as its results will be called."""
    id_, key, scenario = stable_id(path_of(item)), _key(item), scenario_of(item)
    group = (scenario.set_name if scenario is not None else "") or PurePath(item.location[0]).stem
    return (Begun(id_, key, number, group) for number in runs_of(item))


def fingerprint_of(item: pytest.Item) -> str:
    """The fingerprint of the golden or scenario that the test is run with, "" without one."""
    written = getattr(item, "golden", None) or getattr(item, "scenario", None)
    if written is not None and hasattr(item, "kind"):
        return str(written.fingerprint)
    scenario = scenario_of(item)
    return "" if scenario is None else scenario_fingerprint(scenario)


def _result(
    item: pytest.Item,
    record: Conversation,
    verdicts: tuple[Verdict, ...],
    raised: Raised,
    held: TestAttempt | None,
    seconds: float,
) -> Result:
    for phase, error in raised:
        verdict = _verdict_on(item, phase, error, record, verdicts)
        verdicts = verdicts if verdict is None else (*verdicts, verdict)
    verdicts = (*verdicts, *_unseen(item, record, verdicts))
    conduct = held.conduct if held is not None else ()
    harm = spoiled_by(record, conduct, judged_outcome(verdicts))
    ending = ending_of(record, verdicts, harm)
    scenario, how = scenario_of(item), simulated_item(item)
    return Result(
        id=stable_id(path_of(item)),
        key=_key(item),
        outcome=ending.outcome,
        conversation=record,
        verdicts=verdicts,
        failure=ending.failure,
        description=_description(scenario),
        file=str(item.location[0]),
        fingerprint=fingerprint_of(item),
        duration=seconds,
        repeat=held.repeat if held is not None else repeat_of(item),
        set_name="" if scenario is None else scenario.set_name,
        conduct=conduct,
        spoiled=harm,
        counts=ending.counts,
        asserts=asserting_code([_function(item)]),
        test=stable_id(test_path_of(item)),
        runs=1 if how is None else how.runs,
        needed=1 if how is None else how.needed,
    )


def _unseen(item: pytest.Item, record: Conversation, verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """The verdict on a test that pytest passed and in which no check was seen: it may have plain asserts.

    Beside soft checks there is one only if it has: without, nothing in it could fail.
    """
    if not verdicts and not record.turns:
        yield Verdict(Outcome.INCONCLUSIVE, NOTHING, claim=_claim(item))
    elif not verdicts or (_are_soft(verdicts) and record.turns and asserts(_function(item))):
        why = (
            UNCHECKED if not verdicts and checks_nothing(_function(item), getattr(item, "cls", None)) else ""
        )
        yield Verdict(Outcome.PASS, why, claim=_claim(item), detail=_code(item))


def _are_soft(verdicts: Sequence[Verdict]) -> bool:
    return all(one.mode == "soft" for one in verdicts)


def _code(item: pytest.Item) -> dict[str, JsonValue]:
    return code_detail(_function(item))


def _function(item: pytest.Item) -> Any:
    return getattr(item, "function", None)


def _description(scenario: Scenario | None) -> str:
    return "" if scenario is None else str(scenario.get("name") or "")


def _name(item: pytest.Item) -> str:
    return own_name(item).replace("::", ".")


def _key(item: pytest.Item) -> str:
    scenario = scenario_of(item)
    return _name(item) if scenario is None else scenario.key


def _claim(item: pytest.Item) -> str:
    return f"{_name(item)} to hold"


def _verdict_on(
    item: pytest.Item, phase: str, error: BaseException, record: Conversation, verdicts: Sequence[Verdict]
) -> Verdict | None:
    """The verdict that what was raised is, None where it only repeats one that is there."""
    from grice.users.protocol import SimulatorError

    unfit = item.stash.get(UNFIT, "") if phase == "call" else ""
    told = any(one.mode == "hard" and one.outcome not in (Outcome.PASS, Outcome.SKIPPED) for one in verdicts)
    if (told and (unfit or isinstance(error, ExpectationFailed))) or unfit.startswith("--grice-strict-soft"):
        return None
    if unfit:
        return Verdict(Outcome.ERROR, unfit, claim="the test to use its script and cassette up")
    if isinstance(error, NoAgent):
        return Verdict(Outcome.ERROR, str(error), claim=NO_AGENT)
    if isinstance(error, pytest.xfail.Exception):
        return Verdict(Outcome.SKIPPED, _expected(str(error)), claim=_claim(item))
    if isinstance(error, pytest.skip.Exception):
        return Verdict(Outcome.SKIPPED, str(error), claim=_claim(item))
    if isinstance(error, SimulatorError | AgentFailed | ScriptError | ToolsError):
        return broken_verdict(record, error)
    if isinstance(error, AssertionError | pytest.fail.Exception) and phase == "call":
        reason = str(error) or "an assertion does not hold"
        return Verdict(Outcome.FAIL, reason, claim=_claim(item), detail=_code(item))
    where = "" if phase == "call" else f" in its {'set-up' if phase == 'setup' else phase}"
    return Verdict(Outcome.ERROR, f"the test raised {error_text(error)}{where}", claim=_claim(item))
