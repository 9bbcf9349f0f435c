"""What a scenario of a suite has beside its agent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grice.judging.criterion import collect_criteria
from grice.judging.judge import Judge
from grice.running.cassette_files import cassette_path, open_cassette, recorded_lines
from grice.running.judges import make_judge
from grice.running.project_llms import ProjectLLMs
from grice.running.settings import Settings, SettingsError
from grice.suites.suite_records import SuiteScenario
from grice.wire.cassettes import Cassette, CassetteError

__all__ = ["Assistance"]


class Assistance:
    """The judge of a scenario's checks, and the cassette of what is said in it.

    `mode` and `update` are the command line's words on cassettes, see `open_cassette`. `judge_llm` finds the
    LLM that judges in the place of the project's.
    """

    def __init__(
        self,
        scenario: SuiteScenario,
        llms: ProjectLLMs,
        settings: Settings,
        *,
        mode: str,
        update: bool,
        judge_llm: Callable[[], object] | None = None,
    ) -> None:
        self._scenario = scenario
        self._llms = llms
        self._settings = settings
        self._mode = mode
        self._update = update
        self._judge_llm = judge_llm
        self._cassette: Cassette | None = None

    @property
    def cassette(self) -> Cassette:
        """The scenario's cassette, opened at first use. Raises CassetteError and SettingsError."""
        if self._cassette is None:
            self._cassette = open_cassette(
                self._place, self._settings, test=self._scenario.id, mode=self._mode, update=self._update
            )
        return self._cassette

    @property
    def _place(self) -> Path:
        return cassette_path(Path(self._scenario.file), self._settings.cassettes, self._scenario.id)

    def judge(self) -> Judge:
        """The judge that the settings name, with the criteria of the settings and the suite."""
        path = Path(self._scenario.file)
        return make_judge(
            self._judge_llm or (lambda: self._llms.llm(path, "judge_llm")),
            lambda: self.cassette,
            collect_criteria(self._llms.criteria(path), self._scenario.criteria),
            self._settings,
        )

    def close(self, *, passed: bool) -> tuple[list[str], str]:
        """Write what was recorded: a note a line, and what is wrong with calls that nobody made any more.

        A scenario that passed has to have made all of them, also when it has not opened its cassette.
        """
        if self._cassette is None and not (passed and self._place.exists()):
            return [], ""
        try:
            recorded = self.cassette.finish(whole=passed)
        except (CassetteError, SettingsError) as error:
            return [], str(error)
        notes = recorded_lines(recorded) if recorded is not None else []
        findings = list(map(str, self.cassette.findings())) if passed else []
        if self.cassette.strict:
            return notes, "\n".join(findings)
        return [*notes, *findings], ""
