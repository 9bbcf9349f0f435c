"""Guards on what a played user says: they catch assistants, and let real users be."""

import pytest
from played import talk

from grice.records import Conversation, Message, Turn
from grice.users.protocol import UserMove
from grice.users.simulator import cleaned, fault_of

BEFORE = talk(
    ("Hi, I'd like to book a room", "Sure! How many people, and for which day?"),
    ("Ten people, tomorrow at 2pm", "The Blue Room is free tomorrow at 2pm. Shall I book it for you?"),
)

FROM_USERS = """\
Can you help me?
How can I help my son book?
How can I help you find my order, what do you need?
How may I help with the booking, do you need my card?
What can I do for the cancellation to go through?
What can I help you with to speed this up? My order number?
Is there anything else I can help you with, like photos of the damage, or is that enough?
Is there anything else you need from me?
Let me know if you need anything else.
I'm happy to help with any details you need.
Sure, I can help you with that: my number is 4711.
Thank you for your help today!
Thanks for getting back to me so quickly.
Of course! It is for ten people.
As an AI engineer I need a quiet room.
As an AI startup, we get a discount, right?
As an assistant manager I book rooms every week.
As an assistant, my job is to book rooms for the team.
As a large company, I expect a discount.
I am an AI researcher and need a projector.
I'm an assistant to the director.
Are you an AI?
You said "As an AI language model, I cannot do that", but last week you did.
Your bot always asks "How can I help you today?" and then does nothing.
The last one wrote: how can I help you today? And then it hung up.
My agent: Mr Miller, he booked it.
Agent 47 told me that I could cancel.
The assistant: I mean the one from yesterday, was much better.
Bots: I hate them.
User: that is what the form calls me, so what do I type there?
I cannot book online, so I am asking you.
I'm sorry, but I need it before noon.
Unfortunately I can only do Thursday.
Here are three dates that suit me: Monday, Tuesday, Friday.
Would you like me to pay now?
ok
?
👍
Yes, please.
Wie kann ich helfen, dass es schneller geht?
Wie kann ich Ihnen helfen, meine Bestellung zu finden?
¿En qué puedo ayudar para que sea más rápido?
Welcome email never came. What can I do?
Hello! How are you? Can you help me with a booking today?
Is the Blue Room free tomorrow?
{"room": "Blue"} is what the page shows
""".splitlines()


@pytest.mark.parametrize("message", FROM_USERS)
def test_what_real_users_write_trips_no_guard(message):
    assert fault_of(UserMove(message), BEFORE, 2_000) == ""
    assert fault_of(UserMove(message), Conversation(), 2_000) == ""


FROM_ASSISTANTS = """\
How can I help you today?
How may I assist you?
Hello! How can I help you today?
Hi there! What can I help you with today?
Sure. How can I help you?
I have booked it. Is there anything else I can help you with?
Is there anything else I can assist you with today?
What can I do for you today?
How can I be of assistance?
As an AI language model, I cannot book rooms.
As an AI, I don't have preferences.
I'm sorry, but as an AI assistant I can't do that.
As a large language model I have no feelings.
I am an AI language model and have no calendar.
I'm just an AI, so I have no birthday.
Assistant: Which day would suit you?
Agent: The Blue Room is free.
**Assistant:** Which day?
[Assistant]: Which day?
AI: Which day?
Guten Tag! Wie kann ich Ihnen helfen?
Bonjour ! Comment puis-je vous aider aujourd’hui ?
¿En qué puedo ayudarte hoy?
The Blue Room is free tomorrow at 2pm. Shall I book it for you?
the blue room is free tomorrow at 2pm -- shall I book it for you
""".splitlines()


@pytest.mark.parametrize("message", FROM_ASSISTANTS)
def test_what_only_assistants_write_is_caught(message):
    fault = fault_of(UserMove(message), BEFORE, 2_000)
    assert "assistant" in fault or "the other side said" in fault


def test_a_courtesy_is_returned_and_no_echo():
    assert fault_of(UserMove("Good morning to you!"), talk(("Hi", "Good morning to you!")), 2_000) == ""


def test_short_answers_may_come_again_while_the_agent_moves_on():
    conversation = talk(("A room", "For ten?"), ("Yes", "Tomorrow?"), ("Yes", "At two?"))
    assert fault_of(UserMove("yes."), conversation, 2_000) == ""


@pytest.mark.parametrize("replies", [("For ten?", "For ten?"), ("For ten?", ""), ("", "")])
@pytest.mark.parametrize("message", ["Yes!", "I want a room for ten people"])
def test_who_repeats_it_to_an_agent_that_stands_still_is_not_to_blame(message, replies):
    conversation = talk(*[(message, reply) for reply in replies])
    assert fault_of(UserMove(message), conversation, 2_000) == ""


def test_the_same_thing_may_be_said_once_more_later_and_no_third_time():
    once = talk(("Is the Blue Room free?", "When?"), ("Tomorrow", "At which time?"))
    assert fault_of(UserMove("Is the Blue Room free?"), once, 2_000) == ""
    twice = talk(*[("Is the Blue Room free?", "When?"), ("Tomorrow", "At which time?")] * 2)
    assert "was said 2 times already" in fault_of(UserMove("is the blue room free"), twice, 2_000)


@pytest.mark.parametrize("message", ["", " \n\t", "\u00a0"])
def test_a_message_that_says_nothing_is_caught(message):
    assert fault_of(UserMove(message), BEFORE, 2_000) == "the message is empty"


def test_a_message_may_have_exactly_as_many_characters_as_are_allowed():
    assert fault_of(UserMove("x" * 10), BEFORE, 10) == ""
    assert fault_of(UserMove("x" * 11), BEFORE, 10) == "the message has 11 characters, at most 10 are allowed"


def test_data_alone_is_an_answer_too():
    shown = Conversation(turns=(Turn(1, (Message("user", "Hi"),), data={"rooms": []}),))
    assert fault_of(UserMove(done="gave_up"), shown, 10) == ""


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("'s nice, that room", "'s nice, that room"),
        ('"', '"'),
        ('Say "hello"', 'Say "hello"'),
        ('"One" and "two"', '"One" and "two"'),
        ("«Demain»", "Demain"),
        ("Customer: Tomorrow", "Tomorrow"),
        ("You: Tomorrow", "Tomorrow"),
        ("User:", ""),
        ("Me:tomorrow", "Me:tomorrow"),
        ("Two lines\nUser: no label", "Two lines\nUser: no label"),
    ],
)
def test_only_what_stands_around_a_message_is_taken_off(given, clean):
    assert cleaned(given) == clean
