"""English words for numbers, units, dates and amounts."""

from __future__ import annotations

from decimal import Decimal

from grice.text.packs.tables import listed, named, numbered, pairs, phrases, units_of

NUMBER_WORDS = {
    word: Decimal(value)
    for word, value in pairs(
        """
        zero: 0; one: 1; two: 2; three: 3; four: 4; five: 5; six: 6; seven: 7; eight: 8; nine: 9; ten: 10;
        eleven: 11; twelve: 12; thirteen: 13; fourteen: 14; fifteen: 15; sixteen: 16; seventeen: 17; eighteen:
        18; nineteen: 19; twenty: 20; thirty: 30; forty: 40; fifty: 50; sixty: 60; seventy: 70; eighty: 80;
        ninety: 90
        """
    ).items()
}
MULTIPLIERS = {
    word: Decimal(value)
    for word, value in pairs(
        """
        hundred: 100; thousand: 1000; million: 1000000; billion: 1000000000; trillion: 1000000000000; dozen:
        12; lakh: 100000; crore: 10000000
        """
    ).items()
}
FRACTIONS = {
    "half": Decimal("0.5"),
    "quarter": Decimal("0.25"),
    "quarters": Decimal("0.25"),
    "third": Decimal(1) / 3,
    "thirds": Decimal(1) / 3,
}
MONTHS = numbered(
    """
    january jan; february feb; march mar; april apr; may; june jun; july jul; august aug; september sept
    sep; october oct; november nov; december dec
    """,
    1,
)
WEEKDAYS = numbered(
    """
    monday mondays mon; tuesday tuesdays tue tues; wednesday wednesdays wed weds; thursday thursdays thu
    thur thurs; friday fridays fri; saturday saturdays sat; sunday sundays sun
    """
)
DAY_TIMES = {"noon": 12, "midday": 12, "midnight": 0}
CLOCK_STEPS = {"half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15}
CLOCK_LEADS = listed("at by until till from")
DAY_PARTS = {
    "in the morning": 0, "in the early morning": 0, "this morning": 0, "tomorrow morning": 0,
    "in the afternoon": 12, "in the early afternoon": 12, "this afternoon": 12, "in the evening": 12,
    "this evening": 12, "at night": 12, "tonight": 12, "tomorrow evening": 12, "tomorrow afternoon": 12,
}  # fmt: skip
APPROXIMATIONS = phrases(
    """
    about; around; roughly; approximately; approx; circa; nearly; almost; some; close to; somewhere around;
    just before; just after; shortly before; shortly after; a little before;
    in the neighborhood of; in the ballpark of; give or take; an estimated
    """
)
COMPARISONS = pairs(
    """
    under: <; below: <; less than: <; fewer than: <; lower than: <; cheaper than: <; shorter than: <;
    lighter than: <; smaller than: <; just under: <; well under: <; beneath: <; at most: <=; up to: <=; no
    more than: <=; not more than: <=; maximum of: <=; maximum: <=; max: <=; max of: <=; a maximum of: <=;
    not exceeding: <=; not over: <=; no longer than: <=; no later than: <=; capped at: <=; limit of: <=; as
    much as: <=; as many as: <=; not above: <=; won't exceed: <=; within a budget of: <=; no heavier than:
    <=; no bigger than: <=; over: >; above: >; more than: >; greater than: >; higher than: >; longer than:
    >; heavier than: >; exceeding: >; exceeds: >; just over: >; well over: >; larger than: >; bigger than:
    >; older than: >; upwards of: >; at least: >=; no less than: >=; not less than: >=; no fewer than: >=;
    minimum of: >=; minimum: >=; min: >=; a minimum of: >=; starting at: >=; starts at: >=; start at: >=;
    starting from: >=; starts from: >=; start from: >=; not under: >=; not below: >=; as little as: >=; as
    low as: >=; as few as: >=; more expensive than: >; taller than: >; wider than: >; thicker than: >; deeper
    than: >; faster than: >; farther than: >; further than: >; less expensive than: <; narrower than: <;
    thinner than: <; slower than: <; younger than: <
    """
)
COMPARISONS_AFTER = pairs(
    """
    or less: <=; or fewer: <=; or under: <=; or below: <=; or lower: <=; at most: <=; max: <=; maximum: <=;
    tops: <=; at the most: <=; or cheaper: <=; or shorter: <=; or more: >=; or over: >=; or above: >=; or
    higher: >=; and up: >=; and above: >=; and over: >=; and more: >=; or better: >=; at least: >=; at
    minimum: >=; minimum: >=; min: >=; or longer: >=; and older: >=; or older: >=; and under: <=; and below:
    <=; upwards: >=; or greater: >=
    """
)
RANGE_WORDS = frozenset({"to", "or", "through", "until", "till", "up to"})
PERIODS = named(
    """
    second: second sec s; minute: minute min; hour: hour hr h; day: day daily diem; night: night nightly nt;
    week: week wk weekly; month: month mo mth monthly; year: year yr annum yearly annually annual; unit:
    unit item piece person guest passenger ticket traveler traveller head each pair seat pc apiece adult
    child bag ride trip way user set bottle pack license licence room order shipment delivery kg lb gallon
    litre liter gb oz g
    """
)
PERIOD_WORDS = listed(
    """
    a an each every per
    """
)
UNITS = units_of(
    """
    time | millisecond=0.001: ms msec millisecond milliseconds
    time | second=1: s sec secs second seconds; minute=60: min mins minute minutes
    time | hour=3600: h hr hrs hour hours; day=86400: day days; week=604800: wk wks week weeks
    time | month=2629800: mo mos mth mths month months; year=31557600: yr yrs year years
    time | decade=315576000: decade decades; century=3155760000: century centuries
    length | mm=0.001: mm millimeter millimeters millimetre millimetres
    length | cm=0.01: cm centimeter centimeters centimetre centimetres
    length | m=1: m meter meters metre metres
    length | km=1000: km kms kilometer kilometers kilometre kilometres; in=0.0254: in inch inches
    length | ft=0.3048: ft foot feet; yd=0.9144: yd yds yard yards; mi=1609.344: mi mile miles
    mass | mg=0.001: mg milligram milligrams; g=1: g gr gram grams gramme grammes
    mass | kg=1000: kg kgs kilo kilos kilogram kilograms; oz=28.349523125: oz ounce ounces
    mass | lb=453.59237: lb lbs pound pounds; t=1000000: tonne tonnes ton tons
    volume | ml=0.001: ml milliliter milliliters millilitre millilitres
    volume | cl=0.01: cl centiliter centilitre; l=1: l liter liters litre litres
    volume | gal=3.785411784: gal gallon gallons; pt=0.473176473: pint pints
    volume | qt=0.946352946: quart quarts; cup=0.2365882365: cup cups; fl_oz=0.0295735295625: floz
    data | bit=0.125: bit bits; byte=1: byte bytes; kb=1000: kb kilobyte kilobytes
    data | mb=1000000: mb megabyte megabytes; gb=1000000000: gb gig gigs gigabyte gigabytes
    data | tb=1000000000000: tb terabyte terabytes; kib=1024: kib; mib=1048576: mib
    data | gib=1073741824: gib; tib=1099511627776: tib
    power | w=1: w watt watts; kw=1000: kw kilowatt kilowatts; mw=1000000: megawatt megawatts
    power | hp=745.69987: hp horsepower
    energy | wh=3600: wh; kwh=3600000: kwh; j=1: joule joules; kj=1000: kj
    energy | kcal=4184: kcal calorie calories
    charge | mah=0.001: mah; ah=1: ah
    frequency | hz=1: hz hertz; khz=1000: khz; mhz=1000000: mhz; ghz=1000000000: ghz
    speed | km/h=0.2777777777777778: kmh kph; mph=0.44704: mph; m/s=1: mps
    area | m2=1: m2 sqm; sq_ft=0.09290304: sqft; acre=4046.8564224: acre acres
    area | ha=10000: hectare hectares
    pressure | psi=6894.757: psi; bar=100000: bars; pa=1: pascal pascals
    voltage | v=1: v volt volts
    resolution | mp=1: mp megapixel megapixels; px=1: px pixel pixels
    loudness | db=1: db decibel decibels
    percent | %=1: percent pct percentage
    temperature | °c=1: celsius centigrade; °f=1: fahrenheit
    rating | /5=1: star stars
    """
)
