"""Holding a conversation that a file describes turn by turn: a golden, or a scenario of a suite."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from grice.agents import AgentContext, AgentFailed, bind_agent
from grice.files.golden_records import Golden
from grice.files.settings import Settings
from grice.formats import read_message
from grice.identity import stable_id, stable_path
from grice.records import Conversation, FailureType, Outcome, Result, Verdict
from grice.running.live import LiveConversation
from grice.running.outcomes import judged_outcome
from grice.running.task import ConversationTask
from grice.running.tool_answers import ToolsError
from grice.wire import ScriptedModel, ScriptError

if TYPE_CHECKING:
    from grice.agents.server import Server
    from grice.files.suite_records import SuiteScenario
    from grice.running.assistance import Assistance


Play = Callable[[LiveConversation, ScriptedModel], Iterator[Verdict]]
"""Holds the conversation with its scripted model; the verdicts as they come."""


class Limits(TypedDict, total=False):
    """The settings of one conversation; time-outs are seconds."""

    turn_timeout: float
    timeout: float
    model_port: int | None
    model_key: str
    strict: bool


def settings_with(file: str, limits: Limits) -> Settings:
    """The settings of one conversation that stands in the file, and in no project."""
    return Settings(Path(file).parent, **limits)


def path_of_scenario(scenario: SuiteScenario) -> str:
    """The canonical path of which its stable id is made: it follows suite and id, not the file."""
    return stable_path(scenario.suite, scenario=scenario.id)


def scripted_id(what: Golden | SuiteScenario) -> str:
    """The stable id: it follows the golden's own id, or the scenario's and its suite's, not the file."""
    return stable_id(stable_path("golden", what.id) if isinstance(what, Golden) else path_of_scenario(what))


def hold_scripted(
    what: Golden | SuiteScenario,
    target: object,
    settings: Settings,
    play: Play,
    *,
    beside: Assistance | None = None,
    find_judge: Callable[[], object] | None = None,
    unreached: Callable[[int], Iterable[Verdict]] = lambda _: (),
    clock: Callable[[], float] = time.perf_counter,
) -> Result:
    """Hold the conversation with the agent that `target` is or makes, and keep what `play` judges.

    `beside` has its judge and cassette, `find_judge` finds another judge. An agent that fails, and a script
    that does not fit, give an `error` verdict beside the transcript and end it; `unreached` says what is
    missing after so many verdicts. Raises AgentLoadError when the agent cannot be built, and what a cassette
    that cannot be used raises.
    """
    started = clock()
    model = ScriptedModel()
    task = ConversationTask(
        what.id,
        settings,
        id=what.id,
        model=model,
        find_judge=find_judge or (beside.judge if beside is not None else None),
        find_cassette=beside.find_cassette if beside is not None else None,
        clock=clock,
    )
    agent = bind_agent(target, _context(what, model, settings.find_server()))
    history = [message for raw in what.history for message in read_message(raw)]
    failure: FailureType = "none"
    log = task.log
    try:
        with task.open(LiveConversation, agent, history=history) as live, live:
            for verdict in play(live, model):
                log.add(verdict)
    except (AgentFailed, ScriptError, ToolsError) as error:
        failure = "timeout" if task.record.termination == "timeout" else "error"
        reached = len(log.verdicts)
        log.add(task.broken(error))
        log.verdicts += unreached(reached)
    log.conversation = None  # which has its log: both go at once now, before the collector of garbage comes
    verdicts = tuple(log.verdicts)
    outcome = judged_outcome(verdicts)
    if failure == "none" and outcome not in (Outcome.PASS, Outcome.SKIPPED):
        failure = "error" if outcome is Outcome.ERROR else "assertion"
    return _result(what, outcome, task.record, verdicts, failure, clock() - started)


def not_held(what: Golden | SuiteScenario, outcome: Outcome, reason: str, claim: str) -> Result:
    """The result of a conversation that was not held: `skipped`, or `error` for want of what `claim` says."""
    conversation = Conversation(id=what.id, name=what.id)
    failure: FailureType = "error" if outcome is Outcome.ERROR else "none"
    return _result(what, outcome, conversation, (Verdict(outcome, reason, claim=claim),), failure, None)


def _result(
    what: Golden | SuiteScenario,
    outcome: Outcome,
    conversation: Conversation,
    verdicts: tuple[Verdict, ...],
    failure: FailureType,
    duration: float | None,
) -> Result:
    id_ = scripted_id(what)
    return Result(
        id=id_,
        key=what.id,
        outcome=outcome,
        conversation=conversation,
        verdicts=verdicts,
        failure=failure,
        description=what.description,
        file=what.file,
        fingerprint=what.fingerprint,
        duration=duration,
        test=id_,
    )


def _context(what: Golden | SuiteScenario, model: ScriptedModel, server: Server | None) -> AgentContext:
    return AgentContext(
        test_name=what.id,
        test_file=what.file,
        test_line=what.line,
        scenario=None if isinstance(what, Golden) else what.content,
        model=model,
        server=server,
    )
