"""What an agent reports of its own turn, compared with what was measured.

The agent is not believed: each field of `meta` is compared with the calls on record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec
from msgspec import UNSET

from grice.checks.message_events import Event, events_of, sent_text
from grice.checks.model_requests import answering, turns_of
from grice.checks.reported_meta import Reported, reported, unread_fields
from grice.formats.turns import parse_result
from grice.matching.argument_types import SpokenText
from grice.matching.calls.doubts import doubt_about, doubts_of
from grice.matching.calls.names import meant, name_text
from grice.matching.calls.wording import with_turn
from grice.matching.context import Context
from grice.matching.matcher import Unsuitable, matcher
from grice.matching.transcript import call_text
from grice.records import (
    Conversation,
    Evidence,
    Exchange,
    JsonValue,
    Outcome,
    Reply,
    Turn,
    Verdict,
    fold_all,
    inconclusive,
    passed,
)
from grice.text import value_text

MAX_FINDINGS = 20
MAX_MISSING = 1_000
"""Ids that no tool returned, after which others are not looked up: each is sought in all of the results."""

MAX_NEAR = 500
MAX_NEAR_LENGTH = 100
UNSEEN = "tool calls cannot be seen: none is on record, and no request to the model"
EARLIER = "the turns before it are not known"

_LONGER_BEFORE = r"(?<!\w)(?<!\w[-.])"
_LONGER_AFTER = r"(?!\w)(?![-.:/]\w)"


class _Sight(msgspec.Struct, frozen=True):
    """A turn with what is known around it.

    `turns` end with it; `whole` says that no turn before them is unknown, and `seen` that tool calls of the
    conversation would be on record.
    """

    turns: Sequence[Turn]
    whole: bool
    seen: bool

    @property
    def turn(self) -> Turn:
        return self.turns[-1]

    def finding(self, outcome: Outcome, reason: str, quote: str, path: str) -> Verdict:
        return Verdict(outcome, reason, (Evidence(quote, self.turn.number, path=path),))


class _Card(msgspec.Struct, frozen=True):
    """Where it would be seen that the store card was read."""

    tool: str | None
    text: str | None


@matcher(
    "toReportWhatItDid",
    layer=2,
    describe=(
        "report what it did[, the store card from the tool {store_card_tool}]"
        "[, the store card from the text {store_card_text}]"
    ),
)
def report_what_it_did(
    subject: Reply | Turn | Conversation,
    ctx: Context,
    *,
    store_card_tool: SpokenText | None = None,
    store_card_text: SpokenText | None = None,
) -> Verdict:
    """What the agent reports of its turn in `data["meta"]` is what was measured.

    `tools_used` are the names of the tools that were called, in any order and number, as `use_tools` counts
    them. Each of `retrieval_ids` stands in what a tool returned in this turn or before, as a value or a word
    of its own. `store_card_used` says whether the turn read the store card: it called `store_card_tool`
    (or a turn before did, which then stands in the history), or a request to its model holds
    `store_card_text`, word for word. Without either it is not compared. Malformed fields `fail`.

    Of a conversation every turn that reports is judged. Nothing reported that can be compared is
    `inconclusive`; so is what nobody can tell: where neither tool calls nor requests to the model are on
    record, where the agent failed, where a result is not on record.
    """
    card = _Card(store_card_tool, store_card_text)
    sights = _sights(subject, ctx)
    results = _results(sights[-1].turns) if sights else []
    findings: list[Verdict] = []
    judged = 0
    for sight in sights:
        report = reported(sight.turn)
        found = [] if report is None else list(_findings(sight, report, card, results[: len(sight.turns)]))
        judged += bool(found)
        place = f"turn {sight.turn.number}: " if isinstance(subject, Conversation) else ""
        findings += [
            one
            if one.outcome is Outcome.PASS
            else msgspec.structs.replace(one, reason=f"{place}{one.reason}")
            for one in found
        ]
    if not findings:
        return inconclusive(_nothing(sights))
    verdict = _folded(findings)
    if not isinstance(subject, Conversation):
        return verdict
    if verdict.outcome is Outcome.PASS:
        return passed(f"{verdict.reason} ({judged} of {len(sights)} turns report)")
    return with_turn(verdict)


def _sights(subject: Reply | Turn | Conversation, ctx: Context) -> list[_Sight]:
    if not isinstance(subject, Reply | Turn | Conversation):
        raise Unsuitable(f"a Reply, a Turn or a Conversation, found {type(subject).__name__}")
    judged = turns_of(subject)
    record = subject if isinstance(subject, Conversation) else ctx.conversation
    if record is None:
        return [_Sight((one,), one.number == 1, _shows_tools((one,))) for one in judged]
    seen = _shows_tools(record.turns)
    if isinstance(subject, Conversation):
        return [_Sight(record.turns[: place + 1], True, seen) for place in range(len(judged))]
    return [_Sight(record.turns[: one.number], True, seen) for one in judged]


def _shows_tools(turns: Sequence[Turn]) -> bool:
    """Whether a call of a tool in these turns would be on record: another one is, or the model's requests."""
    return any(turn.tool_calls or answering(turn) for turn in turns)


def _results(turns: Sequence[Turn]) -> list[_Results]:
    """What the tools of each turn returned, where an id has to be looked up at all."""
    if not any(report.retrieval_ids for turn in turns if (report := reported(turn)) is not None):
        return []
    return [_results_of(turn) for turn in turns]


def _nothing(sights: Sequence[_Sight]) -> str:
    """Why there is nothing to compare."""
    hints = "".join(unread_fields(sight.turn) for sight in sights[:MAX_FINDINGS])
    if all(reported(sight.turn) is None for sight in sights):
        return f"nothing is reported in $.meta of the data{hints}"
    return f"nothing that $.meta reports can be compared{hints}"


def _folded(findings: Sequence[Verdict]) -> Verdict:
    """One verdict of them all, with the reasons of those that make its outcome."""
    outcome = fold_all(one.outcome for one in findings)
    telling = [one for one in findings if one.outcome is outcome]
    reasons = list(dict.fromkeys(one.reason for one in telling))
    if outcome is Outcome.PASS:
        return passed(f"measured as reported: {', '.join(reasons)}")
    shown = reasons[:MAX_FINDINGS]
    if len(reasons) > MAX_FINDINGS:
        shown.append(f"... and {len(reasons) - MAX_FINDINGS} more")
    evidence = [one for finding in telling for one in finding.evidence]
    return Verdict(outcome, "\n".join(shown), tuple(evidence[:MAX_FINDINGS]))


def _findings(sight: _Sight, report: Reported, card: _Card, results: Sequence[_Results]) -> Iterator[Verdict]:
    """What is malformed, what is not as reported, what nobody can tell, and what is as reported."""
    for fault in report.faults:
        yield sight.finding(Outcome.FAIL, fault, "", fault.partition(" ")[0])
    for field, found in (
        ("tools_used", _on_tools(sight, report.tools_used)),
        ("retrieval_ids", _on_records(sight, report.retrieval_ids, results)),
        ("store_card_used", _on_card(sight, report.store_card_used, card)),
    ):
        if found is not None:
            yield from found or [passed(field)]


def _on_tools(sight: _Sight, claimed: Sequence[str] | None) -> list[Verdict] | None:
    """What is wrong with the tools that are reported; None when none of it is compared."""
    if claimed is None:
        return None
    path = "$.meta.tools_used"
    if not sight.seen:
        return [sight.finding(Outcome.INCONCLUSIVE, f"{path}: {UNSEEN}", ", ".join(claimed), path)]
    calls = sight.turn.tool_calls
    called = _first_places(call.name for call in calls)
    doubts = doubts_of((sight.turn,))
    places = _first_places(claimed)
    silent = [name for name in called if name not in places]
    found: list[Verdict] = []
    for name, place in places.items():
        if name in called:
            continue
        where, doubt = f"{path}[{place}]", doubt_about(doubts, (name,))
        if doubt is None:
            near = meant(name, silent) if len(found) < MAX_FINDINGS else ""
            said = f"{where} {value_text(name)} was not called{near}"
            found.append(sight.finding(Outcome.FAIL, said, name, where))
        else:
            said = f"{where} {value_text(name)}: {doubt}"
            found.append(sight.finding(Outcome.INCONCLUSIVE, said, name, where))
    for name in silent:
        place = called[name]
        said = f"{path} does not name {value_text(name)}, which was called"
        found.append(sight.finding(Outcome.FAIL, said, call_text(calls[place]), f"tool_calls[{place}]"))
    hidden = doubt_about(doubts, claimed, others=True)
    if hidden is not None:
        found.append(inconclusive(f"{path}: {hidden}"))
    return found


def _first_places(names: Iterable[str]) -> dict[str, int]:
    """Where each name stands first."""
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places.setdefault(name, place)
    return places


def _on_records(
    sight: _Sight, claimed: Sequence[str] | None, results: Sequence[_Results]
) -> list[Verdict] | None:
    """What is wrong with the ids that are reported; None when none of it is compared."""
    if not claimed:
        return None
    places = _first_places(claimed)
    absent = (id_ for id_ in places if not any(one.hold(id_) for one in results))
    missing = list(islice(absent, MAX_MISSING))
    if not missing:
        return []
    doubt = _doubt_about_results(sight, results)
    known = [value for one in results for value in one.values if len(value) <= MAX_NEAR_LENGTH][:MAX_NEAR]
    found = []
    for number, id_ in enumerate(missing):
        where = f"$.meta.retrieval_ids[{places[id_]}]"
        said = f"{where} {value_text(id_)} is in no result of a tool"
        if doubt is None:
            near = meant(id_, known) if number < MAX_FINDINGS else ""
            found.append(sight.finding(Outcome.FAIL, f"{said}{near}", id_, where))
        else:
            found.append(sight.finding(Outcome.INCONCLUSIVE, f"{said} on record: {doubt}", id_, where))
    if len(missing) == MAX_MISSING and next(reversed(places)) != missing[-1]:
        found.append(
            inconclusive(f"$.meta.retrieval_ids: ids after {value_text(missing[-1])} are not looked up")
        )
    return found


def _doubt_about_results(sight: _Sight, results: Sequence[_Results]) -> str | None:
    """Why a tool may have returned what is not on record."""
    if not sight.seen:
        return UNSEEN
    if not sight.whole:
        return EARLIER
    for turn, one in zip(sight.turns, results, strict=True):
        if one.unknown:
            return f"what {one.unknown[0]} returned in turn {turn.number} is not known"
    doubts = doubts_of(sight.turns)
    return doubts[0].reason if doubts else None


def _on_card(sight: _Sight, claimed: bool | None, card: _Card) -> list[Verdict] | None:
    """What is wrong with the use of the store card that is reported; None when it is not compared."""
    if card.tool is None and card.text is None:
        return None
    path = "$.meta.store_card_used"
    if claimed is None:
        return [sight.finding(Outcome.INCONCLUSIVE, f"{path} is not reported", "", path)]
    said = f"{path} is {'true' if claimed else 'false'}"
    read = _how_read(sight, card, before=claimed)
    if read is not None:
        wrong = not claimed
        return [sight.finding(Outcome.FAIL, f"{said}, and {read}", str(claimed), path)] if wrong else []
    doubt = _doubt_about_card(sight, card, before=claimed)
    if doubt is not None:
        return [sight.finding(Outcome.INCONCLUSIVE, f"{said}: {doubt}", str(claimed), path)]
    if not claimed:
        return []
    names = {call.name for turn in sight.turns for call in turn.tool_calls}
    missing = [f"{name_text(card.tool)} was not called{meant(card.tool, names)}"] if card.tool else []
    missing += [f"no request of the turn holds {value_text(card.text)}"] if card.text else []
    return [sight.finding(Outcome.FAIL, f"{said}, and {' and '.join(missing)}", str(claimed), path)]


def _how_read(sight: _Sight, card: _Card, *, before: bool) -> str | None:
    """How the turn read the store card, or a turn `before` it; None when it did not."""
    turns = sight.turns if before else (sight.turn,)
    if card.tool is not None and any(call.name == card.tool for turn in turns for call in turn.tool_calls):
        return f"{name_text(card.tool)} was called"
    if card.text is not None and any(
        card.text in sent_text(request.exchange) for request in answering(sight.turn)
    ):
        return f"a request to the model holds {value_text(card.text)}"
    return None


def _doubt_about_card(sight: _Sight, card: _Card, *, before: bool) -> str | None:
    """Why the store card may have been read all the same."""
    if card.tool is not None:
        if not sight.seen:
            return UNSEEN
        if before and not sight.whole:
            return EARLIER
        doubt = doubt_about(doubts_of(sight.turns if before else (sight.turn,)), (card.tool,))
        if doubt is not None:
            return doubt
    if card.text is not None and not answering(sight.turn):
        return "no request to the model is on record in this turn"
    return None


class _Results(msgspec.Struct, frozen=True):
    """The texts, numbers and keys in what the tools of a turn returned, each once.

    `text` is all of them, one a line. `unknown` are the names of the tools of which nobody knows what they
    returned.
    """

    values: Mapping[str, None]
    text: str
    unknown: tuple[str, ...] = ()

    def hold(self, id_: str) -> bool:
        """Whether the id is one of the values or a word of its own in one, not part of a longer id."""
        if id_ in self.values:
            return True
        word = f"{_LONGER_BEFORE}{re.escape(id_)}{_LONGER_AFTER}"
        return id_ in self.text and re.search(word, self.text) is not None


def _results_of(turn: Turn) -> _Results:
    """What the tools of a turn returned, as the agent reported it and as its model was told of it."""
    told = [event for request in answering(turn) for event in _results_in(request.exchange)]
    known = {event.id for event in told if event.id}
    returned: list[JsonValue] = [event.text for event in told]
    unknown: dict[str, None] = {}
    for call in turn.tool_calls:
        if call.result is not UNSET:
            returned.append(call.result)
        elif not call.answered and call.id not in known:
            unknown[name_text(call.name)] = None
    values = dict.fromkeys(value for result in returned for value in _values(result))
    return _Results(values, "\n".join(values), tuple(unknown))


def _results_in(exchange: Exchange) -> Sequence[Event]:
    try:
        return [event for event in events_of(exchange) if event.kind == "tool_result"]
    except Unsuitable:  # malformed messages: nobody can tell what is a result in them
        return []


def _values(result: JsonValue) -> Iterator[str]:
    """The texts, numbers and keys in a result; a text that is JSON counts by what is in it too."""
    waiting: list[JsonValue] = [result]
    if isinstance(result, str) and not isinstance(parsed := parse_result(result), str):
        waiting.append(parsed)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)
