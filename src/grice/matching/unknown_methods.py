"""What to write instead of a method that an expectation does not have."""

from __future__ import annotations

import re

from grice._catalogue import METHODS
from grice.matching.matcher import REGISTRY
from grice.text.suggest import nearest

KINDS = {
    "text": "a text",
    "reply": "a reply",
    "turn": "a turn",
    "exchange": "a request to the model",
    "conversation": "a conversation",
    "list": "a list",
    "object": "an object",
    "value": "a value",
    "state": "a state",
    "path": "the values at a path",
}
"""The kinds of subject in words."""

_RECORDS = ("reply", "turn", "exchange", "conversation")
_TWINS = {
    "call_tool": "have_called_tool",
    "call_tools": "have_called_tools",
    "have_called_tool": "call_tool",
    "have_called_tools": "call_tools",
}
"""Two matchers that ask the same of a turn and of a conversation."""

_PLACES = {
    "reply": "expect(reply)",
    "conversation": "expect(conversation)",
    "turn": "expect(turn)",
    "exchange": "expect(conversation.exchanges[-1])",
    "object": "expect(reply.data)",
    "list": "expect(reply.data)",
    "path": "expect(reply.data, path='$.name')",
    "text": "expect(reply.text)",
    "value": "expect(value)",
    "state": "expect(state(source))",
}
"""How to get at a subject of each kind; where several would do, the first counts."""

_PLACES_FROM = {
    ("conversation", "reply"): "expect(conversation.last)",
    ("conversation", "turn"): "expect(conversation.turns[-1])",
    ("exchange", "path"): "expect(exchange, path='$.request.model')",
    ("list", "path"): "expect(values, path='$[0].name')",
    ("object", "path"): "expect(data, path='$.name')",
    ("reply", "conversation"): "expect(reply.conversation)",
    ("reply", "exchange"): "expect(reply.exchanges[-1])",
    ("reply", "list"): "expect(reply.data) or expect(reply, parse='json')",
    ("reply", "object"): "expect(reply.data) or expect(reply, parse='json')",
    ("text", "list"): "expect(text, parse='json')",
    ("text", "object"): "expect(text, parse='json')",
    ("text", "path"): "expect(text, path='$.name')",
    ("turn", "exchange"): "expect(turn.exchanges[-1])",
}
"""The same from the subject that was given, where there is a way."""

_WITH_PARTS = ("exchange", "list", "object")
_PREFIXES = (("not_to_", True), ("to_not_", True), ("not_", True), ("to_", False), ("", False))
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def explain_unknown(name: str, kind: str) -> str:
    """Why an expectation about that kind of subject has no method of that name, and what to write instead."""
    word = _CAPITALS.sub("_", name).lower()
    prefix, negated = next(row for row in _PREFIXES if word.startswith(row[0]))
    word = word.removeprefix(prefix)
    known = {_bare(matcher): matcher for matcher in METHODS}.get(_bare(word), "")
    if known:
        return _explain_misplaced(known, kind, negated) or _suggest(name, kind, _method(known, negated))
    if own := {_bare(one.name): one for one in REGISTRY.values()}.get(f"to{_bare(word)}"):
        taken = "not_to" if negated else "to"
        return f"{name} is not a method, but a matcher of your own: write .{taken}({own.python_name}(...))"
    if instead := _jest_name(word, kind, negated):
        return f"{_no_method(name, kind)}: {instead}"
    methods = [_method(matcher, way) for matcher in METHODS for way in (negated, not negated)]
    found = nearest(f"{'not_to' if negated else 'to'}_{word}", methods) or nearest(name, methods)
    if not found:
        there = "dir(expect(...)) lists those that there are, and .to(...) takes any matcher"
        return f"{_no_method(name, kind)}: {there}"
    matcher = found.removeprefix("not_").removeprefix("to_")
    misplaced = _explain_misplaced(matcher, kind, found.startswith("not_"))
    return _suggest(name, kind, found) + (f": {misplaced}" if misplaced else "")


def _suggest(name: str, kind: str, method: str) -> str:
    return f"{_no_method(name, kind)} (did you mean '{method}'?)"


def _no_method(name: str, kind: str) -> str:
    return f"{KINDS[kind]} {'have' if kind == 'path' else 'has'} no method {name}"


def _bare(name: str) -> str:
    return name.replace("_", "").lower()


def _method(matcher: str, negated: bool) -> str:
    return f"{'not_to' if negated else 'to'}_{matcher}"


def _explain_misplaced(matcher: str, kind: str, negated: bool) -> str:
    """Which subjects have the method, and how to get at one; "" when this kind has it."""
    kinds = METHODS[matcher][1].split()
    if kind in kinds:
        return ""
    method = _method(matcher, negated)
    wanted = next(one for one in (("path", *_PLACES) if kind in _WITH_PARTS else _PLACES) if one in kinds)
    found = f"this is {KINDS[kind]}" if kind != "path" else "these are the values at a path"
    if kind == "text" and wanted in _RECORDS:
        found += ", which has no tool calls, turns or requests"
    instead = f"{_PLACES_FROM.get((kind, wanted), _PLACES[wanted])}.{method}(...)"
    if kind == "path" and wanted in _RECORDS:
        instead += " without a path"
    if (twin := _TWINS.get(matcher)) and kind in METHODS[twin][1].split():
        instead = f"{_method(twin, negated)}(...) here, or {instead}"
    shown = [KINDS[one] for one in kinds]
    listed = " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    return f"{method} judges {listed}, and {found}: write {instead}"


_IN_PYTHON = re.compile(r"\bto[A-Z]\w*(?:(?:, as in)? (\{.*\}|true|false|\d+))?")


def _jest_name(word: str, kind: str, negated: bool) -> str:
    """What to write for a matcher of Jest, "" when it is none."""
    from grice.matching.assertions.registry import CALLED_TIMES, FAILED_CALL, INSTEAD

    said = {_bare(one): instead for one, instead in INSTEAD.items()}.get(f"to{_bare(word)}", "")
    if said == CALLED_TIMES:
        said = 'write toCallTool(call("book"), times=2)'
    elif said == FAILED_CALL:
        said = 'nothing is thrown here; for a failed call write toCallTool(call("book").failing())'
    said = _IN_PYTHON.sub(_in_python, said).replace("`not` to_", "not_to_")
    if kind == "conversation":
        said = said.replace(" to_call_tool", " to_have_called_tool")
    return said.replace(" to_", " not_to_") if negated else said


def _in_python(found: re.Match[str]) -> str:
    """A matcher as files name it, and perhaps its expected value, as a method."""
    name, _, _ = found[0].partition(" ")
    method = _CAPITALS.sub("_", name.rstrip(",")).lower()
    value = found[1]
    return method if value is None else f"{method}({value.capitalize() if value.isalpha() else value})"
