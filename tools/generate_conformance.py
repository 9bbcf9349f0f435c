"""Write docs/conformance.md: what the adapter of every framework does, from the checks that it is tested by.

The checks are those of tests/agents/conformance. Run by `make generate`; a test fails when the page is out of
date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "conformance.md"
VERSIONS = {
    "LangGraph": "langgraph",
    "LangGraph with a checkpointer": "langgraph",
    "Pydantic AI": "pydantic-ai-slim",
    "OpenAI Agents SDK": "openai-agents",
    "Google ADK": "google-adk",
}

sys.path.insert(0, str(ROOT / "tests" / "agents" / "conformance"))
sys.path.insert(0, str(ROOT / "src"))

from conformance_checks import CHECKS, title_of  # noqa: E402
from lacks import LACKS  # noqa: E402

HEAD = """<!-- Written by tools/generate_conformance.py from tests/agents/conformance: `make generate`. -->

# What each adapter does

One suite of {count} checks runs on the adapter of every [framework](frameworks.md): on the newest version of
the framework in `make test-integrations`, on the oldest that is supported in `make test-oldest`, on light
stand-ins for it in `make test`. A "no" is tested too: the check has to fail.

{table}

{notes}"""


def generate() -> str:
    """The whole text of the page."""
    reasons = [why for lacks in LACKS.values() for why in lacks.values()]
    notes = "\n".join(f"{number}. {why[0].upper()}{why[1:]}." for number, why in enumerate(reasons, 1))
    return HEAD.format(count=len(CHECKS), table="\n".join(_rows(reasons)), notes=notes) + "\n"


def _rows(reasons: list[str]) -> Iterator[str]:
    newest, oldest = _pinned("constraints-integrations.txt"), _pinned("tests_integrations/oldest.txt")
    versions = {name: f"{oldest[package]} and {newest[package]}" for name, package in VERSIONS.items()}
    yield "| | " + " | ".join(f"{name} {versions[name]}" for name in LACKS) + " |"
    yield "|---|" + "---|" * len(LACKS)
    for check in CHECKS:
        name = check.__name__.removeprefix("check_")
        whys = [lacks.get(name) for lacks in LACKS.values()]
        cells = ["yes" if why is None else f"no ({reasons.index(why) + 1})" for why in whys]
        yield f"| {title_of(check)} | {' | '.join(cells)} |"


def _pinned(file: str) -> dict[str, str]:
    """The version of each package that the file pins."""
    return dict(re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+)$", (ROOT / file).read_text("utf-8"), re.MULTILINE))


if __name__ == "__main__":
    TARGET.write_text(generate(), "utf-8")
