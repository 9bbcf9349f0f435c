"""The concierge: one conversation about monitors, turn by turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import wording
from .catalogue import Catalogue, Wishes
from .tools import Tools
from .understanding import Heard, understand

SLOTS = ("use", "max_price")
"""What is asked for before anything is recommended, unless the user wants to see something at once."""


@dataclass
class Draft:
    """What a turn is going to say and show. `why_tools` is for the `meta` of the envelope."""

    lead: str
    detail: str
    mode: str = "chat"
    clarifiers: list[dict[str, str]] = field(default_factory=list)
    products: list[dict[str, Any]] = field(default_factory=list)
    why_tools: str = ""


class Concierge:
    """Answers for one conversation: it keeps what the user wishes, what it asked, and what it showed."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.wishes: dict[str, Any] = {}
        self.asked: set[str] = set()
        self.shown: list[dict[str, Any]] = []
        self.said: Counter[str] = Counter()
        self.searched: Wishes | None = None

    def metadata(self) -> dict[str, str]:
        """What runs, for reports."""
        return {"fault": "none"}

    def chat(
        self, messages: Sequence[Mapping[str, Any]], on_tool_call: Callable[..., object]
    ) -> dict[str, Any]:
        """Answer the last message."""
        heard = understand(str(messages[-1]["content"]))
        tools = Tools(self.catalogue, on_tool_call)
        changed = {name for name, value in heard.wishes.items() if self.wishes.get(name) not in (None, value)}
        self.wishes = {name: value for name, value in (self.wishes | heard.wishes).items() if value}
        draft = self.draft(heard, tools, changed=bool(changed))
        return {"text": f"{draft.lead} {draft.detail}".strip(), "data": self._envelope(draft, tools)}

    def draft(self, heard: Heard, tools: Tools, *, changed: bool = False) -> Draft:
        """What this turn says."""
        answer: Callable[[Heard, Tools], Draft] = getattr(self, f"_on_{heard.intent}")
        if changed and heard.intent in ("shopping", "other"):
            return self.recommend(tools, self._say("updated", wording.UPDATED))
        return answer(heard, tools)

    # -- talk

    def _on_greeting(self, heard: Heard, tools: Tools) -> Draft:
        return self._asking(self._say("greeting", wording.GREETINGS))

    def _on_education(self, heard: Heard, tools: Tools) -> Draft:
        return Draft(*wording.GLOSSARY[heard.about])

    def _on_friction(self, heard: Heard, tools: Tools) -> Draft:
        return self._asking(self._say("comfort", wording.COMFORT), before=self._say("relief", wording.RELIEF))

    def _on_other(self, heard: Heard, tools: Tools) -> Draft:
        return self._asking(self._say("pivot", wording.PIVOTS))

    def _on_thanks(self, heard: Heard, tools: Tools) -> Draft:
        return Draft(self._say("thanks", wording.THANKS), self._say("farewell", wording.FAREWELL))

    # -- the shop

    def _on_policy(self, heard: Heard, tools: Tools) -> Draft:
        card = tools.policy(heard.about)[heard.about]
        draft = Draft(*wording.POLICIES[heard.about](card))
        draft.why_tools = f"The store card says what we promise about {heard.about}."
        return draft

    def _on_store(self, heard: Heard, tools: Tools) -> Draft:
        shop = tools.store_info()
        draft = Draft(f"We're here {shop['support_hours']}.", self._say("offer", wording.OFFERS))
        draft.why_tools = "The store card has the opening hours."
        return draft

    # -- monitors

    def _on_shopping(self, heard: Heard, tools: Tools) -> Draft:
        missing = [slot for slot in SLOTS if slot not in self.wishes and slot not in self.asked]
        if not self.wishes or (missing and not heard.now):
            return self._asking(self._say("asking", wording.ASKING))
        return self.recommend(tools, self._say("recommending", wording.RECOMMENDING))

    def _on_more(self, heard: Heard, tools: Tools) -> Draft:
        return self._on_shopping(Heard("shopping", {}, now=True), tools)

    def _on_which(self, heard: Heard, tools: Tools) -> Draft:
        named = self.catalogue.named_in(heard.text)
        chosen = named or next(iter(self.shown), None)
        if chosen is None:
            return self._asking(self._say("asking", wording.ASKING))
        record = tools.details(chosen["id"]) or chosen
        draft = Draft(f"I'd go for the {record['title']}.", wording.described(record))
        draft.why_tools = "The details of the monitor that the user asked about."
        return draft

    def _on_stock(self, heard: Heard, tools: Tools) -> Draft:
        record = self.catalogue.named_in(heard.text) or next(iter(self.shown), None)
        if record is None:
            return Draft("I'd be glad to check.", "Which monitor are you thinking of?")
        if tools.stock(record["id"])["in_stock"]:
            draft = Draft(
                f"Yes, the {record['title']} is in stock.", f"It's {wording.money(record['price'])}."
            )
            draft.why_tools = "The user asked whether it is in stock."
            return draft
        gone = f"The {record['title']} isn't in stock right now."
        found = tools.search(Wishes(**like(record)), limit=2)
        if len(found) < 2:
            return Draft(gone, "I haven't got one like it either.")
        draft = self._showing(found, gone, wording.compared(found, "gaming"))
        draft.why_tools = "The user asked whether it is in stock; it is not, so two that are like it."
        return draft

    def recommend(self, tools: Tools, lead: str) -> Draft:
        """Up to three monitors that fit, else what stands in the way."""
        wishes = self._wishes()
        seen = tuple(one["id"] for one in self.shown if wishes == self.searched)
        found = tools.search(wishes, without=seen)
        if len(found) < 2:
            return self._dead_end(tools, wishes)
        self.searched = wishes
        words = {"count": wording.COUNTS[len(found)], "use": wording.USE_WORDS[wishes.use]}
        draft = self._showing(found, lead.format(**words), wording.compared(found, wishes.use))
        draft.why_tools = "The wishes of the user are enough to search by."
        return draft

    def _dead_end(self, tools: Tools, wishes: Wishes) -> Draft:
        """Nothing fits: what the nearest costs, and two ways on."""
        nearest = tools.search(replace(wishes, max_price=None, use=""), limit=1)
        what = _what(wishes)
        if not nearest:
            return Draft(
                f"We don't carry {what} at the moment.", "I'd look at another size or resolution with you."
            )
        record = nearest[0]
        draft = Draft(
            f"There isn't {what} at {wording.money(wishes.max_price or 0)} or less in our range.",
            f"There's the {record['title']} for {wording.money(record['price'])}. "
            "Would you stretch to that, or shall we leave something out?",
        )
        draft.clarifiers = [
            {"label": f"Show me the {record['title']}", "value": record["id"]},
            {"label": "Leave something out", "value": "fewer_wishes"},
        ]
        draft.why_tools = "Nothing fits all wishes; the second search leaves the price open."
        return draft

    # -- how it is said

    def _asking(self, lead: str, before: str = "") -> Draft:
        """A reply that asks for what is missing, each thing once; then it offers to go on."""
        slot = next((one for one in SLOTS if one not in self.wishes and one not in self.asked), "")
        asks = wording.QUESTIONS[slot] if slot else self._say("offer", wording.OFFERS)
        draft = Draft(lead, f"{before} {asks}".strip())
        if slot:
            self.asked.add(slot)
            choices = [*wording.CHOICES[slot], ("Something else", "_something_else")]
            draft.clarifiers = [{"label": label, "value": value} for label, value in choices]
        return draft

    def _showing(self, found: list[dict[str, Any]], lead: str, detail: str) -> Draft:
        self.shown = [*found, *self.shown]
        draft = Draft(lead, detail, mode="recommend")
        use, most = self.wishes.get("use", ""), self.wishes.get("max_price")
        draft.products = [
            {
                "id": one["id"],
                "title": one["title"],
                "price": one["price"],
                "image": "monitor.svg",
                "why": wording.reasons(one, use, most),
            }
            for one in found
        ]
        return draft

    def _say(self, name: str, ways: Sequence[str]) -> str:
        """The next way to say it."""
        way = ways[self.said[name] % len(ways)]
        self.said[name] += 1
        return way

    def _wishes(self) -> Wishes:
        return Wishes(**self.wishes)

    @staticmethod
    def _envelope(draft: Draft, tools: Tools) -> dict[str, Any]:
        return {
            "mode": draft.mode,
            "lead": draft.lead,
            "detail": draft.detail,
            "clarifiers": draft.clarifiers,
            "allow_freeform": True,
            "products": draft.products,
            "meta": {
                "tools_used": tools.used,
                "store_card_used": "policy.get" in tools.used,
                "retrieval_ids": [one["id"] for one in draft.products],
                "reason_for_tools": draft.why_tools,
            },
        }


def like(record: Mapping[str, Any]) -> dict[str, Any]:
    """The wishes that a monitor like this one fulfils."""
    named = next((name for name in ("1080p", "1440p") if name in record["resolution"]), "")
    return {
        "size": record["screen_size_inches"],
        "resolution": "4k" if "4K" in record["resolution"] else named,
        "min_refresh": record.get("refresh_rate_hz"),
    }


def _what(wishes: Wishes) -> str:
    """The monitor that is sought, in words."""
    size = f"{wishes.size:g}-inch " if wishes.size else ""
    resolution = {"4k": "4K ", "1440p": "QHD ", "1080p": "Full HD "}.get(wishes.resolution, "")
    wide = "ultrawide " if wishes.wide else ""
    words = f"{size}{resolution}{wide}{wishes.panel + ' ' if wishes.panel else ''}monitor"
    return f"{'an' if words[0] in 'aeiouO8' else 'a'} {words}"
