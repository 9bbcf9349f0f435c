"""Paths into JSON values: JSONPath as RFC 9535 has it, with some sugar, limits and hints."""

from grice.matching.paths.path import (
    CompiledPath,
    NearMiss,
    PathError,
    Place,
    compile_path,
    find,
    find_places,
    plain_names,
    step_text,
)

__all__ = [
    "CompiledPath",
    "NearMiss",
    "PathError",
    "Place",
    "compile_path",
    "find",
    "find_places",
    "plain_names",
    "step_text",
]
