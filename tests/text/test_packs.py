"""A language is a folder of vocabulary; what it lacks is named, and its rules tell nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import grice.text.packs
from grice.checks.questions.answer_patterns import Patterns, patterns
from grice.matchers import (
    ask_new_clarifiers,
    avoid_boilerplate,
    avoid_factual_contradiction,
    avoid_self_contradiction,
    remember_answers,
)
from grice.matching.matcher import Matcher
from grice.records import Outcome
from grice.text.packs import known_packs, languages, pack_of, use_vocabulary, vocabulary
from grice.text.packs.records import (
    KINDS,
    ClaimWords,
    QuestionWords,
    RoboticFamily,
    RoboticPhrases,
    Slot,
    SlotWords,
    Words,
    expanded,
)
from structure_turns import conversation_of, reply_of, verdict_on

FOLDER = Path(grice.text.packs.__file__).parent
FOLDERS = sorted(one.parent for one in FOLDER.glob("*/words.json"))

LACKS = {
    "english": set(),
    "german": {
        *("actions", "claims", "prices", "self_contradiction", "speaker"),
    },
}
"""The kinds of words that a language does not have: rules that need them tell nothing on its texts."""

EMPTY = {
    "english": {"case_endings", "decimal_comma"},
    "german": {
        *("contracted", "contractions", "ie_plurals", "irregular_plurals", "irregular_verbs"),
        *("negation_endings", "negation_phrases", "no_participles", "word_negations", "work_words"),
    },
}
"""The tables that stay empty in the words of a language."""


@pytest.fixture
def unchanged() -> Iterator[None]:
    """Packs without what a test adds to them."""
    yield
    use_vocabulary({})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda one: one.name)
def test_a_language_says_what_it_lacks(folder: Path) -> None:
    files = {one.stem for one in folder.glob("*.json")}
    assert files <= KINDS.keys()
    assert KINDS.keys() - files == LACKS[folder.name]
    words = json.loads((folder / "words.json").read_text("utf-8"))
    assert set(Words.__struct_fields__) - words.keys() == EMPTY[folder.name]


def test_every_folder_is_a_language() -> None:
    named = [languages().names[code].lower() for code in known_packs()]
    assert sorted(named) == [one.name for one in FOLDERS]


@pytest.mark.parametrize("code", known_packs())
@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda one: one.file)
def test_the_parts_that_patterns_name_are_there(kind: type, code: str) -> None:
    found = vocabulary(kind, code)
    parts = getattr(found, "lists", {}) if kind.file != "actions" else {}
    parts = {name: one if isinstance(one, str) else "|".join(one) for name, one in parts.items()}
    for family in getattr(found, "families", ()):
        assert "<" not in expanded(family.pattern, parts).replace("(?<", "").replace("(?P<", "")
    if kind.file == "slot_values":
        made = patterns(code)
        assert all(getattr(made, name) is not None for name in Patterns.__struct_fields__ if name != "pair")


def test_a_language_is_found_by_any_form_of_its_code() -> None:
    assert vocabulary(SlotWords, "en-GB") is vocabulary(SlotWords, "EN") is not None


def test_a_language_without_a_folder_has_no_words() -> None:
    assert vocabulary(ClaimWords, "fr") is None
    assert vocabulary(ClaimWords, "no such code") is None


GERMAN = (
    ("Ist das Zimmer am Montag frei?", "Ja, das Zimmer ist am Montag frei. Es kostet 80 Euro."),
    ("Also ist es am Montag frei?", "Nein, das Zimmer ist am Montag nicht frei. Es kostet 90 Euro."),
)


@pytest.mark.parametrize("matcher", [avoid_self_contradiction(), avoid_factual_contradiction()])
def test_a_rule_whose_words_a_language_lacks_is_never_green(matcher: Matcher[Any]) -> None:
    verdict = verdict_on(conversation_of(*GERMAN), matcher)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "German" in verdict.reason


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("matcher", [ask_new_clarifiers(language="de"), remember_answers(language="de")])
def test_questions_in_a_language_without_words_for_them_tell_nothing(
    matcher: Matcher[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = grice.text.packs.Path.is_file
    missing = ("questions.json", "slots.json")
    monkeypatch.setattr(
        "pathlib.Path.is_file", lambda self: self.name not in missing and real(self), raising=True
    )
    use_vocabulary({"de": {}})  # what was read before is forgotten
    verdict = verdict_on(
        reply_of(("Hallo", "Welche Größe möchten Sie?"), ("Klein", "Welche Farbe?")), matcher
    )
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "German" in verdict.reason


@pytest.mark.usefixtures("unchanged")
def test_added_words_join_those_of_the_language() -> None:
    known = vocabulary(QuestionWords, "en")
    jargon = RoboticPhrases(
        families=(RoboticFamily("jargon", r"per my last <ticket>"),), lists={"ticket": "ticket"}
    )
    board = SlotWords(slots={"board_length": Slot(nouns=("board length",)), "budget": Slot(nouns=("kitty",))})
    use_vocabulary(
        {"en": {"robotic_phrases": jargon, "slots": board, "words": Words(negations=frozenset({"nae"}))}}
    )
    assert verdict_on("Per my last ticket, it ships today.", avoid_boilerplate()).outcome is Outcome.FAIL
    assert verdict_on("As an AI, I cannot help with that.", avoid_boilerplate()).outcome is Outcome.FAIL
    slots = vocabulary(SlotWords, "en").slots
    assert slots["board_length"].nouns == ("board length",)
    assert "kitty" in slots["budget"].nouns
    assert {"spend", "budget"} & {*slots["budget"].nouns}
    assert slots["budget"].kind == "money"
    assert {"nae", "not"} <= pack_of("en").negations
    assert vocabulary(QuestionWords, "en").offers == known.offers


@pytest.mark.usefixtures("unchanged")
def test_added_words_go_with_the_next_vocabulary() -> None:
    use_vocabulary({"en": {"words": Words(negations=frozenset({"nae"}))}})
    use_vocabulary({})
    assert "nae" not in pack_of("en").negations
