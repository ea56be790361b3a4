"""Talking about a game that brings no words of its own."""

import perfectplay as pp
from perfectplay.core.dialogue import Forfeit, Prompt
from tests.core.listed_games import PICK


def test_any_game_is_talked_about() -> None:
    dialogue = pp.Dialogue(PICK)
    assert dialogue.greeting("start") == ("Welcome to Table!",)
    assert dialogue.ask("start", ()) == Prompt(("start", "Player 1's turn."), "Your move: ")
    assert dialogue.ask("start", ("down",)) == 1
    assert dialogue.ask("start", ("x",)) == pp.Refusal(
        "unreadable", '"x" is not a move here. Allowed: up, down or stay.'
    )
    assert dialogue.ask("low", ("no1",)) == pp.Refusal(
        "illegal", '"no1": no1 is not legal here. Allowed: jump.'
    )
    assert dialogue.answers("low", 0) == ("jump",)
    assert dialogue.phrase("low", 0) == "jump"
    assert dialogue.confirm("start", 2, "low") == ("Player 1 plays stay. (pass)",)
    assert dialogue.confirm("low", 0, "high") == ("Player 2 plays jump.", "high")
    leaps = pp.load("inversion-race:passing=leapfrog")
    before, after = (leaps.parse_state(text) for text in ("4 5 0 A", "6 5 1 B"))
    assert pp.Dialogue(leaps).confirm(before, 1, after) == ("Player A plays right. (inversion) (leap)",)
    assert dialogue.forfeit("low") == ("Invalid move. Player 2 forfeits the turn.",)
    assert dialogue.farewell("high", pp.Outcome(1, "end")) == ("Player 2 wins: end.",)
    assert dialogue.farewell("high", pp.Outcome(None, "end")) == ("The game is a tie: end.",)


def test_an_answer_may_cost_the_turn() -> None:
    game = pp.load("mirror-match")
    dialogue = pp.Dialogue(game)
    assert dialogue.ask(game.initial(), ("0",)) == Forfeit(
        '"0" must begin with a number from 1 to 9, as a word of its own'
    )


def test_what_reads_as_a_move_legal_or_not() -> None:
    dialogue = pp.Dialogue(PICK)
    assert dialogue.reads("start", ())
    assert dialogue.reads("start", ("down",))
    assert dialogue.reads("low", ("no1",))  # illegal, and still a move
    assert not dialogue.reads("start", ("x",))
    game = pp.load("mirror-match")
    assert not pp.Dialogue(game).reads(game.initial(), ("0",))


def test_a_drawing_is_found_among_what_was_said() -> None:
    game = pp.load("bit-flip")
    dialogue, state = pp.Dialogue(game), game.initial()
    board = dialogue.board(state)
    assert dialogue.draws(state, board)
    assert dialogue.draws(state, ("Welcome!", *board, "Your turn."))
    assert not dialogue.draws(state, board[:-1])
    assert not dialogue.draws(state, dialogue.board(game.apply(state, 0)))
    assert not dialogue.draws(state, ())
