"""Running a scenario of a suite: its user's messages to the agent, its checks on what came of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack

from msgspec.structs import replace

from grice.files.suite_records import SuiteCheck, SuiteScenario
from grice.matching.assertions.evaluation import select_cases
from grice.records import Outcome, Result, StateChange, StateReading, Verdict
from grice.running.live import LiveConversation
from grice.running.scripted import Limits, hold_scripted, settings_with
from grice.running.state_sources import Read, state_reader
from grice.running.suite_checks import judge_checks
from grice.running.tool_answers import ToolsError
from grice.wire import ScriptedModel, UnusedReplies

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.running.assistance import Assistance


def left_out(scenarios: Sequence[SuiteScenario]) -> list[str]:
    """Why each scenario of a file is not to be run, in order; "" for those that are."""
    chosen = {id(one) for one in select_cases(scenarios, lambda scenario: scenario.run_mode)}
    return ["" if id(one) in chosen else _WHY.get(one.run_mode, _ANOTHER) for one in scenarios]


_WHY = {"SKIP": "its run_mode is SKIP"}
_ANOTHER = "another scenario of this file has run_mode ONLY"


def run_scenario(
    scenario: SuiteScenario,
    target: object,
    *,
    judge: Callable[[], object] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    **limits: Unpack[Limits],
) -> Result:
    """Hold the scenario's conversation with the agent that `target` is or makes, and judge every check.

    `judge` makes the Judge of its checks when the first one wants it; the other arguments are those of
    `run_golden`. Raises AgentLoadError when the agent cannot be built. An agent that fails, and a script that
    does not fit, give an `error` verdict beside the transcript, and the conversation ends there.
    """
    settings = settings_with(scenario.file, limits)
    return play_scenario(scenario, target, settings, find_judge=judge, clock=clock)


def play_scenario(
    scenario: SuiteScenario,
    target: object,
    settings: Settings,
    *,
    beside: Assistance | None = None,
    find_judge: Callable[[], object] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Result:
    """The same with the settings of a project, and its judge and cassette."""
    find = find_judge or (beside.judge if beside is not None else None)
    read: Read = state_reader(scenario.state, settings.root) if scenario.state else StateReading

    def play(live: LiveConversation, model: ScriptedModel) -> Iterator[Verdict]:
        before = len(live.turns)
        at_first = _read_for(scenario.checks, read)
        for turn in scenario.turns:
            if turn.model is not None:
                _refuse_unused(model, live)
                model.script(*turn.model)
            state = _read_for(turn.checks, read)
            reply = live.say(turn.say, tools=turn.tools or None)
            judge, change = _judge_for(turn.checks, find), _change(state, read)
            verdicts = judge_checks(turn.checks, reply, judge=judge, before=before, state=change)
            yield from _compared(turn.checks, verdicts, live, alone=len(scenario.turns) == 1)
        if scenario.checks:
            judge, change = _judge_for(scenario.checks, find), _change(at_first, read)
            verdicts = judge_checks(
                scenario.checks, live.last, judge=judge, whole=True, before=before, state=change
            )
            yield from _compared(scenario.checks, verdicts, live, alone=len(scenario.turns) == 1)
        _refuse_unused(model, live)
        if scenario.skipped_checks:
            yield _not_looked_at(scenario.skipped_checks)

    return hold_scripted(
        scenario,
        target,
        settings,
        play,
        beside=beside,
        find_judge=find_judge,
        unreached=partial(_not_reached, scenario),
        clock=clock,
    )


_OF_PAIRS = frozenset(
    {
        "toDifferFromPrevious",
        "toOpenDifferently",
        "toAskNewClarifiers",
        "toAvoidSelfContradiction",
        "toAvoidFactualContradiction",
        "toRememberAnswers",
    }
)
"""Matchers that hold a reply against those before it. A fact is held against what tools returned, too, and a
question against what the user has just said.
"""


def _compared(
    checks: Sequence[SuiteCheck], verdicts: Iterator[Verdict], live: LiveConversation, *, alone: bool
) -> Iterator[Verdict]:
    """The verdicts; on a scenario of one turn without history a check of pairs had nothing to compare."""
    for check, verdict in zip(checks, verdicts, strict=True):
        name = check.matcher.factory.name
        held = verdict.outcome is Outcome.PASS and (
            (name == "toAvoidFactualContradiction" and bool(live.record.tool_calls))
            or (name == "toRememberAnswers" and not verdict.trivially_true)
        )
        undecided = verdict.outcome in (Outcome.PASS, Outcome.SKIPPED) and name in _OF_PAIRS and not held
        if alone and undecided and len(live.turns) == 1:
            reason = "nothing to compare: it is the only reply; 'history' takes the turns before it"
            yield replace(verdict, outcome=Outcome.INCONCLUSIVE, reason=reason, trivially_true=False)
        else:
            yield verdict


def _read_for(checks: Sequence[SuiteCheck], read: Read) -> StateReading | None:
    """The state before what the checks look at, None when none of them is on the state."""
    return read() if any(check.target.kind == "state" for check in checks) else None


def _change(before: StateReading | None, read: Read) -> StateChange | None:
    return None if before is None else StateChange(before, read())


def _judge_for(checks: Sequence[SuiteCheck], find_judge: Callable[[], object] | None) -> object:
    """The judge when a check wants one, or why it cannot be had."""
    if find_judge is None or not any(check.matcher.judged for check in checks):
        return None
    try:
        return find_judge()
    except Exception as error:  # settings, criteria and cassettes are somebody's files
        return error


def _refuse_unused(model: ScriptedModel, live: LiveConversation) -> None:
    """Raise ToolsError when scripted replies are left over.

    A turn without a script of its own goes on with what is left of the one before.
    """
    try:
        model.verify_used()
    except UnusedReplies as error:
        model.drop_unused()
        waiting = dict.fromkeys(call.name for call in live.asked_calls if not call.answered)
        hint = "" if model.asked else "; the agent did not ask the model in context.model at all"
        if waiting:
            hint = f"; the agent left {', '.join(waiting)} to its client: answer it in 'tools'"
        raise ToolsError(f"{error}{hint}") from None


def _not_looked_at(why: str) -> Verdict:
    return Verdict(Outcome.SKIPPED, why, claim="the reply to be the expected output", mode="soft")


def _not_reached(scenario: SuiteScenario, reached: int) -> list[Verdict]:
    """A soft verdict on the checks that a broken conversation did not come to."""
    missed = sum(len(turn.checks) for turn in scenario.turns) + len(scenario.checks) - reached
    if missed <= 0:
        return []
    said = "1 check was not reached" if missed == 1 else f"{missed} checks were not reached"
    return [Verdict(Outcome.SKIPPED, said, claim="every check to be made", mode="soft")]
