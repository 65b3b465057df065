"""Joins the clauses of a message: one may repeat, complete or continue the one before it."""

from dataclasses import replace

from models.offline.reading.understanding import Act, Choice, Clause, Wishes

ORDERS: frozenset[Act] = frozenset({"book", "hold", "cancel"})
_ECHOES: dict[str, tuple[Act, ...]] = {
    "confirm": ("confirm", "chat", "thanks", "choose"),
    "reject": ("reject", "chat", "thanks", "choose", "confirm"),
}
"""Acts that merely repeat or accompany an answer before them ("nah, that's ok")."""


def continue_order(before: Clause, clause: Clause, *, joined: bool) -> Clause:
    """Return a clause as part of the order before it if it continues that ("book the flight and the second hotel")."""
    goes_on = clause.act == "choose" and (joined or clause.kinds)
    if before.act in ORDERS and (goes_on or (joined and clause.act == "inform")):
        return replace(clause, act=before.act)
    return clause


def merge(before: Clause, clause: Clause) -> Clause | None:
    """Return two clauses as one if the second repeats the first, or completes it as an order; else None."""
    text, orders = f"{before.text}, {clause.text}", clause.act in ORDERS
    every = clause.choice is not None and clause.choice.every
    if orders and _empty(clause) and _sorts(before):  # "cheapest of both, book"
        return replace(before, text=text, act=clause.act, choice=_sorted(before))
    named = clause.kinds in ((), before.kinds) and (
        before.act == "inform" or (before.act == "confirm" and before.kinds)
    )
    if orders and named and before == Clause(before.text, before.act, before.kinds):  # "only the hotel, book it"
        return replace(clause, text=text, kinds=before.kinds)
    points = _sorts(clause) or (_named(clause) and _empty(replace(clause, wishes=Wishes(), choice=None)))
    if before.act in ORDERS and points and before.choice in (None, Choice(that=True)):  # "book it, the second"
        return replace(before, text=text, choice=_sorted(clause))
    if clause.act in _ECHOES.get(before.act, ()) and _empty(clause):  # "yes, that one"
        return replace(before, text=text, choice=clause.choice if every else before.choice)
    if orders and _named(before) and _empty(clause) and not every:  # "2. Book."
        return replace(before, text=text, act=clause.act)
    of_both = clause.act == "choose" and len(clause.kinds) > 1 and clause.wishes.sort is not None
    if before.act == "confirm" and (_named(clause) or of_both):  # "yes, the second one", "yes, the cheapest of both"
        return replace(clause, text=text, act="book")
    if before == Clause(before.text, "confirm") and clause.act == "confirm":
        return clause  # "yes, the hotel please"
    if before.conversion and clause.conversion:  # "what's that in francs? 900 usd I mean"
        conversion = replace(before.conversion, amount=clause.conversion.amount, source=clause.conversion.source)
        return replace(before, conversion=conversion)
    return None


def _sorted(clause: Clause) -> Choice:
    """Return the choice of a clause with the sort order of its wishes."""
    return replace(clause.choice or Choice(), sort=clause.wishes.sort)


def _named(clause: Clause) -> bool:
    """Return whether a clause names an offer without saying what to do with it ("2. Book.")."""
    choice = clause.choice or Choice()
    named = choice.ordinal is not None or bool(choice.name or choice.hour)
    return clause.act in {"choose", "inform"} and named


def _sorts(clause: Clause) -> bool:
    """Return whether a clause gives a sort order and nothing else."""
    bare = replace(clause, wishes=Wishes(), choice=None) == Clause(clause.text, clause.act)
    return bare and clause.wishes.sort is not None and clause.act in {"choose", "inform"}


def _empty(clause: Clause) -> bool:
    """Return whether a clause has no values."""
    nothing = clause.wishes == Wishes() and not (clause.places or clause.dates or clause.party or clause.kinds)
    return nothing and (clause.choice is None or clause.choice.that or clause.choice.every)
