"""Sweeps a game parameter over a range: which values make a fair game, and which a trivial one."""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import islice
from math import fsum
from typing import Any, NamedTuple

from perfectplay.audit.case import Case, prepare
from perfectplay.audit.findings.value import every_opening_wins, no_decision
from perfectplay.audit.measures import EQUALS, LONGEST, random_play
from perfectplay.audit.readings import BROKEN, outlook
from perfectplay.core.errors import BadParameterError, ParseError, UnknownParameterError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.core.limits import LARGEST_SOLVED
from perfectplay.players.registry import load_computer
from perfectplay.render.markdown import markdown_table
from perfectplay.strength.head_to_head import HeadToHead, Rates

MOST_SWEPT = 5_000
"""Games with at most this many positions are visited in full, and their fairness is computed."""
MOST_SETTINGS = 1_000
TRIVIAL_PLIES = 2
FAIR = 0.55
ROUNDING = 1e-9
"""How far the chances of equal players may be off because they are computed in floating point."""

LEGEND = (
    f"trivial: decided within {TRIVIAL_PLIES} plies, or every first move wins, or no choice changes the"
    " value.\n"
    f"fair: when two {EQUALS} players meet, neither wins more than {FAIR:.0%} of games, computed exactly.\n"
    f"decisions: how often in a game of random moves, of which {LONGEST} plies count, the choice changes the"
    " value.\n"
    f"A dash means not known: games with more than {MOST_SWEPT:,} positions are judged by theory alone."
)


class Setting(NamedTuple):
    """What the game is like with one value of the parameter. A field is None if it is not known."""

    value: int
    spec: str
    positions: int | None
    result: str
    plies: int | None
    trivial: str | None
    """Why the game is trivial; None if it is not."""
    equals: Rates | None
    decisions: float | None = None
    """How often in a game of random moves, on average, the choice changes the value."""

    @property
    def fair(self) -> bool | None:
        """Whether equal players have about the same chances in either seat."""
        return None if self.equals is None else max(self.equals.wins) <= FAIR + ROUNDING

    @property
    def rates(self) -> str | None:
        """How often equal players win in either seat, and how often neither does, in percent of 100.

        There are as many decimals as it takes to see whether the game is fair.
        """
        if self.equals is None:
            return None
        one, two = self.equals.wins
        for digits in range(1, 9):
            whole = 100 * 10**digits
            first, neither = round(one * whole), round(max(0.0, 1 - one - two) * whole)
            second = whole - first - neither
            if (max(first, second) <= round(FAIR * whole)) == self.fair:
                break
        texts = [f"{100 * share / whole:.{digits}f}%" for share in (first, second, neither)]
        return " : ".join(texts[:2]) + (f", neither {texts[2]}" if neither else "")


class Sweep(tuple[Setting, ...]):
    """The settings of a sweep: a tuple that notebooks show as a table and a plot."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from perfectplay.audit.page import sweep_html

        return sweep_html(self)


def sweep(
    game: Game[Any], range_text: str, progress: Callable[[int, int], None] = lambda done, total: None
) -> Sweep:
    """Judge a game for each value of a parameter, given as in `bits=4..40`.

    Values that the game does not allow, such as an even track in Race to the Center, are left out.
    `progress` is called with the number of values that are done, and that of all.

    >>> import perfectplay as pp
    >>> [(setting.value, setting.result) for setting in sweep(pp.load("bit-flip"), "bits=7..9")]
    [(7, 'Player 1 wins'), (8, 'Player 2 wins'), (9, 'Player 1 wins')]
    """
    name, values = _range(game, range_text)
    settings = []
    for done, value in enumerate(values):
        progress(done, len(values))
        try:
            setting = replace(game, **_change(game, name, value))
        except BadParameterError:
            continue
        settings.append(_judge(value, prepare(setting, MOST_SWEPT)))
    if not settings:
        raise ParseError(f"{game.name} allows no value of {quote(range_text)}")
    return Sweep(settings)


def _change(game: Game[Any], name: str, value: int) -> dict[str, Any]:
    """The parameter, and those whose default depends on it, such as the center of a track."""
    changed = {
        each.name: None
        for each in fields(game)
        if each.metadata.get("derive") and replace(game, **{each.name: None}) == game
    }
    # A choice between numbers, such as who moves first, is a choice between texts.
    return {**changed, name: str(value) if game.choices(name) else value}


def _range(game: Game[Any], text: str) -> tuple[str, range]:
    parts = re.fullmatch(r"([a-z_]+)=([0-9]{1,9})\.\.([0-9]{1,9})", text)
    if not parts:
        raise ParseError(f"bad sweep {quote(text)}: it must read like bits=4..40")
    name, values = parts[1], range(int(parts[2]), int(parts[3]) + 1)
    known = [each.name for each in fields(game)]
    if name not in known:
        raise UnknownParameterError(game.name, name, f"{parts[2]}..{parts[3]}", known)
    if not 0 < len(values) <= MOST_SETTINGS:
        raise ParseError(f"bad sweep {quote(text)}: it must have 1 to {MOST_SETTINGS} values")
    if values[-1] > LARGEST_SOLVED:
        raise ParseError(f"bad sweep {quote(text)}: no value may be above {LARGEST_SOLVED:,}")
    return name, values


def _judge(value: int, case: Case) -> Setting:
    worth, player = case.value(0), load_computer(EQUALS)
    return Setting(
        value,
        case.game.spec,
        case.positions,
        outlook(case)[0],
        None if worth is None else worth.plies,
        _trivial(case),
        HeadToHead(case.game, case.graph).rates(player, player) if case.whole else None,
        decisions_per_game(case) if case.whole else None,
    )


def _trivial(case: Case) -> str | None:
    if not case.trusted:
        return None
    worth = case.value(0)
    if worth is not None and worth.plies is not None and worth.plies <= TRIVIAL_PLIES:
        return "short"
    reasons = {"every opening wins": every_opening_wins, "no decision": no_decision}
    return next((reason for reason, finder in reasons.items() if any(finder(case))), None)


def decisions_per_game(case: Case) -> float:
    """How many decisions a game of random moves has on average, counted over its first 40 plies."""
    decisive = {number for number, _ in case.choices}
    plies = islice(random_play(case), LONGEST)
    return fsum(here[number] for here in plies for number in here.keys() & decisive)


def sweep_text(settings: tuple[Setting, ...]) -> str:
    """Return the settings as a Markdown table, with a key.

    >>> import perfectplay as pp
    >>> sweep_text(sweep(pp.load("bit-flip"), "bits=3..4")).splitlines()[0][:37]
    '| value | positions | perfect play  |'
    """
    return f"{markdown_table(*sweep_rows(settings))}\n\n{LEGEND}\n"


def sweep_rows(settings: tuple[Setting, ...]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the table of settings."""
    known = ["value", "positions", "perfect play", "plies", "trivial", "fair"]
    head = [*known, f"{EQUALS} against itself", "decisions"]
    rows = [
        [
            str(each.value),
            "-" if each.positions is None else f"{each.positions:,}",
            each.result,
            "-" if each.plies is None else str(each.plies),
            each.trivial or ("-" if each.result == BROKEN else "no"),
            {None: "-", True: "fair", False: "no"}[each.fair],
            each.rates or "-",
            "-" if each.decisions is None else f"{each.decisions:.1f}",
        ]
        for each in settings
    ]
    return head, rows


def sweep_dict(settings: tuple[Setting, ...]) -> list[dict[str, Any]]:
    """Return the settings as JSON-serializable data.

    >>> import perfectplay as pp
    >>> [(each["value"], each["plies"]) for each in sweep_dict(sweep(pp.load("bit-flip"), "bits=3..4"))]
    [(3, 1), (4, 2)]
    """
    return [
        {
            **each._asdict(),
            "fair": each.fair,
            "equals": None if each.equals is None else list(each.equals.wins),
        }
        for each in settings
    ]
