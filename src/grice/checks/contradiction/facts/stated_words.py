"""What the rule of factual contradictions knows of English: attributes, predicates, kinds of things."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from grice.text.packs.pack import LanguagePack
from grice.text.words import stem

__all__ = ["StatedWords", "stated_words"]

_ATTRIBUTES = """
price: price prices pricing priced cost costs costing fare fares rate rates charges
fee: fee fees surcharge
deposit: deposit deposits
balance: balance
refund: refund refunds refunded reimbursement
total: total totals
subtotal: subtotal
tax: tax taxes vat
discount: discount discounts off
tip: tip gratuity
salary: salary wage
rent: rent
minimum: minimum
limit: limit limits allowance cap
fine: fine penalty
copay: copay copayment
deductible: deductible
charge: charged charge
budget: budget
credit: credit
warranty: warranty guarantee guaranteed
return: return returns returned returning
arrive: arrive arrives arriving arrival delivery deliver delivers delivered deliveries shipping
arrive: land lands
ship: ship ships shipped dispatch dispatched dispatches
depart: depart departs departing departure leave leaves leaving takeoff
duration: take takes taking last lasts lasting duration
cancel: cancel cancelled canceled cancellation cancellations cancelling canceling
wait: wait waiting
notice: notice
trial: trial
contract: contract
processing: processing process processed processes
battery: battery
weight: weight weigh weighs weighing heavy
height: height high tall
length: length long
width: width wide
depth: depth deep
diameter: diameter
distance: distance away far
screen: screen display
ram: ram memory
storage: storage ssd disk drive
size: size
capacity: capacity holds seats fits
temperature: temperature temperatures
humidity: humidity
speed: speed
power: power
interest: interest apr
rating: rating rated ratings
population: population
area: area
age: age old
dose: dose dosage
checkin: checkin
checkout: checkout
open: open opens opening hours
close: close closes closing closed
start: start starts starting begin begins beginning starts
end: end ends finish finishes
appointment: appointment appointments consultation
meeting: meeting
reservation: reservation booking booked reserved
breakfast: breakfast
lunch: lunch
dinner: dinner
boarding: boarding board boards
pickup: pickup
dropoff: dropoff
cutoff: cutoff deadline
maintenance: maintenance outage
expire: expire expires expiry expiration valid
due: due
payment: payment payments
renew: renew renews renewal renewed
build: built build construct constructed completed
found: founded established founding
born: born
die: died
release: released release launch launched published publication
invent: invented
"""

_PHRASES = """
checkin: check in
checkout: check out
pickup: pick up
dropoff: drop off
cutoff: cut off
depart: take off, takes off
duration: flight time, travel time, cooking time
arrive: shipping time, delivery time
"""

_KINDS = {
    "money": (
        "price fee deposit balance refund total subtotal tax discount tip salary rent minimum limit fine"
        " copay deductible budget credit charge"
    ),
    "time": (
        "warranty return arrive ship duration cancel wait notice trial contract processing battery refund"
        " checkin appointment length meeting expire renew"
    ),
    "business day": "arrive ship refund processing return duration cancel wait",
    "business hour": "arrive ship refund processing return duration wait",
    "length": "height length width depth diameter distance screen size",
    "mass": "weight limit capacity dose",
    "data": "ram storage limit",
    "percent": "discount tax interest battery humidity fee deposit tip refund salary",
    "temperature": "temperature",
    "volume": "capacity",
    "area": "area size",
    "speed": "speed",
    "power": "power",
    "energy": "battery",
    "rating": "rating",
    "": "population rating age capacity limit",
    "moment": (
        "depart arrive ship checkin checkout open close start end appointment meeting reservation breakfast"
        " lunch dinner boarding pickup dropoff cutoff maintenance expire due renew build found born die"
        " release invent refund return cancel"
        " payment"
    ),
}

_DEFAULTS = {
    "money": "price",
    "mass": "weight",
    "temperature": "temperature",
    "rating": "rating",
    "area": "area",
}
"""The attribute of a quantity where no word names one: what weighs 2 kg has a weight."""

_PREDICATES = """
have: include includes included offer offers offered provide provides provided feature features
have: have has comes come contain contains equipped
allow: allow allows allowed permit permits permitted welcome accepted accept accepts can can't
allow: cannot able possible
refund: refundable
cancel: cancellable cancelable
return: returnable
change: changeable
transfer: transferable
require: require requires required mandatory need needs needed necessary
support: support supports supported
compatible: compatible works work
cover: cover covers covered
ship: ship ships
shipped: shipped dispatched
deliver: deliver delivers
delivered: delivered
eligible: eligible qualify qualifies qualified entitled
valid: valid
active: active enabled
confirm: confirmed
paid: paid
approve: approved
cancelled: cancelled canceled
process: processed
receive: received
waterproof: waterproof
vegan: vegan
vegetarian: vegetarian
safe: safe
free: complimentary
"""

_DENYING = """
refund: nonrefundable
cancel: noncancellable
transfer: nontransferable
eligible: ineligible
valid: invalid
active: inactive disabled
compatible: incompatible
support: unsupported
allow: prohibited forbidden banned
require: optional
have: excludes excluded lacks lack
paid: unpaid
"""

_GENERIC = """
flight flights order orders room rooms item items product products booking bookings reservation
reservations
trip trips table account accounts hotel restaurant store shop stay package parcel ticket tickets
device unit
purchase free complimentary price cost rate fare time date day amount number information detail
details record records
system policy option current currently today now right just only also exactly approximately about
around
scheduled schedule expected expect estimated estimate set due planned plan's well still is be been
being per
show shows showing according see confirm confirmed confirms note noted advise please you your our we
i my
it its they them their this that these those there here the a an which who so as yes no not n't
unfortunately great good perfect happy sure course certainly absolutely thank thanks sorry apologize
apologies
actually indeed fortunately luckily however additionally furthermore moreover finally overall
summary
will would shall must do does did has have had are was were am can could may might should
come comes get gets go goes going made make makes give gives bring brings take use uses using used
pay paid
need needs want like know tell say says said let look looking find found check checked verify
verified
available open closed book booked reserve reserved place placed based following above below
everyone anyone anything something all any each every both other same
very quite really fully completely entirely already always never again back ready
customer customers guest guests passenger people person user traveler traveller
way standardly remind reminder afraid normally usually typically generally regularly daily default
standardized
successfully automatically immediately quickly directly approximately business working
yet later soon then once clock moment am pm est pst cet utc gmt edt pdt local
eur usd euro euros dollar dollars gbp pound pounds
window policy period non version latest gate terminal platform seat track
"""

_CHOICES = """
airline: airline carrier
colour: color colour
doctor: doctor physician
capital: capital
author: author
ceo: ceo
cabin: cabin
class: class
brand: brand manufacturer
material: material fabric
destination: destination
address: address
email: email
port: port
password: password
plan: plan subscription
tier: tier membership
method: method
"""

_LABELS = (
    "gate gates terminal platform seat track floor aisle counter carousel belt bay row coach lane hall locker"
    " dock version room desk"
)


class StatedWords(msgspec.Struct, frozen=True, eq=False):
    """The tables, in casefolded words and in stems.

    `attributes` give for a word the attribute it names, `kinds` for a dimension the attributes it measures,
    `defaults` the attribute where none is named, `phrases` attributes of two words. `predicates` are what is
    so or is not so, `denying` words that deny one. `generic` words tell no thing from another of its kind.
    """

    pack: LanguagePack
    attributes: dict[str, str]
    kinds: dict[str, frozenset[str]]
    defaults: dict[str, str]
    phrases: dict[tuple[str, str], str]
    predicates: dict[str, str]
    denying: dict[str, str]
    generic: frozenset[str]
    choices: dict[str, str]
    labels: frozenset[str]


@lru_cache(maxsize=2)
def stated_words(pack: LanguagePack) -> StatedWords:
    """The tables of a language; English is the only one."""
    generic = frozenset(_GENERIC.split())
    return StatedWords(
        pack,
        _named(_ATTRIBUTES),
        {kind: frozenset(names.split()) for kind, names in _KINDS.items()},
        _DEFAULTS,
        {
            (pair.split()[0], pair.split()[1]): name
            for name, pairs in (line.split(": ") for line in _PHRASES.strip().splitlines())
            for pair in pairs.split(", ")
        },
        _named(_PREDICATES),
        _named(_DENYING),
        generic | frozenset(stem(one, pack) for one in generic),
        _named(_CHOICES),
        frozenset(_LABELS.split()),
    )


def _named(table: str) -> dict[str, str]:
    return {
        word: name
        for name, words in (line.split(": ") for line in table.strip().splitlines())
        for word in words.split()
    }
