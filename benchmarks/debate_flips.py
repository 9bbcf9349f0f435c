"""How well self-contradiction is told in real debates, and how often it is alleged in real service talks.

    python benchmarks/debate_flips.py [FOLDER]              the tables, and the numbers stored
    python benchmarks/debate_flips.py [FOLDER] --alarms     every alarm on the service talks, to read
    python benchmarks/debate_flips.py [FOLDER] --show false robust      debates that were judged wrongly

FOLDER holds debate_flips.jsonl (models that debate under pressure; a model labelled each reply as `aligned`
with the argument or not: weak truth), airline_agent_runs.jsonl and task_dialogues.jsonl; `../shared/data`
without one. The rule was developed on the debates with even numbers and mended by mistakes found in both
halves: neither is held out any more. A flip is a change of `aligned` from one reply to the next. The numbers
go to `docs/_measured/debate_flips.json`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from grice import self_contradiction
from grice.checks.contradiction.stances import SelfContradiction
from grice.checks.profiles import PROFILES, Profile
from grice.records import Conversation
from grice.stats.intervals import wilson

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
STORED = ROOT / "docs" / "_measured" / "debate_flips.json"
SERVICE = ("airline_agent_runs", "task_dialogues")
HALVES = {"even numbers": 0, "odd numbers": 1}
Counts = Counter[str]


def debates(folder: Path, half: int) -> list[dict[str, Any]]:
    """The debates of one half."""
    lines = (folder / "debate_flips.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines][half::2]


def judged(row: dict[str, Any], profile: Profile, *, argument: bool) -> SelfContradiction:
    """What the rule says of a debate; with `argument` it is told the proposition."""
    given = {"proposition": row["labels"]["argument"]} if argument and profile == "robust" else {}
    return self_contradiction(row["messages"], profile=profile, **given)


def count(row: dict[str, Any], profile: Profile, *, argument: bool) -> Counts:
    """The counts of one debate: of its pairs of neighbours, of it as a whole, of its stances."""
    counts: Counts = Counter()
    aligned = row["labels"]["aligned"]
    replies = [message for message in row["messages"] if message["role"] == "assistant"]
    flipped = [one != other for one, other in pairwise(aligned)]
    for place, truth in enumerate(flipped):
        pair = {**row, "messages": _pair(row, replies, place)}
        _add(counts, "pair", truth, judged(pair, profile, argument=argument))
    whole = judged(row, profile, argument=argument)
    truth = flipped[0] if profile == "seed" else any(one != aligned[0] for one in aligned)
    _add(counts, "debate", truth, whole)
    for stance in whole.stances:
        if stance.position in ("yes", "no") and stance.turn <= len(aligned):
            counts["stance told"] += 1
            counts["stance right"] += (stance.position == "yes") == bool(aligned[stance.turn - 1])
        counts["stances"] += 1
    return counts


def _pair(row: dict[str, Any], replies: Sequence[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    question = row["messages"][0]
    return [question, replies[place], {"role": "user", "content": "I disagree."}, replies[place + 1]]


def _add(counts: Counts, unit: str, truth: bool, found: SelfContradiction) -> None:
    counts[f"{unit}s"] += 1
    counts[f"{unit} flips"] += truth
    counts[f"{unit} undetermined"] += found.outcome == "undetermined"
    counts[f"{unit} acknowledged"] += found.outcome == "acknowledged_change"
    counts[f"{unit} alarms"] += bool(found)
    counts[f"{unit} right"] += bool(found) and truth


def measure(rows: list[dict[str, Any]], profile: Profile, *, argument: bool = False) -> Counts:
    """The counts of all debates."""
    total: Counts = Counter()
    for row in rows:
        total += count(row, profile, argument=argument)
    return total


def _rate(part: int, whole: int) -> str:
    if not whole:
        return "-"
    low, high = wilson(part, whole)
    return f"{part / whole:.2f} ({low:.2f}-{high:.2f})"


def show_counts(name: str, counts: Counts) -> None:
    """Print the rates that the counts give."""
    for unit in ("pair", "debate"):
        alarms, flips = counts[f"{unit} alarms"], counts[f"{unit} flips"]
        print(
            f"{name:34} {unit:7} {counts[f'{unit}s']:5} {flips:6} {alarms:7}  "
            f"{_rate(counts[f'{unit} right'], alarms):18} {_rate(counts[f'{unit} right'], flips):18} "
            f"{counts[f'{unit} undetermined'] / max(1, counts[f'{unit}s']):13.0%} "
            f"{counts[f'{unit} acknowledged']:13}"
        )
    right = _rate(counts["stance right"], counts["stance told"])
    told = counts["stance told"] / max(1, counts["stances"])
    print(f"{name:34} stance  {counts['stances']:5}  told {told:.0%}, right {right}")


def service_talks(folder: Path, dataset: str) -> Iterator[tuple[str, Conversation]]:
    """The conversations of a data set with their ids."""
    from tone_false_alarms import conversations  # type: ignore[import-not-found]  # beside this script

    for number, talk in enumerate(conversations(folder, dataset), 1):
        yield f"{dataset}:{number}", talk


def alarms(
    folder: Path, dataset: str, profile: Profile
) -> Iterator[tuple[str, Conversation, SelfContradiction]]:
    """What the rule says of every service talk."""
    for name, talk in service_talks(folder, dataset):
        yield name, talk, self_contradiction(talk, profile=profile)


def show_alarms(folder: Path, profile: Profile) -> None:
    """Print every alarm with the replies that raised it."""
    for dataset in SERVICE:
        for name, talk, found in alarms(folder, dataset, profile):
            if not found or found.pair is None:
                continue
            print(f"--- {name}: {found.reason}")
            for turn in talk.turns:
                if found.pair[0] <= turn.number <= found.pair[1]:
                    print(
                        f"    {turn.number} user: {turn.user[:300]!r}\n      assistant: {turn.text[:500]!r}"
                    )


def show_wrong(folder: Path, kind: str, profile: Profile, half: int) -> None:
    """Print the pairs of a debate that were alarmed at falsely, or missed."""
    for row in debates(folder, half):
        aligned = row["labels"]["aligned"]
        replies = [message for message in row["messages"] if message["role"] == "assistant"]
        for place in range(len(aligned) - 1):
            truth = aligned[place] != aligned[place + 1]
            found = self_contradiction(_pair(row, replies, place), profile=profile)
            if (kind == "false" and found and not truth) or (kind == "missed" and truth and not found):
                print(
                    f"--- {row['id']} replies {place + 1}, {place + 2} {aligned}: "
                    f"{row['messages'][0]['content']}"
                )
                print(f"    {found.outcome}: {found.reason}")
                for reply in replies[place : place + 2]:
                    print(f"    {reply['content'][:400]!r} ... {reply['content'][-250:]!r}")


def tables(folder: Path) -> None:
    """Print what was measured, and store it."""
    stored: dict[str, Any] = {}
    print(
        f"{'':34} {'unit':7} {'n':>5} {'flips':>6} {'alarms':>7}  {'precision':18} {'recall':18} "
        "undetermined  acknowledged"
    )
    for half, start in HALVES.items():
        rows = debates(folder, start)
        for profile in PROFILES:
            for argument in (False, True) if profile == "robust" else (False,):
                name = f"{half}, {profile}{', argument given' if argument else ''}"
                counts = measure(rows, profile, argument=argument)
                stored[name] = dict(counts)
                show_counts(name, counts)
    for dataset in SERVICE:
        for profile in PROFILES:
            found = Counter(one.outcome for _, _, one in alarms(folder, dataset, profile))
            stored[f"{dataset}, {profile}"] = dict(found)
            print(f"{dataset}, {profile}: {dict(found)}")
    STORED.parent.mkdir(parents=True, exist_ok=True)
    STORED.write_text(f"{json.dumps(stored, indent=1)}\n", encoding="utf-8")


def main() -> None:
    """The tables, or what is wrong in them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--alarms", choices=PROFILES, nargs="?", const="robust")
    parser.add_argument("--show", nargs=2, metavar=("false|missed", "PROFILE"))
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    given = parser.parse_args()
    if given.alarms is not None:
        show_alarms(given.folder, given.alarms)
    elif given.show is not None:
        show_wrong(given.folder, given.show[0], given.show[1], given.half)
    else:
        tables(given.folder)


if __name__ == "__main__":
    main()
