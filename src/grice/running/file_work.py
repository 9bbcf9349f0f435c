"""Goldens and scenarios of files as work: which agent they are held with, and what an update rewrites."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grice.agents import AgentLoadError
from grice.files.document import Document, FileError, load_file
from grice.files.golden_records import Golden
from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.files.update import exclusively, updated_golden
from grice.files.writing import replacing
from grice.loops.deadline import DeadlineExceeded
from grice.matching.redacted import redaction_of
from grice.records import JsonValue, Outcome, Result, Verdict
from grice.running.failures import stops_the_run
from grice.running.outcomes import NO_AGENT, judged_outcome
from grice.running.planned_conversations import Held, Observe
from grice.running.projects import path_at
from grice.running.prompt_agent import target_of
from grice.running.scripted import not_held, scripted_id
from grice.text import visible

if TYPE_CHECKING:
    from grice.files.suite_records import SuiteScenario
    from grice.running.journal.reading import Finished
    from grice.running.project_llms import ProjectLLMs
    from grice.running.projects import Projects


def replay(golden: Golden, target: object, settings: Settings, *, update: bool = False) -> Held:
    """Held the golden within the settings' time-outs.

    With `update` a golden that did not pass has its observations rewritten and is replayed once more. Raises
    AgentLoadError when the agent cannot be built.
    """
    from grice.running.golden import replay_golden

    result = replay_golden(golden, target, settings)
    if not update or result.outcome is Outcome.PASS:
        return Held(result)
    notes = update_golden(golden, result)
    try:
        rewritten = next((one for one in load_goldens(golden.file) if one.id == golden.id), None)
    except GoldenErrors as error:
        return Held(result, [*notes, *str(error).split("\n")])
    if rewritten is None or rewritten.content == golden.content:
        return Held(result, notes)
    return Held(replay_golden(rewritten, target, settings), notes)


def play(
    scenario: SuiteScenario,
    target: object,
    settings: Settings,
    llms: ProjectLLMs,
    *,
    mode: str = "",
    update: bool = False,
    judge_llm: Callable[[], object] | None = None,
) -> Held:
    """Run the scenario within the settings' time-outs, with the judge that its project configures.

    `judge_llm` finds another LLM that judges; `mode` and `update` say how its cassette is used. Raises
    AgentLoadError when the agent cannot be built.
    """
    from grice.judging.criterion import collect_criteria
    from grice.running.assistance import Assistance
    from grice.running.suite import play_scenario
    from grice.wire.cassettes import CassetteError

    path = path_at(scenario.file)
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
        result = play_scenario(scenario, target, settings, beside=beside)
    except (CassetteError, SettingsError) as error:
        return Held(not_held(scenario, Outcome.ERROR, str(error), claim="a cassette to play it with"))
    notes, stale = beside.close(passed=result.outcome is Outcome.PASS)
    if stale and result.outcome is Outcome.PASS:
        verdicts = (*result.verdicts, Verdict(Outcome.ERROR, stale, claim="the cassette to fit the scenario"))
        outcome = judged_outcome(verdicts)
        result = msgspec.structs.replace(result, verdicts=verdicts, outcome=outcome, failure="error")
    return Held(result, notes)


def agent_problem(error: AgentLoadError, own: object) -> str:
    """Why the agent of a golden or scenario cannot be had; `own` is the one that its file gives."""
    said = str(error)
    if own is None and said.startswith("no agent is configured"):
        return f"{said}, or in the file itself as agent: module:attribute"
    return said


GRACE = 1.0

"""Seconds in which a conversation that is cancelled has to leave its agent."""


@dataclass(eq=False)
class Door:
    """What the works of one command have in common. `problems` say why agents could not be had, each once.

    `mode` and `update` are the command line's words on cassettes and goldens.
    """

    projects: Projects
    llms: ProjectLLMs
    mode: str = ""
    update: bool = False
    problems: list[str] = field(default_factory=list)

    def agent_of(self, what: Golden | SuiteScenario) -> object:
        """Who is to answer in it. Raises AgentLoadError and SettingsError."""
        return target_of(what, self.projects, lambda: self.llms.llm(path_at(what.file), "prompt_llm"))

    def add_problem(self, problem: str) -> None:
        """Keep why an agent could not be had."""
        if problem not in self.problems:
            self.problems.append(problem)


@dataclass(frozen=True, eq=False)
class FileWork:
    """A golden or scenario that is to be held, for the `repeat`th time; `left_out` says why it is not."""

    what: Golden | SuiteScenario
    door: Door
    left_out: str = ""
    repeat: int = 1

    @cached_property
    def _identity(self) -> Finished:
        return scripted_id(self.what), self.repeat, self.what.fingerprint

    @property
    def id(self) -> str:
        """The stable id."""
        return self._identity[0]

    @property
    def key(self) -> str:
        """The golden's or scenario's own id."""
        return self.what.id

    @property
    def group(self) -> str:
        """The name of the file."""
        return path_at(self.what.file).stem

    @property
    def identity(self) -> Finished:
        """What a journal knows it by."""
        return self._identity

    @property
    def place(self) -> str:
        """Its file and id, for people."""
        return f"{self.what.file}: {self.what.id}"

    def play(self) -> Held:
        """Hold it. An agent that cannot be had is an error of this work, and a problem of the door."""
        if self.left_out:
            return self._result(not_held(self.what, Outcome.SKIPPED, self.left_out, "the scenario to be run"))
        try:
            result, notes = self._played()
            return self._result(result, notes)
        except AgentLoadError as error:
            reason = agent_problem(error, self.what.agent)
        except BaseException as error:
            if isinstance(error, Exception | DeadlineExceeded) or stops_the_run(error):
                raise  # a run that is stopped interrupts what is under way
            name = type(error).__name__
            reason = f"the agent ended the program while it was made ({name}: {visible(str(error))})"
        self.door.add_problem(reason)
        return self._result(not_held(self.what, Outcome.ERROR, reason, NO_AGENT))

    async def hold(self, observe: Observe) -> Held:  # noqa: ARG002 - as every work has it
        """The same in a thread of its own, which has a moment to leave its agent when this is cancelled."""
        from grice.loops.caller import call_in_thread, is_cancellation, until_over

        over = threading.Event()

        def call() -> Held:
            try:
                return self.play()
            finally:
                over.set()

        try:
            return await call_in_thread(call)
        except BaseException as error:
            if is_cancellation(error):
                await until_over(over, GRACE)
            raise

    def _played(self) -> Held:
        what, door, path = self.what, self.door, path_at(self.what.file)
        target = door.agent_of(what)
        settings = door.projects.of(path)
        if isinstance(what, Golden):
            return replay(what, target, settings, update=door.update)
        return play(what, target, settings, door.llms, mode=door.mode, update=door.update)

    def _result(self, result: Result, notes: Sequence[str] = ()) -> Held:
        return Held(msgspec.structs.replace(result, repeat=self.repeat), notes)


def update_golden(golden: Golden, result: Result) -> list[str]:
    """Rewrite in the golden's file what it observed, and say what was done, one note a line.

    Nothing is rewritten when the agent failed or a check ended in an error: then there is nothing to go by.
    """
    broken = next((verdict for verdict in result.verdicts if verdict.outcome is Outcome.ERROR), None)
    if broken is not None or result.failure in ("error", "timeout"):
        why = f": {broken.reason.splitlines()[0]}" if broken is not None and broken.reason else ""
        return [f"{golden.id}: not rewritten, because the run ended in an error{why}"]
    try:
        with exclusively(golden.file):  # workers of xdist rewrite goldens of one file
            return _rewrite(golden, result)
    except FileError as error:
        return [f"{golden.id}: not rewritten: {error}"]
    except OSError as error:
        return [f"{golden.id}: not rewritten: {golden.file}: {error.strerror or error}"]


def _rewrite(golden: Golden, result: Result) -> list[str]:
    document = load_file(golden.file)
    if not _still_holds(document, golden):
        return [f"{golden.id}: not rewritten, because {golden.file} was changed since it was read"]
    played = result.conversation.turns[-len(golden.turns) :]
    hide = redaction_of(result.conversation).text
    text, notes = updated_golden(document, golden, [turn.text for turn in played], hide)
    if text is None:
        return [f"{golden.id}: nothing to rewrite", *notes]
    with replacing(Path(golden.file)) as stream:
        stream.write(text.encode())
    return [f"{golden.id}: rewrote {golden.file}", *notes]


def _still_holds(document: Document, golden: Golden) -> bool:
    """Whether the golden still stands at its place in the file, with the content it was read with."""
    value: JsonValue = document.value
    for step in golden.place:
        if not isinstance(value, list) or not isinstance(step, int) or step >= len(value):
            return False
        value = value[step]
    return bool(value == golden.content)
