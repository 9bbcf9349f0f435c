"""Golden files as pytest items: one item a golden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grice.agents import AgentLoadError
from grice.pytest_plugin.session import activate, configured_agent, log_of, settings_of
from grice.records import Outcome, Result
from grice.reporting.text import result_text, verdict_lines
from grice.running.golden import run_golden
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, load_goldens

__all__ = ["GoldenFailed", "GoldenFile", "GoldenItem", "is_named_golden"]


class GoldenFailed(AssertionError):
    """A golden did not pass. `result` says why."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"golden {result.key}: {result.outcome}")
        self.result = result


def is_named_golden(config: pytest.Config, path: Path) -> bool:
    """Whether `goldens` in [tool.grice] names the file."""
    settings = settings_of(config)
    if not settings.goldens or not path.is_relative_to(settings.root):
        return False
    return any(path.relative_to(settings.root).match(pattern) for pattern in settings.goldens)


class GoldenFile(pytest.File):
    """A file of goldens."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a golden. Everything wrong with the file is one collection error."""
        activate(self.config)
        try:
            goldens = load_goldens(self.path)
        except GoldenErrors as error:
            raise self.CollectError(str(error)) from error
        for golden in goldens:
            yield GoldenItem.from_parent(self, name=golden.id, golden=golden)


class GoldenItem(pytest.Item):
    """One golden."""

    def __init__(self, *, golden: Golden, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.golden = golden

    def runtest(self) -> None:
        """Replay the golden; with --grice-update rewrite what it observed. Raises GoldenFailed."""
        settings = settings_of(self.config)
        target = configured_agent(self.config, self.golden.agent)
        result = run_golden(self.golden, target, turn_timeout=settings.turn_timeout, timeout=settings.timeout)
        if self.config.getoption("--grice-update") and result.outcome is not Outcome.PASS:
            result = self._update(result, target)
        log_of(self).verdicts.extend(result.verdicts)
        self.add_report_section("call", "grice verdicts", "\n".join(verdict_lines(result.verdicts)))
        if result.outcome is not Outcome.PASS:
            raise GoldenFailed(result)

    def _update(self, result: Result, target: object) -> Result:
        from grice.running.update import update_golden

        notes = update_golden(self.golden, result)
        self.add_report_section("call", "grice update", "\n".join(notes))
        again = next(golden for golden in load_goldens(self.path) if golden.id == self.golden.id)
        return run_golden(again, target)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failed verdicts beside the transcript."""
        error = excinfo.value
        if isinstance(error, GoldenFailed):
            return result_text(error.result)
        if isinstance(error, AgentLoadError | pytest.UsageError):
            return str(error)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the golden stands."""
        return self.path, self.golden.line - 1, f"golden {self.golden.id}"
