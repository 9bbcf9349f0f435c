"""Tool minimality: a turn uses no more tools than its intent needs.

Small talk abstains, a recommendation searches, and policy reads the store card.

Labelled examples are in `tool-minimality.examples.jsonl` beside this file (rule `tool-minimality`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from grice.checks.message_events import sent_text
from grice.checks.model_requests import answering
from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile
from grice.checks.reported_meta import reported
from grice.checks.tools_used import used_text
from grice.matching.argument_types import AtLeastOne, SpokenText, Text
from grice.matching.calls.doubts import Doubt, doubt_about, doubts_of
from grice.matching.calls.names import meant, names_text
from grice.matching.calls.wording import evidence_of
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import Outcome, Reply, ToolCall, Turn, Verdict, failed, fold_all, inconclusive, passed
from grice.text import did_you_mean, value_text

SEARCH = "product.search"
STORE_CARD = ("store.info", "policy.get")
KNOWN_TOOLS = (SEARCH, "product.details", "inventory.check", *STORE_CARD)


class ToolPolicy(msgspec.Struct, frozen=True, omit_defaults=True):
    """The tools that an intent needs.

    Every one of `needs` is called; at least one of `reads`, in the turn or before it; no tool but those of
    `allows`, `needs` and `reads` where `only`; at most `at_most` calls in all (None: any number).
    """

    needs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    only: bool = False
    at_most: int | None = None


Policies = Mapping[Text, ToolPolicy | Mapping[str, Any]]
ToolNames = Annotated[Sequence[Text], Meta(min_length=1)]


def _policies(
    policy: Policies | None, search: str, store_card: Sequence[str], at_most: int
) -> dict[str, ToolPolicy]:
    known = {
        "small_talk": ToolPolicy(only=True, at_most=0),
        "recommendation": ToolPolicy(needs=(search,), at_most=at_most),
        "policy": ToolPolicy(reads=tuple(store_card), only=True, at_most=at_most),
    }
    if policy is None:
        return known
    for intent, one in policy.items():
        known[intent] = _policy_of(intent, one)
    return known


def _policy_of(intent: str, one: ToolPolicy | Mapping[str, Any]) -> ToolPolicy:
    if isinstance(one, ToolPolicy):
        return one
    fields = ToolPolicy.__struct_fields__
    named = {"at_most" if name == "atMost" else name: value for name, value in one.items()}
    for name in named:
        if name not in fields:
            hint = did_you_mean(str(name), fields) or f"; known are {', '.join(fields)}"
            raise ArgumentError(f"policy.{intent} has an unknown field {value_text(name)}{hint}")
    try:
        return msgspec.convert(named, ToolPolicy)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"policy.{intent}: {error}") from None


def _check(
    intent: str,
    *,
    policy: Policies | None = None,
    search: str = SEARCH,
    store_card: Sequence[str] = STORE_CARD,
    at_most: int = 2,
    **_: object,
) -> None:
    known = _policies(policy, search, store_card, at_most)
    if intent not in known:
        hint = did_you_mean(intent, known) or f"; known are {', '.join(known)}"
        raise ArgumentError(f"unknown intent {value_text(intent)}{hint}")


@matcher("toUseToolsFor", layer=0, check=_check, describe="use no more tools than {intent} takes")
def use_tools_for(
    subject: Reply | Turn,
    ctx: Context,
    intent: str,
    *,
    policy: Policies | None = None,
    search: Text = SEARCH,
    store_card: ToolNames = STORE_CARD,
    store_card_text: SpokenText | None = None,
    at_most: AtLeastOne = 2,
    profile: Profile = "robust",
) -> Verdict:
    """The turn used the tools that this intent needs, and no more.

    `small_talk` takes none; `recommendation` the `search` tool, with at most `at_most` calls in all; `policy`
    only tools of the store card, one of which was read in this turn or before (or a request of the turn holds
    `store_card_text`, where the card stands in the prompt). `policy` adds intents of your own or changes
    these. `robust` goes by the calls that were measured, and takes `product_search` for `product.search`;
    where the agent failed or reported less than its model asked for, it is `inconclusive`. `seed` believes
    `meta.tools_used` and `meta.store_card_used` of the data, and knows five tools: `product.search`,
    `product.details`, `inventory.check`, `store.info` and `policy.get`.
    """
    if not isinstance(subject, Reply | Turn):
        raise Unsuitable(f"a Reply or a Turn, found {type(subject).__name__}")
    turn = subject.turn if isinstance(subject, Reply) else subject
    wanted = _policies(policy, search, store_card, at_most)[intent]
    if profile == "seed":
        return _seed(turn, intent, wanted)
    verdicts = list(_robust(turn, subject, ctx, wanted, store_card_text))
    outcome = fold_all(one.outcome for one in verdicts)
    telling = [one for one in verdicts if one.outcome is outcome]
    reasons = dict.fromkeys([*(one.reason for one in telling if one.reason), used_text(turn.tool_calls)])
    evidence = dict.fromkeys(one for verdict in telling for one in verdict.evidence)
    return Verdict(outcome, "; ".join(reasons), tuple(evidence))


def _robust(
    turn: Turn, subject: object, ctx: Context, wanted: ToolPolicy, card_text: str | None
) -> Iterator[Verdict]:
    calls, doubts = turn.tool_calls, doubts_of((turn,))
    for name in wanted.needs:
        yield _on_needed(name, calls, doubts)
    if wanted.reads:
        yield _on_read(turn, turns_up_to(subject, ctx), wanted.reads, card_text)
    if wanted.only:
        yield _on_others(turn, (*wanted.needs, *wanted.reads, *wanted.allows), doubts)
    if wanted.at_most is not None:
        yield _on_count(turn, wanted.at_most, doubts)
    if not wanted.needs and not wanted.reads and not wanted.only and wanted.at_most is None:
        yield passed("every tool is allowed")


def _same(name: str) -> str:
    """The name as providers that allow fewer characters would write it: product.search is product_search."""
    return "".join(filter(str.isalnum, name)).casefold() or name


def _is_one(call: ToolCall, names: Sequence[str]) -> bool:
    return call.name in names or _same(call.name) in map(_same, names)


def _on_needed(name: str, calls: Sequence[ToolCall], doubts: Sequence[Doubt]) -> Verdict:
    if any(_is_one(call, (name,)) for call in calls):
        return passed("")
    doubt = doubt_about(doubts, (name,))
    if doubt is not None:
        return inconclusive(f"{doubt}; no call of {names_text([name])} is on record")
    return failed(f"{value_text(name)} was not used{meant(name, {call.name for call in calls})}")


def _on_read(turn: Turn, turns: Sequence[Turn], names: Sequence[str], card_text: str | None) -> Verdict:
    """Whether the store card was read, in this turn or one before, which stands in the history."""
    if any(_is_one(call, names) for one in turns for call in one.tool_calls):
        return passed("")
    if card_text is not None and any(card_text in sent_text(one.exchange) for one in answering(turn)):
        return passed("")
    doubt = doubt_about(doubts_of(turns), names)
    if doubt is not None:
        return inconclusive(f"{doubt}; no call of {names_text(names)} is on record")
    if turn.number > len(turns):
        return inconclusive(
            f"the turns before are not known; none of {names_text(names)} was used in this one"
        )
    if card_text is not None and not answering(turn):
        return inconclusive(
            "no request to the model is on record, which could hold the text of the store card"
        )
    where = "" if card_text is None else ", and no request of the turn holds the text of the store card"
    return failed(f"the store card was not read: none of {names_text(names)} was used{where}")


def _on_others(turn: Turn, names: Sequence[str], doubts: Sequence[Doubt]) -> Verdict:
    places = [place for place, call in enumerate(turn.tool_calls) if not _is_one(call, names)]
    if places:
        others = names_text(dict.fromkeys(turn.tool_calls[place].name for place in places))
        allowed = f"expected only {names_text(names)}" if names else "expected none"
        return failed(f"used {others}, {allowed}", evidence=evidence_of((turn,), places))
    doubt = doubt_about(doubts, names, others=True)
    return passed("") if doubt is None else inconclusive(doubt)


def _on_count(turn: Turn, most: int, doubts: Sequence[Doubt]) -> Verdict:
    count = len(turn.tool_calls)
    if count > most:
        said = f"{count} call{'' if count == 1 else 's'}, expected {f'at most {most}' if most else 'none'}"
        return failed(said, evidence=evidence_of((turn,), range(count)))
    return inconclusive(doubts[0].reason) if doubts else passed("")


def _seed(turn: Turn, intent: str, wanted: ToolPolicy) -> Verdict:
    """The documented rule: what the agent says of its tools, counted and held against five names."""
    report = reported(turn)
    if report is None:
        return inconclusive(
            "profile 'seed' reads $.meta.tools_used of the data, and nothing is reported there"
        )
    if report.tools_used is None:
        fault = next(iter(report.faults), "")
        said = "$.meta.tools_used is not reported"
        return failed(fault) if fault else inconclusive(said)
    used = report.tools_used
    faults = [f"{name} is missing" for name in wanted.needs if name not in used]
    if wanted.at_most is not None and len(used) > wanted.at_most:
        faults.append(f"{len(used)} tools, expected at most {wanted.at_most}")
    allowed = {*wanted.needs, *wanted.reads, *wanted.allows} if wanted.only else {*KNOWN_TOOLS, *wanted.needs}
    faults += [f"{names_text([name])} is not allowed" for name in dict.fromkeys(used) if name not in allowed]
    if intent == "policy" and report.store_card_used is not True:
        faults.append("$.meta.store_card_used is not true")
    shown = f"$.meta.tools_used: {names_text(used) or 'none'}"
    return Verdict(Outcome.FAIL if faults else Outcome.PASS, "; ".join([*faults, shown]))
