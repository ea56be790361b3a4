"""A theory, which knows the value of every position of a game."""

import perfectplay as pp
from tests.core.listed_games import PICK


class Known(pp.Theory[str]):
    """A theory of the game above, made up."""

    def value(self, state: str) -> pp.Value:
        return {"high": pp.Value("loss", 0), "low": pp.Value("win", 3)}[state]


def test_a_theory_rates_moves_by_the_positions_they_lead_to() -> None:
    theory = Known(PICK)
    assert theory.moves("start") == (
        (0, pp.Value("loss", 1)),
        (1, pp.Value("loss", 4)),
        (2, pp.Value("loss", 4)),
    )
    assert theory.best("start") == (1, 2)
    assert theory.moves("low") == ((0, pp.Value("win", 1)),)
    assert theory.best("high") == ()
    assert theory.count_best("start") == 2
