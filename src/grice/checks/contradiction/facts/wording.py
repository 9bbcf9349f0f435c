"""What telling facts apart knows of English: words for variants, for what is so, and for stages."""

from __future__ import annotations

from grice.text.packs.tables import listed

__all__ = [
    "CHANGING",
    "COLOURS",
    "COUNTING",
    "DAYS",
    "HAVING",
    "MEASURED",
    "MORE",
    "MORE_KINDS",
    "PHRASES",
    "STAGES",
    "STATES",
    "UNSURE",
    "VARIANTS",
]

VARIANTS = listed(
    """
    standard express premium basic pro plus business economy first second third other another
    adult adults child children kid kids infant student students senior seniors member members
    single double twin triple suite family one-way oneway outbound inbound monthly annual yearly weekly
    small medium large xl xs xxl s m l mini big bigger smaller larger max lite light flex saver classic
    new old used refurbished previous former minimum maximum max min early late
    carry-on carryon checked hand cabin overhead personal domestic international local next
    morning afternoon evening lunch dinner weekday weekdays weekend weekends holiday holidays
    peak off-peak online regular special discounted original gross net
    savings checking current joint credit debit gold silver platinum flexible deluxe
    wireless wired indoor outdoor front rear
    left right upper lower north south east west mobile desktop professional enterprise starter team
    half initial subsequent
    """
)
"""Words that tell one variant of a thing from another."""

COLOURS = listed(
    """
    black white red blue green yellow grey gray brown pink purple orange cream beige navy silver gold
    """
)

DAYS = listed("today tonight tomorrow yesterday weekdays weekends weekday weekend holidays christmas easter")

MEASURED = listed(
    """
    money time length mass volume temperature data percent power energy speed area rating
    """
)

MORE = {
    "data": "data",
    "left": "left",
    "remaining": "left",
    "seats": "capacity",
    "sleeps": "capacity",
    "accommodates": "capacity",
    "holds": "capacity",
    "fits": "capacity",
    "finished": "build",
    "completed": "build",
    "run": "duration",
    "runs": "duration",
    "boils": "capacity",
    "spans": "length",
    "fit": "capacity",
    "reservation": "event",
    "booked": "event",
    "booking": "event",
    "table": "event",
    "appointment": "event",
    "appointments": "event",
    "meeting": "event",
    "finish": "end",
    "surcharge": "fee",
}
"""Words that name attributes, besides those of the tables."""

MORE_KINDS = {
    "data": "data ram storage limit",
    "time": "left duration battery warranty return notice trial contract",
    "business day": "left",
    "moment": "event build made warranty",
    "": "capacity population limit left",
    "person": "capacity limit",
    "people": "capacity limit",
    "guest": "capacity limit",
}

PHRASES = (
    (r"\bsee you\b|\byou(?:'ll| will) (?:see|meet)\b", "event"),
    (r"\b(?:send|bring|give)\w*\b[^.;,]{0,20}\bback\b", "return"),
    (r"\bon (?:a|one) (?:single |full )?charge\b|\bbattery life\b", "battery"),
    (r"\bcheck(?:s|ing)?[- ]in\b", "checkin"),
    (r"\bcheck(?:s|ing)?[- ]out\b", "checkout"),
    (r"\b(?:gets?|getting) in\b", "arrive"),
    (r"\b(?:booked|made|created|placed|issued) on\b", "made"),
    (r"\bsets? off\b|\btakes? off\b", "depart"),
)
"""Attributes that are said in several words."""

COUNTING = listed("total count n num number quantity qty size length amount results hits")
"""Names of fields that say how many there are."""

HAVING = listed(
    """
    have has having 've got includes include included contains offers comes there holds
    includes carries owns using listed remaining left total
    """
)

STATES = (
    (r"\b(?:non-?|not )refundable\b", "refund", False),
    (r"\b(?:fully |partially )?refundable\b|\b(?:money back|full refund)\b", "refund", True),
    (r"\bsold out\b|\bout of stock\b|\bfully booked\b|\bunavailable\b|\bbooked up\b", "available", False),
    (r"\bin stock\b|\bavailable\b(?= (?:in|at|on|for|from|again|now)\b|\W*$)", "available", True),
    (r"\b(?:switched|turned) off\b|\b(?:disabled|deactivated|inactive)\b", "on", False),
    (r"\b(?:switched|turned) on\b|\b(?:enabled|activated|active)\b", "on", True),
    (r"(?<=[:;] )off\b|\b(?:is|are) off\b(?! (?:on|to|for)\b)", "on", False),
    (r"(?<=[:;] )on\W*$", "on", True),
    (r"\b(?:is|are|was|were|been|status:?) (?:now |already |all )?cancell?ed\b", "confirm", False),
    (r"\bconfirmed\b", "confirm", True),
    (
        (
            r"\b(?:still )?(?:being )?held at\b|\b(?:has|have) yet to (?:be|leave|ship)\b"
            r"|\bbeing (?:prepared|packed)\b|\bstill (?:processing|pending)\b"
        ),
        "shipped",
        False,
    ),
    (
        r"\b(?:shipped|dispatched|on its way|in transit|left (?:our|the) (?:warehouse|depot)|delivered)\b",
        "shipped",
        True,
    ),
    (r"\bdelivered\b", "delivered", True),
    (r"\bunpaid\b|\boutstanding\b", "paid", False),
    (r"\bpaid in full\b|\b(?:is|was|been) paid\b", "paid", True),
    (r"\bwaterproof\b", "waterproof", True),
    (r"\bvegan\b", "vegan", True),
    (r"\bvegetarian\b", "vegetarian", True),
    (r"\b(?:prohibited|forbidden|banned)\b", "allow", False),
    (r"\b(?:allowed|permitted|welcome)\b(?! to\b|!)", "allow", True),
    (r"\b(?:optional|voluntary)\b", "require", False),
    (r"\b(?:required|mandatory|compulsory|obligatory)\b", "require", True),
    (r"\b(?:doesn't|does not|don't|do not) (?:need|require)\b", "need", False),
    (r"\bworks? without\b|\bwithout (?:needing|requiring)\b", "need", False),
    (r"\b(?:needs|requires) (?:a|an|your|at least|\w+ (?:connection|account|subscription))\b", "need", True),
    (r"\bcloses\b(?! (?:at|on|in)\b)|(?<=: )closed\b|\b(?:is|are|'re|stays?) closed\b", "open", False),
    (r"\b(?:is|are|'re|stays?) open\b", "open", True),
)
"""What is so or is not so, before negations are counted; the first that fits a place counts."""

STAGES: dict[str, dict[str, bool]] = {
    "cancelled": {"confirm": False, "on": False},
    "canceled": {"confirm": False, "on": False},
    "confirmed": {"confirm": True},
    "shipped": {"shipped": True, "confirm": True},
    "dispatched": {"shipped": True},
    "delivered": {"shipped": True, "delivered": True},
    "in transit": {"shipped": True, "delivered": False},
    "in_transit": {"shipped": True, "delivered": False},
    "processing": {"shipped": False, "delivered": False},
    "preparing": {"shipped": False, "delivered": False},
    "pending": {"shipped": False, "delivered": False, "paid": False},
    "backordered": {"shipped": False, "delivered": False, "available": False},
    "paid": {"paid": True},
    "unpaid": {"paid": False},
    "active": {"on": True},
    "enabled": {"on": True},
    "on": {"on": True},
    "inactive": {"on": False},
    "disabled": {"on": False},
    "off": {"on": False},
    "suspended": {"on": False},
    "available": {"available": True},
    "sold out": {"available": False},
    "sold_out": {"available": False},
    "out_of_stock": {"available": False},
    "in_stock": {"available": True},
    "unavailable": {"available": False},
    "open": {"open": True},
    "closed": {"open": False},
}
"""What the words of a field for the status say."""

UNSURE = (
    r"\b(?:would|could|might|maybe|perhaps|possibly|suppose|imagine|assuming|hypothetically|example"
    r"|for instance|e\.g|such as|let's say|like to|shall|should|ought"
    r"|idea|argument|arguments|disagree|debate|opponents|critics|proponents"
    r"|let me (?:check|look|see|know|find)|unless|whether|than(?! ?[$\u20ac\u00a3]?\d)|instead of|compared"
    r"|previously|formerly|used to|originally|usually|normally|not sure|not certain|i think|i believe"
    r"|i guess|probably|likely|may be|seems?|appears?|as if|as though|if|in case|provided|once|rather"
    r"|you (?:said|mentioned|asked|requested|wanted|told|thought|believe)|your (?:budget|request)|otherwise"
    r"|was for|were|instead|until now|had been|either|which is why|up from|down from"
    r"|depending|depends|varies|vary|different)\b"
)

CHANGING = (
    r"\b(?:instead|another|different|chang(?:e|ing)|switch|swap|upgrade|downgrade|make it|make that|add"
    r"|remove|cancel|resched\w+|rebook|move|book|what if|what about|how about|turn o(?:n|ff)"
    r"|enable|disable|activate|deactivate|i(?:'ve| have)? (?:just )?paid|renew|update)\b"
)
"""How a user asks for something else."""
