"""Stands in for the LLM that plays the user: what each scenario's user says, by rules.

Which scenario is played stands in the request: its goal is in there, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

GOAL = re.compile(r"^What you are here for:\n(.+)$", re.MULTILINE)
SAID = re.compile(r'<(data-\w+) from="(you|chatbot)">\n(.*?)\n</\1>', re.DOTALL)


def answer(prompt: str) -> dict[str, str]:
    """The answer to a request for the user's next message. Raises LookupError."""
    goal = GOAL.search(prompt)
    if goal is None:
        raise LookupError("the request has no goal")
    said = [("user" if who == "you" else "assistant", text) for _, who, text in SAID.findall(prompt)]
    return next_move(goal[1], said)


@dataclass(frozen=True)
class Person:
    """One user: how they open, and what they answer when they are asked."""

    opening: str
    guests: str
    day: str
    area: str = ""
    plan: str = ""  # said when the assistant asks what they are planning
    choice: str = "Please book {venue}."
    question: str = ""  # asked once, before choosing
    second_thought: str = ""  # said once, when venues are presented
    again: str = ""  # the number of guests, when it is asked for again
    one_at_a_time: bool = False


PEOPLE = {
    "a workshop of 20 people on 16 April": Person(
        opening="Hi! I need a room for a workshop.",
        guests="We are 20 people",
        day="it is on 16 April",
        area="in the centre, please",
        choice="{venue} sounds great. Please book it, with lunch and wifi.",
    ),
    "a wedding of 120 guests": Person(
        opening="Hello there! I hope you had a good weekend; mine was full of cake, as we tried eleven. "
        "My sister is getting married, can you help me find a place?",
        guests="There will be 120 guests, they have so many friends, most of them from the rowing club",
        day="the big day is 20 June",
        area="and I would love it to be somewhere in the west, where they met",
        choice="Oh, {venue} will make her so happy, she cries at every wedding as it is! Please book it, "
        "with dinner, parking and 30 double rooms, because nobody should drive home after our uncle's punch.",
    ),
    "a board meeting of 10 people": Person(
        opening="Good morning.",
        plan="A board meeting.",
        guests="10 people",
        day="24 March",
        area="in the south",
        choice="Please book {venue}, with parking.",
    ),
    "a conference of 250 people": Person(
        opening="Hello, are you there?",
        plan="It is conference time again, and we need a venue.",
        guests="250 people",
        day="on 3 September",
        area="anywhere in or around Cambridge",
        choice="{venue} it is: please book it with food, internet and parking.",
    ),
    "a gala of 600 guests": Person(
        opening="We need a venue for our gala.",
        guests="600 guests",
        day="on 5 December",
    ),
    "a chess club on 9 May": Person(
        opening="Hello, our chess club looks for a cheap place, £80 at most.",
        guests="12 people",
        day="on 9 May",
        choice="Then I take the cheapest, {venue}, with parking.",
    ),
    "in the north for 40 people on 2 April": Person(
        opening="Room in the north, 40 people, 2 April, with lunch. Quick please",
        guests="40 people",
        day="2 April",
        area="north",
        choice="book {venue}",
    ),
    "a birthday dinner on 30 May": Person(
        opening="Hi, I would like to celebrate my birthday with a dinner.",
        guests="24 people",
        day="on 30 May",
        area="in the north",
        choice="{venue} is perfect, please book it.",
        second_thought="Oh, I am so sorry: some cousins just said yes, so there will be more of us.",
        again="We will be 35 people",
    ),
    "a reading of 24 people": Person(
        opening="Good afternoon! I plan a reading for two dozen people.",
        guests="We will be about two dozen people",
        day="on 12 May",
        area="in the centre",
        choice="{venue} will do nicely. Please book it, with internet.",
        again="Sorry, I mean 24 people",
    ),
    "a training of 16 people": Person(
        opening="Hello. I have to arrange a training for our volunteers, with 8 double rooms overnight.",
        guests="16 people",
        day="on 18 November",
        area="in the east",
        choice="Please book {venue}, with the rooms, and do not forget food and parking.",
    ),
    "an exhibition of 50 people": Person(
        opening="Hi there, I am looking for a place for an exhibition of photographs.",
        guests="50 people at the opening",
        day="on 8 October",
        area="in the east",
        choice="Lovely. Please book {venue}, with catering and parking.",
        question="How do you know that it is free? Tell me more about {venue}. What about parking?",
    ),
    "a party of 30 people": Person(
        opening="Something for some people, in summer",
        plan="I want to give a party, sort of",
        guests="30 people",
        day="11 July",
        choice="ok book {venue}, with food",
        second_thought="it should be in the north I think",
        one_at_a_time=True,
    ),
    "within two minutes": Person(
        opening="Need a room for 20 people in the centre on 14 May, now",
        guests="20 people",
        day="14 May",
        area="centre",
        choice="book {venue}, done",
    ),
}

VENUE = re.compile(r"for you: (.+?) \(")


def next_move(goal: str, said: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What the user does next: `said` are (role, text), oldest first."""
    person = person_of(goal)
    replies = [text for role, text in said if role == "assistant"]
    own = [text for role, text in said if role == "user"]
    if not replies:
        return says(person.opening, "the first message")
    reply = replies[-1]
    if "booking number" in reply:
        return {"message": "", "done": "goal_reached", "reason": "the assistant gave a booking number"}
    if reply.startswith("No venue"):
        return {"message": "", "done": "gave_up", "reason": "there is no venue that is large enough"}
    if "shall I book" in reply or "Shall I book" in reply:
        return choosing(person, replies, own)
    if "What are you planning" in reply:
        return says(person.plan or person.opening, "the assistant asked")
    return says(answers(person, reply, own), "the assistant asked")


def person_of(goal: str) -> Person:
    """The person whose goal it is. Raises LookupError."""
    found = [person for words, person in PEOPLE.items() if words in goal]
    if len(found) != 1:
        raise LookupError(f"{len(found)} people of standins/user.py have this goal: {goal}")
    return found[0]


def says(message: str, reason: str) -> dict[str, str]:
    return {"message": message, "done": "no", "reason": reason}


def choosing(person: Person, replies: Sequence[str], own: Sequence[str]) -> dict[str, str]:
    """What the user says of venues that are presented."""
    presented = [match[1] for match in map(VENUE.search, replies) if match]
    venue = presented[-1] if presented else "it"
    for remark, reason in ((person.second_thought, "changes their mind"), (person.question, "asks first")):
        text = remark.format(venue=venue)
        if text and text not in own:
            return says(text, reason)
    return says(person.choice.format(venue=venue), "chooses the first")


def answers(person: Person, reply: str, own: Sequence[str]) -> str:
    """Answers to what the assistant asks for; a vague person gives one at a time."""
    asked = reply.lower()
    guests = person.again if person.again and any(person.guests in text for text in own) else person.guests
    given = [
        text
        for word, text in (
            ("how many guests", guests),
            ("which day", person.day),
            ("which part", person.area),
        )
        if word in asked and text
    ]
    return f"{', '.join(given[:1] if person.one_at_a_time else given) or person.guests}."
