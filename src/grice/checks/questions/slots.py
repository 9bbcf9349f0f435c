"""Slots: what an assistant asks users for, and which of them a question asks.

What a language knows of them is in its pack: `slots.json`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import msgspec

from grice.checks.questions.phrases import begins_with, ends_with, question_words
from grice.matching.matcher import ArgumentError
from grice.text import did_you_mean, fold, value_text
from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import QuestionWords, Slot, SlotKind, SlotWords

KINDS: tuple[str, ...] = get_args(SlotKind)
OWN_NAME = frozenset(("the user",))
"""What a question for a name is about that says nothing else."""

GAP = 6
"""The words that may stand for `...` in a phrase."""

CHOICE_GAP = 3
"""The words that may stand between an option and its "or"."""

_ENDINGS = {"s": "is", "re": "are", "d": "would", "ll": "will", "ve": "have", "m": "am"}
_WITH_IS = frozenset(("what", "who", "where", "when", "how", "which", "that", "it", "there", "here"))


class RequestedSlot(msgspec.Struct, frozen=True):
    """A slot that a question asks for, with the other words it names where they tell it apart.

    `whose` is "own" or "other" where it is clear of whom a personal one is.
    """

    slot: Slot
    focus: frozenset[str] = frozenset()
    whose: str = ""

    def is_same(self, other: RequestedSlot) -> bool:
        """Whether both ask for the same: one slot, and nothing that tells them apart."""
        if self.slot.name != other.slot.name:
            return False
        if self.whose and other.whose and self.whose != other.whose:
            return False
        if not self.focus or not other.focus or self.focus & other.focus:
            return True
        return _names_any(self.focus, self.slot.alike) and _names_any(other.focus, self.slot.alike)


def _names_any(focus: frozenset[str], things: tuple[str, ...]) -> bool:
    """Whether one of the words is one of these things, alone or at the end of a longer word."""
    return any(word.endswith(one) and len(word) - len(one) != 1 for word in focus for one in things)


class SlotTable:
    """Slots, and their phrases by first word; `language` is that of the phrases around them."""

    def __init__(self, slots: Sequence[Slot], language: str = "en") -> None:
        self.slots = tuple(slots)
        self.language = language
        self.phrases = question_words(language)
        self.nouns: dict[str, list[tuple[tuple[str, ...], Slot]]] = {}
        self.asks: dict[str, list[tuple[tuple[str, ...], Slot]]] = {}
        self.options: dict[str, list[tuple[tuple[str, ...], Slot]]] = {}
        for slot in self.slots:
            turned = [one for noun in slot.nouns for one in _turned(noun, self.phrases.number_of)]
            indirect = [one for ask in slot.asks for one in _indirect(ask, self.phrases)]
            asks = (*slot.asks, *indirect)
            runs_of = ((slot.nouns, self.nouns), (turned, self.nouns), (asks, self.asks))
            for runs, index in (*runs_of, (slot.options, self.options)):
                for phrase in runs:
                    words = tuple(_phrase_words(phrase))
                    if words and words[0] != "...":
                        index.setdefault(words[0], []).append((words, slot))


def _turned(noun: str, joints: Sequence[str]) -> Iterator[str]:
    """The other way to say a noun of two words or more: the number of your order."""
    first, space, last = noun.rpartition(" ")
    if space and " of " not in noun:
        for joint in joints:
            yield f"{last} {joint} {first}"


def _indirect(ask: str, known: QuestionWords) -> Iterator[str]:
    """The question as it stands in another: when were you born, and tell me when you were born."""
    words = ask.split()
    for place, word in enumerate(words[1:-2], 1):
        if word in known.inverted and words[place + 1] == "you":
            verb = [] if word in known.unstressed else [word]
            yield " ".join((*words[:place], "you", *verb, *words[place + 2 :]))


def _phrase_words(phrase: str) -> Iterator[str]:
    for part in phrase.split():
        yield from [part] if part == "..." else spoken_words(part)


def spoken_words(text: str) -> list[str]:
    """The words of a text, casefolded, hyphens cut, with `what's` as `what is`."""
    from grice.text.words import words

    found: list[str] = []
    for word in words(fold(text) if not text.isascii() else text):
        stem, apostrophe, ending = word.text.partition("'")
        full = _ENDINGS.get(ending, "") if apostrophe else ""
        if full and (ending != "s" or stem in _WITH_IS):
            found += [stem, full]
        else:
            found.append(word.text)
    return found


@remembered
def _table(language: str) -> SlotTable | None:
    words = vocabulary(SlotWords, language)
    if words is None:
        return None
    return SlotTable([msgspec.structs.replace(one, name=name) for name, one in words.slots.items()], language)


def read_slots(given: object, language: str = "en") -> SlotTable | None:
    """The table for a language with the slots of a user in it; None when there is neither.

    `given` maps a slot to more names for it, or to an object with the fields of `Slot`; a name that is not
    in the table makes a slot of its own. Raises ArgumentError.
    """
    known = _table(language)
    if given is None:
        return known
    if not isinstance(given, Mapping):
        raise ArgumentError(f"slots is an object from slots to their names, found {value_text(given)}")
    slots = {slot.name: slot for slot in known.slots} if known is not None else {}
    for name, one in given.items():
        if not isinstance(name, str) or not name.strip():
            raise ArgumentError(f"slots names its slots by text, found {value_text(name)}")
        slots[name] = _extended(slots.get(name, Slot(name)), one)
    return SlotTable(list(slots.values()), language or "en")


def _extended(slot: Slot, one: object) -> Slot:
    if isinstance(one, Slot):
        return one
    if isinstance(one, list | tuple):
        one = {"nouns": one}
    if not isinstance(one, Mapping):
        raise ArgumentError(
            f"slots.{slot.name} is a list of names or an object with nouns, asks, kind and options, "
            f"found {value_text(one)}"
        )
    for field in one:
        if field not in Slot.__struct_fields__:
            hint = did_you_mean(str(field), Slot.__struct_fields__)
            raise ArgumentError(f"slots.{slot.name} has an unknown field {value_text(field)}{hint}")
    joined: dict[str, Any] = {**one, "name": slot.name}
    for field in ("nouns", "asks", "options"):
        if isinstance(joined.get(field), str):
            joined[field] = [joined[field]]
    try:
        read = msgspec.convert(joined, Slot)
    except msgspec.ValidationError as error:
        raise ArgumentError(f"slots.{slot.name}: {error}") from None
    return msgspec.structs.replace(
        slot,
        **{field: getattr(read, field) for field in one if field not in ("name", "nouns", "asks", "options")},
        nouns=(*slot.nouns, *read.nouns),
        asks=(*slot.asks, *read.asks),
        options=(*slot.options, *read.options),
    )


class _Hit(NamedTuple):
    """A phrase of a slot in a sentence; the words from `said_from` on only say that it is this slot."""

    start: int
    end: int
    slot: Slot
    said_from: int


def slots_asked(sentence: str, table: SlotTable, *, is_question: bool) -> list[RequestedSlot]:
    """The slots that one sentence asks for; `is_question` says that it ends in a question mark."""
    known = table.phrases
    words = [word for word in spoken_words(sentence)[:300] if word not in known.fillers]
    endings = known.endings
    request = _request_end(words, table.phrases)
    if not is_question and request is None:
        return []
    hits: list[_Hit] = []
    for place, word in enumerate(words):
        for phrase, slot in table.asks.get(word, ()):
            end = _match(words, place, phrase, endings)
            if end:
                hits.append(_Hit(place, end, slot, place))
        for phrase, slot in _nouns_at(table, word):
            end = _match(words, place, phrase, endings)
            if end and _is_asked(words, place, request, table.phrases, is_question=is_question):
                hits.append(_Hit(place, end, slot, end - 1))
    if is_question and not table.phrases.alternatives.isdisjoint(words):
        hits += _choices(words, table)
    return list(_chosen(hits, words, table.language))


def _choices(words: list[str], table: SlotTable) -> Iterator[_Hit]:
    """The slots of which a question names two options or more to choose from: on windows or on a mac?"""
    found: dict[str, list[_Hit]] = {}
    endings, alternatives = table.phrases.endings, table.phrases.alternatives
    for place, word in enumerate(words):
        for phrase, slot in (*table.options.get(word, ()), *_plural_options(table, word)):
            end = _match(words, place, phrase, endings)
            if end:
                found.setdefault(slot.name, []).append(_Hit(place, end, slot, place))
    for hits in found.values():
        named = {words[hit.start] for hit in hits}
        ends = [hit.end for hit in hits]
        joined = any(
            word in alternatives
            and any(0 <= place - end <= CHOICE_GAP for end in ends)
            and any(0 < hit.start - place <= CHOICE_GAP for hit in hits)
            for place, word in enumerate(words)
        )
        if len(named) > 1 and joined:
            yield from hits


def _plural_options(table: SlotTable, word: str) -> list[tuple[tuple[str, ...], Slot]]:
    return [] if word in table.options else _of_form(table.options, word, table.phrases.endings)


def _nouns_at(table: SlotTable, word: str) -> list[tuple[tuple[str, ...], Slot]]:
    found = table.nouns.get(word) or _of_form(table.nouns, word, table.phrases.endings)
    if found or not table.phrases.compounds or len(word) < 7:
        return found
    for start in range(3, len(word) - 3):
        tail = word[start:]
        found = table.nouns.get(tail) or _of_form(table.nouns, tail, table.phrases.endings)
        if found:  # schuhgr\u00f6sse: a noun written together with what tells which one
            return [((word,), slot) for phrase, slot in found if len(phrase) == 1]
    return []


def _of_form(
    index: Mapping[str, list[tuple[tuple[str, ...], Slot]]], word: str, endings: Container[str]
) -> list[tuple[tuple[str, ...], Slot]]:
    """What begins with a word of which this is a form."""
    for cut in (1, 2):
        if len(word) > cut + 2 and word[-cut:] in endings and word[:-cut] in index:
            return index[word[:-cut]]
    return []


def _chosen(hits: list[_Hit], words: list[str], language: str) -> Iterator[RequestedSlot]:
    """Of hits that overlap the longest; each with what else the sentence names."""
    taken: list[_Hit] = []
    known = question_words(language)
    for hit in sorted(hits, key=lambda one: (one.start - one.end, one.start)):
        if all(hit.end <= one.start or hit.start >= one.end for one in taken):
            taken.append(hit)
    covered = {place for hit in taken for place in range(hit.said_from, hit.end)}
    focused = [hit for hit in taken if hit.slot.focused]
    focus = focus_of(words, covered, language) if focused else frozenset()
    if known.compounds:
        focus |= focus_of([_beginning(words[hit.end - 1], hit.slot) for hit in focused], language=language)
    named: set[str] = set()
    for hit in sorted(taken, key=lambda one: one.start):
        if hit.slot.name in named:
            continue
        named.add(hit.slot.name)
        own = focus if hit.slot.focused else frozenset()
        if hit.slot.name == "quantity" and own:
            own = _counted(words, hit.end, language) or own
        whose = whose_of(words, known.second_person, known) if hit.slot.personal else ""
        yield RequestedSlot(hit.slot, own or (OWN_NAME if hit.slot.kind == "name" else own), whose)


def _beginning(word: str, slot: Slot) -> str:
    """What stands before the noun in a word written together: schuh of schuhgrösse."""
    tails = [noun for noun in slot.nouns if word.endswith(noun) and len(word) > len(noun) + 2]
    return word[: -min(map(len, tails))] if tails else ""


def _counted(words: Sequence[str], place: int, language: str) -> frozenset[str]:
    """What is counted: the words behind "how many", up to one that carries no meaning."""
    first = focus_of(words[place : place + 1], language=language)
    return first | focus_of(words[place + 1 : place + 2], language=language) if first else first


def whose_of(words: Sequence[str], own: Container[str], known: QuestionWords) -> str:
    """Whether words are about somebody else ("other") or about whom these words mean ("own"); else ""."""
    if not known.others.isdisjoint(words):
        return "other"
    return "own" if any(word in own for word in words) else ""


def focus_of(words: Sequence[str], covered: Container[int] = (), language: str = "en") -> frozenset[str]:
    """The stems of the words that carry meaning, without those at `covered` places."""
    from grice.text.packs import pack_of
    from grice.text.words import stem

    pack = pack_of(language) or pack_of("en")
    known = question_words(language)
    stops = pack.stop_words if pack is not None else frozenset()
    kept = [
        word
        for place, word in enumerate(words)
        if place not in covered and word not in stops and not _is_generic(word, known) and len(word) > 1
    ]
    return frozenset(stem(word, pack) for word in kept)


def _is_generic(word: str, known: QuestionWords) -> bool:
    return word in known.generic or any(
        word[-cut:] in known.endings and word[:-cut] in known.generic for cut in (1, 2)
    )


def _is_form(word: str, part: str, endings: Container[str]) -> bool:
    return word == part or (word.startswith(part) and word[len(part) :] in endings)


def _match(words: Sequence[str], place: int, phrase: tuple[str, ...], endings: Container[str]) -> int:
    """Where the phrase ends that begins at this place; 0 when it does not stand there."""
    gap = False
    for part in phrase:
        if part == "...":
            gap = True
            continue
        last = min(len(words), place + (GAP + 1 if gap else 1))
        found = next((at for at in range(place, last) if _is_form(words[at], part, endings)), -1)
        if found < 0:
            return 0
        place, gap = found + 1, False
    return place


def _request_end(words: Sequence[str], known: QuestionWords) -> int | None:
    """The place behind the first words that request something; None without any."""
    for place in range(len(words)):
        end = begins_with(words, place, known.requests)
        if end and known.conditions.isdisjoint(words[end : end + 1]):
            return end
    return None


def _is_asked(
    words: Sequence[str], place: int, request: int | None, known: QuestionWords, *, is_question: bool
) -> bool:
    """Whether a noun at this place is what the sentence asks for, and not only named in it."""
    request = request if request is not None and request <= place else None
    if is_question and place <= 4 and len(words) <= place + 5 and known.before_bare.issuperset(words[:place]):
        return True
    for back in range(place - 1, max(-1, place - 9), -1):
        if request is not None and back < request:
            return True
        if ends_with(words, back, known.wh):
            return True
        if words[back] in known.not_asked and place - back <= 4:
            return False
        if is_question and _is_wanted(words, back, known):
            return True
    return request is not None and place - request <= 25 and not _promises(words[request:place], known)


def _is_wanted(words: Sequence[str], place: int, known: QuestionWords) -> bool:
    """Whether the word at this place of a question asks for the noun behind it."""
    word = words[place]
    return (
        ends_with(words, place, known.wanting)
        or (word in known.any_words and place <= 4)
        or (word in known.having and not known.anyone.isdisjoint(words[:place]))
    )


def _promises(words: Sequence[str], known: QuestionWords) -> bool:
    """Whether a request goes over into what the assistant does: and I'll upgrade your cabin class."""
    return any(begins_with(words, place, known.promises) for place in range(len(words)))
