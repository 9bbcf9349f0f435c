"""The work of `grice validate drift`: judge a frozen set of anchors anew, compare with what was accepted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grice.cli.exit_codes import FAILED, INTERRUPTED, PASSED, UNUSABLE
from grice.cli.output import check_markdown, print_problems, write_told
from grice.cli.shown_document import beside, check_forms, show_document
from grice.cli.validate_drift import Command
from grice.files.document import FileErrors
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.judging.drift import Drift, Snapshot, compare, obstacles
from grice.judging.judge import Judge, check_samples
from grice.matching.protocols import missing_reason
from grice.records import Verdict
from grice.reporting.console import PlainScreen, Screen, print_line, print_problem, screen_for
from grice.reporting.documents.drift import drift_document, issue_document
from grice.reporting.renderers.html import NoJinja
from grice.reporting.renderers.markdown import document_markdown
from grice.text import visible
from grice.user_files import real_path, replacing
from grice.validation.drifting.anchors import AnchorSet, read_anchors
from grice.validation.drifting.baseline import baseline_json, drift_json, read_baseline
from grice.validation.drifting.rejudging import Rejudged, planned, rejudge
from grice.validation.judges.items import Item, orphan_notes
from grice.validation.judges.project import JudgingProject, judging_project

NO_JUDGE = (
    'no judge is configured: set judge_llm = "provider:model" in grice.toml or [tool.grice] of '
    "pyproject.toml, or name one with --llm provider:model"
)
_MAX_ANSWERS = 20_000  # more would make a baseline that is too large to be read


class _Unusable(Exception):
    """What is asked for cannot be done; the text says why, a problem a line."""


class _Files(NamedTuple):
    anchors: Path
    baseline: Path
    issue: Path
    issue_named: bool


class _Ready(NamedTuple):
    """All that is needed to ask, and to compare. `options` are those of the command that say who is asked."""

    anchors: AnchorSet
    judge: Judge
    samples: int
    concurrency: int
    before: Snapshot | None
    options: tuple[str, ...] = ()


def show_drift(given: Command) -> int:
    """Judge the anchors anew, compare with the baseline, print what came of it; the exit code.

    The baseline is compared with first, and replaced only with --accept, by a run in which every anchor was
    answered. Where it is told that something dropped, the body of an issue is written.
    """
    accept = given.accept
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        files = _files(given)
        _check_files(files, given)
        ready = _ready(files, given)
        for note in orphan_notes(one.item for one in ready.anchors.anchors):
            print_line(errors, visible(note, newlines=False), style="yellow")
        found = _asked(ready, errors)
        told = beside(given, console, errors)
        if ready.before is None:
            return _begun(told, errors, files, found)
        drift = compare(ready.before, found.snapshot)
        show_document(given, drift_document(drift), lambda: drift_json(drift), console, drift.problems)
        return _concluded(told, errors, files, ready, found, drift, accept=accept)
    except _Unusable as error:
        print_problems(errors, str(error).split("\n"))
    except FileErrors as error:
        print_problems(errors, error.errors)
    except NoJinja as error:
        print_problem(errors, f"error: {error}")
    except OSError as error:
        print_problem(errors, f"error: the results cannot be written: {error}")
    except KeyboardInterrupt:
        print_problem(errors, "interrupted: nothing is compared, the baseline is as it was")
        return INTERRUPTED
    return UNUSABLE


# -- before anyone is asked


def _files(given: Command) -> _Files:
    """The files that are read and written; those that are not named stand beside the anchors."""
    anchors = given.anchors
    if not anchors.name:
        raise _Unusable(f"{anchors} is a folder: name the file of anchors")
    baseline = given.baseline or anchors.with_suffix(".baseline.json")
    issue = given.issue or anchors.with_suffix(".drift.md")
    return _Files(anchors, baseline, issue, given.issue is not None)


def _check_files(files: _Files, given: Command) -> None:
    """Raise OSError, or _Unusable, for a file that cannot be written, before it is needed."""
    if files.baseline.suffix.lower() != ".json":
        raise _Unusable(f"--baseline is a .json file, found {files.baseline}")
    forms = (given.json, given.html, given.output)
    named = [files.baseline, files.issue, *(one for one in forms if one is not None)]
    if len({real_path(one) for one in (*named, files.anchors)}) <= len(named):
        raise _Unusable("anchors, baseline, --issue and outputs are files of their own: two of them are one")
    if given.accept:
        check_output(files.baseline, [files.anchors])
    check_forms(given, "drift", [files.anchors, files.baseline])
    if files.issue_named:
        check_markdown(files.issue, "drift", [files.anchors, files.baseline])


def _ready(files: _Files, given: Command) -> _Ready:
    """Everything read and compared as far as it can be without scores. Raises what is wrong with it."""
    project = _project(given.llm, given.criteria)
    anchors = read_anchors(files.anchors, project.criteria, given.judge)
    before = _baseline(files, accept=given.accept)
    if before is not None:
        plan = planned(anchors.anchors, anchors.judges)
        problems = obstacles(before, plan)
        if problems:
            way_out = _way_out(files, refrozen=before.fingerprint != plan.fingerprint)
            raise _Unusable("\n".join([*problems, way_out]))
    if project.judge.llm is None or missing_reason(project.judge.llm):
        raise _Unusable(NO_JUDGE)
    usual = max((one.samples for one in before.judges.values()), default=1) if before is not None else None
    count = given.samples if given.samples is not None else usual or project.samples
    try:
        check_samples(count)
    except ValueError as error:
        raise _Unusable(str(error)) from None
    if count * len(anchors.anchors) > _MAX_ANSWERS:
        raise _Unusable(
            f"{len(anchors.anchors):,} anchors, {count} samples each: more than {_MAX_ANSWERS:,} answers"
        )
    options = _options(
        judge=given.judge, llm=given.llm, criteria=given.criteria, samples=str(given.samples or "")
    )
    return _Ready(anchors, project.judge, count, project.concurrency, before, options)


def _options(**given: str) -> tuple[str, ...]:
    return tuple(word for name, value in given.items() if value for word in (f"--{name}", value))


def _project(llm: str, criteria: str) -> JudgingProject:
    """The project around the current folder, its judge and criteria, or those of the options."""
    from grice.agents import AgentLoadError
    from grice.judging.criterion import CriterionError
    from grice.llm import LLMConfigError

    try:
        return judging_project(Path.cwd(), llm=llm, criteria=criteria)
    except LLMConfigError as error:
        raise _Unusable(f"--llm: {error}") from None
    except (CriterionError, AgentLoadError) as error:
        raise _Unusable(f"--criteria: {error}") from None
    except SettingsError as error:
        raise _Unusable(str(error)) from None


def _baseline(files: _Files, *, accept: bool) -> Snapshot | None:
    """What was accepted; None where nothing was, and it is to be now."""
    if files.baseline.exists():
        return read_baseline(files.baseline)
    if accept:
        return None
    raise _Unusable(f"there is no baseline {files.baseline}: run with --accept to make one")


def _way_out(files: _Files, *, refrozen: bool) -> str:
    back = "the anchors are frozen: put them back as they were, or " if refrozen else ""
    return f"{back}remove {files.baseline} and run with --accept to begin anew; the baseline is as it was"


# -- asking


def _asked(ready: _Ready, errors: Screen) -> Rejudged:
    whole = len(ready.anchors.anchors) * ready.samples
    tell, clear = _progress(errors, whole)
    try:
        return rejudge(
            ready.judge,
            ready.anchors.anchors,
            ready.anchors.judges,
            samples=ready.samples,
            concurrency=ready.concurrency,
            tell=tell,
        )
    finally:
        clear()


def _progress(errors: Screen, whole: int) -> tuple[Callable[[Item, int, Verdict], None], Callable[[], None]]:
    """What counts the answers on a terminal, and what wipes the count."""
    if isinstance(errors, PlainScreen) or not errors.is_terminal:
        return lambda *_: None, lambda: None
    status = errors.status(f"0 of {whole} answers")
    status.start()
    done = 0

    def tell(item: Item, number: int, verdict: Verdict) -> None:  # noqa: ARG001 - as it is called
        nonlocal done
        done += 1
        status.update(f"{done} of {whole} answers")

    return tell, status.stop


# -- after


def _begun(console: Screen, errors: Screen, files: _Files, found: Rejudged) -> int:
    """Make the first baseline, if every anchor was answered."""
    missing = _missing(found.snapshot)
    if missing:
        print_problems(errors, [*missing, "no baseline is made of answers that are missing"])
        return UNUSABLE
    judged = ", ".join(found.snapshot.judges)
    told = f"{len(found.snapshot.anchors)} anchors of {judged}"
    print_line(console, visible(f"Accepted as the first baseline: {told}.", newlines=False))
    write_told(console, files.baseline, lambda: baseline_json(found.snapshot))
    return PASSED


def _concluded(
    console: Screen,
    errors: Screen,
    files: _Files,
    ready: _Ready,
    found: Rejudged,
    drift: Drift,
    *,
    accept: bool,
) -> int:
    """Write what dropped as an issue, and only then replace the baseline."""
    if drift.drops:
        _write_issue(console, errors, files, drift, ready, found)
    problems = [*drift.problems]
    if accept and not problems:
        problems += _missing(found.snapshot)
    if problems:
        print_problems(errors, [*problems, "it cannot be told of everything; the baseline is as it was"])
        return UNUSABLE
    if accept:
        write_told(console, files.baseline, lambda: baseline_json(found.snapshot))
        print_line(console, "Accepted: the next run is compared with this one.")
    return FAILED if drift.drops else PASSED


def _missing(snapshot: Snapshot) -> list[str]:
    """Every scenario with an answer missing: a baseline has none."""
    return [
        f"{judge}, {scenario}: {scores.missing} of {scores.missing + len(scores.given)} answers are missing: "
        f"{'; '.join(scores.failures[:1])}"
        for judge, state in snapshot.judges.items()
        for scenario, scores in state.scenarios.items()
        if scores.missing
    ]


def _write_issue(
    console: Screen, errors: Screen, files: _Files, drift: Drift, ready: _Ready, found: Rejudged
) -> None:
    """Write the body of the issue; where its usual place cannot be written it is printed."""
    names = str(files.anchors), str(files.baseline)
    issue = issue_document(drift, ready.anchors.anchors, found.verdicts, files=names, options=ready.options)
    body = document_markdown(issue)
    try:
        if not files.issue_named:
            check_markdown(files.issue, "drift", [files.anchors, files.baseline])
        with replacing(files.issue) as stream:
            stream.write(body.encode())
    except OSError as error:
        if files.issue_named:
            raise
        print_problem(errors, f"the issue cannot be written, name a place with --issue FILE.md: {error}")
        console.print(body, soft_wrap=True)
        return
    print_line(console, visible(f"The body of an issue is in {files.issue}", newlines=False))
