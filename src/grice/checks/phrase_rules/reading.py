"""Reading rules on wording that are given as data, and everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grice.checks.phrase_rules.phrases import MAX_PHRASE, phrase_problem
from grice.checks.phrase_rules.rule import PhraseRule, RuleExample, RuleWhen
from grice.checks.tool_flow.status import STATUSES
from grice.text import did_you_mean, is_blank, value_text
from grice.text.packs import known_packs

__all__ = ["Problem", "read_rule", "read_rules", "rule_problems"]

Path = tuple[str | int, ...]
MAX_RULES = 20_000
MAX_PHRASES = 1_000
MAX_EXAMPLES = 1_000
MAX_TEXT = 100_000

_FIELDS = PhraseRule.__struct_fields__
_LISTS = ("any_of", "all_of", "none_of")
_WHEN = RuleWhen.__struct_fields__
_EXAMPLE = RuleExample.__struct_fields__
_OTHER_NAMES = {
    "anyOf": "any_of",
    "allOf": "all_of",
    "noneOf": "none_of",
    "toolStatus": "tool_status",
    "notCalled": "not_called",
}
_NEGATED = ("count", "ignore")


class Problem(NamedTuple):
    """Something wrong: where in the data, what, and whether with the name of the field itself."""

    path: Path
    message: str
    of_key: bool = False


def read_rules(value: object) -> tuple[tuple[PhraseRule, ...], list[Problem]]:
    """The rules in a list, in an object with `rules`, or in one rule; and everything that is wrong with them.

    Their examples are not tried here.
    """
    where: Path = ()
    if isinstance(value, Mapping) and "rules" in value:
        problems = [
            Problem(
                (name,),
                f"unknown field {value_text(name)}{did_you_mean(str(name), ('rules', 'version'))}",
                of_key=True,
            )
            for name in value
            if name not in ("rules", "version", "$schema")
        ]
        value, where = value["rules"], ("rules",)
    elif isinstance(value, Mapping):
        value, problems = [value], []
        where = ("",)
    else:
        problems = []
    if not isinstance(value, list | tuple):
        return (), [*problems, Problem(where, f"expected a list of rules, found {value_text(value)}")]
    if not value:
        return (), [*problems, Problem(where, "there are no rules: the list is empty")]
    if len(value) > MAX_RULES:
        return (), [*problems, Problem(where, f"{len(value):,} rules, at most {MAX_RULES:,} are taken")]
    rules: list[PhraseRule] = []
    first: dict[str, int] = {}
    for place, one in enumerate(value):
        here: Path = () if where == ("",) else (*where, place)
        rule, wrong = read_rule(one, here)
        if rule is not None:
            known = first.setdefault(rule.id, place)
            if known != place:
                wrong.append(
                    Problem((*here, "id"), f"the id {value_text(rule.id)} is that of rule {known + 1} too")
                )
            rules.append(rule)
        problems += wrong
    return tuple(rules), problems


def read_rule(value: object, where: Path = ()) -> tuple[PhraseRule | None, list[Problem]]:
    """The rule that an object says, or everything that is wrong with it."""
    if not isinstance(value, Mapping):
        return None, [
            Problem(
                where, f"expected a rule, an object with id, any_of, good and bad, found {value_text(value)}"
            )
        ]
    fields: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, one in value.items():
        known = _OTHER_NAMES.get(name, name)
        if known not in _FIELDS:
            hint = did_you_mean(str(name), _FIELDS) or f"; known are {', '.join(_FIELDS)}"
            problems.append(Problem((*where, name), f"unknown field {value_text(name)}{hint}", of_key=True))
        elif one is not None:
            fields[known] = one
    if isinstance(fields.get("when"), Mapping):
        fields["when"], wrong = _named(fields["when"], _WHEN, (*where, "when"))
        problems += wrong
    for name in ("good", "bad"):
        if isinstance(fields.get(name), list | tuple):
            fields[name] = _examples(fields[name], (*where, name), problems)
    if problems:
        return None, problems
    rule = PhraseRule(**{"id": "", **fields})
    problems = [Problem((*where, *one.path), one.message, one.of_key) for one in rule_problems(rule)]
    return (None, problems) if problems else (rule, [])


def _examples(given: Sequence[Any], where: Path, problems: list[Problem]) -> list[Any]:
    """The examples with the names of their fields as the record has them; what is wrong goes to problems."""
    made: list[Any] = []
    for place, one in enumerate(given):
        if not isinstance(one, Mapping):
            made.append(one)
            continue
        named, wrong = _named(one, _EXAMPLE, (*where, place))
        problems += wrong
        made.append(named)
    return made


def _named(
    given: Mapping[str, Any], known: Sequence[str], where: Path
) -> tuple[dict[str, Any], list[Problem]]:
    named: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in given.items():
        meant = _OTHER_NAMES.get(name, name)
        if meant not in known:
            hint = did_you_mean(str(name), known) or f"; known are {', '.join(known)}"
            problems.append(Problem((*where, name), f"unknown field {value_text(name)}{hint}", of_key=True))
        elif value is not None:
            named[meant] = value
    if "text" in known and "text" not in named and not problems:
        problems.append(Problem(where, "an example has a text"))
    return named, problems


def rule_problems(rule: PhraseRule) -> list[Problem]:
    """Everything that is wrong with a rule, but for what its examples show."""
    problems: list[Problem] = []
    if not isinstance(rule.id, str) or is_blank(rule.id) or len(rule.id) > 200:
        problems.append(Problem(("id",), f"id is a text that is not empty, found {value_text(rule.id)}"))
    for name in _LISTS:
        problems += _phrase_problems(name, getattr(rule, name))
    if rule.any_of == () and rule.all_of == ():
        problems.append(Problem((), "there is nothing to look for: give any_of or all_of"))
    problems += _when_problems(rule.when)
    for name in ("good", "bad"):
        problems += _example_problems(name, getattr(rule, name))
    problems += _choice_problems(rule)
    return problems or _contradicted(rule)


def _choice_problems(rule: Any) -> Iterator[Problem]:
    if rule.negated not in _NEGATED:
        yield Problem(("negated",), f"negated is count or ignore, found {value_text(rule.negated)}")
    if rule.language is not None and (not isinstance(rule.language, str) or not 2 <= len(rule.language) <= 8):
        yield Problem(("language",), f"language is a code like 'en', found {value_text(rule.language)}")
    elif rule.negated == "ignore" and rule.language is not None and rule.language not in known_packs():
        codes = ", ".join(known_packs())
        yield Problem(
            ("negated",), f"what is denied can be told in {codes}, not in {value_text(rule.language)}"
        )
    if not isinstance(rule.why, str):
        yield Problem(("why",), f"why is a text, found {value_text(rule.why)}")


def _phrase_problems(name: str, given: Any) -> Iterator[Problem]:
    if not isinstance(given, tuple):
        yield Problem((name,), f"{name} is a list of texts and patterns, found {value_text(given)}")
        return
    if len(given) > MAX_PHRASES:
        yield Problem((name,), f"{name} has {len(given):,} entries, at most {MAX_PHRASES:,} are taken")
        return
    for place, one in enumerate(given):
        if not isinstance(one, str) or is_blank(one) or len(one) > MAX_PHRASE:
            message = f"{name} has texts of 1 to {MAX_PHRASE:,} characters, found {value_text(one)}"
            yield Problem((name, place), message)
        elif (said := phrase_problem(one)) is not None:
            yield Problem((name, place), said)


def _when_problems(when: Any) -> Iterator[Problem]:
    if not isinstance(when, RuleWhen):
        yield Problem(("when",), f"when is an object with {', '.join(_WHEN)}, found {value_text(when)}")
        return
    yield from _names_problems(("when", "called"), when.called)
    yield from _names_problems(("when", "not_called"), when.not_called)
    statuses: Any = when.tool_status
    if not isinstance(statuses, tuple):
        yield Problem(
            ("when", "tool_status"), f"tool_status is a status or a list, found {value_text(statuses)}"
        )
        return
    yield from (_status_problem(("when", "tool_status"), one) for one in statuses if one not in STATUSES)


def _status_problem(where: Path, found: object) -> Problem:
    hint = did_you_mean(found, STATUSES) if isinstance(found, str) else ""
    return Problem(where, f"tool_status is one of {', '.join(STATUSES)}, found {value_text(found)}{hint}")


def _names_problems(where: Path, given: object) -> Iterator[Problem]:
    names: Any = given
    if not isinstance(names, tuple) or not all(isinstance(one, str) and one for one in names):
        yield Problem(
            where, f"{where[-1]} is the name of a tool or a list of names, found {value_text(given)}"
        )


def _example_problems(name: str, given: Any) -> Iterator[Problem]:
    if not isinstance(given, tuple) or len(given) > MAX_EXAMPLES:
        yield Problem(
            (name,), f"{name} is a list of at most {MAX_EXAMPLES:,} examples, found {value_text(given)}"
        )
        return
    if not given:
        what = "breaks the rule" if name == "bad" else "does not break it"
        yield Problem((), f"the rule has no {name} example: every rule has at least one text that {what}")
    for place, one in enumerate(given):
        text: Any = one.text if isinstance(one, RuleExample) else one
        if not isinstance(text, str) or is_blank(text) or len(text) > MAX_TEXT:
            yield Problem(
                (name, place),
                f"an example is a text that is not empty, or an object with text, found {value_text(text)}",
            )
        elif isinstance(one, RuleExample):
            if one.tool_status is not None and one.tool_status not in STATUSES:
                yield _status_problem((name, place, "tool_status"), one.tool_status)
            yield from _names_problems((name, place, "called"), one.called)


def _contradicted(rule: PhraseRule) -> list[Problem]:
    """The examples that are good and bad at once."""
    good = {_key(one) for one in rule.good}
    return [
        Problem(("bad", place), f"{value_text(_key(one)[0])} is a good example and a bad one")
        for place, one in enumerate(rule.bad)
        if _key(one) in good
    ]


def _key(example: str | RuleExample) -> tuple[Any, ...]:
    if isinstance(example, str):
        return example, None, ()
    return example.text, example.tool_status, example.called
