"""English words for what an assistant does: verbs by what they come to, nouns of actions."""

from __future__ import annotations

from functools import lru_cache

from grice.text.packs.english_forms import stem
from grice.text.packs.tables import listed, pairs

__all__ = [
    "ADVERBS",
    "INFORMING",
    "IRREGULAR",
    "LIGHT_VERBS",
    "OTHERNESS",
    "PRONOUNS",
    "action_of_noun",
    "groups_of",
    "is_participle",
    "lemma",
    "same_action",
]

# Verbs of a line come to the same. One that stands in two lines may mean either.
_GROUPS = """
book reserve schedule arrange rebook reschedule rent hire
cancel void
delete remove erase trash purge clear wipe uninstall drop
update upgrade patch bump change modify edit adjust amend revise switch reschedule rebook move set correct\
 fix replace
create add make generate build register open set-up insert append
send email forward mail message notify text dispatch resend
refund reimburse credit
pay charge bill
install deploy
activate enable unlock unblock reactivate turn-on switch-on
deactivate disable block lock suspend freeze turn-off switch-off
pause stop halt
resume restart reboot start run launch execute trigger initiate
publish post release
order buy purchase
submit file lodge log raise report
transfer connect escalate hand-over move
assign reassign allocate
save store record
upload
apply redeem
subscribe sign-up enroll enrol register
unsubscribe opt-out
reset restore revert
close resolve
archive
rename
merge
renew extend
ship dispatch send
hide unpublish
duplicate clone copy
grant allow
revoke
invite
attach
migrate
waive
escalate
swap exchange replace
redirect reroute
increase lower reduce update
mark tag label flag update
"""
IRREGULAR = pairs(
    """
    sent: send; resent: resend; bought: buy; made: make; paid: pay; built: build; written: write; wrote:
    write; chosen: choose; chose: choose; begun: begin; began: begin; ran: run; taken: take; took: take;
    got: get; gotten: get; found: find; told: tell; sold: sell; held: hold; kept: keep; left: leave; given:
    give; gave: give; undone: undo; redone: redo; withdrawn: withdraw; done: do; did: do; put: put; set:
    set; reset: reset; cut: cut; run: run; shown: show; saw: see; seen: see; went: go; gone: go; frozen:
    freeze; froze: freeze; brought: bring; drawn: draw; spoken: speak; spoke: speak; come: come; read: read;
    added: add; adding: add; adds: add; hid: hide; hidden: hide; hiding: hide; swapped: swap
    """
)
_NOUNS = pairs(
    """
    booking: book; bookings: book; reservation: reserve; reservations: reserve; cancellation: cancel;
    cancelation: cancel; deletion: delete; removal: remove; update: update; updates: update; upgrade:
    upgrade; change: change; changes: change; modification: modify; modifications: modify; edit: edit;
    edits: edit; adjustment: adjust; creation: create; installation: install; install: install; deployment:
    deploy; uninstallation: uninstall; activation: activate; deactivation: deactivate; publication: publish;
    publishing: publish; order: order; purchase: purchase; refund: refund; payment: pay; charge: charge;
    transfer: transfer; submission: submit; upload: upload; reset: reset; restart: restart; reboot: reboot;
    rebooking: rebook; renewal: renew; subscription: subscribe; restore: restore; migration: migrate;
    backup: back; import: import; export: export; sync: sync; scan: scan; switch: switch; merge: merge
    """
)
LIGHT_VERBS = listed(
    """
        begin carry complete confirm continue do execute finalize finalise finish go initiate issue kick
    launch make
    move perform place proceed process push run start submit trigger
    """
)
"""Verbs that say little without their noun: make the booking, process the refund."""
INFORMING = listed(
    """
        advise analyse analyze answer appear ask assist assume believe browse call chat check clarify
    compare consider
    describe discuss double elaborate explain explore feel figure find get give go guess handle have hear
    help hold hope include investigate keep know learn like list listen locate look mean mention need note
    offer pick point provide pull read recommend refer remind repeat retrieve review search see
    share show speak stay suggest summarise summarize support take talk tell think try understand use
    verify view wait walk want watch work wonder
    """
)
"""Verbs of talk, search and help: nothing is changed by them."""
OTHERNESS = listed(
    """
        additional additionally afterwards again also another anything besides different else elsewhere
    extra further
    instead later meanwhile more next other others remaining rest similar too separately something
    """
)
"""Words that make an action another one: too, next, the others."""
PRONOUNS = listed("it this that them these those one so you him her everything all both")
ADVERBS = listed(
    """
    actually all already also currently finally first for gladly immediately just kindly now please quickly
    simply still successfully then therefore too right away straight automatically manually instantly safely
    officially definitely certainly happily properly correctly immediately fully recently
    """
)
_NO_PARTICIPLES = listed(
    """
        afraid based concerned embed excited feed glad hundred indeed interested limited located need needed
    pleased
    proceed red required seed speed supposed tired used wicked
    """
)


def _table() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(_GROUPS.strip().splitlines()):
        for verb in line.split():
            groups.setdefault(lemma(verb), set()).add(number)
    return {verb: frozenset(numbers) for verb, numbers in groups.items()}


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """What the forms of a casefolded verb share: updating, updated and update give updat."""
    return stem(IRREGULAR.get(word, word))


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    return _table()


def groups_of(verb: str) -> frozenset[int]:
    """The groups of actions that a lemma belongs to; none for a verb that changes nothing we know of."""
    return _groups().get(verb, frozenset())


@lru_cache(maxsize=4096)
def action_of_noun(noun: str) -> str:
    """The lemma of the verb that a noun of an action is made of: cancellation gives cancel; "" for others."""
    verb = _NOUNS.get(noun)
    return lemma(verb) if verb is not None else ""


def same_action(one: str, other: str) -> bool:
    """Whether two lemmas are of the same action, or of ones that come to the same."""
    return one == other or not groups_of(one).isdisjoint(groups_of(other))


def is_participle(word: str) -> bool:
    """Whether a casefolded word may say what has been done: updated, sent."""
    if word in IRREGULAR:
        return True
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed") and word not in _NO_PARTICIPLES
