"""How often the rules are right on a round of first looks.

    python benchmarks/first_looks.py round_4              the table of every rule, a row for each profile
    python benchmarks/first_looks.py round_4 --show       and each wrong row, with what the rule said

A round is a folder of `first_looks`, with a file for each of its rules. Right is the exact outcome, one of
five; a false alarm is a fail that is none, and a missed one a fail that was not found.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from grice.checks.rules import RULES
from grice.validation.example_reading import read_examples
from grice.validation.measured_rules import find_rule
from grice.validation.measuring import Measurement, measure

ROUNDS = Path(__file__).resolve().parent / "first_looks"


def measurements(folder: Path) -> Iterator[Measurement]:
    """Each rule of which the round has rows, under each of its profiles."""
    for one in RULES:
        file = folder / f"{one.name}.jsonl"
        if file.exists():
            rule = find_rule(one.name)
            examples = read_examples([file], rule)
            for profile in rule.profiles:
                yield measure(rule, profile, examples)


def row(one: Measurement) -> str:
    """A row of the table."""
    right = sum(trial.is_right for trial in one.trials)
    undecided = sum(found.found - found.right for found in one.undecided.values())
    alarms = one.alarms
    cells = (one.rule, one.profile, one.n, right, alarms.false_alarms, alarms.missed, undecided)
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table, and what is wrong where it is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("round", choices=sorted(one.name for one in ROUNDS.glob("round_*")))
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    print("| rule | profile | n | right | false alarms | missed | wrongly undecided |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    measured = list(measurements(ROUNDS / given.round))
    for one in measured:
        print(row(one))
    for one in measured if given.show else ():
        for trial in one.faults:
            wanted, verdict = trial.example.right.value, trial.verdict
            print(f"--- {one.profile} {trial.example.id}: wanted {wanted}, found {verdict.outcome.value}")
            print(f"    {trial.example.conversation.turns[-1].text!r}\n    {verdict.reason}")


if __name__ == "__main__":
    main()
