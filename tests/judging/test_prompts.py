"""Prompts are files that never change once they were released."""

import re

import pytest
from judged import YES, reply, scripted, verdict_on

from grice.judging.answer_schemas import (
    ClaimsAnswer,
    CriterionAnswer,
    EntailmentAnswer,
    GoalAnswer,
    GradedAnswer,
    IntentAnswer,
    ScoreAnswer,
    TopicAnswer,
    VerifiedAnswer,
    schema_of,
)
from grice.judging.judge import Judge
from grice.judging.prompt import load_prompt, prompt_names, prompt_versions
from grice.judging.satisfy_criteria import satisfy

RELEASED = {
    ("conduct", 1): "ed5731ad8c0e9f31dcca321571344bb232369e71c88dfd5e2013057e23958705",
    ("context_use", 1): "9c049a7ca28fabcf7fd53468b128119f90195d12812ac84c370b73642a1dd513",
    ("criterion", 1): "e6197a3dce3c678ab1c512bce922cfe1775631ce664c517633359e92400b7dc4",
    ("criterion_graded", 1): "989606aa2fff376303ca04f5cfc9aa496f07dc2552a3e6b829c1f280a320a50d",
    ("entailment", 1): "25bb2dfd9eda09abf77177ae8db87fdceb2a368d38ed7018d499067c52d36d8a",
    ("forbidden_claims", 1): "69a59d8fcb5bbe38fe2752070b68b6a7989aae42068bb8f0097cd613ce575212",
    ("goal", 1): "8c7651bd0e9d213ecaacc33e2820407a19211f02a401f927fe2085045dcd732f",
    ("grounding", 1): "79071569118a5f992c7dab15cd50fc75fe3c4c6d693cd925d256d17cb5129400",
    ("guidance", 1): "94a3e8311b12a97b8e2953202fddd5ae7912cf723dcf91c3278b7f70239db10d",
    ("intent", 1): "82b8abcacbda16a12293225bdd531e065b34c51a7c770ea34efe986a2819f803",
    ("naturalness", 1): "afe37d095a14a41b94dbb43b5cc20175056382a0efbea99b0f34827e409f7353",
    ("topic", 1): "08253bb6d7401808838b9dd1951fb2e7d77c7634420e93b7a49030bf3b62a8ae",
    ("verification", 1): "81e0d7644e353613fb53162dd45e2449cf2923238243c7fb1f1c68e8a02bd20d",
}
NEW_VERSION = (
    "a released prompt never changes: give the new text a new version, {name}.v{next}.md, and pin it"
)


def test_every_released_prompt_is_still_as_it_was():
    found = {
        (name, version): load_prompt(name, version).hash
        for name in prompt_names()
        for version in prompt_versions(name)
    }
    for (name, version), pinned in RELEASED.items():
        wrong = NEW_VERSION.format(name=name, next=prompt_versions(name)[0] + 1)
        assert found.get((name, version)) == pinned, wrong
    assert found.keys() == RELEASED.keys(), "pin the hash of the new version here"


def test_the_latest_version_is_the_default(tmp_path, monkeypatch):
    from grice.judging import prompt

    for version, text in ((1, "one {{a}}"), (2, "two"), (10, "ten")):
        (tmp_path / f"hello.v{version}.md").write_text(f"=== system ===\nS\n\n=== user ===\n{text}\n")
    (tmp_path / "torn.v1.md").write_text("no parts")
    (tmp_path / "notes.txt").write_text("no prompt")
    monkeypatch.setattr(prompt, "FOLDER", tmp_path)
    load_prompt.cache_clear()
    try:
        assert (load_prompt("hello").version, load_prompt("hello").user) == (10, "ten")
        assert load_prompt("hello", 1).placeholders == {"a"}
        with pytest.raises(LookupError, match="has no version 3: 1, 2, 10"):
            load_prompt("hello", 3)
        with pytest.raises(LookupError, match=r"no prompt 'helo' \(did you mean 'hello'\?\): hello, torn"):
            load_prompt("helo")
        with pytest.raises(LookupError, match="has not the parts"):
            load_prompt("torn")
    finally:
        load_prompt.cache_clear()


def test_a_judge_may_keep_to_an_older_version():
    llm = scripted(criterion=YES)
    verdict = verdict_on(reply(), satisfy("Is kind."), llm, prompts={"criterion": 1})
    assert (verdict.judgement.version, verdict.judgement.prompt_hash) == (1, load_prompt("criterion", 1).hash)
    with pytest.raises(LookupError, match="has no version 99"):
        Judge(llm, prompts={"criterion": 99})


def test_values_are_never_searched_for_placeholders():
    prompt = load_prompt("intent")
    filled = prompt.fill({"tag": "t", "material": "{{name}}", "name": "N", "intent": "{{tag}}"})
    assert "{{name}}" in filled
    assert "{{tag}}" in filled
    with pytest.raises(ValueError, match="the prompt intent wants"):
        prompt.fill({"tag": "t"})


def test_an_empty_value_leaves_no_gap():
    prompt = load_prompt("criterion")
    values = {name: name for name in prompt.placeholders}
    assert "\n\n\n" not in prompt.fill({**values, "examples": ""})


@pytest.mark.parametrize("name", prompt_names())
def test_every_prompt_says_what_is_data_and_asks_for_a_requirement_first(name):
    prompt = load_prompt(name)
    assert "never addressed to you" in prompt.system
    assert "one JSON object" in prompt.system
    assert prompt.user.startswith("The material stands between <{{tag}}> and </{{tag}}>")
    fields = re.findall(r'^- "([a-z_]+)":', prompt.user, re.MULTILINE)
    assert fields[0] == "requirement"
    assert "(" not in re.sub(r"\([^()]*\)", "", prompt.user)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("criterion", CriterionAnswer),
        ("criterion_graded", GradedAnswer),
        ("grounding", ClaimsAnswer),
        ("forbidden_claims", ClaimsAnswer),
        ("intent", IntentAnswer),
        ("goal", GoalAnswer),
        ("naturalness", ScoreAnswer),
        ("guidance", ScoreAnswer),
        ("context_use", ScoreAnswer),
        ("topic", TopicAnswer),
        ("verification", VerifiedAnswer),
        ("entailment", EntailmentAnswer),
    ],
)
def test_every_prompt_asks_for_the_fields_of_its_answer_in_their_order(name, answer):
    schema = schema_of(answer)
    told = re.findall(r'^( *)- "([a-z_]+)":', load_prompt(name).user, re.MULTILINE)
    assert [field for indent, field in told if not indent] == list(schema["properties"])
    within = [field for indent, field in told if indent]
    if within:
        [held] = [one for one in schema["properties"].values() if one.get("type") == "array"]
        assert within == list(held["items"]["properties"])


@pytest.mark.parametrize("name", ["criterion_graded", "naturalness", "guidance", "context_use"])
def test_scores_have_anchors(name):
    prompt = load_prompt(name)
    assert "{{anchors}}" in prompt.user or all(f"\n{score}: " in prompt.user for score in range(1, 6))
