"""How often the robust rule of tool-flow language alarms on real conversations; prints every alarm.

python benchmarks/tool_flow_alarms.py [DATA_FOLDER] [LABEL ...]
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

import grice
from grice.checks.tool_flow.matchers import be_valid_response
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Reply

FILES = ("airline_agent_runs.jsonl", "task_dialogues.jsonl")
MATCHER = be_valid_response()


def main(folder: Path, wanted: set[str]) -> None:
    """Judge every reply of both files and print what was found."""
    for name in FILES:
        labels: Counter[str] = Counter()
        outcomes: Counter[str] = Counter()
        began = time.perf_counter()
        for line in (folder / name).read_text("utf-8").splitlines():
            record = json.loads(line)
            conversation = grice.read_conversation(record["messages"])
            for turn in conversation.turns:
                seen = resolve_subject(Reply(conversation, turn.number))
                verdict = judge(MATCHER, seen.subject, seen.context)
                outcomes[verdict.outcome.value] += 1
                if verdict.outcome.value == "inconclusive" and turn.text.strip():
                    print(f"?? {record['id']} {turn.number}: {verdict.reason}: {turn.text!r}")
                if verdict.outcome.value != "fail":
                    continue
                for label in sorted({one.note.split(":")[0] for one in verdict.evidence}):
                    labels[label] += 1
                    if not wanted or label in wanted:
                        _show(record["id"], turn, label, verdict)
        spent = time.perf_counter() - began
        print(f"== {name}: {dict(outcomes)} {dict(labels)} in {spent:.1f} s\n")


def _show(id_: str, turn: grice.Turn, label: str, verdict: grice.Verdict) -> None:
    quotes = [one.quote for one in verdict.evidence if one.note.startswith(label)]
    notes = {one.note for one in verdict.evidence if one.note.startswith(label)}
    calls = [f"{call.name}" for call in turn.tool_calls]
    print(
        f"-- {label} {id_} turn {turn.number} calls={calls} {notes}\n   {quotes}\n   USER {turn.user[:160]!r}"
    )
    print(f"   TEXT {turn.text[:420]!r}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0] if given else "/work/shared/data"), set(given[1:]))
