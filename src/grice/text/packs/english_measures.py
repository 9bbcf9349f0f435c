"""English words for numbers, units, dates and amounts."""

from __future__ import annotations

from decimal import Decimal

from grice.text.packs.units import units_of

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

NUMBER_WORDS = {word: Decimal(value) for value, word in enumerate(_ONES.split())} | {
    word: Decimal(10 * (value + 2)) for value, word in enumerate(_TENS.split())
}
MULTIPLIERS = {
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "million": Decimal(10**6),
    "billion": Decimal(10**9),
    "trillion": Decimal(10**12),
    "dozen": Decimal(12),
    "lakh": Decimal(10**5),
    "crore": Decimal(10**7),
}
FRACTIONS = {
    "half": Decimal("0.5"),
    "quarter": Decimal("0.25"),
    "quarters": Decimal("0.25"),
    "third": Decimal(1) / 3,
    "thirds": Decimal(1) / 3,
}
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mondays mon", "tuesday tuesdays tue tues", "wednesday wednesdays wed weds",
            "thursday thursdays thu thur thurs", "friday fridays fri", "saturday saturdays sat", "sunday sundays sun",
        )
    )
    for name in names.split()
}  # fmt: skip
DAY_TIMES = {"noon": 12, "midday": 12, "midnight": 0}

APPROXIMATIONS = (
    "about", "around", "roughly", "approximately", "approx", "circa", "nearly", "almost", "some", "close to",
    "somewhere around", "in the neighborhood of", "in the ballpark of", "give or take", "an estimated",
)  # fmt: skip
COMPARISONS = {
    "under": "<", "below": "<", "less than": "<", "fewer than": "<", "lower than": "<", "cheaper than": "<",
    "shorter than": "<", "lighter than": "<", "smaller than": "<", "just under": "<", "well under": "<", "beneath": "<",
    "at most": "<=", "up to": "<=", "no more than": "<=", "not more than": "<=", "maximum of": "<=", "maximum": "<=",
    "max": "<=", "max of": "<=", "a maximum of": "<=", "not exceeding": "<=", "not over": "<=", "no longer than": "<=",
    "no later than": "<=", "capped at": "<=", "limit of": "<=", "as much as": "<=", "as many as": "<=", "not above": "<=",
    "won't exceed": "<=", "within a budget of": "<=", "no heavier than": "<=", "no bigger than": "<=",
    "over": ">", "above": ">", "more than": ">", "greater than": ">", "higher than": ">", "longer than": ">",
    "heavier than": ">", "exceeding": ">", "exceeds": ">", "just over": ">", "well over": ">", "larger than": ">", "bigger than": ">", "older than": ">", "upwards of": ">",
    "at least": ">=", "no less than": ">=", "not less than": ">=", "no fewer than": ">=", "minimum of": ">=",
    "minimum": ">=", "min": ">=", "a minimum of": ">=", "starting at": ">=", "starts at": ">=", "start at": ">=",
    "starting from": ">=", "starts from": ">=", "start from": ">=", "not under": ">=", "not below": ">=", "as little as": ">=",
    "as low as": ">=", "as few as": ">=",
}  # fmt: skip
COMPARISONS_AFTER = {
    "or less": "<=", "or fewer": "<=", "or under": "<=", "or below": "<=", "or lower": "<=", "at most": "<=",
    "max": "<=", "maximum": "<=", "tops": "<=", "at the most": "<=", "or cheaper": "<=", "or shorter": "<=",
    "or more": ">=", "or over": ">=", "or above": ">=", "or higher": ">=", "and up": ">=", "and above": ">=", "and over": ">=",
    "and more": ">=", "or better": ">=", "at least": ">=", "at minimum": ">=", "minimum": ">=", "min": ">=", "or longer": ">=",
    "and older": ">=", "or older": ">=", "and under": "<=", "and below": "<=", "upwards": ">=", "or greater": ">=",
}  # fmt: skip
RANGE_WORDS = frozenset({"to", "or", "through", "until", "till", "up to"})
PERIODS = {
    name: period
    for period, names in {
        "second": "second sec s",
        "minute": "minute min",
        "hour": "hour hr h",
        "day": "day daily diem",
        "night": "night nightly nt",
        "week": "week wk weekly",
        "month": "month mo mth monthly",
        "year": "year yr annum yearly annually annual",
        "unit": "unit item piece person guest passenger ticket traveler traveller head each pair seat pc apiece "
        "adult child bag ride trip way user set bottle pack license licence room order shipment delivery kg lb gallon litre liter gb oz g",
    }.items()
    for name in names.split()
}  # fmt: skip
PERIOD_WORDS = frozenset({"per", "a", "an", "each", "every"})

UNITS = units_of(
    time="millisecond=0.001: ms msec millisecond milliseconds; second=1: s sec secs second seconds; "
    "minute=60: min mins minute minutes; hour=3600: h hr hrs hour hours; day=86400: day days; week=604800: wk wks week weeks; "
    "month=2629800: mo mos mth mths month months; year=31557600: yr yrs year years; decade=315576000: decade decades; "
    "century=3155760000: century centuries",
    length="mm=0.001: mm millimeter millimeters millimetre millimetres; cm=0.01: cm centimeter centimeters centimetre centimetres; "
    "m=1: m meter meters metre metres; km=1000: km kms kilometer kilometers kilometre kilometres; "
    "in=0.0254: in inch inches; ft=0.3048: ft foot feet; yd=0.9144: yd yds yard yards; mi=1609.344: mi mile miles",
    mass="mg=0.001: mg milligram milligrams; g=1: g gr gram grams gramme grammes; kg=1000: kg kgs kilo kilos kilogram kilograms; "
    "oz=28.349523125: oz ounce ounces; lb=453.59237: lb lbs pound pounds; t=1000000: tonne tonnes ton tons",
    volume="ml=0.001: ml milliliter milliliters millilitre millilitres; cl=0.01: cl centiliter centilitre; "
    "l=1: l liter liters litre litres; gal=3.785411784: gal gallon gallons; pt=0.473176473: pint pints; "
    "qt=0.946352946: quart quarts; cup=0.2365882365: cup cups; fl oz=0.0295735295625: floz",
    data="bit=0.125: bit bits; byte=1: byte bytes; kb=1000: kb kilobyte kilobytes; mb=1000000: mb megabyte megabytes; "
    "gb=1000000000: gb gig gigs gigabyte gigabytes; tb=1000000000000: tb terabyte terabytes; "
    "kib=1024: kib; mib=1048576: mib; gib=1073741824: gib; tib=1099511627776: tib",
    power="w=1: w watt watts; kw=1000: kw kilowatt kilowatts; mw=1000000: megawatt megawatts; hp=745.69987: hp horsepower",
    energy="wh=3600: wh; kwh=3600000: kwh; j=1: joule joules; kj=1000: kj; kcal=4184: kcal calorie calories",
    charge="mah=0.001: mah; ah=1: ah",
    frequency="hz=1: hz hertz; khz=1000: khz; mhz=1000000: mhz; ghz=1000000000: ghz",
    speed="km/h=0.2777777777777778: kmh kph; mph=0.44704: mph; m/s=1: mps",
    area="m2=1: m2 sqm; sq ft=0.09290304: sqft; acre=4046.8564224: acre acres; ha=10000: hectare hectares",
    pressure="psi=6894.757: psi; bar=100000: bars; pa=1: pascal pascals",
    voltage="v=1: v volt volts",
    resolution="mp=1: mp megapixel megapixels; px=1: px pixel pixels",
    loudness="db=1: db decibel decibels",
    percent="%=1: percent pct percentage",
    temperature="°c=1: celsius centigrade; °f=1: fahrenheit",
    rating="/5=1: star stars",
)
