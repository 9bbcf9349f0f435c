"""What `grice extract` makes of findings in two logs: how small, how far proved, what private is left.

    python benchmarks/extract_findings.py [--write]

100 findings of airline_agent_runs and 50 of task_dialogues, drawn by a fixed seed among those of the default
checks and of tool-flow, openers, clarifiers, memory, evidence and contradictions. 500 planted values of ten
kinds. `--write` writes the tables of docs/_measured/extraction.md.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from grice.extracting import Extracted, Fault, NotExtractable, Pseudonyms, extract_finding, faults_in
from grice.formats.turns import turns_of
from grice.records import Conversation, Message
from grice.records.codec import encode
from grice.scanning import choose_checks
from grice.scanning.one_conversation import conversation_at

HERE = Path(__file__).parent
DATA = Path(os.environ.get("GRICE_DATA", HERE.parents[1] / "shared" / "data"))
TABLE = HERE.parent / "docs" / "_measured" / "extraction.md"
CHECKS = "default,tool-flow,openers,clarifiers,memory,evidence,self-contradiction,factual-contradiction"
LOGS = (("airline_agent_runs", 100, 156), ("task_dialogues", 50, 200))


def main() -> None:
    rows = [_log_row(*one) for one in LOGS]
    head = "| log | findings | kept | turns | kB | proved | only seen to fail | not proved |"
    lines = [head, "|---|---:|---:|---:|---:|---:|---:|---:|", *rows]
    lines += ["", *_redaction_rows()]
    print("\n".join(lines))
    if "--write" in sys.argv:
        text = "<!-- Written by benchmarks/extract_findings.py --write. -->\n\n"
        TABLE.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


def _log_row(name: str, count: int, lines: int) -> str:
    faults = _drawn(DATA / f"{name}.jsonl", count, lines)
    made: list[tuple[Fault, Extracted]] = []
    why: Counter[str] = Counter()
    for fault in faults:
        try:
            made.append((fault, extract_finding(fault, pseudonyms=Pseudonyms())))
        except NotExtractable as error:
            why[str(error)] += 1
    kept = sum(fault.stands_in(one.shrunk.fault.conversation) for fault, one in made)
    turns = [(fault.turn, len(one.shrunk.fault.conversation.turns)) for fault, one in made]
    sizes = [(len(encode(fault.conversation)), len(one.text.encode())) for fault, one in made]
    whole = sum(one.proof.whole for _, one in made)
    half = sum(one.proof.fails and not one.proof.passes for _, one in made)
    for fault, one in made:
        if not one.proof.whole:
            why[f"{fault.label}: {one.proof.why}"[:110]] += 1
    for reason, times in why.most_common():
        print(f"  {times:3} {reason}")
    before, after = _medians(turns)
    old, new = _medians(sizes)
    return (
        f"| {name} | {len(faults)} | {kept} | {before:g}, {after:g} | {old / 1000:.1f}, {new / 1000:.1f} "
        f"| {whole} | {half} | {len(made) - whole - half} |"
    )


def _medians(pairs: list[tuple[int, int]]) -> tuple[float, float]:
    return statistics.median(one for one, _ in pairs), statistics.median(one for _, one in pairs)


def _drawn(path: Path, count: int, lines: int) -> list[Fault]:
    checks = choose_checks(CHECKS).checks
    found: list[Fault] = []
    for line in range(1, lines + 1):
        found += faults_in(conversation_at(path, line), checks, f"{path.name}:{line}")
    random.Random(1).shuffle(found)
    by_label: dict[str, list[Fault]] = {}
    for one in found:
        by_label.setdefault(one.label, []).append(one)
    chosen: list[Fault] = []
    while len(chosen) < count and any(by_label.values()):
        chosen += [one.pop() for one in by_label.values() if one]
    return chosen[:count]


# -- planted values

FIRST = [
    "Mia",
    "Noah",
    "Olivia",
    "Liam",
    "Sofia",
    "Ethan",
    "Yusuf",
    "Raj",
    "Chen",
    "Aarav",
    "Harper",
    "Lei",
    "Mei",
    "Omar",
    "Ivan",
    "Daiki",
    "Fatima",
    "Evelyn",
]
LAST = [
    "Li",
    "Kovacs",
    "Santos",
    "Brown",
    "Okafor",
    "Nguyen",
    "Schmidt",
    "Rossi",
    "Haddad",
    "Novak",
    "Larsson",
    "Moreau",
    "Singh",
    "Tanaka",
    "Silva",
]
WAYS = (
    "My name is {0}.",
    "This is {0}, can you help?",
    "I'm {0} and I need a refund.",
    "Hi, it says name: {0} there. My name is {0}",
)
PLAIN = ("Mail it to {0}.", "It is {0}, please check.", "Use {0} for that.", "I have {0} here.")


def planted() -> list[tuple[str, str]]:
    """500 values of ten kinds, each in a sentence."""
    draw = random.Random(7)

    def digits(count: int) -> str:
        return "".join(draw.choices("0123456789", k=count))

    def letters(count: int) -> str:
        return "".join(draw.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=count))

    makers: dict[str, Callable[[], str]] = {
        "name": lambda: f"{draw.choice(FIRST)} {draw.choice(LAST)}",
        "email": lambda: f"{draw.choice(FIRST)}.{draw.choice(LAST)}{digits(2)}@mail-{letters(3).lower()}.com",
        "phone": lambda: f"+1 {digits(3)}-{digits(3)}-{digits(4)}",
        "id": lambda: f"{draw.choice(FIRST).lower()}_{draw.choice(LAST).lower()}_{digits(4)}",
        "booking": lambda: f"{letters(2)}{digits(2)}{letters(2)}",
        "card": lambda: f"4{digits(15)}",
        "key": lambda: f"sk-proj-{letters(6)}{digits(12)}{letters(6).lower()}",
        "token": lambda: f"ghp_{letters(12)}{digits(12)}{letters(12).lower()}",
        "street": lambda: (
            f"{draw.randint(1, 999)} {draw.choice(LAST)} {draw.choice(('Street', 'Ave', 'Road'))}"
        ),
        "uuid": lambda: f"{digits(3)}a{digits(4)}-{digits(3)}b-4c{digits(2)}-8d{digits(2)}-{digits(6)}abcdef",
    }
    values: list[tuple[str, str]] = []
    for kind, make in makers.items():
        for number in range(50):
            value = make()
            ways = WAYS if kind == "name" else PLAIN
            values.append((value, ways[number % 4].format(value)))
    return values


def _redaction_rows() -> list[str]:
    left: Counter[str] = Counter()
    stands = total = 0
    check = choose_checks("self-contradiction").checks
    values = planted()
    for number, (value, said) in enumerate(values):
        turns = [
            Message("user", f"{said} Do you ship to Canada?"),
            Message("assistant", f"Yes, we ship {value} to Canada."),
            Message("user", "Are you sure? Do you ship to Canada?"),
            Message("assistant", f"No, we do not ship {value} to Canada."),
        ]
        record = Conversation(id=f"c{number}", turns=turns_of(turns))
        faults = faults_in(record, check, f"planted:{number + 1}")
        if not faults:
            continue
        total += 1
        test = extract_finding(faults[0], pseudonyms=Pseudonyms())
        parts = value.split() if number < 50 else [value]
        if any(re.search(rf"(?i)(?<!\w){re.escape(part)}(?!\w)", test.text) for part in parts):
            left[said] += 1
        stands += test.proof.fails
    for said in left:
        print("  left:", said)
    return [
        "| planted | contradictions found before | found in the test | values left in it |",
        "|---:|---:|---:|---:|",
        f"| {len(values)} | {total} | {stands} | {sum(left.values())} |",
    ]


if __name__ == "__main__":
    main()
