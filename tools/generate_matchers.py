"""Write docs/matchers.md: every built-in matcher, by group, from what `grice matchers NAME` prints too.

Run by `make generate`; a test fails when the page is out of date.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import grice
import grice.matchers
from grice import MatcherInfo
from grice._catalogue import MODULES
from grice.cli.matcher_pages import file_form, python_form
from grice.matching.matcher import MatcherFactory

TARGET = Path(__file__).parent.parent / "docs" / "matchers.md"

GROUPS: dict[str, tuple[str, ...]] = {
    "Values, texts and JSON": ("grice.matching.jest",),
    "Tool calls": ("grice.matching.calls", "grice.checks.tools_used", "grice.checks.tool_minimality"),
    "Turns and topics": ("grice.checks.turn_count", "grice.checks.topic_history"),
    "Time, tokens and requests": ("grice.checks.telemetry", "grice.checks.performance_gate"),
    "Facts of any log": ("grice.checks.log_facts",),
    "State": ("grice.checks.state",),
    "What the model was told": (
        "grice.checks.context",
        "grice.checks.prompt",
        "grice.checks.model_requests",
        "grice.checks.message_lint",
    ),
    "The form of a reply": ("grice.checks.structure",),
    "Questions asked twice": ("grice.checks.questions",),
    "For a shop": ("grice.checks.shop",),
    "Tone and wording": ("grice.checks.tone", "grice.checks.tool_flow", "grice.checks.phrase_rules"),
    "Contradictions": ("grice.checks.contradiction",),
    "Evidence": ("grice.checks.evidence", "grice.checks.self_report"),
    "Topicality": ("grice.checks.semantics",),
    "By a judge": ("grice.judging",),
}
"""The modules and packages of each group; a matcher that is in none is an error."""

SUBJECTS = {
    "str": "a text",
    "Reply": "a Reply",
    "Turn": "a Turn",
    "Conversation": "a Conversation",
    "Exchange": "an Exchange",
    "StateChange": "a State",
    "Performance": "a Performance",
    "Sequence": "a list",
    "Mapping": "an object",
    "float": "a number",
    "Any": "any JSON value",
}
"""The types that matchers judge, in words and in the order in which they are told."""

HEAD = """<!-- Written by tools/generate_matchers.py from the code: `make generate`. -->

# Matchers

Every built-in matcher. Each is a function of `grice.matchers` whose call gives a value, and a method of
`expect(...)` and `evaluate(...)`; `not_to_...` and `~` negate it. [Verdicts](verdicts.md) says what an
outcome means.

An entry has what the matcher says, its arguments, a check as [suites](suites.md) have it, and a call as tests
have it. In a suite `expected` is the first argument, or an object of several; `options` has them by name, in
camelCase: `at_most` is `atMost`. `grice matchers NAME` prints the same, with the JSON Schemas.

"""


def generate() -> str:
    """The whole text of the page."""
    groups: dict[str, list[MatcherInfo]] = {title: [] for title in GROUPS}
    for one in built_in():
        groups[group_of(one.module)].append(one)
    overview = [
        f"- [{title}](#{slug(title)}): "
        + ", ".join(f"[`{one.python_name}`](#{one.python_name})" for one in found)
        for title, found in groups.items()
    ]
    parts = [HEAD, "\n".join(overview), "\n"]
    for title, found in groups.items():
        parts.append(f"\n## {title}\n")
        parts += map(entry, found)
    return "".join(parts)


def built_in() -> list[MatcherInfo]:
    """The built-in matchers, by their name in Python."""
    found = [one for one in grice.registry() if one.name in MODULES]
    return sorted(found, key=lambda one: one.python_name)


def group_of(module: str) -> str:
    """The group of the matchers in a module. Raises LookupError when it is in none."""
    for title, homes in GROUPS.items():
        if any(module == home or module.startswith(f"{home}.") for home in homes):
            return title
    raise LookupError(f"{module} is in no group of tools/generate_matchers.py")


def slug(title: str) -> str:
    """The anchor of a heading."""
    return title.lower().replace(",", "").replace(" ", "-")


def entry(info: MatcherInfo) -> str:
    """The Markdown of one matcher."""
    factory: MatcherFactory[Any, Any] = getattr(grice.matchers, info.python_name)
    subjects = ", ".join(words for name, words in SUBJECTS.items() if name in info.subjects)
    return "\n".join(
        [
            "",
            f"### {info.python_name}",
            "",
            inspect.cleandoc(factory.__doc__ or ""),
            "",
            f"In files and results: `{info.name}`. Judges {subjects}.",
            "",
            *arguments(factory),
            "```yaml",
            file_form(factory),
            "```",
            "",
            "```py",
            python_form(info),
            "```",
            "",
        ]
    )


def arguments(factory: MatcherFactory[Any, Any]) -> list[str]:
    """The table of the arguments."""
    rows = [
        f"| `{stars(one)}{one.name}` | {cell(factory.types[one.name].words)} | {default(one)} |"
        for one in factory.parameters.values()
    ]
    return (
        ["| argument | what it is | default |", "|---|---|---|", *rows, ""] if rows else ["No arguments.", ""]
    )


def stars(parameter: inspect.Parameter) -> str:
    """What stands before the name of an argument that may be given several times."""
    return {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")


def default(parameter: inspect.Parameter) -> str:
    """The default, or that there is none."""
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return "none given"
    return "required" if parameter.default is parameter.empty else f"`{parameter.default!r}`"


def cell(text: str) -> str:
    """A text as a cell of a table has it."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    TARGET.write_text(generate(), "utf-8")
