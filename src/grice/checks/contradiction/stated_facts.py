"""What a reply states: attributes of subjects with their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import msgspec

from grice.checks.contradiction.stated_clauses import Clause, Token, clauses_of
from grice.checks.contradiction.stated_words import StatedWords
from grice.checks.evidence.lexicon import Lexicon
from grice.text.normalised import Normalised
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["Statement", "Value", "statements_of"]

Value = Quantity | Moment | bool | frozenset[str]

_BE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it's",
        "that's",
        "they're",
        "we're",
        "he's",
        "she's",
        "there's",
        "isn't",
        "aren't",
        "wasn't",
        "'s",
        "'re",
    ]
)
_MISSING = frozenset(["unavailable", "discontinued"])
_STATES = {
    ("in", "stock"): ("available", True),
    ("out", "of", "stock"): ("available", False),
    ("sold", "out"): ("available", False),
    ("fully", "booked"): ("available", False),
    ("booked", "up"): ("available", False),
    ("no", "vacancies"): ("available", False),
    ("no", "availability"): ("available", False),
}
_FOLLOWS = frozenset(
    [
        "at",
        "on",
        "for",
        "in",
        "from",
        "until",
        "again",
        "now",
        "today",
        "to",
        "right",
        "during",
        "this",
        "by",
        "tomorrow",
        "as",
        "with",
    ]
)
MAX_BARE = 2
"""Words besides its value that a clause has at most that goes on with the attribute of the one before."""

_PASSING = frozenset(("yet", "still"))
_ABOUT_YOU = frozenset(["i", "i'm", "i've", "you", "you're", "you've", "we've", "let"])
_CARRIED = frozenset(
    ["percent", "data", "length", "mass", "speed", "temperature", "power", "energy", "area", "volume"]
)
"""What is measured of a thing: such a quantity counts without a name for what is measured, too."""

_PARTICIPLES = frozenset(
    [
        "been",
        "taken",
        "given",
        "written",
        "chosen",
        "gone",
        "done",
        "sent",
        "made",
        "found",
        "got",
        "sold",
        "put",
        "become",
        "begun",
    ]
)
_REGRET = frozenset(["afraid", "sorry", "glad", "happy", "pleased"])
_COUNTED_BESIDE = frozenset(
    [
        "option",
        "flight",
        "result",
        "item",
        "product",
        "thing",
        "detail",
        "way",
        "step",
        "reason",
        "question",
        "choice",
        "match",
    ]
)
_CHARGES = frozenset(("fee", "deposit", "fine", "charge", "copay"))
_NUMBERS = frozenset(["number", "code", "reference", "id", "pin"])
_NUMBERED = re.compile(r"\s+(?:is|will be)?:?\s*#?([A-Z0-9][A-Z0-9-]{3,})\b")
_FREE = frozenset(("free", "complimentary", "gratis"))
_AUXILIARY = frozenset(["been", "already", "just", "successfully", "not", "now", "also"])
_RECURRING = frozenset(["open", "close", "breakfast", "lunch", "dinner"])
_CODE = re.compile(r"[A-Z]{0,3}-?\d[\w.-]*|[A-Z]\b")
_BETWEEN = re.compile(
    r"\s*(?:is|:|no\.|number|#|to|will be|has changed to|is now|is currently|are|-)*\s*\Z", re.IGNORECASE
)
_PREPOSITION = re.compile(r"(?i)\b(from|until|till|through|to|by|before|after|since|between|and|-)\s*\Z")
_AT = frozenset(["from", "at", "in", "to", "is"])
_LABELS = frozenset(
    ["room", "gate", "terminal", "platform", "seat", "track", "counter", "carousel", "row", "hall"]
)
_PASTS = frozenset(("was", "were", "wasn't", "weren't"))
_SELF = frozenset(("i", "i've", "i'm", "me"))


class Statement(msgspec.Struct, frozen=True, gc=False):
    """One thing that a reply states, or a field of a tool's result.

    `key` is the kind and the attribute, `topic` what the attribute is of, in stems, `names` those of it that
    look like names, `qualifiers` what else bounds the value (a period, a day). `definite` says that it is
    said of "the" or "your" thing. `start`, `end` are the place of its sentence in the reply.
    """

    kind: str
    attribute: str
    topic: frozenset[str]
    names: frozenset[str]
    qualifiers: frozenset[str]
    value: Value
    shown: str
    turn: int
    start: int
    end: int
    quote: str = ""
    titles: frozenset[str] = frozenset()
    definite: bool = False
    listed: bool = False
    inherited: bool = False
    path: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two statements comparable, besides their topics."""
        return self.kind, self.attribute


class _Reader(msgspec.Struct):
    """Where the reading of a reply stands: what the last clause, item and heading were about."""

    normal: Normalised
    words: StatedWords
    turn: int
    topic: frozenset[str]
    names: frozenset[str]
    head: frozenset[str] = frozenset()
    head_names: frozenset[str] = frozenset()
    sentence: tuple[int, int] = (-1, -1)
    around: frozenset[str] = frozenset()
    lead: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    having: bool = False


class _Said(msgspec.Struct, frozen=True):
    """A clause with what it is about."""

    clause: Clause
    topic: frozenset[str]
    names: frozenset[str]
    definite: bool


def statements_of(
    text: str,
    turn: int,
    words: StatedWords,
    lexicon: Lexicon,
    focus: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
    asked: str = "",
) -> tuple[list[Statement], tuple[frozenset[str], frozenset[str]], frozenset[str]]:
    """What a reply states, what it is about in the end, and all names it is about; `focus` is what the talk was about before."""
    normal, clauses = clauses_of(text, words, lexicon)
    reader = _Reader(normal, words, turn, *focus)
    found: list[Statement] = []
    subjects: set[str] = set()
    if asked and clauses is not None:
        found += _answered(normal, asked, reader, lexicon)
    for clause in clauses:
        found += _of_clause(clause, reader)
        subjects |= _subject(clause, words)[1]
    return found, (reader.topic, reader.names), frozenset(subjects)


_ANSWERS = re.compile(
    r"(?i)\W*(?:(?P<yes>yes|yep|yeah|absolutely|of course|certainly|definitely|correct|that's right|it (?:is|does))"
    r"|(?P<no>no|nope|unfortunately not|i'm afraid not|not at all|it (?:isn't|doesn't)))\b(?!\s+problem)"
)
_ASKS = re.compile(
    r"(?i)(?:^|[.!?,;\n]\s*|\b(?:and|so|but|hi|hello|ok|okay|thanks)\W+)"
    r"((?:is|are|was|does|do|did|can|has|have|will)\b[^.!?\n]{3,120})\?\s*$"
)


_DO = re.compile(r"(?i)^(?:do|does|did)\s+")


def _answered(normal: Normalised, asked: str, reader: _Reader, lexicon: Lexicon) -> Iterator[Statement]:
    """What a "yes" or "no" says of what the user asked."""
    answer, question = _ANSWERS.match(normal.text), _ASKS.search(asked)
    if answer is None or question is None or not normal.text.strip():
        return
    own, clauses = clauses_of(f"{_DO.sub('', question[1])}.", reader.words, lexicon)
    end = len(re.split(r"[.!?\n]", normal.text, maxsplit=1)[0])
    start, stop = normal.span(0, max(1, end))
    told = _Reader(own, reader.words, reader.turn, reader.topic, reader.names)
    for clause in clauses[:1]:
        for one in _of_clause(clause, told):
            if isinstance(one.value, bool):
                value = one.value == bool(answer["yes"])
                yield msgspec.structs.replace(
                    one,
                    value=value,
                    shown=_shown(value),
                    start=start,
                    end=stop,
                    quote=normal.original[start:stop],
                )


def _of_clause(clause: Clause, reader: _Reader) -> Iterator[Statement]:
    topic, names = _topic(clause.tokens, reader.words)
    if clause.sentence != reader.sentence:
        reader.sentence, reader.around = clause.sentence, frozenset()
        reader.attributes, reader.having = frozenset(), False
        reader.lead = _topic(_key_tokens(clause), reader.words)[0] if clause.key else frozenset()
    if clause.number:
        reader.head = topic or frozenset({f"#{reader.turn}.{clause.start}"})
        reader.head_names = names
    elif not clause.listed:
        reader.head, reader.head_names = frozenset(), frozenset()
    has_value = bool(clause.quantities or clause.moments) or bool(clause.key)
    if clause.listed and not clause.number and not has_value and topic and clause.first:
        reader.head, reader.head_names = topic, names
    subject = frozenset(token.text for token in clause.tokens[:3])
    topic, names = topic - _places(clause), names - _places(clause)
    said = _Said(clause, topic, names, bool(subject & {"your", "the", "this", "our"}))
    yield from _values(said, reader)
    reader.around = names or reader.around
    if topic and not clause.pronoun:
        own = _subject(clause, reader.words)
        if own[0]:
            reader.topic, reader.names = own


def _key_tokens(clause: Clause) -> list[Token]:
    """The words before the colon of "Economy prices: $130"."""
    return [token for token in clause.tokens if token.end <= clause.start + len(clause.key) + 2]


def _places(clause: Clause) -> frozenset[str]:
    """The gates, seats and the like that a clause says something is at: they are no part of its topic."""
    found = [
        following.stem
        for before, label, following in zip(clause.tokens, clause.tokens[1:], clause.tokens[2:], strict=False)
        if label.text in _LABELS and before.text in _AT and following.name
    ]
    return frozenset(found)


def _subject(clause: Clause, words: StatedWords) -> tuple[frozenset[str], frozenset[str]]:
    """The topic of the words before the first verb."""
    before: list[Token] = []
    for token in clause.tokens:
        if token.text in words.pack.clause_verbs or token.text in _BE or token.text in words.predicates:
            break
        before.append(token)
    return _topic(before, words)


def _titles(clause: Clause, words: StatedWords) -> frozenset[str]:
    """The names of the subject itself, not those of what stands behind a preposition."""
    before: list[Token] = []
    for token in clause.tokens:
        if token.text in words.pack.clause_verbs or token.text in _BE or token.text in words.predicates:
            break
        if token.text in words.pack.prepositions or words.attributes.get(token.text) in words.kinds[
            "moment"
        ] - {"reservation"}:
            break
        before.append(token)
    return _topic(before, words)[1]


def _topic(tokens: Sequence[Token], words: StatedWords) -> tuple[frozenset[str], frozenset[str]]:
    """What tells this thing from others of its kind: stems of the words that are not generic."""
    stems: set[str] = set()
    names: set[str] = set()
    for token in tokens:
        if _is_generic(token, words):
            continue
        one = words.attributes.get(token.text, token.stem)
        stems.add(one)
        if token.name:
            names.add(one)
    return frozenset(stems), frozenset(names)


def _is_generic(token: Token, words: StatedWords) -> bool:
    if token.name and (not token.text.isalpha() or (len(token.text) == 1 and token.text not in "ai")):
        return False
    pack = words.pack
    return (
        token.text in words.generic
        or token.stem in words.generic
        or token.text in pack.stop_words
        or token.text in pack.contracted
        or token.text in pack.opinion_words
        or token.text in pack.negations
        or "'" in token.text
    )


def _values(said: _Said, reader: _Reader) -> Iterator[Statement]:
    clause = said.clause
    lead = [token.text for token in clause.tokens[:3]]
    asks_others = bool(_SELF.intersection(lead[:2])) and not _REGRET.intersection(lead)
    yield from _states(said, reader)
    yield from _choices(said, reader)
    yield from _gratis(said, reader)
    yield from _people(said, reader)
    yield from _no_charge(said, reader)
    yield from _numbers(said, reader)
    if not asks_others:
        yield from _yes_no(said, reader)
    for quantity in clause.quantities:
        one = _of_quantity(quantity, said, reader)
        if one is not None:
            yield one
    for moment in clause.moments:
        one = _of_moment(moment, said, reader)
        if one is not None:
            yield one


def _of_quantity(one: Quantity, said: _Said, reader: _Reader) -> Statement | None:
    dimension = one.dimension
    allowed = reader.words.kinds.get(dimension)
    if one.ordinal or dimension in ("name", "size") or _is_denied(one, said.clause):
        return None
    if _is_alternative(one, reader):
        return None
    if allowed is None:
        return _of_count(one, said, reader)
    attributes = _attributes(one, said, reader, allowed)
    if not attributes and dimension == "length" and " from " in reader.normal.text[one.end : one.end + 6]:
        attributes = frozenset(("distance",))
    if not attributes and dimension in reader.words.defaults:
        attributes = frozenset((reader.words.defaults[dimension],))
    if not attributes and dimension in _CARRIED and len(said.topic) > 1 and (said.definite or said.names):
        attributes = frozenset(("amount",))
    if not attributes:
        return None
    if len(attributes) > 1:
        attributes -= {"price", "limit", "duration", "charge"}
    qualifiers = _qualifiers(said, without=one) | ({f"per {one.period}"} if one.period else frozenset())
    return _statement(
        "money" if dimension == "money" else f"quantity {dimension}",
        attributes,
        qualifiers,
        one,
        said,
        reader,
    )


_HAVING = frozenset(
    [
        "has",
        "have",
        "includes",
        "include",
        "included",
        "comes",
        "offers",
        "allows",
        "allowed",
        "holds",
        "accommodates",
        "seats",
        "sleeps",
        "contains",
        "entitled",
        "covers",
    ]
)


def _of_count(one: Quantity, said: _Said, reader: _Reader) -> Statement | None:
    """A count of a noun, where something is said to have that many."""
    clause = said.clause
    verbs = [token.start for token in clause.tokens if token.text in _HAVING]
    noun = one.dimension
    if (
        not (verbs or (reader.having and not clause.first))
        or noun in _COUNTED_BESIDE
        or " " in noun
        or one.unit not in ("", noun)
    ):
        return None
    subject = [one for one in clause.tokens if verbs and one.start < verbs[0] and one.text not in _SELF]
    if (clause.first and not subject) or "will" in {token.text for token in clause.tokens}:
        return None
    reader.having = True
    return _statement("quantity count", frozenset((noun,)), _qualifiers(said, without=one), one, said, reader)


def _of_moment(one: Moment, said: _Said, reader: _Reader) -> Statement | None:
    if _is_denied(one, said.clause) or _is_alternative(one, reader):
        return None
    attributes = _attributes(one, said, reader, reader.words.kinds["moment"])
    if not attributes:
        return None
    date = one.kind != "time"
    if date and attributes & _RECURRING:
        return None
    if len(attributes) > 1:
        attributes -= {"reservation", "appointment", "meeting", "cancel", "expire"}
    bound = _preposition(one, reader.normal.text)
    if "close" in attributes:
        attributes, bound = attributes - {"close"} | {"open"}, "to"
    elif "open" in attributes and not date:
        bound = bound or "from"
    qualifiers = _qualifiers(said, without=one, moments=not date) | ({f"@{bound}"} if bound else frozenset())
    return _statement("date" if date else "time", attributes, qualifiers, one, said, reader)


def _preposition(one: Moment, text: str) -> str:
    """What the word before a moment makes of it: the beginning or the end of a time, or a limit."""
    found = _PREPOSITION.search(text[max(0, one.start - 10) : one.start])
    if found is None:
        opens = re.match(r"\s*(?:-|to|until|through)\s*\d", text[one.end : one.end + 12])
        return "from" if opens else ""
    word = found[1].casefold()
    if word in ("to", "and", "-"):
        ranged = re.search(
            r"(?:\d|[ap]\.?m\.?|\bnoon|\bmidnight)\s*(?:to|and|-)\s*\Z",
            text[max(0, one.start - 14) : one.start],
            re.IGNORECASE,
        )
        return "to" if ranged else ""
    return {"until": "to", "till": "to", "through": "to", "before": "by", "between": "from", "since": ""}.get(
        word, word
    )


def _attributes(
    one: Quantity | Moment, said: _Said, reader: _Reader, allowed: frozenset[str]
) -> frozenset[str]:
    """The attributes that the words around a value name: those between the value before it and this one,
    else those of the clause that stand before it, else those behind it.
    """
    named = [
        (token.start, name) for token, name in _named(said.clause.tokens, reader.words) if name in allowed
    ]
    others = [
        other.end for other in (*said.clause.quantities, *said.clause.moments) if other.end <= one.start
    ]
    last = max(others, default=said.clause.start)
    near = frozenset(name for place, name in named if last <= place < one.start)
    before = near or frozenset(name for place, name in named if place < one.start)
    found = before or frozenset(name for place, name in named if place >= one.end)
    if found:
        reader.attributes = found
    elif not said.clause.first and len(said.clause.tokens) <= MAX_BARE:
        found = reader.attributes & allowed  # at 10:15 and at 10:45
    return found


def _named(tokens: Sequence[Token], words: StatedWords) -> Iterator[tuple[Token, str]]:
    for place, token in enumerate(tokens):
        following = tokens[place + 1].text if place + 1 < len(tokens) else ""
        phrase = words.phrases.get((token.text, following))
        if phrase is not None:
            yield token, phrase
        elif token.text in words.attributes:
            yield token, words.attributes[token.text]


def _is_denied(one: Quantity | Moment, clause: Clause) -> bool:
    """Whether the value stands in a negation: it is not $50."""
    return any(token.denied for token in clause.tokens if token.start < one.start)


def _is_alternative(one: Quantity | Moment, reader: _Reader) -> bool:
    """Whether a value is one of several: on Monday or Tuesday."""
    text = reader.normal.text
    around = text[max(0, one.start - 4) : one.start], text[one.end : one.end + 4]
    return around[0].casefold().endswith(" or ") or around[1].casefold().startswith(" or ")


def _qualifiers(
    said: _Said, *, without: object = None, moments: bool = True, quantities: bool = True
) -> frozenset[str]:
    """What else stands in the clause that bounds a value: amounts and days."""
    found: set[str] = set()
    for one in said.clause.quantities if quantities else ():
        if one is not without and one.dimension != "name":
            found.add(f"{one.low}/{one.high} {one.dimension}")
    for moment in said.clause.moments if moments else ():
        if moment is not without and not (isinstance(without, Moment) and moment.kind == without.kind):
            found.add(moment_text(moment))
    return frozenset(found)


def moment_text(one: Moment) -> str:
    """A moment as a word to compare."""
    if one.kind == "weekday":
        return f"weekday {one.weekday}"
    if one.kind == "date":
        return f"date {one.month}-{one.day}" if one.month else f"date {one.year}"
    return f"time {one.hour}:{one.minute}"


def _states(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """Whether something is available, or open."""
    tokens = said.clause.tokens
    for place, token in enumerate(tokens):
        state = _state_at(tokens, place)
        if state is None:
            continue
        attribute, value = state
        topic = said.topic - {
            "stock",
            "sold",
            "sell",
            "vacanc",
            "vacancy",
            "unavail",
            "unavailable",
            "discontinu",
            "open",
            "close",
        }
        one = msgspec.structs.replace(said, topic=frozenset(topic))
        yield _statement(
            "availability", frozenset((attribute,)), _qualifiers(said), value != token.denied, one, reader
        )
        return


def _state_at(tokens: Sequence[Token], place: int) -> tuple[str, bool] | None:
    word = tokens[place].text
    for phrase, state in _STATES.items():
        if word == phrase[0] and tuple(one.text for one in tokens[place : place + len(phrase)]) == phrase:
            return state if word != "no" else ("available", tokens[place].denied)
    if word in _MISSING:
        return "available", False
    if word not in ("available", "open", "closed"):
        return None
    before = [one.text for one in tokens[max(0, place - 4) : place]]
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if (
        not _BE.intersection(before)
        or "will" in before
        or (following and following not in _FOLLOWS and not following[0].isdigit())
    ):
        return None
    return ("available", True) if word == "available" else ("open", word == "open")


def _yes_no(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """Whether something is so: includes breakfast, is refundable."""
    tokens, words = said.clause.tokens, reader.words
    if any(one.dimension == "money" for one in said.clause.quantities) or _is_passing(tokens):
        return
    for place, token in enumerate(tokens):
        name = words.denying.get(token.text)
        negative = name is not None and token.text not in words.pack.noun_negations
        name = name or words.predicates.get(token.text) or _existential(tokens, place)
        if name is None or _is_auxiliary(tokens, place):
            continue
        rest = [one for one in tokens if one is not token]
        own = [one for one in rest if words.predicates.get(one.text) != name]
        topic, names = _topic(own, words)
        topic -= {name, "open", "close"}
        if not topic and name in ("have", "allow", "require", "support", "compatible", "cover"):
            return
        denying = reader.words.pack.negations | reader.words.pack.word_negations | {"no"}
        denied = token.denied or any(one.denied for one in own if one.text not in denying)
        one = msgspec.structs.replace(said, topic=frozenset(topic), names=names)
        yield _statement("yes_no", frozenset((name,)), _qualifiers(said), denied == negative, one, reader)
        return
    yield from _so(said, reader)


def _so(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """Whether something is so, in any words: the office is accessible. The other statement has to have the
    same words.
    """
    clause, pack = said.clause, reader.words.pack
    verbs = [one.start for one in clause.tokens if one.text in _BE or one.text in pack.clause_verbs]
    if not verbs or len(said.topic) < 2 or clause.quantities or clause.moments or clause.key:
        return
    if not any(one.start < verbs[0] for one in clause.tokens) or clause.tokens[0].text in _ABOUT_YOU:
        return
    denying = pack.negations | pack.word_negations | {"no"}
    denied = any(one.denied for one in clause.tokens if one.text not in denying and one.start > verbs[0])
    if _state_of(clause.tokens) is None:
        yield _statement("yes_no", frozenset(("so",)), frozenset(), not denied, said, reader)


def _state_of(tokens: Sequence[Token]) -> tuple[str, bool] | None:
    """What the words say of being available or open."""
    found = (_state_at(tokens, place) for place in range(len(tokens)))
    return next((one for one in found if one is not None), None)


def _is_passing(tokens: Sequence[Token]) -> bool:
    """Whether what is said holds for now only: not active yet."""
    return any(token.text in _PASSING for token in tokens)


def _existential(tokens: Sequence[Token], place: int) -> str | None:
    """There is a pool: it has one."""
    there = tokens[place].text == "there's" or (
        tokens[place].text == "there" and place + 1 < len(tokens) and tokens[place + 1].text in _BE
    )
    return "have" if there else None


def _is_auxiliary(tokens: Sequence[Token], place: int) -> bool:
    """Whether a form of have, need or can only helps another verb that is a predicate itself."""
    word = tokens[place].text
    following = next((one.text for one in tokens[place + 1 :] if one.text not in _AUXILIARY), "")
    if word in ("have", "has"):
        return (
            following.endswith("ed")
            or following in _PARTICIPLES
            or (place + 1 < len(tokens) and tokens[place + 1].text == "been")
        )
    return False


def _choices(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """Which one it is: gate B12, the airline is Delta."""
    tokens, words, text = said.clause.tokens, reader.words, reader.normal.text
    arrives = (
        frozenset(("arrive",))
        if any(words.attributes.get(one.text) == "arrive" for one in tokens)
        else frozenset()
    )
    for place, token in enumerate(tokens):
        if token.text in words.labels:
            code = _CODE.match(text, _after(text, token.end, said.clause.end))
            if code is None or code.end() > said.clause.end or _is_denied_at(code.start(), said.clause):
                continue
            label = token.text.removesuffix("s")
            if label in ("room", "desk") and not re.search(
                r"(?i)number|is|:", text[token.end : code.start()]
            ):
                continue
            topic = said.topic - {
                token.stem,
                code[0].casefold(),
                *(one.stem for one in tokens if one.start >= code.start() and one.end <= code.end()),
            }
            one = msgspec.structs.replace(
                said, topic=frozenset(topic - {"depart", "boarding", "found"}), names=said.names & topic
            )
            yield _statement(
                "choice",
                frozenset((label,)) | arrives,
                _qualifiers(said),
                frozenset((code[0].casefold().strip(".-"),)),
                one,
                reader,
                code[0],
            )
        elif token.text in words.choices and place + 1 < len(tokens):
            yield from _chosen(token, place, said, reader)


def _chosen(token: Token, place: int, said: _Said, reader: _Reader) -> Iterator[Statement]:
    """What stands behind "the airline is" and "Airline:"."""
    text, tokens = reader.normal.text, said.clause.tokens
    link = re.match(
        r"(?:\s+of\s+[^:.]{2,30}?)?\s*(?::|\s(?:is|are)\b)\s*",
        text[token.end : token.end + 50],
        re.IGNORECASE,
    )
    if link is None or tokens[place].denied:
        return
    begin = token.end + link.end()
    behind = [one for one in tokens if one.start >= begin]
    value = frozenset(one.stem for one in behind if one.text not in reader.words.pack.stop_words)
    if (
        not value
        or len(behind) > 5
        or any(one.denied for one in behind)
        or not any(one.name for one in behind)
    ):
        return
    topic, names = _topic([one for one in tokens if one.start < begin and one is not token], reader.words)
    one = msgspec.structs.replace(said, topic=topic, names=names)
    yield _statement(
        "choice",
        frozenset((reader.words.choices[token.text],)),
        frozenset(),
        value,
        one,
        reader,
        text[behind[0].start : behind[-1].end],
    )


def _gratis(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """What is free costs nothing."""
    tokens = said.clause.tokens
    for place, token in enumerate(tokens):
        following = tokens[place + 1].text if place + 1 < len(tokens) else "of"
        before = {one.text for one in tokens[max(0, place - 3) : place]}
        if (
            token.text not in _FREE
            or not before & _BE
            or not (following == "of" or following in reader.words.pack.prepositions)
        ):
            continue
        if token.denied or "from" in before:
            return
        topic = said.topic - {token.stem, "charg", "charge"}
        one = msgspec.structs.replace(said, topic=topic)
        value = Quantity(Decimal(0), Decimal(0), "", "money", token.start, token.end)
        yield _statement("money", frozenset(("price",)), _qualifiers(said), value, one, reader)
        return


def _no_charge(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """There is no annual fee: it is nothing."""
    clause = said.clause
    if clause.quantities or clause.moments:
        return
    for token in clause.tokens:
        name = reader.words.attributes.get(token.text, "")
        if token.denied and name in _CHARGES:
            one = msgspec.structs.replace(said, topic=said.topic - {name, "charg"})
            value = Quantity(Decimal(0), Decimal(0), "", "money", token.start, token.end)
            yield _statement("money", frozenset((name,)), frozenset(), value, one, reader, "none")
            return


def _numbers(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """The number or code that something has: your order number is A-48213."""
    tokens, text = said.clause.tokens, reader.normal.text
    for before, token in pairwise(tokens):
        if token.text not in _NUMBERS:
            continue
        found = _NUMBERED.match(text, token.end)
        if found is None or found.end() > said.clause.end or not any(map(str.isdigit, found[1])):
            continue
        value = frozenset((found[1].casefold(),))
        one = msgspec.structs.replace(said, topic=frozenset(), names=frozenset())
        yield _statement(
            "choice", frozenset((before.stem, "number")), frozenset(), value, one, reader, found[1]
        )
        return


def _people(said: _Said, reader: _Reader) -> Iterator[Statement]:
    """With whom an appointment is: Dr. Patel."""
    tokens = said.clause.tokens
    if not any(reader.words.attributes.get(one.text) == "appointment" for one in tokens):
        return
    for before, title, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if title.text in ("dr", "doctor") and before.text == "with" and name.name and not name.denied:
            one = msgspec.structs.replace(said, topic=said.topic - {"appointment", name.stem, title.stem})
            shown = reader.normal.text[title.start : name.end]
            yield _statement(
                "choice",
                frozenset(("doctor",)),
                _qualifiers(said),
                frozenset((name.stem,)),
                one,
                reader,
                shown,
            )


def _after(text: str, start: int, end: int) -> int:
    """Where what a label names begins: gate B12, gate number B12, gate is B12."""
    found = re.match(
        r"\s*(?:(?:number|no\.?|#|is|:|to|now|will be|has changed|currently)\s*)*",
        text[start : min(end, start + 30)],
        re.IGNORECASE,
    )
    return start + (found.end() if found else 0)


def _is_denied_at(place: int, clause: Clause) -> bool:
    return any(token.denied for token in clause.tokens if token.start <= place)


def _statement(
    kind: str,
    attributes: frozenset[str],
    qualifiers: frozenset[str],
    value: Value,
    said: _Said,
    reader: _Reader,
    shown: str = "",
) -> Statement:
    clause = said.clause
    topic, names = said.topic - attributes, said.names
    inherited = False
    if clause.pronoun or not (topic or clause.first or clause.listed):
        topic, names, inherited = topic | reader.topic - attributes, names | reader.names, True
    elif clause.listed and not clause.number and reader.head:
        topic, names, inherited = topic | reader.head, names | reader.head_names, True
    if not clause.first:
        topic |= reader.lead - attributes
        if not names and not clause.pronoun:
            topic, names = topic | (reader.around - attributes), reader.around
    if clause.conditional:
        qualifiers |= {"if"}
    if isinstance(value, Quantity) and _PASTS.intersection(token.text for token in clause.tokens):
        qualifiers |= {"past"}
    start, end = reader.normal.span(*clause.sentence)
    shown = shown or (
        reader.normal.text[value.start : value.end] if isinstance(value, Quantity | Moment) else _shown(value)
    )
    return Statement(
        kind,
        "+".join(sorted(attributes)),
        topic,
        names & topic,
        qualifiers,
        value,
        shown,
        reader.turn,
        start,
        end,
        reader.normal.original[start:end],
        _titles(clause, reader.words) & topic,
        said.definite,
        clause.listed,
        inherited,
    )


def _shown(value: bool | frozenset[str]) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else " ".join(sorted(value))
