"""What the rules that read claims said of every row, frozen, and which rows say something else now.

    python benchmarks/frozen_outcomes.py [FOLDER]             every row whose outcome or evidence has changed
    python benchmarks/frozen_outcomes.py [FOLDER] --freeze    freeze what they say now
    python benchmarks/frozen_outcomes.py --rule policy        one rule only

The rows are the examples beside the rules, those of `held_out`, the replies and conversations of FOLDER
(`/work/shared/data`), and its rated replies. `frozen/<rule>.jsonl.gz` has a line for each: profile, row,
outcome, and the turn, start and end of each evidence. What is frozen is what was, not what is right: a change
is to be read, and is better, worse or accepted. Under the profile seed nothing may change.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tone_false_alarms import conversations  # type: ignore[import-not-found]  # beside this script

from grice.checks.profiles import Profile
from grice.checks.rules import RULES, Rule
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Reply, Verdict
from grice.validation.example_reading import read_examples
from grice.validation.measured_rules import find_rule
from grice.validation.measuring import try_on

FOLDER = Path(__file__).parent / "frozen"
HELD_OUT = Path(__file__).parent / "held_out"
DATA = Path("/work/shared/data")
NAMES = (
    *("tool-flow", "budget", "evidence", "products", "policy", "memory", "factual-contradiction"),
    *("clarifiers", "coverage", "clarifier-efficiency", "self-contradiction"),
)
LOGS = ("airline_agent_runs", "task_dialogues")
WHOLE = ("factual-contradiction", "self-contradiction")
"""Rules that look at a conversation as a whole."""

OVER_LOGS = ("tool-flow", "evidence", *WHOLE)

Row = tuple[str, str, str, list[list[int | None]]]
"""Profile, row, outcome, and where its evidence stands."""


def rows(rule: Rule, folder: Path) -> Iterator[Row]:
    """What the rule says now of each of its rows."""
    for profile in rule.profiles:
        yield from _of_examples(rule, profile)
        if folder.is_dir() and rule.name in OVER_LOGS:
            yield from _of_logs(rule, profile, folder)
        if folder.is_dir() and rule.name == "evidence":
            yield from _of_rated(rule, profile, folder)


def _of_examples(rule: Rule, profile: Profile) -> Iterator[Row]:
    measured = find_rule(rule.name)
    for file in (*rule.examples, HELD_OUT / f"{rule.name}.jsonl"):
        if file.is_file():
            for example in read_examples([file], measured):
                verdict = try_on(measured, profile, example).verdict
                yield _row(profile, f"{file.name}:{example.id}", verdict)


def _of_logs(rule: Rule, profile: Profile, folder: Path) -> Iterator[Row]:
    matcher = rule.factory(profile=profile) if len(rule.profiles) > 1 else rule.factory()
    for dataset in (*LOGS, *(("debate_flips",) if rule.name == "self-contradiction" else ())):
        for number, talk in enumerate(conversations(folder, dataset)):
            whole = rule.name in WHOLE
            subjects = [talk] if whole else [Reply(talk, turn.number) for turn in talk.turns]
            for place, subject in enumerate(subjects, 1):
                name = f"{dataset}:{number}" if whole else f"{dataset}:{number}:{place}"
                yield _row(profile, name, judge(matcher, *_of(resolve_subject(subject))))


def _of_rated(rule: Rule, profile: Profile, folder: Path) -> Iterator[Row]:
    for line in (folder / "grounding_dialogue.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        reply = row["messages"][-1]["content"]
        matcher = rule.factory(row["labels"]["evidence"], profile=profile)
        yield _row(profile, f"grounding:{row['id']}", judge(matcher, *_of(resolve_subject(reply))))


def _of(seen: Any) -> tuple[Any, Any]:
    return seen.subject, seen.context


def _row(profile: str, name: str, verdict: Verdict) -> Row:
    places = sorted(
        ([one.turn, one.start, one.end] for one in verdict.evidence),
        key=lambda place: [-1 if part is None else part for part in place],
    )
    return profile, name, verdict.outcome.value, places


def frozen(rule: Rule) -> dict[tuple[str, str], tuple[str, Any]]:
    """The frozen rows of a rule, by profile and row."""
    with gzip.open(FOLDER / f"{rule.name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return {
            (profile, name): (outcome, places) for profile, name, outcome, places in map(json.loads, lines)
        }


def freeze(rule: Rule, folder: Path) -> int:
    """Write what the rule says now; returns how many rows there are."""
    FOLDER.mkdir(exist_ok=True)
    lines = [json.dumps(row, separators=(",", ":")) for row in rows(rule, folder)]
    with (FOLDER / f"{rule.name}.jsonl.gz").open("wb") as file:
        file.write(gzip.compress("\n".join([*lines, ""]).encode(), mtime=0))
    return len(lines)


def changes(rule: Rule, folder: Path) -> Iterator[tuple[str, str, str, str, bool]]:
    """Profile, row, what it was, what it is, and whether only places of evidence differ."""
    before = frozen(rule)
    for profile, name, outcome, places in rows(rule, folder):
        was = before.get((profile, name))
        if was is None:
            yield profile, name, "not there", outcome, False
        elif was != (outcome, places):
            yield profile, name, was[0], outcome, was[0] == outcome


def main() -> int:
    """Freeze, or list the changes; 1 where the profile seed has any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--rule", action="append", choices=NAMES)
    given = parser.parse_args()
    broken = False
    for rule in (one for one in RULES if one.name in (given.rule or NAMES)):
        if given.freeze:
            print(f"{rule.name}: {freeze(rule, given.folder)} rows")
            continue
        counts: Counter[str] = Counter()
        for profile, name, was, now, only_places in changes(rule, given.folder):
            counts[f"{profile}: {'evidence moved' if only_places else f'{was} -> {now}'}"] += 1
            broken = broken or profile == "seed"
            if not only_places:
                print(f"{rule.name} {profile} {name}: {was} -> {now}")
        print(f"== {rule.name}: {dict(sorted(counts.items())) or 'nothing has changed'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
