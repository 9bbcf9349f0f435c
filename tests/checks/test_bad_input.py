"""Whatever a reply looks like, every rule has an outcome: none raises, and none breaks."""

from __future__ import annotations

import pytest

from grice.checks.rules import RULES
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Conversation, Message, Outcome, Reply, ToolCall, Turn

ARGUMENTS = {
    "tool-minimality": {"intent": "recommendation"},
    "sentences": {"limit": 2},
    "budget": {"budget": {"max": 400, "currency": "USD"}, "drivers": {"rating": "higher"}},
    "coverage": {"constraints": ["waterproof", "under $400", {"name": "price", "at_most": 400}]},
    "policy": {"card": {"returns": {"window_days": 30}, "note": None}},
    "evidence": {"facts": [{"id": "a", "price": "349", "tags": [None, "soft"], "nested": {"deep": [[1]]}}]},
}
TEXTS = {
    "nothing": "",
    "white space": " \n\t\u200b ",
    "one word": "Yes",
    "no full stop": "no final punctuation here",
    "bullets": "- one\n* two\n1. three\n   - nested",
    "table": "| a | b |\n|---|---|\n| $3 | 4 kg |",
    "code": "```python\nassert x != 3!\n```\nand `y!`",
    "URL": "See https://example.com/a?b=1&c=%20#d or example.com.",
    "emoji": "😀👍🏽🇩🇪👨‍👩‍👧",
    "Chinese": "你好。我可以帮你。这件商品三十天内可以退货!",
    "Arabic": "هل تريد المساعدة؟ السعر ٣٥٠ دولار.",
    "mixed scripts": "Привет, the price is ３５０ 円 и всё 😀",
    "HTML": "<script>alert('x')</script><b>Only</b> &euro;399 &amp; up<br>",
    "half surrogates": "half \ud800 of a \udfff pair",
    "controls": "a\x00b\x07c\x1b[31mred\x1b[0m\r\nd",
    "direction marks": "\u202eevil\u202c text",
    "double envelope": '{"lead": "{\\"lead\\": \\"x\\"}"}{"lead": "y"}',
    "broken envelope": '{"lead": "x", "products": [',
    "only marks": "?!?!?! ... --- *** ___",
    "huge number": "It costs $" + "9" * 400 + " and 1e999 kg.",
    "long word": "a" * 5_000,
    "long reply": "It's $30, isn't it? Returns within 30 days! " * 100,
    "brackets": "([{" * 500,
}
DATA = {
    "no envelope": None,
    "nulls": {"lead": None, "detail": None, "products": None, "clarifiers": None, "mode": None},
    "a list": [1, 2],
    "a text": "lead",
    "empty": {},
    "wrong types": {"lead": 3, "detail": ["x"], "products": "a", "clarifiers": {"label": 1}},
    "odd products": {
        "mode": "recommend",
        "lead": "Here you are.",
        "detail": "Look.",
        "products": [
            {"title": "no id", "price": "abc", "why": ["x"]},
            {"id": "zzz", "price": None, "why": [""]},
            {"id": 5, "price": -3, "why": [None, 3]},
            {"id": "e", "price": "1.299,00 €", "why": "soft"},
            {"id": "f", "price": {"amount": "12", "currency": "JPY"}, "why": []},
            {"id": "g", "price": float("nan"), "why": ["Under $300"]},
            None,
            "a product",
        ],
        "clarifiers": [None, "Size?", {"label": ""}, {"value": "x"}, {"label": "Budget?", "value": 3}],
    },
}


EARLIER = Turn(1, (Message("user", "boots, size 42, $400"), Message("assistant", "What's your budget?")))
CALL = ToolCall("product.search", result=[{"id": "e", "price": 3, "odd": {"x": None}}, None, "text", 4])
SAID = (Message("user", "boots"), Message("assistant", "Here you are."))
TURNS = {
    **{
        name: Turn(2, (Message("user", text), Message("assistant", text)), (CALL,))
        for name, text in TEXTS.items()
    },
    **{name: Turn(2, SAID, (CALL,), data=data) for name, data in DATA.items()},
    "silent": Turn(2, (Message("user", "boots"),)),
}
NOTHING = ("nothing", "white space", "silent")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("profile", ["seed", "robust"])
def test_a_reply_of_any_kind_has_an_outcome(rule, profile):
    chosen = {"profile": profile} if "profile" in rule.factory.parameters else {}
    matcher = rule.factory(**ARGUMENTS.get(rule.name, {}), **chosen)
    for name, turn in TURNS.items():
        conversation = Conversation("c", (EARLIER, turn))
        for subject in (Reply(conversation, 2), turn, conversation):
            seen = resolve_subject(subject)
            verdict = judge(matcher, seen.subject, seen.context)
            assert "raised" not in verdict.reason, (name, verdict.reason)
            if name in NOTHING and profile == "robust" and rule.layer and subject is not conversation:
                assert verdict.outcome in (Outcome.INCONCLUSIVE, Outcome.SKIPPED), (name, verdict.reason)
