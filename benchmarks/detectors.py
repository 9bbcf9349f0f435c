"""The detectors on real conversations, and how their time grows with the turns.

    python benchmarks/detectors.py [FOLDER]

FOLDER holds airline_agent_runs.jsonl and task_dialogues.jsonl; `../shared/data` without one. Both
contradictions are looked for in whole conversations, language around tools in every reply. Then a made-up
talk of 10, 50, 100 and 500 turns, in which every turn states a fact and takes a position. CPU time, beside
what `json.loads` needs for the same conversation; medians of three rounds, the first one thrown away.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import grice
from grice.matchers import avoid_factual_contradiction, avoid_self_contradiction, be_valid_response
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.records import Conversation, Reply

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
SETS = ("airline_agent_runs", "task_dialogues")
TURNS = (10, 50, 100, 500)
ROUNDS = 3
DETECTORS: dict[str, Matcher[Any]] = {
    "self-contradiction": avoid_self_contradiction(),
    "factual-contradiction": avoid_factual_contradiction(),
    "tool-flow": be_valid_response(),
}
OF_REPLIES = ("tool-flow",)


def work(name: str, conversations: Sequence[Conversation]) -> None:
    matcher = DETECTORS[name]
    for conversation in conversations:
        if name in OF_REPLIES:
            for turn in conversation.turns:
                ask(matcher, Reply(conversation, turn.number))
        else:
            ask(matcher, conversation)


def ask(matcher: Matcher[Any], subject: object) -> None:
    seen = resolve_subject(subject)
    judge(matcher, seen.subject, seen.context)


def seconds(of: Callable[[], object]) -> float:
    of()
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        of()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def talk(turns: int) -> list[dict[str, str]]:
    messages = []
    for number in range(turns):
        messages.append(
            {"role": "user", "content": f"What is the Nordic Desk {number}, and should I buy it?"}
        )
        said = (
            f"The Nordic Desk {number} costs ${100 + number} and weighs {number + 2} kg. Yes, I'd buy the "
            f"Nordic Desk {number}: it is worth it."
        )
        messages.append({"role": "assistant", "content": said})
    return messages


def show(title: str, messages: Sequence[object]) -> None:
    texts = [json.dumps(one) for one in messages]
    conversations = [grice.read_conversation(one) for one in messages]
    reading = seconds(lambda: [json.loads(one) for one in texts]) / len(texts)
    for name in DETECTORS:
        each = seconds(partial(work, name, conversations)) / len(texts)
        print(f"{title:32}{name:24}{each * 1e3:10.2f}{each / reading:12,.0f}")


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    print(f"{'':32}{'detector':24}{'ms':>10}{'x json.loads':>12}")
    for name in SETS:
        path = folder / f"{name}.jsonl"
        if not path.exists():
            print(f"{name}: {path} is not there")
            continue
        rows = [json.loads(line)["messages"] for line in path.read_text("utf-8").splitlines()]
        show(f"{name}, {len(rows)}", rows)
    for turns in TURNS:
        show(f"a talk of {turns} turns", [talk(turns)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
