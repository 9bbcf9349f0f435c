"""The work of `grice validate criteria` and `grice validate judge`: how far judges can be trusted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from grice.agents import AgentLoadError
from grice.cli.exit_codes import FAILED, INTERRUPTED, PASSED, UNUSABLE
from grice.cli.output import print_problems, print_written
from grice.cli.shown_document import beside, check_forms, show_document
from grice.cli.validate_criteria import Command as CriteriaCommand
from grice.cli.validate_judge import Command as JudgeCommand
from grice.files.document import FileErrors, missing_file
from grice.files.settings_files import SettingsError
from grice.files.writing import check_output
from grice.judging.calibration_cards import Card, CardError, card_file, card_json, read_card
from grice.judging.criterion import Criterion, CriterionError
from grice.judging.judge import check_samples
from grice.llm import LLMConfigError
from grice.matching.protocols import missing_reason
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.reporting.documents.judge import criteria_document, judge_document
from grice.reporting.progress import AskingProgress
from grice.reporting.renderers.html import NoJinja
from grice.text import did_you_mean, value_text, visible
from grice.user_files import replacing
from grice.validation.judges.decisions import Split, SplitError, read_split
from grice.validation.judges.gold_labels import MixedLabels
from grice.validation.judges.items import orphan_notes
from grice.validation.judges.json_report import criteria_json, judge_json
from grice.validation.judges.judge_calls import QUALITIES, UnknownJudge
from grice.validation.judges.measurement_input import Unmeasurable, read_material
from grice.validation.judges.measuring import JudgeMeasured
from grice.validation.judges.own_examples import CriteriaMeasured
from grice.validation.judges.project import JudgingProject, judging_project
from grice.validation.judges.recorded_answers import CODE, SeveralJudges
from grice.validation.labelling.journal import now


class _Refused(ValueError):
    """Wrong usage; the text says what is right."""


_UNUSABLE = (
    _Refused,
    UnknownJudge,
    SettingsError,
    AgentLoadError,
    CriterionError,
    CardError,
    LLMConfigError,
    FileErrors,
    MixedLabels,
    SeveralJudges,
    SplitError,
    Unmeasurable,
    NoJinja,
    OSError,
)


def show_criteria(given: CriteriaCommand) -> int:
    """Try criteria on their own examples, print what came out, write it; the exit code."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        project = judging_project(Path.cwd(), llm=given.llm, criteria=given.criteria)
        chosen = _chosen(given.name, project)
        check_forms(given, "validation")
        found = _tried(chosen, project, _samples(given.samples, project), errors)
        problems = [*found.problems, *_broken_examples(found)]
        show_document(given, criteria_document(found), lambda: criteria_json(found), console, problems)
        if given.card:
            problems += _write_example_cards(beside(given, console, errors), found, project.cards)
    except KeyboardInterrupt:
        print_problem(errors, "interrupted: nothing was kept")
        return INTERRUPTED
    except _UNUSABLE as error:
        print_problems(errors, str(error).split("\n"))
        return UNUSABLE
    if not found.measured and not problems:
        problems = [_nothing(chosen)]
    print_problems(errors, problems)
    if problems or not found.complete:
        return UNUSABLE
    return PASSED if found.all_right else FAILED


def show_judge(given: JudgeCommand) -> int:
    """Measure a judge against people's labels, print what came out, write it; the exit code."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        project = judging_project(Path.cwd(), llm=given.llm, criteria=given.criteria)
        inputs = [*given.labels, *given.items, *([given.verdicts] if given.verdicts is not None else [])]
        check_forms(given, "validation", inputs)
        measured = _measured(given, project, errors)
        show_document(given, judge_document(measured), lambda: judge_json(measured), console)
        if given.card:
            _write_people_card(beside(given, console, errors), measured, project.cards)
    except KeyboardInterrupt:
        print_problem(errors, _interrupted(given.verdicts))
        return INTERRUPTED
    except _UNUSABLE as error:
        print_problems(errors, str(error).split("\n"))
        return UNUSABLE
    print_problems(errors, _unanswered(measured))
    return PASSED if measured.held.n else UNUSABLE


# -- measuring


def _chosen(name: str, project: JudgingProject) -> list[Criterion]:
    """The criteria to try. Raises _Refused for a name that none has, and where there are none at all."""
    known = project.criteria
    if not known:
        raise _Refused(
            'there are no criteria: set criteria = "module:attribute" in grice.toml or [tool.grice] of '
            "pyproject.toml, or give --criteria module:attribute"
        )
    if not name:
        return list(known.values())
    if name not in known:
        listed = ", ".join(sorted(known))
        raise _Refused(f"unknown criterion {value_text(name)}{did_you_mean(name, known)}: known are {listed}")
    return [known[name]]


def _samples(given: int | None, project: JudgingProject) -> int:
    samples = project.samples if given is None else given
    try:
        check_samples(samples)
    except ValueError as error:
        raise _Refused(f"--samples: {error}") from None
    return samples


def _tried(
    chosen: Sequence[Criterion], project: JudgingProject, samples: int, errors: Screen
) -> CriteriaMeasured:
    from grice.validation.judges.own_examples import measure_criteria

    progress = AskingProgress(errors)
    try:
        return measure_criteria(
            chosen, project.judge, samples=samples, concurrency=project.concurrency, progress=progress
        )
    finally:
        progress.close()


def _measured(given: JudgeCommand, project: JudgingProject, errors: Screen) -> JudgeMeasured:
    from grice.validation.judges.measuring import measure_judge

    name, verdicts, samples = given.name, given.verdicts, _samples(given.samples, project)
    divided = read_split(given.split) if given.split else Split()
    if verdicts is not None and not verdicts.exists() and not _can_ask(name, project):
        raise FileErrors([missing_file(verdicts)])
    material = read_material(name, given.labels, given.items, verdicts)
    for note in orphan_notes(material.items.values()):
        print_line(errors, visible(note, newlines=False), style="yellow")
    progress = AskingProgress(errors)
    try:
        return measure_judge(
            name,
            material,
            project.judge,
            project.criteria,
            samples=samples,
            split=divided,
            model=given.model,
            log=verdicts,
            concurrency=project.concurrency,
            progress=progress,
        )
    finally:
        progress.close()


def _can_ask(name: str, project: JudgingProject) -> bool:
    """Whether there is such a judge, and somebody to ask: then a log of answers may yet be begun."""
    if name in project.criteria and project.criteria[name].by_code:
        return True
    return (name in project.criteria or name in QUALITIES) and not missing_reason(project.judge.llm)


# -- what went wrong


def _nothing(chosen: Sequence[Criterion]) -> str:
    if len(chosen) == 1:
        return f"nothing was examined: the criterion {chosen[0].name!r} has no examples (good=, bad=, edge=)"
    return f"nothing was examined: none of the {len(chosen)} criteria has examples (good=, bad=, edge=)"


def _broken_examples(found: CriteriaMeasured) -> list[str]:
    """The examples on which the judge broke, with the first reason of each criterion."""
    told = []
    for one in found.measured:
        if one.broken:
            reason = one.broken[0].reason or "no answer"
            told.append(
                f"{one.criterion.name}: {len(one.broken)} of {one.n} examples got no answer: {reason}"
            )
    return told


def _unanswered(measured: JudgeMeasured) -> list[str]:
    broken = measured.broken
    if not broken:
        return []
    count = f"{len(broken):,} of {len(measured.decisions):,}"
    return [f"{count} items got no answer: {broken[0].why} (the same command asks for them again)"]


def _interrupted(verdicts: Path | None) -> str:
    if verdicts is None:
        return "interrupted: nothing was kept; --verdicts FILE keeps every answer as it comes"
    return f"interrupted: the answers so far are kept in {verdicts}; the same command goes on"


# -- what is written


def _write_example_cards(console: Screen, found: CriteriaMeasured, folder: Path) -> list[str]:
    """Write a card for each criterion that an LLM judged; what stands against it."""
    from grice.validation.judges.card_making import card_of_examples

    problems = []
    for one in found.measured:
        if one.criterion.by_code:
            print_line(console, f"{one.criterion.name}: no card, for code judges it")
        elif one.broken:
            problems.append(f"{one.criterion.name}: no card is written, as examples got no answer")
        else:
            card = card_of_examples(one, now())
            there = folder / card_file(card)
            if there.exists() and read_card(there).kind == "people":
                problems.append(
                    f"{there} is a card of people's labels: one of own examples is weaker and does not "
                    "replace it; move it away first"
                )
                continue
            _write_card(console, card, folder)
            print_line(console, "It is weak: the examples are the author's own, chosen to make a point.")
    return problems


def _write_people_card(console: Screen, measured: JudgeMeasured, folder: Path) -> None:
    from grice.validation.judges.card_making import card_of_people

    if measured.identity.model == CODE:
        print_line(console, "No card is written, for code judges: cards are of LLMs.")
    elif not measured.held.n:
        print_line(console, "No card is written, for there are no figures.")
    else:
        _write_card(console, card_of_people(measured, now()), folder)


def _write_card(console: Screen, card: Card, folder: Path) -> None:
    path = folder / card_file(card)
    check_output(path)
    before = f" (in the place of that of {read_card(path).created})" if path.exists() else ""
    with replacing(path) as stream:
        stream.write(card_json(card))
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    print_written(console, f"{shown}{before}")
