"""A rule on wording that users write as data, with the examples that test it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import force_setattr

from grice.checks.phrase_rules.phrases import MAX_PHRASE, phrase_problem
from grice.checks.tool_flow.status import ToolStatus
from grice.text import is_blank, value_text
from grice.text.packs import known_packs
from grice.typed import Closed, NotBlank, Problem, says


def _settle(record: msgspec.Struct, *names: str) -> None:
    """One text or a list, as code and files have them, becomes a tuple."""
    for name in names:
        value = getattr(record, name)
        if isinstance(value, str | list):
            force_setattr(record, name, (value,) if isinstance(value, str) else tuple(value))


def _wrong_phrase(given: str) -> str:
    blank = f"expected a text or a pattern, found {value_text(given)}" if is_blank(given) else ""
    return blank or phrase_problem(given) or ""


_Phrase = Annotated[str, says(check=_wrong_phrase, min_length=1, max_length=MAX_PHRASE)]
Phrases = tuple[_Phrase, ...] | _Phrase
_Name = Annotated[str, msgspec.Meta(min_length=1)]
Names = tuple[_Name, ...] | _Name
_Text = Annotated[str, says("a text that is not empty", pattern=r"\S", max_length=100_000)]


class RuleWhen(Closed, frozen=True, kw_only=True):
    """When a rule applies: all that is given must hold; without any it always does.

    `tool_status` are statuses of the turn's last answered call, one of which it must be. `called` are tools
    of which one must have been called in the turn, `not_called` tools of which none may have been.
    """

    tool_status: tuple[ToolStatus, ...] | ToolStatus = ()
    called: Names = ()
    not_called: Names = ()

    def __post_init__(self) -> None:
        _settle(self, "tool_status", "called", "not_called")


class RuleExample(Closed, frozen=True, kw_only=True):
    """A text that a rule is tried on, with the status and the calls of its turn."""

    text: _Text
    tool_status: ToolStatus | None = None
    called: Names = ()

    def __post_init__(self) -> None:
        _settle(self, "called")


Example = Annotated[_Text | RuleExample, says("a text, or an object with one")]
Examples = Annotated[tuple[Example, ...], msgspec.Meta(min_length=1)] | _Text


class PhraseRule(Closed, frozen=True, kw_only=True):
    """A bad pattern: a reply breaks it when all of `all_of` and one of `any_of` occur where `when` holds.

    Texts are found as words, without regard to case, apostrophes, white space, Markdown and invisible
    characters; `/.../` with the flags i, m, s, u is a pattern (RE2) on the text as it stands. What stands
    in a sentence with one of `none_of` is excused, and with `negated="ignore"` what is denied ("we have
    no slug"). `language` (ISO 639-1) leaves out replies in another. `why` is for the message. `good` and
    `bad` are its examples, of which every rule has at least one each: they test it before it is used.
    """

    id: Annotated[NotBlank, msgspec.Meta(max_length=200)]
    any_of: Phrases = ()
    all_of: Phrases = ()
    none_of: Phrases = ()
    good: Annotated[Examples, says("a text that does not break the rule, or a list of them")]
    bad: Annotated[Examples, says("a text that breaks the rule, or a list of them")]
    when: RuleWhen = RuleWhen()
    negated: Literal["count", "ignore"] = "count"
    language: Annotated[str, says("a code such as 'en'", min_length=2, max_length=8)] | None = None
    why: str = ""

    def __post_init__(self) -> None:
        _settle(self, "any_of", "all_of", "none_of", "good", "bad")

    @classmethod
    def wrong(cls, fields: Mapping[str, Any]) -> Iterator[Problem]:
        """Check that the rule looks for something in a known language, and that its examples agree."""
        if not fields.get("any_of") and not fields.get("all_of"):
            yield Problem((), "there is nothing to look for: give any_of or all_of")
        language, known = fields.get("language"), known_packs()
        if fields.get("negated") == "ignore" and language is not None and language not in known:
            said = f"what is denied can be told in {', '.join(known)}, not in {value_text(language)}"
            yield Problem(("negated",), said)
        good, bad = ([one] if isinstance(one, str) else one for one in (fields["good"], fields["bad"]))
        for place, one in enumerate(bad):
            if one in good:
                text = value_text(one if isinstance(one, str) else one["text"])
                yield Problem(("bad", place), f"{text} is a good example and a bad one")
