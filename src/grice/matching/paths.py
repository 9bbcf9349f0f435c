"""Paths into JSON values: JSONPath as RFC 9535 has it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from grice.matching.patterns import PatternError, compile_pattern
from grice.records import JsonValue, clean_text
from grice.text import shorten

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathQuery

__all__ = ["PathError", "compile_path", "find"]

MAX_SOURCE = 1_024
MAX_FOUND = 100_000
MAX_DEPTH = 250

_ANY_CHARACTER = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(?P<dot>\.)", re.DOTALL)


class PathError(ValueError):
    """A path that cannot be used, or not on this value."""


@lru_cache(maxsize=512)
def compile_path(path: str) -> JSONPathQuery:
    """The path, ready for use. Raises PathError that names the position of what is wrong."""
    from jsonpath_rfc9535 import JSONPathError

    if len(path) > MAX_SOURCE:
        raise PathError(f"the path has {len(path):,} characters, at most {MAX_SOURCE:,} are allowed")
    if not path.startswith("$"):
        raise PathError(f"{path!r} is not a JSON path: it begins with '$' (at character 0)")
    try:
        return _environment().compile(path)
    except JSONPathError as error:
        place = f" (at character {error.token.index})" if error.token is not None else ""
        said = str(error.args[0]) if error.args else type(error).__name__
        raise PathError(f"{path!r} is not a JSON path: {said}{place}") from None
    except RecursionError:
        raise PathError(f"{shorten(path, 100)!r} is not a JSON path: it is nested too deep") from None


def find(path: str, value: JsonValue) -> list[JsonValue]:
    """Everything that the path finds in the value, in order; [] when it resolves nothing.

    Raises PathError for a path that is none, that finds too much, or goes deeper than Python can.
    """
    query = compile_path(path)
    from jsonpath_rfc9535 import JSONPathError

    try:
        found = [node.value for node in islice(query.finditer(value), MAX_FOUND + 1)]
    except (JSONPathError, RecursionError):
        raise PathError(f"{path!r} goes too deep into the value") from None
    if len(found) > MAX_FOUND:
        raise PathError(f"{path!r} finds more than {MAX_FOUND:,} values")
    return found


@lru_cache(maxsize=1)
def _environment() -> JSONPathEnvironment:
    """The language, with the two functions that take patterns on RE2, so that no pattern can hang."""
    from jsonpath_rfc9535 import JSONPathEnvironment
    from jsonpath_rfc9535.function_extensions import Match, Search

    class Matches(Match):
        def __call__(self, string: object, pattern: object) -> bool:
            return _matches(string, pattern, whole=True)

    class Searches(Search):
        def __call__(self, string: object, pattern: object) -> bool:
            return _matches(string, pattern, whole=False)

    class Environment(JSONPathEnvironment):
        max_recursion_depth = MAX_DEPTH

        def setup_function_extensions(self) -> None:
            super().setup_function_extensions()
            self.function_extensions["match"] = Matches()
            self.function_extensions["search"] = Searches()

    return Environment()


def _matches(text: object, pattern: object, *, whole: bool) -> bool:
    """`match` and `search` of RFC 9535: a pattern that is none matches nothing."""
    from iregexp_check import check

    if not isinstance(text, str) or not isinstance(pattern, str) or not check(pattern):
        return False
    source = _ANY_CHARACTER.sub(lambda found: r"[^\n\r]" if found["dot"] else found[0], pattern)
    try:
        compiled: Any = compile_pattern(source)
    except PatternError:
        return False
    subject = clean_text(text)
    return bool(compiled.fullmatch(subject) if whole else compiled.search(subject))
