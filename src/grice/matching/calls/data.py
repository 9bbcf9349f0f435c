"""Expected tool calls as data: what a file says, and its JSON Schema."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from grice.matching.annotations import argument_type
from grice.matching.calls.count import COUNTS
from grice.matching.calls.order import Order
from grice.matching.calls.spec import ArgumentMode, ExpectedCall, check_json, check_mode, named
from grice.matching.matcher import ArgumentError, Arguments
from grice.text import did_you_mean, value_text

_CALL_FIELDS = ("name", "arguments", "args", "result", "error")
_SEQUENCE_FIELDS = ("calls", "order", "args", "forbid", "only")

_COUNTS = {"times": "times", "atLeast": "at_least", "atMost": "at_most"}
"""How files write what counts calls."""
_COUNT = {"type": "integer", "minimum": 1}
_NAME = {"type": "string", "minLength": 1}
_NAMES = {"type": "array", "items": _NAME}
_MODES = argument_type(ArgumentMode).schema()
_CALL_PROPERTIES: dict[str, Any] = {
    "name": _NAME,
    "arguments": {"type": "object"},
    "args": _MODES,
    "result": {},
    "error": {"type": ["boolean", "string"], "minLength": 1},
}


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


CALL_SCHEMA: Mapping[str, Any] = {
    "anyOf": [_NAME, _object({**_CALL_PROPERTIES, **dict.fromkeys(_COUNTS, _COUNT)}, ["name"])]
}
"""The `expected` of toCallTool and toHaveCalledTool."""

_CALLS = {"type": "array", "items": {"anyOf": [_NAME, _object(_CALL_PROPERTIES, ["name"])]}}
CALLS_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        _CALLS,
        _object(
            {
                "calls": _CALLS,
                "order": argument_type(Order).schema(),
                "args": _MODES,
                "forbid": _NAMES,
                "only": {"anyOf": [{"type": "boolean"}, _NAMES]},
            },
            [],
        ),
    ]
}
"""The `expected` of toCallTools and toHaveCalledTools."""


def read_call_tool(expected: Any) -> Arguments:
    """The arguments of call_tool: a name, or an object with `name` and what else is expected of the call."""
    if isinstance(expected, str):
        return (_read_call({"name": expected}, "expected"),), {}
    fields = _fields(expected, (*_CALL_FIELDS, *_COUNTS), "expected", also=COUNTS)
    return (_read_call(fields, "expected"),), _read_counts(fields)


def _read_counts(fields: Mapping[str, Any]) -> dict[str, Any]:
    """`times`, `at_least` and `at_most`, as Python writes them or as files do."""
    counts: dict[str, Any] = {}
    for name in (*_COUNTS, *(name for name in COUNTS if name not in _COUNTS)):
        if name not in fields:
            continue
        if fields[name] is None:
            raise ArgumentError(f"expected.{name} is a whole number from 1 on, found null: leave it out")
        if fields[name] == 0 and fields[name] is not False:
            hint = (
                "it always holds" if _COUNTS.get(name, name) == "at_least" else "for no call write not: true"
            )
            raise ArgumentError(f"expected.{name} is a whole number from 1 on, found 0: {hint}")
        if _COUNTS.get(name, name) in counts:
            both = next(one for one, python in _COUNTS.items() if python == name)
            raise ArgumentError(f"expected has {both!r} and {name!r}, which are the same: leave one out")
        counts[_COUNTS.get(name, name)] = fields[name]
    return counts


def read_call_tools(expected: Any) -> Arguments:
    """The arguments of call_tools: a list of calls, or an object with `calls`, `order` and so on."""
    if isinstance(expected, list):
        return (_read_calls(expected, "expected"),), {}
    if isinstance(expected, str):
        raise ArgumentError(f"expected is a list of calls, found {value_text(expected)}; write it as a list")
    fields = dict(_fields(expected, _SEQUENCE_FIELDS, "expected"))
    calls = _read_calls(fields.pop("calls", []), "expected.calls")
    return (calls,), fields


def _read_calls(given: Any, where: str) -> list[str | ExpectedCall]:
    if not isinstance(given, list):
        raise ArgumentError(f"{where} is a list of calls, found {value_text(given)}")
    calls: list[str | ExpectedCall] = []
    for number, one in enumerate(given):
        place = f"{where}[{number}]"
        if isinstance(one, str):
            calls.append(_read_call({"name": one}, place))
            continue
        if isinstance(one, dict) and one.keys() & {*COUNTS, *_COUNTS}:
            counted = next(name for name in (*COUNTS, *_COUNTS) if name in one)
            raise ArgumentError(
                f"{place}: a call of a list has no {counted!r}; name it as often as it is expected"
            )
        calls.append(_read_call(_fields(one, _CALL_FIELDS, place), place))
    return calls


def _read_call(fields: Mapping[str, Any], where: str) -> ExpectedCall:
    if "name" not in fields:
        raise ArgumentError(f"{where} has no 'name', the name of the tool")
    name, arguments = fields["name"], fields.get("arguments", {})
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"{where}.name is a text that is not empty, found {value_text(name)}")
    if not isinstance(arguments, dict):
        raise ArgumentError(f"{where}.arguments is an object, found {value_text(arguments)}")
    check_json(arguments, f"{where}.arguments")
    expected = named(name, arguments)
    if "args" in fields:
        check_mode(fields["args"], f"{where}.args")
        expected = expected.args(fields["args"])
    return _with_answer(expected, fields, where)


def _with_answer(expected: ExpectedCall, fields: Mapping[str, Any], where: str) -> ExpectedCall:
    """The call with the `result` and the `error` that the fields ask for."""
    error = fields.get("error", False)
    if not isinstance(error, bool | str) or error == "":
        raise ArgumentError(
            f"{where}.error is true, false or a text that the error contains, found {value_text(error)}"
        )
    if "result" in fields:
        if error is not False:
            raise ArgumentError(f"{where} expects a result and an error at once")
        check_json(fields["result"], f"{where}.result")
        expected = expected.returning(fields["result"])
    if "error" not in fields:
        return expected
    if error is False:
        return expected.succeeding()
    return expected.failing(None if error is True else error)


def _fields(
    given: Any, known: Collection[str], where: str, *, also: Collection[str] = ()
) -> Mapping[str, Any]:
    """The object, whose fields are all known, or `also` taken."""
    if not isinstance(given, dict):
        raise ArgumentError(f"{where} is the name of a tool or an object, found {value_text(given)}")
    for name in given:
        if name not in known and name not in also:
            hint = did_you_mean(str(name), known) or f"; known are {', '.join(known)}"
            raise ArgumentError(f"{where} has an unknown field {value_text(name)}{hint}")
    return given
