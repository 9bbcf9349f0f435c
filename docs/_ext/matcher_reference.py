"""The directive `matcher-reference`: every public matcher, from the code."""

from __future__ import annotations

import inspect
import re
import typing
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import grice
from grice import MatcherInfo, matchers
from grice.matching.matcher import MatcherFactory

SUBJECTS = {
    "str": "a text",
    "Reply": "a Reply",
    "Turn": "a Turn",
    "Conversation": "a Conversation",
    "Exchange": "an Exchange",
    "Performance": "a Performance",
    "Sequence": "a list",
    "Mapping": "an object",
    "float": "a number",
    "Any": "any JSON value",
}
"""The types that matchers judge, in words and in the order in which they are told."""


def public_matchers() -> list[MatcherInfo]:
    """The built-in matchers, by their name in Python."""
    built_in = [one for one in grice.registry() if one.python_name in matchers.__all__]
    return sorted(built_in, key=lambda one: one.python_name)


def entry(info: MatcherInfo) -> str:
    """The Markdown of one matcher."""
    matcher: MatcherFactory[Any, Any] = getattr(matchers, info.python_name)
    signature = inspect.signature(matcher.function)
    parameters = list(signature.parameters.values())[2:]
    shown = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    call = f"{info.python_name}{shown}".replace("'", "").replace("(/, ", "(")
    method = f"expect(x).to_{info.python_name}(...)"
    subjects = ", ".join(words for name, words in SUBJECTS.items() if name in info.subjects)
    return "\n".join(
        [
            f"## {info.python_name}",
            "",
            "```python",
            call,
            "```",
            "",
            described(matcher),
            "",
            f"As a method: `{method}`. In results: `{info.name}`. Judges {subjects}.",
            "",
        ]
    )


def described(matcher: MatcherFactory[Any, Any]) -> str:
    """The docstring without its last words, on the document that a rule comes from."""
    return re.sub(r"\s*Source: seed[^\n]*(\n[^\n]+)*$", "", inspect.getdoc(matcher.function) or "")


class MatcherReference(SphinxDirective):
    """Lists the matchers."""

    def run(self) -> list[nodes.Node]:
        """Parse the entries as Markdown."""
        text = "\n".join(entry(one) for one in public_matchers())
        return typing.cast("list[nodes.Node]", self.parse_text_to_nodes(text, allow_section_headings=True))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("matcher-reference", MatcherReference)
    return {"parallel_read_safe": True}
