"""What the concierge says, in templates. Several ways to say a thing are used one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def said(lead: str, *detail: str) -> tuple[str, str]:
    """A lead, and the sentences of the detail after it."""
    return lead, " ".join(detail)


GREETINGS = ("Hi, it's good to have you here.", "Hello again, I'm glad you're back.")
ASKING = (
    "A new monitor it is, let's find the right one.",
    "That's a good start.",
    "Perfect, I've noted that.",
    "Sounds like a plan, we're getting close.",
)
OFFERS = (
    "Say the word and I'll show you a few that fit.",
    "Whenever you're ready, I'll pick out a few for you.",
    "I'll gladly line up a few more if you'd like.",
)
QUESTIONS = {"use": "What will you mostly use it for?", "max_price": "How much would you like to spend?"}
CHOICES = {
    "use": (("Gaming", "gaming"), ("Work", "office"), ("Photos and video", "creative")),
    "max_price": (("Up to $200", "200"), ("Up to $400", "400"), ("Up to $800", "800")),
}
PIVOTS = (
    "I'd like to know that myself, but monitors are all I really know.",
    "You've got me there, since screens are the only thing I follow.",
)
COMFORT = (
    "That sounds exhausting, and I'm sorry you've had to deal with it.",
    "I hear you, and it's fair to expect better.",
)
RELIEF = (
    "Let's get you a screen you won't have to think about again.",
    "We'll take it one step at a time.",
)
THANKS = ("You're welcome, it's been a pleasure.", "Any time, enjoy the new screen.")
FAREWELL = ("I'm here if anything else comes up.", "Come back whenever you've got a question.")

GLOSSARY = {
    "panels": said(
        "IPS keeps its colours steady from the side, while VA gives you deeper blacks.",
        "If you'll share the screen or edit photos, IPS is the safer bet.",
        "For films in a dark room, VA's worth a look.",
    ),
    "oled": said(
        "On an OLED panel every pixel makes its own light, so black really is black.",
        "It's lovely for films and fast games.",
        "A picture that never changes can leave a mark, so it isn't the best choice for spreadsheets.",
    ),
    "refresh": said(
        "The refresh rate tells you how many times a second the picture's redrawn.",
        "You'll feel the step from 60 to 144 Hz in almost any game.",
        "Far above that, it's mostly competitive players who notice.",
    ),
    "resolution": said(
        "1440p shows nearly twice as many pixels as 1080p, and 4K more than doubles that again.",
        "On a 27-inch screen, 1440p is a good match for games because it's easier on the graphics card.",
        "If you mostly read text, 4K looks crisper.",
    ),
}
RECOMMENDING = (
    "I've found {count} that suit {use}.",
    "Here's another look, with {count} that you haven't seen yet.",
    "There's still more to choose from, so I've added {count}.",
)
UPDATED = (
    "With that in mind, {count} stand out, and they're all in stock.",
    "That changes things a little, so here's a fresh set of {count}.",
)
USE_WORDS = {
    "gaming": "gaming",
    "office": "work",
    "creative": "photos and video",
    "films": "film nights",
    "": "what you've told me",
}
COUNTS = {1: "one", 2: "two", 3: "three"}


def reasons(record: Mapping[str, Any], use: str, most: float | None) -> list[str]:
    """One to three reasons for a monitor, each from its record."""
    screen = f"{record['screen_size_inches']}-inch {record['resolution']} screen"
    refresh = f"{record['refresh_rate_hz']} Hz refresh rate"
    panel = f"{record['panel']} panel"
    told = [screen, refresh if use == "gaming" else panel]
    if most is not None and record["price"] < most:
        return [*told, f"Under {money(most)}"]
    return [*told, panel if use == "gaming" else refresh]


def compared(records: list[dict[str, Any]], use: str) -> str:
    """Two sentences on the first two of them: what the money buys."""
    best, other = records[0], min(records[1:], key=lambda one: float(one["price"]))
    value = {"gaming": _speed, "office": _picture, "creative": _picture, "films": _panel, "": _picture}[use]
    first = f"The {best['title']} has {value(best)} and costs {money(best['price'])}."
    if other["price"] < best["price"]:
        return (
            f"{first} If you'd rather spend less, the {other['title']} comes with {value(other)} "
            f"for {money(other['price'])}."
        )
    return f"{first} The {other['title']} comes with {value(other)}, and it's {money(other['price'])}."


def described(record: Mapping[str, Any]) -> str:
    """Two sentences on one monitor."""
    response = record.get("response_time_ms")
    fast = f" and a {response} ms response time" if response else ""
    return (
        f"It's a {record['screen_size_inches']}-inch {record['panel']} monitor with {_speed(record)}{fast}. "
        f"At {money(record['price'])}, you'd get {_picture(record)}."
    )


def returns(card: Mapping[str, Any]) -> tuple[str, str]:
    """The promise on returns."""
    days, start = card["window_days"], card["counts_from"]
    return said(
        f"You've got {days} days from {start} to send it back, and return shipping is free.",
        f"We'd need it {card['condition']}.",
        f"You'll have your refund within {card['refund_within_business_days']} business days.",
    )


def shipping(card: Mapping[str, Any]) -> tuple[str, str]:
    """The promise on shipping."""
    fee, free, express = (money(card[f"{name}_usd"]) for name in ("standard_fee", "free_from", "express_fee"))
    return said(
        f"Standard shipping costs {fee}, and it's free from {free}.",
        f"It takes {card['standard_business_days']}.",
        f"Express shipping takes {card['express_business_days']} and costs {express}.",
    )


def warranty(card: Mapping[str, Any]) -> tuple[str, str]:
    """The promise on what breaks."""
    return said(
        f"There's a {card['years']}-year warranty, and it covers {card['covers']}.",
        f"It doesn't cover {card['not_covered']}.",
    )


POLICIES = {"returns": returns, "shipping": shipping, "warranty": warranty}


def money(amount: float) -> str:
    """Dollars, with cents where there are any."""
    return f"${amount:,.0f}" if float(amount).is_integer() else f"${amount:,.2f}"


def _speed(record: Mapping[str, Any]) -> str:
    return f"a {record['refresh_rate_hz']} Hz refresh rate"


def _picture(record: Mapping[str, Any]) -> str:
    return f"{_article(record['resolution'])} {record['resolution']} screen"


def _panel(record: Mapping[str, Any]) -> str:
    return f"{_article(record['panel'])} {record['panel']} panel"


def _article(words: str) -> str:
    return "an" if words[0] in "aeiouIO8" else "a"
