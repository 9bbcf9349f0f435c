"""A study, no benchmark: how well likeness tells replies that are on topic, by words and by MiniLM.

Replies of real dialogues are judged where they stand, with the reply of another dialogue of the same source
in their place, and with one of another source. The first should pass; the share of them that fails is the
false alarms. The second is hard (a booking answers a booking), the third is what a bot says that lost its
thread. AUC is over the similarities.
`--save` writes docs/_measured/topicality.json. MiniLM is measured where the extra `semantic` is installed.
Data: /work/shared/data or the folder in GRICE_DATA; a set that is not there is left out.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grice.checks.profiles import PROFILES, Profile
from grice.checks.semantics.embedders import embedder_named
from grice.checks.semantics.topicality import stay_on_topic
from grice.formats import read_conversation
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Message, Reply

DATA = Path(os.environ.get("GRICE_DATA", "/work/shared/data"))
SETS = ("task_dialogues", "airline_agent_runs")
PAIRS = 600
SEED = 7
TARGET = Path(__file__).parent.parent / "docs" / "_measured" / "topicality.json"
OUTCOMES = ("pass", "fail", "inconclusive", "error")


class Place(NamedTuple):
    """A reply in its dialogue: the conversation and the number of the turn."""

    conversation: Conversation
    number: int

    @property
    def text(self) -> str:
        return self.conversation.turns[self.number - 1].text


def places(name: str) -> Iterator[Place]:
    """Every reply with a text to a message of the user."""
    for line in (DATA / f"{name}.jsonl").open():
        record = json.loads(line)
        messages = [{k: v for k, v in one.items() if k != "action"} for one in record["messages"]]
        try:
            conversation = read_conversation(messages)
        except ValueError:
            continue
        for turn in conversation.turns:
            if turn.user.strip() and turn.text.strip():
                yield Place(conversation, turn.number)


def with_reply(place: Place, text: str) -> Reply:
    """The place with another text in it; tools of the turn are left out, since they tell of the first one."""
    turns = list(place.conversation.turns[: place.number])
    last = turns[-1]
    user = next(message for message in last.messages if message.role == "user")
    turns[-1] = msgspec.structs.replace(
        last, messages=(user, Message("assistant", text)), tool_calls=(), data=None
    )
    return Reply(msgspec.structs.replace(place.conversation, turns=tuple(turns)), place.number)


def judged(replies: Sequence[Reply], embedder: Any, profile: Profile) -> tuple[dict[str, float], list[float]]:
    """The shares of the outcomes, and the similarities."""
    counts: Counter[str] = Counter()
    values = []
    for reply in replies:
        seen = resolve_subject(reply)
        verdict = judge(stay_on_topic(embedder=embedder, profile=profile), seen.subject, seen.context)
        counts[str(verdict.outcome)] += 1
        value = verdict.detail.get("similarity")
        values += [float(value)] if isinstance(value, int | float) else []
    return {name: round(counts[name] / len(replies), 4) for name in OUTCOMES}, values


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often a true reply is more alike than a wrong one; ties count half."""
    ordered = sorted(wrong)
    wins = sum(bisect_left(ordered, one) + bisect_right(ordered, one) for one in right) / 2
    return round(wins / (len(right) * len(wrong)), 4)


def embedders() -> list[Any]:
    """Those that can be used here."""
    found = [embedder_named("lexical")]
    try:
        embedder_named("minilm").embed(["probe"])
        found.append(embedder_named("minilm"))
    except Exception as error:
        print(f"MiniLM is left out: {error}")
    return found


def measured(name: str, all_places: dict[str, list[Place]], embedder: Any) -> dict[str, Any]:
    """The figures of one set."""
    chance = random.Random(SEED)
    own = all_places[name]
    others = [place for other, listed in all_places.items() if other != name for place in listed]
    sample = chance.sample(own, min(PAIRS, len(own)))
    true = [Reply(place.conversation, place.number) for place in sample]
    same, cross = [], []
    for place in sample:
        other = chance.choice(own)
        while other.conversation is place.conversation:
            other = chance.choice(own)
        same.append(with_reply(place, other.text))
        cross += [with_reply(place, chance.choice(others).text)] if others else []
    result: dict[str, Any] = {
        "pairs": len(sample),
        "threshold": embedder.threshold,
        "off_topic": embedder.off_topic,
    }
    for profile in PROFILES:
        begun = time.perf_counter()
        right, alike = judged(true, embedder, profile)
        took = time.perf_counter() - begun
        figures: dict[str, Any] = {"true_reply": right, "microseconds": round(1e6 * took / len(true))}
        for kind, replies in (("other_dialogue", same), ("other_source", cross)):
            if replies:
                wrong, unlike = judged(replies, embedder, profile)
                figures[kind] = wrong
                figures[f"auc_{kind}"] = auc(alike, unlike)
        result[profile] = figures
    return result


def main() -> None:
    """Print the figures; `--save` writes them for the docs."""
    all_places = {name: list(places(name)) for name in SETS if (DATA / f"{name}.jsonl").exists()}
    figures: dict[str, Any] = {"version": 1, "seed": SEED, "sets": {}}
    for name in all_places:
        figures["sets"][name] = {}
        for embedder in embedders():
            found = measured(name, all_places, embedder)
            figures["sets"][name][embedder.name] = found
            print(name, embedder.name, json.dumps(found, indent=1))
    if "--save" in sys.argv:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
