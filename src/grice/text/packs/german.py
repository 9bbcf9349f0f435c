"""German: what is needed to show that packs work."""

from __future__ import annotations

from decimal import Decimal

from grice.text.packs.pack import LanguagePack
from grice.text.packs.tables import listed, named, numbered, pairs, phrases, units_of

__all__ = ["PACK", "stem"]

_ONES = phrases("null; eins; zwei; drei; vier; fünf; sechs; sieben; acht; neun; zehn; elf; zwölf")
_TEENS = phrases("dreizehn; vierzehn; fünfzehn; sechzehn; siebzehn; achtzehn; neunzehn")
_TENS = phrases("zwanzig; dreißig; vierzig; fünfzig; sechzig; siebzig; achtzig; neunzig")
_SUFFIXES = ("ern", "em", "en", "er", "es", "e", "n", "s")


def stem(word: str) -> str:
    """The part a casefolded word shares with its forms: endings of cases and plurals go, umlauts too."""
    if len(word) < 5 or not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word.translate(str.maketrans("äöü", "aou"))


def _numbers() -> dict[str, Decimal]:
    found = {word: Decimal(value) for value, word in enumerate(_ONES + _TEENS)}
    units = {"ein": 1} | {word: value for value, word in enumerate(_ONES[:10]) if value > 1}
    for place, ten in enumerate(_TENS, 2):
        found[ten] = Decimal(place * 10)
        found |= {f"{one}und{ten}": Decimal(place * 10 + value) for one, value in units.items()}
    return found


PACK = LanguagePack(
    code="de",
    name="German",
    stop_words=listed(
        """
        ab aber alle alles als also am an ans auch auf aus bei beim bin bis bist bitte da danke dann darf
        das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
        dort du durch dürfen eben eigentlich ein eine einem einen einer eines er es etwas euch euer für
        gegen gern gerne gewesen habe haben halt hast hat hatte hatten hier hinter ich ihm ihn ihnen ihr
        ihre ihrem ihren im immer in ins ist ja jemand jene jener jetzt kann kannst kein keine keinem keinen
        keiner keines konnte können könnt könnte könnten mag mal man mehr mein meine meinen mich mir mit
        muss musst möchte möchten müssen nach neben nein nicht nichts nie niemals noch nun nur ob oder ohne
        schon sehr seid sein seine seit sich sie sind so soll sollen sollte sondern um und uns unser unsere
        unseren unter vom von vor wann war waren warum was wegen weil welche welcher welches wenn wer werde
        werden wie wieder wieso will wir wird wirst wo wollen worden wurde wurden während wäre zu zum zur
        zwischen über
        """
    ),
    negations=listed(
        """
        kaum keinesfalls keineswegs nicht nichts nie niemals niemand nirgends nirgendwo weder
        """
    ),
    noun_negations=listed("kein keine keinem keinen keiner keines ohne"),
    not_negations=phrases(
        """
        nicht nur; kein problem; keine sorge; keine frage; kein thema; kein wunder; nicht mehr als; nicht
        weniger als; nichts zu danken; gar kein problem
        """
    ),
    clause_words=listed(
        """
        aber bis da damit dass denn deshalb falls jedoch obwohl sobald sodass sondern trotzdem weil wenn
        während
        """
    ),
    pronouns=listed("das dies diese dieser du er es ich ihr man sie wir"),
    joining_words=listed("oder und"),
    prepositions=listed(
        """
        ab am an auf aus bei bis durch für gegen hinter im in innerhalb mit nach neben seit um unter vom von
        vor wegen während zu zum zur zwischen über
        """
    ),
    clause_verbs=listed(
        """
        bietet darf gibt haben hat hatte ist kann kommt kostet können liegt muss müssen passt sind soll war
        waren werden wiegt wird
        """
    ),
    number_words=_numbers(),
    multipliers={
        word: Decimal(value)
        for word, value in pairs("hundert: 100; tausend: 1000; million: 1000000; dutzend: 12").items()
    },
    fractions={
        word: Decimal(value)
        for word, value in pairs("halbe: 0.5; halben: 0.5; halbes: 0.5; viertel: 0.25").items()
    },
    number_joiners=listed("und"),
    unit_articles=listed("ein eine einem einen einer eines"),
    decimal_comma=True,
    units=units_of(
        """
    time | second=1: s sek sekunde sekunden; minute=60: min minute minuten
    time | hour=3600: h std stunde stunden; day=86400: tag tage tagen tags
    time | week=604800: woche wochen; month=2629800: monat monate monaten
    time | year=31557600: jahr jahre jahren
    length | mm=0.001: mm millimeter; cm=0.01: cm zentimeter; m=1: m meter metern
    length | km=1000: km kilometer kilometern; in=0.0254: zoll
    mass | mg=0.001: mg; g=1: g gramm; kg=1000: kg kilo kilogramm; lb=500: pfund
    mass | t=1000000: tonne tonnen
    volume | ml=0.001: ml milliliter; cl=0.01: cl; l=1: l liter litern
    data | kb=1000: kb; mb=1000000: mb; gb=1000000000: gb; tb=1000000000000: tb
    power | w=1: w watt; kw=1000: kw kilowatt
    energy | wh=3600: wh; kwh=3600000: kwh
    percent | %=1: prozent
    rating | /5=1: stern sterne sternen
        """
    ),
    filling_words=listed("ganze ganzen ganzer volle vollen weitere weiteren"),
    label_words=listed(
        """
        flug gate gleis kapitel modell nr nummer option reihe schritt seite sitz stufe version zimmer
        """
    ),
    months=numbered(
        """
        januar jänner jan; februar feb; märz mär; april apr; mai; juni jun; juli jul; august aug; september
        sep sept; oktober okt; november nov; dezember dez
        """,
        1,
    ),
    weekdays=numbered(
        """
        montag montags mo; dienstag dienstags di; mittwoch mittwochs mi; donnerstag donnerstags do; freitag
        freitags fr; samstag samstags sonnabend sa; sonntag sonntags so
        """
    ),
    day_times={"mittag": 12, "mittags": 12, "mitternacht": 0},
    clock_steps={"halb": -30, "viertel nach": 15, "viertel vor": -15},
    clock_leads=listed("um bis ab von"),
    day_parts={"morgens": 0, "vormittags": 0, "früh": 0, "nachmittags": 12, "abends": 12},
    approximations=phrases(
        """
        etwa; ungefähr; circa; ca; rund; fast; knapp; um die
        """
    ),
    comparisons=pairs(
        """
        unter: <; weniger als: <; höchstens: <=; maximal: <=; bis zu: <=; nicht mehr als: <=; über: >; mehr
        als: >; mindestens: >=; minimal: >=; ab: >=
        """
    ),
    comparisons_after=pairs(
        """
        oder weniger: <=; oder mehr: >=; maximal: <=; höchstens: <=
        """
    ),
    range_words=listed("bis oder"),
    periods=named(
        """
        second: sekunde; minute: minute; hour: stunde; day: tag; night: nacht; week: woche; month: monat
        monatlich; year: jahr jährlich; unit: stück person
        """
    ),
    period_words=listed("im je pro"),
    opinion_words=listed(
        """
        ausgezeichnet beliebt empfehlenswert grossartig gut hervorragend ideal klasse perfekt prima schick
        schön super toll wunderbar
        """
    ),
    comparatives=pairs(
        """
        besser: gut; mehr: viel; weniger: wenig; günstiger: günstig; billiger: billig; teurer: teuer;
        leichter: leicht; schwerer: schwer; grösser: gross; kleiner: klein; wärmer: warm; schneller: schnell
        """
    ),
    superlatives=pairs(
        """
        beste: gut; besten: gut; günstigste: günstig; günstigsten: günstig; leichteste: leicht; wärmste: warm
        """
    ),
    greetings=phrases(
        """
        hallo; hi; guten tag; guten morgen; guten abend; servus; moin; grüss gott; willkommen
        """
    ),
    pleasantries=phrases(
        """
        ja; gern; gerne; natürlich; klar; sicher; selbstverständlich; kein problem; alles klar; danke; vielen
        dank; super; toll; perfekt; sehr gern; sehr gerne
        """
    ),
    closings=phrases(
        """
        sagen sie mir bescheid; sag mir bescheid; kann ich ihnen sonst noch helfen; kann ich sonst noch;
        schönen tag noch; wie kann ich ihnen helfen
        """
    ),
    question_words=listed(
        """
        wann warum was welche welcher welches wem wen wer weshalb wessen wie wieso wo woher wohin
        """
    ),
    first_person=listed("ich mein meine meinem meinen mich mir uns unser unsere unseren wir"),
    second_person=listed("dein deine dich dir du euch euer ihnen ihr ihre ihren sie"),
    yes_words=phrases(
        """
        ja; jawohl; klar; natürlich; gern; gerne; genau; stimmt; ok; okay; sicher
        """
    ),
    no_words=phrases(
        """
        nein; nö; nicht wirklich; auf keinen fall; nein danke; niemals; leider nein; leider nicht
        """
    ),
    stemmer=stem,
)
