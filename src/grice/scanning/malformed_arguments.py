"""Calls whose arguments are no JSON object: a fact, of any log."""

from __future__ import annotations

from typing import Any

from grice.formats.calls import CUSTOM
from grice.matching.context import Context
from grice.matching.matcher import MatcherFactory
from grice.records import Evidence, Verdict, failed, passed, skipped
from grice.text import shorten, value_text

_SHOWN = 200


def _call_with_json_arguments(subject: list[Any], ctx: Context) -> Verdict:  # noqa: ARG001 - as matchers are called
    if not subject:
        return skipped("the reply calls no tool")
    broken = [
        call
        for call in subject
        if call.get("raw_arguments") is not None and not call.get("metadata", {}).get(CUSTOM)
    ]
    if not broken:
        return passed("the arguments of every call are a JSON object")
    named = "; ".join(f"{one['name']}: {value_text(shorten(one['raw_arguments'], _SHOWN))}" for one in broken)
    quotes = tuple(
        Evidence(shorten(one["raw_arguments"], _SHOWN), path=f"$[{place}].arguments")
        for place, one in enumerate(subject)
        if one in broken
    )
    return failed(f"no JSON object: {named}", evidence=quotes)


_call_with_json_arguments.__name__ = _call_with_json_arguments.__qualname__ = "call_with_json_arguments"
call_with_json_arguments: MatcherFactory[list[Any], []] = MatcherFactory(
    "toCallWithJsonArguments", _call_with_json_arguments, "call tools with arguments that are JSON objects"
)
