"""What the head of a journal says of a run: models, prompts, agent."""

from typing import Any

import pytest

import grice
from grice.identity import fingerprint
from grice.matchers import satisfy

GIVEN = [{"id": "a", "goal": "A room"}]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def head(**options: Any):
    options = {
        "checks": [lambda conversation: True],
        "user": grice.UserScript("Hi"),
        "journal": False,
    } | options
    return grice.run(GIVEN, **{"agent": lambda text: "Yes"} | options).experiment


def test_models_are_told_with_the_versions_of_the_prompts_that_they_are_asked_with(folder):
    (folder / "pyproject.toml").write_text("[tool.grice]\njudge_prompts = {criterion = 1}\n")
    made = head(judge_llm="openai:some-model", user_llm="openai:another")
    assert {use: one.model for use, one in made.models.items()} == {"judge": "some-model", "user": "another"}
    assert made.prompts.items() >= {"criterion": 1, "goal": 1, "user": 1, "user_template": 1}.items()


def test_without_models_there_are_no_prompts():
    made = head()
    assert (made.models, made.prompts) == ({}, {})


def test_an_agent_that_has_a_name_is_told(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    (folder / "rooms_of_head.py").write_text("def agent(text):\n    return 'Yes'\n")
    assert head(agent="rooms_of_head:agent").agent == "rooms_of_head:agent"
    assert head().agent == ""


# -- what identifies the configuration


def kind(text: str = "It is kind.") -> grice.Criterion:
    return grice.criterion("kind", text)


def brief(conversation: object) -> bool:
    return True


def test_criteria_count_by_name_in_any_order():
    brief_one = grice.criterion("brief", check=brief)
    one, two = head(criteria=[kind(), brief_one]), head(criteria=[brief_one, kind()])
    assert one.criteria == two.criteria == {"kind": (kind().fingerprint,), "brief": (brief_one.fingerprint,)}
    assert one.criteria_hash == two.criteria_hash == fingerprint(one.criteria)
    assert one.config_hash == two.config_hash
    other = head(criteria=[kind("It is friendly."), brief_one])
    assert (other.criteria_hash != one.criteria_hash, other.config_hash != one.config_hash) == (True, True)
    assert one.opaque == ("criterion brief",)


HELLO, BYE = grice.topic("hello", "They greet."), grice.topic("bye", "They part.")


def follow(*topics: grice.Topic) -> grice.Experiment:
    first, *others = topics
    return head(topics={first: tuple(others), **dict.fromkeys(others, ())}, ask=False)


def test_the_graph_counts_by_name_characteristic_and_successors():
    made = follow(HELLO, BYE)
    data = [["hello", "They greet.", ["bye"]], ["bye", "They part.", []]]
    assert made.topic_graph_hash == fingerprint(data)
    assert follow(HELLO, BYE.but(max_turns=3)).topic_graph_hash == made.topic_graph_hash
    assert follow(HELLO, BYE.but(characteristic="x")).topic_graph_hash != made.topic_graph_hash
    assert made.topic_graph == {"topics": ["hello", "bye"], "edges": [["hello", "bye"]]}


def test_what_topics_are_recognised_by_is_part_of_the_configuration_only():
    made = follow(HELLO, BYE)
    other = follow(HELLO, BYE.but(triggers=[grice.on_user_match("bye")]))
    by_code = follow(HELLO, BYE.but(triggers=[grice.on_condition(brief)]))
    assert other.topic_graph_hash == by_code.topic_graph_hash == made.topic_graph_hash
    assert len({one.config_hash for one in (made, other, by_code)}) == 3
    assert by_code.opaque == ("trigger brief of topic bye",)


@pytest.mark.slow
def test_played_users_have_a_hash_of_their_own_and_their_code_is_named():
    user = grice.SimulatedUser(role="a guest", stop_when=brief, rules=[brief_user])
    made = head(user=user, user_llm=never_asked)
    assert made.user_hash.startswith("sha256:")
    assert made.opaque == ("stop_when brief", "user rule brief_user")
    script = head(user=grice.UserScript("Hi", grice.when(lambda reply: True, "Bye").or_skip()))
    assert script.opaque == ("script condition <lambda>",)
    assert head(user=brief_user).opaque == ("user brief_user",)
    plain = head(user=grice.UserScript("Hi"))
    assert (plain.opaque, plain.user_hash) == ((), head(user=grice.UserScript("Hi")).user_hash)
    assert plain.user_hash != head(user=grice.UserScript("Ho")).user_hash


def brief_user(conversation: object) -> None:
    return None


def never_asked(messages: object) -> str:
    raise AssertionError


def test_criteria_that_are_given_to_checks_are_known_too():
    polite = grice.criterion("polite", "It is polite.")
    expected = {"kind": (kind().fingerprint,), "polite": (polite.fingerprint,)}
    assert head(checks=[satisfy(kind(), polite)], judge_llm=never_asked).criteria == expected
    greeting = HELLO.but(expect=[satisfy(kind()), polite])
    assert follow(greeting, BYE).criteria == expected
    assert head(checks=[satisfy(kind()), ~satisfy(kind("x"))]).criteria == {
        "kind": tuple(sorted([kind().fingerprint, kind("x").fingerprint]))
    }


def test_names_and_tags_are_kept():
    made = head(name="Prompt v2", tags=["rooms", "nightly"])
    assert (made.name, made.tags) == ("Prompt v2", ("rooms", "nightly"))
    with pytest.raises(ValueError, match="tags: expected a list of texts, found 'rooms'"):
        head(tags="rooms")
