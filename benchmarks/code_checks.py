"""Every code check on real conversations of six turns: microseconds, and times what reading them takes.

    python benchmarks/code_checks.py [LOG.jsonl]

Reads the log given, or the two airline conversations of the tests. For each turn all rules are asked one
after the other, as a bundle asks them. Then one reply of 1, 10 and 100 kB: growth beyond what is linear is
looked for. Medians of CPU time; the bar is that 100 kB take at most 20 times what 10 kB take.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

import grice
from grice.checks.rules import RULES, Rule
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Message, Reply, ToolCall, Turn

FIXTURE = Path(__file__).parent.parent / "tests" / "data" / "airline_agent_runs.jsonl"
TURNS = 6
ROUNDS = 5
MOST_GROWTH = 20.0
LEAST = 1e-3
"""Seconds that 10 kB are taken to need at least: below that the clock tells more than the check."""
CARD = {"cancellation": {"free_within_hours": 24}, "baggage": {"free_bags": 2, "extra_bag_usd": 50}}
RECORD = {"id": "a", "title": "Aurora 148", "price": 349.99, "weight_kg": 2.4, "waterproof": False}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "tool-minimality": {"intent": "small_talk"},
    "sentences": {"limit": 5},
    "budget": {"budget": 400},
    "coverage": {"constraints": ["economy", "under $400"]},
    "policy": {"card": CARD},
}
OF_WHOLE = ("clarifier-efficiency", "factual-contradiction", "self-contradiction")
"""The rules that are asked about the whole conversation."""
PROSE = (
    "The Aurora 148 weighs 2.4 kg and costs $349.99, which is $50 under your budget. It's made for "
    "beginners, and it isn't waterproof. Returns are free within 30 days of March 3. Would you like it in "
    "blue? Many riders keep theirs for three winters, though some swap the bindings sooner. "
)


def conversations(path: Path) -> list[Conversation]:
    """The first six turns of every conversation of the log that has them; shorter ones as they are."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    read = [grice.read_conversation(row["messages"]) for row in rows]
    cut = [msgspec.structs.replace(one, turns=one.turns[:TURNS]) for one in read if one.turns]
    return [one for one in cut if len(one.turns) == TURNS][:30] or cut


def checks() -> list[tuple[Rule, Matcher[Any]]]:
    """Every rule with its matcher."""
    return [(rule, rule.factory(**ARGUMENTS.get(rule.name, {}))) for rule in RULES]


def subjects(conversation: Conversation) -> list[object]:
    """What is judged, turn by turn; the whole conversation last."""
    return [*(Reply(conversation, turn.number) for turn in conversation.turns), conversation]


def judged(matcher: Matcher[Any], subject: object) -> object:
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


def over(
    conversation: Conversation, rules: Sequence[tuple[Rule, Matcher[Any]]], spent: dict[str, float]
) -> None:
    """Ask every rule about every turn; the CPU seconds of each are added up."""
    for subject in subjects(conversation):
        whole = isinstance(subject, Conversation)
        for rule, matcher in rules:
            if whole is (rule.name in OF_WHOLE):
                began = time.process_time()
                judged(matcher, subject)
                spent[rule.name] = spent.get(rule.name, 0.0) + time.process_time() - began


def median_of(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def growth(name: str, matcher: Matcher[Any]) -> list[float]:
    """The CPU seconds on a reply of 1, 10 and 100 kB; each text is judged once: nothing is remembered."""
    taken = []
    for size in (1_000, 10_000, 100_000):
        rounds = []
        for number in range(3):
            began = time.process_time()
            judged(matcher, long_reply(f"{name} {number}", size))
            rounds.append(time.process_time() - began)
        taken.append(min(rounds))
    return taken


def long_reply(title: str, size: int) -> Reply:
    """A second reply of so many characters, after a search and a shorter reply."""
    text = f"{title}: {PROSE * (size // len(PROSE) + 1)}"[:size]
    call = ToolCall("product.search", result=[RECORD])
    turns = (
        Turn(1, (Message("user", "I need a board for $400"), Message("assistant", f"{title}. {PROSE[:90]}"))),
        Turn(2, (Message("user", "Which board can I get?"), Message("assistant", text)), (call,)),
    )
    return Reply(Conversation("c", turns), 2)


def main() -> int:
    logs = conversations(Path(sys.argv[1]) if len(sys.argv) > 1 else FIXTURE)
    rules = checks()
    for conversation in logs:
        over(conversation, rules, {})  # what is made once: packs, patterns, tables
    raw = [msgspec.json.encode(one) for one in logs]
    reading = median_of(lambda: [msgspec.json.decode(one, type=Conversation) for one in raw]) / len(logs)
    parsing = median_of(lambda: [json.loads(one) for one in raw]) / len(logs)
    totals: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        spent: dict[str, float] = {}
        for conversation in logs:
            over(conversation, rules, spent)
        for name, seconds in spent.items():
            totals.setdefault(name, []).append(seconds / len(logs))
    size = sum(map(len, raw)) / len(raw) / 1000
    print(f"{len(logs)} conversations, {size:.0f} kB of JSON each, up to {TURNS} turns")
    print(f"reading one: {reading * 1e6:,.0f} us into records, {parsing * 1e6:,.0f} us by json.loads\n")
    print(f"{'rule':22}{'us':>9}{'x json.loads':>14}   1 kB, 10 kB, 100 kB in ms   growth")
    whole, worst = 0.0, 0.0
    for rule, matcher in rules:
        taken = statistics.median(totals[rule.name])
        whole += taken
        grown = growth(rule.name, matcher)
        factor = grown[2] / max(grown[1], LEAST)
        worst = max(worst, factor)
        shown = ", ".join(f"{seconds * 1e3:.2f}" for seconds in grown)
        print(f"{rule.name:22}{taken * 1e6:9,.0f}{taken / parsing:14.1f}   {shown:<27}{factor:6.1f}")
    print(f"{'all':22}{whole * 1e6:9,.0f}{whole / parsing:14.1f}")
    return 1 if worst > MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
