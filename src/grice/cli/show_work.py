"""The work of `grice show`: one conversation of a run or a log."""

from __future__ import annotations

import re
from pathlib import Path

from grice.cli.arguments import log_named
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.cli.log_mapping import NotMapped, mapped_logs
from grice.cli.show import Command
from grice.cli.shown_document import check_forms, run_showing, show_document, wrong_forms
from grice.formats.lines import Unreadable
from grice.formats.mapping import LogMapping
from grice.identity.redacted_json import redacted_json
from grice.records import Conversation, Result
from grice.records.codec import encode
from grice.reporting.console import Screen
from grice.reporting.document import Document
from grice.reporting.documents.conversation import conversation_document, result_document
from grice.running.journal.folders import find_run
from grice.running.journal.reading import index_run
from grice.running.runs_folder import runs_folder
from grice.scanning.check_choice import default_checks
from grice.scanning.one_conversation import NotThere, conversation_at, findings_in
from grice.text import did_you_mean, value_text

_SHOWN = 10
_IN_LOG = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*)", re.DOTALL)
_IN_RUN = re.compile(r"(?P<run>[^@]*)@(?P<wanted>.+?)(?:#(?P<repeat>[1-9]\d*))?", re.DOTALL)


def show_conversation(arguments: Command) -> int:
    """Show it in the form that is wanted; the exit code."""

    def show(console: Screen, _: Screen) -> int:
        check_forms(arguments, "conversation")
        wanted = arguments.conversation
        try:
            mapping = mapping_of(wanted, arguments.map)
        except NotMapped:  # why has been told
            return UNUSABLE
        found = find_conversation(wanted, arguments.runs, mapping)
        document = (
            result_document(found, wanted)
            if isinstance(found, Result)
            else _with_findings(found, wanted, arguments.map)
        )
        show_document(arguments, document, lambda: redacted_json(encode(found)) + b"\n", console)
        return NOBODY_READS if console.quiet else PASSED

    return run_showing("conversation", show, wrong_usage=wrong_forms(arguments), refused=(NotThere,))


def _with_findings(conversation: Conversation, place: str, named_map: str | None) -> Document:
    found = findings_in(conversation, default_checks().checks)
    return conversation_document(conversation, found, place, ("--map", named_map) if named_map else ())


def mapping_of(wanted: str, named: str | None) -> LogMapping | None:
    """The mapping of the log that is named, None for a log of a known shape, or for a run."""
    in_log = _IN_LOG.fullmatch(wanted)
    file = log_named(in_log["file"]) if in_log else None
    if file is None or (isinstance(file, Path) and not file.is_file()):
        if named is not None:
            raise NotThere(f"--map: {value_text(wanted)} is no line of a log, such as chats.jsonl:12")
        return None
    return mapped_logs([file], named).mappings.get(str(file))


def find_conversation(
    wanted: str, runs: Path | None, mapping: LogMapping | None = None
) -> Result | Conversation:
    """What `RUN@ID` or `FILE:LINE` names. Raises NotThere, which says what is there.

    `mapping` says how a log of a home-made shape is read.
    """
    if in_log := _IN_LOG.fullmatch(wanted):
        file = log_named(in_log["file"])
        if isinstance(file, str) or file.is_file() or "@" not in wanted:
            return _in_log(file, int(in_log["line"]), mapping)
    if in_run := _IN_RUN.fullmatch(wanted):
        repeat = int(in_run["repeat"]) if in_run["repeat"] else None
        return _in_run(in_run["run"] or "latest", in_run["wanted"], repeat, runs)
    example = "refund" if set("@:/") & set(wanted) else wanted  # an id alone is what most mean
    raise NotThere(
        f"{value_text(wanted)}: expected RUN@ID, such as latest@{example}, or FILE:LINE, such as "
        "chats.jsonl:12"
    )


def place_in_run(wanted: str, runs: Path | None) -> str:
    """`RUN@ID` with the name of the run: what is the latest is another one tomorrow."""
    run, _, rest = wanted.partition("@")
    name = run if Path(run).is_dir() and run else find_run(run or "latest", runs_folder(runs)).name
    return f"{name}@{rest}"


def _in_log(file: Path | str, line: int, mapping: LogMapping | None) -> Conversation:
    try:
        return conversation_at(file, line, mapping)
    except Unreadable as error:
        raise NotThere(f"{file}: {error}") from error


def _in_run(run: str, wanted: str, repeat: int | None, runs: Path | None) -> Result:
    """The result of that id, key or beginning of an id; of several repeats the first that did not pass."""
    index = index_run(find_run(run, runs_folder(runs)))
    found: list[Result] = []
    names: list[str] = []
    for result in index.results():
        names.append(result.key)
        if wanted in (result.id, result.key, result.test) or (
            len(wanted) >= 4 and result.id.partition(":")[2].startswith(wanted.removeprefix("example:"))
        ):
            found.append(result)
    chosen = [one for one in found if repeat in (None, one.repeat)]
    if chosen:
        return next((one for one in chosen if one.outcome != "pass"), chosen[0])
    if found:
        has = ", ".join(str(one.repeat) for one in found)
        raise NotThere(f"{run}@{wanted}: there is no repeat {repeat}, it has {has}")
    keys = list(dict.fromkeys(names))
    shown = ", ".join(keys[:_SHOWN]) + (f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else "")
    hint = did_you_mean(wanted, keys) or f"; it has {shown or 'no conversation'}"
    raise NotThere(f"{run}: no conversation is called {value_text(wanted)}{hint}")
