"""What is known of each matcher, as records: for editors, documentation and lists."""

from __future__ import annotations

import inspect
import re
from typing import Any

import msgspec

from grice.matching.assertions.data_arguments import expected_schema, options_schema
from grice.matching.assertions.registry import find_matcher, matcher_names
from grice.matching.matcher import MatcherFactory
from grice.matching.subject_types import subject_types

__all__ = ["MatcherInfo", "registry"]


class MatcherInfo(msgspec.Struct, frozen=True):
    """A matcher as `grice.registry()` lists it.

    `name` is its name in files (`toContain`), `python_name` its name in Python (`contain`), `module` where it
    is defined. `arity` is how many positional arguments it needs and how many it takes, None for any number.
    `expected` and `options` are the JSON Schemas of these fields of an assertion, None where it has none.
    `documentation` is the first paragraph of its docstring, `subjects` the names of the types that it judges,
    `layer` as `Verdict.layer` has it, `judged` whether an LLM judges, or may.
    """

    name: str
    python_name: str
    module: str
    arity: tuple[int, int | None]
    expected: dict[str, Any] | None
    options: dict[str, Any] | None
    documentation: str
    subjects: tuple[str, ...]
    layer: int | None
    judged: bool


def registry() -> tuple[MatcherInfo, ...]:
    """Every matcher that is known: built-in ones, those registered so far, and those of installed packages.

    They are sorted by name. Raises ArgumentError for a package whose matcher cannot be loaded.
    """
    return tuple(_info(find_matcher(name)) for name in matcher_names())


def _info(factory: MatcherFactory[Any, Any]) -> MatcherInfo:
    return MatcherInfo(
        name=factory.name,
        python_name=factory.python_name,
        module=factory.function.__module__,
        arity=_arity(factory),
        expected=expected_schema(factory),
        options=options_schema(factory),
        documentation=_first_paragraph(factory),
        subjects=tuple(sorted(subject_types(factory))),
        layer=factory.layer,
        judged=factory.judged,
    )


def _arity(factory: MatcherFactory[Any, Any]) -> tuple[int, int | None]:
    parameters = factory.parameters.values()
    own = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in own)
    return needed, None if any(one.kind is one.VAR_POSITIONAL for one in parameters) else len(own)


def _first_paragraph(factory: MatcherFactory[Any, Any]) -> str:
    paragraph = re.split(r"\n\s*\n", inspect.cleandoc(factory.__doc__ or ""))[0]
    return " ".join(paragraph.split())
