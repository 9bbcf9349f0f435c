"""What `grice extract` makes of findings in two logs: how small, how far proved, what private is left.

    python benchmarks/extract_findings.py [--write]

100 findings of airline_agent_runs and 50 of task_dialogues, drawn by a fixed seed among those of the default
checks and of tool-flow, openers, clarifiers, memory, evidence and contradictions. 500 planted values of
`extract_blind.py`. `--write` writes the tables of docs/_measured/extraction.md.
"""

from __future__ import annotations

import json
import os
import random
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

from extract_blind import planted  # type: ignore[import-not-found]  # beside this script

from grice import read_conversation
from grice.extracting import Extracted, Fault, NotExtractable, Pseudonyms, extract_finding, faults_in
from grice.extracting.fault import judge_last
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
            made.append((fault, extract_finding(fault, pseudonyms=_pseudonyms())))
        except NotExtractable as error:
            why[str(error)] += 1
    kept = sum(
        fault.is_said_by(judge_last(fault.check, one.shrunk.fault.conversation)) for fault, one in made
    )
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


def _redaction_rows() -> list[str]:
    """What of the blind set is left in the whole conversation with stand-ins, or in the test."""
    left: Counter[str] = Counter()
    found = kept = values = 0
    repeats = choose_checks("similarity").checks
    contradictions = choose_checks("self-contradiction,factual-contradiction").checks
    for one in planted():
        read = read_conversation(list(one.messages), id=one.id)
        pseudonyms = _pseudonyms()
        text = json.loads(encode(pseudonyms.conversation(read)))
        faults = faults_in(read, contradictions if one.contradicts else repeats, one.id)
        written = json.dumps(text, ensure_ascii=False)
        if faults:
            test = extract_finding(faults[0], pseudonyms=pseudonyms)
            written += test.text
            if one.contradicts:
                found += 1
                kept += test.proof.fails
        for value in one.values:
            values += 1
            parts = [value, *value.split()] if one.kind.startswith("name") else [value]
            if any(re.search(rf"(?i)(?<!\w){re.escape(part)}(?!\w)", written) for part in parts):
                left[f"{one.kind}: {value}"] += 1
    for said in left:
        print("  left:", said)
    return [
        "| planted values | left | contradictions found before | found in the test |",
        "|---:|---:|---:|---:|",
        f"| {values} | {sum(left.values())} | {found} | {kept} |",
    ]


def _pseudonyms() -> Pseudonyms:
    return Pseudonyms(key="benchmark")


if __name__ == "__main__":
    main()
