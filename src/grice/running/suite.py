"""Running a scenario of a suite: its user's messages to the agent, its checks on what came of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from grice.agents import AgentContext, AgentFailed, bind_agent
from grice.formats import read_message
from grice.identity import fingerprint, stable_id, stable_path
from grice.matching.assertions.evaluation import select_cases
from grice.records import Conversation, FailureType, Outcome, Result, Verdict
from grice.running.live import TIMEOUT, TURN_TIMEOUT, LiveConversation, VerdictLog
from grice.running.model_address import at_model_address
from grice.running.outcomes import judged_outcome
from grice.running.suite_checks import judge_checks
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import broken_verdict
from grice.suites.suite_records import SuiteCheck, SuiteScenario
from grice.wire import ScriptedModel, ScriptError, UnusedReplies

if TYPE_CHECKING:
    from grice.wire.cassettes import Cassette

__all__ = ["left_out", "path_of_scenario", "run_scenario", "unrun", "with_verdict"]


def path_of_scenario(scenario: SuiteScenario) -> str:
    """The canonical path of which its stable id is made: it follows suite and id, not the file."""
    return stable_path(scenario.suite, scenario=scenario.id)


def left_out(scenarios: Sequence[SuiteScenario]) -> list[str]:
    """Why each scenario of a file is not to be run, in order; "" for those that are. Source: seed 002."""
    chosen = {id(one) for one in select_cases(scenarios, lambda scenario: scenario.run_mode)}
    return ["" if id(one) in chosen else _WHY.get(one.run_mode, _ANOTHER) for one in scenarios]


_WHY = {"SKIP": "its run_mode is SKIP"}
_ANOTHER = "another scenario of this file has run_mode ONLY"


def run_scenario(
    scenario: SuiteScenario,
    target: object,
    *,
    turn_timeout: float = TURN_TIMEOUT,
    timeout: float = TIMEOUT,
    model_port: int | None = None,
    model_key: str = "",
    strict: bool = False,
    judge: Callable[[], object] | None = None,
    embedder: Callable[[], object] | None = None,
    entailment: Callable[[], object] | None = None,
    cassette: Cassette | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Result:
    """Hold the scenario's conversation with the agent that `target` is or makes, and judge every check.

    `judge` makes the Judge of its checks when the first one wants it, `embedder` what compares texts for
    them, `entailment` what tells contradictions, `cassette` has or takes what agent and tools say; the other
    arguments are those of `run_golden`. Raises AgentLoadError when the agent cannot be built. An agent that
    fails, and a script that does not fit, give an `error` verdict beside the transcript, and the
    conversation ends there.
    """
    started = clock()
    model = ScriptedModel()
    log = VerdictLog(scenario.id, judge=judge, embedder=embedder, entailment=entailment, strict=strict)
    live = LiveConversation(
        bind_agent(target, _context(scenario, model)),
        id=scenario.id,
        history=[message for raw in scenario.history for message in read_message(raw)],
        turn_timeout=turn_timeout,
        timeout=timeout,
        model=model,
        recorder=log,
        cassette=cassette,
        clock=clock,
    )
    failure: FailureType = "none"
    reached = 0
    try:
        with at_model_address(live, model, model_port, key=model_key, wait=timeout), live:
            for verdict in _held(scenario, live, model, log):
                reached += 1
                log.add(verdict)
    except (AgentFailed, ScriptError, ToolsError) as error:
        failure = "timeout" if live.record.termination == "timeout" else "error"
        log.add(broken_verdict(live.record, error))
        log.verdicts += _not_reached(scenario, reached)
    else:
        if scenario.skipped_checks:
            log.add(_not_looked_at(scenario.skipped_checks))
    verdicts = tuple(log.verdicts)
    outcome = judged_outcome(verdicts)
    if failure == "none" and outcome not in (Outcome.PASS, Outcome.SKIPPED):
        failure = "error" if outcome is Outcome.ERROR else "assertion"
    return _result(scenario, outcome, live.record, verdicts, failure, clock() - started)


def _held(
    scenario: SuiteScenario, live: LiveConversation, model: ScriptedModel, log: VerdictLog
) -> Iterator[Verdict]:
    """Hold the conversation; the verdicts as they come. Raises what the agent and the script raise."""
    before = len(live.turns)
    for turn in scenario.turns:
        if turn.model is not None:
            _refuse_unused(model, live)
            model.script(*turn.model)
        reply = live.say(turn.say, tools=turn.tools or None)
        yield from judge_checks(turn.checks, reply, judge=_judge_for(turn.checks, log), before=before)
    if scenario.checks:
        judge = _judge_for(scenario.checks, log)
        yield from judge_checks(scenario.checks, live.last, judge=judge, whole=True, before=before)
    _refuse_unused(model, live)


def with_verdict(result: Result, verdict: Verdict) -> Result:
    """The result with one more hard verdict that did not pass."""
    verdicts = (*result.verdicts, verdict)
    outcome = judged_outcome(verdicts)
    return msgspec.structs.replace(result, verdicts=verdicts, outcome=outcome, failure="error")


def _judge_for(checks: Sequence[SuiteCheck], log: VerdictLog) -> object:
    """The judge when a check wants one, or why it cannot be had."""
    if not any(check.matcher.judged for check in checks):
        return None
    try:
        return log.find_judge()
    except Exception as error:  # settings, criteria and cassettes are somebody's files
        return error


def unrun(
    scenario: SuiteScenario, outcome: Outcome, reason: str, claim: str = "the scenario to be run"
) -> Result:
    """The result of a scenario that was not run: `skipped`, or `error` for want of what `claim` says."""
    broken = outcome is Outcome.ERROR
    verdicts = (Verdict(outcome, reason, claim=claim),)
    conversation = Conversation(id=scenario.id, name=scenario.id)
    return _result(scenario, outcome, conversation, verdicts, "error" if broken else "none", None)


def _result(
    scenario: SuiteScenario,
    outcome: Outcome,
    conversation: Conversation,
    verdicts: tuple[Verdict, ...],
    failure: FailureType,
    duration: float | None,
) -> Result:
    id_ = stable_id(path_of_scenario(scenario))
    return Result(
        id=id_,
        key=scenario.id,
        outcome=outcome,
        conversation=conversation,
        verdicts=verdicts,
        failure=failure,
        description=scenario.description,
        file=scenario.file,
        fingerprint=fingerprint(scenario.content),
        test=id_,
        duration=duration,
    )


def _context(scenario: SuiteScenario, model: ScriptedModel) -> AgentContext:
    return AgentContext(
        test_name=scenario.id,
        test_file=scenario.file,
        test_line=scenario.line,
        scenario=scenario.content,
        model=model,
    )


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
    if not missed:
        return []
    said = "1 check was not reached" if missed == 1 else f"{missed} checks were not reached"
    return [Verdict(Outcome.SKIPPED, said, claim="every check to be made", mode="soft")]
