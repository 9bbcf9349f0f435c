"""The directive `matcher-reference`: every public matcher, from the code."""

from __future__ import annotations

import inspect
import re
import typing
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from grice import matchers
from grice._catalogue import METHODS
from grice.matching.matcher import MatcherFactory

SUBJECTS = {
    "text": "a text",
    "reply": "a Reply",
    "turn": "a Turn",
    "conversation": "a Conversation",
    "exchange": "an Exchange",
    "list": "a list of messages",
    "value": "a JSON value",
}


def public_matchers() -> list[MatcherFactory[Any, Any]]:
    """The matchers of `grice.matchers`, by name."""
    found = [getattr(matchers, name) for name in matchers.__all__]
    return sorted((one for one in found if isinstance(one, MatcherFactory)), key=lambda one: one.python_name)


def subjects_of(matcher: MatcherFactory[Any, Any]) -> str:
    """The subjects whose expectation has a method for the matcher."""
    kinds = METHODS[matcher.python_name][1].split()
    return ", ".join(words for kind, words in SUBJECTS.items() if kind in kinds)


def entry(matcher: MatcherFactory[Any, Any]) -> str:
    """The Markdown of one matcher."""
    signature = inspect.signature(matcher.function)
    parameters = list(signature.parameters.values())[2:]
    shown = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    call = f"{matcher.python_name}{shown}".replace("'", "").replace("(/, ", "(")
    method = f"expect(x).to_{matcher.python_name}(...)"
    return "\n".join(
        [
            f"## {matcher.python_name}",
            "",
            "```python",
            call,
            "```",
            "",
            described(matcher),
            "",
            f"As a method: `{method}`. In results: `{matcher.name}`. Judges {subjects_of(matcher)}.",
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
