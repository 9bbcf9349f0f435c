"""The work of `grice extract`: find the faults, write their tests, say what became of each."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grice.agents import AgentLoadError
from grice.checks.rule_names import UnknownCheck
from grice.checks.rules import RULES
from grice.cli.exit_codes import FAILED, PASSED, UNUSABLE
from grice.cli.extract import STAND_INS, Command
from grice.cli.log_mapping import NotMapped, mapped_logs
from grice.cli.named_checks import import_matchers
from grice.cli.show_work import find_conversation, mapping_of, place_in_run
from grice.extracting import Asking, Extracted, Fault, NotExtractable, Pseudonyms, extract_finding, faults_in
from grice.extracting.bulk import clusters_in, fault_of
from grice.extracting.fault import LINT
from grice.extracting.folder import INDEX, Written, write_index, write_test
from grice.extracting.simulated import Drawn, drawn_by_llm, drawn_by_rules, simulate_finding
from grice.extracting.written_test import FORMS, Form
from grice.files.document import FileErrors
from grice.files.settings import find_settings
from grice.files.settings_files import SettingsError
from grice.formats.lines import Unreadable
from grice.matching.protocols import LLMError
from grice.records import Conversation, Result
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.running.journal.form import JournalError
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.scanning import Choice, choose_checks, default_checks
from grice.scanning.check_choice import LogCheck
from grice.scanning.one_conversation import NotThere
from grice.text import did_you_mean, plural, shorten, value_text, visible
from grice.users.persona import persona_names

_SHOWN = 100


def extract_tests(given: Command) -> int:
    """Write the tests and say what was written; the exit code."""
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        return _extract(given, console, errors)
    except NotMapped:
        pass  # it was said
    except FileErrors as wrong:
        for error in wrong.errors:
            print_problem(errors, f"error: {error}")
    except (
        AgentLoadError,
        LLMError,
        NotThere,
        JournalError,
        SettingsError,
        UnknownCheck,
        Unreadable,
        OSError,
    ) as error:
        print_problem(errors, f"error: {error}")
    return UNUSABLE


def _extract(given: Command, console: Screen, errors: Screen) -> int:
    if given.simulated and (given.form or given.ask):
        raise NotThere(f"--simulated goes without {'--as' if given.form else '--ask'}: it writes a function")
    if given.out.exists() and not given.out.is_dir():
        raise NotThere(f"--out: {given.out} is a file; expected a folder for the tests")
    settings = find_settings(Path.cwd())
    root = settings.root if settings is not None else Path.cwd()
    pseudonyms = Pseudonyms(root / STAND_INS, given.keep)
    form: Form | None = next((one for one in FORMS if one == given.form), None)
    projects = Projects(Path.cwd(), agent=given.agent or None)
    asking = Asking(projects.agent_for(Path.cwd()), *given.ask) if given.ask is not None else None
    draw = _drawing(projects)
    found = refused = 0
    files: list[Path] = []
    for fault, alike in _faults(given, str(settings.root) if settings is not None else ""):
        found += 1
        try:
            test = (
                simulate_finding(fault, draw, pseudonyms=pseudonyms, alike=alike)
                if given.simulated
                else extract_finding(
                    fault,
                    form,
                    agent=given.agent,
                    pseudonyms=pseudonyms,
                    most=given.at_most,
                    asking=asking,
                    alike=alike,
                )
            )
        except NotExtractable as error:
            refused += 1
            print_problem(errors, f"{fault.place}, turn {fault.turn}, {fault.label}: not written: {error}")
            continue
        pseudonyms.save()
        became = write_test(given.out, test, update=given.update)
        files.append(given.out / test.file)
        _print_test(console, given.out / test.file, test, fault, became)
    if not found:
        print_problem(errors, f"nothing was found in {given.where}: {_no_finding(given)}")
        return FAILED
    if len(files) > 1:
        write_index(given.out)
        told = f"{plural(len(files), 'test')} in {given.out}; {INDEX} lists them"
        print_line(console, visible(told, newlines=False))
    if files:
        agent = "" if given.agent or (settings and settings.agent) else " --agent YOUR_MODULE:AGENT"
        which = files[0] if len(files) == 1 else given.out
        print_line(console, visible(f"run it: grice run {which}{agent}", newlines=False))
    return UNUSABLE if refused == found else PASSED


def _drawing(projects: Projects) -> Callable[[Conversation], Drawn]:
    """What draws a simulated user: the LLM of the project that plays them, else rules."""
    if projects.of(Path.cwd()).user_llm is None:
        return drawn_by_rules
    llm = ProjectLLMs(projects).llm(Path.cwd(), "user_llm")
    known = tuple(persona_names())
    return lambda conversation: drawn_by_llm(
        conversation, lambda request: asyncio.run(llm.ask(request)), known, llm.name
    )


def _faults(given: Command, project: str) -> Iterator[tuple[Fault, list[str]]]:
    """The faults to extract, each with the places of findings that are alike, where those are several.

    `project` is the folder of the settings, "" without any.
    """
    labels = [one for one in given.label if one != LINT]
    path = Path(given.where)
    if path.is_file():
        choice = _choice(given, labels, default_checks())
        mappings = mapped_logs([path], given.map).mappings
        for cluster in clusters_in(path, choice, mappings, project):
            fault = fault_of(path, cluster, choice, mappings.get(str(path)))
            if fault is not None and given.turn in (None, fault.turn):
                yield fault, cluster.places if len(cluster.places) > 1 else []
        return
    if not {":", "@"} & set(given.where):
        wrong = "is a folder" if path.is_dir() else "there is no such file"
        raise NotThere(f"{given.where}: {wrong}; expected a log, LOG:LINE such as chats.jsonl:12, or RUN@ID")
    found = find_conversation(given.where, given.runs, mapping_of(given.where, given.map))
    conversation = found.conversation if isinstance(found, Result) else found
    if given.turn is not None and given.turn > len(conversation.turns):
        has = plural(len(conversation.turns), "turn")
        raise NotThere(f"{given.where}: there is no turn {given.turn}, it has {has}")
    lint = LINT in (*given.label, *given.checks.split(",")) or not (given.label or given.checks)
    usual, place = default_checks(), path.name
    if isinstance(found, Result):
        place = place_in_run(given.where, given.runs)
        flow = choose_checks("tool-flow").checks  # in a test text beside a call is no house style
        usual = Choice((*flow, *(one for one in usual.checks if one.label != "tool-flow")))
    choice = _choice(given, labels, usual)
    for fault in faults_in(conversation, choice.checks, place, given.turn, lint=lint):
        yield fault, []


def _choice(given: Command, labels: list[str], usual: Choice) -> Choice:
    """The checks that are named, by --checks or as labels; else the usual. Raises UnknownCheck."""
    named = [one for one in given.checks.split(",") if one.strip() != LINT]
    if named != [""] and named:
        import_matchers()
        choice = choose_checks(",".join(named))
        known = [one for one in choice.checks if not labels or one.label in labels]
        if not known:
            has = ", ".join(one.label for one in choice.checks)
            raise UnknownCheck(f"--label: no check of --checks is called so; it has {has}")
        return Choice(tuple(known))
    if not given.label:
        return Choice(()) if given.checks else usual
    ours = tuple(one for one in usual.checks if one.label in labels)
    others = [one for one in labels if one not in [known.label for known in ours]]
    return Choice((*ours, *(check for one in others for check in _checks_of(one, usual))))


def _checks_of(label: str, usual: Choice) -> Sequence[LogCheck]:
    """The checks of a label that a scan does not make by itself. Raises UnknownCheck."""
    try:
        return choose_checks(label).checks
    except UnknownCheck as error:
        known = [*(one.label for one in usual.checks), *(one.name for one in RULES), LINT]
        hint = did_you_mean(label, known)
        raise UnknownCheck(
            f"--label: no check is called {value_text(label)}{hint}" if hint else str(error)
        ) from error


def _no_finding(given: Command) -> str:
    if given.checks or given.label:
        return "no check that was named fails there"
    return "no check of a scan fails there; --checks all makes every one"


def _print_test(console: Screen, path: Path, test: Extracted, fault: Fault, became: Written) -> None:
    said = {
        "written": "wrote",
        "the same": "is there",
        "edited": "left, as it was edited:",
        "there": "left; --update writes it anew:",
    }[became]
    print_line(console, visible(f"{said} {path}", newlines=False))
    reason = shorten(visible(fault.verdict.reason, newlines=False), _SHOWN)
    print_line(console, f"  {fault.label}, turn {fault.turn}: {reason}", hanging="    ")
    left = len(test.shrunk.fault.conversation.turns)
    turns = plural(left, "turn") + (f" of {fault.turn}" if left < fault.turn else "")
    proved = "proved" if test.proof.whole else f"not proved: {visible(test.proof.why, newlines=False)}"
    print_line(console, f"  {turns}; {proved}", hanging="    ")
