"""Slips of spelling: one edit in a long word, and only where the result is no other word that is known."""

from __future__ import annotations

from collections.abc import Iterable

_LEAST = 5
_LEAST_TO_GROW = 6
"""Letters a word must have for one of them to be left out or too many."""
_LEAST_TO_SWAP = 8
"""Letters a word must have for one of them to be another: in short words that makes different words."""
_REAL_LIST = """
    carter curse overbook partly praize seattle statin strand
    angel angle branch brunch browser casual causal charger choir closet coarse context contest consent contract course
    crafty creepy cursed diary dairy diner dressing easter employee employer fascinate fiend fight finance fountain
    hostess identity kitten launch linger lodger medal metal minister mussel muscle operate overlook palace parent
    pastry pasty patient peasant phrase planet planner pleasant poetry pottery powder praise present prevent promote
    qualify quality quilt ranger recovery report reset resent reveal saloon salon scenic secret simmer spirit squid
    statue stables stamp steam store stored stores story stranded stream string striker subscribe support tablet
    teenage template token tough tower towel trail trial transmit tropic truck tunnel valley volley waiter water
    welcoming wheelie widow widowed shower slower flower floral plaster pillar carnival carvery canary bakery battery
    beacon bacon butcher cabinet candle cattle charter chapter chess cheese cherry cider coaster convent couch counter
    courtesy cruiser dancer desert dessert drawer dresser festive filter fitting flight foreign forest former garlic
    grilled guitar harvest heather jungle juggle kennel lemon melon lighter lantern liqueur litter locker manner manor
    marble marine marina marker master matter meadow mirror motor mortal mosque native needle nibble organ oysters
    painter panther parade partner pattern pebble pepper pilgrim pirate pistachio platter player plumber pocket portal
    poster potter prison puppet rabbit racket raffle rafter ribbon rocket roster rubber saddle sailor salmon sample
    sandal satin scarf scooter scarlet sculptor seller server shelter shuttle silver singer sister skater slipper
    smoker snooker soccer spider spinner sporty stable steak stalker starter station stopper sticker student studio
    suite summit supper surfer swallow swimmer tailor tanker tavern teller temper thistle ticket timber toaster tobacco
    topping tourist trader trainer trolley trouser turkey turtle vendor vessel viewer villain vinegar violet violin
    visitor waffle waitress walker wallet walnut warden weaver wedding whisky winner winter wonder worker writer
"""
_REAL = frozenset(_REAL_LIST.split())
"""Words of their own that look like slips of others."""


def is_slip(word: str, of: str) -> bool:
    """True when `word` is `of` with one letter left out, doubled, added or swapped with its neighbour.

    In words of eight letters or more, one letter may also be wrong. The first letter is right, and so is the last
    one where nothing else is wrong.
    """
    if word == of or word[:1] != of[:1] or min(len(word), len(of)) < _LEAST or abs(len(word) - len(of)) > 1:
        return False
    at = next((place for place, (one, other) in enumerate(zip(word, of, strict=False)) if one != other), None)
    if at is None or word in _REAL:  # "closet" is not "close", nor "planet" "plane"
        return False
    if len(word) != len(of) and max(len(word), len(of)) < _LEAST_TO_GROW:
        return False
    if len(word) > len(of):
        return word[at + 1 :] == of[at:]
    if len(word) < len(of):
        return word[at:] == of[at + 1 :]
    if word[at + 2 :] == of[at + 2 :] and word[at : at + 2] == of[at : at + 2][::-1]:
        return True
    return len(word) >= _LEAST_TO_SWAP and word[at + 1 :] == of[at + 1 :]


def meant(word: str, known: Iterable[str]) -> str | None:
    """The one known word that `word` is a slip of; None when there is none, or more than one."""
    found = {one for one in known if is_slip(word, one)}
    return found.pop() if len(found) == 1 else None
