"""Golden files as pytest items: one item a golden."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from _pytest.fixtures import FixtureLookupError, TopRequest

from grice.agents import AgentContext, AgentLoadError, bind_agent
from grice.pytest_plugin.failures import Lines
from grice.pytest_plugin.projects import projects_of, settings_of
from grice.pytest_plugin.session import GOLDEN_MODEL, HELD_ADDRESS, activate, log_of
from grice.records import MODEL_ADDRESS, Exchange, JsonValue, Outcome, Result
from grice.reporting.text import result_text, verdict_lines
from grice.running.replay import replay
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, load_goldens
from grice.text import visible
from grice.wire import ScriptedModel, ScriptError
from grice.wire.dialects import Dialect
from grice.wire.scripted import Taken

__all__ = ["GoldenFailed", "GoldenFile", "GoldenItem"]


class GoldenFailed(AssertionError):
    """A golden did not pass. `result` says why."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"golden {result.key}: {result.outcome}")
        self.result = result


class GoldenFile(pytest.File):
    """A file of goldens."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a golden. Everything wrong with the file is one collection error."""
        activate(self.config)
        settings_of(self.config, self.path)
        try:
            goldens = load_goldens(self.path)
        except GoldenErrors as error:
            raise self.CollectError(str(error)) from error
        for golden in goldens:
            yield GoldenItem.from_parent(self, name=golden.id, golden=golden)


class GoldenItem(pytest.Item):
    """One golden. Autouse fixtures work for it as they do for a doctest, and an overridden `agent`."""

    def __init__(self, *, golden: Golden, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.golden = golden
        self.obj = None
        self.funcargs: dict[str, object] = {}
        self._agent: object = None
        info = self.session._fixturemanager.getfixtureinfo(node=self, func=None, cls=None)
        self._fixtureinfo = info
        self.fixturenames = info.names_closure
        self._request = TopRequest(self, _ispytest=True)  # type: ignore[arg-type]  # as pytest's doctest items

    def setup(self) -> None:
        """Set the autouse fixtures up, and find the agent: command line, golden, fixture, settings."""
        self.stash[GOLDEN_MODEL] = PassingOn()
        self._request._fillfixtures()
        projects = projects_of(self.config)
        if not projects.names_agent and self.golden.agent is None and self._overrides_agent():
            self._agent = FromFixture(self._request.getfixturevalue("agent"), self.stash[GOLDEN_MODEL])
            return
        try:
            self._agent = projects.agent_for(self.path, self.golden.agent)
        except AgentLoadError as error:
            message = f"golden {self.golden.id}: {error}"
            raise pytest.fail.Exception(message, pytrace=False) from None

    def _overrides_agent(self) -> bool:
        found = self.session._fixturemanager.getfixturedefs("agent", self)
        return found is not None and bool(found) and found[-1].func.__module__ != "grice.pytest_plugin"

    def runtest(self) -> None:
        """Replay the golden; with --grice-update rewrite what it observed. Raises GoldenFailed."""
        update = bool(self.config.getoption("--grice-update"))
        settings = settings_of(self.config, self.path)
        log = log_of(self)
        result, notes = replay(self.golden, self._agent, settings, update=update)
        if notes:
            self.add_report_section("call", "grice update", "\n  ".join(map(visible, notes)))
        log.verdicts.extend(result.verdicts)
        self.stash[HELD_ADDRESS] = str(result.conversation.metadata.get(MODEL_ADDRESS, ""))
        if result.outcome is not Outcome.PASS:
            raise GoldenFailed(result)
        if set(self.config.option.reportchars) & set(
            "PA"
        ):  # pytest shows passed tests' sections with these only
            self.add_report_section("call", "grice verdicts", "\n".join(verdict_lines(result.verdicts)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failed verdicts beside the transcript."""
        error = excinfo.value
        if isinstance(error, GoldenFailed):
            return Lines(result_text(error.result))
        if isinstance(error, AgentLoadError):
            return Lines(f"golden {self.golden.id}: {error}")
        if isinstance(error, FixtureLookupError):
            return error.formatrepr()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the golden stands."""
        return self.path, self.golden.line - 1, f"golden {self.golden.id}"


class PassingOn(ScriptedModel):
    """The `scripted_model` of a golden's fixtures: requests go on to the model with the golden's script.

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

    def take(
        self, request: dict[str, JsonValue], dialect: Dialect, *, elapsed: Callable[[], float] | None = None
    ) -> Taken:
        """What the golden's script says to a request."""
        if self.to is None:
            return super().take(request, dialect, elapsed=elapsed)
        return self.to.take(request, dialect, elapsed=elapsed)

    def keep(self, exchange: Exchange) -> None:
        """Record an exchange of the golden's model."""
        return super().keep(exchange) if self.to is None else self.to.keep(exchange)

    def amend(
        self, exchange: Exchange, *, error: str | None = None, duration: float | None = None
    ) -> Exchange:
        """Say of an exchange of the golden's model that it went wrong after all, or how long it took."""
        amend = super().amend if self.to is None else self.to.amend
        return amend(exchange, error=error, duration=duration)

    def add_problem(self, problem: ScriptError) -> None:
        """Keep what the golden's script does not answer."""
        return super().add_problem(problem) if self.to is None else self.to.add_problem(problem)


class FromFixture:
    """The agent that a fixture made, for each replay of the golden."""

    def __init__(self, made: object, model: ScriptedModel) -> None:
        self._made = made
        self._model = model

    def build(self, context: AgentContext) -> Bound:
        """The agent, with its model's script taken from the golden."""
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
