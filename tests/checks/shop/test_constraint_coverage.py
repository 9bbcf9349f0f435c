"""What a recommendation covers of what the user wants: in words, and by the records of its products."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice import evaluate_assertions
from grice.checks.shop.constraints import Constraint, constraint, constraint_words, read_constraints
from grice.checks.shop.coverage import cover_constraints
from grice.matching.matcher import ArgumentError
from grice.records import Conversation, Reply, ToolCall
from semantic_talks import reply_to, turn_with, verdict_on


def shown(*reasons, **fields):
    """A recommendation of one product for these reasons."""
    product = {"id": "p1", "title": "Alto", "why": list(reasons), **fields}
    return {"mode": "recommend", "lead": "Here it is.", "detail": "In stock.", "products": [product]}


def on(constraints, envelope, **options):
    return verdict_on(reply_to("Show me some", "", data=envelope), cover_constraints(constraints, **options))


@pytest.mark.parametrize("count", range(6))
def test_the_share_that_is_mentioned_decides(count):
    words = ["waterproof", "warm", "light", "blue", "cheap"]
    verdict = on(words, shown(*words[:count]))
    assert verdict.outcome == ("pass" if count >= 3 else "fail")
    assert verdict.detail["mentioned"] == pytest.approx(count / 5)
    assert f"{count} of 5 mentioned" in verdict.reason


def test_evidence_is_the_place_in_the_original_reason():
    reason = "A **water\u200bproof** shell"
    verdict = on(["waterproof"], shown("Light", reason))
    (found,) = verdict.evidence
    assert found.path == "$.products[0].why[1]"
    assert reason[found.start : found.end] == found.quote == "water\u200bproof"


def test_both_figures_are_told_whichever_decides():
    record = {"p1": {"waterproof": False, "price": 349}}
    limits = ["waterproof", constraint("price", at_most=400)]
    said = on(limits, shown("Waterproof", price=349), records=record)
    real = on(limits, shown("Waterproof", price=349), records=record, by="record")
    assert (said.outcome, real.outcome) == ("pass", "fail")
    for verdict in (said, real):
        assert (verdict.detail["mentioned"], verdict.detail["record"]) == (1.0, 0.5)
        assert "the record contradicts 'waterproof' by p1" in verdict.reason


@pytest.mark.parametrize(
    ("reason", "wanted", "outcome"),
    [
        ("Up to 14 hours of battery", constraint("battery", at_least="10 hours"), "pass"),
        ("Up to 8 hours of battery", constraint("battery", at_least="10 hours"), "fail"),
        ("16 GB RAM and a 512 GB SSD", "16 GB RAM", "pass"),
        ("8 GB RAM and a 16 GB card", "16 GB RAM", "fail"),
        ("Weighs 4.2 lb", constraint("weight", at_most="2 kg"), "pass"),
        ("Costs €399", "under $400", "fail"),
        ("Costs $480", "about $400", "fail"),
        ("Nicht wasserdicht, aber leicht und warm", "wasserdicht", "fail"),
        ("Das ist leder-frei und sehr leicht", "kein Leder", "pass"),
    ],
)
def test_what_a_reason_says(reason, wanted, outcome):
    assert on([wanted], shown(reason)).outcome == outcome


@pytest.mark.parametrize(
    ("record", "wanted", "met"),
    [
        ({"waterproof": True}, "waterproof", "pass"),
        ({"waterproof": "no, only water resistant"}, "waterproof", "fail"),
        ({"waterproof": "yes, 15k"}, "waterproof", "pass"),
        ({"waterproof": "none"}, "no waterproof", "pass"),
        ({"leather": "no"}, constraint(never="leather"), "pass"),
        ({"features": ["warm", "waterproof"]}, "waterproof", "pass"),
        ({"specs": {"waterproof": {"rating": "15k"}}}, "warm", "inconclusive"),
        ({"price": "$399.00"}, constraint("price", at_most=400), "pass"),
        ({"price": {"amount": 449, "currency": "USD"}}, constraint("price", at_most=400), "fail"),
        ({"price": "1.299,00 €"}, constraint("price", at_most="1500 EUR"), "pass"),
        ({"price": None}, constraint("price", at_most=400), "inconclusive"),
        ({"price": "on request"}, constraint("price", at_most=400), "inconclusive"),
        ({"weight_kg": 1.4}, constraint("weight", at_most="1500 g"), "pass"),
        ({"weight": "2.1 kg"}, constraint("weight", at_most="1500 g"), "fail"),
        ({"battery": "up to 8 hours"}, constraint("battery", at_least="10 hours"), "fail"),
        ({"temperature": -9}, constraint("temperature", at_least=-15), "pass"),
        ({"sizes": ["S", "M", "L"]}, constraint("size", one_of=["M"]), "pass"),
        ({"akku": "12 Stunden"}, constraint("Akku", at_least="10 Stunden"), "pass"),
        ({"obermaterial": "Ganz ohne Leder und leicht"}, constraint(never="Leder"), "pass"),
        ({"flex": 4}, constraint("flex", at_most=5, at_least=3), "pass"),
        ({"flex": 7}, constraint("flex", at_most=5), "fail"),
        ({"skill_level": "beginner"}, constraint("skill level", one_of=["beginner", "intermediate"]), "pass"),
        ({"skill": "expert"}, constraint("skill", one_of=["beginner"]), "fail"),
        ({"material": "full-grain leather"}, constraint("material", never="leather"), "fail"),
        ({"material": "leather-free mesh"}, constraint("material", never="leather"), "pass"),
        ({"name": "Leather care kit"}, constraint(never="leather"), "fail"),
        ({"skill": "all_mountain"}, "all-mountain", "pass"),
        ({"size_in": 27, "refresh_hz": 165, "price": 329}, "27-inch", "pass"),
        ({"size_in": 24, "refresh_hz": 165, "price": 27}, "27-inch", "fail"),
        ({"size_in": 27, "refresh_hz": 165, "price": 329}, "at least 144 Hz", "pass"),
        ({"size_in": 27, "refresh_hz": 75, "price": 329}, "at least 144 Hz", "fail"),
        ({"width_in": 24, "size_in": 27}, "27-inch", "pass"),
        ({"size": 27, "price": 329}, "27-inch", "inconclusive"),
        ({"weight_kg": 2.5, "price": 4}, "under 3 kg", "pass"),
    ],
)
def test_what_a_record_says(record, wanted, met):
    assert on([wanted], shown("Nice"), records={"p1": record}, by="record").outcome == met


def test_records_come_from_the_tools_of_earlier_turns():
    call = ToolCall("product.search", {}, result=[{"id": "p1", "waterproof": True}])
    turns = (turn_with(1, "Boots?", "Which?", None, call), turn_with(2, "Any", "", shown("Light")))
    reply = Reply(Conversation(turns=turns), 2)
    assert verdict_on(reply, cover_constraints(["waterproof"], by="record")).outcome == "pass"


def test_what_the_records_leave_open_is_inconclusive_only_where_it_decides():
    record = {"p1": {"waterproof": True, "warm": True}}
    assert on(["waterproof", "warm", "blue"], shown(), records=record, by="record").outcome == "pass"
    assert on(["waterproof", "blue"], shown(), records=record, by="record").outcome == "inconclusive"


def test_a_price_below_nothing_meets_no_limit():
    assert on(["under $400"], shown("Soft", price=-1)).detail["mentioned"] == 0.0
    assert on(["under $400"], shown("Soft", price=1)).detail["mentioned"] == 1.0


def test_the_seed_looks_for_letters():
    assert on(["men", "red"], shown("women's fit", "reduced weight"), profile="seed").outcome == "pass"
    assert on(["men", "red"], shown("women's fit", "reduced weight")).outcome == "fail"
    assert on(["waterproof"], shown(), profile="seed").outcome == "fail"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("waterproof", "waterproof"),
        ({"name": "price", "atMost": 400}, "price at most 400"),
        ({"field": "size", "equals": "42"}, "size 42"),
        (constraint("skill", one_of=["a", "b"]), "skill one of a, b"),
        (constraint("material", never=["leather", "fur"]), "material no leather or fur"),
        (constraint("flex", at_least=3, at_most=5), "flex at least 3 at most 5"),
    ],
)
def test_constraints_are_values_with_words(given, words):
    (made,) = read_constraints([given])
    assert isinstance(made, Constraint)
    assert constraint_words(made) == str(made) == words


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (7, "constraints is a list, a Constraint, a text or an object"),
        ([7], "constraints[0] is a Constraint, a text or an object"),
        ([""], "constraints[0] has no name"),
        ([{"name": "x", "atmost": 3}], "did you mean 'atMost'"),
        ([{"name": "x", "atMost": "cheap"}], "a number, or a text with a number"),
        ([{"name": "x", "atMost": True}], "a number, or a text with a number"),
        ([{"name": "x", "atMost": 3, "never": "y"}], "write a constraint for each"),
        ([{"name": "x", "atLeast": 5, "atMost": 3}], "is over"),
        ([{"name": "x", "oneOf": [7]}], "a text or a list of texts"),
    ],
)
def test_wrong_constraints_are_named(given, said):
    with pytest.raises(ArgumentError) as caught:
        cover_constraints(given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"at_least": 0}, "at_least is a number above 0 and up to 1"),
        ({"at_least": 60}, "at_least is a number above 0 and up to 1"),
        ({"by": "records"}, "did you mean 'record'"),
        ({"records": "x"}, "records is an object or a list"),
        ({"synonyms": ["x"]}, "synonyms is an object"),
        ({"synonyms": {"x": [7]}}, "synonyms['x'][0] is a text"),
        ({"profile": "seed", "by": "record"}, "profile seed looks at what is mentioned"),
    ],
)
def test_wrong_options_are_named(options, said):
    with pytest.raises(ArgumentError) as caught:
        cover_constraints(["x"], **options)
    assert said in str(caught.value)


def test_as_data_a_list_or_an_object():
    data = shown("Waterproof", price=349)
    wants = ["waterproof", {"name": "price", "atMost": 400}]
    for expected in (wants, {"constraints": wants, "atLeast": 1, "by": "mentioned"}):
        asked = {"path": "$", "matcher": "toCoverConstraints", "expected": expected}
        found = evaluate_assertions(data, [asked])
        assert found.passed, found.results
    wrong = {"path": "$", "matcher": "toCoverConstraints", "expected": {"constraint": ["x"]}}
    assert evaluate_assertions(data, [wrong]).outcome == "error"


@given(
    st.lists(st.text(max_size=30), max_size=3),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ),
)
def test_no_envelope_and_no_record_makes_it_raise(reasons, value):
    wants = ["waterproof", constraint("price", at_most=400), constraint("material", never="leather")]
    records = {"p1": {"price": value, "material": value, "x": value}}
    for by in ("mentioned", "record", "both"):
        verdict = on(wants, shown(*reasons, price=value, badge=value), records=records, by=by)
        assert verdict.outcome in ("pass", "fail", "inconclusive")
