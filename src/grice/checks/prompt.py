"""The system prompt: what the model was told before anybody spoke."""

from __future__ import annotations

from collections.abc import Sequence

from grice.checks.message_events import MessageArray, events_of
from grice.checks.model_requests import answering, judge_requests, refuse_embeddings
from grice.checks.nearest_passage import nearest_passage
from grice.matching.argument_types import Text
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import nothing_in
from grice.records import Conversation, Evidence, Exchange, Verdict, failed, inconclusive, passed
from grice.text import shorten, value_text

SHOWN_START = 120
SHOWN_MISSING = 10


def _check(*texts: str, **_: object) -> None:
    if not texts:
        raise ArgumentError("name at least one text that the system prompt is to contain")


@matcher(
    "toHaveInSystemPrompt",
    layer=2,
    describe="have {texts} in the system prompt[ordered?, in this order][, after {after}]",
    check=_check,
)
def have_in_system_prompt(
    subject: str | Exchange | Conversation | MessageArray,
    ctx: Context,
    *texts: Text,
    ordered: bool = False,
    after: Text | None = None,
) -> Verdict:
    """The system prompt contains all of the texts.

    With `ordered` they follow one another in the order given, without overlap: otherwise `fail`. With
    `after`, only what comes after the first occurrence of that separator counts. Some texts there and some
    not, or no separator, is `inconclusive` under both polarities: `not_to_have_in_system_prompt` passes only
    where none of the texts is there. A text is the prompt itself. Of a request it is the `system` or
    `instructions` field and the system and developer messages that its array begins with (where there is
    neither, the first in the array); a request without system prompt does not contain the texts. A
    conversation is judged by all its requests, as by `offer_tool`, and only without any by its own `system`.
    A text that is empty, an empty array and a conversation without requests and prompt are `inconclusive`.
    """
    if isinstance(subject, str):
        nothing = nothing_in(subject, "the prompt")
        return _search(subject, texts, ordered, after, None) if nothing is None else nothing
    refuse_embeddings(subject)
    if isinstance(subject, Conversation) and not answering(subject):
        if not subject.system:
            return inconclusive("no request to the model and no system prompt is on record")
        return _search(subject.system, texts, ordered, after, "system")
    if isinstance(subject, Exchange | Conversation):
        return judge_requests(
            subject, lambda request: _search(request.system, texts, ordered, after, "system")
        )
    if not isinstance(subject, list | tuple):
        found = type(subject).__name__
        raise Unsuitable(f"a text, an Exchange, a Conversation or a list of messages, found {found}")
    if not events_of(subject):  # it also refuses what is no message
        return inconclusive("the message array is empty")
    request = Exchange({"messages": list(subject)})
    return _search(request.system, texts, ordered, after, "system")


def _search(prompt: str, texts: Sequence[str], ordered: bool, after: str | None, path: str | None) -> Verdict:
    empty = not prompt or prompt.isspace()
    if empty and after is None:
        return failed("there is no system prompt")
    start = 0
    if after is not None:
        separator = prompt.find(after)
        if separator < 0:
            why = "there is no system prompt" if empty else _why_missing(prompt, after, 0)
            return inconclusive(f"the separator is not there: {why}")
        start = separator + len(after)
    offsets = [prompt.find(text, start) for text in texts]
    if min(offsets) < 0:
        return _incomplete(prompt, texts, offsets, start, path)
    position = start
    for place, text in enumerate(texts if ordered else ()):
        offset = prompt.find(text, position)
        if offset < 0:
            return failed(_why_unordered(prompt, text, texts[place - 1], offsets[place - 1]))
        offsets[place] = offset
        position = offset + len(text)
    pairs = list(zip(texts, offsets, strict=True))
    places = ", ".join(f"{value_text(shorten(text, 60))} at character {offset}" for text, offset in pairs)
    return passed(f"found {places}", evidence=_evidence(pairs, path))


def _incomplete(
    prompt: str, texts: Sequence[str], offsets: Sequence[int], start: int, path: str | None
) -> Verdict:
    """The verdict when not all texts are there: neither the claim nor its negation is true of some only."""
    pairs = list(dict.fromkeys(zip(texts, offsets, strict=True)))
    missing = [text for text, offset in pairs if offset < 0]
    reasons = [_why_missing(prompt, text, start) for text in missing[:SHOWN_MISSING]]
    reasons += ["..."] * (len(missing) > SHOWN_MISSING)
    there = [pair for pair in pairs if pair[1] >= 0]
    if not there:
        return failed("\n".join(reasons))
    shown = [f"{value_text(shorten(text, 60))} is there, at character {at}" for text, at in there]
    more = ["..."] * (len(there) > SHOWN_MISSING)
    return inconclusive("\n".join(reasons + shown[:SHOWN_MISSING] + more), evidence=_evidence(there, path))


def _evidence(pairs: Sequence[tuple[str, int]], path: str | None) -> tuple[Evidence, ...]:
    return tuple(Evidence(text, None, offset, offset + len(text), path) for text, offset in pairs)


def _why_missing(prompt: str, text: str, start: int) -> str:
    """Why a text counts as missing: it comes before the separator, or something like it is there."""
    missing = f"{value_text(text)} is missing"
    earlier = prompt.find(text, 0, start)
    if earlier >= 0:
        return f"{missing}: it is only before the separator, at character {earlier}"
    near = nearest_passage(text, prompt[start:])
    if near is not None:
        first, last = near[0] + start, near[1] + start
        return f"{missing} (did you mean {value_text(prompt[first:last])}, at character {first}?)"
    where = "the prompt after the separator" if start else "the prompt"
    return f"{missing}: {where} has nothing like it, it begins {_beginning(prompt[start:])}"


def _beginning(text: str) -> str:
    return value_text(shorten(text.strip(), SHOWN_START))


def _why_unordered(prompt: str, text: str, before: str, offset: int) -> str:
    place = f"{value_text(before)}, which is at characters {offset} to {offset + len(before)}"
    return f"out of order: {value_text(text)} is last at character {prompt.rfind(text)}, not after {place}"
