"""How well self-contradiction is told: in rows by fresh eyes, in debates, and in real service talks.

    python benchmarks/self_contradictions.py [FOLDER]            the tables; --write keeps them for the docs
    python benchmarks/self_contradictions.py [FOLDER] --show     what is told wrongly, to be read

FOLDER holds debate_flips.jsonl (models that debate under pressure; a model labelled each reply as `aligned`
with the argument or not: weak truth; a flip is a change of label from one reply to the next),
airline_agent_runs.jsonl and task_dialogues.jsonl; `../shared/data` without one. The rows by fresh eyes are
those of `first_looks/self_contradiction`: rounds that were committed unread and run once, of which
`first.json` keeps what they gave then, and rows that the rule was made on (`practice`). The debates and the
service talks were looked at while the rule was made. The tables go to `docs/_measured/contradictions.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tone_false_alarms import DATA, conversations  # type: ignore[import-not-found]  # beside this script

from grice import factual_contradictions, self_contradiction
from grice.checks.profiles import PROFILES
from grice.stats.intervals import wilson

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "benchmarks" / "first_looks" / "self_contradiction"
STORED = ROOT / "docs" / "_measured" / "contradictions.md"
SERVICE = {"airline_agent_runs": "GPT-4o for an airline", "task_dialogues": "people who play an assistant"}
TURNS = (10, 50, 100, 500)
CLASSES = ("stated_answers", "reversals", "personal_facts")
FIGURES = ("found", "false", "F1", "undetermined")
Table = list[list[str]]


def rows_of(file: Path) -> Iterator[tuple[list[dict[str, str]], bool]]:
    """The conversations of one class, and whether each contradicts itself."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said = [one for turn in row["turns"] for one in zip(("user", "assistant"), turn, strict=True)]
        messages = [{"role": role, "content": text} for role, text in said]
        yield messages, row["expected"] == "contradiction"


def of_rows(file: Path, *, show: bool) -> Counter[str]:
    """What the rule says of the rows of one class."""
    counts: Counter[str] = Counter()
    for messages, wanted in rows_of(file):
        found = self_contradiction(messages)
        counts["reversals" if wanted else "others"] += 1
        counts["found" if wanted else "false"] += bool(found)
        counts["undetermined"] += found.outcome == "undetermined"
        if show and wanted != bool(found):
            print(f"--- wanted {wanted}: {found.outcome}: {found.reason}")
            print("\n".join(f"    {one['role']}: {one['content']}" for one in messages))
    return counts


def first_looks() -> Table:
    """What each round gave when it was run for the first time."""
    table = [["class", "round", "date", *FIGURES]]
    for one in json.loads((ROWS / "first.json").read_text(encoding="utf-8")):
        counts = Counter(
            {name: one[name] for name in ("reversals", "found", "others", "false", "undetermined")}
        )
        table.append([one["class"], str(one["round"]), one["date"], *figures_of(counts)])
    return table


def now(*, show: bool) -> Table:
    """All rows of each class by today's rule."""
    table = [["class", *FIGURES]]
    for name in CLASSES:
        counts: Counter[str] = Counter()
        for file in sorted(ROWS.glob(f"*/{name}*.jsonl")):
            counts += of_rows(file, show=show)
        table.append([name.replace("_", " "), *figures_of(counts)])
    return table


def figures_of(counts: Counter[str]) -> list[str]:
    """Recall, false alarms, F1 and how many are undetermined."""
    found, false = counts["found"], counts["false"]
    reversals, others = counts["reversals"], counts["others"]
    f1 = 2 * found / max(1, found + false + reversals)
    parts = [f"{found} of {reversals} ({_percent(found, reversals)})"]
    parts.append(f"{false} of {others} ({_percent(false, others)})")
    return [*parts, f"{f1:.2f}", _percent(counts["undetermined"], reversals + others)]


def pairs_of(folder: Path) -> Iterator[tuple[bool, list[dict[str, str]], str]]:
    """Each two neighbouring replies of the debates: whether they flip, as a talk, and the debate's id."""
    for line in (folder / "debate_flips.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        replies = [message for message in row["messages"] if message["role"] == "assistant"]
        again = {"role": "user", "content": "I disagree."}
        for two, labels in zip(pairwise(replies), pairwise(row["labels"]["aligned"]), strict=False):
            yield labels[0] != labels[1], [row["messages"][0], two[0], again, two[1]], row["id"]


def debates(folder: Path, *, show: bool) -> Table:
    """Precision and recall on pairs of replies in debates."""
    table = [["profile", "pairs", "flips", "alarms", "precision", "recall", "undetermined"]]
    for profile in PROFILES:
        counts: Counter[str] = Counter()
        for flips, talk, name in pairs_of(folder):
            found = self_contradiction(talk, profile=profile)
            counts.update(pairs=1, flips=flips, alarms=bool(found), right=flips and bool(found))
            counts["undetermined"] += found.outcome == "undetermined"
            if show and profile == "robust" and found and not flips:
                print(f"--- {name}: {found.reason}")
        precision = _rate(counts["right"], counts["alarms"])
        recall = _rate(counts["right"], counts["flips"])
        figures = [str(counts[one]) for one in ("pairs", "flips", "alarms")]
        table.append([profile, *figures, precision, recall, str(counts["undetermined"])])
    return table


def service(folder: Path, *, show: bool) -> Table:
    """The alarms on talks in which hardly anybody contradicts themselves, and the time."""
    table = [
        ["talks", "n", "seed: alarms", "robust: alarms", "undetermined", "ms a talk", "factual: alarms", "ms"]
    ]
    for dataset, name in SERVICE.items():
        talks = list(conversations(folder, dataset))
        seed = sum(bool(self_contradiction(talk, profile="seed")) for talk in talks)
        begun = time.process_time()
        found = [self_contradiction(talk) for talk in talks]
        took = time.process_time() - begun
        begun = time.process_time()
        facts = sum(bool(factual_contradictions(talk)) for talk in talks)
        took_facts = time.process_time() - begun
        undetermined = sum(one.outcome == "undetermined" for one in found)
        figures = [len(talks), seed, sum(map(bool, found)), undetermined]
        milliseconds = [f"{each / len(talks) * 1000:.1f}" for each in (took, took_facts)]
        table.append([name, *map(str, figures), milliseconds[0], str(facts), milliseconds[1]])
        for talk, one in zip(talks, found, strict=True) if show else ():
            if one and one.pair is not None:
                print(f"--- {dataset}: {one.reason}")
                for turn in talk.turns[one.pair[0] - 1 : one.pair[1]]:
                    print(f"    {turn.number} user: {turn.user[:300]!r}\n      {turn.text[:500]!r}")
    return table


def growth() -> Table:
    """The time by the length of a talk."""
    table = [["turns", "ms"]]
    for turns in TURNS:
        messages = []
        for number in range(turns):
            messages.append({"role": "user", "content": f"What does the Nordic Desk {number} cost?"})
            text = f"The Nordic Desk {number} costs ${100 + number} and weighs {number + 2} kg."
            messages.append({"role": "assistant", "content": text})
        begun = time.process_time()
        self_contradiction(messages)
        table.append([str(turns), f"{(time.process_time() - begun) * 1000:.1f}"])
    return table


def _rate(part: int, whole: int) -> str:
    if not whole:
        return "-"
    low, high = wilson(part, whole)
    return f"{part / whole:.2f} ({low:.2f} to {high:.2f})"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "-"


def _markdown(table: Table) -> str:
    head, *rows = table
    ruled = ["---" if not place else "---:" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ruled, *rows))


def main() -> None:
    """Print the tables, and keep them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    parts = {
        "first-looks": first_looks(),
        "now": now(show=given.show),
        "debates": debates(given.folder, show=given.show),
        "service": service(given.folder, show=given.show),
        "growth": growth(),
    }
    blocks = [f"<!-- {name} -->\n\n{_markdown(table)}\n\n<!-- /{name} -->" for name, table in parts.items()]
    text = "\n\n".join(["<!-- Written by benchmarks/self_contradictions.py --write. -->", *blocks])
    print(text)
    if given.write:
        STORED.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
