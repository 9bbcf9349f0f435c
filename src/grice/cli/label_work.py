"""The work of `grice label`: a person labels items at a terminal, one key for each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from grice.cli.exit_codes import INTERRUPTED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.label import Command
from grice.cli.output import print_problems
from grice.files.document import FileErrors
from grice.files.writing import check_output
from grice.judging.criterion import Criterion
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.reporting.documents.labels import labels_document
from grice.reporting.labelling import ask_all
from grice.reporting.renderers.terminal import print_document
from grice.text import visible
from grice.validation.judges.items import FoundItems, Item, Label, find_items, orphan_notes
from grice.validation.labelling.journal import Journal, labels_there
from grice.validation.labelling.keyboard import Keyboard, keyboard_for
from grice.validation.labelling.labelling_questions import QUESTION, LabellingQuestion, WrongQuestion
from grice.validation.labelling.session import Session, agreement_lines, drawn, measuring_command, of_question
from grice.validation.labelling.task import check_kind, named_asked


class _Refused(Exception):
    """Nothing can be asked; the text says why."""


def label_items(given: Command, keyboard: Keyboard | None = None) -> int:
    """Ask about every item that is not labelled yet; the exit code. Every label that was given is kept."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    keys = keyboard or keyboard_for(sys.stdin)
    try:
        return _label(given, console, errors, keys)
    except (_Refused, WrongQuestion, FileErrors) as error:
        print_problems(errors, str(error).split("\n"))
        return UNUSABLE
    except OSError as error:
        print_problem(errors, f"error: labels cannot be written: {error}")
        return UNUSABLE
    finally:
        keys.close()


def _label(given: Command, console: Screen, errors: Screen, keys: Keyboard) -> int:
    asked = _asked(given)
    found = _items(given, errors)
    items = drawn(found.items, given.limit, seed=given.seed)
    if given.out.suffix.lower() not in (".jsonl", ".ndjson"):
        raise _Refused(f"--out {given.out}: labels are written as JSON Lines, expected a .jsonl file")
    check_output(given.out, given.items)
    before, other = of_question(labels_there(given.out), asked)
    check_kind(before, asked, given.out)
    _tell_apart(errors, other, asked, given.out)
    rater = given.rater.strip() or _rater(console, keys)
    own = [one for one in before if one.rater == rater]
    interrupted = False
    with Journal(given.out, asked, rater) as journal:
        session = Session(items, asked, rater, journal, seed=given.seed, before=own, again=given.again)
        _print_start(console, session, rater, given.out)
        try:
            ask_all(console, keys, session, asked)
        except KeyboardInterrupt:
            interrupted = True
    keys.close()
    _print_end(console, given, session, asked, {one.id: one for one in items})
    return INTERRUPTED if interrupted else NOBODY_READS if console.quiet else PASSED


# -- what is asked


def _asked(given: Command) -> LabellingQuestion:
    from grice.validation.labelling.labelling_questions import chosen_from, question_asked

    if given.criterion and given.question:
        raise _Refused("--criterion and --question: what is asked is one of them")
    if given.choices and given.scale:
        raise _Refused("--choices and --scale: an answer is one of them")
    asked = (
        named_asked(given.criterion, _criteria(given.criteria))
        if given.criterion
        else question_asked(given.question or QUESTION)
    )
    if given.choices:
        return chosen_from(asked, given.choices)
    if given.scale and asked.kind != "score":
        from msgspec.structs import replace

        return replace(asked, kind="score")
    return asked


def _criteria(name: str) -> Mapping[str, Criterion]:
    """The criteria that the option names, else those of the project around the current folder."""
    from grice.agents import AgentLoadError, load_target
    from grice.files.settings_files import SettingsError
    from grice.judging.criterion import CriterionError, collect_criteria
    from grice.running.project_llms import ProjectLLMs
    from grice.running.projects import Projects

    here = Path.cwd()
    try:
        if not name:
            return ProjectLLMs(Projects(here)).criteria(here)
        return collect_criteria(load_target(name, root=here, what="object"))  # type: ignore[arg-type]
    except (AgentLoadError, CriterionError) as error:
        raise _Refused(f"--criteria {name}: {error}") from error
    except SettingsError as error:
        raise _Refused(str(error)) from error


# -- what is asked about, and who is asked


def _items(given: Command, errors: Screen) -> FoundItems:
    found = find_items(given.items)
    if found.errors:
        raise FileErrors(found.errors)
    if not found.items:
        raise FileErrors(found.silent)
    if found.silent:
        count = len(found.silent)
        what = "conversation has" if count == 1 else "conversations have"
        lines = ", ".join(str(one.line) for one in found.silent[:3]) + (" ..." if count > 3 else "")
        print_line(errors, f"{count} {what} no reply to judge: left out (line {lines})", style="yellow")
    for note in orphan_notes(found.items):
        print_line(errors, visible(note, newlines=False), style="yellow")
    return found


def _rater(console: Screen, keys: Keyboard) -> str:
    """Who labels: as git knows them, or the system; else they are asked."""
    import getpass
    import subprocess
    from contextlib import suppress

    with suppress(OSError, subprocess.SubprocessError):
        told = subprocess.run(
            ["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False
        )
        if name := told.stdout.strip():
            return name
    with suppress(OSError, KeyError, ImportError):
        if name := getpass.getuser().strip():
            return name
    console.print("Who labels? ", end="")
    if name := (keys.line() or "").strip():
        return name
    raise _Refused("who labels? Say it with --rater NAME")


def _tell_apart(errors: Screen, other: Sequence[Label], asked: LabellingQuestion, out: Path) -> None:
    """Say that labels of the same criterion are of another text of it."""
    if not other:
        return
    count = len(other)
    have = f"{count} label{'' if count == 1 else 's'} in {visible(str(out), newlines=False)}"
    why = f"of criterion {asked.criterion!r} as it read before" if asked.criterion else "of another question"
    print_line(errors, f"{have} {'is' if count == 1 else 'are'} {why}: they stay apart", style="yellow")


# -- before and after


def _print_start(console: Screen, session: Session, rater: str, out: Path) -> None:
    left = session.total - session.done
    who = visible(rater, newlines=False)
    print_line(
        console, f"{who} labels {left} of {session.total} items into {visible(str(out), newlines=False)}"
    )
    if session.done and left:
        print_line(console, f"{session.done} of {session.total} done before; h shows all keys", style="dim")


def _print_end(
    console: Screen, given: Command, session: Session, asked: LabellingQuestion, items: Mapping[str, Item]
) -> None:
    labels, _ = of_question(labels_there(given.out), asked)
    agreement = [*agreement_lines(labels, items, asked)]
    console.print()
    document = labels_document(
        session.done,
        session.total,
        agreement,
        measuring_command(asked, given.out, given.items) if labels else "",
        new=session.new,
        skipped=session.skipped,
    )
    print_document(console, document)
