"""Closed classes of English words."""

from __future__ import annotations

from grice.text.packs.tables import listed, pairs, phrases

PRONOUNS = listed(
    """
    he he's here here's i i'd i'll i'm i've it it'll it's let's she she's that that's there there's these
    they they'll they're they've this those we we'd we'll we're we've what what's who who's you you'd you'll
    you're you've
    """
)
CLAUSE_VERBS = listed(
    """
    add ain't allows applies are aren't arrives can can't cannot check choose click comes contact costs
    could couldn't covers delivers did didn't do does doesn't don't ends excels features feel feels fits
    gives go goes had hadn't handles has hasn't have haven't helps holds includes is isn't keeps lasts let
    lets looks makes may means measures might mightn't must mustn't needn't needs offers performs please
    protects provides remains requires rides runs see seems sells shall shan't shines ships should shouldn't
    starts stays supports takes tell tends try use was wasn't weighs were weren't will won't works would
    wouldn't
    """
)
PREPOSITIONS = listed(
    """
    about above across after against along amid among around as at before behind below beneath beside
    besides between beyond by despite down during except for from in inside into near of off on onto out
    outside over past per since through throughout till to toward towards under underneath until up upon via
    with within without
    """
)
STOP_WORDS = listed(
    """
    a able about above across after again against ain't all along already also although always am among an
    and another any anybody anyone anything are aren't around as at be because been before behind being
    below beside besides between beyond both but by can can't cannot come comes could couldn't d despite did
    didn't do does doesn't doing don't done down during each either else even ever every everybody everyone
    everything except few for from gave generally get gets getting give gives go goes going gone got had
    hadn't has hasn't have haven't having he hello hence her here hers herself hey hi him himself his how
    however i if in inside into is isn't it its itself just least less let lets like ll m made make makes
    making many may me might mightn't mine more most much must mustn't my myself near need needed needn't
    needs neither never no nobody none nor not nothing now nowhere of off often oh ok okay on one ones only
    onto or other others ought our ours ourselves out outside over own past per please pretty put quite
    rather re really s same several shall shan't she should shouldn't since so some somebody someone
    something sometimes still such sure t take takes than thank thanks that the their theirs them themselves
    then there therefore these they this those though through throughout thus till to today too took toward
    towards typically under until up upon us usually ve very via want wanted wants was wasn't we well were
    weren't what when where whereas which while who whom whose why will with within without won't would
    wouldn't yeah yep yes yet you your yours yourself yourselves
    """
)
NEGATIONS = listed(
    """
    ain't arent barely cannot cant couldnt didnt doesnt dont hardly hasnt havent isnt neither never nobody
    none nor not nothing nowhere rarely scarcely seldom shouldnt wasnt wont wouldnt
    """
)
NOUN_NEGATIONS = listed(
    """
    lack lacking lacks minus no sans without zero
    """
)
WORD_NEGATIONS = listed(
    """
    non
    """
)
NEGATION_PHRASES = phrases(
    """
    far from; anything but; unable to; fails to; fail to; failed to; failing to; free of; free from; rather
    than; instead of; no longer; not at all; by no means; in no way; refuse to; refuses to; stopped being;
    not any; isn't any
    """
)
NOT_NEGATIONS = phrases(
    """
    not only; not just; not merely; not simply; not solely; isn't just; isn't only; aren't just; aren't
    only; doesn't just; don't just; no problem; no problems; no problem at all; no doubt; no worries; no
    matter; no wonder; no need to worry; no sweat; no biggie; no kidding; not to mention; if not; whether or
    not; or not; why not; why don't; why doesn't; no later than; no more than; no less than; no fewer than;
    not more than; not less than; not later than; no earlier than; no sooner than; no bigger than; no larger
    than; no heavier than; no longer than; nothing but; none other than; nothing less than; never mind; no
    other than; can't wait; cannot wait; can't go wrong; cannot go wrong; couldn't agree more; don't
    hesitate; do not hesitate; don't forget; do not forget; don't worry; do not worry; not bad; can't beat;
    no one but; no time; in no time; no brainer; no nonsense; no fuss; no 1; not least; not long ago;
    nothing beats; nothing better than; no exception; never fails; can't help but; not a problem; not an
    issue
    """
)
CLAUSE_WORDS = listed(
    """
    after although because before but except however if instead once otherwise plus since so still then
    therefore though unless until when whenever where whereas wherever whether which while who whom whose
    yet
    """
)
OPINION_WORDS = listed(
    """
    amazing awesome awful bad bargain beautiful beautifully best better boring brilliant charming classic
    classy clean comfy cool crowd-pleaser cute decent delightful dependable disappointing easy elegant
    enjoyable excellent exceptional excited exciting fancy fantastic favorite favourite fine fun gem go-to
    good gorgeous great handsome handy happy iconic ideal impressive incredible inspiring killer love loved
    lovely luxurious magnificent marvelous modern must-have neat nice outstanding perfect perfectly
    phenomenal pleasant pleasing poor popular premium pretty recommend recommended refined reliable
    remarkable sharp sleek smart smooth solid special splendid standout steal stellar striking stunning
    stylish super superb sweet terrible terrific thoughtful timeless top trendy trusty ugly unbeatable
    versatile winner wonderful worth worthwhile worthy
    """
)
COMPARATIVES = pairs(
    """
    better: good; worse: bad; more: much; less: little; further: far; farther: far; lesser: little; cheaper:
    cheap; bigger: big; smaller: small; larger: large; longer: long; shorter: short; lighter: light;
    heavier: heavy; warmer: warm; cooler: cool; colder: cold; hotter: hot; softer: soft; harder: hard;
    stiffer: stiff; faster: fast; slower: slow; quicker: quick; stronger: strong; weaker: weak; wider: wide;
    narrower: narrow; thicker: thick; thinner: thin; taller: tall; lower: low; higher: high; deeper: deep;
    newer: new; older: old; younger: young; earlier: early; later: late; easier: easy; simpler: simple;
    safer: safe; quieter: quiet; louder: loud; clearer: clear; darker: dark; brighter: bright; richer: rich;
    poorer: poor; tougher: tough; smoother: smooth; sharper: sharp; rougher: rough; tighter: tight; looser:
    loose; cleaner: clean; drier: dry; wetter: wet; busier: busy; roomier: roomy; comfier: comfy; priceier:
    pricey; sturdier: sturdy; grippier: grippy; bouncier: bouncy; floatier: floaty; closer: close; nearer:
    near; fewer: few; greater: great; finer: fine; nicer: nice; kinder: kind
    """
)
SUPERLATIVES = pairs(
    """
    best: good; worst: bad; most: much; least: little; furthest: far; farthest: far; cheapest: cheap;
    biggest: big; smallest: small; largest: large; longest: long; shortest: short; lightest: light;
    heaviest: heavy; warmest: warm; coolest: cool; coldest: cold; hottest: hot; softest: soft; hardest:
    hard; stiffest: stiff; fastest: fast; slowest: slow; quickest: quick; strongest: strong; weakest: weak;
    widest: wide; narrowest: narrow; thickest: thick; thinnest: thin; tallest: tall; lowest: low; highest:
    high; deepest: deep; newest: new; oldest: old; youngest: young; earliest: early; latest: late; easiest:
    easy; simplest: simple; safest: safe; quietest: quiet; loudest: loud; clearest: clear; darkest: dark;
    brightest: bright; richest: rich; poorest: poor; toughest: tough; smoothest: smooth; sharpest: sharp;
    roughest: rough; tightest: tight; loosest: loose; cleanest: clean; driest: dry; wettest: wet; busiest:
    busy; roomiest: roomy; comfiest: comfy; priceiest: pricey; sturdiest: sturdy; grippiest: grippy;
    bounciest: bouncy; floatiest: floaty; closest: close; nearest: near; fewest: few; greatest: great;
    finest: fine; nicest: nice; kindest: kind
    """
)
GREETINGS = phrases(
    """
    hi; hello; hey; hiya; howdy; greetings; welcome; welcome back; good morning; good afternoon; good
    evening; good day; hi there; hello there; hey there; dear; hello again; hi again
    """
)
PLEASANTRIES = phrases(
    """
    sure; sure thing; of course; certainly; absolutely; definitely; great; perfect; wonderful; excellent;
    awesome; fantastic; no problem; no worries; got it; understood; alright; all right; okay; ok; great
    question; good question; excellent question; that's a great question; great choice; good choice;
    excellent choice; happy to help; glad to help; i'd be happy to help; i would be happy to help; i'm happy
    to help; i am happy to help; i'd love to help; my pleasure; you're welcome; you are welcome; thanks;
    thank you; thanks for reaching out; thank you for reaching out; thanks for asking; thank you for your
    patience; thanks for your patience; thank you for the information; thanks for letting me know; thank you
    for confirming; thanks for confirming; sounds good; sounds great; very well; right; yes; yeah; yep;
    well; oh; ah; so; now; nice; cool; lovely; gladly; with pleasure; i understand; i see; let me help; let
    me check; let me see; let's see; one moment; just a moment; please hold on
    """
)
CLOSINGS = phrases(
    """
    let me know; just let me know; please let me know; feel free; is there anything else; anything else;
    have a great day; have a nice day; have a good day; have a wonderful day; have a good one; enjoy your
    day; hope this helps; hope that helps; i hope this helps; i hope that helps; how can i help; how may i
    help; how can i assist; how may i assist; what can i do for you; happy to help; glad to help; i'm here
    to help; don't hesitate to; take care; safe travels; thank you for choosing; thanks for choosing; you're
    welcome; best regards; kind regards; cheers
    """
)
IRREGULAR_PLURALS = pairs(
    """
    men: man; women: woman; children: child; people: person; feet: foot; teeth: tooth; mice: mouse; geese:
    goose; knives: knife; lives: life; wives: wife; shelves: shelf; leaves: leaf; halves: half; loaves:
    loaf; scarves: scarf; calves: calf; wolves: wolf; oxen: ox; dice: die; criteria: criterion; media:
    medium; data: datum; indices: index; analyses: analysis; bases: base; axes: axis; cacti: cactus;
    potatoes: potato; tomatoes: tomato; heroes: hero; echoes: echo; shoes: shoe; toes: toe; quizzes: quiz;
    thieves: thief; matrices: matrix; vertices: vertex; selves: self; elves: elf; caches: cache; headaches:
    headache; aches: ache; axles: axle; horses: horse
    """
)
IRREGULAR_VERBS = {
    form: verb
    for verb, forms in pairs(
        """
        begin: began begun; break: broke broken; bring: brought; build: built; buy: bought; catch: caught;
        choose: chose chosen; draw: drew drawn; drive: drove driven; eat: ate eaten; fly: flew flown; freeze:
        froze frozen; grow: grew grown; hide: hid hidden; hold: held; keep: kept; know: knew known; lend:
        lent; lose: lost; meet: met; pay: paid; sell: sold; send: sent; show: shown; shrink: shrank shrunk;
        sleep: slept; speak: spoke spoken; spend: spent; steal: stole stolen; swim: swam swum; take: taken
        took; teach: taught; tear: torn; think: thought; throw: threw thrown; understand: understood; wear:
        wore worn; win: won; write: wrote written
        """
    ).items()
    for form in forms.split()
}
QUESTION_WORDS = listed(
    """
    how what when where which who whom whose why
    """
)
FIRST_PERSON = listed(
    """
    i i'd i'll i'm i've me mine my myself our ours ourselves us we we'd we'll we're we've
    """
)
SECOND_PERSON = listed(
    """
    you you'd you'll you're you've your yours yourself yourselves
    """
)
YES_WORDS = phrases(
    """
    yes; yeah; yep; yup; yes please; sure; sure thing; of course; absolutely; definitely; certainly;
    correct; exactly; right; that's right; ok; okay; affirmative; indeed; please do; go ahead; sounds good;
    y; aye
    """
)
NO_WORDS = phrases(
    """
    no; nope; nah; no thanks; no thank you; not really; definitely not; of course not; absolutely not;
    certainly not; not at all; not yet; never; negative; n; no way; nay
    """
)
FILLING_WORDS = listed(
    """
    additional calendar consecutive different entire extra full further more other single straight total
    whole
    """
)
LABEL_WORDS = listed(
    """
    account apartment booking building case category chapter confirmation episode exit flight floor gate gen
    generation grade highway invoice item level line model no number option order page part phase platform
    question release reservation room route row rule season seat section series step suite terminal ticket
    tier track type unit version volume
    """
)
WORK_WORDS = listed(
    """
    business work working
    """
)
CONTRACTIONS = tuple(
    (full, short)
    for short, full in (
        part.split(": ")
        for part in phrases(
            """
            i'm: i am; i'll: i will; i've: i have; i'd: i would; i'd: i had; you're: you are; you'll: you
            will; you've: you have; you'd: you would; he's: he is; she's: she is; it's: it is; he'll: he
            will; she'll: she will; it'll: it will; it's: it has; he's: he has; she's: she has; he'd: he
            would; she'd: she would; it'd: it would; we're: we are; we'll: we will; we've: we have; we'd: we
            would; they're: they are; they'll: they will; they've: they have; they'd: they would; that's:
            that is; that'll: that will; that'd: that would; there's: there is; here's: here is; who's: who
            is; what's: what is; where's: where is; when's: when is; how's: how is; what're: what are;
            who'll: who will; there'll: there will; there're: there are; let's: let us; can't: cannot;
            can't: can not; won't: will not; shan't: shall not; don't: do not; doesn't: does not; didn't:
            did not; isn't: is not; aren't: are not; wasn't: was not; weren't: were not; haven't: have not;
            hasn't: has not; hadn't: had not; wouldn't: would not; shouldn't: should not; couldn't: could
            not; mightn't: might not; mustn't: must not; needn't: need not
            """
        )
    )
)
CONTRACTED = listed(
    """
    ain't aren't can't could've couldn't didn't doesn't don't everyone's everything's hadn't hasn't haven't
    he'd he'll he's here's how'd how'll how's i'd i'll i'm i've isn't it'd it'll it's let's might've
    mightn't must've mustn't needn't not've nothing's shan't she'd she'll she's should've shouldn't
    something's that'd that'll that's that've there'll there're there's there've they'd they'll they're
    they've this's wasn't we'd we'll we're we've weren't what'll what're what's what've when'll when's
    where'd where's who'd who'll who's who've why's won't would've wouldn't y'all you'd you'll you're you've
    """
)
