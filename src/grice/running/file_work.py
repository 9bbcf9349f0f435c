"""Goldens and scenarios of files as work: which agent they are held with, and what an update rewrites."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grice.agents import AgentLoadError
from grice.files.document import Document, FileError, FileErrors, WholeFileError, load_file
from grice.files.golden_records import Golden
from grice.files.goldens import GoldenErrors, load_goldens
from grice.files.settings import Settings
from grice.files.settings_files import SettingsError
from grice.files.update import exclusively, updated_golden
from grice.loops.deadline import DeadlineExceeded
from grice.matching.redacted import redaction_of
from grice.records import JsonValue, Outcome, Result, Verdict
from grice.running.failures import stops_the_run
from grice.running.outcomes import NO_AGENT, judged_outcome
from grice.running.planned_conversations import Held, NotHeld, Observe
from grice.running.projects import path_at
from grice.running.prompt_agent import target_of
from grice.running.scripted import not_held
from grice.text import visible
from grice.user_files import replacing

if TYPE_CHECKING:
    from grice.files.prompt_files import PromptFile
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
    from grice.wire.cassettes.errors import CassetteError

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

    def agent_of(self, what: FileWork) -> object:
        """Who is to answer in it. Raises AgentLoadError and SettingsError."""
        find_llm = partial(self.llms.llm, path_at(what.file), "prompt_llm")
        return target_of(what.file, what.agent, what.prompt, self.projects, find_llm)

    def add_problem(self, problem: str) -> None:
        """Keep why an agent could not be had."""
        if problem not in self.problems:
            self.problems.append(problem)


class Shelf:
    """The scenarios of suite files that are right: a few hundred are held, of more those of one file.

    The others are read again when their turn comes, so that a run of many files needs the memory of one.
    """

    def __init__(self, read: Callable[[Path], list[SuiteScenario]]) -> None:
        self._read = read
        self._held: dict[str, list[SuiteScenario]] = {}
        self._lock = threading.Lock()

    def hold(self, file: str, scenarios: list[SuiteScenario]) -> None:
        """Hold the scenarios of a file, and only them when all were too many."""
        if len(scenarios) + sum(map(len, self._held.values())) > _MOST_HELD:
            self._held.clear()
        self._held[file] = scenarios

    def scenario(self, file: str, number: int, fingerprint: str) -> SuiteScenario:
        """The scenario with the number, from 0, in the file.

        Raises FileError and FileErrors when the file was changed since it was read first.
        """
        with self._lock:
            if file not in self._held:
                self._held.clear()
                self._held[file] = self._read(Path(file))
            found = self._held[file]
        if number < len(found) and found[number].fingerprint == fingerprint:
            return found[number]
        raise WholeFileError(file, "it was changed while the run went on")


_MOST_HELD = 200


@dataclass(frozen=True, eq=False, slots=True)
class FileWork:
    """A golden or scenario that is to be held, for the `repeat`th time; `left_out` says why it is not.

    It is small, because a run has all of its works from beginning to end: a scenario is on the shelf, as the
    one with this `number`, from 0, in its file.
    """

    door: Door
    id: str
    """The stable id."""
    key: str
    """The golden's or scenario's own id."""
    fingerprint: str
    file: str
    agent: object
    prompt: PromptFile | None
    source: Golden | Shelf
    number: int = 0
    judged: bool = False
    """Whether a judge is wanted, or the file says what one may be asked."""
    left_out: str = ""
    repeat: int = 1

    @property
    def group(self) -> str:
        """The name of the file."""
        return path_at(self.file).stem

    @property
    def identity(self) -> Finished:
        """What a journal knows it by."""
        return self.id, self.repeat, self.fingerprint

    @property
    def place(self) -> str:
        """Its file and id, for people."""
        return f"{self.file}: {self.key}"

    def found(self) -> Golden | SuiteScenario:
        """What is to be held. Raises FileError and FileErrors when its file was changed meanwhile."""
        if isinstance(self.source, Golden):
            return self.source
        return self.source.scenario(self.file, self.number, self.fingerprint)

    def play(self) -> Held:
        """Hold it. An agent that cannot be had is an error of this work, and a problem of the door.

        Raises NotHeld when its file cannot be read again, which is a problem of the door too.
        """
        try:
            what = self.found()
        except (FileError, FileErrors) as error:
            self.door.add_problem(str(error))
            raise NotHeld from error
        if self.left_out:
            return self._result(not_held(what, Outcome.SKIPPED, self.left_out, "the scenario to be run"))
        try:
            result, notes = self._played(what)
            return self._result(result, notes)
        except AgentLoadError as error:
            reason = agent_problem(error, self.agent)
        except BaseException as error:
            if isinstance(error, Exception | DeadlineExceeded) or stops_the_run(error):
                raise  # a run that is stopped interrupts what is under way
            name = type(error).__name__
            reason = f"the agent ended the program while it was made ({name}: {visible(str(error))})"
        self.door.add_problem(reason)
        return self._result(not_held(what, Outcome.ERROR, reason, NO_AGENT))

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

    def _played(self, what: Golden | SuiteScenario) -> Held:
        door, path = self.door, path_at(self.file)
        target = door.agent_of(self)
        settings = door.projects.of(path)
        if isinstance(what, Golden):
            return replay(what, target, settings, update=door.update)
        return play(what, target, settings, door.llms, mode=door.mode, update=door.update)

    def _result(self, result: Result, notes: Sequence[str] = ()) -> Held:
        """What came of it; its names are the texts of the work, which a run holds anyway."""
        changed = {} if result.fingerprint != self.fingerprint else {"fingerprint": self.fingerprint}
        names = {"id": self.id, "key": self.key, "test": self.id, "repeat": self.repeat}
        return Held(msgspec.structs.replace(result, **names, **changed), notes)


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
