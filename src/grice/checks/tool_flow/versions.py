"""Version numbers in a reply that nobody told it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.labels import Finding
from grice.text.money import Money, money_in

__all__ = ["unknown_versions"]

_MAX_FOUND = 5
# 4.13.5, v4.9, version 6.5, release 2: what stands alone needs two dots, for 4.9 may be any number.
_VERSION = re.compile(
    r"(?<![\w.,/:$\u20ac\u00a3#-])(?:(?P<named>(?i:v(?:ersion|er)?\.?|release"
    r"|build)\s?)(?P<number>\d{1,5}(?:\.\d{1,6}){0,4})"
    r"|(?P<bare>\d{1,4}(?:\.\d{1,5}){2,3}))(?P<more>(?:[-.+](?:alpha|beta|rc|dev"
    r"|pre)[.\d]*)?)(?![\w%:/]|[.,]\d|-\d)"
)
_DATE = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)?\d\d|(?:19|20)\d\d\.\d{1,2}\.\d{1,2}"
)
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d\.[0-5]\d")
_AT = re.compile(r"(?i)\b(?:at|by|until|till|after|before) $")
# What looks like a date is a version behind a name (PHP 8.2.17) and after an update (from 8.2.16 to 8.2.17).
_OF_PRODUCT = re.compile(
    r"(?<![.!?] )(?<!^)\b(?!(?:Mon|Tues?|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"[a-z]*\b|I\b)[A-Z][\w+#-]* $"
    r"|\b(?i:upgrad|patch|downgrad|bump|install)\w*\b.{0,40}\b(?:to|from) $|\b(?i:runs|running) $"
)
_AFTER_NAME = re.compile(
    r"\b(?P<name>[A-Za-z][\w+#]{1,30}) (?P<short>\d{1,2}\.\d{1,2})(?![\w%:/]|[.,]\d|-\d)"
)
_PLACE = re.compile(
    r"(?i)\b(?:section|step|chapter|clause|article|paragraph|figure|table|appendix|page|item)\b[\w :(]{0,16}$"
)
_HOST = re.compile(r"(?i)\b(?:ip|address|host|server|dns|gateway|network|range|subnet)\b[\w :(]{0,16}$")
_NUMBER = re.compile(r"(?<![\d.])\d{1,5}(?:\.\d{1,6})*(?![\d])")


def unknown_versions(said: str, facts: Facts) -> Iterator[Finding]:
    """The versions of a prose text that are in no result of a tool, no message and no prompt.

    Where no tool has answered nobody knows what the reply may know. `4.13` is known where `4.13.5` is.
    """
    if not any(one.became in ("success", "pending") for one in (*facts.earlier, *facts.deeds)):
        return
    found = [one for one in _VERSION.finditer(said) if _is_version(said, one)]
    short = list(_AFTER_NAME.finditer(said))[:200]
    if not found and not short:
        return
    prices = [one for one in money_in(said) if not said.startswith("PHP ", one.start)]  # a language first
    found = [one for one in found if not _is_price(one, prices)]
    short = [one for one in short if not _is_price(one, prices)]
    known = {one[0] for source in facts.sources for one in _NUMBER.finditer(source)}
    spans: list[tuple[int, int]] = []
    unknown: dict[str, None] = {}
    for one in found[:200]:
        number = one["number"] or one["bare"]
        if not _is_known(number, known):
            unknown[number] = None
            spans.append(one.span("number" if one["number"] else "bare"))
    for one in short:
        if not _is_known(one["short"], known) and _has_other(one["name"], facts):
            unknown[one["short"]] = None
            spans.append(one.span("short"))
    if unknown:
        listed = ", ".join(list(unknown)[:_MAX_FOUND])
        yield Finding(
            "UNKNOWN_VERSION", tuple(spans[:_MAX_FOUND]), f"no tool result, message or prompt has {listed}"
        )


def _is_price(found: re.Match[str], prices: Iterable[Money]) -> bool:
    """Whether the end of the match, which is the number, is in an amount of money."""
    return any(one.start < found.end() <= one.end for one in prices)


def _has_other(name: str, facts: Facts) -> bool:
    """Whether a result gives another version of what is named: "php": "8.2"."""
    given = re.compile(
        rf"\b{re.escape(name.lower())}(?:[ _-]?version)?\"?\s*[:=]?\s*\"?v?\d{{1,3}}\.\d{{1,3}}"
    )
    return given.search(facts.results) is not None


def _is_version(said: str, found: re.Match[str]) -> bool:
    if found["number"] is not None:
        return "." in found["number"] or found["named"].lower().startswith(("version", "v"))
    bare = found["bare"]
    if _CLOCK.fullmatch(bare) and _AT.search(said[: found.start()][-8:]):
        return False
    before = said[max(0, found.start() - 60) : found.start()]
    if (
        (_DATE.fullmatch(bare) and not _OF_PRODUCT.search(before))
        or re.fullmatch(r"\d{3}\.\d{3,4}\.\d{4}", bare)
        or _PLACE.search(before[-40:])
        or (bare.count(".") == 3 and _HOST.search(before[-40:]))
    ):
        return False
    return not (
        bare.count(".") == 3
        and all(int(part) < 256 for part in bare.split("."))
        and int(bare.split(".")[0]) > 9
    )


def _is_known(number: str, known: set[str]) -> bool:
    if number in known:
        return True
    short = number.removesuffix(".0")
    return any(
        one == short or one.removesuffix(".0") == short or one.startswith(f"{number}.") for one in known
    )
