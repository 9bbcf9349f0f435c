"""Calibration cards in pytest: who may decide a build, and what everybody can see."""

from __future__ import annotations

import pytest
from inner_projects import Run

from grice.judging.calibration_cards import Card, card_file, card_json
from grice.judging.criterion import criterion
from grice.judging.prompt import load_prompt
from grice.stats.estimates import Estimate

CRITERIA = "from grice import criterion\nkind = criterion('kind', 'The reply is kind.')\n"
BODY = """
from rules import kind

def test_it(conversation):
    expect(conversation.say("Hi")).to_satisfy(kind)
"""


def project(pytester: pytest.Pytester, *settings: str) -> None:
    lines = ["[tool.grice]", 'judge_llm = "judges:Kind"', *settings]
    pytester.makepyprojecttoml("\n".join(lines) + "\n")
    pytester.makepyfile(rules=CRITERIA)


def write_card(pytester: pytest.Pytester, kappa: Estimate, folder: str = "cards") -> None:
    prompt = load_prompt("criterion")
    card = Card(
        judge="kind",
        model="kind-1",
        prompt="criterion",
        prompt_version=prompt.version,
        prompt_hash=prompt.hash,
        fingerprint=criterion("kind", "The reply is kind.").fingerprint,
        n=60,
        kappa=kappa,
    )
    path = pytester.path / folder / card_file(card)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(card_json(card))


def test_a_judge_without_a_card_decides_and_is_marked(pytester: pytest.Pytester, judged: Run) -> None:
    project(pytester)
    result = judged(test_it=BODY)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["1 hard verdict is by an LLM that nobody has compared * (uncalibrated)"])


def test_a_judge_without_the_card_that_is_required_fails_the_build(
    pytester: pytest.Pytester, judged: Run
) -> None:
    project(pytester, "require_card = true")
    result = judged(test_it=BODY)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*there is no calibration card for the judge 'kind' in cards; *pass, does not count*"]
    )


@pytest.mark.slow
def test_a_card_lets_a_judge_decide_until_it_is_stale(pytester: pytest.Pytester, judged: Run) -> None:
    project(pytester, "require_card = true", 'cards = "measured/cards"')
    write_card(pytester, Estimate(0.7, 0.5, 0.9, 60), "measured/cards")
    result = judged(test_it=BODY)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*uncalibrated*")
    pytester.makepyfile(rules=CRITERIA.replace("is kind", "is very kind"))
    import sys

    sys.modules.pop("rules", None)
    changed = judged(test_it=BODY)
    changed.assert_outcomes(failed=1)
    changed.stdout.fnmatch_lines(["*kind.kind-1.card.json in cards is stale: the criterion has changed*"])


def test_a_required_kappa_is_held_against_the_lower_end(pytester: pytest.Pytester, judged: Run) -> None:
    project(pytester, "require_card = 0.6")
    write_card(pytester, Estimate(0.7, 0.5, 0.9, 60))
    result = judged(test_it=BODY)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*shows too little agreement: kappa 0.70, *wanted at least 0.6*"])


def test_an_advisory_judge_cannot_fail_a_test_and_is_shown(pytester: pytest.Pytester, judged: Run) -> None:
    project(pytester, 'advisory = ["bad"]', "require_card = true")
    body = BODY.replace("kind", "bad")
    pytester.makepyfile(rules=CRITERIA.replace("kind = criterion('kind'", "bad = criterion('bad'"))
    result = judged(test_it=body)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["soft checks: 1 fail", "*soft fail *satisfy bad [[]advisory[]]: *"])


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("require_card = 2", "require_card: expected true, false, or the kappa*found 2"),
        ('require_card = "yes"', "require_card: expected true, false, or the kappa*"),
        (
            'advisory = "kind"',
            "advisory: expected true, false, or a list of *, found the string 'kind'",
        ),
        ('cards = "../cards"', "cards: expected the name of a folder below*"),
    ],
)
def test_wrong_settings_are_refused(pytester: pytest.Pytester, judged: Run, setting: str, said: str) -> None:
    project(pytester, setting)
    result = judged(test_it=BODY)
    result.stdout.fnmatch_lines([f"*pyproject.toml:3:1: [[]tool.grice[]] {said}"])
