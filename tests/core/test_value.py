"""Values of positions."""

import perfectplay as pp


def test_a_value_one_move_earlier() -> None:
    assert pp.Value("loss").before(same_side=False) == pp.Value("win")
    assert pp.Value("loss", 2).before(same_side=True) == pp.Value("loss", 3)
