"""What the record of a conversation shows of why it went wrong: one pure function for each cause.

A cause is a fact of the record in one line, and no verdict. The functions of `_OF_REQUESTS` and `_OF_CALLS`
compare what was sent, called and said. Those of `_READ` read the language of replies: they
are asked where a test failed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from grice.checks.log_facts import LOOP, counted_calls
from grice.checks.tool_flow.labels import FactLabel
from grice.formats.asked_calls import asked_calls
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.matching.transcript import call_text
from grice.records import Conversation, Exchange, JsonValue, Outcome, Reply, ToolCall, Turn
from grice.text import value_text

SHOWN = "what the record shows"
"""What stands above the causes."""

MOST_COUNTED = 31
"""Numbers up to this count things, or are days and hours."""

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_MOST = 10
_ENOUGH = 0.5
"""The share of a message's words that a request has to hold, for agents that put it into their own words."""


class Cause(msgspec.Struct, frozen=True):
    """A fact that may be why a conversation went wrong: the name of the kind, the turn, and one line."""

    kind: str
    turn: int
    text: str


class Scene(NamedTuple):
    """A turn of a conversation, with the turns before it."""

    conversation: Conversation
    turn: Turn
    before: Sequence[Turn]

    @property
    def context(self) -> Context:
        """The context in which a matcher judges the reply of the turn."""
        return Context(self.conversation, self.turn)


def causes(conversation: Conversation, *, read: bool = True) -> list[Cause]:
    """The causes that the record shows, by turn. `read` says whether the language of replies is read too."""
    asked = any(_requests(turn) for turn in conversation.turns)
    found: list[Cause] = []
    for place, turn in enumerate(conversation.turns):
        scene = Scene(conversation, turn, conversation.turns[:place])
        called = turn.tool_calls or any(one.asked_tools for one in turn.exchanges)
        finds = (*(_OF_REQUESTS if asked else ()), *(_OF_CALLS if called else ()), broken_json)
        for find in (*finds, *(_READ if read else ())):
            found += [Cause(find.__name__, turn.number, one) for one in find(scene)]
    return found


def cause_lines(conversation: Conversation, *, read: bool = True) -> list[str]:
    """The causes as lines, at most ten."""
    found = causes(conversation, read=read)
    lines = [f"turn {one.turn}: {one.text}" for one in found[:_MOST]]
    return [*lines, f"... and {len(found) - _MOST} more"] if len(found) > _MOST else lines


# -- what was sent to the model


def model_not_asked(scene: Scene) -> Iterator[str]:
    """The agent answered without asking its model, which it asks in other turns."""
    if scene.turn.user and not scene.turn.exchanges and scene.turn.failure is None:
        yield "the model was not asked"


def message_not_sent(scene: Scene) -> Iterator[str]:
    """No request of the turn has what the user said."""
    requests = _requests(scene.turn)
    if not scene.turn.user or not requests or any(_holds(request, scene.turn.user) for request in requests):
        return
    last = next((text for role, text in reversed(_texts(requests[-1])) if role == "user"), None)
    sent = "no message of a user" if last is None else value_text(last)
    yield f"the user's message is in no request to the model, which was sent {sent}"


def history_cut(scene: Scene) -> Iterator[str]:
    """Some of what was said in earlier turns was not sent with this one."""
    requests = _requests(scene.turn)
    messages = [one for each in scene.before for one in each.messages if one.role in ("user", "assistant")]
    earlier = [one.content for one in messages if one.content]
    if not requests or not earlier:
        return
    sent = sum(_holds(requests[0], text) for text in earlier)
    if sent < len(earlier):
        yield f"the model was sent {sent} of the {len(earlier)} messages that were said before"


def system_prompt_missing(scene: Scene) -> Iterator[str]:
    """A request has no system prompt, where others have one."""
    with_one = [one for each in scene.conversation.turns for one in _requests(each) if one.system]
    without = [number for number, one in enumerate(_requests(scene.turn), 1) if not one.system]
    if with_one and without:
        yield f"request {without[0]} to the model has no system prompt, others have one"


# -- what was called


def equal_calls(scene: Scene) -> Iterator[str]:
    """The same call with the same arguments, again and again."""
    for call, count in counted_calls(scene.turn.tool_calls) if len(scene.turn.tool_calls) >= LOOP else ():
        if count >= LOOP:
            yield f"{call_text(call)} was called {count} times with the same arguments"


def malformed_arguments(scene: Scene) -> Iterator[str]:
    """The model's arguments of a call are no JSON object."""
    for call in (*scene.turn.tool_calls, *_calls_asked_for(scene.turn)):
        if call.raw_arguments is not None:
            yield f"the arguments of {call.name} are no JSON object: {value_text(call.raw_arguments)}"
            return


def call_not_run(scene: Scene) -> Iterator[str]:
    """The model asked for a call that the agent did not run. A call that the request forced does not count:
    it is the form of an answer.
    """
    reported = Counter(call.name for call in scene.turn.tool_calls)
    free = [one for one in scene.turn.exchanges if not _must_call(one)]
    for name, count in Counter(call.name for one in free for call in asked_calls(one)).items():
        if count > reported[name]:
            yield f"the model asked for {name}, and no call of it is on record"


def arguments_changed(scene: Scene) -> Iterator[str]:
    """A tool was called with other arguments than the model gave."""
    if not scene.turn.tool_calls:
        return
    asked = {call.id: call for call in _calls_asked_for(scene.turn) if call.id}
    for call in scene.turn.tool_calls:
        meant = asked.get(call.id)
        if meant is not None and (call.name, call.arguments) != (meant.name, meant.arguments):
            yield f"the model asked for {call_text(meant)}, the agent ran {call_text(call)}"


# -- what was said


def raw_result(scene: Scene) -> Iterator[str]:
    """The reply repeats the result of a tool unchanged."""
    text = scene.turn.text.strip() if scene.turn.tool_calls else ""
    for call in scene.turn.tool_calls:
        if text and isinstance(call.result, dict | list) and call.result and _as_json(text) == call.result:
            yield f"the reply is the raw result of {call.name}"
            return


def broken_json(scene: Scene) -> Iterator[str]:
    """The reply begins like JSON and does not parse."""
    text = scene.turn.text.strip()
    if not text.startswith(("{", "[", "`")):
        return
    if "```" in text:
        text = re.sub(r"^```(?:json)?\s*|\s*```$", "", text)
    if not re.match(r"\{\s*[\"'}]|\[\s*[\[{\"']", text):
        return
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        yield f"the reply begins as JSON and is none: {error}"


def untrue_of_tools(scene: Scene) -> Iterator[str]:
    """The reply claims an action that no tool performed, or another outcome than a tool had."""
    from grice.checks.tool_flow.matchers import be_free_of

    reply = Reply(scene.conversation, scene.turn.number)
    if judge(be_free_of(list(_TOOL_LABELS)), reply, scene.context).outcome is not Outcome.FAIL:
        return  # with none of them
    for label, told in _TOOL_LABELS.items():
        verdict = judge(be_free_of([label]), reply, scene.context)
        if verdict.outcome is Outcome.FAIL:
            quote = next((one.quote for one in verdict.evidence if one.quote), scene.turn.text)
            yield told.format(said=value_text(quote), did=_did(scene.turn))


def contradiction(scene: Scene) -> Iterator[str]:
    """The reply contradicts what a tool returned, or what was said before."""
    from grice.checks.contradiction.factual_contradiction import avoid_factual_contradiction

    verdict = judge(
        avoid_factual_contradiction(), Reply(scene.conversation, scene.turn.number), scene.context
    )
    if verdict.outcome is Outcome.FAIL:
        yield f"the reply contradicts the record: {verdict.reason.partition(chr(10))[0]}"
    else:
        yield from _unlike_results(scene)


def _unlike_results(scene: Scene) -> Iterator[str]:
    """A number in the reply that nothing before it has, else the id of a record without its status."""
    turn = scene.turn
    answered = [call for call in turn.tool_calls if call.error is None and call.answered]
    if not answered:
        return
    said = [message.content for one in scene.before for message in one.messages]
    said += [message.content for message in turn.messages if message.role not in ("assistant", "tool")]
    calls = (call for one in (*scene.before, turn) for call in one.tool_calls)
    told = [f"{dict(call.arguments)} {call.result} {call.error}" for call in calls]
    system = scene.conversation.system or ""
    before = "\n".join([system, turn.user, *said, *told, *map(_whole, _requests(turn))])
    known = {float(one) for text in (before, before.replace(",", "")) for one in _DIGITS.findall(text)}
    for number in _NUMBER.findall(turn.text):
        value = float(number.replace(",", ""))
        if value > MOST_COUNTED and value not in known:
            yield f"the reply says {number}, which nothing before it says: {_did(turn)}"
            return
    words = set(_WORD.findall(turn.text.casefold()))
    for call in answered:
        for record in _records(call.result):
            status = next((str(record[name]) for name in ("status", "state") if record.get(name)), "")
            ids = [one for one in record.values() if isinstance(one, str) and one.casefold() in words]
            ids = [one for one in ids if not one.isalpha() and not one.isdigit()]
            begins = status.casefold()[:5]  # cancelled, canceled
            if status.isalpha() and ids and not any(word.startswith(begins) for word in words):
                told_as = f"{call.name} returned as {value_text(status)}"
                yield f"the reply speaks of {ids[0]}, whose status {told_as}"
                return


def _records(value: object) -> Iterator[dict[str, Any]]:
    """The objects in a result, wherever they stand."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _records(one)


_TOOL_LABELS: dict[FactLabel, str] = {
    "CLAIMED_WITHOUT_ACTION": "the reply says {said}, and no tool did that: {did}",
    "SUCCESS_AFTER_FAILURE": "the reply says {said}, although {did}",
    "FAILURE_AFTER_SUCCESS": "the reply says {said}, although {did}",
}

Find = Callable[[Scene], Iterator[str]]

_OF_REQUESTS: tuple[Find, ...] = (model_not_asked, message_not_sent, history_cut, system_prompt_missing)
_OF_CALLS: tuple[Find, ...] = (
    equal_calls,
    malformed_arguments,
    call_not_run,
    arguments_changed,
    raw_result,
)
_READ: tuple[Find, ...] = (untrue_of_tools, contradiction)


def _did(turn: Turn) -> str:
    """What the tools of the turn came to."""
    if not turn.tool_calls:
        return "no tool was called"
    call = next((one for one in turn.tool_calls if one.error is not None), turn.tool_calls[-1])
    if call.error is not None:
        return f"{call.name} failed: {value_text(call.error)}"
    return (
        f"{call.name} returned {value_text(call.result)}" if call.answered else f"{call.name} has no answer"
    )


def _requests(turn: Turn) -> list[Exchange]:
    return [one for one in turn.exchanges if one.dialect != "openai_embeddings"]


def _holds(request: Exchange, text: str) -> bool:
    """Whether the request has the text, in these words or in others with most of them."""
    words = set(_WORD.findall(text.casefold()))
    if not words:
        return True
    sent = set(_WORD.findall(_whole(request)))
    return len(words & sent) > _ENOUGH * len(words)


def _whole(request: Exchange) -> str:
    return "\n".join([request.system, *(text for _, text in _texts(request))]).casefold()


def _texts(request: Exchange) -> list[tuple[str, str]]:
    """What the messages of the request say, with their roles."""
    return [
        (str(one.get("role") or one.get("type") or ""), "\n".join(_strings(one)))
        for one in request.messages
        if isinstance(one, dict)
    ]


def _strings(value: JsonValue) -> Iterator[str]:
    """The texts in the content of a message, wherever they stand."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name in ("content", "text", "output", "input", "arguments", "parts", "function", "tool_calls"):
            yield from _strings(value.get(name))


def _must_call(exchange: Exchange) -> bool:
    """Whether the request left the model no choice but a call, as frameworks do for structured output."""
    choice = exchange.request.get("tool_choice")
    kind = choice.get("type") if isinstance(choice, dict) else choice
    return kind in ("required", "any", "tool", "function")


def _calls_asked_for(turn: Turn) -> list[ToolCall]:
    """The calls that the model asked for in the turn."""
    return [call for one in turn.exchanges for call in asked_calls(one)]


def _as_json(text: str) -> JsonValue:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
