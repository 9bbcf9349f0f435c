"""The matcher `meet`: a reply passes every check of a bundle, and one table shows them all."""

from __future__ import annotations

import re
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from grice.checks.evidence.policy import follow_policy
from grice.checks.first_looks import first_look
from grice.checks.questions.clarifiers import ask_new_clarifiers
from grice.checks.questions.memory import remember_answers
from grice.checks.reported_meta import reported
from grice.checks.rules import RULES
from grice.checks.self_report import report_what_it_did
from grice.checks.semantics.topicality import stay_on_topic
from grice.checks.shop.budget import stay_within_budget
from grice.checks.shop.coverage import cover_constraints
from grice.checks.shop.envelope import EnvelopeMode, have_envelope
from grice.checks.shop.products import ground_products
from grice.checks.tone.boilerplate import avoid_boilerplate
from grice.checks.tone.contractions import use_contractions
from grice.checks.tone.exclamations import have_at_most_exclamations
from grice.checks.tone.openers import open_differently
from grice.checks.tone.repetition import avoid_repetition
from grice.checks.tone.similarity import differ_from_previous
from grice.checks.tool_minimality import use_tools_for
from grice.judging.bundles import BUNDLES, ROWS, Bundle, BundleName, BundleOptions, bundle_with
from grice.judging.quality import TurnKind, show_intelligence
from grice.matching.assertions.data_arguments import camel
from grice.matching.context import Context
from grice.matching.judge import judge_later
from grice.matching.judge_standing import hardened
from grice.matching.matcher import ArgumentError, Arguments, Matcher, Unsuitable, matcher
from grice.matching.recording import find_embedder
from grice.matching.verdicts import AsyncVerdict
from grice.records import Outcome, Reply, Turn, Verdict, fold_all, skipped
from grice.records.verdict import Mode
from grice.text import did_you_mean, shorten, value_text

MAX_REASON = 300
NO_EMBEDDER = 'no embedder is set that compares meaning: embedder="minilm", or one of your own'
_FIRST = 120
_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
_INTENTS: Mapping[BundleName, str] = {"chat": "small_talk", "recommend": "recommendation", "policy": "policy"}
_KINDS: Mapping[BundleName, TurnKind] = {"chat": "chat", "recommend": "recommendation", "policy": "chat"}
_NINE_OF_TEN = 0.9
_RULES: Mapping[str, str] = {"tools": "tool-minimality"}
"""The rule of a row that is not called as its rule is."""
_BROUGHT = {"naturalness": "naturalness", "guidance": "guidance", "context_use": "context use"}
"""The parts of the IQ, and the rows that they are."""


class Row(NamedTuple):
    """One check of a bundle: its name, its layer, and its matcher or why it does not apply."""

    name: str
    layer: int
    check: Matcher[Any] | str


class ReplyTraits(NamedTuple):
    """The properties of a reply that decide which checks apply."""

    unreported: str
    has_data: bool
    has_embedder: bool = True


# -- arguments


def _check(bundle: Bundle) -> None:
    if bundle.name not in BUNDLES:
        named = f"{value_text(bundle.name)}{did_you_mean(str(bundle.name), BUNDLES)}"
        raise ArgumentError(f"a bundle is {', '.join(BUNDLES)}, found {named}")
    given = {name: getattr(bundle, name) for name in BundleOptions.__annotations__}
    list(_rows(bundle_with(bundle, given), ReplyTraits("", True)))  # wrong arguments are refused now


def _read(expected: Any) -> Arguments:
    """The name of a bundle, or an object with `bundle` and its options."""
    given = expected if isinstance(expected, dict) else {"bundle": expected}
    options = {_CAPITAL.sub(lambda found: f"_{found[0].lower()}", str(name)): given[name] for name in given}
    name = options.pop("bundle", None)
    known: Mapping[object, Bundle] = {one.name: one for one in BUNDLES.values()}
    if not isinstance(name, str) or name not in known:
        hint = did_you_mean(name, BUNDLES) if isinstance(name, str) else ""
        raise ArgumentError(f"bundle is one of {', '.join(BUNDLES)}, found {value_text(name)}{hint}")
    return (bundle_with(known[name], options),), {}


_NAME = {"enum": list(BUNDLES)}
_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        _NAME,
        {
            "type": "object",
            "properties": {"bundle": _NAME, **{camel(name): {} for name in BundleOptions.__annotations__}},
            "required": ["bundle"],
            "additionalProperties": False,
        },
    ]
}


# -- rows


def _rows(bundle: Bundle, seen: ReplyTraits) -> Iterator[Row]:
    """The checks of the bundle on such a reply, but for those of judges, by layer."""
    yield from _measured(bundle, seen)
    yield from _tone(bundle)
    yield from _offers(bundle, seen)
    yield from _semantics(bundle, seen)


def _measured(bundle: Bundle, seen: ReplyTraits) -> Iterator[Row]:
    intent = _INTENTS[bundle.name]
    policy = None if bundle.tools is None else {intent: bundle.tools}
    text, profile = bundle.store_card_text, bundle.profile
    yield Row("tools", 0, use_tools_for(intent, policy=policy, store_card_text=text, profile=profile))
    yield Row("self-report", 0, seen.unreported or report_what_it_did(store_card_text=text))


def _tone(bundle: Bundle) -> Iterator[Row]:
    profile, language = bundle.profile, bundle.language
    yield Row("boilerplate", 1, avoid_boilerplate(language=language, profile=profile))
    yield Row("contractions", 1, use_contractions(language=language, profile=profile))
    yield Row("exclamations", 1, have_at_most_exclamations(profile=profile))
    yield Row("repetition", 1, avoid_repetition(language=language, profile=profile))
    yield Row("similarity", 1, differ_from_previous(language=language, profile=profile))
    yield Row("openers", 1, open_differently(language=language, profile=profile))


def _offers(bundle: Bundle, seen: ReplyTraits) -> Iterator[Row]:
    """The checks on what the reply shows, asks and claims."""
    shape, profile = bundle.shape, bundle.profile
    recommends = bundle.name == "recommend"
    bare = "the reply is plain text, without an envelope" if not recommends and not seen.has_data else ""
    mode: EnvelopeMode = "recommend" if recommends else "chat"
    yield Row("envelope", 1, bare or have_envelope(mode=mode, shape=shape, profile=profile))
    slots, language = bundle.slots, bundle.language
    asking = ask_new_clarifiers(shape=shape, slots=slots, language=language, profile=profile)
    yield Row("clarifiers", 1, asking)
    if recommends:
        yield Row("budget", 1, _within_budget(bundle))
        yield Row("products", 2, _grounded(bundle))
    if bundle.name == "policy":
        yield Row("policy", 2, _carded(bundle))
    remembering = remember_answers(shape=shape, slots=slots, language=language, profile=profile)
    yield Row("memory", 2, remembering)


def _within_budget(bundle: Bundle) -> Matcher[Any] | str:
    if bundle.budget is None:
        return "no budget is given: recommend(budget=...)"
    return stay_within_budget(
        bundle.budget,
        drivers=bundle.drivers,
        records=bundle.records,
        shape=bundle.shape,
        profile=bundle.profile,
    )


def _grounded(bundle: Bundle) -> Matcher[Any]:
    return ground_products(
        records=bundle.records,
        shape=bundle.shape,
        synonyms=bundle.synonyms,
        language=bundle.language,
        profile=bundle.profile,
    )


def _carded(bundle: Bundle) -> Matcher[Any]:
    return follow_policy(
        bundle.store_card, synonyms=bundle.synonyms, language=bundle.language, profile=bundle.profile
    )


def _semantics(bundle: Bundle, seen: ReplyTraits) -> Iterator[Row]:
    on_topic = stay_on_topic(
        embedder=bundle.embedder, shape=bundle.shape, language=bundle.language, profile=bundle.profile
    )
    yield Row("topicality", 4, on_topic if seen.has_embedder else NO_EMBEDDER)
    if bundle.name != "recommend":
        return
    if not bundle.constraints:
        yield Row("coverage", 4, "no constraints are given: recommend(constraints=[...])")
        return
    covered = cover_constraints(
        bundle.constraints,
        records=bundle.records,
        shape=bundle.shape,
        synonyms=bundle.synonyms,
        profile=bundle.profile,
    )
    yield Row("coverage", 4, covered)


def _traits_of(subject: Reply | Turn, bundle: Bundle) -> ReplyTraits:
    turn = subject.turn if isinstance(subject, Reply) else subject
    return ReplyTraits(_unreported(subject, turn), turn.data is not None, _has_embedder(subject, bundle))


def _has_embedder(subject: Reply | Turn, bundle: Bundle) -> bool:
    """Whether somebody chose an embedder; the one that stands in for it only compares words."""
    try:
        return bundle.embedder is not None or find_embedder(subject) is not None
    except Exception:  # the check itself says what is wrong with the settings
        return True


def _softened(bundle: Bundle) -> dict[str, str]:
    """The rows that are soft by the first look of their rule, each with that: `first look 12/16`."""
    found: dict[str, str] = {}
    rules = {rule.name for rule in RULES}
    for row in ROWS:
        rule = _RULES.get(row, row)
        if rule not in rules or row in bundle.hard or row in bundle.soft:
            continue
        seen = first_look(rule, bundle.profile)
        figure = seen.outcomes if seen is not None else None
        if figure is None:
            found[row] = "no first look"
        elif figure.value < _NINE_OF_TEN:
            found[row] = f"first look {figure.successes}/{figure.n}"
    return found


def _unreported(subject: Reply | Turn, turn: Turn) -> str:
    """Why there is no report to compare, "" where there is one."""
    report = reported(turn)
    if report is None:
        return "the agent reports nothing of what it did"
    turns = subject.conversation.record.turns if isinstance(subject, Reply) else (turn,)
    idle = not (report.tools_used or report.retrieval_ids or report.store_card_used or report.faults)
    if idle and not any(one.tool_calls or one.exchanges for one in turns):
        return "the agent reports no tool, and none is on record"
    return ""


# -- the matcher

BundleOf = Annotated[Bundle, Meta(description="a bundle: chat, recommend or policy (from grice import chat)")]


@matcher(
    "toMeet",
    layer=3,
    judged=True,
    describe="meet the bundle {bundle.name!s}",
    check=_check,
    read=_read,
    schema=_SCHEMA,
)
def meet(subject: Reply | Turn, ctx: Context, bundle: BundleOf) -> Coroutine[Any, Any, Verdict]:
    """The turn passes every check of the bundle `chat`, `recommend` or `policy`; a table says which.

    Each check is a part of the verdict, with its layer. One that does not apply, or needs something that
    nobody gave, is `skipped`; soft ones are shown and change nothing. The rest combine as "all of them hold".
    A rule whose first look is under nine of ten, or that has none, is soft unless the bundle's `hard` names
    it.
    """
    if not isinstance(subject, Reply | Turn):
        raise Unsuitable(f"a Reply or a Turn, found {type(subject).__name__}")
    return _met(subject, ctx, bundle)


async def _met(subject: Reply | Turn, ctx: Context, bundle: BundleOf) -> Verdict:
    judged = msgspec.structs.replace(ctx, negated=False)
    softened = _softened(bundle)
    soft = {*bundle.soft, *softened}
    verdicts = [
        await _verdict(
            row, subject, judged, "soft" if row.name in soft else "hard", softened.get(row.name, "")
        )
        for row in _rows(bundle, _traits_of(subject, bundle))
        if row.name not in bundle.without
    ]
    verdicts += await _by_judges(bundle, subject, judged)
    for place, other in enumerate(bundle.also, 1):
        row = Row(other.phrase or f"check {place}", other.factory.layer or 1, other)
        verdicts.append(await _verdict(row, subject, judged))
    return _folded(bundle, sorted(verdicts, key=lambda one: one.layer or 0))


async def _verdict(
    row: Row, subject: Reply | Turn, ctx: Context, mode: Mode = "hard", softened: str = ""
) -> Verdict:
    if isinstance(row.check, str):
        verdict = skipped(row.check)
    else:
        context = msgspec.structs.replace(ctx, mode=mode, noun="the reply")
        made = judge_later(row.check, subject, context)
        verdict = await made.run() if isinstance(made, AsyncVerdict) else made
    return msgspec.structs.replace(verdict, criterion=row.name, layer=row.layer, softened=softened)


async def _by_judges(bundle: Bundle, subject: Reply | Turn, ctx: Context) -> list[Verdict]:
    """The three judges and the IQ of them, each a row.

    They are asked at once, as if they were soft: which of them decide is only then said row by row.
    """
    wanted = [name for name in (*_BROUGHT.values(), "IQ") if name not in bundle.without]
    if not bundle.judges or not wanted:
        return [await _verdict(Row(name, 3, "judges=False"), subject, ctx) for name in wanted]
    whole = await _verdict(Row("IQ", 3, _intelligent(bundle)), subject, ctx, "soft")
    known = {_BROUGHT.get(part.criterion, ""): part for part in whole.parts}
    rows = [msgspec.structs.replace(known.get(name, whole), criterion=name, layer=3) for name in wanted]
    return [row if row.criterion in bundle.soft else hardened(row) for row in rows]


def _intelligent(bundle: Bundle) -> Matcher[Any]:
    """The IQ, which asks all three judges."""
    records = bundle.records
    listed = list(records.values() if isinstance(records, Mapping) else records or ())
    kind, card = _KINDS[bundle.name], bundle.store_card
    return show_intelligence(kind=kind, store_card=card, records=listed or None, intent=bundle.intent)


def _folded(bundle: Bundle, rows: Sequence[Verdict]) -> Verdict:
    parts = [
        msgspec.structs.replace(one, mode="soft") if one.softened or one.criterion in bundle.soft else one
        for one in rows
    ]
    hard = [one for one in parts if one.mode == "hard"]
    outcome = fold_all(one.outcome for one in hard)
    if outcome is Outcome.SKIPPED or not hard:
        named = "; hard=[...] says which decide" if any(one.softened for one in parts) else ""
        said = f"{bundle.name}: no hard check is left, or applies{named}"
        told = "\n".join([said, *_table(parts)])
        return Verdict(Outcome.INCONCLUSIVE, told, parts=tuple(parts), detail={"bundle": bundle.name})
    telling = (one for part in hard if part.outcome is outcome for one in part.evidence)
    evidence = tuple(dict.fromkeys(telling)) if outcome is not Outcome.PASS else ()
    said = "\n".join([_summary(bundle, parts, outcome), *_table(parts)])
    return Verdict(outcome, said, evidence, parts=tuple(parts), detail={"bundle": bundle.name})


def _summary(bundle: Bundle, rows: Sequence[Verdict], outcome: Outcome) -> str:
    """What failed first, and how many checks came to what, with the soft ones that did not pass."""
    hard = [one for one in rows if one.mode == "hard"]
    soft = [one for one in rows if one.mode == "soft" and one.outcome not in (Outcome.PASS, Outcome.SKIPPED)]
    said = f"{bundle.name}: {_counts(hard)}{f'; soft: {_counts(soft)}' if soft else ''}"
    if outcome is Outcome.PASS:
        return said
    first = next(one for one in hard if one.outcome is outcome)
    why = first.reason.partition("\n")[0].partition("; ")[0]
    return f"{first.criterion}: {shorten(why, _FIRST)} ({said})"


def _counts(rows: Sequence[Verdict]) -> str:
    counts = {kind: sum(one.outcome is kind for one in rows) for kind in Outcome}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def _rank(row: Verdict) -> int:
    """What did not pass before what did, hard before soft."""
    return 2 if row.outcome in (Outcome.PASS, Outcome.SKIPPED) else int(row.mode == "soft")


def _mark(row: Verdict) -> str:
    why = f": {row.softened}" if row.softened and row.outcome is not Outcome.SKIPPED else ""
    return f" (soft{why})" if row.mode == "soft" else ""


def _table(rows: Sequence[Verdict]) -> list[str]:
    """One line a check: layer, name, outcome, and what there is to say; what did not pass stands first."""
    rows = sorted(rows, key=_rank)
    outcomes = [f"{row.outcome}{_mark(row)}" for row in rows]
    width = max((len(row.criterion) for row in rows), default=0)
    wide = max(map(len, outcomes), default=0)
    lines = []
    for row, outcome in zip(rows, outcomes, strict=True):
        reason = shorten(row.reason.partition("\n")[0], MAX_REASON)
        lines.append(f"  {row.layer}  {row.criterion:<{width}}  {outcome:<{wide}}  {reason}".rstrip())
    return lines
