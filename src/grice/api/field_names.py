"""The names of fields of cases and suites: PromptKitchen's in bodies, Grice's own in suite files."""

from __future__ import annotations

from grice.typed import Problem, written

FILE_NAMES = {
    "name": "id",
    "runMode": "run_mode",
    "expectedOutput": "expected_output",
    "outputType": "output_type",
    "shouldTrimWhitespace": "should_trim_whitespace",
    "assertions": "expect",
}
"""What suite files call fields of a case that bodies call otherwise."""
BODY_NAMES = {file: body for body, file in FILE_NAMES.items()}


def field_of(problem: Problem) -> str:
    """The field of a body that a problem of a suite or case is about."""
    path = (*problem.path, problem.key) if problem.key else problem.path
    match path:
        case ("scenarios", int(index), str(name), *rest):
            path = ("testCases", index, BODY_NAMES.get(name, name), *rest)
        case ("scenarios", *rest):
            path = ("testCases", *rest)
        case (str(name), *rest) if problem.message != called_otherwise(name):
            path = (BODY_NAMES.get(name, name), *rest)
    return written(path) or "body"


def called_otherwise(name: str) -> str:
    """The message for a body that uses the file's name of a field."""
    return f"a body calls it {BODY_NAMES.get(name, name)!r}"
