"""How often the tone rules raise an alarm on real replies, and what those alarms are.

    python benchmarks/tone_false_alarms.py [FOLDER]                        the table, and the numbers stored
    python benchmarks/tone_false_alarms.py [FOLDER] --show openers robust  a sample of alarms, to read

FOLDER holds airline_agent_runs.jsonl (replies of GPT-4o to customers of an airline) and task_dialogues.jsonl
(replies of people who played an assistant); `../shared/data` without one. The numbers go to
`docs/_measured/tone_false_alarms.json`, beside what a reader said of the alarms: `read` of them, `right` and
`wrong`. Those three are kept as long as the number of alarms is the one that was read. Every run gives the
same numbers.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rules import RULES, Rule
from grice.formats import read_conversation
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.records import Conversation, Turn, Verdict

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
STORED = ROOT / "docs" / "_measured" / "tone_false_alarms.json"
DATASETS = ("airline_agent_runs", "task_dialogues")
TONE = tuple(rule for rule in RULES if rule.module.startswith("tone."))
ARGUMENTS: dict[str, tuple[Any, ...]] = {"exclamations": (1,)}
SAMPLE = 45
SEED = 7
SHOWN = 700


def conversations(folder: Path, dataset: str) -> Iterator[Conversation]:
    """The conversations of a data set, in the order of its file."""
    with (folder / f"{dataset}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield read_conversation(_standard(json.loads(line)["messages"]))


def _standard(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages as the chat format has them: calls with ids, which their results name."""
    made: list[dict[str, Any]] = []
    waiting: list[str] = []
    for number, message in enumerate(messages):
        one = {"role": message["role"], "content": message.get("content") or ""}
        if message["role"] == "tool":
            one["tool_call_id"] = message.get("tool_call_id") or (
                waiting.pop(0) if waiting else f"lost-{number}"
            )
        calls = []
        for place, call in enumerate(message.get("tool_calls") or ()):
            function = call.get("function", call)
            given = function.get("arguments")
            arguments = given if isinstance(given, str) else json.dumps(given)
            name = call.get("id") or f"call-{number}-{place}"
            waiting.append(name)
            calls.append(
                {
                    "id": name,
                    "type": "function",
                    "function": {"name": function["name"], "arguments": arguments},
                }
            )
        if calls:
            one["tool_calls"] = calls
        made.append(one)
    return made


def verdicts(
    rule: Rule, profile: Profile, talks: list[Conversation]
) -> Iterator[tuple[Conversation, Turn, Verdict]]:
    """The verdict on every reply that has a text."""
    matcher = rule.factory(*ARGUMENTS.get(rule.name, ()), profile=profile)
    for talk in talks:
        for turn in talk.turns:
            if turn.text.strip():
                yield talk, turn, judge(matcher, turn, Context(talk, turn, noun="the reply"))


def measure(rule: Rule, profile: Profile, talks: list[Conversation]) -> dict[str, int]:
    """How many replies there are, how many the rule could judge, and how many alarms it raised."""
    outcomes = [verdict.outcome.value for _, _, verdict in verdicts(rule, profile, talks)]
    examined = sum(outcome in ("pass", "fail") for outcome in outcomes)
    return {"replies": len(outcomes), "examined": examined, "alarms": outcomes.count("fail")}


def show(rule: Rule, profile: Profile, talks: list[Conversation], count: int) -> None:
    """Print a sample of the alarms, always the same."""
    alarms = [one for one in verdicts(rule, profile, talks) if one[2].outcome == "fail"]
    chosen = alarms if len(alarms) <= count else random.Random(SEED).sample(alarms, count)
    for number, (_, turn, verdict) in enumerate(chosen, 1):
        print(f"--- {number} of {len(alarms)}: {verdict.reason}")
        print(f"    user: {turn.user[:200]!r}")
        print(f"    {turn.text[:SHOWN]!r}")


def table(folder: Path) -> None:
    """Print the rates of all rules and store the numbers."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    found: dict[str, dict[str, dict[str, dict[str, int]]]] = {rule.name: {} for rule in TONE}
    print(
        f"{'rule':14} {'data set':20} {'profile':8} {'replies':>8} {'examined':>9} {'alarms':>7} {'rate':>7}"
    )
    for dataset in DATASETS:
        talks = list(conversations(folder, dataset))
        for rule in TONE:
            kept = found[rule.name].setdefault(dataset, {})
            for profile in PROFILES:
                numbers = measure(rule, profile, talks)
                before = stored.get(rule.name, {}).get(dataset, {}).get(profile, {})
                same = before.get("alarms") == numbers["alarms"]
                read = {name: before[name] for name in ("read", "right", "wrong") if same and name in before}
                kept[profile] = {**numbers, **read}
                rate = numbers["alarms"] / max(numbers["replies"], 1)
                counts = f"{numbers['replies']:8} {numbers['examined']:9} {numbers['alarms']:7}"
                print(f"{rule.name:14} {dataset:20} {profile:8} {counts} {rate:7.2%}")
    STORED.parent.mkdir(parents=True, exist_ok=True)
    STORED.write_text(f"{json.dumps(found, indent=1)}\n", encoding="utf-8")


def main() -> None:
    """The table, or a sample to read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--show", nargs=2, metavar=("RULE", "PROFILE"))
    parser.add_argument("--dataset", choices=DATASETS)
    parser.add_argument("--count", type=int, default=SAMPLE)
    given = parser.parse_args()
    if given.show is None:
        table(given.folder)
        return
    rule = next((one for one in TONE if one.name == given.show[0]), None)
    if rule is None or given.show[1] not in PROFILES:
        parser.error(f"--show takes one of {', '.join(one.name for one in TONE)}, and seed or robust")
    for dataset in DATASETS if given.dataset is None else (given.dataset,):
        print(f"=== {dataset}")
        show(rule, given.show[1], list(conversations(given.folder, dataset)), given.count)


if __name__ == "__main__":
    main()
