"""What the view of each game shows and offers."""

import pytest

import perfectplay as pp
from perfectplay.core.view import Role


def seen(spec: str, position: str) -> tuple[list[str], list[tuple[str, int, str]], tuple[str, ...]]:
    """A view in short: each cell as label, pieces and action; the controls; the captions."""
    game = pp.load(spec)
    view = game.view(game.parse_state(position))
    [row] = view.rows
    cells = [f"{cell.label} {'+'.join(cell.pieces) or '.'} {cell.action}" for cell in row]
    return cells, [(each.label, each.action, each.group) for each in view.controls], view.captions


def test_a_view_of_bit_flip_offers_the_free_bits() -> None:
    assert seen("bit-flip:bits=4", "1000 2") == (["0 1 None", "1 0 None", "2 0 2", "3 0 3"], [], ())


def test_a_view_of_dual_direction_offers_both_neighbors() -> None:
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


def test_a_view_names_the_owner_of_each_piece() -> None:
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


def goals(spec: str, position: str) -> tuple[dict[str, tuple[Role, pp.Side | None]], tuple[str, str], str]:
    """The cells that have a role, each with its owner; the aims; the note."""
    game = pp.load(spec)
    view = game.view(game.parse_state(position))
    cells = [cell for cell in view.cells if cell.role]
    roles = {cell.label: (cell.role, cell.owner) for cell in cells}
    return roles, view.aims, view.note


def test_the_flag_of_inversion_race_jumps_to_the_other_end() -> None:
    assert goals("inversion-race", "5 5 0 A") == (
        {"0": ("goal", None), "10": ("later-goal", None)},
        ("Reach cell 0 first.", "Reach cell 0 first."),
        "Once A is 3 or more cells to the right of B, the goal jumps to cell 10.",
    )
    assert goals("inversion-race:cells=7", "5 2 1 B") == (
        {"6": ("goal", None)},
        ("Reach cell 6 first.", "Reach cell 6 first."),
        "The goal does not move again.",
    )


def test_each_reading_of_passing_says_what_the_goal_may_do() -> None:
    assert goals("inversion-race:passing=letter", "4 5 0 B")[::2] == (
        {"0": ("goal", None)},
        "The markers cannot pass each other, so the goal stays where it is.",
    )
    leapfrog = "inversion-race:passing=leapfrog,cells=5"
    assert goals(leapfrog, "2 1 0 A")[::2] == (
        {"0": ("goal", None), "4": ("later-goal", None)},
        "A step onto the other marker jumps over it, and the goal jumps to cell 4.",
    )
    assert goals(leapfrog, "2 1 1 A")[::2] == (
        {"4": ("goal", None)},
        "A step onto the other marker jumps over it. The goal does not move again.",
    )


@pytest.mark.parametrize(
    ("arrival", "note"),
    [
        (
            "adjacent",
            "If Player 1 lands with Player 2 one position away, Player 2 may answer by landing too, and wins.",
        ),
        ("sudden-death", "The first to land on the center wins at once."),
        (
            "full-turn",
            "If Player 1 lands with Player 2 3 positions or less away, Player 2 may answer by landing too,"
            " and wins.",
        ),
    ],
)
def test_the_center_is_the_goal_of_both(arrival: str, note: str) -> None:
    assert goals(f"race-to-the-center:positions=9,steps=1-3,arrival={arrival}", "0 8 1") == (
        {"4": ("goal", None)},
        ("Land on the center, position 4, first.",) * 2,
        note,
    )


def test_an_answering_turn_has_aims_of_its_own() -> None:
    answer = ("You have landed. Player 2 may still answer.", "Answer now: land on the center to win.")
    assert goals("race-to-the-center", "5 6 2")[1] == answer
    assert goals("race-to-the-center", "5 8 2")[1] != answer  # too far away: the game is over
    assert goals("race-to-the-center", "5 5 1")[1] != answer


def test_each_end_of_dual_direction_belongs_to_a_side() -> None:
    assert goals("dual-direction:positions=5", "3 1") == (
        {"1": ("goal", 0), "5": ("goal", 1)},
        ("Bring the marker to position 1.", "Bring the marker to position 5."),
        "The marker wins for the owner of the end it reaches, whoever moved it.",
    )


def test_bits_that_can_no_longer_be_flipped_are_closed() -> None:
    assert goals("bit-flip:bits=6", "010000 2") == (
        {"0": ("closed", None), "2": ("closed", None)},
        ("Make the last flip.",) * 2,
        "A bit next to a 1 cannot be flipped.",
    )


def test_the_ends_of_a_sequence_are_linked_with_their_mirror_images() -> None:
    game = pp.load("mirror-match")
    links = {text: game.view(game.parse_state(text)).links for text in ("- 1", "4 2", "1-2-3-1 1", "1-2-1 2")}
    assert links == {
        "- 1": (),
        "4 2": (),
        "1-2-3-1 1": (pp.Link(0, 3, True), pp.Link(1, 2, False)),
        "1-2-1 2": (pp.Link(0, 2, True),),
    }


def test_the_aim_of_mirror_match_names_the_shortest_palindrome() -> None:
    three = "Make the row read the same from both ends, with at least 3 numbers."
    assert goals("mirror-match", "- 1") == ({}, (three, three), "")
    one = "Make the row read the same from both ends."
    assert goals("mirror-match:shortest=1,disqualify_after=1", "- 1")[1:] == (
        (one, one),
        "1 invalid turn loses the game.",
    )
    assert goals("mirror-match:disqualify_after=2", "- 1")[2] == "2 invalid turns in a row lose the game."


def test_captions_that_roles_show_are_named() -> None:
    views = {game.name: game.view(game.initial()) for game in map(pp.load, pp.names())}
    assert {name: view.on_board for name, view in views.items()} == {
        "bit-flip": (),
        "dual-direction": ("Player 1 Goal: Position 1", "Player 2 Goal: Position 11"),
        "inversion-race": ("Goal: Cell 0", "Inversion: False"),
        "mirror-match": (),
        "race-to-the-center": ("Center: Position 5",),
    }
