# ruff: noqa: E501, SIM905 - tables, one kind of value a row
"""500 planted secrets, names, addresses and ids in 130 conversations, for `grice extract` to hide.

Written without a look at what replaces them (`grice.extracting.pseudonyms`). 80 conversations repeat a reply and
plant five values each: in what the user says first and last, an argument, a result, and the reply. 50 contradict
themselves or their tools about a thing that a planted value names. Values are drawn by a fixed seed.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

RNG = random.Random("blind 500")
DRAWN: set[str] = set()
UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
BASE62 = UPPER + LOWER + DIGITS
FIRST = (
    "Priya Hannah Tomás Chidi Ingrid Yusuf Mei Oluwaseun Katarzyna Dmitri Siobhán Rafael Leila Björn Nguyễn "
    "Aaliyah Mateus Fatoumata Wilhelm Kenji Zsófia Ezekiel Marisol Thandiwe Anatoly"
).split()
LAST = (
    "Raghunathan Osei-Bonsu Núñez Okonkwo Lindqvist Demirci Zhangwei Adeyemi Wiśniewska Sokolov O'Faolain "
    "Cavalcanti Haddadian Thorvaldsen Trần McAllister Figueiredo Diabaté Schreiber Nakamura Kővári Abernathy "
    "Villanueva Mkhize Gorbunov"
).split()
STREETS = "Larkspur Wetherby Hollins Juniper Cranmer Ashgrove Pemberton Quarry Thistle Bramble Selwyn Marlowe".split()
TOWNS = "Chattanooga Wolverhampton Rotterdam Leipzig Albuquerque Toowoomba Saskatoon Grenoble Valladolid Kaunas".split()


def some(alphabet: str, count: int) -> str:
    return "".join(RNG.choices(alphabet, k=count))


def name() -> str:
    return f"{RNG.choice(FIRST)} {RNG.choice(LAST)}"


def _plain(text: str) -> str:
    return text.encode("ascii", "ignore").decode().lower().replace("'", "").replace("-", "")


def email() -> str:
    first, last = name().split()
    user = RNG.choice(("{0}.{1}", "{0}_{1}{2}", "{0}{2}", "{0}+shop@{1}", "{1}-{0}")).format(
        _plain(first), _plain(last), some(DIGITS, 2)
    )
    host = RNG.choice(
        ("posteo.de", "gmail.com", "btinternet.co.uk", "mail.yale.edu", "nordwind-logistik.eu", "qq.com")
    )
    return user.replace("@", "-") + "@" + host


def phone() -> str:
    return RNG.choice(
        (
            lambda: f"({RNG.randint(201, 989)}) {RNG.randint(200, 999)}-{some(DIGITS, 4)}",
            lambda: f"+44 7{some(DIGITS, 3)} {some(DIGITS, 6)}",
            lambda: f"+49 30 {some(DIGITS, 8)}",
            lambda: f"{RNG.randint(201, 989)}.{RNG.randint(200, 999)}.{some(DIGITS, 4)}",
            lambda: (
                f"0{RNG.randint(6, 7)} {some(DIGITS, 2)} {some(DIGITS, 2)} {some(DIGITS, 2)} {some(DIGITS, 2)}"
            ),
            lambda: f"+1{RNG.randint(201, 989)}{RNG.randint(2000000, 9999999)}",
        )
    )()


def address() -> str:
    street, town = RNG.choice(STREETS), RNG.choice(TOWNS)
    return RNG.choice(
        (
            lambda: (
                f"{RNG.randint(11, 9899)} {street} {RNG.choice(('Lane', 'Avenue', 'Drive', 'St', 'Blvd'))}"
            ),
            lambda: f"{RNG.randint(11, 199)} {street} Road, {town}",
            lambda: f"{street}straße {RNG.randint(2, 140)}, {some(DIGITS[1:], 5)} {town}",
            lambda: f"{RNG.randint(2, 99)} rue {street}, {town}",
            lambda: f"Flat {RNG.randint(2, 40)}, {RNG.randint(2, 99)} {street} Close",
            lambda: f"PO Box {RNG.randint(1000, 99999)}",
        )
    )()


def card() -> str:
    digits = [int(one) for one in "4" + some(DIGITS, 14)]
    total = sum(sum(divmod(2 * one, 10)) if place % 2 == 0 else one for place, one in enumerate(digits))
    number = "".join(map(str, digits)) + str(-total % 10)
    gap = RNG.choice(("", " ", "-"))
    return gap.join(number[at : at + 4] for at in range(0, 16, 4))


def iban() -> str:
    country, length = RNG.choice((("DE", 18), ("NL", 14), ("GB", 18), ("FR", 23)))
    body = some(UPPER, 4) + some(DIGITS, length - 4) if country in ("NL", "GB") else some(DIGITS, length)
    plain = "".join(str(int(one, 36)) for one in body + country + "00")
    text = f"{country}{98 - int(plain) % 97:02d}{body}"
    return text if RNG.random() < 0.5 else " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def national() -> str:
    return RNG.choice(
        (
            lambda: f"{RNG.randint(100, 665)}-{RNG.randint(10, 99)}-{RNG.randint(1000, 9999)}",
            lambda: (
                f"{some('ABCEGHJKLMNPRSTWXYZ', 2)} {some(DIGITS, 2)} {some(DIGITS, 2)} {some(DIGITS, 2)} C"
            ),
            lambda: f"{some(DIGITS[1:], 8)}{RNG.choice('TRWAGMYFPDXBNJZSQVHLCKE')}",
            lambda: f"{some(DIGITS[1:], 3)} {some(DIGITS, 3)} {some(DIGITS, 3)}",
        )
    )()


def passport() -> str:
    return RNG.choice(
        (
            f"{some('CFGHJKLMNPRTVWXYZ', 1)}{some(DIGITS, 8)}",
            some(DIGITS[1:], 9),
            some(UPPER, 2) + some(DIGITS, 7),
        )
    )


def vendor_key() -> str:
    return RNG.choice(
        (
            lambda: "sk-" + "proj-" + some(BASE62, 40),
            lambda: "AK" + "IA" + some(UPPER + "234567", 16),
            lambda: "gh" + "p_" + some(BASE62, 36),
            lambda: "xo" + "xb-" + some(DIGITS, 11) + "-" + some(DIGITS, 11) + "-" + some(BASE62, 24),
            lambda: "AI" + "za" + some(BASE62 + "-_", 35),
            lambda: "sk_" + "live_" + some(BASE62, 24),
            lambda: "gl" + "pat-" + some(BASE62, 20),
            lambda: "S" + "G." + some(BASE62, 22) + "." + some(BASE62, 43),
        )
    )()


def token() -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return RNG.choice(
        (
            lambda: ".".join(
                (part({"alg": "HS256"}), part({"sub": some(DIGITS, 9)}), some(BASE62 + "-_", 43))
            ),
            lambda: some("0123456789abcdef", 40),
            lambda: some(BASE62, 32),
            lambda: base64.b64encode(RNG.randbytes(24)).decode(),
        )
    )()


def password() -> str:
    word = RNG.choice(
        ("Dragonfly", "winterfell", "Tr0ubador", "correcthorse", "Sunflower", "letmein", "Qwerty")
    )
    return word + some(DIGITS, 3) + RNG.choice("!#$%&*?") + some(LOWER, 2)


def connection() -> str:
    return f"{password()}"


def pnr() -> str:
    return some("ABCDEFGHJKLMNPQRSTUVWXYZ", 2) + some(DIGITS[2:], 2) + some(UPPER, 2)


def order() -> str:
    return RNG.choice(
        (
            lambda: "ORD-" + some(DIGITS, 8),
            lambda: "#W" + some(DIGITS, 7),
            lambda: "INV/2024/" + some(DIGITS, 5),
            lambda: f"{some(DIGITS[1:], 3)}-{some(DIGITS, 7)}-{some(DIGITS, 7)}",
            lambda: "TKT" + some(DIGITS, 9),
        )
    )()


def hex_id() -> str:
    def h(count: int) -> str:
        return some("0123456789abcdef", count)

    return RNG.choice(
        (
            lambda: f"{h(8)}-{h(4)}-4{h(3)}-a{h(3)}-{h(12)}",
            lambda: h(24),
            lambda: "01H" + some("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23),
            lambda: "cus_" + some(BASE62, 14),
            lambda: "usr-" + h(10),
        )
    )()


def number_id() -> str:
    return some(DIGITS[1:], RNG.choice((7, 8, 9, 10)))


def user_name() -> str:
    first, last = name().split()
    first, last = _plain(first), _plain(last)
    return RNG.choice(
        (
            f"{first}_{last}_{some(DIGITS[1:], 4)}",
            f"{first}{last}{some(DIGITS, 2)}",
            f"{first[:1]}{last}{some(DIGITS, 3)}",
        )
    )


def machine() -> str:
    return RNG.choice(
        (
            lambda: (
                f"{RNG.choice((81, 93, 145, 203))}.{RNG.randint(10, 250)}.{RNG.randint(10, 250)}.{RNG.randint(10, 250)}"
            ),
            lambda: ":".join(some("0123456789abcdef", 2) for _ in range(6)),
            lambda: "2a02:8109:" + ":".join(some("123456789abcdef", 4) for _ in range(6)),
            lambda: "35" + some(DIGITS, 13),
        )
    )()


def vehicle() -> str:
    return RNG.choice(
        (
            lambda: some("ABCDEFGHJKLMNPRSTUVWXYZ", 2) + some(DIGITS, 2) + " " + some(UPPER, 3),
            lambda: "WVW" + some("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 14),
            lambda: some(DIGITS[1:], 1) + some(UPPER, 3) + some(DIGITS, 3),
        )
    )()


@dataclass(frozen=True)
class Kind:
    name: str
    value: Callable[[], str]
    said: tuple[str, ...]
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    replies: tuple[str, ...]


KINDS = (
    Kind(
        "name in words",
        name,
        (
            "Hi, my name is {}.",
            "This is {} speaking, I called yesterday.",
            "The booking is under {}.",
            "It's for my wife, {}.",
            "Please add {} as a second passenger.",
            "Regards, {}",
            "I am {} and I can't log in.",
            "You can call me {}.",
        ),
        ("name", "customer_name", "passenger", "full_name", "contact"),
        ('{"account_holder": "%"}', '{"customer": {"name": "%"}}', '{"note": "Spoke with Mr. %"}', "Found 1 customer: %"),
        ("Thank you, {}. Which booking is it?", "Dear {}, which booking is it?", "I see that the account belongs to {}."),
    ),
    Kind(
        "name in German, Spanish, French",
        name,
        (
            "Guten Tag, ich heiße {}.",
            "Hola, me llamo {}.",
            "Bonjour, je m'appelle {}.",
            "Mein Name ist {}.",
            "Mi nombre es {}.",
            "Je suis {}, client depuis 2019.",
            "Mit freundlichen Grüßen\n{}",
        ),
        ("nombre", "kunde", "nom", "ansprechpartner"),
        ('{"kunde": {"name": "%"}}', '{"titular": "%"}', '{"client": "%"}'),
        ("Guten Tag, Frau {}. Welche Buchung?", "Gracias, señor {}. ¿Qué reserva?", "Merci, madame {}. Quelle réservation ?"),
    ),
    Kind(
        "e-mail address",
        email,
        ("My email is {}", "Write to <{}>, please.", "contact: {}!", "It's {}, all lower case.", "mailto:{}", "Is it {}?"),
        ("email", "to", "login", "recipients"),
        ('{"email": "%", "verified": true}', '{"log": "sent to % at 10:02"}', "250 OK <%>"),
        ("I sent a code to {}. What is it?", "Is {} still right?", "Your login is {}."),
    ),
    Kind(
        "telephone number",
        phone,
        ("Call me at {}.", "My number is {}", "Mobile: {}", "Text {} when it ships", "I can be reached on {} after six."),
        ("phone", "phone_number", "mobile", "callback"),
        ('{"phone": "%"}', '{"contacts": [{"type": "home", "value": "%"}]}', "SMS to % delivered"),
        ("We will call you on {}. When suits you?", "Is {} your number?", "I have {} on file."),
    ),
    Kind(
        "street address",
        address,
        ("I live at {}.", "Ship it to {}, please.", "My address is {}", "I moved from {} last week.", "Deliver to: {}"),
        ("address", "street", "shipping_address", "address1"),
        ('{"address": {"line1": "%"}}', '{"deliver_to": "%"}', "Label printed for %"),
        ("Shall I send it to {}?", "Your address on file is {}.", "We deliver to {} on Monday."),
    ),
    Kind(
        "card number",
        card,
        ("My card is {}", "Charge {} please", "Visa {}, expires 09/27", "card no. {}", "Here: {}"),
        ("card_number", "payment", "pan", "card"),
        ('{"payment": {"number": "%"}}', '{"message": "card % declined"}', "auth failed for %"),
        ("I charge the card {}. Is that right?", "The card {} was declined.", "Card {} is on file."),
    ),
    Kind(
        "bank account",
        iban,
        ("My IBAN is {}.", "Refund it to {}", "Account {} please", "IBAN: {}", "Take it from {}."),
        ("iban", "account", "bank_account", "refund_to"),
        ('{"iban": "%"}', '{"transfer": {"creditor": {"account": "%"}}}', "credit to % pending"),
        ("I refund it to {}. Is that right?", "The money goes to {}.", "Your account is {}."),
    ),
    Kind(
        "social security or tax number",
        national,
        ("My SSN is {}.", "social security number {}", "National insurance: {}", "DNI {}", "Steuernummer {}"),
        ("ssn", "national_id", "tax_id", "dni"),
        ('{"ssn": "%"}', '{"person": {"tax_id": "%"}}', "SSN % matched"),
        ("I have the SSN {}. Is that right?", "Your tax number is {}.", "The number {} is registered."),
    ),
    Kind(
        "passport or licence",
        passport,
        ("My passport number is {}.", "Passport: {}", "licence no {}", "passport {} expires in May", "ID card {}"),
        ("passport", "passport_number", "document_id", "license"),
        ('{"document": {"type": "passport", "number": "%"}}', '{"passport_no": "%"}', "passport % ok"),
        ("Your passport {} is registered. Which flight?", "Is {} your passport number?", "The passport number is {}."),
    ),
    Kind(
        "vendor key",
        vendor_key,
        ("My key is {}", "It fails with {}", "export API_KEY={}", "curl -H 'Authorization: Bearer {}'", "key: {}"),
        ("api_key", "config", "env", "command"),
        ('{"key": "%"}', '{"stdout": "API_KEY=%\\n"}', "401: bad key %"),
        ("Your key is {}. Does it work?", "I set API_KEY={}.", "The key {} was refused."),
    ),
    Kind(
        "token",
        token,
        ("Authorization: Bearer {}", "my token is {}", "access_token={}", "Cookie: session={}", "use the secret {}"),
        ("token", "access_token", "authorization", "client_secret"),
        ('{"token": "%", "expires_in": 3600}', '{"headers": {"Authorization": "Bearer %"}}', "refresh_token=%"),
        ("Your token is {}. Does it work?", "I use the token {}.", "Here is your secret: {}"),
    ),
    Kind(
        "password",
        password,
        ("My password is {}", "password: {}", "login with pw {}", "the old password was {}", "PIN/password = {}"),
        ("password", "passwd", "new_password", "pwd"),
        ('{"temporary_password": "%"}', '{"user": "root", "password": "%"}', "password=%"),
        ("Your new password is {}. Can you log in?", "I set the password to {}.", "The password: {}"),
    ),
    Kind(
        "password in an address of a service",
        connection,
        (
            "postgres://admin:{}@db.internal:5432/shop",
            "I connect to mysql://root:{}@10.0.0.4/crm",
            "DATABASE_URL=postgresql://app:{}@pg/app",
            "redis://:{}@cache:6379/0",
            "https://svc:{}@git.corp/repo.git",
        ),
        ("dsn:postgres://u:{}@h/d", "url:https://bot:{}@host/x", "database_url:mysql://a:{}@b/c"),
        ('{"dsn": "postgres://app:%@db/app"}', "could not connect to amqp://guest:%@mq:5672", '{"url": "ftp://me:%@files"}'),
        ("I connect to postgres://app:{}@db/app. Is that right?", "The address is mysql://x:{}@y/z."),
    ),
    Kind(
        "booking code",
        pnr,
        ("My booking code is {}.", "reservation {}", "PNR {}", "Cancel {} please", "confirmation number {}"),
        ("reservation_id", "pnr", "booking", "confirmation"),
        ('{"reservation_id": "%", "status": "ok"}', '{"bookings": ["%"]}', "PNR % not found"),
        ("Your booking {} is confirmed. Anything else?", "I cancelled {}.", "Is {} the reservation?"),
    ),
    Kind(
        "order or ticket number",
        order,
        ("My order is {}.", "order number {}", "Where is {}?", "ticket {}", "invoice {}"),
        ("order_id", "order", "ticket", "invoice"),
        ('{"order_id": "%"}', '{"orders": ["%"]}', "order % shipped"),
        ("Order {} is on its way. Anything else?", "I opened {}.", "Is {} the order?"),
    ),
    Kind(
        "id of a system",
        hex_id,
        ("My user id is {}", "trace {}", "https://app.example/u/{}/settings", "id={}", "session {}"),
        ("user_id", "id", "customer", "account_id"),
        ('{"id": "%"}', '{"user": {"uid": "%"}}', "no such object: %"),
        ("I found the account {}. Is that it?", "Your id is {}.", "See https://app.example/o/{}"),
    ),
    Kind(
        "number of a customer",
        number_id,
        ("My customer number is {}.", "account no. {}", "Member {}", "employee id: {}", "policy number {}"),
        ("customer_id", "account_number", "member_id", "policy_number"),
        ('{"customer_id": "%"}', '{"customer_id": @}', "account % is locked"),
        ("Your customer number is {}. Is that right?", "Account {} is locked.", "I found member {}."),
    ),
    Kind(
        "user name",
        user_name,
        ("My user id is {}.", "username {}", "I log in as {}", "my handle is @{}", "user: {}"),
        ("user_id", "username", "login", "owner"),
        ('{"user_id": "%"}', '{"username": "%"}', "user % not found"),
        ("The user {} is locked. Shall I unlock it?", "Your user name is {}.", "I found the profile of @{}."),
    ),
    Kind(
        "machine",
        machine,
        ("My IP is {}", "it comes from {}", "device {}", "Connect to {}", "logged in from {}"),
        ("ip", "ip_address", "device_id", "host"),
        ('{"client_ip": "%"}', '{"device": {"address": "%"}}', "login from % refused"),
        ("The login came from {}. Was it you?", "Your device is {}.", "I blocked {}."),
    ),
    Kind(
        "vehicle",
        vehicle,
        ("My licence plate is {}.", "The car is {}", "VIN {}", "registration {}", "number plate: {}"),
        ("plate", "license_plate", "vin", "registration"),
        ('{"plate": "%"}', '{"vehicle": {"registration": "%"}}', "no policy for %"),
        ("The car {} is insured. Anything else?", "Is {} the plate?", "I found {}."),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Planted:
    """A conversation, and the values that nothing written from it may have."""

    id: str
    kind: str
    values: tuple[str, ...]
    messages: tuple[dict[str, Any], ...]
    contradicts: bool = False


def planted() -> Iterator[Planted]:
    RNG.seed("blind 500")
    DRAWN.clear()
    for kind in KINDS:
        for number in range(4):
            yield _repeated(kind, number)
    for number in range(50):
        yield _contradicted(number)


def _repeated(kind: Kind, number: int) -> Planted:
    first, last, argument, result, reply = values = _distinct(kind.value, 5)
    said, replies = kind.said, kind.replies
    field, _, carrier = kind.arguments[number % len(kind.arguments)].partition(":")
    carrier = carrier or "{}"
    call = {
        "id": f"c{number}",
        "type": "function",
        "function": {
            "name": "look_up",
            "arguments": json.dumps({field: carrier.format(argument)}, ensure_ascii=False),
        },
    }
    answer = kind.results[number % len(kind.results)].replace("@", result)
    answer = answer.replace(
        "%", json.dumps(result, ensure_ascii=False)[1:-1] if answer.startswith("{") else result
    )
    repeated = replies[number % len(replies)].format(reply)
    if number % 2:  # the value is in the last reply and its call
        between: list[dict[str, Any]] = [
            {"role": "assistant", "content": repeated},
            {
                "role": "user",
                "content": said[(2 * number + 1) % len(said)].format(last) + " Can you look again?",
            },
        ]
    else:
        between = [
            {"role": "assistant", "content": repeated},
            {"role": "user", "content": "No. " + said[(2 * number + 1) % len(said)].format(last)},
        ]
    calls = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": answer},
    ]
    messages = [
        {"role": "system", "content": "You help customers."},
        {"role": "user", "content": said[(2 * number) % len(said)].format(first)},
        *(calls if number < 2 else ()),
        *between,
        *(calls if number >= 2 else ()),
        {"role": "assistant", "content": repeated},
    ]
    return Planted(f"{kind.name} {number + 1}", kind.name, values, tuple(messages))


# Who or what (value one), where value two stands, what is said first, and what is said against it.
CONTRADICTED: tuple[tuple[Callable[[], str], Callable[[], str], str, str, str, str], ...] = (
    (pnr, name, "My name is {1}. Is booking {0} refundable?", "Yes, booking {0} is refundable.",
     "So I get my money back?", "No, booking {0} is not refundable."),
    (order, email, "Was order {0} shipped? I am {1}.", "Yes, order {0} was shipped.",
     "When?", "Order {0} was not shipped."),
    (name, phone, "Is {0} on the flight? Call me at {1}.", "Yes, {0} is on the flight.",
     "Sure?", "No, {0} is not on the flight."),
    (number_id, name, "I'm {1}. Is customer number {0} active?", "Yes, the account {0} is active.",
     "And now?", "The account {0} is not active."),
    (email, user_name, "User {1} here. Is {0} verified?", "Yes, {0} is verified.",
     "Then why no mail?", "No, {0} is not verified."),
    (pnr, email, "What does reservation {0} cost? Mail {1}.", "The reservation {0} costs $349.",
     "Fine.", "The reservation {0} costs $379."),
    (order, address, "When does {0} arrive at {1}?", "Order {0} arrives on 12 May.",
     "Good.", "Order {0} arrives on 19 May."),
    (hex_id, name, "Is the contract {0} of {1} valid?", "Yes, the contract {0} is valid.",
     "Really?", "No, the contract {0} is not valid."),
    (address, name, "Do you deliver to {0}? I'm {1}.", "Yes, we deliver to {0}.",
     "Great, on Monday?", "No, we do not deliver to {0}."),
    (vehicle, passport, "Is the car {0} insured? My licence is {1}.", "Yes, the car {0} is insured.",
     "Also abroad?", "No, the car {0} is not insured."),
)  # fmt: skip


def _contradicted(number: int) -> Planted:
    one, two, asked, yes, then, no = CONTRADICTED[number % len(CONTRADICTED)]
    values = (*_distinct(one, 1), *_distinct(two, 1))
    said = [text.format(*values) for text in (asked, yes, then, no)]
    if number >= 40:  # much the same, in a longer talk
        said[2:2] = ["Thanks. And what are your opening hours?", "We are open from 9 to 17."]
    messages = tuple({"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said))
    return Planted(f"contradiction {number + 1}", "contradiction", values, messages, contradicts=True)


def _distinct(value: Callable[[], str], count: int) -> tuple[str, ...]:
    drawn: list[str] = []
    while len(drawn) < count:
        if (one := value()) not in DRAWN:
            DRAWN.add(one)
            drawn.append(one)
    return tuple(drawn)


if __name__ == "__main__":
    for one in planted():
        print(json.dumps({"id": one.id, "messages": one.messages}, ensure_ascii=False))
