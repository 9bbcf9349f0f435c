"""Whether an assistant takes the opposite of what it said before, without saying that it changed its mind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grice.checks.contradiction.positions.judging_stances import judged
from grice.checks.contradiction.seed_rubric import Said, seed_contradiction
from grice.checks.contradiction.stances import PAIRS, Pairs, SelfContradiction
from grice.checks.profiles import Profile, check_profile
from grice.checks.tone.speech import check_language
from grice.matching.context import Context, record_of
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.records import Conversation, Evidence, JsonValue, Outcome, Reply, Turn, Verdict, inconclusive
from grice.text import did_you_mean, value_text

__all__ = ["avoid_self_contradiction", "self_contradiction"]


def self_contradiction(
    conversation: Conversation | Sequence[Mapping[str, Any]] | Any,
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> SelfContradiction:
    """Whether the assistant contradicts itself; truthy exactly when it does. Source: seed 004.

    `conversation` is a record, a live conversation, or a list of messages in one of the field's formats.
    `robust` reads what each reply holds of a proposition, by the answer it begins with and by its clauses
    (negation, "should not" as one, banning against allowing, benefits against risks; not questions,
    conditions, concessions, quotes, and what others are said to think), and holds stances on the same
    proposition against each other. Propositions come from the questions of the user and from what the
    assistant claims itself; `proposition` gives the only one to look at. Advice is read too: what a reply
    recommends, warns of, calls worth it or not, or chooses of two options, on the question that stands open
    ("so should I?", "final answer?" take it up again); what the user asks to argue is nobody's advice.
    `pairs` says which replies are compared: `all` (the default), `adjacent`, `first_two`. The outcome is

    - contradiction: a later reply takes the opposite, and nothing between says so;
    - acknowledged_change: it does, and the assistant says in the first person that it changed its mind or was
      wrong; agreeing ("you're right") is that only with `agreement_acknowledges`;
    - consistent: no stance is taken back; narrowing ("not without supervision"), another case, what the user
      newly says about themselves, a tool that was called, and "not yet" explain an opposite answer;
    - undetermined: fewer than two stances could be compared, or the language has no rules (`language` is an
      ISO 639 code where the caller knows it; the rules are for English).

    `seed` is the documented rubric. It compares the first two assistant messages (`pairs`, `proposition` and
    the rest change nothing). The position is read in the first 200 characters, lower-cased: text that begins
    with "yes," or "yes " says yes, "no," or "no " says no; else the list with more of its words decides, each
    counted once, words between ASCII word boundaries, phrases as substrings; a tie is unclear. Yes: yes,
    should, must, ought to, i think so, i believe so, support, in favor, benefits outweigh, positive. No: no,
    shouldn't, should not, must not, ought not, don't think, do not think, disagree, oppose, against, risks
    outweigh, negative. Opposite positions are a contradiction unless the second message has one of these
    substrings: changed my mind, reconsidered, upon reflection, i was wrong, you've convinced me, let me
    revise, initially i thought, i've shifted my view. These lists are those of the seed's project with the
    eight phrases of the seed: the lists as the seed writes them fail half of its own examples.

    Raises ArgumentError for wrong arguments, FormatError for messages that cannot be read.
    """
    _check(
        pairs=pairs,
        proposition=proposition,
        agreement_acknowledges=agreement_acknowledges,
        language=language,
        profile=profile,
    )
    record = record_of(conversation)
    if record is None:
        from grice.formats import read_conversation  # not needed by a test that talks to an agent

        record = read_conversation(conversation)
    if profile == "seed":
        return seed_contradiction(list(_said(record.turns)))
    return judged(
        record.turns,
        pairs=pairs or "all",
        proposition=proposition,
        agreement=agreement_acknowledges,
        language=language,
    )


def _said(turns: Sequence[Turn]) -> Iterator[Said]:
    """What the assistant messages of the turns say; one that only calls tools is none."""
    for turn in turns:
        for message in turn.messages:
            if message.role == "assistant" and (message.content or not message.tool_calls):
                yield Said(message.content, turn.number, 0 if message.content == turn.text else None)


def _check(
    *,
    pairs: object = None,
    proposition: object = "",
    agreement_acknowledges: object = False,
    language: object = None,
    profile: object = "robust",
) -> None:
    check_profile(profile)
    check_language(language)
    if pairs is not None and pairs not in PAIRS:
        hint = did_you_mean(pairs, PAIRS) if isinstance(pairs, str) else ""
        raise ArgumentError(
            f"pairs is {', '.join(PAIRS[:-1])} or {PAIRS[-1]}, found {value_text(pairs)}{hint}"
        )
    if not isinstance(proposition, str):
        raise ArgumentError(f"proposition is a text, found {value_text(proposition)}")
    if not isinstance(agreement_acknowledges, bool):
        raise ArgumentError(
            f"agreement_acknowledges is true or false, found {value_text(agreement_acknowledges)}"
        )


def _describe(
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> str:
    about = f" on {value_text(proposition)}" if proposition else ""
    which = {"first_two": " in the first two replies", "adjacent": " from one reply to the next"}
    return f"avoid self-contradiction{about}{which.get(pairs or '', '')}"


@matcher("toAvoidSelfContradiction", layer=1, describe=_describe, check=_check)
def avoid_self_contradiction(
    subject: Conversation | Reply,
    ctx: Context,
    *,
    pairs: Pairs | None = None,
    proposition: str = "",
    agreement_acknowledges: bool = False,
    language: str | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The assistant does not take the opposite of what it said before without saying so.

    Of a conversation any two replies count, of a Reply it and the replies before it. It fails on
    a contradiction, passes on an acknowledged change and where the stances agree, and is `inconclusive` where
    fewer than two stances can be compared, with the reason. The evidence is the words of both stances and of
    the acknowledgement; the detail has the stance of every reply. `seed` fails on a contradiction and passes
    otherwise, as the documented rule is a boolean; it looks at the first two assistant messages up to the
    reply. See `grice.self_contradiction` for the arguments and both rules. Source: seed 004.
    """
    turns, only_last = _turns(subject, ctx)
    if turns is None:
        return inconclusive("the turns before this one are not known: judge a Reply, or a conversation")
    if profile == "seed":
        return _verdict(seed_contradiction(list(_said(turns))), turns, documented=True)
    found = judged(
        turns,
        pairs=pairs or "all",
        proposition=proposition,
        agreement=agreement_acknowledges,
        language=language,
        since=ctx.since,
        only_last=only_last,
    )
    return _verdict(found, turns, documented=False)


def _turns(subject: object, ctx: Context) -> tuple[Sequence[Turn] | None, bool]:
    """The turns to look at, None when nobody knows them; and whether only the last one is judged."""
    if isinstance(subject, Conversation):
        return subject.turns, False
    if not isinstance(subject, Reply | Turn):
        raise Unsuitable(f"a Conversation or a Reply, found {value_text(subject)}")
    if ctx.conversation is None or ctx.turn is None:
        return None, True
    return ctx.conversation.turns[: ctx.turn.number], True


def _verdict(found: SelfContradiction, turns: Sequence[Turn], *, documented: bool) -> Verdict:
    """The verdict; the documented rule is a boolean, and has no third answer."""
    if found.outcome == "undetermined" and not documented:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.FAIL if found else Outcome.PASS
    return Verdict(outcome, found.reason, tuple(_evidence(found, turns)), detail=_detail(found))


def _evidence(found: SelfContradiction, turns: Sequence[Turn]) -> Iterator[Evidence]:
    texts = {turn.number: turn.text for turn in turns}
    for stance in found.stances:
        if found.pair is not None and stance.turn in found.pair and stance.start < stance.end:
            quote = texts.get(stance.turn, "")[stance.start : stance.end]
            yield Evidence(quote, stance.turn, stance.start, stance.end, note=f"says {stance.position}")
    said = found.acknowledgement
    if said is not None:
        start, end = (said.start, said.end) if said.start < said.end else (None, None)
        yield Evidence(said.quote, said.turn, start, end, note="acknowledges the change")


def _detail(found: SelfContradiction) -> dict[str, JsonValue]:
    telling = [one for one in found.stances if one.rule and (found.pair is None or one.turn in found.pair)]
    return {
        "outcome": found.outcome,
        "rules": list(dict.fromkeys(one.rule for one in telling)),
        "stances": [
            {
                "turn": one.turn,
                "position": one.position,
                "confidence": one.confidence,
                "proposition": one.proposition,
                "rule": one.rule,
            }
            for one in found.stances
        ],
    }
