"""Anchors and baselines as files, judging them anew, and the body of an issue."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from grice.files.document import FileErrors
from grice.judging.criterion import Criterion, criterion
from grice.judging.drift import Snapshot, compare
from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matching.protocols import LLMError
from grice.records import LLMMetadata, LLMRequest, LLMResponse
from grice.reporting.documents.drift import issue_document
from grice.reporting.renderers.markdown import document_markdown, mark_of
from grice.validation.drifting.anchors import AnchorSet, read_anchors
from grice.validation.drifting.baseline import baseline_json, drift_json, read_baseline
from grice.validation.drifting.rejudging import Rejudged, planned, rejudge

CRITERIA: dict[str, Criterion] = {
    "kind": criterion("kind", "The reply is kind."),
    "clear": criterion("clear", "The reply is clear.", at_least=4),
    "coded": criterion("coded", check=bool),
}
ALPHA = {"id": "a1", "judge": "naturalness", "scenario": "greeting", "user": "Hi", "text": "Hello, alpha!"}
BETA = {"id": "a2", "judge": "naturalness", "scenario": "greeting", "user": "Hi", "text": "Hey, beta!"}
GAMMA = {"id": "a3", "judge": "kind", "user": "Hi", "text": "Go away, gamma."}
WHEN = datetime(2026, 11, 22, 20, 0, tzinfo=timezone(timedelta(hours=2)))


def anchors_of(folder: Path, *rows: object, judge: str = "", name: str = "anchors.jsonl") -> AnchorSet:
    path = folder / name
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in rows))
    return read_anchors(path, CRITERIA, judge)


def scored(score: object, reason: str = "it is stiff") -> dict[str, Any]:
    return {"requirement": "r", "reasons": [reason], "score": score}


def voted(satisfied: bool) -> dict[str, Any]:
    return {"requirement": "r", "reasoning": "so it is", "quote": "", "satisfied": satisfied}


def judging(answers: Mapping[str, object], name: str = "m1") -> Judge:
    """A judge that answers by a word of the reply: an answer, or a list of them by sample."""

    def answer(request: LLMRequest) -> object:
        asked = str(request.messages[1]["content"])
        found = next(given for word, given in answers.items() if word in asked)
        return found[request.sample] if isinstance(found, list) else found

    return Judge(ScriptedLLM({"naturalness": answer, "criterion": answer}, name=name), criteria=CRITERIA)


def judged(given: AnchorSet, answers: Mapping[str, object], samples: int = 1, name: str = "m1") -> Rejudged:
    judge = judging(answers, name)
    return rejudge(judge, given.anchors, given.judges, samples=samples, now=lambda: WHEN)


def wrong_in(read: Callable[[], object]) -> list[str]:
    with pytest.raises(FileErrors) as refused:
        read()
    return [re.sub(r"^.*?\.jsonl?:", "", str(one)) for one in refused.value.errors]


# -- anchors


def test_an_anchor_has_a_judge_and_a_scenario(tmp_path: Path) -> None:
    own = {"id": 4, "text": "Delta.", "note": "hard", "label": True, "rater": "anna"}
    given = anchors_of(tmp_path, ALPHA, GAMMA, own, judge="clear")
    assert [(one.item.id, one.judge, one.scenario) for one in given.anchors] == [
        ("a1", "naturalness", "greeting"),
        ("a3", "kind", "a3"),
        ("4", "clear", "4"),
    ]
    assert {name: one.gate for name, one in given.judges.items()} == {
        "naturalness": 3.7,
        "kind": None,
        "clear": 4.0,
    }


@pytest.mark.parametrize(
    ("row", "same"),
    [
        ({**ALPHA, "note": "looked at again", "label": True}, True),
        (dict(reversed(ALPHA.items())), True),
        ({**ALPHA, "judge": "clear"}, False),
        ({**ALPHA, "scenario": "hello"}, False),
        ({**ALPHA, "text": "Hello, alpha"}, False),
        ({**ALPHA, "user": "Hello"}, False),
        ({**ALPHA, "earlier": ["Good day."]}, False),
    ],
)
def test_a_fingerprint_is_of_what_the_judge_is_shown(tmp_path: Path, row: object, same: bool) -> None:
    (before,), (now,) = (anchors_of(tmp_path, one).anchors for one in (ALPHA, row))
    assert (before.fingerprint == now.fingerprint) is same


def test_everything_wrong_with_anchors_is_told_at_once(tmp_path: Path) -> None:
    rows = [
        {**ALPHA, "judge": "naturalnes"},
        {**BETA, "id": "a1"},
        {"judge": "kind", "text": "No id."},
        {"id": "a5", "text": "No judge."},
        {**GAMMA, "judge": "coded"},
        {**GAMMA, "id": "a7", "judge": 3},
        {**GAMMA, "id": "a8", "scenario": " "},
        '{"id": "a9", "text": NaN}',
        {"id": "a10", "judge": "kind"},
    ]
    found = wrong_in(lambda: anchors_of(tmp_path, *rows))
    assert [line.partition(":")[0] for line in found] == [*"123456789"]
    told = "\n".join(found)
    for part in (
        "unknown judge 'naturalnes' (did you mean 'naturalness'?)",
        "the id 'a1' is that of line 1 too",
        "missing field 'id'",
        "which judge is this an anchor of?",
        "the criterion 'coded' is judged by code, which does not drift",
        "judge: expected a string, found the number 3",
        "scenario: expected a name",
        "NaN is no JSON number",
        "nothing to judge",
    ):
        assert part in told


def test_a_logged_conversation_needs_an_id_too_and_one_of_its_own(tmp_path: Path) -> None:
    talk = {
        "judge": "kind",
        "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}],
    }
    (said,) = wrong_in(lambda: anchors_of(tmp_path, talk))
    assert said == "1:1: missing field 'id': an anchor is known by it from run to run"
    labelled = [{**ALPHA, "label": True, "rater": one} for one in ("anna", "ben")]
    (said,) = wrong_in(lambda: anchors_of(tmp_path, *labelled))
    assert said.endswith("'a1' is the id of the anchor in line 1 too")
    assert anchors_of(tmp_path, {"id": "t", **talk}).anchors[0].item.subject.text == "Yo"


def test_the_same_anchor_twice_would_count_twice(tmp_path: Path) -> None:
    (said,) = wrong_in(lambda: anchors_of(tmp_path, ALPHA, {**ALPHA, "id": "a9", "scenario": "bye"}))
    assert said.startswith("2:1: the same as anchor 'a1' in line 1, for the same judge")
    assert len(anchors_of(tmp_path, ALPHA, {**ALPHA, "id": "a9", "judge": "clear"}).anchors) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no rows"), ("\n\n", "no rows"), ('{"id": "a", "judge": "kind"}', "nothing to judge")],
)
def test_a_set_without_anchors_is_an_error(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "anchors.jsonl"
    path.write_text(content)
    with pytest.raises(FileErrors, match=said):
        read_anchors(path, CRITERIA)


def test_a_judge_for_anchors_that_all_name_theirs_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(FileErrors, match="every anchor names its judge: --judge clear is of none"):
        anchors_of(tmp_path, ALPHA, judge="clear")


# -- judging anew


def test_every_sample_counts_and_yes_is_one(tmp_path: Path) -> None:
    given = anchors_of(tmp_path, ALPHA, BETA, GAMMA)
    answers = {
        "alpha": [scored(4), scored(4.2)],
        "beta": [scored(3), scored(3.3)],
        "gamma": [voted(True), voted(False)],
    }
    found = judged(given, answers, 2).snapshot
    assert found.created == "2026-11-22T18:00:00+00:00"
    state = found.judges["naturalness"]
    assert (state.model, state.prompt, state.graded, state.samples) == ("m1", "naturalness", True, 2)
    assert str(state.scenarios["greeting"].median) == "3.65"
    kind = found.judges["kind"]
    assert (kind.fingerprint, kind.graded) == (CRITERIA["kind"].fingerprint, False)
    assert str(kind.scenarios["a3"].median) == "0.5"


def test_what_is_no_answer_of_today_is_missing(tmp_path: Path) -> None:
    replayed = LLMResponse(json.dumps(scored(5)), metadata=LLMMetadata(model="m1", replayed=True))
    answers = {"alpha": replayed, "beta": LLMError("the provider is down")}
    found = (
        judged(anchors_of(tmp_path, ALPHA, BETA), answers)
        .snapshot.judges["naturalness"]
        .scenarios["greeting"]
    )
    assert found.given == ()
    assert "recording" in found.failures[0]
    assert "the provider is down" in found.failures[1]


@pytest.mark.parametrize("score", [0, 6, "4", None, float("nan")])
def test_a_score_that_is_none_is_missing(tmp_path: Path, score: object) -> None:
    found = judged(anchors_of(tmp_path, ALPHA), {"alpha": scored(score)}).snapshot
    assert found.judges["naturalness"].scenarios["greeting"].given == ()


# -- baselines


@pytest.fixture
def accepted(tmp_path: Path) -> tuple[AnchorSet, Snapshot, Path]:
    given = anchors_of(tmp_path, ALPHA, BETA, GAMMA)
    answers = {
        "alpha": [scored(4.1), scored(4.3)],
        "beta": [scored(4), scored(4)],
        "gamma": [voted(True)] * 2,
    }
    found = judged(given, answers, 2).snapshot
    path = tmp_path / "anchors.baseline.json"
    path.write_bytes(baseline_json(found))
    return given, found, path


def test_a_baseline_is_read_as_it_was_written(accepted: tuple[AnchorSet, Snapshot, Path]) -> None:
    given, found, path = accepted
    assert read_baseline(path) == found
    assert planned(given.anchors, given.judges).fingerprint == found.fingerprint
    content = json.loads(path.read_text())
    assert [*content] == ["version", "created", "anchors", "items", "judges"]
    greeting = content["judges"]["naturalness"]["scenarios"]["greeting"]
    assert greeting == {"median": "4.05", "scores": ["4.1", "4.3", "4", "4"]}


def _set(content: dict[str, Any], path: str, value: object) -> None:
    *steps, last = path.split("/")
    for step in steps:
        content = content[step]
    content[last] = value


GREETING = "judges/naturalness/scenarios/greeting"


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("version", 2, "version 2 of baselines is newer than this Grice reads (1): upgrade Grice"),
        ("version", 0, "version: expected 1, found 0"),
        ("version", "1", "version: expected an integer, found the string '1'"),
        ("judges", [], "judges: expected an object, found a list"),
        ("anchors", "sha256:0", "anchors: 'sha256:0' is not the fingerprint of the items below"),
        ("items/a1", 3, "items.a1: expected the fingerprint of an anchor, found the number 3"),
        ("judges/kind", 3, "judges.kind: expected an object, found the number 3"),
        ("judges/kind/graded", "no", "graded: expected true or false"),
        ("judges/kind/samples", 0, "samples: expected a number from 1 to 99, found 0"),
        ("judges/kind/extra", 0, "unknown field 'extra'"),
        (f"{GREETING}/scores", ["4.1", "4.3", "4", "NaN"], "expected a score such as '4.1', found 'NaN'"),
        (
            f"{GREETING}/scores",
            ["4.1", "4.3", "4", 4.0],
            "expected a score such as '4.1', found the number 4.0",
        ),
        (f"{GREETING}/scores", ["4.1", "4.3", "4", "40"], "expected a score from 1 to 5, found 40"),
        (f"{GREETING}/scores", ["4.1", "4.3", "4"], "scores: expected 2 an anchor, found 3"),
        (f"{GREETING}/scores", [], "scores: expected 2 an anchor, found 0"),
        (f"{GREETING}/median", "3.9", "median: 3.9 is not the median of the scores, which is 4.05"),
        (f"{GREETING}/median", "Infinity", "expected a score such as '4.1', found 'Infinity'"),
        ("judges/kind/scenarios/a3/scores", ["1", "2"], "expected a score from 0 to 1, found 2"),
    ],
)
def test_a_baseline_that_was_tampered_with_is_refused(
    accepted: tuple[AnchorSet, Snapshot, Path], where: str, value: object, said: str
) -> None:
    path = accepted[2]
    content = json.loads(path.read_text())
    _set(content, where, value)
    path.write_text(json.dumps(content, indent=2))
    assert any(said in one for one in wrong_in(lambda: read_baseline(path)))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"version": 1}', "\ufeff3", '{"version": true}'])
def test_what_is_no_baseline_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.baseline.json"
    path.write_text(content)
    with pytest.raises(FileErrors, match=r"x\.baseline\.json"):
        read_baseline(path)


# -- what is written


def test_an_issue_says_all_that_is_needed_and_nothing_in_it_acts(tmp_path: Path) -> None:
    hostile = "@octocat see #1 | `x` [y](http://z) <img src=q>\n# Title \x1b[31m\u202e"
    row = {**ALPHA, "text": f"alpha {hostile}"}
    given = anchors_of(tmp_path, row, BETA, GAMMA)
    rest = {"beta": scored(4), "gamma": voted(True)}
    before = judged(given, {"alpha": scored(4.2), **rest}).snapshot
    now = judged(given, {"alpha": scored(2, hostile), **rest}, name="m|2")
    drift = compare(before, now.snapshot)
    issue = issue_document(
        drift, given.anchors, now.verdicts, files=("a.jsonl", "my b.json"), options=("--judge", "kind")
    )
    body = document_markdown(issue)
    assert body.startswith(
        f"{mark_of('drift')}\n\n### ✗ Grice: Drift: naturalness fell by 1.1 on greeting.\n"
    )
    assert "1 of 2 scenarios dropped by 0.5 or more." in body
    assert "Changed: the model of naturalness, m1 -&gt; m\\|2" in body
    assert "| naturalness | greeting | 4.1 (4-4.2) | 3 (2-4) | -1.1 | critical | one only |" in body
    assert "| kind | a3 | 1 | 1 | 0 |  | one only |" in body
    assert "```\ngrice validate drift a.jsonl --baseline 'my b.json' --judge kind --accept\n```" in body
    assert "\x1b" not in body
    assert "\u202e" not in body
    assert body.count("octocat") == 2  # in what the judge said and in the reply
    assert not re.search(r"@octocat|(?<!\w)#1|http://|(?<!\\)\[y|<img|^# Title", body, re.MULTILINE)


def test_the_json_of_a_comparison_has_exact_numbers(tmp_path: Path) -> None:
    given = anchors_of(tmp_path, ALPHA)
    before, now = (judged(given, {"alpha": scored(one)}).snapshot for one in (4.1, 3.6))
    written = json.loads(drift_json(compare(before, now)))
    assert (written["version"], written["complete"], written["dropped"]) == (1, True, 1)
    (one,) = written["scenarios"]
    assert (one["then"], one["now"], one["change"], one["level"]) == ("4.1", "3.6", "-0.5", "warning")
