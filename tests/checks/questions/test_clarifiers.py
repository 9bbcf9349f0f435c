"""ask_new_clarifiers and remember_answers tell questions by what they ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.checks.questions.clarifiers import ask_new_clarifiers
from grice.checks.questions.memory import remember_answers
from grice.checks.questions.questions import questions_of
from grice.checks.questions.slots import read_slots
from grice.matching.assertions.data_arguments import arguments_of
from grice.records import Turn
from structure_turns import conversation_of, refusal_of, reply_of, verdict_on

TABLE = read_slots(None)


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("What's your budget?", ["budget"]),
        ("How much would you like to spend?", ["budget"]),
        ("Could you tell me your budget, size and preferred color?", ["budget", "size", "colour"]),
        (
            "To look that up, I'll need your order number and the email used at checkout.",
            ["order number", "email"],
        ),
        ("Which city are you flying from?", ["origin"]),
        ("And when would you like to return?", ["return date"]),
        ("How many people will be joining?", ["people"]),
        ("What brand name do you prefer?", ["brand"]),
        ("Could you let me have the number of your order?", ["order number"]),
        ("Are you on Windows or on a Mac?", ["operating system"]),
        ("Would you like a single, a double or a twin?", ["room type"]),
        ("Please tell me the last 4 digits of your card.", ["card number"]),
        ("Did you get an error message?", ["error message"]),
        ("Does anyone in the group have dietary restrictions?", ["diet"]),
        ("Do you like the red one?", []),
        ("What boards fit your budget?", []),
        ("Would you like to see options within your budget?", []),
        ("Could you increase your budget a bit?", []),
        ("Thanks for sharing your email.", []),
        ("Let me know if you have any questions about your budget.", []),
        ("Would you like me to use the email address on file?", []),
    ],
)
def test_what_a_question_asks_for(text, slots):
    assert [one.slot.name for question in questions_of(text, TABLE) for one in question.asked] == slots


def test_the_place_of_a_question_is_that_in_the_original():
    text = "Nice\u200b choice! **What\u2019s your _budget_?** Thanks."
    [question] = questions_of(text, TABLE)
    assert question.text == text[question.start : question.end]
    assert question.text.startswith("What\u2019s your")


def test_a_failure_quotes_both_questions():
    reply = reply_of(("Hi", "What's your budget?"), ("I like red", "How much would you like to spend?"))
    verdict = verdict_on(reply, ask_new_clarifiers())
    both = "(both ask for budget)"
    asked = f"'How much would you like to spend?' was asked in turn 1: \"What's your budget?\" {both}"
    assert verdict.reason == asked
    assert [(one.turn, one.start, one.end) for one in verdict.evidence] == [(2, 0, 33), (1, 0, 19)]


def test_a_failure_of_memory_quotes_the_user():
    reply = reply_of(("I have about $500", "Fine."), ("Show me boards", "Sure. What is your price range?"))
    verdict = verdict_on(reply, remember_answers())
    assert verdict.outcome == "fail"
    asked = "'What is your price range?' is asked, and the user answered it in turn 1: '$500' (budget)"
    assert verdict.reason == asked
    assert verdict.evidence[1].turn == 1


CHANGES = {
    "apostrophes": lambda text: text.replace("'", "\u2019"),
    "case": str.upper,
    "markdown": lambda text: f"**{text}**",
    "invisible": lambda text: text.replace(" ", " \u200b"),
    "greeting": lambda text: f"Hi there! {text}",
    "pleasantry": lambda text: f"{text} Thanks so much!",
}
PAIRS = [
    ("What's your budget?", "How much would you like to spend?", "fail"),
    ("What's your budget?", "What size boots do you wear?", "pass"),
    ("Where are you flying from?", "Which airport will you depart from?", "fail"),
    ("Where are you flying from?", "What's your destination?", "pass"),
]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize(("first", "second", "outcome"), PAIRS)
def test_how_a_question_is_written_does_not_matter(first, second, outcome, change):
    reply = reply_of(("Hi", first), ("I like red", change(second)))
    assert verdict_on(reply, ask_new_clarifiers()).outcome == outcome
    answered = reply_of(("Hi", change(second)), ("no preference", change(second)))
    assert verdict_on(answered, remember_answers()).outcome == "fail"


@pytest.mark.parametrize("change", ["greeting", "case", "markdown", "invisible"])
@pytest.mark.parametrize(("answer", "outcome"), [("around $400", "fail"), ("What do they cost?", "pass")])
def test_how_an_answer_is_written_does_not_matter(answer, outcome, change):
    said = CHANGES[change](answer)
    reply = reply_of(("Hi", "What's your budget?"), (said, "How much would you like to spend?"))
    assert verdict_on(reply, remember_answers()).outcome == outcome


def test_every_reply_of_a_conversation_is_judged():
    conversation = conversation_of(
        ("Hi", "What's your budget?"), ("$400", "What size?"), ("10", "Your budget?")
    )
    for matcher in (ask_new_clarifiers(), remember_answers()):
        verdict = verdict_on(conversation, matcher)
        assert (verdict.outcome, verdict.turn) == ("fail", 3)


def test_a_turn_whose_history_is_not_known_is_inconclusive():
    turn = Turn(3, conversation_of(("Hi", "What size do you wear?")).turns[0].messages)
    assert verdict_on(turn, ask_new_clarifiers()).outcome == "inconclusive"
    assert verdict_on(turn, remember_answers()).outcome == "inconclusive"


@pytest.mark.parametrize(
    ("said", "reply", "question", "outcome"),
    [
        ("do you have it in green?", "Yes! What size?", "Which colour would you like?", "fail"),
        ("do you have it in green?", "Sorry, we don't. What size?", "Which colour would you like?", "pass"),
        ("do you have it in green or red?", "Both! What size?", "Which colour would you like?", "pass"),
        ("something in green or red", "OK! What size?", "Would you like the green or the red one?", "pass"),
        ("something in green", "OK! What size?", "Would you like green or red?", "fail"),
        ("something in green", "OK! What size?", "We're out of green. Which colour, then?", "fail"),
        ("something in green", "OK! What size?", "We don't have green. Which colour, then?", "pass"),
    ],
)
def test_a_choice_is_asked_for_once(said, reply, question, outcome):
    conversation = reply_of((said, reply), ("M", question))
    assert verdict_on(conversation, remember_answers()).outcome == outcome


@pytest.mark.parametrize(
    ("said", "question", "outcome"),
    [
        ("I'm a size 8 but these are for my mum", "What size is your mum?", "pass"),
        ("I'm a size 8", "What size do you wear?", "fail"),
        ("my mum wears a size 8", "What size does your mum wear?", "fail"),
        ("my mum wears a size 8", "And what size do you wear?", "pass"),
        ("I'm 34, and it's for my daughter", "How old is your daughter?", "pass"),
        ("I'm 34, and it's for me", "How old are you?", "fail"),
    ],
)
def test_what_is_known_of_one_person_is_not_known_of_another(said, question, outcome):
    assert verdict_on(reply_of((said, question)), remember_answers()).outcome == outcome


@pytest.mark.parametrize(
    ("said", "question", "outcome"),
    [
        ("A-55820", "And your email?", "pass"),
        ("A-55820, mia@web.de", "And your email?", "fail"),
        ("mia@web.de", "Could you share your order number and email?", "fail"),
        ("mia@web.de", "Thanks! And the order number?", "pass"),
    ],
)
def test_of_several_things_asked_what_was_not_answered_may_be_asked_again(said, question, outcome):
    conversation = reply_of(("Hi", "Could you give me your order number and email?"), (said, question))
    assert verdict_on(conversation, remember_answers()).outcome == outcome


def test_a_reply_in_a_language_without_a_table_is_inconclusive_with_its_reason():
    verdict = verdict_on(reply_of(("Jusqu'\u00e0 500 euros", "Quel est votre budget ?")), remember_answers())
    assert verdict.outcome == "inconclusive"
    assert verdict.reason.startswith("the text is in French")


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Wie hoch ist Ihr Budget?", ["budget"]),
        ("Wie viel m\u00f6chten Sie denn ausgeben?", ["budget"]),
        ("Welche Farbe und welche Gr\u00f6\u00dfe h\u00e4tten Sie gern?", ["colour", "size"]),
        ("Haben Sie eine Lieblingsfarbe?", ["colour"]),
        ("Bitte nennen Sie mir Ihre Bestellnummer.", ["order number"]),
        ("Wie lautet die Nummer Ihrer Bestellung?", ["order number"]),
        ("Und Ihr Name?", ["name"]),
        ("Wann m\u00f6chten Sie zur\u00fcckfliegen?", ["return date"]),
        ("F\u00fcr wie viele Personen?", ["people"]),
        ("Welche Sofas passen in Ihr Budget?", []),
        ("Soll ich Ihnen Sofas in dieser Farbe zeigen?", []),
        ("Darf ich Ihnen die Farbe Rot zeigen?", []),
        ("Danke f\u00fcr Ihre E-Mail.", []),
    ],
)
def test_what_a_german_question_asks_for(text, slots):
    table = read_slots(None, "de")
    assert [one.slot.name for question in questions_of(text, table) for one in question.asked] == slots


@pytest.mark.parametrize(
    ("question", "outcome"),
    [("Welche Schuhgr\u00f6\u00dfe?", "fail"), ("Welche Jackengr\u00f6\u00dfe?", "pass")],
)
def test_a_word_written_together_tells_whose_value_it_is(question, outcome):
    reply = reply_of(("Hallo", "Welche Schuhgr\u00f6\u00dfe tragen Sie?"), ("43", question))
    assert verdict_on(reply, ask_new_clarifiers()).outcome == outcome


def test_a_short_reply_is_in_the_language_of_those_before():
    reply = reply_of(("Hallo", "Welche Farbe m\u00f6chten Sie haben?"), ("Blau", "Farbe?"))
    assert verdict_on(reply, remember_answers()).outcome == "fail"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("I take two checked bags, can I choose a seat?", "fail"), ("Can I take two checked bags?", "pass")],
)
def test_what_is_told_before_a_question_is_told(said, outcome):
    reply = reply_of((said, "Sure."), ("Thanks", "How many bags will you check in?"))
    assert verdict_on(reply, remember_answers()).outcome == outcome


def test_an_indirect_question_asks_for_the_same():
    asked = [
        one.slot.name
        for text in ("How old are you?", "Could you tell me how old you are?")
        for question in questions_of(text, TABLE)
        for one in question.asked
    ]
    assert asked == ["age", "age"]


@pytest.mark.parametrize("rule", [ask_new_clarifiers, remember_answers])
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"slots": ["budget"]}, "slots is an object, found ['budget']"),
        (
            {"slots": {"seat": 3}},
            "slots['seat'] is a Slot, an object or a list of texts, found 3",
        ),
        ({"slots": {"seat": {"noun": []}}}, "slots.seat has an unknown field 'noun' (did you mean 'nouns'?)"),
        ({"language": ""}, "language is a language code such as 'en', found ''"),
        ({"profile": "x"}, "profile is 'seed' or 'robust', found 'x'"),
    ],
)
def test_wrong_arguments_are_refused(rule, arguments, problem):
    assert refusal_of(rule, **arguments) == problem


def test_slots_are_given_in_files():
    args, named = arguments_of(
        remember_answers,
        {"expected": {"slots": {"seat": {"nouns": ["seat"], "options": ["aisle"], "kind": "words"}}}},
    )
    reply = reply_of(("Hi", "Which seat?"), ("aisle", "What seat would you like?"))
    assert verdict_on(reply, remember_answers(*args, **named)).outcome == "fail"


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises(user, text):
    reply = reply_of(("Hi", "What's your budget?"), (user, text))
    for matcher in (ask_new_clarifiers(), remember_answers()):
        assert verdict_on(reply, matcher).outcome != "error"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["a? " * 33_000, "x" * 100_000, "what " * 20_000 + "?", "\u4f60" * 100_000, "?" * 100_000]
)
def test_long_replies_are_judged(text):
    reply = reply_of((text[:50_000], "What's your budget?"), ("ok", text))
    for matcher in (ask_new_clarifiers(), remember_answers()):
        assert verdict_on(reply, matcher).outcome != "error"
