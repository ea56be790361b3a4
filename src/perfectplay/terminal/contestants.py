"""The two contestants of a series: what they are called, who sits where, and the score."""

from collections.abc import Sequence
from typing import Any

from perfectplay.core.dialogue import Lines
from perfectplay.core.formatting import capitalize
from perfectplay.core.game import Game
from perfectplay.core.outcome import SIDES, Side, other
from perfectplay.core.series import Series
from perfectplay.players.base import ComputerPlayer, Player
from perfectplay.players.registry import load_players
from perfectplay.terminal import messages

YOU, COMPUTER = "you", "the computer"


def plain(spec: str) -> str:
    """A player's spec as people say it."""
    if spec == "human":
        return "a person"
    name, _, rest = spec.partition(":")
    return f"{name} {rest}" if rest.isdigit() else spec


def name_contestants(players: tuple[str, str], sides: tuple[str, str] | None = None) -> tuple[str, str]:
    """What two contestants are called, in the middle of a sentence. `sides` are theirs, if they keep them."""
    people = [player == "human" for player in players]
    if all(people):
        return sides or ("person 1", "person 2")
    if not any(people):
        return f"p1 ({players[0]})", f"p2 ({players[1]})"
    one, two = (YOU if player == "human" else f"{COMPUTER} ({plain(player)})" for player in players)
    return one, two


def name_sides(game: Game[Any], people: Sequence[Side]) -> tuple[str, str]:
    """What the two sides are called in the middle of a sentence, if `people` play those sides."""
    if len(people) != 1:
        return game.side_names
    return (YOU, COMPUTER) if people[0] == 0 else (COMPUTER, YOU)


def goes_first(name: str) -> str:
    """That a contestant goes first, as the end of a sentence."""
    return f"{name} {'go' if name == YOU else 'goes'} first"


class Contestants:
    """Who plays a series. A contestant may have another side in every game."""

    def __init__(self, series: Series[Any]) -> None:
        self.series = series
        self.players = load_players(series.players)
        change_sides = series.swaps_seats(1) or series.swaps_seats(2)
        self.names = name_contestants(series.players, None if change_sides else series.game.side_names)

    def player(self, side: Side) -> Player:
        """Who plays a side in the present game."""
        return self.players[self.series.contestant(side, len(self.series.matches))]

    def name(self, side: Side) -> str:
        """What the player of a side in the present game is called, in the middle of a sentence."""
        return self.names[self.series.contestant(side, len(self.series.matches))]

    @property
    def people(self) -> list[Side]:
        """The sides that are played by people."""
        return [side for side in SIDES if not isinstance(self.player(side), ComputerPlayer)]

    def person(self, mover: Side) -> Side:
        """The side that a command comes from: the one to move, or the only person."""
        return other(mover) if isinstance(self.player(mover), ComputerPlayer) else mover

    def seating(self) -> Lines:
        """Which contestant has which side, where that is not plain."""
        series, match, number = self.series, self.series.matches[-1], len(self.series.matches)
        computers = [isinstance(player, ComputerPlayer) for player in self.players]
        if series.games == 1 and not series.swaps_seats(number) and len(set(computers)) == 1:
            return ()
        seats = [(self.name(side), match.game.side_names[side]) for side in SIDES]
        game = f"Game {number} of {series.games}" if series.games > 1 else ""
        blank = ("",) if number > 1 else ()
        starter = match.game.side_names[match.game.side_to_move(match.positions[0])]
        if self.names == match.game.side_names:
            return (*blank, f"{game}: {goes_first(starter)}.", "")
        return (*blank, capitalize(messages.seating(seats, starter, game)), "")

    def score(self) -> Lines:
        """The score of the series, where there is more than one game."""
        series = self.series
        if series.games == 1:
            return ()
        first, second = series.score
        score = messages.score(self.names, series.score)
        lines = ("", f"Score after game {len(series.matches)} of {series.games}: {score}.")
        if not series.over:
            return lines
        champion = series.champion
        if champion is None:
            return (*lines, f"The series is tied, {first} to {second}.")
        wins, losses = series.score[champion], series.score[other(champion)]
        name = self.names[champion]
        return (*lines, capitalize(f"{messages.is_(name)} the champion, {wins} to {losses}."))
