"""A conversation: its turns in pieces, verdicts beside the words they quote, what the model was told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response
from sqlalchemy import Connection

from grice.api.errors import ApiError
from grice.api.routes.runs import run_row
from grice.api.service import READ, Served, Service
from grice.checks.message_lint import lint_messages
from grice.files.copied_conversation import as_golden, as_suite
from grice.matching.redacted import redacted_record
from grice.records import Conversation, Outcome, Result, Turn
from grice.reporting.documents.conversation import result_document
from grice.reporting.next_steps import how_to_extract
from grice.reporting.renderers.html.conversation import (
    Room,
    facts_nodes,
    margin_of,
    told_nodes,
    told_summary,
    turn_nodes,
)
from grice.reporting.renderers.html.nodes import Node, element, html_of
from grice.reporting.renderers.html.verdicts import CALM
from grice.reporting.text import marked_turn
from grice.reporting.verdict_labels import label
from grice.store import queries
from grice.store.errors import NoSuchRow
from grice.store.repeats import repeats_of
from grice.store.result_list import neighbours, place_of
from grice.store.suites import find_case
from grice.web.page_rendering import page, piece
from grice.web.routes.case import case_address
from grice.web.routes.run import conversation_address
from grice.web.timeline import timeline_of

router = APIRouter(include_in_schema=False)

PIECE = 20
"""Turns that are drawn at once."""
_COPIES = {"golden": as_golden, "suite": as_suite}


def pair_address(before: str, now_run: str, test: str, now: int = 0) -> str:
    """The address of a test in two runs side by side, in the later one the repeat of that number."""
    given: dict[str, object] = {"a": before, "b": now_run, "test": test}
    return f"/compare/pair?{urlencode(given | ({'now': now} if now else {}))}"


class _Piece(NamedTuple):
    """Turns from one number to another; `html` is None until they are asked for."""

    first: int
    last: int
    html: Any


@router.get("/runs/{run_id}/conversations/{conversation_id:path}", dependencies=[READ])
def conversation(
    request: Request,
    run_id: str,
    conversation_id: str,
    service: Served,
    turn: Annotated[int, Query(ge=0)] = 0,
    part: Annotated[str, Query(pattern="^(|turns|told|golden|suite)$")] = "",
) -> Response:
    """Show a conversation, or with `part` a piece of it: turns, or what the model was told in one."""
    with service.reading() as connection:
        row = run_row(connection, service, run_id)
        result = result_of(request, connection, service, run_id, conversation_id)
        place = place_of(connection, run_id, conversation_id)
        before, behind, earlier = "", "", ""
        if place and not part:
            before, behind = neighbours(connection, run_id, place.outcome, conversation_id)
            earlier = request.app.state.reports.before(connection, service.project, row)
        compared = bool(earlier) and bool(repeats_of(connection, earlier, result.id))
        case = "" if part else _case(connection, conversation_id)
    at = conversation_address(run_id, conversation_id)
    if part:
        return _part(result, part, turn, at)
    marked = marked_turn(result.verdicts)
    shown = turn or (marked if marked and len(result.conversation.turns) > PIECE else 0)
    light = _light(result)
    return page(
        request,
        "conversation.html",
        title=result.key,
        run=row,
        result=result,
        answer=result_document(light).answer,
        at=at,
        up=f"/runs/{quote(run_id, safe='')}",
        facts=html_of(facts_nodes(light, margin_of(light), Room())),
        pieces=_pieces(result, shown, at),
        timeline=timeline_of(result, at),
        failing=_failing(light),
        turn=turn or marked or 0,
        before=before and conversation_address(run_id, before),
        behind=behind and conversation_address(run_id, behind),
        case=case,
        extract=how_to_extract(f"{run_id}@{result.key}" + (f"#{result.repeat}" if result.repeat > 1 else "")),
        compare=pair_address(earlier, run_id, result.id, now=result.repeat) if compared else "",
        editor=_editor(service, result),
        taken=sum(one.duration or 0 for one in result.conversation.turns),
        tokens=(result.conversation.input_tokens or 0) + (result.conversation.output_tokens or 0),
    )


def result_of(request: Request, connection: Connection, service: Service, run_id: str, id_: str) -> Result:
    """Read the result from its journal; where that is gone, what the database keeps of it."""
    place = place_of(connection, run_id, id_)
    if place is None:
        raise ApiError(404, f"the run {run_id} has no conversation {id_!r}")
    kept = request.app.state.kept.at(service.runs / run_id / Path(place.journal).name, place.line)
    if isinstance(kept, Result):
        return kept
    found = queries.conversation_of(connection, run_id, id_)
    assert found is not None
    held = msgspec.convert(found.record, Conversation)
    outcome = Outcome(found.outcome)
    return Result(id_, found.key, outcome, held, description=found.name, repeat=found.repeat)


def _light(result: Result) -> Result:
    """The result without its transcript and without secrets, for the part above the turns."""
    held = msgspec.structs.replace(result.conversation, turns=())
    clean = redacted_record(msgspec.structs.replace(result, conversation=held), Result)
    turns = tuple(
        msgspec.structs.replace(one, messages=(), exchanges=(), data=None)
        for one in result.conversation.turns
    )
    return msgspec.structs.replace(
        clean, conversation=msgspec.structs.replace(clean.conversation, turns=turns)
    )


def _pieces(result: Result, turn: int, at: str) -> list[_Piece]:
    """All pieces of the conversation, drawn the first one and that of the turn."""
    turns = result.conversation.turns
    if not turns:
        return []
    small = len(turns) <= PIECE
    wanted = {0} if not turn else {(turn - 1) // PIECE}
    found = []
    for number in range(0, len(turns), PIECE):
        first, last = number + 1, min(number + PIECE, len(turns))
        drawn = small or number // PIECE in wanted
        found.append(_turns_piece(result, first, at) if drawn else _Piece(first, last, None))
    return found


def _turns_piece(result: Result, first: int, at: str) -> _Piece:
    """The piece that begins with that turn, counted from 1."""
    turns = result.conversation.turns
    first = max(1, min(first, len(turns)))
    shown = redacted_record(turns[first - 1 : first - 1 + PIECE], tuple[Turn, ...])

    def told_at(turn: Turn) -> Node:
        return told_drawer(turn, at)

    margin = margin_of(redacted_record(msgspec.structs.replace(result, conversation=Conversation()), Result))
    nodes = turn_nodes(
        shown, margin, "t", Room(), marked_turn(result.verdicts), before=turns[: first - 1], told_at=told_at
    )
    return _Piece(first, first + len(shown) - 1, html_of(nodes))


def told_drawer(turn: Turn, at: str) -> Node:
    """The drawer with what the model was told in a turn; its content is loaded when it is opened.

    `at` is the address of the conversation.
    """
    address = f"{at}?part=told&turn={turn.number}"
    into = element("div", "", "\u2026", data_into="")
    return element("details", "told", told_summary(turn), into, data_load=address)


def _model_context(result: Result, number: int) -> list[Node]:
    """What the model was told in a turn, with what the lint finds in each request."""
    turns = result.conversation.turns
    at = next((place for place, one in enumerate(turns) if one.number == number), None)
    if at is None:
        raise ApiError(404, f"the conversation has no turn {number}")
    turn = redacted_record(turns[at], Turn)
    notes: dict[int, list[Node]] = {}
    for place, exchange in enumerate(turn.exchanges, 1):
        notes[place] = [
            element(
                "p",
                f"lint {'bad' if one.severity == 'error' else 'warn'}",
                _lint_line(one.rule, one.path, one.found),
            )
            for one in lint_messages(exchange, user=turn.user)
        ] or [element("p", "lint faint", "lint: nothing found")]
    before = turns[max(0, at - 1) : at]
    return told_nodes(turn, before, Room(), notes)


def _lint_line(rule: str, path: str, found: str) -> str:
    return f"lint: {rule} at {path}: {found}"


def _part(result: Result, part: str, turn: int, at: str) -> Response:
    if part == "turns":
        return piece("turns.html", pieces=[_turns_piece(result, turn, at)], at=at)
    if part == "told":
        return piece("nodes.html", html=html_of(_model_context(result, turn)))
    return PlainTextResponse(_COPIES[part](redacted_record(result, Result)).encode("utf-8", "replace"))


class _Failing(NamedTuple):
    """A verdict that did not pass, for the list above the turns."""

    outcome: str
    mode: str
    label: str
    reason: str
    turn: int | None


def _failing(result: Result) -> list[_Failing]:
    found = [one for one in result.verdicts if one.outcome not in CALM]
    found.sort(key=lambda one: one.mode == "soft")
    return [
        _Failing(one.outcome.value, one.mode, label(one), one.reason.split("\n", 1)[0][:300], one.turn)
        for one in found
    ]


def _case(connection: Connection, id_: str) -> str:
    """The address of the case that the result is of, "" where it can be edited on no page."""
    found = queries.case_of(connection, id_)
    try:
        return case_address(find_case(connection, found).id)
    except NoSuchRow:
        return ""


_JETBRAINS = ("pycharm", "idea")
_TEST = re.compile(r"[A-Za-z_]\w*")


def _editor(service: Service, result: Result) -> str:
    """The link that opens the test in the editor of the settings, "" where there is no such file."""
    editor = service.settings.editor
    if editor == "none":
        return ""
    file = (service.root / result.file).resolve() if result.file else None
    if file is None or not file.is_file() or not file.is_relative_to(service.root.resolve()):
        return ""
    names = [result.key, *reversed(_TEST.findall(result.key))]
    try:
        text = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    line = next((number for name in names for number, one in enumerate(text, 1) if name in one), 1)
    if editor in _JETBRAINS:
        return f"{editor}://open?{urlencode({'file': str(file), 'line': line})}"
    return f"{editor}://file/{quote(str(file).lstrip('/'))}:{line}"
