"""Which tools a turn really used, whatever the agent reports.

Small talk needs no tool, and a recommendation searches once or twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grice.checks.model_requests import turns_of
from grice.matching.argument_types import AtLeastZero, Text
from grice.matching.assertions.data_arguments import expected_arguments
from grice.matching.calls.doubts import Doubt, doubt_about, doubts_of
from grice.matching.calls.names import meant, name_text, names_text
from grice.matching.calls.wording import evidence_of, with_turn
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, matcher
from grice.matching.subjects import calls_of
from grice.records import (
    Conversation,
    JsonValue,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    failed,
    fold_all,
    inconclusive,
    passed,
)
from grice.text import shorten, value_text

SHOWN_USED = 1_000
MAX_NEAR = 20

_NONE = "for any tool at all leave the names out, for none at all negate that"


def _check(*names: str, only: bool = False, at_most: int | None = None) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ArgumentError(
                f"{value_text(name)} is named twice: once is enough, and to count calls there is call_tool"
            )
    if only and not names:
        raise ArgumentError(f"only=True goes with the names of tools; {_NONE}")
    if at_most is not None and at_most < len(names):
        raise ArgumentError(f"at_most={at_most} leaves no room for the {len(names)} tools that are named")


def _read(expected: JsonValue) -> Arguments:
    """As the signature has it; but who writes an empty list does not mean any tool at all."""
    if expected in ([], {}):
        raise ArgumentError(f"expected is empty; {_NONE}")
    return expected_arguments(use_tools, expected)


@matcher(
    "toUseTools",
    layer=0,
    describe="use [{names}|tools][only? and no other][, in at most {at_most:call}]",
    check=_check,
    read=_read,
)
def use_tools(
    subject: Reply | Turn | Conversation,
    ctx: Context,
    *names: Text,
    only: bool = False,
    at_most: AtLeastZero | None = None,
) -> Verdict:
    """Every one of these tools was used; without names, any tool at all.

    With `only` no other tool was; with `at_most` there were no more calls than that, of all tools together
    (and without names that alone is asked). What was measured counts, not what the agent says: calls that it
    returned or signalled, and those seen in the requests to its model, failed and malformed ones too. A turn
    without calls was examined, so `not_to_use_tools()` passes. The negation of several names passes only
    where none of them was used.
    As for `call_tool`, so is a turn whose agent failed, or whose model asked for a tool of which the agent
    reported no call, where such a call could turn the answer. Of a conversation all turns count together.
    """
    calls, turns = calls_of(subject), turns_of(subject)
    doubts = doubts_of(turns)
    verdicts: list[Verdict] = []
    if names:
        verdicts.append(_on_named(calls, turns, names, doubts, any_of_them=ctx.negated))
    elif at_most is None:
        verdicts.append(_on_any(calls, turns, doubts))
    if only:
        verdicts.append(_on_others(calls, turns, names, doubts))
    if at_most is not None:
        verdicts.append(_on_count(calls, turns, at_most, doubts))
    outcome = fold_all(verdict.outcome for verdict in verdicts)
    telling = [verdict for verdict in verdicts if verdict.outcome is outcome]
    reasons = dict.fromkeys([*(verdict.reason for verdict in telling if verdict.reason), used_text(calls)])
    evidence = dict.fromkeys(one for verdict in telling for one in verdict.evidence)
    verdict = Verdict(outcome, "; ".join(reasons), tuple(evidence))
    return with_turn(verdict) if isinstance(subject, Conversation) else verdict


def used_text(calls: Sequence[ToolCall]) -> str:
    """The tools of these calls in words: `used: search (2 times), book`."""
    if not calls:
        return "no tool was used"
    counts = Counter(call.name for call in calls)
    reported = {call.name for call in calls if call.source != "wire"}
    shown = [_used(name, count, seen_only=name not in reported) for name, count in counts.items()]
    return f"used: {shorten(', '.join(shown), SHOWN_USED)}"


def _used(name: str, count: int, *, seen_only: bool) -> str:
    notes = [f"{count} times"] if count > 1 else []
    notes += ["seen in the requests to the model only"] if seen_only else []
    return f"{name_text(name)} ({', '.join(notes)})" if notes else name_text(name)


def _calls(count: int) -> str:
    return f"{count} call{'' if count == 1 else 's'}"


def _on_named(
    calls: Sequence[ToolCall],
    turns: Sequence[Turn],
    names: Sequence[str],
    doubts: Sequence[Doubt],
    *,
    any_of_them: bool,
) -> Verdict:
    used = {call.name for call in calls}
    evidence = evidence_of(turns, [place for place, call in enumerate(calls) if call.name in names])
    missing = [name for name in names if name not in used]
    if not missing or (any_of_them and len(missing) < len(names)):
        return passed("", evidence=evidence)
    others = used.difference(names)
    sure = [name for name in missing if doubt_about(doubts, (name,)) is None]
    if not sure or (any_of_them and len(sure) < len(missing)):
        doubt = doubt_about(doubts, missing)
        return inconclusive(f"{doubt}; no call of {names_text(missing)} is on record", evidence=evidence)
    near = [meant(name, others) for name in sure[:MAX_NEAR]] + [""] * len(sure[MAX_NEAR:])
    return failed(
        "; ".join(f"{value_text(name)} was not used{hint}" for name, hint in zip(sure, near, strict=True))
    )


def _on_any(calls: Sequence[ToolCall], turns: Sequence[Turn], doubts: Sequence[Doubt]) -> Verdict:
    if calls:
        return passed("", evidence=evidence_of(turns, range(len(calls))))
    return inconclusive(doubts[0].reason) if doubts else failed("")


def _on_others(
    calls: Sequence[ToolCall], turns: Sequence[Turn], names: Sequence[str], doubts: Sequence[Doubt]
) -> Verdict:
    places = [place for place, call in enumerate(calls) if call.name not in names]
    if places:
        others = names_text(dict.fromkeys(calls[place].name for place in places))
        return failed(f"used besides: {others}", evidence=evidence_of(turns, places))
    doubt = doubt_about(doubts, names, others=True)
    return passed("") if doubt is None else inconclusive(doubt)


def _on_count(
    calls: Sequence[ToolCall], turns: Sequence[Turn], at_most: int, doubts: Sequence[Doubt]
) -> Verdict:
    evidence = evidence_of(turns, range(len(calls)))
    if len(calls) > at_most:
        return failed(f"{_calls(len(calls))}, expected at most {at_most}", evidence=evidence)
    return inconclusive(doubts[0].reason, evidence=evidence) if doubts else passed("")
