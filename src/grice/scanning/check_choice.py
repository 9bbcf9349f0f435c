"""Which checks a scan applies: names on the command line, or a file of checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec

from grice.checks.first_looks import first_look
from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import NamedCheck, UnknownCheck, find_check, load_rule
from grice.checks.rules import RULES, Rule, rule_groups
from grice.files.document import Document, FileError, FileErrors, load_file
from grice.files.locate import JsonPath
from grice.files.suite_check_reading import CHECK_FIELDS, read_check
from grice.files.suite_records import SuiteCheck, Target
from grice.files.suite_subjects import subject_problem
from grice.matching.assertions.data_arguments import camel
from grice.matching.matcher import ArgumentError
from grice.matching.selector import ValueSelector
from grice.matching.subject_types import subject_types
from grice.records import JsonValue
from grice.text import did_you_mean, value_text

MAX_CHECKS = 200
_FILES = (".json", ".yaml", ".yml")
_TARGETS = ("reply", "data", "tool_calls", "conversation")
_OF_REPLIES = frozenset({"Reply", "Turn", "Speech", "str", "Any", "object"})
_OF_WHOLE = frozenset({"clarifier-efficiency", "factual-contradiction", "self-contradiction"})
"""Rules that also take a reply, and then judge the conversation up to it: a log has each one whole."""


class LogCheck(msgspec.Struct, frozen=True):
    """A check under the name that its findings have. `part_of` is the rule of which it is a part, or ""."""

    label: str
    check: SuiteCheck
    part_of: str = ""

    @property
    def of_conversation(self) -> bool:
        """Whether it judges whole conversations, and not each reply."""
        return self.check.target.kind == "conversation"

    @property
    def rule(self) -> tuple[str, str]:
        """The rule that it is and its profile, "" for what is no rule of Grice as it was measured."""
        matcher = self.check.matcher
        named = (one.name for one in RULES if one.matcher == matcher.factory.python_name)
        name = self.part_of or next(named, "")
        if not name or matcher.negated:
            return "", ""
        return name, str(matcher.kwargs.get("profile", PROFILES[-1]))


class Choice(msgspec.Struct, frozen=True):
    """The checks of a scan. `left_out` are those of a group that need more, each with what."""

    checks: tuple[LogCheck, ...]
    left_out: tuple[str, ...] = ()


def is_file(given: str) -> bool:
    """Whether what is given for checks is a file of them, and no name."""
    return given.strip().lower().endswith(_FILES)


def default_checks() -> Choice:
    """Every check that needs no set-up and whose alarms were right in nine of ten, and facts of calls.

    Who reads findings is hurt by wrong alarms, not by missed ones. House style is left out: which one is
    right is for its house to say.
    """
    return Choice((*_facts().values(), *filter(None, map(_proven, RULES))))


def _proven(rule: Rule) -> LogCheck | None:
    """The rule with its robust profile, None where it is not proven or needs more."""
    seen = first_look(rule.name, PROFILES[-1])
    if seen is None or seen.alarms < _ENOUGH or seen.right_alarms < _RIGHT * seen.alarms:
        return None
    if rule.name in (*_HOUSE_STYLE, *_OF_FACTS) or rule.module.startswith("shop."):
        return None
    if rule.name in (parts := _in_logs()):
        return LogCheck(rule.name, parts[rule.name], part_of=rule.name)
    made = _named(load_rule(rule), PROFILES[-1])
    return None if isinstance(made, str) else made


def weight(rule: str, profile: str) -> tuple[int, float]:
    """The place of a check among findings: by what it means for a user, then by how often it is right.

    What was done comes before what was said. Facts are no rules, nor are checks of the user's own: both come
    first.
    """
    package = next((one.module.partition(".")[0] for one in RULES if one.name == rule), "")
    if not package:
        return 0, -1.0
    seen = first_look(rule, profile)
    precision = seen.precision if seen is not None else None
    return _SEVERITY.get(package, 1), -(precision.value if precision is not None else 0.0)


_RIGHT = 0.9
_ENOUGH = 5
"""Alarms that tell something of a rule."""
_HOUSE_STYLE = frozenset({"contractions", "exclamations", "sentences", "openers", "boilerplate"})
_OF_FACTS = frozenset({"evidence"})
"""Rules that go by facts which a log need not have: what no tool result says is mostly right all the same."""
_SEVERITY = {"semantics": 2, "questions": 2, "shop": 2, "tone": 3, "structure": 3}
"""How much a package of rules means for a user, 1 for most: what is wrong, what annoys, how it is said."""


@cache
def _in_logs() -> Mapping[str, SuiteCheck]:
    """Rules of which the default takes a part, for what the rest finds in real logs is often as it should be.

    Text beside a call is house style, a like reply may be due again, and a long reply weighs up both sides.
    """
    from grice.checks.contradiction.self_contradiction import avoid_self_contradiction
    from grice.checks.tone.similarity import differ_from_previous
    from grice.checks.tool_flow.labels import ALL_LABELS
    from grice.checks.tool_flow.matchers import be_free_of

    flow = be_free_of([one for one in ALL_LABELS if one != "PRE_TOOL_NARRATION"])
    return {
        "tool-flow": SuiteCheck(flow, Target("reply")),
        "similarity": SuiteCheck(differ_from_previous(below=1.0, allow_due=True), Target("reply")),
        "self-contradiction": SuiteCheck(avoid_self_contradiction(argued=False), Target("conversation")),
    }


@cache
def _facts() -> Mapping[str, LogCheck]:
    """The checks of facts, which ask for no judgement."""
    from grice.checks.log_facts import LOG_FACTS

    return {
        label: LogCheck(label, SuiteCheck(factory(), Target("reply"))) for label, factory in LOG_FACTS.items()
    }


def choose_checks(given: str, profile: str = "") -> Choice:
    """The checks that `given` says, files and names with commas between them.

    A file (.yaml, .json) has a list of checks. A name is that of a rule (`openers`), of a matcher
    (`toOpenDifferently`), or of one of the groups `default`, `facts`, `all`, `tone`, `structure`, `evidence`,
    `semantics`, `tool_flow` and `contradiction`, from which rules are left out that need arguments.
    `profile` is that of all which have one and do not name it. Raises FileErrors, and UnknownCheck for names.
    """
    if profile not in ("", *PROFILES):
        hint = did_you_mean(profile, PROFILES)
        raise UnknownCheck(f"--profile is seed or robust, found {value_text(profile)}{hint}")
    chosen: Profile | None = next((one for one in PROFILES if one == profile), None)
    parts = [name for one in given.split(",") if (name := one.strip())]
    names = [one for one in parts if not is_file(one)]
    of_files = [check for one in parts if is_file(one) for check in _of_file(Path(one), chosen)]
    of_names = Choice(()) if of_files and not names else _of_names(names, chosen)
    return Choice(_numbered((*of_files, *of_names.checks)), of_names.left_out)


def _of_names(names: Sequence[str], profile: Profile | None) -> Choice:
    groups = rule_groups()
    if not names:
        raise UnknownCheck(f"no checks are named; a group is one of default, facts, {', '.join(groups)}")
    facts = _facts()
    known = {"default": {one.label: one for one in default_checks().checks}, "facts": facts}
    known |= {label: {label: one} for label, one in facts.items()}
    checks: dict[str, LogCheck] = {}
    left_out: dict[str, str] = {}
    for name in names:
        if name in known:
            checks |= known[name]
        elif name in groups:
            for rule in groups[name]:
                made = _ALONE.get(rule.name) or _named(load_rule(rule), profile)
                if isinstance(made, str):
                    left_out[rule.name] = made
                else:
                    checks[made.label] = made
        else:
            one = _of_name(name, profile)
            checks[one.label] = one
    if not checks:
        raise UnknownCheck(f"nothing is left of {', '.join(names)}: {'; '.join(left_out.values())}")
    return Choice(tuple(checks.values()), tuple(left_out.values()))


def _of_name(name: str, profile: Profile | None) -> LogCheck:
    try:
        found = find_check(name)
    except UnknownCheck as error:
        if Path(name).is_file():
            ends = f"{', '.join(_FILES[:-1])} or {_FILES[-1]}"
            raise UnknownCheck(f"{name}: a file of checks has a name that ends in {ends}") from error
        raise UnknownCheck(_with_groups(name, str(error))) from error
    made = _named(found, profile)
    if isinstance(made, str):
        raise UnknownCheck(f"{made}; a file of checks can say more, as in --checks checks.yaml")
    return made


_ALONE = {"policy": "policy has no card to go by (a file of checks can give one)"}
"""The rules that no group takes in, and why: what they find without arguments is mostly noise."""


def _with_groups(name: str, said: str) -> str:
    hint = did_you_mean(name, ("default", "facts", *_facts(), *rule_groups()))
    return f"{said.partition('; expected')[0]}{hint}" if hint and "did you mean" not in said else said


def _named(found: NamedCheck, profile: Profile | None) -> LogCheck | str:
    """The check without arguments, or why there is none."""
    factory = found.factory
    if factory.needs_arguments:
        wanted = [
            camel(one.name)
            for one in factory.parameters.values()
            if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]
        return f"{found.name} needs arguments ({', '.join(wanted)})"
    chosen = {"profile": profile} if profile and "profile" in factory.parameters else {}
    try:
        matcher = factory(**chosen)
    except ArgumentError as error:
        return f"{found.name} needs arguments ({error})"
    target = Target(_usual_target(found))
    unfit = subject_problem(matcher, target, ValueSelector())
    return unfit or LogCheck(found.name, SuiteCheck(matcher, target))


def _usual_target(found: NamedCheck) -> Any:
    """What the check looks at in a log where nobody says: replies, unless it knows conversations only."""
    names = subject_types(found.factory)
    of_whole = "Conversation" in names and not names & _OF_REPLIES
    return "conversation" if of_whole or found.name in _OF_WHOLE else "reply"


def _of_file(path: Path, profile: Profile | None) -> Iterator[LogCheck]:
    """The checks of a file. Raises FileErrors with everything that is wrong with it."""
    document = load_file(path, errors=FileErrors)
    value: Any = document.value
    before: JsonPath = ()
    if isinstance(value, dict) and "checks" in value and value.keys() <= {"checks", "version"}:
        value, before = value["checks"], ("checks",)
    if not isinstance(value, list) or not value:
        said = "expected a list of checks, as in [{matcher: toContain, expected: Hello}]"
        raise FileErrors([FileError(document.path, *document.position(before), said)])
    if len(value) > MAX_CHECKS:
        said = f"{len(value)} checks; at most {MAX_CHECKS} are applied at once"
        raise FileErrors([FileError(document.path, *document.position(before), said)])
    read = [_read(document, (*before, place), one, profile) for place, one in enumerate(value)]
    errors = [error for one in read if isinstance(one, list) for error in one]
    if errors:
        raise FileErrors(errors)
    return (one for one in read if isinstance(one, LogCheck))


def _read(
    document: Document, place: JsonPath, raw: JsonValue, profile: Profile | None
) -> LogCheck | list[FileError]:
    """The check that stands at a place of the file, or everything that is wrong with it."""

    def error(field: str, said: str) -> FileError:
        where = (*place, field) if field and isinstance(raw, dict) and field in raw else place
        named = f"{field}: " if field and not said.startswith(f"{field}: ") else ""
        return FileError(document.path, *document.position(where), named + said)

    if isinstance(raw, str):
        raw = {"matcher": raw}
    if not isinstance(raw, dict):
        return [error("", f"expected a check, an object with a matcher, found {value_text(raw)}")]
    fields = dict(cast("dict[str, Any]", raw))
    given = fields.pop("profile", None)
    if given is not None and given not in PROFILES:
        hint = did_you_mean(given, PROFILES) if isinstance(given, str) else ""
        return [error("profile", f"expected seed or robust, found {value_text(given)}{hint}")]
    try:
        found = find_check(fields["matcher"]) if isinstance(fields.get("matcher"), str) else None
    except UnknownCheck as unknown:
        return [error("matcher", str(unknown))]
    if found is not None:
        if given is not None and "profile" not in found.factory.parameters:
            return [error("profile", f"{found.name} has no profiles")]
        fields |= _filled(found, fields, given or profile)
    read = read_check(fields, place, "hard", lambda at, name: document.position((*at, name), key=True)[0])
    if isinstance(read, list):
        return [error(name, _known_fields(said)) for name, said, _ in read]
    if read.target.kind not in _TARGETS:
        return [error("on", f"a log has no requests to the model; found {value_text(fields.get('on'))}")]
    name = found.name if found is not None else read.matcher.factory.name
    return LogCheck(read.id or read.description or (f"{name}, {given}" if given else name), read)


def _filled(found: NamedCheck, fields: dict[str, Any], profile: Profile | None) -> dict[str, Any]:
    """What follows for the fields of a check: the matcher's name in files, what it looks at, the profile."""
    filled: dict[str, Any] = {"matcher": found.factory.name}
    if "on" not in fields:
        filled["on"] = _usual_target(found)
    if profile is not None and "profile" in found.factory.parameters:
        options = fields.get("options", {})
        expected = fields.get("expected")
        held = isinstance(expected, dict) and "profile" in expected
        if isinstance(options, dict) and "profile" not in options and not held:
            filled["options"] = {**options, "profile": profile}
    return filled


def _known_fields(said: str) -> str:
    if said.startswith("unknown field") and "did you mean" not in said:
        return f"{said}; expected {', '.join((*CHECK_FIELDS, 'profile'))}"
    return said


def _numbered(checks: Iterable[LogCheck]) -> tuple[LogCheck, ...]:
    """The checks with labels that differ: the second `toContain` is `toContain (2)`."""
    seen: dict[str, int] = {}
    numbered: list[LogCheck] = []
    for one in checks:
        seen[one.label] = seen.get(one.label, 0) + 1
        times = seen[one.label]
        label = one.label if times == 1 else f"{one.label} ({times})"
        numbered.append(msgspec.structs.replace(one, label=label))
    return tuple(numbered)
