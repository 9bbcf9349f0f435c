"""JSON Schema, safely: no reference is fetched, no schema hangs, every error is in plain words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any

from grice.matching.jest.schema_drafts import draft_of, parts_of
from grice.matching.jest.schema_validator import compiled, limited_to, safe
from grice.matching.jest.schema_values import SchemaError, plain_schema, plain_value
from grice.matching.json_text import json_text
from grice.matching.patterns import PatternError
from grice.text import shorten, visible

__all__ = ["SchemaError", "check_schema", "schema_problems"]

MAX_STEPS = 200_000
MAX_SECONDS = 2.0
"""Of CPU time, for a schema and for a value. A schema of 64 kB takes 90,000 steps and half a second."""


def check_schema(schema: object) -> None:
    """Raise SchemaError unless it is a JSON Schema whose words, patterns and references can be used.

    Whatever the schema is, nothing else is raised.
    """
    if not isinstance(schema, Mapping | bool):
        raise SchemaError(f"expected a JSON Schema, an object, found {json_text(schema)}")
    with _in_plain_words("not a JSON Schema that can be used"):
        plain, names = plain_schema(schema)
        draft = draft_of(plain)
        with limited_to(MAX_STEPS, MAX_SECONDS, time.thread_time):
            wrong = next(_validator(draft, draft.META_SCHEMA).iter_errors(plain), None)
        if wrong is not None:
            where = "".join(f"[{step!r}]" for step in wrong.absolute_path)
            raise SchemaError(f"not a JSON Schema: {_said(where) or 'it'}: {_said(wrong.message)}")
        for part in parts_of(plain):
            _check_patterns(part)
    if {"patternProperties", "unevaluatedProperties"} <= names:
        raise SchemaError("unevaluatedProperties cannot be used together with patternProperties")


def schema_problems(
    value: object,
    schema: Mapping[str, object] | bool,
    *,
    most: int,
    clock: Callable[[], float] = time.thread_time,
) -> list[str]:
    """What does not fit the schema, each with its JSON path, at most `most`.

    Raises SchemaError when that cannot be told: a reference leads nowhere, or the check takes more than
    200,000 steps or two seconds of the clock.
    """
    with _in_plain_words("the value cannot be checked"):
        plain, _ = plain_schema(schema)
        validator = _validator(draft_of(plain), plain)
        with limited_to(MAX_STEPS, MAX_SECONDS, clock):
            found = list(islice(validator.iter_errors(plain_value(value)), most))
        return [f"at {_place(error.json_path)}: {_said(error.message)}" for error in found]


def _validator(draft: Any, schema: object) -> Any:
    from referencing import Registry

    return safe(draft)(schema, registry=Registry())


@contextmanager
def _in_plain_words(what: str) -> Iterator[None]:
    """Whatever goes wrong in the block as a SchemaError."""
    from referencing.exceptions import Unresolvable

    try:
        yield
    except SchemaError as error:
        raise SchemaError(_said(error, 600)) from None
    except Unresolvable as error:
        raise SchemaError(f"a reference of the schema leads nowhere: {_said(error)}") from None
    except PatternError as error:
        raise SchemaError(f"a pattern of the schema: {error}") from None
    except RecursionError:
        raise SchemaError(f"{what}: nested too deep") from None
    except Exception as error:  # of a library, on values that nobody foresaw, or of somebody's own object
        raise SchemaError(f"{what}: {type(error).__name__}: {_said(error)}") from None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # of rpds, at the end of the stack; no Exception
            raise SchemaError(f"{what}: nested too deep") from None
        raise


def _place(path: str) -> str:
    return visible(shorten(path, 200), newlines=False)


def _said(message: object, most: int = 300) -> str:
    try:
        return visible(shorten(str(message), most), newlines=False)
    except Exception:  # somebody's exception
        return type(message).__name__


def _check_patterns(part: Mapping[str, Any]) -> None:
    """Raise PatternError for a pattern that cannot run."""
    if isinstance(part.get("pattern"), str):
        compiled(part["pattern"])
    keyed = part.get("patternProperties")
    for one in keyed if isinstance(keyed, Mapping) else ():
        compiled(one)
