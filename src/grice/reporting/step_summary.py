"""The summary page of a GitHub Actions step."""

from __future__ import annotations

import os
from pathlib import Path

_VARIABLE = "GITHUB_STEP_SUMMARY"


def no_step_summary() -> str:
    """Why there is no page to write to, "" where there is one."""
    if os.environ.get(_VARIABLE):
        return ""
    return f"--step-summary: {_VARIABLE} is not set; GitHub sets it in its jobs. --markdown prints the same"


def append_step_summary(markdown: str) -> None:
    """Add the Markdown to the page. Raises OSError, in words, where there is none or it cannot be written."""
    problem = no_step_summary()
    if problem:
        raise OSError(problem)
    target = os.environ[_VARIABLE]
    try:
        with Path(target).open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(f"{markdown.rstrip()}\n\n")
    except OSError as error:
        raise OSError(f"{target}: cannot be written: {error.strerror or error}") from error
