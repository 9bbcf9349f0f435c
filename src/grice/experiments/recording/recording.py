"""Recording an experiment from a runner of one's own, and looking at the one that runs.

pytest with a store and `grice run` keep their results themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from contextvars import Token
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from grice.agents import AgentFailed
from grice.experiments.attempts import Attempt, attempt_of
from grice.experiments.loading import results_in
from grice.experiments.results import ExperimentResults
from grice.files.scenario_sets import scenario_fingerprint
from grice.files.settings import Settings
from grice.identity import stable_id, stable_path
from grice.judging.criterion import Criterion, collect_criteria
from grice.matching.context import record_of
from grice.matching.failure import ExpectationFailed
from grice.matching.recording import CURRENT, Recorder
from grice.matching.verdicts import error_text
from grice.records import Conversation, Outcome, Result, Scenario, Verdict
from grice.running.following import graph_of
from grice.running.journal.experiment import Experiment, ModelUsed, new_experiment
from grice.running.journal.folders import running_session
from grice.running.journal.form import Begun
from grice.running.journal.writing import Journal
from grice.running.outcomes import ending_of
from grice.running.run_head import run_head
from grice.running.run_names import name_problem
from grice.running.run_one import ConversationConfig
from grice.running.runs_folder import runs_folder
from grice.running.simulated import Simulated
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import VerdictLog, broken_verdict
from grice.text import visible
from grice.users.protocol import SimulatorError
from grice.wire import ScriptError

_PLAYED = (AgentFailed, ScriptError, ToolsError, SimulatorError)

"""What a conversation raises where it cannot go on."""


class RecordedAttempt:
    """A context manager that collects the verdicts of its block and keeps their Result.

    `result` is what it came to, None while it goes on. `begin` is told when the block begins, `end` when it
    ends, with None where it was interrupted. See `Recording.attempt`. Raises TypeError for what is no
    conversation, no scenario, key or number, and ValueError for an empty key and a repeat below 1.
    """

    def __init__(
        self,
        begin: Callable[[Begun], None],
        end: Callable[[Begun, Result | None], None],
        scenario: Scenario | str,
        conversation: object,
        *,
        repeat: int = 1,
        suite: str = "",
    ) -> None:
        if record_of(conversation) is None:
            raise TypeError(
                f"an attempt is made of a Conversation, found {type(conversation).__name__}; "
                "grice.read_conversation(messages) makes one of a list of messages"
            )
        if not isinstance(scenario, Scenario):
            check_text("an attempt is made at a Scenario, or at its key, which", scenario)
        check_repeat(repeat)
        if not isinstance(suite, str):
            raise TypeError(f"suite is a text, found {type(suite).__name__}")
        self.result: Result | None = None
        self._begin, self._end = begin, end
        self._scenario = scenario
        self._conversation = conversation
        self._begun = _begun(scenario, suite, repeat)
        self._log = VerdictLog(self._begun.key)
        self._token: Token[Recorder | None] | None = None

    def __enter__(self) -> Self:
        self._begin(self._begun)
        self._token = CURRENT.set(self._log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._token is not None:
            CURRENT.reset(self._token)
        if error is not None and not isinstance(error, Exception):
            self._end(self._begun, None)
            return False  # interrupted: it was not finished
        record = record_of(self._conversation) or Conversation()
        verdicts = _verdicts(self._log, record, self._begun.key, error)
        self.result = _result(self._begun, self._scenario, record, verdicts)
        self._end(self._begun, self.result)
        return isinstance(error, (AssertionError, *_PLAYED))


def check_text(what: str, given: object) -> None:
    """Raise TypeError for what is no text, ValueError for an empty one."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is a text, found {type(given).__name__}")
    if not given.strip():
        raise ValueError(f"{what} is not empty, found {given!r}")


def check_repeat(given: object, where: str = "") -> None:
    """Raise TypeError for what is no number, ValueError for one below 1."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError(f"{where}repeats are numbers from 1, found {type(given).__name__}")
    if given < 1:
        raise ValueError(f"{where}repeats count from 1, found {given}")


def _begun(scenario: Scenario | str, suite: str, repeat: int) -> Begun:
    key, set_name = (scenario, "") if isinstance(scenario, str) else (scenario.key, scenario.set_name)
    return Begun(stable_id(stable_path(suite or set_name, scenario=key)), key, repeat, set_name)


def _verdicts(
    log: VerdictLog, record: Conversation, key: str, raised: Exception | None
) -> tuple[Verdict, ...]:
    log.settle()
    claim = f"{key} to hold"
    match raised:
        case None:
            log.tell_uncalled()
        case ExpectationFailed():
            if raised.verdict not in log.verdicts:
                log.add(raised.verdict)
        case AssertionError():
            log.add(Verdict(Outcome.FAIL, str(raised) or "an assertion does not hold", claim=claim))
        case AgentFailed() | ScriptError() | ToolsError() | SimulatorError():
            log.add(broken_verdict(record, raised))
        case _:
            log.add(Verdict(Outcome.ERROR, f"the runner raised {error_text(raised)}", claim=claim))
    return tuple(log.verdicts)


def _result(
    begun: Begun, scenario: Scenario | str, record: Conversation, verdicts: tuple[Verdict, ...]
) -> Result:
    known = scenario if isinstance(scenario, Scenario) else None
    ending = ending_of(record, verdicts)
    return Result(
        id=begun.id,
        key=begun.key,
        outcome=ending.outcome,
        conversation=record,
        verdicts=verdicts,
        failure=ending.failure,
        description=str(known.get("name") or "") if known is not None else "",
        file=known.file if known is not None else "",
        fingerprint=scenario_fingerprint(known) if known is not None else "",
        repeat=begun.repeat,
        set_name=known.set_name if known is not None else "",
        counts=ending.counts,
    )


class ExperimentError(RuntimeError):
    """Recorded in a wrong order, or twice. The message says what there is, and what to do."""

    __module__ = "grice"


class Recording:
    """An experiment that is being recorded: what `start_experiment` gives. Safe for threads.

    As a context manager it is finished at the end; an exception leaves it unfinished, and says so in a note.
    """

    def __init__(self, experiment: Experiment, journal: Journal | None) -> None:
        self.experiment = experiment
        """What it is, as the head of its journal has it."""
        self._heads: tuple[Experiment, ...] = (experiment,)
        self._journal = journal
        self._attempts: dict[tuple[str, int], Attempt] = {}
        self._begun: dict[tuple[str, int], str] = {}
        self._going: set[tuple[str, int]] = set()
        self._is_open = True
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path | None:
        """Where its journal is; None where nothing is kept."""
        return None if self._journal is None else self._journal.path.parent

    @property
    def results(self) -> ExperimentResults:
        """What is recorded so far, which later results do not change; after `finish` what that returned."""
        with self._lock:
            return self._results()

    def record(self, result: Result) -> None:
        """Keep one result: when this returns, its line stands in the journal.

        Raises ExperimentError when the experiment is finished, or has a result of this id and repeat already,
        TypeError for what is no Result, ValueError for an empty id or key and a repeat below 1, and
        JournalError where the journal cannot be written; the result does not count then.
        """
        if not isinstance(result, Result):
            raise TypeError(f"an experiment records a grice.Result, found {type(result).__name__}")
        check_text("the id of a result", result.id)
        check_text("the key of a result", result.key)
        check_repeat(result.repeat, f"{visible(result.key, newlines=False)}: ")
        with self._lock:
            self._keep(result)

    def attempt(
        self, scenario: Scenario | str, conversation: object, *, repeat: int = 1, suite: str = ""
    ) -> RecordedAttempt:
        """Record what the checks of a `with` block come to, as one attempt at a scenario.

        `scenario` is one, or its key. `conversation` is a Conversation, or a LiveConversation that the block
        goes on with. `suite` is the first part of the stable id, the name of the scenario's set where it is
        not given. In the block `expect(...)` and `evaluate(...)` record their verdicts. A check or an
        `assert` that fails ends the block, and so does an agent that fails: that is the attempt's outcome,
        and the code behind the block goes on. Any other exception is recorded as an error, and raised on.
        The journal says when the block begins. Raises as `record` does, before the block begins.
        """
        with self._lock:
            self._check_open()
        return RecordedAttempt(self._begin, self._end, scenario, conversation, repeat=repeat, suite=suite)

    def finish(self) -> ExperimentResults:
        """End it: what was recorded is all there is. Returns what it comes to.

        Where `planned` was given and fewer were recorded, or an attempt was begun and not finished, it stays
        incomplete. Raises ExperimentError when it
        is finished already, and JournalError where the journal cannot be written.
        """
        with self._lock:
            self._check_open()
            self._close()
            if self.experiment.planned is not None:
                return self._results()
            finished = len(self._attempts)
            planned = finished + len(self._unfinished())
            closing = msgspec.structs.replace(self.experiment, planned=planned, finished_before=finished)
            if self._journal is not None:  # a further head says how many there were to be
                Journal.resume(self._journal.path.parent, closing, worker=self._journal.path.stem).close()
            self._heads = (self.experiment, closing)
            return self._results()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_open:
            return
        if error is None:
            self.finish()
            return
        with self._lock:
            self._close()
        kept = "not kept" if self.folder is None else f"kept in {self.folder}"
        unfinished = f"the experiment {self.experiment.id} is unfinished"
        error.add_note(f"{unfinished}; what was recorded ({len(self._attempts)}) is {kept}")

    def __repr__(self) -> str:
        state = "" if self._is_open else ", ended"
        return f"<Recording {self.experiment.id}: {len(self._attempts)} attempts{state}>"

    def _check_open(self) -> None:
        if not self._is_open:
            raise ExperimentError(
                f"the experiment {self.experiment.id} is finished, and takes no more: "
                "start another with grice.start_experiment()"
            )

    def _begin(self, begun: Begun) -> None:
        with self._lock:
            self._check_open()
            place = (begun.id, begun.repeat)
            self._check_new(place, begun.key)
            if self._journal is not None:
                self._journal.begin(begun)
            self._going.add(place)
            again = f" (repeat {begun.repeat})" if begun.repeat > 1 else ""
            self._begun[place] = f"{begun.key}{again}"

    def _end(self, begun: Begun, result: Result | None) -> None:
        with self._lock:
            self._going.discard((begun.id, begun.repeat))
            if result is not None:
                self._keep(result)

    def _keep(self, result: Result) -> None:
        self._check_open()
        place = (result.id, result.repeat)
        self._check_new(place, result.key)
        attempt = attempt_of(result)
        if self._journal is not None:
            self._journal.append(result)
        self._attempts[place] = attempt

    def _check_new(self, place: tuple[str, int], key: str) -> None:
        """Nothing that was recorded is replaced: it might be the one that failed."""
        what = "is being recorded" if place in self._going else "is recorded already"
        if place in self._going or place in self._attempts:
            used = {repeat for id_, repeat in (*self._attempts, *self._going) if id_ == place[0]}
            raise ExperimentError(
                f"{visible(key, newlines=False)}: repeat {place[1]} of this scenario {what}: give each "
                f"attempt at it a repeat of its own, such as repeat={max(used) + 1}"
            )

    def _unfinished(self) -> tuple[str, ...]:
        return tuple(name for place, name in self._begun.items() if place not in self._attempts)

    def _close(self) -> None:
        self._is_open = False
        if self._journal is not None:
            self._journal.close()
        _current.forget(self)

    def _results(self) -> ExperimentResults:
        attempts = tuple(self._attempts.values())
        source = "" if self._journal is None else str(self._journal.path.parent)
        unfinished = self._unfinished()
        return ExperimentResults(
            self._heads, attempts, done=len(attempts), unfinished=unfinished, source=source
        )


def start_experiment(
    name: str = "",
    tags: Iterable[str] = (),
    *,
    store: bool | Path | str = True,
    planned: int | None = None,
    criteria: Iterable[Criterion] = (),
    topics: object = None,
    agent: str = "",
    models: Mapping[str, ModelUsed] | None = None,
    seed: int | None = None,
    id: str = "",  # noqa: A002 - the field's name
    clock: Callable[[], datetime] | None = None,
) -> Recording:
    """Begin an experiment of a runner of one's own; it is the current one until it is finished.

    `store` says where its journal is: below `.grice/runs`, below a folder, or nowhere (False). `planned` is
    how many results there will be, repeats included, where that is known: with fewer it is not complete.
    `criteria`, `topics` (a graph, a dict of topics, or a file), `agent` (what it is called) and `models` (by
    use: judge, user) tell a later comparison what was run. `id` and `clock` replace what is random, and the
    time. Raises ExperimentError while another is being recorded, JournalError where the journal cannot be
    written, TypeError, ValueError, CriterionError, TopicGraphError or GraphErrors for what cannot be, a name
    or tag that always means something else, such as `latest`, included.
    """
    tags = (tags,) if isinstance(tags, str) else _all_of(tags)
    _check_head(name, tags, planned)
    with _current.lock:
        if _current.recording is not None:
            raise ExperimentError(
                f"the experiment {_current.recording.experiment.id} is being recorded: finish it before "
                "another is started, with grice.finish_experiment()"
            )
        experiment = new_experiment(
            name=name,
            tags=tags,
            id=id,
            clock=clock,
            models=models,
            planned=planned,
            seed=seed,
            agent=agent,
            recorded=True,
            **recorded_head(criteria, topics),
        )
        _current.recording = Recording(experiment, _journal(store, experiment))
        _current.ended = ""
        return _current.recording


def _all_of(tags: Iterable[str]) -> tuple[str, ...]:
    if not isinstance(tags, Iterable):
        raise TypeError(f"tags are texts, found {type(tags).__name__}")
    return tuple(tags)


def _check_head(name: object, tags: Iterable[object], planned: object) -> None:
    for what, given in (("name", name), *(("tag", tag) for tag in tags)):
        if not isinstance(given, str):
            raise TypeError(f"the {what} of an experiment is a text, found {type(given).__name__}")
        problem = name_problem(given) if given or what == "tag" else ""
        if problem:
            raise ValueError(f"{what}: {problem}")
    if planned is None:
        return
    if isinstance(planned, bool) or not isinstance(planned, int):
        raise TypeError(f"planned is a number of results, found {type(planned).__name__}")
    if planned < 0:
        raise ValueError(f"planned is a number of results, found {planned}")


def record_result(result: Result) -> None:
    """Record a result in the experiment that was started; see `Recording.record`.

    Raises ExperimentError when none was started.
    """
    _started("record_result").record(result)


def finish_experiment() -> ExperimentResults:
    """Finish the experiment that was started; see `Recording.finish`.

    Raises ExperimentError when none was started.
    """
    return _started("finish_experiment").finish()


def current_experiment() -> ExperimentResults:
    """What is recorded so far: of the experiment that was started here, else of the running pytest session.

    A session is read from its journal, with what all its workers have finished. Raises ExperimentError when
    there is neither, and JournalError where the journal cannot be read.
    """
    with _current.lock:
        recording = _current.recording
    if recording is not None:
        return recording.results
    folder = running_session()
    if folder is None:
        raise ExperimentError(f"there is no current experiment{_current.told}; {_HOW}")
    if not any(folder.glob("*.jsonl")):
        raise ExperimentError(f"nothing is recorded yet: no test of this session has begun ({folder})")
    return results_in(folder)


class _Current:
    """The experiment that is recorded in this process now, and the id of the last that was."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.recording: Recording | None = None
        self.ended = ""

    @property
    def told(self) -> str:
        """That there was one."""
        return f": {self.ended} is finished" if self.ended else ""

    def forget(self, recording: Recording) -> None:
        """It has ended."""
        with self.lock:
            if self.recording is recording:
                self.recording, self.ended = None, recording.experiment.id


_current = _Current()

_HOW = "begin one with grice.start_experiment(), or run pytest with --grice-store"


def _started(asked: str) -> Recording:
    with _current.lock:
        recording = _current.recording
    if recording is not None:
        return recording
    folder = running_session()
    if folder is not None:
        raise ExperimentError(
            f"{asked}: no experiment was started; pytest keeps the results of its tests itself, in {folder}"
        )
    raise ExperimentError(
        f"{asked}: no experiment is being recorded{_current.told}; begin one with grice.start_experiment()"
    )


def _journal(store: bool | Path | str, experiment: Experiment) -> Journal | None:
    if store is False:
        return None
    root = runs_folder(None if store is True else store)
    return Journal.create(root / experiment.id, experiment)


def recorded_head(criteria: Iterable[Criterion], topics: object) -> dict[str, Any]:
    """The fields of an Experiment that follow from what a runner says that it uses; {} where it says nothing.

    `topics` is a graph, a dict of topics, or a file. Raises CriterionError for what is no criterion,
    TopicGraphError for what is no graph, and GraphErrors for a file with mistakes.
    """
    given = list(collect_criteria(list(criteria)).values())
    if not given and topics is None:
        return {}
    here = Path.cwd()
    described = ConversationConfig(
        name="",
        find_agent=lambda: None,
        settings=Settings(here),
        find_judge_llm=lambda: None,
        find_user_llm=lambda: None,
        find_criteria=lambda: given,
        file=here,
        simulated=Simulated(topics=None if topics is None else graph_of(topics, tuple)),
    )
    head = run_head([described])
    return {name: value for name, value in head.items() if name not in ("models", "prompts")}
