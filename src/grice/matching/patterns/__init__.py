"""Regular expressions that cannot hang: JavaScript's, on RE2."""

from grice.matching.patterns.javascript import PatternError
from grice.matching.patterns.pattern import (
    FLAGS,
    MAX_SOURCE,
    MAX_SUBJECT,
    Pattern,
    compile_iregexp,
    compile_pattern,
    is_settled,
    matches_everything,
    search,
)

__all__ = [
    "FLAGS",
    "MAX_SOURCE",
    "MAX_SUBJECT",
    "Pattern",
    "PatternError",
    "compile_iregexp",
    "compile_pattern",
    "is_settled",
    "matches_everything",
    "search",
]
