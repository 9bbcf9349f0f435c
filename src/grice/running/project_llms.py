"""The LLMs and criteria that projects configure, each made once for all conversations of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from os import scandir
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from grice.judging.criterion import CriterionLevel
from grice.matching.protocols import BoundLLM, BudgetSpent, LLMError, missing_reason
from grice.records import LLMRequest, LLMResponse
from grice.running.projects import Projects
from grice.text import estimated_tokens

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.judging.calibration_cards import CardShelf
    from grice.judging.criterion import Criterion
    from grice.judging.judge import Judge
    from grice.llm import Budget
    from grice.wire.cassettes import Cassette


Role = Literal["judge_llm", "user_llm", "prompt_llm"]


class ProjectLLMs:
    """What the settings of projects name, loaded at first use.

    One LLM serves all conversations of its project, so that they share its limits and its budget.
    """

    def __init__(self, projects: Projects) -> None:
        self._projects = projects
        self._llms: dict[tuple[Path, Role], BoundLLM] = {}
        self._criteria: dict[Path, Mapping[str, Criterion]] = {}
        self._lock = threading.RLock()  # conversations in threads ask at the same time

    def llm(self, path: Path, role: Role) -> BoundLLM:
        """The LLM for a file, in that role; without one it is one that says how to configure it.

        Raises SettingsError for a setting from which no LLM can be made.
        """
        with self._lock:
            return self._llm(path, role)

    def _llm(self, path: Path, role: Role) -> BoundLLM:
        from grice.llm import LLMConfigError, bind_llm, llm_named, no_llm

        settings = self._projects.of(path)
        key = settings.root, role
        if key not in self._llms:
            named = getattr(settings, role)
            if named is None:
                self._llms[key] = no_llm(role.removesuffix("_llm"))
                return self._llms[key]
            try:
                self._llms[key] = bind_llm(llm_named(named, settings.root))
            except LLMConfigError as error:
                raise settings.problem_with(role, str(error), error.key) from error
        return self._llms[key]

    def criteria(self, path: Path) -> Mapping[str, Criterion]:
        """The criteria that the settings name for a file, by name. Raises SettingsError."""
        settings = self._projects.of(path)
        if settings.root not in self._criteria:
            found: Mapping[str, Criterion] = {}
            if settings.criteria:
                from grice.agents import AgentLoadError
                from grice.judging.criterion import CriterionError, collect_criteria

                try:
                    loaded = self._projects.load(settings.criteria, settings.root, "object")
                    found = collect_criteria(cast("CriterionLevel", loaded))
                except (CriterionError, AgentLoadError) as error:
                    raise settings.problem_with("criteria", str(error)) from error
            self._criteria[settings.root] = found
        return self._criteria[settings.root]


def make_judge(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette] | None,
    criteria: CriterionLevel,
    settings: Settings,
) -> Judge:
    """The judge that asks the LLM that is found, or plays what the cassette has of it.

    A prompt that cannot be used is missed where an LLM is to be asked, as an LLM that cannot be had: code
    judges all the same.
    """
    from grice.judging.judge import Judge

    llm = reachable_llm(find_llm, find_cassette, "judge")
    samples, prompts = settings.judge_samples, settings.judge_prompts
    cards = cards_of(settings)
    try:
        return Judge(llm, criteria=criteria, samples=samples, prompts=prompts, cards=cards)
    except LookupError as error:
        wrong = settings.problem_with("judge_prompts", str(error))
        return Judge(UnavailableLLM(wrong, "judge"), criteria=criteria, samples=samples, cards=cards)


def cards_of(settings: Settings) -> CardShelf:
    """The calibration cards of a project."""
    folder = settings.root / settings.cards
    return _shelf(folder, _content(folder), settings.require_card, settings.advisory)


@lru_cache(maxsize=64)
def _shelf(
    folder: Path,
    content: object,  # noqa: ARG001 - a part of the key
    require: bool | float,
    advisory: bool | tuple[str, ...],
) -> CardShelf:
    """The cards in the folder, read once for many conversations, and again when its content changes."""
    from grice.judging.calibration_cards import shelf_of

    return shelf_of(folder, require=require, advisory=advisory)


def _content(folder: Path) -> tuple[tuple[str, int], ...]:
    """What lies in the folder, and since when; nothing where there is no such folder."""
    try:
        with scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat().st_mtime_ns) for one in entries))
    except OSError:
        return ()


def reachable_llm(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette] | None,
    kind: Literal["judge", "user"],
) -> BoundLLM:
    """The LLM that is found, or what the cassette has of it.

    A scripted LLM needs no cassette and goes through none. An LLM or a cassette that cannot be had is missed
    when it is asked.
    """
    from grice.llm import ScriptedLLM, bind_llm

    try:
        llm: BoundLLM = bind_llm(find_llm(), name=f"{kind}_llm")
    except Exception as error:  # settings and fixtures are somebody's
        llm = UnavailableLLM(error, kind)
    if find_cassette is None or isinstance(llm.inner if isinstance(llm, SpendingLLM) else llm, ScriptedLLM):
        return llm
    from grice.wire.cassettes import CassetteLLM

    try:
        return CassetteLLM(llm, find_cassette(), kind)
    except Exception as error:  # so are cassettes and scrub rules
        return UnavailableLLM(error, kind)


class UnavailableLLM:
    """Stands where there is no LLM to be had: asking it raises LLMError that says why."""

    provider = ""
    model = ""

    def __init__(self, error: Exception, kind: Literal["judge", "user"]) -> None:
        self.name = f"no {kind}"
        said = str(error)
        own = type(error).__module__.partition(".")[0] == "grice"
        self._reason = said if own and said else f"{kind}_llm: {type(error).__name__}: {said}".rstrip(": ")
        self.missing = self._reason

    async def ask(self, request: LLMRequest) -> LLMResponse:  # noqa: ARG002 - as every LLM has it
        """Raise LLMError."""
        raise LLMError(self._reason)


class WatchedLLM:
    """An LLM that tells when it was not asked because a budget is spent; a judge makes a verdict of that."""

    def __init__(self, llm: BoundLLM, tell_spent: Callable[[], None]) -> None:
        self._llm = llm
        self._tell_spent = tell_spent
        self.name, self.provider, self.model = llm.name, llm.provider, llm.model
        self.missing = missing_reason(llm)

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer."""
        try:
            return await self._llm.ask(request)
        except BudgetSpent:
            self._tell_spent()
            raise


class SpendingLLM:
    """An LLM whose answers are paid from a budget: asking it raises BudgetSpent when nothing is left."""

    def __init__(self, llm: BoundLLM, budget: Budget) -> None:
        self.inner = llm
        self._budget = budget
        self.name, self.provider, self.model = llm.name, llm.provider, llm.model
        self.missing = missing_reason(llm)

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer, counted; tokens that it does not report are estimated."""
        self._budget.check_left()
        response = await self.inner.ask(request)
        told = response.metadata
        if not told.replayed:
            read, written = told.input_tokens, told.output_tokens
            guessed = read is None or written is None
            if read is None:
                read = sum(estimated_tokens(str(one.get("content", ""))) for one in request.messages)
            self._budget.count(
                told.model or self.model,
                read,
                estimated_tokens(response.text) if written is None else written,
                estimated=guessed,
            )
        return response
