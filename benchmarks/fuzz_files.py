"""Damaged files: every reader says what is wrong with them, without a traceback and in a short time.

    python benchmarks/fuzz_files.py --inputs 2000 --seed 1

Each input is a right file with a few characters, lines or values changed. A reader may take it, or say what
is wrong with it by line and column; anything else is printed with the seed that makes it again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from grice.cli.file_checking import check_file
from grice.files.document import FileError, FileErrors
from grice.files.goldens import load_goldens
from grice.files.graph_files import load_graph
from grice.files.persona_files import load_personas
from grice.files.phrase_rule_files import load_rules
from grice.files.scenario_sets import read_scenarios
from grice.files.settings import load_settings
from grice.files.settings_files import SettingsError
from grice.files.stub_scripts import load_scripts
from grice.files.suite_files import load_suite
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects

SLOW = 5.0
"""Seconds after which an input counts as one that hangs."""

SUITE = """\
version: 1
name: orders
agent: app:agent
criteria:
  polite: {text: The reply is polite, good: [[Gladly, polite]], bad: [[No, rude]]}
scenarios:
  - id: refund
    description: "A refund, with a colon: here"
    history: [{role: user, content: Hello}, {role: assistant, content: Hi}]
    turns:
      - say: I want my money back
        model: [Sure, {tool: refund, arguments: {order: A1}}, {fault: rate_limit, retry_after: 1}]
        tools: {refund: {success: true}}
        expect:
          - {matcher: toContain, expected: sure, not: true}
          - {on: tool_calls, matcher: toCallTool, expected: {name: refund, arguments: {order: A1}}}
      - say: |
          Thanks
          a lot
        evaluate: [{matcher: toSatisfy, expected: polite}]
  - {id: 2, say: [Hi, Bye], expected_output: Hello, run_mode: SKIP}
"""
GOLDEN = """\
[{"id": "greets", "userMessage": "Hi", "conversationHistory": [{"role": "user", "content": "x"}],
  "mockLlmResponses": [
    {"step": "chat", "content": [{"type": "tool_use", "id": "t1", "name": "find", "input": {"a": 1.5}}]},
    {"step": "tool-result", "content": "Hello", "stop_reason": "end_turn"}],
  "toolExecResult": {"success": true, "result": [1, null]},
  "assertions": {"finalText": {"contains": ["Hello"], "maxSentences": 2},
    "toolResultMessages": [{"userMessageInHistory": true, "toolResultsInHistory": ["t1"]}],
    "validator": {"expectValid": true, "toolStatus": "success"}, "lint": {"ignore": ["empty-content"]}}}]
"""
GRAPH = """\
topics:
  greeting: {characteristic: They greet, next: [search, done]}
  search:
    triggers: [{on_tool_call: find, with: {size: 2}}, {on_reply: "found|none", flags: i}]
    expect: [polite, {matcher: toCallTool, expected: find}, "The reply names a price."]
    max_turns: 3
    next: done
  done:
"""
SCENARIOS = '{"id": "a", "goal": "A room", "context": ["x"], "tags": ["y"], "max_turns": 3}\n{"goal": "B"}\n'
TABLE = 'id,goal,max_turns,tags\na,"A room, large",3,"[""x""]"\nb,"Two\nlines",,\n'
RULES = """\
rules:
  - id: no-promise
    any_of: [guaranteed, "100 %"]
    good: [It may work]
    bad: [It is guaranteed]
"""
PERSONAS = """\
personas:
  - name: terse
    description: Says little
    behaviours: [{name: short, instruction: Write short, rule: {max_words: 12}}]
"""
SCRIPT = "replies: [Hello, {json: {a: 1}}, [{text: x}, {tool: find}]]\nrules: [{when: hi, reply: Hello}]\n"
SETTINGS = """\
[tool.grice]
agent = "app:agent"
goldens = ["tests/*.json"]
concurrency = 3
judge_llm = {provider = "openai", model = "m"}
[tool.grice.gates]
completion = 0.8
"""
CHECKS = "- openers\n- {matcher: toContain, expected: x, on: reply, not: true}\n"
LABELS = "item,label:ann,label:bob,note\na,pass,fail,x\nb,,yes,\n"
EXAMPLES = """\
[{"id": 1, "rule": "openers", "earlier": ["Sure! A", {"user": "Hi", "text": "Sure!"}], "text": "Sure! B",
  "tool_calls": [{"name": "find", "arguments": {"a": 1}, "result": [1]}], "expected": "fail"}]
"""
ANCHORS = '{"id": 1, "judge": "guidance", "scenario": "a", "text": "Hello", "earlier": ["Hi"]}\n'
LOG = """\
{"id": "a", "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
{"messages": [{"role": "user", "content": "Hi"}], "reply": "Hello"}
"""


class Reader(NamedTuple):
    """A right file by the name that its kind has, and what reads it."""

    name: str
    text: str
    read: Callable[[Path], object]


def _checked(path: Path) -> object:
    projects = Projects(path.parent)
    return check_file(path, projects, ProjectLLMs(projects))


READERS = (
    Reader("a.grice.yaml", SUITE, load_suite),
    Reader("a.golden.json", GOLDEN, load_goldens),
    Reader("graph.yaml", GRAPH, load_graph),
    Reader("rooms.jsonl", SCENARIOS, lambda path: read_scenarios(path, name="", folder=path.parent)),
    Reader("rooms.csv", TABLE, lambda path: read_scenarios(path, name="", folder=path.parent)),
    Reader("house.yaml", RULES, load_rules),
    Reader("people.yaml", PERSONAS, load_personas),
    Reader("script.yaml", SCRIPT, lambda path: load_scripts([path])),
    Reader("pyproject.toml", SETTINGS, lambda path: load_settings(path.parent)),
    Reader("any.yaml", GRAPH, _checked),
    Reader("any.json", GOLDEN, _checked),
    Reader("checks.yaml", CHECKS, _checked),
    Reader("labels.csv", LABELS, _checked),
    Reader("examples.json", EXAMPLES, _checked),
    Reader("anchors.jsonl", ANCHORS, _checked),
    Reader("log.jsonl", LOG, _checked),
)
TOLD = (FileError, FileErrors, SettingsError)
PIECES = (*"{}[]:,-#&*!|>'\"%@`?\t\n\r\0\\", "- ", ": ", "\ufeff", "\ud83d", "null", "[[", "1e999", "é", "~")


def damaged(text: str, draw: random.Random) -> str:
    """The text with one to four places changed."""
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(text) + 1)
        end = min(len(text), at + draw.choice((0, 1, 1, 2, 8, 40)))
        kind = draw.randrange(5)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + draw.choice(PIECES) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at:end] * 2 + text[end:]
        elif kind == 3:
            lines = text.split("\n")
            draw.shuffle(lines) if draw.random() < 0.1 else lines.reverse()
            text = "\n".join(lines)
        else:
            text = text[:at] + str(draw.choice((0, -1, 10**30, True, None, 0.5, [], {}))) + text[end:]
    return text


def failures(reader: Reader, inputs: int, seed: int, folder: Path) -> Iterator[str]:
    """What went wrong with so many damaged files of the reader."""
    path = folder / reader.name
    for number in range(inputs):
        draw = random.Random(f"{seed}/{reader.name}/{number}")
        path.write_bytes(damaged(reader.text, draw).encode("utf-8", "surrogatepass"))
        started = time.perf_counter()
        try:
            reader.read(path)
        except TOLD:
            pass
        except Exception:
            shown = json.dumps(path.read_text("utf-8", "replace"))
            yield f"{reader.name} {number}: {shown}\n{traceback.format_exc()}"
        if time.perf_counter() - started > SLOW:
            yield f"{reader.name} {number}: took {time.perf_counter() - started:.1f} s"


def main() -> int:
    """Print every failure and the counts; 1 where there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=2_000, help="how many for each reader")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for reader in READERS:
            found = list(failures(reader, given.inputs, given.seed, Path(folder)))
            bad += len(found)
            print(f"{reader.name:16} {given.inputs} inputs, {len(found)} failures", *found[:3], sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
