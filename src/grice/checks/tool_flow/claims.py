"""Whether what a reply says was done is what its tools did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from grice.checks.tool_flow.english_actions import groups_of, lemma, same_action
from grice.checks.tool_flow.facts import Deed, Facts
from grice.checks.tool_flow.labels import Finding
from grice.checks.tool_flow.speech_acts import Act, Sentence
from grice.checks.tool_flow.states import StateClaim, state_claims
from grice.checks.tool_flow.status import ToolStatus
from grice.checks.tool_flow.versions import unknown_versions
from grice.checks.tool_flow.wishes import asked_for, wanted_now
from grice.matching.calls.names import name_text
from grice.text import shorten
from grice.text.packs.tables import listed

__all__ = ["fact_findings"]

_MAX_SAID = 300
_VAGUE = frozenset(
    map(
        lemma,
        listed(
            """
            make run start set drop move do get report put post call launch save correct raise
            connect
            """
        ),
    )
)
_PLAIN_IF_ASKED = frozenset(map(lemma, listed("move drop post launch save raise")))
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HARD = frozenset(
    map(
        lemma,
        listed(
            """
            book reserve rent cancel delete remove install uninstall publish transfer buy purchase
            refund
            """
        ),
    )
)
_BROAD = tuple(
    map(lemma, listed("update change modify edit set make create save submit apply manage process"))
)
_LAST_WISHES = 6
_MAX_STATES = 50
_WRITTEN = frozenset(
    map(
        lemma,
        listed(
            """
            summary list draft plan table outline code function example version itinerary recipe
            paragraph sentence essay text script poem section answer response message reply
            diagram formula query regex snippet template letter bullet step steps overview
            breakdown schedule checklist guide comparison explanation note notes comment
            suggestion option options sum idea ideas question questions title titles rewrite
            wording tone calculation calculations total mind day attention readability result
            results detail details link links information info everything recommendation
            recommendations request patience
            """
        ),
    )
)
_WRITING = frozenset(
    map(
        lemma,
        listed(
            """
            create add make generate build update change modify edit adjust revise remove
            replace correct fix set insert append drop record save store
            """
        ),
    )
)
_SHOWN = re.compile(
    r"\b(?:below|above|here(?:'s| is| are)?|as follows|following|attached|my (?:mind|answer"
    r"|recommendation|response|list|estimate|suggestion)|for example|in bold|for you to (?:see"
    r"|review))\b|:\s*$"
)
_EARLIER = re.compile(
    r"\b(?:yesterday|last (?:week|month|year|night|time)|previously|originally|initially|ago"
    r"|earlier|in the past|in (?:19|20)\d\d|"
    r"on (?:\w+ )?\d{1,2}(?:st|nd|rd|th)?\b|on (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)|as (?:i|we) (?:said|mentioned)|"
    r"by (?:the|your|another|a|our) \w+|when you|records? shows?|i (?:can )?see (?:that)?|it "
    r"(?:looks|seems|appears)|according to|"
    r"shows? that|status|usually|normally|typically|always|often|every)\b"
)
_FAILED = re.compile(
    r"\b(?:couldn't|could not|can't|cannot|unable|not able|wasn't able|fail(?:s|ed|ure|ing)?"
    r"|error|errors|problems?|issues?|unfortunately|"
    r"not possible|impossible|didn't|did not|doesn't|does not|hasn't|has not|haven't|have not"
    r"|wasn't|was not|weren't|isn't|rejected|declined|denied|not found|no such|"
    r"unavailable|invalid|refused|timed out|time[- ]?out|went wrong|trouble|unsuccessful|not "
    r"(?:been )?(?:updated|completed|processed)|won't|"
    r"unsuccessfully|retry|try again|blocked|exceeds?|expired|not (?:allowed|permitted|enough)"
    r"|insufficient|hiccup|sorry|apolog\w+|yet)\b"
)
_NO_FAILURE = re.compile(
    r"\b(?:no|without(?: any| a)?|zero|0|free of|any) (?:errors?|problems?|issues?|trouble"
    r"|failures?|hiccups?|hitch)\b|error-free"
    r"|(?:had|fixed|resolved|solved) (?:the|your|an?) (?:error|problem|issue)"
    r"|(?:sorry|apolog\w+) for (?:the|any|your) (?:\w+ )?(?:inconvenience|wait|delay|trouble"
    r"|confusion|issue|problem)s?"
    r"|(?:don't|do not|didn't) (?:hesitate|forget|worry|need)|if (?:you|there|any)[^.!?]*|let me know[^.!?]*"
)
_COULD_NOT = re.compile(
    r"\b(?:i|we)(?:'m| am| was| were|'ve been| have been)? (?:couldn't|could not|unable to|not "
    r"able to|wasn't able to|weren't able to|failed to|"
    r"can't|cannot|didn't manage to|haven't been able to|have not been able to|didn't|did not"
    r"|have failed to) (?:actually |currently |successfully )?(\w+)"
    r"|\b(?:couldn't|could not|cannot|can't|hasn't been|has not been|wasn't|was not) (?:be "
    r")?(?:successfully )?(\w+ed)\b"
    r"|\b(\w+) (?:has |have )?(?:failed|was unsuccessful|didn't go through|did not go through"
    r"|didn't succeed|did not succeed|couldn't be completed)"
)
_SUCCESSFULLY = re.compile(r"\b(?:successful(?:ly)?|went through|all set|is live|success)\b")


def fact_findings(
    said: str, sentences: Sequence[Sentence], acts: Sequence[Act], status: ToolStatus, facts: Facts
) -> Iterator[Finding]:
    """What the reply says against what is known of its tools, in the order of the labels."""
    told = [act for act in acts if _is_claim(act, said)]
    asked = wanted_now(facts) & _PLAIN_IF_ASKED
    claims = [act for act in told if act.verb not in _VAGUE or act.verb in asked]
    admitted = _FAILED.search(_NO_FAILURE.sub(" ", said.lower())) is not None
    states = list(islice(state_claims(sentences), _MAX_STATES)) if facts.known else []
    belied = [] if admitted else list(_after_failure(told, acts, sentences, status, facts))
    if not admitted and not belied and status == "error":
        belied = _states_belied(states, facts)
    if facts.sure:
        yield from _unbacked(claims, acts, states, facts, {start for start, _ in belied})
    if belied:
        failed = next((one for one in reversed(facts.deeds) if one.became == "error"), None)
        note = (
            f"{name_text(failed.name)} failed: {shorten(failed.told, 120)}" if failed else "the tool failed"
        )
        yield Finding("SUCCESS_AFTER_FAILURE", tuple(belied[:5]), note)
    if facts.known and not told:
        yield from _after_success(sentences, facts)
    if facts.known:
        yield from unknown_versions(said, facts)
        yield from (
            Finding("PRE_TOOL_NARRATION", (), "said before the call", shorten(text, _MAX_SAID), path)
            for path, text in facts.narration
        )


def _is_claim(act: Act, said: str) -> bool:
    """Whether a report says that the assistant changed something, outside the reply itself."""
    if act.kind != "report" or not act.verb or not groups_of(act.verb):
        return False
    if not act.own and not act.firm:
        return False
    phrase = act.phrase
    if (act.verb in _WRITING and phrase.nouns & _WRITTEN) or _SHOWN.search(act.whole):
        return False
    if act.verb == lemma("order") and re.search(r"\bby\b", act.whole):
        return False
    return _EARLIER.search(act.whole) is None and not re.search(
        r"\byou(?:'ve| have| had)\b[^.]{0,25}$", said[max(0, act.start - 30) : act.start].lower()
    )


def _unbacked(
    claims: Sequence[Act],
    acts: Sequence[Act],
    states: Sequence[StateClaim],
    facts: Facts,
    belied: set[int],
) -> Iterator[Finding]:
    """Claims that no successful call bears out."""
    spans = [
        (act.start, act.end)
        for act in claims
        if act.start not in belied and (not _backed(act, facts) or _is_one_too_many(act, claims, facts))
    ]
    if not claims and not facts.acted:
        spans = [
            (act.start, act.end)
            for act in acts
            if act.kind == "report"
            and not act.verb
            and act.sentence == 0
            and act.start not in belied
            and _was_asked(facts)
        ][:1]
    if not spans and not claims and not belied:
        spans = [(one.start, one.end) for one in states if _is_unbacked_state(one, facts)]
    if spans:
        yield Finding("CLAIMED_WITHOUT_ACTION", tuple(spans[:5]), _done_text(facts))


def _backed(act: Act, facts: Facts) -> bool:
    if facts.did(act.verb):
        return True
    wanted = any(same_action(one, act.verb) for one in wanted_now(facts))
    if not act.own:
        if wanted and act.firm:
            known = _said_as_done(act.verb, facts)
        else:
            known = _told_by_results(act.verb, facts) or _said_by_user(act.verb, facts)
        if known:
            return True  # what was looked up, or what the user told
    if not facts.acted:
        return False
    if act.verb in _HARD:
        return not (act.own or (wanted and act.firm))
    # an action that was asked for by name, and calls that by their names did others
    return not (
        wanted and act.firm and _is_sharp(act.verb) and not any(_may_be_all(one) for one in facts.deeds)
    )


def _is_one_too_many(act: Act, claims: Sequence[Act], facts: Facts) -> bool:
    """Whether more is claimed than calls were made, and this is what no call was about: the hotel was booked,
    and the car, that the user asked for too, is in no name, argument or result of what was called.
    """
    if act.verb not in _HARD or not act.phrase.nouns or not act.phrase.nouns <= _stems(facts.user):
        return False
    alike = [
        one for one in claims if same_action(one.verb, act.verb) and one.phrase.nouns != act.phrase.nouns
    ]
    deeds = [
        one
        for one in (*facts.earlier, *facts.deeds)
        if one.became == "success" and one.sort != "look" and one.does(act.verb)
    ]
    if not alike or len(deeds) > len(alike) or any(one.sort == "any" for one in deeds):
        return False
    about = frozenset[str]().union(*(_stems(f"{one.name} {one.told[:20_000]}") for one in deeds))
    named = act.phrase.nouns | frozenset(map(lemma, act.phrase.names))
    return about.isdisjoint(named) and any(one.phrase.nouns & about for one in alike)


@lru_cache(maxsize=64)
def _stems(text: str) -> frozenset[str]:
    """The stems of the words of a text or of names such as book_flight."""
    return frozenset(lemma(one.lower()) for one in _WORDS.findall(text[:20_000]))


def _is_sharp(verb: str) -> bool:
    """Whether a verb names an action of its own, that changing or making something is not."""
    return not any(same_action(verb, one) for one in _BROAD)


def _may_be_all(deed: Deed) -> bool:
    """Whether a call may have done anything, by its name: it ran or changed something."""
    if deed.became != "success" or deed.sort == "look":
        return False
    return deed.sort == "any" or any(same_action(one, broad) for one in deed.verbs for broad in _BROAD)


def _is_unbacked_state(state: StateClaim, facts: Facts) -> bool:
    """Whether a new state is claimed that the user wanted, and no call has changed anything."""
    if not state.fresh or not state.verbs or facts.ever_acted:
        return False
    wanted = wanted_now(facts).union(*map(asked_for, facts.before[-_LAST_WISHES:]))
    if not any(same_action(one, verb) for one in wanted for verb in state.verbs):
        return False
    return re.search(rf"\b{re.escape(state.word)}\b", facts.results) is None


def _states_belied(states: Sequence[StateClaim], facts: Facts) -> list[tuple[int, int]]:
    """The states that are said to hold though the call that was to bring them about failed."""
    if any(one.became == "success" and one.sort != "look" for one in facts.deeds):
        return []
    failed = [one for one in facts.deeds if one.became == "error" and one.sort != "look"]
    return [
        (one.start, one.end)
        for one in states
        if (one.fresh or _names_state(facts.user, one)) and any(_brings_about(deed, one) for deed in failed)
    ]


def _names_state(user: str, state: StateClaim) -> bool:
    """Whether the user named the state that is claimed: lights off."""
    return bool(state.word) and re.search(rf"\b{re.escape(state.word)}\b", user.lower()) is not None


def _brings_about(deed: Deed, state: StateClaim) -> bool:
    return (
        not state.verbs
        or deed.sort == "any"
        or any(same_action(one, verb) for one in deed.verbs for verb in state.verbs)
    )


def _told_by_results(verb: str, facts: Facts) -> bool:
    return re.search(rf"\b{re.escape(verb)}", facts.results) is not None


def _said_as_done(verb: str, facts: Facts) -> bool:
    """Whether a result says that it is done: cancelled, and not cancellable or "cancelled": false."""
    done = rf"\b{re.escape(verb)}\w{{0,2}}(?:ed|d|t|n)\b(?!_?\w)(?!\"?\s*:\s*(?:false|null|0\b|\"\"|\"?no\b))"
    return re.search(done, facts.results) is not None


def _said_by_user(verb: str, facts: Facts) -> bool:
    return re.search(rf"\b{re.escape(verb)}(?:l|t|p|n)?(?:ed|d)\b", facts.user.lower()) is not None


def _was_asked(facts: Facts) -> bool:
    """Whether the user asked for an action that no call has done."""
    found = re.match(
        r"\W*(?:(?:please|hi|hello|hey|ok(?:ay)?|yes|now|then|can you|could you|would you|will you"
        r"|just|go ahead and|i want you to|"
        r"i'd like you to)\W+){0,4}(\w+)\b",
        facts.user.lower(),
    )
    verb = lemma(found[1]) if found is not None else ""
    return bool(verb and groups_of(verb)) and not facts.did(verb) and (verb not in _VAGUE)


def _done_text(facts: Facts) -> str:
    """What was done instead, in words."""
    shown = [f"{name_text(one.name)} ({_BECAME[one.became]})" for one in facts.deeds[:5]]
    return f"in this turn: {', '.join(shown)}" if shown else "no tool was called in this turn"


_BECAME = {"success": "succeeded", "error": "failed", "pending": "is pending", "open": "was not answered"}


def _after_failure(
    claims: Sequence[Act],
    acts: Sequence[Act],
    sentences: Sequence[Sentence],
    status: ToolStatus,
    facts: Facts,
) -> Iterator[tuple[int, int]]:
    """Claims of success where the last call failed, or the call that should have done it did."""
    failed = [one for one in facts.deeds if one.became == "error"]
    if not failed and (status != "error" or facts.deeds):
        return
    last = status == "error"
    for act in claims:
        done_now = any(one.became == "success" and one.does(act.verb) for one in facts.deeds)
        meant = any(_would_have(one, act.verb) for one in failed)
        if not done_now and (meant or (last and act.verb not in _VAGUE)):
            yield act.start, act.end
    if claims or not last or any(one.became == "success" and one.sort != "look" for one in facts.deeds):
        return
    for act in acts:
        if act.kind == "report" and not act.verb:
            yield act.start, act.end
            return
    for sentence in sentences:
        found = _SUCCESSFULLY.search(sentence.text)
        if found is not None and not sentence.asks and not sentence.denies(found.start()):
            yield sentence.start + found.start(), sentence.start + found.end()
            return


def _would_have(deed: Deed, verb: str) -> bool:
    return any(same_action(one, verb) for one in deed.verbs)


def _after_success(sentences: Sequence[Sentence], facts: Facts) -> Iterator[Finding]:
    """A failure that is told of where the only call that acts succeeded."""
    acting = [one for one in facts.deeds if one.sort == "act"]
    if (
        len(acting) != 1
        or acting[0].became != "success"
        or any(one.became != "success" for one in facts.deeds)
    ):
        return
    if _FAILED.search(_NO_FAILURE.sub(" ", acting[0].told.lower())):
        return
    for sentence in sentences:
        for found in _COULD_NOT.finditer(sentence.text):
            word = found[1] or found[2] or found[3] or ""
            if any(same_action(one, lemma(word)) for one in acting[0].verbs) or _would_have(
                acting[0], _noun(word)
            ):
                span = (sentence.start + found.start(), sentence.start + found.end())
                yield Finding("FAILURE_AFTER_SUCCESS", (span,), f"{name_text(acting[0].name)} succeeded")
                return


def _noun(word: str) -> str:
    from grice.checks.tool_flow.english_actions import action_of_noun

    return action_of_noun(word) or lemma(word)
