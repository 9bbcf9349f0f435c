"""Whether a reply is about what the user said: the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from grice.checks.profiles import Profile
from grice.checks.semantics.embedders import (
    EmbedderChoice,
    EmbedderName,
    embedder_for,
    off_topic_of,
)
from grice.checks.semantics.lexical_embedder import LexicalEmbedder
from grice.checks.semantics.vectors import EmbeddingError, Vector, likeness, with_vectors
from grice.checks.structure.envelope_parts import EnvelopeShape, Shape, read_shape, spoken_text
from grice.matching.argument_types import Language, SpokenText
from grice.matching.context import Context
from grice.matching.json_text import json_text
from grice.matching.matcher import matcher
from grice.matching.protocols import Embedder
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import Evidence, Outcome, Reply, Turn, Verdict, errored, inconclusive
from grice.text import sentences, shorten, value_text
from grice.text.languages import pack_for
from grice.text.packs.pack import LanguagePack
from grice.text.words import content_words

SEED_THRESHOLD = 0.35
WINDOW = 3
"""Messages of the user that are looked at together: what is asked for comes in pieces."""

MAX_CONTEXT = 4_000
"""Characters of what was said before, from its end."""

ENOUGH_TO_TELL = 6
"""Content words from which the reply has a topic of its own: the least with few false alarms, as measured."""

ENOUGH_ASKED = 3
"""The same of what was said before, where words alone are compared."""

ENOUGH_STATED = 10
"""The same of what a reply states before it asks back."""

SHOWN = 300
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_SAYS_NOTHING = frozenset({
    "yes", "yeah", "yep", "no", "nope", "ok", "okay", "sure", "thanks", "thank", "please", "hi",
    "hey", "great", "good", "fine", "perfect", "right", "cool", "alright", "correct", "exactly", "maybe",
    "bye", "goodbye", "hello", "ja", "nein", "danke", "bitte", "hallo", "gut", "genau", "klar",
})  # fmt: skip
"""Words that answer or greet, in the languages that there are packs for: alone they ask for nothing."""


class _Compared(msgspec.Struct, frozen=True):
    """What the reply is compared with: texts, and how a message names each."""

    texts: tuple[str, ...]
    names: tuple[str, ...]


class _Comparison(msgspec.Struct, frozen=True):
    """One question of this check, ready to be answered from vectors."""

    reply: str
    compared: _Compared
    embedder: Embedder
    threshold: float
    off_topic: float
    turn: int | None
    doubt: str = ""
    tools: str = ""


Cosine = Annotated[float, Meta(ge=-1, le=1)]


def _describe(
    *,
    at_least: float | None = None,
    about: str | None = None,
    embedder: Embedder | EmbedderName | None = None,
    **_: object,
) -> str:
    words = "stay on topic" if about is None else f"be about {value_text(about)}"
    named = getattr(embedder, "name", embedder)
    by = f", by the embedder {named}" if isinstance(named, str) else ""
    return words + (f" with a similarity of at least {at_least:g}" if at_least is not None else "") + by


@matcher("toStayOnTopic", layer=4, describe=_describe)
def stay_on_topic(
    subject: Speech,
    ctx: Context,
    *,
    at_least: Cosine | None = None,
    about: SpokenText | None = None,
    embedder: EmbedderChoice | None = None,
    shape: Shape | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """The reply is about what the user said: the cosine of their vectors reaches the embedder's threshold.

    `embedder` is an object or a name (lexical, minilm), by default the project's, else lexical, which
    compares words and not meaning. What is read of the reply is its lead and detail where it has an envelope,
    else its text. `about` stands for the user's message, which a bare text does not have. Where the embedder
    does not answer the verdict is an `error`.

    `robust` takes the highest of the similarities with the user's message, with the assistant's text before
    it together with it, and with the user's last three messages: "yes" or "Pittsburgh" is judged by what it
    answers. Below the threshold it fails only under the embedder's `off_topic`, where it has one, and only a
    reply that says enough to have a topic; between the two it is `inconclusive`. By words alone only a
    statement fails that shares none with a message of several, in a language that has a pack.
    `at_least` is one limit for both. `seed` compares with the user's message alone, at 0.35 whatever embedder
    it is.
    """
    text_of(subject)
    names = read_shape(shape)
    reply = spoken_text(subject, names)
    nothing = nothing_in(reply, "the reply")
    if nothing is not None:
        return nothing
    compared = _compared(subject, ctx, about, names, profile)
    if isinstance(compared, Verdict):
        return compared
    try:
        chosen = embedder_for(subject, embedder)
    except Exception as error:  # settings and factories are somebody's
        return errored(f"there is no embedder: {error}")
    number = subject.turn.number if isinstance(subject, Reply) else getattr(subject, "number", None)
    if profile == "seed":
        limit = SEED_THRESHOLD if at_least is None else at_least
        asked = _Comparison(reply, compared, chosen, limit, limit, number)
    else:
        asked = _robust(reply, compared, chosen, at_least, number, language)
        if isinstance(chosen, LexicalEmbedder) and not isinstance(subject, str):
            asked = msgspec.structs.replace(asked, tools=_tools_text(subject))
    return _answer(asked)


def _asks_back(reply: str, pack: LanguagePack | None) -> bool:
    """Whether the reply ends with a question and states little before it."""
    if not reply.rstrip(" *_\"')\u201d").endswith(_QUESTION_MARKS):
        return False
    told = sentences(reply, pack.code if pack is not None else "en")
    stated = " ".join(one for one in told if not one.rstrip(" *_\"')\u201d").endswith(_QUESTION_MARKS))
    return len(content_words(stated, pack)) < ENOUGH_STATED


def _answer(asked: _Comparison) -> Verdict | Coroutine[Any, Any, Verdict]:
    texts = [asked.reply, *asked.compared.texts]
    try:
        answer = with_vectors(asked.embedder, texts, partial(_judged, asked))
    except EmbeddingError as error:
        return errored(str(error))
    return answer if isinstance(answer, Verdict) else _later(answer)


async def _later(answer: Coroutine[Any, Any, Verdict]) -> Verdict:
    try:
        return await answer
    except EmbeddingError as error:
        return errored(str(error))


def _robust(
    reply: str,
    compared: _Compared,
    embedder: Embedder,
    at_least: float | None,
    number: int | None,
    language: str | None,
) -> _Comparison:
    pack = pack_for(reply, language)
    known = None if isinstance(pack, str) else pack
    words = len(content_words(reply, known))
    doubt = ""
    if isinstance(embedder, LexicalEmbedder):
        asked = pack_for(" ".join(compared.texts), language)
        doubt = next((one for one in (pack, asked) if isinstance(one, str)), "")
        if not doubt and pack != asked:
            doubt = "the user and the reply speak different languages"
        if not doubt and _asks_back(reply, known):
            doubt = "the reply ends with a question, and a question back rarely repeats words"
        if not doubt and max(_content(text) for text in compared.texts) < ENOUGH_ASKED:
            doubt = "what was asked has too few words to share; an embedder that knows meaning could tell"
    if not doubt and words < ENOUGH_TO_TELL:
        counted = f"{words} word{'' if words == 1 else 's'} with a meaning"
        doubt = f"the reply has {counted}, too few for a topic of its own"
    limit = embedder.threshold if at_least is None else at_least
    off_topic = off_topic_of(embedder) if at_least is None else at_least
    return _Comparison(
        reply, compared, embedder, limit, off_topic, number, "" if at_least is not None else doubt
    )


# -- what it is compared with


def _compared(
    subject: Speech, ctx: Context, about: str | None, shape: EnvelopeShape, profile: Profile
) -> _Compared | Verdict:
    if about is not None:
        return _Compared((about,), ("what it should be about",))
    if isinstance(subject, str):
        return inconclusive("a bare text does not know what the user said: say it with about=")
    user = subject.turn.user if isinstance(subject, Reply) else subject.user
    if profile == "seed":
        if not user.strip():
            return inconclusive("the user said nothing in this turn")
        return _Compared((user,), ("the user's message",))
    return _in_context(user, ctx.earlier_turns(WINDOW), shape)


def _in_context(user: str, earlier: Sequence[Turn], shape: EnvelopeShape) -> _Compared | Verdict:
    """The user's message with what it answers; one that says nothing by itself only together with that."""
    texts, names = [], []
    if _says_something(user):
        texts.append(user)
        names.append("the user's message")
    before = spoken_text(earlier[-1], shape)[-MAX_CONTEXT:] if earlier else ""
    if before.strip() and user.strip():
        texts.append(f"{before}\n{user}")
        names.append("the user's message and what it answers")
    said = [turn.user for turn in earlier[-(WINDOW - 1) :] if _says_something(turn.user)]
    if said:
        texts.append("\n".join([*said, user])[-MAX_CONTEXT:])
        names.append(f"the user's last {len(said) + 1} messages")
    if not texts or not (said or _says_something(user) or _says_something(before)):
        shown = value_text(shorten(user, SHOWN)) if user.strip() else "nothing"
        return inconclusive(f"the user said {shown}, which gives no topic to keep to")
    return _Compared(tuple(texts), tuple(names))


def _says_something(text: str) -> bool:
    """Whether a text has a word with a meaning."""
    return _content(text) > 0


def _content(text: str) -> int:
    """How many words with a meaning a text has."""
    pack = pack_for(text)
    found = content_words(text, None if isinstance(pack, str) else pack)
    return sum(word.text not in _SAYS_NOTHING and not word.text.isdigit() for word in found)


# -- what the vectors say


def _judged(asked: _Comparison, vectors: list[Vector]) -> Verdict:
    reply, *others = vectors
    found = [
        (value, place) for place, one in enumerate(others) if (value := likeness(reply, one)) is not None
    ]
    named = _kind(asked.embedder)
    if not found:
        return inconclusive(f"{named} finds nothing to compare: {value_text(shorten(asked.reply, SHOWN))}")
    best, place = max(found, key=lambda pair: pair[0])
    outcome, why = _outcome(asked, best)
    reason = f"{named} {best:.2f} with {asked.compared.names[place]}, {_limit(asked, best)}{why}"
    evidence = (
        Evidence(shorten(asked.reply, SHOWN), asked.turn, note="the reply"),
        Evidence(shorten(asked.compared.texts[place], SHOWN), asked.turn, note=asked.compared.names[place]),
    )
    return Verdict(
        outcome,
        reason,
        evidence,
        detail={
            "embedder": asked.embedder.name,
            "similarity": round(best, 6),
            "threshold": asked.threshold,
            "off_topic": asked.off_topic,
            "compared_with": asked.compared.names[place],
        },
    )


def _outcome(asked: _Comparison, best: float) -> tuple[Outcome, str]:
    if best >= asked.threshold:
        return Outcome.PASS, ""
    if asked.doubt:
        return Outcome.INCONCLUSIVE, f"; {asked.doubt}"
    if best < asked.off_topic:
        if asked.tools and asked.off_topic < asked.threshold and _speaks_of_tools(asked):
            return (
                Outcome.INCONCLUSIVE,
                "; the reply speaks of what the tools of the turn were asked or returned",
            )
        return Outcome.FAIL, ""
    return (
        Outcome.INCONCLUSIVE,
        f"; off the topic is below {asked.off_topic:g}, between the two it cannot tell",
    )


def _tools_text(subject: Reply | Turn) -> str:
    """What the tools of the turn were asked and returned, its beginning; "" without tools."""
    said = [[call.arguments, call.result if call.answered else None] for call in subject.tool_calls]
    return json_text(said, MAX_CONTEXT) if said else ""


def _speaks_of_tools(asked: _Comparison) -> bool:
    """Whether the reply shares words with the tools, which the user's message led to."""
    reply, tools = LexicalEmbedder().embed([asked.reply, asked.tools])
    return (likeness(reply, tools) or 0.0) >= asked.threshold


def _limit(asked: _Comparison, best: float) -> str:
    if best >= asked.threshold:
        return f"at or above {asked.threshold:g}"
    return f"below {asked.threshold:g}"


def _kind(embedder: Embedder) -> str:
    if isinstance(embedder, LexicalEmbedder):
        return "likeness of words (lexical, no meaning)"
    return f"similarity by {embedder.name}"
