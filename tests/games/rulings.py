"""The rulings' table of perfect play, in one place for every test that holds something against it."""

from typing import NamedTuple

from perfectplay import Side


class Ruled(NamedTuple):
    """Positions, the winner and the plies; None for what is not counted, not won, endless."""

    states: int | None
    winner: Side | None
    plies: int | None


RULINGS = {
    "inversion-race": Ruled(207, 0, 9),
    "inversion-race:first=B": Ruled(178, 0, 16),
    "inversion-race:passing=letter": Ruled(148, 0, 9),
    "inversion-race:first=B,passing=letter": Ruled(148, 1, 9),
    "inversion-race:passing=leapfrog": Ruled(298, 0, 13),
    "inversion-race:first=B,passing=leapfrog": Ruled(298, 1, 13),
    "race-to-the-center": Ruled(31, 1, 6),
    "race-to-the-center:arrival=sudden-death": Ruled(30, 0, 5),
    "race-to-the-center:arrival=full-turn": Ruled(32, 1, 6),
    "race-to-the-center:steps=1-3": Ruled(37, 0, 3),
    "race-to-the-center:steps=1-3,arrival=sudden-death": Ruled(36, 0, 3),
    "race-to-the-center:steps=1-3,arrival=full-turn": Ruled(39, 1, 4),
    "bit-flip": Ruled(144, 0, 5),
    "bit-flip:first=2": Ruled(144, 1, 5),
    "dual-direction": Ruled(11, None, None),
    "dual-direction:first=2": Ruled(11, None, None),
    "mirror-match": Ruled(None, 0, 3),
    "mirror-match:shortest=4": Ruled(None, 1, 4),
    "mirror-match:forfeit=move": Ruled(None, None, None),
}
FINITE = [spec for spec, ruled in RULINGS.items() if ruled.states is not None]
BEYOND_TABLES = ["bit-flip:bits=22", "bit-flip:bits=70", "mirror-match:digits=300"]
"""Sizes that are stepped by the rules: no table holds them, nor do the widths of NumPy's numbers."""
