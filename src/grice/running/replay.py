"""Replaying a golden, and running a scenario, as both doors do it: `grice run` and pytest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grice.identity import fingerprint
from grice.records import Conversation, Outcome, Result, Verdict
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.golden import golden_id, run_golden
from grice.running.settings import Settings, SettingsError
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, load_goldens

if TYPE_CHECKING:
    from grice.agents import AgentLoadError
    from grice.running.project_llms import ProjectLLMs
    from grice.suites.suite_records import SuiteScenario

__all__ = ["Replay", "agent_problem", "play", "replay", "unplayed"]


class Replay(NamedTuple):
    """What came of a golden or scenario. `notes` say what an update did or why it did nothing, one a line."""

    result: Result
    notes: list[str]


def replay(golden: Golden, target: object, settings: Settings, *, update: bool = False) -> Replay:
    """Replay the golden within the settings' time-outs.

    With `update` a golden that did not pass has its observations rewritten and is replayed once more. Raises
    AgentLoadError when the agent cannot be built.
    """
    result = _replayed(golden, target, settings)
    if not update or result.outcome is Outcome.PASS:
        return Replay(result, [])
    from grice.running.update import update_golden

    notes = update_golden(golden, result)
    try:
        rewritten = next((one for one in load_goldens(golden.file) if one.id == golden.id), None)
    except GoldenErrors as error:
        return Replay(result, [*notes, *str(error).split("\n")])
    if rewritten is None or rewritten.content == golden.content:
        return Replay(result, notes)
    return Replay(_replayed(rewritten, target, settings), notes)


def play(
    scenario: SuiteScenario,
    target: object,
    settings: Settings,
    llms: ProjectLLMs,
    *,
    mode: str = "",
    update: bool = False,
    judge_llm: Callable[[], object] | None = None,
) -> Replay:
    """Run the scenario within the settings' time-outs, with the judge that its project configures.

    `judge_llm` finds another LLM that judges; `mode` and `update` say how its cassette is used. Raises
    AgentLoadError when the agent cannot be built.
    """
    from grice.judging.criterion import collect_criteria
    from grice.running.assistance import Assistance
    from grice.running.suite import run_scenario, unrun, with_verdict
    from grice.wire.cassettes import CassetteError

    path = Path(scenario.file)
    beside = Assistance(
        path,
        scenario.id,
        settings,
        mode=mode,
        update=update,
        find_judge_llm=judge_llm or (lambda: llms.llm(path, "judge_llm")),
        find_criteria=lambda: collect_criteria(llms.criteria(path), scenario.criteria),
    )
    try:
        cassette = beside.cassette if settings.records_agents else None
    except (CassetteError, SettingsError) as error:
        return Replay(unrun(scenario, Outcome.ERROR, str(error), claim="a cassette to play it with"), [])
    result = run_scenario(
        scenario,
        target,
        judge=beside.judge,
        embedder=partial(embedder_of, settings),
        entailment=partial(entailment_of, settings, beside.judge),
        cassette=cassette,
        **_options(settings),
    )
    notes, stale = beside.close(passed=result.outcome is Outcome.PASS)
    if stale and result.outcome is Outcome.PASS:
        result = with_verdict(result, Verdict(Outcome.ERROR, stale, claim="the cassette to fit the scenario"))
    return Replay(result, notes)


def agent_problem(error: AgentLoadError, own: str | None) -> str:
    """Why the agent of a golden or scenario cannot be had; `own` is the one that its file names."""
    said = str(error)
    if own is None and said.startswith("no agent is configured"):
        return f"{said}, or in the file itself as agent: module:attribute"
    return said


def unplayed(golden: Golden, reason: str) -> Result:
    """The result of a golden whose agent could not be had."""
    verdict = Verdict(Outcome.ERROR, reason, claim="an agent to replay the golden with")
    return Result(
        id=golden_id(golden),
        key=golden.id,
        outcome=Outcome.ERROR,
        conversation=Conversation(id=golden.id, name=golden.id),
        verdicts=(verdict,),
        failure="error",
        description=golden.description,
        file=golden.file,
        fingerprint=fingerprint(golden.content),
        test=golden_id(golden),
    )


def _replayed(golden: Golden, target: object, settings: Settings) -> Result:
    result = run_golden(golden, target, **_options(settings))
    return msgspec.structs.replace(result, fingerprint=fingerprint(golden.content))


def _options(settings: Settings) -> dict[str, Any]:
    """What the settings say of every conversation."""
    return {
        "turn_timeout": settings.turn_timeout,
        "timeout": settings.timeout,
        "model_port": settings.model_port,
        "model_key": settings.model_key,
        "strict": settings.strict,
    }
