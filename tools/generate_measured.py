"""Write the tables of docs/_measured: how often each rule is right, for the pages of the docs.

- `rules.md`: on the examples beside each rule. The part between `<!-- openers -->` and `<!-- /openers -->` is
  about one rule, `<!-- layer 1 -->` holds the table of a layer.
- `held_out.md`: on the examples of benchmarks/held_out, which the authors of the rules did not write.
- `studies.md`: on real conversations, from the numbers that benchmarks/ stored as JSON in the same folder.

Run by `make generate`; tests fail when a file is stale.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from grice.checks.profiles import PROFILES
from grice.checks.rules import RULES
from grice.reporting.document import Span
from grice.reporting.documents.validation import NOTES, measured_table, trial_trace
from grice.reporting.markdown import escape, table
from grice.text import shorten
from grice.validation import Validation, validate_checks
from grice.validation.measuring import Measurement, Trial

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "_measured"
TARGET = FOLDER / "rules.md"
HELD_OUT = FOLDER / "held_out.md"
STUDIES = FOLDER / "studies.md"
EXAMPLES = ROOT / "benchmarks" / "held_out"
HEADER = "<!-- Written by tools/generate_measured.py (`make generate`); do not edit. -->"
OF_RULE = ("profile", "n", "false", "precision", "missed", "recall", "right", "undecided")
MAX_QUOTE = 160
SETS = {
    "airline_agent_runs": "GPT-4o for an airline",
    "task_dialogues": "people who play an assistant",
}


def generate(found: Validation) -> str:
    """The text of rules.md. Raises ValueError when an example cannot be read or is not as documented."""
    _refuse_unread(found)
    if not found.as_documented:
        raise ValueError("outcomes are not as documented: see `grice validate checks`")
    layers = groupby(found.measurements, key=lambda one: one.layer)
    parts = [HEADER, *_part("meaning", "\n\n".join(NOTES))]
    rules: list[str] = []
    for layer, measured in layers:
        several = list(measured)
        parts += _part(f"layer {layer}", _table(several))
        for name, of_rule in groupby(several, key=lambda one: one.rule):
            rules += _part(name, _about(list(of_rule)))
    return _page([*parts, *rules])


def generate_held_out(found: Validation) -> str:
    """The text of held_out.md. Raises ValueError when an example cannot be read."""
    _refuse_unread(found)
    places = {rule.name: place for place, rule in enumerate(RULES)}
    measured = sorted(found.measurements, key=lambda one: places[one.rule])
    ours = [one for one in measured if one.profile == "robust" and one.faults]
    wrong = [f"{one.rule}:\n\n{_faults(one.faults)}" for one in ours]
    parts = [HEADER, *_part("totals", _totals(measured)), *_part("rules", _table(measured))]
    return _page([*parts, *_part("wrong", "\n\n".join(wrong) or "Nothing.")])


def generate_studies(folder: Path) -> str:
    """The text of studies.md, from the JSON files of the folder."""
    tone, topicality, grounding = (
        json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in ("tone_false_alarms", "topicality", "grounding")
    )
    parts = [HEADER]
    for rule, of_sets in tone.items():
        parts += _part(rule, table(TONE, _tone_rows(of_sets)))
    parts += _part("topicality", table(TOPICALITY, _topicality_rows(topicality["sets"])))
    return _page([*parts, *_part("evidence", table(GROUNDING, _grounding_rows(grounding["sources"])))])


def _refuse_unread(found: Validation) -> None:
    if found.problems:
        raise ValueError("\n".join(found.problems))


def _page(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def _part(name: str, text: str) -> list[str]:
    return ["", f"<!-- {name} -->", "", text, "", f"<!-- /{name} -->"]


def _table(measured: Iterable[Measurement], columns: Sequence[str] | None = None) -> str:
    found = measured_table(measured, *([columns] if columns else []))
    return table(list(map(str, found.headers)), [list(map(str, row)) for row in found.rows], found.align)


def _about(measured: list[Measurement]) -> str:
    """The table of a rule, and what its robust profile is known to get wrong."""
    known = [trial for one in measured if one.profile == "robust" for trial in one.faults]
    return _table(measured, OF_RULE) + (f"\n\nKnown to be wrong:\n\n{_faults(known)}" if known else "")


def _faults(trials: Iterable[Trial]) -> str:
    """A line for each trial: what was said, what the check made of it, and what is right."""
    lines = []
    for trial in trials:
        example, told = trial.example, dict(trial_trace(trial))
        said = told.get("reply") or told.get("data") or told.get("user", "")
        spans = (Span(said),) if isinstance(said, str) else said
        text = "".join(f"»{one.text}«" if one.tone == "mark" else one.text for one in spans)
        why = f": {example.why}" if example.why else ""
        quote = f'"{shorten(text, MAX_QUOTE)}" is {trial.verdict.outcome}, right is {example.right}{why}'
        lines.append(f"- {escape(quote)}")
    return "\n".join(lines)


def _totals(measured: Sequence[Measurement]) -> str:
    """Every example of all rules together, by profile."""
    rows = []
    for profile in PROFILES:
        ours = [one for one in measured if one.profile == profile]
        n, right = sum(one.n for one in ours), sum(one.n - len(one.faults) for one in ours)
        false, missed = (
            sum(one.alarms.false_alarms for one in ours),
            sum(one.alarms.missed for one in ours),
        )
        rows.append((profile, str(n), f"{right} ({right / n:.0%})", str(false), str(missed)))
    return table(("profile", "n", "right", "false alarms", "missed"), rows)


# -- studies

TONE = ("replies of", "profile", "replies", "examined", "alarms", "read", "wrong of those", "false alarms")
TOPICALITY = (
    "replies of", "embedder", "profile", "right reply fails", "undecided",
    "reply of another dialogue fails", "AUC", "of another matter fails", "AUC",
)  # fmt: skip
GROUNDING = ("replies of", "n", "seed", "words in common", "robust", "robust, where it decides",
             "AUC seed", "AUC words", "AUC robust", "ms a reply")  # fmt: skip


def _tone_rows(of_sets: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, profiles in of_sets.items():
        for profile, found in profiles.items():
            counts = [f"{found[key]:,}" for key in ("replies", "examined", "alarms")]
            read = found.get("read")
            wrong = "-" if not read else f"{found['wrong']} of {read}"
            yield SETS[name], profile, *counts, "-" if read is None else str(read), wrong, _estimate(found)


def _estimate(found: Mapping[str, Any]) -> str:
    """The share of replies with a false alarm, as far as a reading of some alarms says."""
    if not found["alarms"]:
        return "none"
    if not found.get("read"):
        return "not read"
    share = found["alarms"] * found["wrong"] / found["read"] / found["replies"]
    return f"{share:.1%} of replies" if share else "none seen"


def _topicality_rows(sets: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, embedders in sets.items():
        for embedder, found in embedders.items():
            for profile in PROFILES:
                one = found[profile]
                yield (
                    SETS[name],
                    embedder,
                    profile,
                    f"{one['true_reply']['fail']:.1%}",
                    f"{one['true_reply']['inconclusive']:.1%}",
                    f"{one['other_dialogue']['fail']:.1%}",
                    f"{one['auc_other_dialogue']:.2f}",
                    f"{one['other_source']['fail']:.1%}",
                    f"{one['auc_other_source']:.2f}",
                )


def _grounding_rows(sources: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, one in sources.items():
        seed, words, robust = one["seed"], one["overlap"], one["robust"]
        correlations = (seed["mcc"], words["mcc"], robust["mcc"], robust["mcc_where_told"])
        areas = (seed["auc"], words["auc"], robust["auc"])
        figures = [f"{value:.2f}" for value in (*correlations, *areas)]
        yield name, f"{one['replies']:,}", *figures, f"{one['ms_per_reply']:.1f}"


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    TARGET.write_text(generate(validate_checks()), "utf-8")
    HELD_OUT.write_text(generate_held_out(validate_checks(folder=EXAMPLES)), "utf-8")
    STUDIES.write_text(generate_studies(FOLDER), "utf-8")


if __name__ == "__main__":
    main()
