"""Find version numbers in a reply that no tool, message or prompt gave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.labels import Finding
from grice.text.money import money_in

_MAX_FOUND = 5
_MAX_LOOKED_AT = 200
# 4.13.5, v4.9, version 6.5, Node 18.2: what stands alone needs two dots, for 4.9 may be any number.
_VERSION = re.compile(
    r"(?<![\w.,/:$\u20ac\u00a3#-])(?:(?P<named>(?i:v(?:ersion|er)?\.?|release|build)\s?)"
    r"(?P<number>\d{1,5}(?:\.\d{1,6}){0,4})|(?P<product>[A-Za-z][\w+#]{1,30}) (?P<short>\d{1,2}\.\d{1,2})"
    r"|(?P<bare>\d{1,4}(?:\.\d{1,5}){2,3}))(?:[-.+](?:alpha|beta|rc|dev|pre)[.\d]*)?(?![\w%:/]|[.,]\d|-\d)"
)
_NO_VERSION = re.compile(  # a date, a phone number, an address
    r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)?\d\d|(?:19|20)\d\d\.\d{1,2}\.\d{1,2}"
    r"|\d{3}\.\d{3,4}\.\d{4}|[1-9]\d{1,2}(?:\.\d{1,3}){3}"
)
# What looks like a date is a version behind a name (PHP 8.2.17) and after an update (from 8.2.16 to 8.2.17).
_OF_PRODUCT = re.compile(
    r"(?<![.!?] )(?<!^)\b(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"[a-z]*\b|I\b)[A-Z][\w+#-]* $"
    r"|\b(?i:upgrad|patch|downgrad|bump|install)\w*\b.{0,40}\b(?:to|from) $|\b(?i:runs|running) $"
)
_NO_PLACE_FOR_ONE = re.compile(
    r"(?i)\b(?:section|step|chapter|clause|article|paragraph|figure|table|appendix|page|item) $"
)
_AT_A_TIME = re.compile(r"(?i)\b(?:at|by|until|after|before) (?:[01]?\d|2[0-3])(?:\.[0-5]\d){2}")
_NUMBER = re.compile(r"(?<![\d.])\d{1,5}(?:\.\d{1,6})*(?![\d])")


def unknown_versions(said: str, facts: Facts) -> Iterator[Finding]:
    """Find the versions in a prose text that are in no result of a tool, no message and no prompt.

    Where no tool has answered nobody knows what the reply may know. `4.13` is known where `4.13.5` is.
    """
    if not any(one.became in ("success", "pending") for one in (*facts.earlier, *facts.deeds)):
        return
    found = [one for one in islice(_VERSION.finditer(said), _MAX_LOOKED_AT) if _is_version(said, one)]
    if not found:
        return
    prices = [one for one in money_in(said) if not said.startswith("PHP ", one.start)]  # a language first
    known = {one[0] for source in facts.sources() for one in _NUMBER.finditer(source)}
    unknown: dict[tuple[int, int], str] = {}
    for one in found:
        span = one.span("number" if one["number"] else "short" if one["short"] else "bare")
        is_price = any(price.start < one.end() <= price.end for price in prices)
        if not (is_price or _is_known(said[slice(*span)], known)) and (
            not one["short"] or _has_other(one, facts)
        ):
            unknown[span] = said[slice(*span)]
    if unknown:
        listed = ", ".join(list(dict.fromkeys(unknown.values()))[:_MAX_FOUND])
        spans = tuple(list(unknown)[:_MAX_FOUND])
        yield Finding("UNKNOWN_VERSION", spans, f"no tool result, message or prompt has {listed}")


def _is_version(said: str, found: re.Match[str]) -> bool:
    if found["number"] is not None:
        return "." in found["number"] or found["named"].lower().startswith("v")
    if found["short"] is not None:
        return True
    before = said[max(0, found.start() - 60) : found.start()]
    if _NO_PLACE_FOR_ONE.search(before) or _AT_A_TIME.search(said, max(0, found.start() - 7), found.end()):
        return False
    return _NO_VERSION.fullmatch(found["bare"]) is None or _OF_PRODUCT.search(before) is not None


def _is_known(number: str, known: set[str]) -> bool:
    short = number.removesuffix(".0")
    return any(one.removesuffix(".0") == short or one.startswith(f"{number}.") for one in known)


def _has_other(found: re.Match[str], facts: Facts) -> bool:
    """Whether a result gives another version of what is named: "php": "8.2"."""
    name = re.escape(found["product"].lower())
    given = rf"\b{name}(?:[ _-]?version)?\"?\s*[:=]?\s*\"?v?\d{{1,3}}\.\d{{1,3}}"
    return re.search(given, facts.results) is not None
