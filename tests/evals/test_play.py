"""The machine that asks and counts, by hand on written-out games."""

import sys
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.value import Value
from perfectplay.evals.answers import Verdict
from perfectplay.evals.counts import SampleCounts
from perfectplay.evals.play import Play, Question, replay_answers
from perfectplay.evals.setup import Setup
from perfectplay.solver.judgement import Scored
from tests.evals.agents import AGENTS, played


def question(play: Play) -> Question:
    assert play.question is not None
    return play.question


def test_a_written_out_game_is_counted_as_by_hand() -> None:
    # Bit Flip with 6 bits: the first player wins with 2 or 3 only; of 6 flips 4 lose.
    game = pp.load("bit-flip:bits=6")
    values = {move.text: move.value for move in pp.solve(game).moves(game.initial())}
    keeping = [text for text, value in values.items() if value.kind == "win"]
    play = Play(Setup("bit-flip:bits=6", "perfect", attempts=3), seat=0)
    play.answer("I like number 1.")
    play.answer("Move: seven")
    assert (play.counts.decisions, play.counts.answers["legal"]) == (0, 0)
    play.answer(f"Move: {keeping[0]}")
    counts = play.counts
    assert counts.answers == {"silent": 1, "unreadable": 1, "illegal": 0, "invalid": 0, "legal": 1}
    assert (counts.decisions, counts.kept) == (1, 1)
    assert counts.guess == pytest.approx(len(keeping) / 6)
    assert counts.decisions_at == {"0": 1}
    assert counts.drops_at == {}
    while play.question is not None:
        play.answer(f"Move: {play.game.action_text(play.match.state, play.oracle.best(play.match.state)[0])}")
    assert (counts.result, counts.points, counts.wasted, counts.drops) == ("win", 1.0, 0, {})


def test_a_drop_is_counted_by_its_kind_and_ply() -> None:
    play = Play(Setup("bit-flip", "perfect"), seat=0)
    play.answer("Move: 4")
    assert play.counts.drops == {"win to loss": 1}
    assert (play.counts.kept, play.counts.drops_at) == (0, {"0": 1})
    line = Play(Setup("dual-direction", "perfect"), seat=0)
    while not line.counts.drops and line.question is not None:
        line.answer("Move: right")
    assert line.counts.drops == {"endless to loss": 1}


def test_a_late_win_and_an_early_loss_waste_plies() -> None:
    cases = ((Value("win", 3), 7, 4), (Value("loss", 8), 2, 6))
    for best, came, lost in cases:
        counts = SampleCounts()
        move = Scored(0, "0", best)
        counts.count_choice(0, [move], Verdict("legal", action=0), best._replace(plies=came))
        assert (counts.wasted, counts.drops, counts.decisions) == (lost, {}, 0)
        counts.count_choice(0, [move], Verdict("legal", action=0), best)
        assert counts.wasted == lost
    total = 0
    for number in range(5):
        play = played(AGENTS["random"], Setup("inversion-race", "level:3"), 0, number)
        judged = [each for each in play.oracle.regret(play.match.record()).plies if each.side == 0]
        wasted = [
            abs((each.played.plies or 0) - (each.best.plies or 0))
            for each in judged
            if each.played.kind == each.best.kind
        ]
        assert play.counts.wasted == sum(wasted)
        total += sum(wasted)
        assert sum(play.counts.drops.values()) == sum(not each.kept for each in judged)
    assert total > 0


def test_an_illegal_answer_is_counted_by_its_rule_and_refused_without_the_legal_moves() -> None:
    play = Play(Setup("bit-flip", "perfect", attempts=2), seat=0)
    play.answer("Move: 4")
    taken = next(entry.action for entry in play.match.history if entry.side == 1)
    play.answer(f"Move: {taken}")
    assert play.counts.illegal == {"already-flipped": 1}
    text = question(play).text
    assert f"Bit {taken} is already 1." in text
    assert "Allowed" not in text
    assert "Legal moves" not in text
    play.answer("Move: 4")
    assert (play.counts.result, play.counts.points) == ("forfeit", 0.0)
    assert play.question is None


def test_failed_answers_forfeit_the_game_and_the_decision() -> None:
    play = Play(Setup("bit-flip", "level:3"), seat=0)
    play.answer("I resign")
    counts = play.counts
    assert (counts.result, counts.decisions, counts.kept) == ("forfeit", 1, 0)
    assert counts.guess == pytest.approx(0.4)


def test_an_invalid_number_loses_the_turn_as_the_rules_say() -> None:
    play = Play(Setup("mirror-match", "perfect", plies_limit=6), seat=0)
    play.answer("Move: 77 B")
    assert play.counts.answers["invalid"] == 1
    assert play.match.history[0].kind == "forfeit"
    assert play.counts.result is None
    assert play.counts.drops == {"win to loss": 1}
    play.answer("Move: 3 X")
    assert play.counts.answers["unreadable"] == 1
    assert play.counts.result == "forfeit"


def test_a_game_left_unfinished_says_what_it_was_worth() -> None:
    play = played(AGENTS["perfect"], Setup("dual-direction", "perfect", plies_limit=10), 1, 0)
    counts = play.counts
    assert (counts.result, counts.points, counts.stopped_at, counts.plies) == (
        "unfinished",
        0.5,
        "endless",
        10,
    )


def test_questions_stand_alone_or_form_a_chat() -> None:
    alone, chat = (Play(Setup("bit-flip", "perfect", memory=memory), seat=0) for memory in ("none", "chat"))
    for play in (alone, chat):
        play.answer("Move: 0")
    assert len(question(alone).messages) == 1
    assert "# Bit Flip" in question(alone).text
    first, answer, second = question(chat).messages
    assert "# Bit Flip" in first.text
    assert (answer.role, answer.text) == ("assistant", "Move: 0")
    assert "# Bit Flip" not in second.text
    reply = next(entry.action for entry in chat.match.history if entry.side == 1)
    assert f"Player 1 played 0.\nPlayer 2 played {reply}." in second.text


def test_legal_moves_are_listed_only_if_asked_for() -> None:
    listed, hidden = (Play(Setup("bit-flip", moves=moves), seat=0) for moves in ("listed", "hidden"))
    assert "Legal moves: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9" in question(listed).text
    assert "Legal" not in question(hidden).text


def test_two_models_are_asked_in_turn_and_only_the_agent_is_counted() -> None:
    play = Play(Setup("bit-flip:bits=4", "model"), seat=1)
    assert question(play).side == 0
    play.answer("Move: 0")
    assert sum(play.counts.answers.values()) == 0
    assert question(play).side == 1
    play.answer("Move: 2")
    assert (play.counts.result, play.counts.answers["legal"], play.counts.luck) == ("win", 1, None)
    other = Play(Setup("bit-flip:bits=4", "model"), seat=1)
    other.answer("?")
    assert (other.counts.result, other.counts.points) == ("opponent forfeit", 1.0)


def test_a_game_is_played_again_from_its_texts_and_counts_the_same() -> None:
    setup = Setup("inversion-race:passing=leapfrog", "level:3", seed=5)
    for number in range(4):
        play = played(AGENTS["silent half the time"], setup, 1, number)
        again = replay_answers(setup, 1, number, play.texts)
        assert again.counts == play.counts


def test_a_game_that_stops_without_an_end_is_an_error_and_counts_zero() -> None:
    play = replay_answers(Setup("bit-flip"), 0, 0, ["Move: 0"])
    assert (play.counts.result, play.counts.points, play.counts.errors) == ("error", 0.0, 1)
    asked = play.counts.decisions
    play.stop()
    assert (play.counts.result, play.counts.decisions) == ("error", asked)
    # The question that was never answered is a decision that keeps nothing, but no answer.
    counts = replay_answers(Setup("bit-flip"), 0, 0, []).counts
    assert (counts.result, counts.decisions, counts.kept, counts.guess) == ("error", 1, 0, 0.4)
    assert sum(counts.answers.values()) == 0


def test_resigning_at_a_decision_keeps_nothing() -> None:
    play = Play(Setup("bit-flip"), seat=0)
    play.give_up()
    counts = play.counts
    assert (counts.result, counts.decisions, counts.kept, counts.errors) == ("forfeit", 1, 0, 0)


def test_an_error_of_the_opponents_model_does_not_count_against_the_agent() -> None:
    counts = replay_answers(Setup("bit-flip", "model"), 1, 0, []).counts
    assert (counts.result, counts.decisions, counts.errors) == ("error", 0, 1)


def test_a_forced_pass_is_not_asked_for() -> None:
    play = played(AGENTS["random"], Setup("inversion-race:cells=3", "random"), 1, 0)
    passes = [entry for entry in play.match.history if entry.action == 2]
    assert len(play.texts) + len([p for p in passes if p.side == 1]) == len(
        [e for e in play.match.history if e.side == 1]
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"attempts": 0}, "attempts=0: must be a whole number, at least 1"),
        ({"moves": "some"}, "moves=some: must be hidden or listed"),
        ({"disguise": "x"}, "disguise=x: must be none, words or arrows"),
        ({"seed": -1}, "seed=-1: must be a whole number, at least 0"),
        ({"opponent": "human"}, "human is not a computer player"),
        ({"game": "chess"}, "unknown game"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, object], says: str) -> None:
    with pytest.raises(PerfectplayError, match=says) as caught:
        Play(Setup(**{"game": "bit-flip", **options}), seat=0)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_balanced_starts_take_turns_in_value_and_are_recorded() -> None:
    setup = Setup("dual-direction", "level:3", start="balanced")
    kinds = []
    for number in range(4):
        play = Play(setup, seat=0, number=number)
        assert play.match.side == 0
        kinds.append(play.oracle.value(play.match.positions[0]).kind)
    assert kinds == ["endless", "win", "endless", "win"]
    again = Play(setup, seat=0, number=3)
    assert again.match.positions[0] == play.match.positions[0]
    assert "start: " in str(again.match.record())
    won = Play(Setup("bit-flip", "perfect", start="balanced"), seat=1, number=1)
    assert won.oracle.value(won.match.state).kind == "win"


def test_an_opponent_that_fails_forfeits_and_does_not_stop_the_run(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("for _ in range(2):\n    input()\n    print('ready x', flush=True)\n")  # and ends
    play = Play(Setup("bit-flip", f"program:seconds=20,{sys.executable} {bot}"), seat=0)
    play.answer("Move: 4")
    assert (play.counts.result, play.counts.points) == ("opponent forfeit", 1.0)
    assert play.question is None
    assert play.opponent is not None
    play.opponent.close()


def test_games_of_two_seeds_are_different_games() -> None:
    seeds = {
        (seed, number): Play(Setup("bit-flip", "random", seed=seed), seat=0, number=number).match.seed
        for seed in (0, 1, 2)
        for number in range(20)
    }
    assert len(set(seeds.values())) == len(seeds)
