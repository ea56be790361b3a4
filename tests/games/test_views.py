"""What the view of each game shows and offers."""

import perfectplay as pp


def seen(spec: str, position: str) -> tuple[list[str], list[tuple[str, int, str]], tuple[str, ...]]:
    """A view in short: each cell as label, pieces and action; the controls; the captions."""
    game = pp.load(spec)
    view = game.view(game.parse_state(position))
    [row] = view.rows
    cells = [f"{cell.label} {'+'.join(cell.pieces) or '.'} {cell.action}" for cell in row]
    return cells, [(each.label, each.action, each.group) for each in view.controls], view.captions


def test_a_view_of_bit_flip_offers_the_free_bits() -> None:
    assert seen("bit-flip:bits=4", "1000 2") == (["0 1 None", "1 0 None", "2 0 2", "3 0 3"], [], ())


def test_a_view_of_dual_direction_offers_both_neighbours() -> None:
    assert seen("dual-direction:positions=5", "4 2") == (
        ["1 . None", "2 . None", "3 . 0", "4 * None", "5 . 1"],
        [("left", 0, ""), ("right", 1, "")],
        ("Player 1 Goal: Position 1", "Player 2 Goal: Position 5"),
    )


def test_a_view_of_inversion_race_offers_where_a_step_or_a_leap_lands() -> None:
    assert seen("inversion-race:cells=5", "1 2 0 A") == (
        ["0 . 0", "1 A None", "2 B None", "3 . None", "4 . None"],
        [("left", 0, "")],
        ("Goal: Cell 0", "Inversion: False"),
    )
    assert seen("inversion-race:cells=5,passing=leapfrog", "2 1 1 B") == (
        ["0 . 0", "1 B None", "2 A None", "3 . 1", "4 . None"],
        [("left", 0, ""), ("right", 1, "")],
        ("Goal: Cell 4", "Inversion: True"),
    )
    assert seen("inversion-race:cells=5", "2 2 0 A")[0] == [
        "0 . None",
        "1 . 0",
        "2 A+B None",
        "3 . 1",
        "4 . None",
    ]


def test_a_view_of_inversion_race_offers_no_forced_pass() -> None:
    assert seen("inversion-race:cells=5", "3 4 0 B")[1] == []


def test_a_view_of_mirror_match_groups_its_numbers_by_place() -> None:
    assert seen("mirror-match:digits=2,forfeit=move", "2-1 1") == (
        ["1 2 None", "2 1 None"],
        [("1", 0, "Beginning"), ("2", 1, "Beginning"), ("1", 2, "End"), ("2", 3, "End"), ("pass", 4, "Turn")],
        (),
    )


def test_a_view_of_the_race_offers_where_the_mover_lands() -> None:
    assert seen("race-to-the-center:positions=5", "2 3 2") == (
        ["0 . None", "1 . None", "2 P1 0", "3 P2 None", "4 . None"],
        [("1", 0, "Move by")],
        ("Center: Position 2",),
    )
    assert seen("race-to-the-center:positions=5", "0 4 1")[0] == [
        "0 P1 None",
        "1 . 0",
        "2 . 1",
        "3 . None",
        "4 P2 None",
    ]
    assert seen("race-to-the-center:positions=5", "0 4 2")[0][2:] == ["2 . 1", "3 . 0", "4 P2 None"]
    assert seen("race-to-the-center:positions=5", "2 2 1")[0][2] == "2 P1+P2 None"


def test_a_view_tells_whose_the_pieces_are() -> None:
    sides = {game.name: game.view(game.initial()).sides for game in map(pp.load, pp.names())}
    assert sides == {
        "bit-flip": ((), ()),
        "dual-direction": ((), ()),
        "inversion-race": (("A",), ("B",)),
        "mirror-match": ((), ()),
        "race-to-the-center": (("P1",), ("P2",)),
    }


def test_a_view_tells_which_pieces_are_hollow_and_what_may_be_typed() -> None:
    hollow = {game.name: game.view(game.initial()).hollow for game in map(pp.load, pp.names())}
    assert {name: pieces for name, pieces in hollow.items() if pieces} == {"bit-flip": ("0",)}
    game = pp.load("mirror-match:digits=12")
    field = game.view(game.initial()).text_field
    assert field == ("a number from 1 to 12", (("Beginning", " B"), ("End", " E")))
    over = game.parse_state("4-5-4 2")
    assert game.outcome(over) is not None
    assert game.view(over).text_field is None
