"""What a reply does with its words, clause by clause: reports, announces, asks for permission, offers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from grice.checks.tool_flow.reply_sentences import ReplySentence
from grice.checks.tool_flow.vocabulary import (
    action_of_noun,
    base_forms,
    english,
    groups_of,
    is_participle,
    lemma,
    same_action,
    word_list,
)
from grice.claims.passage import Clause
from grice.text.words import stem

Kind = Literal["report", "announce", "able", "ask", "offer"]

_MAX_ACTS = 400
_MAX_BARE = 5
"""The words up to which a sentence that begins with a gerund announces: Installing the plugin..."""
_SPEAKER = frozenset(("i", "we"))
_HAVE = frozenset(("have", "had"))
_BE = frozenset(("is", "are", "was", "were", "it's", "that's", "they're", "you're"))
_HAVE_BEEN = frozenset(("has", "have", "it's", "that's", "they've", "you've"))
_DOING = frozenset(("am", "are", "be"))
_WILL = frozenset(("will", "shall"))
_WILLS = frozenset(
    (*((who, will) for who in _SPEAKER for will in _WILL), ("let", "me"), ("going", "to"), ("about", "to"))
)
_CAN = frozenset(("can", "could"))
_PERMIT = r"(?:permission|go[- ]?ahead|approval|green light|consent|instructions?|authori[sz]ation)"
_FOR_ME = re.compile(
    r"\b(?:(?:(?:would|do|did|will) you |you(?:'d| would) )?(?:also |still )?(?:want|like|prefer|need|wish)"
    r"(?: for)? (?:me|us) to|(?:shall|should|may|can|could) (?:i|we)"
    r"|(?:mind|ok(?:ay)?|al(?:l )?right|fine|good) if (?:i|we)"
    r"|(?:(?:is it|would it be|is that|are you) )?(?:ok(?:ay)?|al(?:l )?right|fine|good|happy|ready"
    r"|comfortable) (?:(?:for|with) (?:me|us) )?"
    r"(?:to|(?=\w+ing\b))|(?:if|whether) (?:i|we) (?:should|can|may|might|shall)"
    rf"|your (?:\w+ )?{_PERMIT} (?:to|(?:for|before) (?=\w+ing))|{_PERMIT} to"
    r"|(?:would|do) you (?:really )?(?:like|want|wish) to|(?:are you )?sure (?:that )?you want to)\b"
)
_MAY_ASK = re.compile(
    r"\?|\b(?:want (?:me|us)|let (?:me|us) know|tell me|you(?:'d| would) like|say|indicate|advise|await)\b"
)
_WELCOME = r"(?:ok(?:ay)?|al(?:l )?right|fine|good)"
_GO_AHEAD = re.compile(
    r"^\W*(?:so|ok(?:ay)?|and|all good|ready|good)?\W*(?:go ahead|proceed|continue|ok to (?:go|proceed)"
    r"|good to go|are you sure|sure|do you (?:approve|agree)|want me to|shall i|should i"
    rf"|is (?:that|this) {_WELCOME}(?: with you)?)\s*\?"
    rf"|\bdo i have your {_PERMIT}|\bsay the word\b|\bhow does that sound\?|\bdo you approve\b"
)
_IS_WELCOME = re.compile(
    rf"\b(?:is (?:that|this|it) {_WELCOME}|you (?:{_WELCOME}|happy) with (?:that|this|it)"
    rf"|(?:does|would|will) (?:that|this|it) (?:work|suit|be)|sounds? {_WELCOME}|any objections?|may i"
    rf"|shall i)"
    r"(?: (?:with|for|by|to) you)?\s*\?"
)
_AHEAD = re.compile(
    r"\W*(?:(?:go(?:ing|ne)?|went) ahead|proceed(?:ing)?|continu(?:e|ing)|go(?:ing)? on|do (?:it|that|so))\b"
)
_WH = re.compile(r"\b(?:what|which|when|where|who|whom|how|why)\b[^,;:]*$")
_ON_IT = re.compile(r"\b(?:on it|taking care of (?:it|this|that)|consider it done)\b|^\W*right away[!.]")
_DONE = re.compile(
    r"^\W*(?:\w+\W+){0,2}?(?:all (?:done|set|sorted)|done|success(?:ful)?|everything is (?:done|set))"
    r"\s*(?=[!.,:;\u00a4]|$| -)|(?:'s|\bis|\bhas been) (?:now |all )?(?:done|taken care of)\b"
)


class Act(msgspec.Struct, frozen=True, gc=False):
    """One speech act.

    `verb` is the lemma of the action, "" where the words leave it to the context (go ahead, on it). `nouns`
    are the stems of what it is done to, none for it and this, `names` its words with capitals or digits;
    `other` says that it is marked as another one. `firm` says that it is being done, or is announced to be
    done at once; `own` that the assistant names itself as the one who does it. `sentence` is its number,
    `start` and `end` its place in the prose.
    """

    kind: Kind
    verb: str
    sentence: int
    start: int
    end: int
    nouns: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    other: bool = False
    firm: bool = True
    own: bool = True

    @property
    def changes(self) -> bool:
        """Whether it is an action that changes something, or leaves open what it does."""
        return not self.verb or bool(groups_of(self.verb))


def acts_in(lines: Sequence[ReplySentence]) -> list[Act]:
    """The speech acts of the sentences, by sentence."""
    acts: list[Act] = []
    for line in lines:
        acts += _asks(line)
        reports: list[Act] = []
        for clause in line.clauses:
            goes_on = bool(reports) and reports[-1].end <= clause.start + len(" and")
            reports += _of_clause(line, clause, opens=clause is line.clauses[0], goes_on=goes_on)
        acts += reports
        acts += _without_verb(line, told=any(act.own or act.firm for act in reports))
        if len(acts) > _MAX_ACTS:
            break
    return acts


def same_thing(asked: Act, told: Act) -> bool:
    """Whether an asked action is the one that is told of: by its verb, and by what it is done to.

    "It", nothing, and a plain noun for a name are no other thing.
    """
    if asked.other or told.other:
        return False
    realises = asked.verb in base_forms("realising") and same_action(told.verb, lemma("update"))
    if asked.verb and told.verb and not realises and not same_action(asked.verb, told.verb):
        return False
    if asked.names - told.names and told.names - asked.names:
        return False
    nouns = asked.nouns & told.nouns
    return not asked.nouns or not told.nouns or (bool(nouns) and nouns in (asked.nouns, told.nouns))


def _asks(line: ReplySentence) -> Iterator[Act]:
    """Requests for permission, and offers of what changes nothing or is marked as another action."""
    text = line.text
    taken = line.start
    for found in _FOR_ME.finditer(text) if _MAY_ASK.search(text) else ():
        head = found[0]
        modal = head.startswith(("shall", "should", "may ", "can ", "could"))
        skipped = line.start + found.start() < taken or (modal and not line.asks)
        if skipped or line.denies(found.start()) or _WH.search(text[: found.start()][-80:]):
            continue
        first = line.index(found.end())
        last = line.clause_end(first - 1)
        act = _act("ask", line, first, last, line.start + found.start())
        taken = act.end
        if act.changes or not head.startswith(("can", "could", "may")):
            proceeds = _AHEAD.match(text, found.end())  # with what may change anything, unlike to continue
            asks = act.changes or (proceeds is not None and "continu" not in proceeds[0])
            yield act if asks and not act.other else replace(act, kind="offer")
    bare, soft = _GO_AHEAD.search(text), _IS_WELCOME.search(text)
    if bare is not None or soft is not None:
        yield replace(_bare("ask", line, bare or soft), firm=bare is not None)


class _VerbPlace(msgspec.Struct):
    """Where a word of a clause stands: its number in the sentence, those of its clause, and the numbers of
    the last two words before it that are no adverbs.
    """

    line: ReplySentence
    place: int
    first: int
    last: int
    opens: bool
    goes_on: bool
    left: tuple[int, ...] = ()

    @property
    def word(self) -> str:
        """The word."""
        return self.line.tokens[self.place].text

    @property
    def lead(self) -> tuple[str, str]:
        """The two words before it that are no adverbs."""
        one, other = ["", "", *(self.line.tokens[place].text for place in self.left)][-2:]
        return one, other

    @property
    def start(self) -> int:
        """Where the act begins whose verb the word is."""
        return self.line.tokens[self.left[0] if self.left else self.place].start


def _of_clause(line: ReplySentence, clause: Clause, *, opens: bool, goes_on: bool) -> Iterator[Act]:
    """What a clause reports or announces; it `opens` its sentence, or `goes_on` after a report."""
    first = line.index(clause.tokens[0].start - line.start)
    seen = _VerbPlace(line, first, first, first + len(clause.tokens), opens, goes_on)
    for place in range(seen.first, seen.last):
        seen.place = place
        if seen.word in word_list("supposed"):
            return
        if line.tokens[place].start not in line.denied:
            act = _reported(seen) or _announced(seen)
            if act is not None:
                yield act
        if seen.word not in word_list("adverbs"):
            seen.left = (*seen.left[-1:], place)


def _reported(seen: _VerbPlace) -> Act | None:
    """What the word reports as done: I've updated it, it was updated, Updated!, the update is complete."""
    word, line, (before, last) = seen.word, seen.line, seen.lead
    if last in _BE or (last == "been" and before in _HAVE_BEEN):
        return _completed(seen) if is_participle(word) or word in word_list("complete") else None
    if not is_participle(word):
        return None
    speaks = last in ("i've", "we've") or last in _SPEAKER or (last in _HAVE and before in _SPEAKER)
    behind = line.tokens[seen.place + 1].text if seen.place + 1 < seen.last else ""
    if not speaks and not groups_of(lemma(word)):
        return None
    if not seen.left and seen.opens:
        leads = behind not in english().prepositions or behind in ("from", "for")
        speaks = leads and not line.has(english().clause_verbs, seen.first, seen.last)
    elif not seen.left:
        speaks = seen.goes_on and behind in word_list("opens_object")
    if speaks:
        end = line.clause_end(seen.place) if word in ("gone", "went") else seen.last  # gone ahead and ...
        return _act("report", line, seen.place, end, seen.start)
    headline = seen.left and seen.opens and behind in ("", "to", "from", "for", "successfully")
    subject = not line.has(english().pronouns | english().prepositions | {"be", "to"}, seen.first, seen.place)
    if headline and subject and not line.has(english().clause_verbs, seen.first, seen.last):
        return _passive(seen, lemma(word))
    return None


def _completed(seen: _VerbPlace) -> Act | None:
    """What a passive says: it has been sent, your booking is confirmed, the update was successful."""
    word, verb, last = seen.word, lemma(seen.word), seen.lead[1]
    subject = [one.text for one in seen.line.tokens[seen.first : seen.place]]
    made = next(filter(None, map(action_of_noun, reversed(subject))), "")
    if verb in base_forms("light") or word in word_list("complete"):
        verb = made or (verb if is_participle(word) else "")
    if not verb:
        return None
    fresh = last in ("been", "you're") or seen.line.has(frozenset(("now",)), seen.place - 1, seen.last)
    fresh = fresh or word == "successful" or (verb == made and last not in ("was", "were"))
    return _passive(seen, verb, firm=fresh)


def _announced(seen: _VerbPlace) -> Act | None:
    """What the word announces: I'm updating it, Updating now, I'll update it; or says that one can do."""
    word, line, (before, last) = seen.word, seen.line, seen.lead
    wills = last in ("i'll", "we'll") or seen.lead in _WILLS
    if not (wills or word.endswith("ing") or last in _SPEAKER or last in _CAN):
        return None
    changes = bool(groups_of(lemma(word)))
    end = line.clause_end(seen.place)
    now = line.has(word_list("at_once"), seen.place, max(end, seen.last))
    if word.endswith("ing") and len(word) > 4:
        ahead = line.text.startswith("going ahead", line.tokens[seen.place].start - line.start)
        speaks = last in ("i'm", "we're") or (before in (*_SPEAKER, *_WILL) and last in _DOING)
        bare = not seen.left and (ahead or (changes and (now or len(line.tokens) <= _MAX_BARE)))
        if speaks or (bare and not line.has(english().clause_verbs, seen.first, end)):
            return _act("announce", line, seen.place, end, seen.start)
        return None
    if before in _SPEAKER and last in _CAN and changes:
        return _act("able", line, seen.place, end, seen.start, firm=False)
    if last in _SPEAKER and changes and line.tokens[seen.place - 1].text == "now":
        return _act("announce", line, seen.place, end, seen.start)
    if not wills or line.asks:
        return None
    return _act("announce", line, seen.place, end, seen.start, firm=now)


def _without_verb(line: ReplySentence, *, told: bool) -> Iterator[Act]:
    """On it! Done. What that is the words before tell."""
    on_it = _ON_IT.search(line.text)
    if on_it is not None and not line.denies(on_it.start()):
        yield _bare("announce", line, on_it)
    done = None if told or line.asks else _DONE.search(line.text)
    if done is not None and not line.denies(done.start()):
        yield replace(_bare("report", line, done), own=False)


def _bare(kind: Kind, line: ReplySentence, found: re.Match[str] | None) -> Act:
    """The act of words without a verb of their own."""
    start, end = found.span() if found is not None else (0, 0)
    other = line.has(word_list("others"), line.index(start), len(line.tokens))
    return Act(kind, "", line.number, line.start + start, line.start + end, other=other)


def _passive(seen: _VerbPlace, verb: str, *, firm: bool = True) -> Act:
    """The report whose object is the subject that stands before its verb."""
    line = seen.line
    nouns, names = line.things(seen.first, seen.place, whole=True)
    nouns = frozenset(one for one in nouns if action_of_noun(one) != verb)
    names |= line.things(seen.place + 1, seen.last)[1]
    other = line.has(word_list("others"), seen.place, seen.last)
    start, end = line.tokens[seen.first].start, line.tokens[seen.place].end
    return Act("report", verb, line.number, start, end, nouns, names, other, firm, own=False)


def _act(kind: Kind, line: ReplySentence, first: int, last: int, start: int, *, firm: bool = True) -> Act:
    """The act of the verb with a number, or of the one behind the adverbs and the "go ahead" there."""
    tokens = line.tokens
    other = line.has(word_list("others"), first, last)
    ahead = _AHEAD.match(line.text, tokens[first].start - line.start) if first < last else None
    place = first if ahead is None else line.index(ahead.end())
    skipped = word_list("adverbs") if ahead is None else word_list("adverbs") | word_list("leads")
    while place < last and tokens[place].text in skipped:
        place += 1
    verb, nouns, names = "", frozenset[str](), frozenset[str]()
    if place < last:
        with_noun = ahead is not None and tokens[place - 1].text not in ("and", "to")
        nouns, names = line.things(place + 1, last)
        verb, nouns = _verb(line, place, last, nouns, bare=not nouns | names, with_noun=with_noun)
    end = max(tokens[last - 1].end, start + 1)
    return Act(kind, verb, line.number, start, end, nouns, names, other, firm)


def _verb(
    line: ReplySentence, place: int, last: int, nouns: frozenset[str], *, bare: bool, with_noun: bool
) -> tuple[str, frozenset[str]]:
    """The lemma of what is done, and to what: to process a refund is to refund, to go ahead with the update
    is to update. `bare` says that it is done to nothing that is named.
    """
    word, *near = [one.text for one in line.tokens[place : min(last, place + 5)]]
    verb = lemma(word)
    if with_noun and not word.endswith("ing"):
        return next(filter(None, map(action_of_noun, (word, *near))), ""), nouns
    if verb not in base_forms("light"):
        return verb, nouns
    made = next((one for one in reversed(near) if action_of_noun(one)), "")
    if made:
        return action_of_noun(made), nouns - {stem(made)}
    return "" if bare and verb in base_forms("left_open") else verb, nouns
