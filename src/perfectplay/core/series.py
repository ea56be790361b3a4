"""Several games between the same two contestants: who starts each, the score, the champion."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from random import Random
from typing import Any, Generic

from perfectplay.core.errors import BadParameterError, MatchStateError, PerfectplayError, RecordError
from perfectplay.core.game import Game, S, expect_game, whole_number
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side, other
from perfectplay.core.record import Record, SeriesPlace
from perfectplay.core.replay import start_of


@dataclass(eq=False, repr=False)
class Series(Generic[S]):
    """Several games between two contestants, 0 and 1, called p1 and p2 in specs and records.

    The starter alternates unless `alternate` is False. If the rules let either side start, the
    contestants keep their sides; if the rules or a `start` position fix the starter, they change seats.

    >>> import perfectplay as pp
    >>> series = Series(pp.load("bit-flip:bits=3"), games=2)
    >>> for _ in range(2):
    ...     series.begin().play("1")
    >>> [match.game.spec for match in series.matches], series.score, series.champion
    (['bit-flip:bits=3', 'bit-flip:bits=3,first=2'], (1, 1), None)
    """

    game: Game[S]
    games: int = 1
    _: KW_ONLY
    players: tuple[str, str] = ("human", "human")
    first: Side | None = None
    """The contestant who starts the first game; None if the rules or the start decide."""
    alternate: bool = True
    seed: int = 0
    max_plies: int | None = None
    forgiving: bool = False
    start: S | None = None
    matches: list[Match[S]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        expect_game(self.game)
        if (whole_number(self.games) or 0) < 1:
            raise BadParameterError("games", repr(self.games), "a whole number, at least 1")
        initial = self.game.initial()
        self.start = None if self.start == initial else self.start
        self._mover = self.game.side_to_move(initial if self.start is None else self.start)
        # A start position fixes which side moves first, as some rules do.
        self._seats_change = self.start is not None or self.game.starting(0) is None

    @property
    def current(self) -> Match[S] | None:
        """The match being played, or None between two games."""
        return self.matches[-1] if self.matches and self.matches[-1].result is None else None

    @property
    def over(self) -> bool:
        """Whether every game has been played."""
        return len(self.matches) == self.games and self.current is None

    @property
    def score(self) -> tuple[int, int]:
        """Games won by each contestant; ties and unfinished games count for nobody."""
        wins = [
            self.contestant(match.result.winner, number)
            for number, match in enumerate(self.matches, start=1)
            if match.result is not None and match.result.winner is not None
        ]
        return wins.count(0), wins.count(1)

    @property
    def champion(self) -> Side | None:
        """The contestant with the most wins; None if the score is even."""
        first, second = self.score
        return None if first == second else 0 if first > second else 1

    def begin(self) -> Match[S]:
        """Start the next game."""
        if self.current is not None or self.over:
            raise MatchStateError("the next game starts once the current one is over, while games are left")
        match = self.match(len(self.matches) + 1)
        self.matches.append(match)
        return match

    def match(self, number: int) -> Match[S]:
        """A game of the series at its start, whether or not those before it have been played.

        >>> import perfectplay as pp
        >>> series = Series(pp.load("race-to-the-center"), 2, players=("human", "random"), seed=1)
        >>> [(match.players, match.seed) for match in map(series.match, (1, 2))]
        [(('human', 'random'), 1), (('random', 'human'), 1739456459)]
        """
        return Match(
            self.game if self._seats_change else self.game.starting(self.starter(number)) or self.game,
            players=self.players[::-1] if self.swaps_seats(number) else self.players,
            seed=self.game_seed(number),
            max_plies=self.max_plies,
            forgiving=self.forgiving,
            start=self.start,
        )

    def game_seed(self, number: int) -> int:
        """The seed of a game: the seed of the series for the first, a derived one for each later game."""
        return self.seed if number == 1 else Random(f"{self.seed}/game {number}").getrandbits(32)

    def starter(self, number: int) -> Side:
        """The contestant who starts a game; games count from 1."""
        first = self._mover if self.first is None else self.first
        return other(first) if self.alternate and number % 2 == 0 else first

    def swaps_seats(self, number: int) -> bool:
        """Whether the contestants have changed seats in a game, because it is fixed which side starts."""
        return self._seats_change and self.starter(number) != self._mover

    def contestant(self, side: Side, number: int) -> Side:
        """Who plays `side` in a game."""
        return other(side) if self.swaps_seats(number) else side

    def records(self) -> tuple[Record, ...]:
        """A record of each game begun so far."""
        return tuple(self.record(number) for number in range(1, len(self.matches) + 1))

    def record(self, number: int) -> Record:
        """The record of one game; games count from 1."""
        return replace(
            self.matches[number - 1].record(),
            players=self.players,
            place=SeriesPlace(number, self.games, self.swaps_seats(number), self.alternate),
        )

    @classmethod
    def from_records(cls, records: Sequence[Record], load: Callable[[str], Game[Any]]) -> "Series[Any]":
        """Restore the series that wrote these records, replaying every move by the rules."""
        if not records:
            raise RecordError(1, "this is not a record")
        opening = records[0]
        game = _load_game(opening, load)
        series: Series[Any] = Series(
            game,
            opening.place.games,
            players=opening.players,
            alternate=opening.place.alternate,
            seed=opening.seed,
            max_plies=opening.max_plies,
            forgiving=opening.forgiving,
            start=start_of(opening, game),
        )
        series.first = other(series._mover) if opening.place.swapped else series._mover
        for number, record in enumerate(records, start=1):
            line = record.lines[0]
            if series.over or series.current is not None:
                raise RecordError(line, "this game follows one still in progress, or the last of a series")
            begun = series.begin()
            match = Match.replay(record, _load_game(record, load))
            place = SeriesPlace(number, series.games, series.swaps_seats(number), series.alternate)
            if _settings(match) != _settings(begun) or record.place != place:
                raise RecordError(line, f"this is not game {number} of the series that began in line 1")
            series.matches[-1] = match
        return series


def _load_game(record: Record, load: Callable[[str], Game[Any]]) -> Game[Any]:
    try:
        return load(record.spec)
    except PerfectplayError as error:
        raise RecordError(record.lines[0], str(error)) from error


def _settings(match: Match[Any]) -> tuple[object, ...]:
    """What two matches at the same place in a series must have in common."""
    return match.game, match.players, match.seed, match.max_plies, match.forgiving, match.positions[0]
