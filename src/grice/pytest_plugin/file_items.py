"""What goldens and scenarios have in common as pytest items: fixtures, the agent, the failure in words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from _pytest.fixtures import FixtureLookupError, TopRequest
from msgspec.structs import replace

from grice.agents import AgentContext, AgentLoadError, bind_agent
from grice.files.settings import Settings
from grice.pytest_plugin.attempts import HELD_ADDRESS, PLAYED
from grice.pytest_plugin.failures import Lines
from grice.pytest_plugin.judging import llm_of
from grice.pytest_plugin.projects import NoAgent, projects_of, settings_of
from grice.pytest_plugin.session import GOLDEN_MODEL, log_of
from grice.pytest_plugin.summary import KIND
from grice.records import MODEL_ADDRESS, Exchange, JsonValue, Outcome, Result
from grice.reporting.text import result_text, verdict_lines
from grice.running.file_work import agent_problem
from grice.running.outcomes import NO_AGENT
from grice.running.planned_conversations import Held
from grice.running.prompt_agent import target_of
from grice.running.scripted import not_held
from grice.text import visible
from grice.wire import ScriptedModel, ScriptError
from grice.wire.dialects import Dialect
from grice.wire.model_protocols import ScriptedAnswer

if TYPE_CHECKING:
    from grice.files.golden_records import Golden
    from grice.files.suite_records import SuiteScenario
    from grice.wire.upstream import Upstream


class ConversationFailed(AssertionError):
    """A golden or scenario did not pass. `result` says why."""

    def __init__(self, kind: str, result: Result) -> None:
        super().__init__(f"{kind} {result.key}: {result.outcome}")
        self.result = result


class ConversationItem(pytest.Item):
    """A conversation that a file describes; its name is its id there, `kind` what it is called.

    `repeat` says which time it is held, from 1.

    Autouse fixtures work for it as they do for a doctest, and an overridden `agent`.
    """

    kind: ClassVar[str]
    left_out = ""
    """Why it is not to be run."""

    def __init__(
        self,
        *,
        what: Golden | SuiteScenario,
        repeat: int,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.what = what
        self.repeat = repeat
        self.obj = None
        self.funcargs: dict[str, object] = {}
        self._own_agent = what.agent
        self._line = what.line
        self._agent: object = None
        info = self.session._fixturemanager.getfixtureinfo(node=self, func=None, cls=None)
        self._fixtureinfo = info
        self.fixturenames = info.names_closure
        self._request = TopRequest(self, _ispytest=True)  # type: ignore[arg-type]  # as pytest's doctest items

    def setup(self) -> None:
        """Set the autouse fixtures up, and find the agent: command line, file, fixture, settings."""
        self.stash[KIND] = self.kind
        self.stash[GOLDEN_MODEL] = PassingOn()
        self._request._fillfixtures()
        projects = projects_of(self.config)
        prompt = getattr(self.what, "prompt", None)
        own = self._own_agent is not None or prompt is not None
        if not (projects.names_agent or own) and self._overrides_agent():
            self._agent = FromFixture(self._request.getfixturevalue("agent"), self.stash[GOLDEN_MODEL])
            return
        try:
            find_llm = partial(llm_of, self, "prompt_llm")
            self._agent = target_of(self.what.file, self._own_agent, prompt, projects, find_llm)
        except AgentLoadError as error:
            problem = agent_problem(error, self._own_agent)
            self._keep(not_held(self.what, Outcome.ERROR, problem, NO_AGENT))
            raise NoAgent(f"{self.kind} {self.name}: {problem}", pytrace=False) from None

    def _overrides_agent(self) -> bool:
        found = self.session._fixturemanager.getfixturedefs("agent", self)
        return found is not None and bool(found) and found[-1].func.__module__ != "grice.pytest_plugin"

    @abstractmethod
    def played(self, agent: object, settings: Settings) -> Held:
        """What came of the conversation with the agent."""

    def runtest(self) -> None:
        """Hold the conversation. Raises ConversationFailed."""
        settings = settings_of(self.config, self.path)
        log = log_of(self)
        result, notes = self.played(self._agent, settings)
        if notes:
            self.add_report_section("call", "grice update", "\n  ".join(map(visible, notes)))
        result = self._keep(result)
        log.verdicts.extend(result.verdicts)
        self.stash[HELD_ADDRESS] = str(result.conversation.metadata.get(MODEL_ADDRESS, ""))
        if result.outcome is Outcome.SKIPPED:
            raise pytest.skip.Exception("every check of it was skipped", _use_item_location=True)
        if result.outcome is not Outcome.PASS:
            raise ConversationFailed(self.kind, result)
        if set(self.config.option.reportchars) & set(
            "PA"
        ):  # pytest shows passed tests' sections with these only
            self.add_report_section("call", "grice verdicts", "\n".join(verdict_lines(result.verdicts)))

    def result_left_out(self) -> Result:
        """Its result where its `run_mode`, or that of another one, leaves it out."""
        return self._keep(not_held(self.what, Outcome.SKIPPED, self.left_out, "the scenario to be run"))

    def _keep(self, result: Result) -> Result:
        self.stash[PLAYED] = replace(result, repeat=self.repeat, file=str(self.location[0]))
        return self.stash[PLAYED]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failed verdicts beside the transcript."""
        error = excinfo.value
        if isinstance(error, ConversationFailed):
            return Lines(result_text(error.result), str(self.path), self._line)
        if isinstance(error, AgentLoadError):
            return Lines(str(error), str(self.path), self._line)
        if isinstance(error, FixtureLookupError):
            return error.formatrepr()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, self._line - 1, f"{self.kind} {self.name}"


class PassingOn(ScriptedModel):
    """The `scripted_model` of an item's fixtures: requests go on to the model with the file's script.

    What it says of itself is what that model does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to: ScriptedModel | None = None

    def pass_on_to(self, model: ScriptedModel) -> None:
        """Send requests to this model from now on."""
        self.to = model
        self.exchanges = model.exchanges
        self.problems = model.problems

    @property
    def asked(self) -> int:
        """How many requests there were."""
        return super().asked if self.to is None else self.to.asked

    @property
    def unused(self) -> int:
        """How many scripted replies have not been asked for."""
        return super().unused if self.to is None else self.to.unused

    def pass_on(self) -> Upstream | None:
        """The real model that the next request goes to."""
        return super().pass_on() if self.to is None else self.to.pass_on()

    def take(
        self, request: dict[str, JsonValue], dialect: Dialect, *, elapsed: Callable[[], float] | None = None
    ) -> ScriptedAnswer:
        """What the file's script says to a request."""
        if self.to is None:
            return super().take(request, dialect, elapsed=elapsed)
        return self.to.take(request, dialect, elapsed=elapsed)

    def keep(self, exchange: Exchange) -> None:
        """Record an exchange of the other model."""
        return super().keep(exchange) if self.to is None else self.to.keep(exchange)

    def amend(
        self, exchange: Exchange, *, error: str | None = None, duration: float | None = None
    ) -> Exchange:
        """Say of an exchange of the other model that it went wrong after all, or how long it took."""
        amend = super().amend if self.to is None else self.to.amend
        return amend(exchange, error=error, duration=duration)

    def add_problem(self, problem: ScriptError) -> None:
        """Keep what the file's script does not answer."""
        return super().add_problem(problem) if self.to is None else self.to.add_problem(problem)


class FromFixture:
    """The agent that a fixture made, for each replay of the item."""

    def __init__(self, made: object, model: ScriptedModel) -> None:
        self._made = made
        self._model = model

    def build(self, context: AgentContext) -> Bound:
        """The agent, with its model's script taken from the file."""
        if isinstance(self._model, PassingOn) and context.model is not None:
            self._model.pass_on_to(context.model)
        return Bound(self._made, context)


class Bound:
    """An agent with `chat`, whatever the fixture returned."""

    def __init__(self, made: object, context: AgentContext) -> None:
        self._bound = bind_agent(made, context)
        self.chat = self._bound.call
        self.metadata = self._bound.metadata

    def around(self) -> AbstractContextManager[Any]:
        """The agent's own `around()`."""
        return self._bound.around()
