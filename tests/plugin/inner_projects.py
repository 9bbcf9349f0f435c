"""Sources of the small projects that tests of the plugin and the command line run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., pytest.RunResult]

XDIST = ("-p", "xdist", "-n", "2")
ALONE_AND_XDIST = [pytest.param((), id="alone"), pytest.param(XDIST, id="xdist", marks=pytest.mark.slow)]
"""The options of a run in one process, and of one with workers, which starts two more."""

ECHO = """
import pytest
from grice import evaluate, expect

@pytest.fixture
def agent():
    return lambda text: f"you said {text}"
"""

TALKER = """
class Talker:
    def __init__(self, context):
        self.model = context.model

    def chat(self, messages):
        asked = [{"role": m["role"], "content": m["content"]} for m in messages]
        return self.model.client.messages.create(model="m", messages=asked).content[0].text
"""

JUDGES = """
import os
from pathlib import Path

ANSWER = {"requirement": "be kind", "reasoning": "as it should be", "quote": ""}

class Kind:
    # is kind to all criteria but those named bad..., and keeps what it was asked
    provider, model = "test", "kind-1"

    def complete(self, messages, purpose="", subject=""):
        with Path(__file__).with_name("asked.txt").open("a") as file:
            file.write(f"{subject or purpose}\\n")
        return {**ANSWER, "satisfied": not subject.startswith("bad")}

class Broken(Kind):
    def complete(self, messages, subject=""):
        super().complete(messages, subject=subject)
        raise OSError("no route to the judge")

class Fussy(Kind):
    model = "fussy-1"

    def complete(self, messages, subject=""):
        return {**super().complete(messages, subject=subject), "satisfied": False}
"""


def golden(id_: str = "greets", reply: str = "Hello!", **changes: object) -> dict[str, object]:
    """A golden that passes with an agent that says what its model says, unless the reply has no Hello."""
    fields: dict[str, object] = {
        "id": id_,
        "userMessage": "Hi",
        "mockLlmResponses": [{"step": "chat", "content": [{"type": "text", "text": reply}]}],
        "assertions": {"finalText": {"contains": ["Hello"]}},
    }
    return {**fields, **changes}


def write_golden(path: Path, *goldens: dict[str, object]) -> None:
    """A golden file: one golden, or a list of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(goldens[0] if len(goldens) == 1 else list(goldens), indent=1))
