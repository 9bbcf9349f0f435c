"""A comparison as Markdown."""

import re

import pytest
from comparisons import INVALID, REPEATED_RUNS, SEED, rate, unchanged
from grice.reporting.comparison.as_markdown import COMPARISON_MARK, comparison_markdown
from msgspec.structs import replace

from grice.experiments.comparison.records import Aspect, Comparability, ScenarioChange


def test_the_verdict_stands_first_and_the_details_are_folded() -> None:
    text = comparison_markdown(SEED)
    lines = text.splitlines()
    assert lines[0] == COMPARISON_MARK
    assert lines[2] == "### ▲ Grice: completion improved, quality improved"
    assert lines[4].startswith("1 scenario newly fails: budget\\_conscious; 2 newly pass: ")
    assert "| Completion rate | 75.6% | 82.2% | +6.7pp | +1.2 to +11.6 | ▲ improved |" in lines
    assert "| helpful | 88.0% | 91.0% | +3.0pp | -3.0 to +9.0 | △ |" in lines
    assert text.index("| Completion rate") < text.index("<details>")
    assert text.count("<details>") == text.count("</details>") == 6
    assert "- `budget_conscious`: was completing in 7 turns, now max\\_turns" in lines
    assert "Validity: **HIGH**, 45 shared scenarios." in lines
    assert text.endswith("</details>\n")


def test_changes_are_counted_in_words_and_notes_are_told() -> None:
    text = comparison_markdown(SEED)
    assert (
        "<summary>Scenario changes: 2 newly passing, 1 newly failing, 1 of better quality, 1 of worse quality"
        in text
    )
    assert "<summary>Notes</summary>\n\n- the baseline has 1 line that cannot be read\n" in text


def test_what_is_empty_is_left_out() -> None:
    text = comparison_markdown(unchanged())
    assert "### ─ Grice: no difference shown" in text
    assert "Scenario changes" not in text
    assert "Notes" not in text
    assert "<summary>Variance" not in text
    assert "<summary>Variance" in comparison_markdown(REPEATED_RUNS)


def test_two_that_cannot_be_compared_say_so_first() -> None:
    text = comparison_markdown(INVALID)
    assert "### ✗ Grice: not comparable" in text
    assert "| Completion rate | 75.6% | 82.2% | - | - |  |" in text
    assert "<summary>Statistics" not in text


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "</details><img src=x onerror=alert(1)>",
        "a|b",
        "`tick` ``two``",
        "line\n\n# heading",
        "[link](http://example.com) ![i](x)",
        "@everyone #123",
        "<!-- comment",
        "\\|x",
    ],
)
def test_names_and_reasons_are_no_markup(hostile: str) -> None:
    text = comparison_markdown(
        replace(
            SEED,
            comparability=Comparability("LOW", (Aspect("Criteria", "weakens", hostile),)),
            measures=(rate(hostile, (1, 2, 2, 2), 0.1, 0.9, "▲▲", "improved"),),
            changes=(ScenarioChange("example:1", hostile, "newly failing", 1, 0, 1, 1, "", hostile),),
            added=(hostile,),
            advice=(hostile,),
            notes=(hostile,),
            baseline=replace(SEED.baseline, experiment=replace(SEED.baseline.experiment, name=hostile)),
        )
    )
    outside = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", text)  # code shows everything as it is
    for tag in ("<script", "<img", "onerror=alert(1)>", "<!-- comment", "[link](", "@everyone", "http://"):
        assert tag not in outside
    assert outside.count("</details>") == outside.count("<details>") == 6
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\\\", "").replace("\\|", "").count("|") for line in rows} == {7, 6}
    assert "\n# heading" not in text


@pytest.mark.slow
def test_lists_are_cut_so_that_it_fits_into_a_comment() -> None:
    changes = tuple(
        ScenarioChange(f"example:{n}", f"{n}" + "<|`_*" * 60, kind, 1, 0, 1, 1, "", f"{n}" + "<_|" * 400)
        for n in range(300)
        for kind in ("newly failing", "newly passing", "passes less often", "quality regressed")
    )
    measures = tuple(rate(f"{n}" + "c_" * 200, (1, 2, 2, 2), 0.1, 0.9, "▲") for n in range(300))
    names = tuple("n" * 500 for _ in range(300))
    large = replace(SEED, changes=changes, measures=measures, added=names, removed=names, uncounted=names)
    text = comparison_markdown(large)
    assert len(text) < 65_536  # what GitHub takes for a comment
    assert "- and 290 more" in text
    assert "and 270 more" in text
    assert len(comparison_markdown(large, verbose=True)) > 200_000
