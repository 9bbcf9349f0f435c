"""A project for the editor of cases: suites with comments, an agent, a matcher of its own, and a run."""

from __future__ import annotations

import json
from pathlib import Path

from web_project import write

from grice.records import Conversation, Message, Outcome, Result, Turn

OUTPUT = {
    "id": "ord_8f3k2m1",
    "created_at": "2026-01-16T14:30:00Z",
    "user": {"name": "bob"},
    "items": [{"name": "Akismet", "status": "READY"}, {"name": "Jetpack", "status": "PENDING"}],
}
REPLY = json.dumps(OUTPUT)
BOTS = f"def agent(messages):\n    return {REPLY!r}\n"
OWN = """
from grice.matchers import matcher

@matcher("toNameAPlugin")
def name_a_plugin(text: str, ctx: object) -> bool:
    "The text names a plugin."
    return "Akismet" in text
"""
SUITE = """\
# our plugins
agent: bots:agent

scenarios:
  # the one that matters
  - id: commented
    say: Update it   # in words
    expect:
      - {path: "$.items[*].status", pathMatch: ALL, matcher: toBeOneOf, expected: [READY, PENDING]}   # why

      - {path: $.user.name, matcher: toEqual, expected: bob}   # who
    evaluate: [{path: $.price, matcher: toBeCloseTo, expected: 1.0}]

  - id: legacy
    say: Hi
    expected_output: Paris   # in one word
"""
CASES = (
    "imported",
    "typing",
    "kinds",
    "negated",
    "large",
    "wrong",
    "contested",
    "own",
    "keys",
    "lines",
    "many",
    "run",
    "hostile",
    "turns",
    "held",
    "split",
    "data",
    "as_json",
)
_CASE = """
  - id: {}
    say: Hi
    expect:
      - {{matcher: toContain, expected: items}}
"""
RUN, REPLIES = "exp_replies", 40


def write_editor_project(folder: Path) -> None:
    """The project; in its run every tenth reply is a text without JSON."""
    folder.joinpath("grice.toml").write_text('agent = "bots:agent"\nmatchers = ["plugin_matchers"]\n')
    folder.joinpath("bots.py").write_text(BOTS)
    folder.joinpath("plugin_matchers.py").write_text(OWN)
    folder.joinpath("plugins.grice.yaml").write_text(SUITE + "".join(map(_CASE.format, CASES)))
    replies = ["Sorry." if one % 10 == 9 else REPLY for one in range(REPLIES)]
    results = [
        Result(
            f"example:{place:012x}",
            f"reply-{place}",
            Outcome.PASS,
            Conversation(turns=(Turn(1, (Message("user", "Hi"), Message("assistant", reply))),)),
        )
        for place, reply in enumerate(replies)
    ]
    write(folder, RUN, 5, results, name="replies")
