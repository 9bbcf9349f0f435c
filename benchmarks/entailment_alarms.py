"""What an entailment model is worth on each kind of talk, before a project believes it.

    python benchmarks/entailment_alarms.py MODEL [FOLDER]                   the table
    python benchmarks/entailment_alarms.py MODEL [FOLDER] --answers DIR     and files that a card is made of

MODEL is a folder with model.onnx, tokenizer.json and config.json; FOLDER holds debate_flips.jsonl,
airline_agent_runs.jsonl and task_dialogues.jsonl, `../shared/data` without one. A talk's score is the highest
of its pairs, as the check asks about them. `AUC` is how often a talk with a contradiction scores higher than
one without: 0.5 is chance. `AUC` and `alarms` are of the model alone; `left open` counts the talks in which
rules compared nothing, which are all that the check asks a model about. Service talks have no labels: hardly
anybody contradicts themselves there, so that an alarm is taken for a false one. Labels of debates were made
by another model.

With `--answers` a folder for each class of rows is written, of which a card is made:

    cd DIR/reversals
    grice validate judge entailment labels.jsonl --verdicts answers.jsonl --split 0 --card
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent))

from self_contradictions import CLASSES, ROWS, SERVICE, pairs_of, rows_of  # type: ignore[import-not-found]  # beside this script
from tone_false_alarms import DATA, conversations  # type: ignore[import-not-found]  # beside this script

from grice.checks.contradiction.cascade import by_rules, case_of
from grice.checks.contradiction.consistency import SelfContradiction
from grice.checks.contradiction.entailing import decided_by_model
from grice.claims.entailment import Compared, Entailment, ModelEntailment
from grice.formats import read_conversation
from grice.records import Conversation, Judgement

CARDED = CLASSES
"""Kinds of talk whose labels are good enough for a card."""

HEAD = ("talks", "n", "contradictions", "AUC", "alarms", "left open", "alarms there", "of these right")


class Looked(msgspec.Struct, frozen=True):
    """One talk: whether it is known to contradict itself, None where nobody said; what the model made of it
    alone, and whether rules leave it open.
    """

    wanted: bool | None
    score: float
    alarm: bool
    open: bool
    judgement: Judgement | None = None


class Listening:
    """A model, and the highest score of the pairs that it was asked about last."""

    def __init__(self, model: ModelEntailment) -> None:
        self._model = model
        self.name, self.threshold = model.name, model.threshold
        self.highest = 0.0

    def compare(self, pairs: Sequence[tuple[str, str]]) -> Compared:
        """What the model says of the pairs."""
        compared = self._model.compare(pairs)
        self.highest = max(compared.scores, default=0.0)
        return compared


def look(talk: Conversation, model: Listening, *, wanted: bool | None) -> Looked:
    """What the model says of a talk, whatever rules say of it."""
    model.highest = 0.0
    case = case_of(talk.turns, pairs="all", agreement=False, language=None)
    if isinstance(case, SelfContradiction):
        return Looked(wanted, 0.0, alarm=False, open=False)
    asked: Entailment = model
    found = decided_by_model(case, asked)
    assert isinstance(found, SelfContradiction)
    return Looked(wanted, model.highest, bool(found), by_rules(case) is None, found.judgement)


def kinds(folder: Path) -> Iterator[tuple[str, Iterator[tuple[Conversation, bool | None]]]]:
    """The kinds of talk with their talks."""
    for name in CLASSES:
        files = sorted(ROWS.glob(f"*/{name}*.jsonl"))
        yield name, ((read_conversation(talk), wanted) for file in files for talk, wanted in rows_of(file))
    yield "debates", ((read_conversation(talk), flips) for flips, talk, _ in pairs_of(folder))
    for dataset, name in SERVICE.items():
        yield name, ((talk, None) for talk in conversations(folder, dataset))


def auc(found: Sequence[Looked]) -> str:
    """How often a talk with a contradiction has the higher score; half of a tie counts."""
    right = [one.score for one in found if one.wanted]
    others = [one.score for one in found if one.wanted is False]
    if not right or not others:
        return "-"
    wins = sum((one > other) + (one == other) / 2 for one in right for other in others)
    return f"{wins / len(right) / len(others):.2f}"


def row_of(name: str, found: Sequence[Looked]) -> list[str]:
    """A row of the table."""
    left = [one for one in found if one.open]
    alarms = [one for one in left if one.alarm]
    labelled = any(one.wanted is not None for one in found)
    share = f"{sum(one.alarm for one in found)} ({sum(one.alarm for one in found) / max(1, len(found)):.0%})"
    return [
        name.replace("_", " "),
        str(len(found)),
        str(sum(bool(one.wanted) for one in found)) if labelled else "-",
        auc(found),
        share,
        str(len(left)),
        str(len(alarms)),
        str(sum(bool(one.wanted) for one in alarms)) if labelled else "-",
    ]


def write_answers(folder: Path, found: Sequence[Looked]) -> None:
    """The labels of a kind of talk, and what the model answered, as `grice validate judge` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    labels, answers = [], []
    for number, one in enumerate(found, 1):
        if one.wanted is None or one.judgement is None:
            continue
        who = one.judgement
        labels.append({"item": str(number), "value": not one.wanted, "rater": "author"})
        answer = {"item": str(number), "value": not one.alarm, "judge": who.prompt, "model": who.model}
        bound = {"prompt": who.prompt, "prompt_version": who.version, "prompt_hash": who.prompt_hash}
        answers.append({**answer, **bound})
    for name, lines in (("labels", labels), ("answers", answers)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--answers", type=Path, metavar="DIR")
    given = parser.parse_args()
    model = Listening(ModelEntailment(given.model))
    for line in (HEAD, ["---", *["---:"] * (len(HEAD) - 1)]):
        print(f"| {' | '.join(line)} |")
    for name, talks in kinds(given.folder):
        found: list[Looked] = [look(talk, model, wanted=wanted) for talk, wanted in talks]
        print(f"| {' | '.join(row_of(name, found))} |", flush=True)
        if given.answers is not None and name in CARDED:
            write_answers(given.answers / name, found)


if __name__ == "__main__":
    main()
