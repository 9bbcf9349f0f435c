"""A comparison as Markdown."""

import re

import pytest
from comparisons import INVALID, REPEATED_RUNS, SEED, rate, unchanged
from msgspec.structs import replace

from grice.experiments.comparison.records import Aspect, Comparability, Comparison, ScenarioChange
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.renderers.markdown import document_markdown, mark_of


def markdown(comparison: Comparison, *, verbose: bool = False) -> str:
    return document_markdown(comparison_document(comparison), verbose=verbose)


def test_the_answer_stands_first_and_the_details_are_folded() -> None:
    text = markdown(SEED)
    lines = text.splitlines()
    assert lines[0] == mark_of("comparison")
    assert lines[2].startswith("### Grice: 1 scenario newly fails: budget\\_conscious; 2 newly pass: ")
    assert lines[4].startswith("Completion improved: 75.6% to 82.2%, +6.7 points ")
    assert lines[6].endswith("1a2b3c4d5 (main); 46 scenarios, 46 attempts that count  ")
    assert lines[7].startswith('Current:  exp\\_def456 "Prompt v2.3", ')
    assert "| Completion rate | 75.6% | 82.2% | 45, 45 | +6.7pp | +1.2 to +11.6 | ▲ improved |" in lines
    assert "| helpful | 88.0% | 91.0% | 100, 100 | +3.0pp | -3.0 to +9.0 | △ |" in lines
    assert text.index("| Completion rate") < text.index("<summary>Scenario changes")
    assert text.count("<details>") == text.count("</details>") == 6
    assert "- `budget_conscious`: was completing in 7 turns, now max\\_turns" in lines
    assert "<summary>Comparison validity: HIGH</summary>" in lines
    assert "#### Completion (hard expectations), 45 shared scenarios" in lines
    assert "| grounded\\_pricing | 100, 100 | &lt; 0.001 | &lt; 0.001 | 12 of 45 |" in lines
    assert text.endswith("</details>\n")


def test_what_newly_fails_for_certain_is_not_folded_away() -> None:
    scripted = replace(SEED, scripted=True, conclusion="regressed")
    text = markdown(scripted)
    assert "### ✗ Grice: 1 test newly fails: budget\\_conscious; 2 newly pass: " in text
    assert text.index("#### Scenario changes\n\nNewly failing (1):\n\n- `budget_con") < text.index(
        "<details>"
    )


def test_changes_are_counted_in_words_and_notes_are_told() -> None:
    text = markdown(SEED)
    for words in ("Newly passing (2)", "Newly failing (1)", "Quality improved (1)", "Quality regressed (1)"):
        assert f"\n{words}:\n\n- `" in text
    assert (
        "<summary>Scenario changes (what happened; a single scenario may change by chance)</summary>" in text
    )
    assert "<summary>Notes</summary>\n\n- the baseline has 1 line that cannot be read\n" in text


def test_what_is_empty_is_left_out() -> None:
    text = markdown(unchanged())
    assert "### Grice: exp\\_abc123 is compared with itself.\n\nNo difference in completion is shown" in text
    assert "<summary>Scenario changes</summary>\n\n- none\n" in text
    assert "Notes" not in text
    assert "<summary>Variance" not in text
    assert "<summary>Variance" in markdown(REPEATED_RUNS)


def test_two_that_cannot_be_compared_say_so_first() -> None:
    text = markdown(INVALID)
    assert "### ✗ Grice: These two experiments cannot be compared.\n" in text
    assert "| Completion rate | 75.6% | 82.2% | 45, 45 |" in text
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
    text = markdown(
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
    assert {line.replace("\\\\", "").replace("\\|", "").count("|") for line in rows} == {8, 6}
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
    text = markdown(large)
    assert len(text) < 65_536  # what GitHub takes for a comment
    assert "and 290 more lines" in text
    assert "and 270 more" in text
    assert len(markdown(large, verbose=True)) > 200_000
