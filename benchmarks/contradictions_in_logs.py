"""Which factual contradictions the rule finds in real conversations, with both quotes, and how fast it is.

    python benchmarks/contradictions_in_logs.py [FOLDER]            every alarm, to be read
    python benchmarks/contradictions_in_logs.py [FOLDER] --speed    the time per conversation, and by turns

FOLDER holds airline_agent_runs.jsonl, task_dialogues.jsonl and debate_flips.jsonl; `../shared/data` without
one. `--planted` repeats in each talk a sentence of the assistant with another amount or time, and counts how
many of these are found.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tone_false_alarms import (  # type: ignore[import-not-found]  # beside this script
    DATA,
    DATASETS,
    SEED,
    conversations,
)

from grice.checks.contradiction.factual_contradiction import factual_contradictions
from grice.formats import read_conversation
from grice.records import Conversation, Message, Turn

TURNS = (10, 50, 100, 500)
SHOWN = 600
SHORTEST, LONGEST = 20, 140


def alarms(folder: Path) -> None:
    """Print every contradiction of the data sets with its two statements."""
    for dataset in (*DATASETS, "debate_flips"):
        talks = list(conversations(folder, dataset))
        begun = time.perf_counter()
        found = [(number, one) for number, talk in enumerate(talks) for one in factual_contradictions(talk)]
        took = time.perf_counter() - begun
        for number, one in found:
            print(f"--- {dataset} {number}: {one.later.kind} {one.later.attribute} of {one.later.subject!r}")
            for fact in (one.earlier, one.later):
                where = fact.path or f"turn {fact.turn} [{fact.start}:{fact.end}]"
                print(f"    {where}: {fact.value!r} in {fact.quote[:SHOWN]!r}")
            user = [turn.user for turn in talks[number].turns[one.earlier.turn : one.later.turn]]
            print(f"    user between: {' / '.join(user)[:SHOWN]!r}")
        alarmed = len({number for number, _ in found})
        print(
            f"== {dataset}: {len(talks)} conversations, {len(found)} alarms in {alarmed}, "
            f"{took / len(talks) * 1000:.1f} ms per conversation"
        )


_STATED = re.compile(r"[^.!?\n]*?(?:\$\d[\d,]*|\b\d{1,2}:\d\d\b)[^.!?\n]*\.")


def planted(folder: Path) -> None:
    """Print how many of the sentences that are repeated with another value are found, and which are not."""
    chance = random.Random(SEED)
    for dataset in DATASETS:
        found, missed = 0, []
        for talk in conversations(folder, dataset):
            stated = [one.strip() for turn in talk.turns for one in _STATED.findall(turn.text)]
            stated = [one for one in stated if SHORTEST < len(one) < LONGEST and one[0].isalpha()]
            if not stated:
                continue
            sentence = chance.choice(stated)
            number = len(talk.turns) + 1
            said = Message("user", "Thanks, one moment please."), Message("assistant", _changed(sentence))
            talk = Conversation(turns=(*talk.turns, Turn(number, said)))
            if any(one.later.turn == number for one in factual_contradictions(talk)):
                found += 1
            else:
                missed.append(sentence)
        for sentence in missed:
            print(f"    not found: {sentence!r} as {_changed(sentence)!r}")
        print(f"== {dataset}: {found} of {found + len(missed)} planted changes found")


def _changed(sentence: str) -> str:
    """The sentence with another first amount of money, or time without one."""
    other = re.sub(r"\$(\d[\d,]*)", lambda one: f"${int(one[1].replace(',', '')) + 37}", sentence, count=1)
    if other != sentence:
        return other
    return re.sub(r"\b(\d{1,2}):(\d\d)", lambda one: f"{(int(one[1]) + 3) % 24}:{one[2]}", sentence, count=1)


def speed() -> None:
    """Print how the time grows with the turns."""
    for turns in TURNS:
        messages = []
        for number in range(turns):
            messages.append({"role": "user", "content": f"What does the Nordic Desk {number} cost?"})
            text = f"The Nordic Desk {number} costs ${100 + number} and weighs {number + 2} kg."
            messages.append({"role": "assistant", "content": text})
        talk = read_conversation(messages)
        begun = time.perf_counter()
        factual_contradictions(talk)
        print(f"{turns:4} turns: {(time.perf_counter() - begun) * 1000:7.1f} ms")


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--planted", action="store_true")
    given = parser.parse_args()
    if given.speed:
        speed()
    elif given.planted:
        planted(given.folder)
    else:
        alarms(given.folder)


if __name__ == "__main__":
    main()
