"""Every sentence the coach can say is held against the oracle, over all positions."""

import re
from functools import reduce
from io import StringIO
from operator import xor
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.coach.coach import Coach, describe_value, say_move
from perfectplay.core.series import Series
from perfectplay.solver.graph import explore
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.line.line_mode import LineMode
from perfectplay.terminal.session import Session
from tests.conftest import ROOT, Run
from tests.core.listed_games import table_game

SPECS = [
    "bit-flip",
    "bit-flip:bits=13,first=2",
    "dual-direction",
    "dual-direction:positions=6,start=3,first=2",
    "inversion-race",
    "inversion-race:first=B",
    "inversion-race:passing=leapfrog",
    "inversion-race:passing=letter",
    "race-to-the-center",
    "race-to-the-center:arrival=sudden-death",
    "race-to-the-center:arrival=full-turn,steps=1-3",
    str(ROOT / "examples" / "tic_tac_toe.py"),
]
VERDICT = re.compile(
    r"[Yy]ou win in (?P<win>\d+) moves? with best play\.|[Yy]ou lose in (?P<loss>\d+) moves? against best"
    r" play\.|[Ww]ith best play the game is a tie in (?P<tie>\d+) moves?\.|[Nn]obody can force an end: with"
    r" best play the game goes on forever\."
)
REPLY = re.compile(
    r"(?P<move>.+) (?:wins|loses) at once: (?P<reason>.+)\.|(?P<tied>.+) ends in a tie: (?P<why>.+)\.|"
    r"After (?P<first>.+), (?:a best reply for (?P<side>.+) is|you continue with) (?P<answer>.+?)"
    r"(?:, and (?P<end>it is a tie|you win|you lose): (?P<ending>.+)\.|\. Then (?P<verdict>[ywn].+))"
)


def value_in(sentence: str) -> pp.Value:
    """The value that a verdict states."""
    found = VERDICT.fullmatch(sentence)
    assert found, sentence
    kinds: list[Any] = [kind for kind, plies in found.groupdict().items() if plies]
    return pp.Value(kinds[0], int(found[kinds[0]])) if kinds else pp.Value("endless")


def positions(spec: str) -> list[tuple[pp.Oracle[Any], Any]]:
    game = pp.load(spec)
    oracle = pp.solve(game)
    if game.name == "mirror-match":
        states, layer = [], {game.initial()}
        for _ in range(5):
            states += sorted(layer)
            layer = {game.apply(s, a) for s in layer for a in game.legal_actions(s)}
        states += sorted(layer)
    else:
        states = list(explore(game).states)
    return [(oracle, state) for state in states if game.outcome(state) is None]


def typed(oracle: pp.Oracle[Any], state: Any, spoken: str) -> int:
    """The action of a player who types what was spoken, question by question."""
    action = oracle.game.dialogue().ask(state, tuple(spoken.split(" at the ")))
    assert isinstance(action, int)
    return action


def spoken(oracle: pp.Oracle[Any], state: Any, action: int) -> str:
    return say_move(oracle.game, state, action)


def check_reply(oracle: pp.Oracle[Any], state: Any, sentence: str) -> None:
    """What a move leads to, by the words and by the rules and the oracle."""
    game = oracle.game
    side = game.side_to_move(state)
    said = REPLY.fullmatch(sentence)
    assert said, sentence
    move = said["move"] or said["tied"] or said["first"]
    action = typed(oracle, state, move)
    after = game.apply(state, action)
    if said["move"] or said["tied"]:
        outcome = game.outcome(after)
        assert outcome
        word = "ends in a tie" if outcome.winner is None else "wins" if outcome.winner == side else "loses"
        assert f"{move} {word}" in sentence
        assert outcome.reason in (said["reason"], said["why"])
        return
    assert (said["side"] or game.side_names[side]) == game.side_names[game.side_to_move(after)]
    answer = typed(oracle, after, said["answer"])
    assert answer in oracle.best(after)
    later = game.apply(after, answer)
    ending = game.outcome(later)
    if said["end"]:
        assert ending
        assert ending.reason == said["ending"]
        won = "it is a tie" if ending.winner is None else "you win" if ending.winner == side else "you lose"
        assert said["end"] == won
        return
    assert ending is None
    value = oracle.value(later)
    if game.side_to_move(later) != side:
        value = pp.Value(value.before(same_side=False).kind, value.plies)
    assert value_in(said["verdict"]) == value


MIRRORS = [
    "mirror-match:digits=2",
    "mirror-match:digits=2,shortest=4",
    "mirror-match:digits=3,shortest=5",
    "mirror-match:digits=2,shortest=3,forfeit=move",
    "mirror-match:digits=1,shortest=4",
]


@pytest.mark.parametrize("spec", SPECS + MIRRORS)
def test_hints_and_replies_are_true_in_every_position(spec: str) -> None:
    for oracle, state in positions(spec):
        coach = Coach(oracle)
        hint = re.fullmatch(r"(?:A good move|The best try): (.+?)\. ([YWN].+)", coach.hint(state))
        assert hint
        assert hint[0].startswith("The best try") == (oracle.value(state).kind == "loss")
        assert typed(oracle, state, hint[1]) in oracle.best(state)
        assert value_in(hint[2]) == oracle.value(state)
        for action in oracle.best(state):
            why = coach.why(state, action)[-1]
            check_reply(oracle, state, why)
            assert why.startswith(
                (f"After {spoken(oracle, state, action)}, ", f"{spoken(oracle, state, action)} ")
            )
        assert coach.why(state)[-1] == coach.why(state, typed(oracle, state, hint[1]))[-1]


JUDGEMENTS = {
    "keeps the win": ("win", "win"),
    "keeps the tie": ("tie", "tie"),
    "keeps the draw by repetition": ("endless", "endless"),
    "is as good as any: every move loses": ("loss", "loss"),
    "keeps the win, but there is a quicker one": ("win", "win"),
    "keeps the tie, but there is a quicker one": ("tie", "tie"),
    "loses, as every move does, but sooner than necessary": ("loss", "loss"),
    "throws away the win": ("win", None),
    "gives up the tie": ("tie", None),
    "lets the draw by repetition go": ("endless", None),
}
"""For each judgement of a move the best value, and that of the move where it is not simply a worse one."""


@pytest.mark.parametrize("spec", SPECS + MIRRORS)
def test_what_is_said_of_any_move_is_true(spec: str) -> None:
    for oracle, state in positions(spec):
        coach, best, moves = Coach(oracle), oracle.value(state), oracle.moves(state)
        for move in moves:
            first, *middle, last = coach.why_move(state, move.action)
            check_reply(oracle, state, last)
            text = spoken(oracle, state, move.action)
            said = re.fullmatch(rf"{re.escape(text)} (.+?)\. ([YWN].+)", first)
            assert said, first
            assert value_in(said[2]) == move.value
            if len(moves) == 1:
                assert said[1] == "is the only move"
                continue
            kind, kept = JUDGEMENTS[said[1]]
            assert kind == best.kind
            assert kept == move.value.kind if kept else move.value.kind != best.kind
            keeping = {each.action for each in moves if each.value.kind == best.kind}
            if move.action in oracle.best(state):
                assert (*middle, last) == coach.why(state, move.action)
                assert not re.search("quicker|sooner", first)
            elif kept:
                assert re.search("quicker|sooner", first)
                better = re.fullmatch(r"Better: (.+?)\. ([YWN].+)", middle[0])
                assert better, middle
                assert {typed(oracle, state, each) for each in re.split(", | or ", better[1])} <= set(
                    oracle.best(state)
                )
                assert value_in(better[2]) == best
            else:
                others = re.fullmatch(r"(\d+) of (\d+) moves can keep it(:|, such as) (.+)\.", middle[0])
                assert others, middle
                assert (int(others[1]), int(others[2])) == (len(keeping), len(moves))
                named = {typed(oracle, state, each) for each in re.split(", | and ", others[4])}
                assert named <= keeping
                assert len(named) == min(5, len(keeping))
                assert (others[3] == ":") == (named == keeping)


def test_an_illegal_move_is_answered_with_its_rule() -> None:
    game = pp.load("bit-flip")
    state = game.parse_state("0000100000 2")
    assert Coach(pp.solve(game)).why_move(state, 5) == ("Bit 5 is next to bit 4, already 1.",)


def free_runs(row: str) -> list[int]:
    """Lengths of the runs of bits that may be flipped, from the rule itself."""
    free = "".join("1" if "1" not in row[max(i - 1, 0) : i + 2] else "0" for i in range(len(row)))
    return [len(run) for run in free.split("0") if run]


def worth(length: int) -> int:
    """A run's Grundy value, from the rule itself."""
    options = {worth_table[max(i - 1, 0)] ^ worth_table[max(length - i - 2, 0)] for i in range(length)}
    return next(value for value in range(length + 1) if value not in options)


worth_table: list[int] = []
for _length in range(20):
    worth_table.append(worth(_length))


def check_runs(phrase: str, row: str) -> int:
    said = re.fullmatch(r"(?:one run|(\d+) runs) of length (.+), worth (.+), with nim-sum (\d+)", phrase)
    assert said, phrase
    lengths = free_runs(row)
    assert int(said[1] or 1) == len(lengths)
    assert [int(n) for n in re.findall(r"\d+", said[2])] == lengths
    assert [int(n) for n in re.findall(r"\d+", said[3])] == [worth_table[n] for n in lengths]
    assert int(said[4]) == reduce(xor, (worth_table[n] for n in lengths), 0)
    return int(said[4])


@pytest.mark.parametrize("spec", ["dual-direction", "dual-direction:first=2"])
def test_of_moves_that_are_as_good_the_hint_names_the_one_towards_your_goal(spec: str) -> None:
    towards = {"1": "left", "2": "right"}
    choices = set()
    for oracle, state in positions(spec):
        if len(oracle.tempting(state)) == 2:
            side = oracle.game.state_text(state).split()[1]
            assert f": {towards[side]}. " in Coach(oracle).hint(state)
            choices.add(side)
    assert choices == {"1", "2"}


@pytest.mark.parametrize("spec", ["bit-flip", "bit-flip:bits=13,first=2"])
def test_runs_and_nim_sums_are_true(spec: str) -> None:
    for oracle, state in positions(spec):
        row = oracle.game.state_text(state).split()[0]
        for action in oracle.best(state):
            said = Coach(oracle).why(state, action)[0]
            won = re.fullmatch(
                r"The free bits form (.+)\. The nim-sum adds .*\. Flipping (\d+) leaves (.+); the player to move at nim-sum 0 loses\.",
                said,
            )
            lost = re.fullmatch(
                r"The free bits form (.+)\. The nim-sum adds .*\. Every flip changes it, .*", said
            )
            if won:
                assert oracle.value(state).kind == "win"
                assert check_runs(won[1], row) != 0
                after = oracle.game.state_text(oracle.game.apply(state, int(won[2]))).split()[0]
                assert won[3] == "no free bit" if not free_runs(after) else check_runs(won[3], after) == 0
            else:
                assert lost, said
                assert check_runs(lost[1], row) == 0
                assert oracle.value(state).kind == "loss"


def test_many_runs_are_summed_up() -> None:
    game = pp.load("bit-flip:bits=90")
    oracle = pp.solve(game)
    state = game.parse_state("0000010" * 12 + "000000 1")
    said = Coach(oracle).why(state)[0]
    assert re.match(r"The free bits form 13 runs with nim-sum \d+\.", said)


@pytest.mark.parametrize("spec", MIRRORS)
def test_mirror_sentences_are_true(spec: str) -> None:
    for oracle, state in positions(spec):
        game = oracle.game
        for action in oracle.best(state):
            said = Coach(oracle).why(state, action)[0]
            after = game.apply(state, action)
            shown = " ".join(map(str, after.sequence))
            value = oracle.value(state)
            if made := re.fullmatch(r"It makes (.+), a palindrome of (\d+)\.", said):
                assert (made[1], int(made[2])) == (shown, len(after.sequence))
                assert game.outcome(after)
            elif left := re.fullmatch(
                r"It leaves (.+), a palindrome of (\d+): copy .* palindrome of (\d+)\.", said
            ):
                assert left[1] == shown
                assert after.sequence == after.sequence[::-1]
                assert value.kind == "win"
                # The number of plies is what the copies take.
                assert value.plies == int(left[3]) - len(state.sequence)
            elif lost := re.fullmatch(r"(.+) is a palindrome: whatever you add, .*", said):
                sequence = " ".join(map(str, state.sequence))
                assert lost[1] == (sequence or "The empty sequence")
                assert state.sequence == state.sequence[::-1]
                assert value.kind == "loss"
            else:
                assert re.match(
                    r"(Passing leaves a sequence|It leaves .+, which) (that |)no single number", said
                )
                assert value.kind == "endless"
                replies = (game.apply(after, a) for a in game.legal_actions(after))
                assert not any(game.outcome(reply) for reply in replies)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.startswith("race")])
def test_counts_of_moves_are_true(spec: str) -> None:
    longest = pp.load(spec).num_actions
    for oracle, state in positions(spec):
        game = oracle.game
        center = int(game.view(state).captions[0].split()[-1])
        for action in oracle.best(state):
            said = Coach(oracle).why(state, action)[0]
            after = game.apply(state, action)
            needed = [-(-abs(center - place) // longest) for place in (after.one, after.two)]
            numbers = [int(n) for n in re.findall(r"\d+", re.sub("Player [12]", "", said))]
            landed = said.startswith("It lands on the center")
            if said.startswith("It lands on the center in the same round"):
                assert needed == [0, 0]
                continue
            assert numbers == (
                [needed[1 - state.side]] if landed else [needed[state.side], needed[1 - state.side]]
            )
            assert landed == (needed[state.side] == 0)
            assert game.side_names[1 - state.side] in said


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.startswith(("inversion", "dual"))])
def test_counts_of_steps_are_true(spec: str) -> None:
    for oracle, state in positions(spec):
        game = oracle.game
        for action in oracle.best(state):
            said = Coach(oracle).why(state, action)[0]
            after = game.apply(state, action)
            opponent = game.side_names[1 - state.side]
            if game.name == "dual-direction":
                steps = [after.position - 1, len(game.view(after).rows[0]) - after.position]
                said_steps = re.fullmatch(
                    rf"It leaves the marker (\d+) steps? from your goal and (\d+) from {opponent}'s\.", said
                )
            else:
                goal = int(game.view(after).captions[0].split()[-1])
                steps = [abs(goal - after.a), abs(goal - after.b)]
                said_steps = re.fullmatch(
                    rf"(?:It inverts the race: the goal is now cell {goal}, and|After this move) you are (\d+) steps? from"
                    rf" cell {goal}, {opponent} (\d+)\.",
                    said,
                )
                assert said.startswith("It inverts") == ("inversion" in game.events(state, action))
            assert said_steps, said
            assert [int(n) for n in said_steps.groups()] == [steps[state.side], steps[1 - state.side]]


def test_verdicts_without_a_distance() -> None:
    assert describe_value(pp.Value("win")) == "You win with best play."
    assert describe_value(pp.Value("loss")) == "You lose against best play."


def test_a_side_that_moves_twice_is_told_so() -> None:
    game = table_game(
        {"start": {"on": "again"}, "again": {"win": "end"}}, {"end": 0}, {"start": 0, "again": 0}
    )
    [said] = Coach(pp.solve(game)).why("start")
    assert said == "After on, you continue with win, and you win: end."


def test_a_review_names_every_move_that_gave_something_away() -> None:
    match = pp.Match(pp.load("bit-flip"))
    for move in ("4", "0", "2", "6", "8"):
        match.play(move)
    lines = Coach(pp.solve(match.game)).review(match.record())
    assert lines[0] == "Player 1's accuracy: 0 of 1 critical move."
    assert (
        lines[2] == "Move 1, Player 1: 4 threw away the win; 4 of 10 moves would have kept it: 0, 2, 7 and 9."
    )
    assert lines[3] == "Move 2, Player 2: 0 threw away the win; 1 of 7 moves would have kept it: 1."
    regret = pp.solve(match.game).regret(match.record())
    assert len(lines) == 2 + sum(not each.kept for each in regret.plies)


def test_a_review_speaks_of_a_forfeit_as_one() -> None:
    match = pp.Match(pp.load("mirror-match"))
    match.play("10")
    match.resign(1)
    lines = Coach(pp.solve(match.game)).review(match.record())
    assert lines == (
        "Player 1's accuracy: 0 of 1 critical move.",
        "Player 2's accuracy: 0 of 1 critical move.",
        "Move 1, Player 1 forfeited the turn and with it the win; all 18 moves would have kept it, such as"
        " 1 at the beginning, 2 at the beginning, 3 at the beginning, 4 at the beginning"
        " and 5 at the beginning.",
        "Player 2 resigned a won game.",
    )


@pytest.mark.parametrize(
    ("spec", "moves", "then", "said"),
    [
        ("bit-flip:bits=5", ["2", "0", "4"], None, "you were winning from the first move on."),
        ("bit-flip:bits=4", ["0", "2"], None, "the computer was winning from the first move on."),
        ("bit-flip:bits=4", ["0"], "resign", "the computer was winning from the first move on."),
        ("dual-direction", ["left", "right"], "limit", "no move gave anything away."),
        ("bit-flip:bits=5", ["0", "3"], None, ""),  # the win went to the other side
        ("bit-flip:bits=5", ["2", "0"], "resign", ""),  # of a won game
        ("bit-flip:bits=5", ["2", "0"], None, ""),  # not over
        ("bit-flip:bits=4", [], "resign", ""),
    ],
)
def test_a_review_says_of_a_game_that_never_turned_who_was_winning(
    spec: str, moves: list[str], then: str | None, said: str
) -> None:
    match = pp.Match(pp.load(spec), max_plies=len(moves) if then == "limit" else None)
    for move in moves:
        match.play(move)
    if then == "resign":
        match.resign(0)
    lines = Coach(pp.solve(match.game)).review(match.record(), ("you", "the computer"))
    assert [line for line in lines if "never changed" in line] == (
        [f"The lead never changed: {said}"] if said else []
    )


def test_a_review_names_the_quickest_of_the_moves_that_keep_the_value() -> None:
    table = {
        "start": {"slow": "on", "lose": "lost", "now": "won"},
        "on": {"go": "back"},
        "back": {"now": "won"},
    }
    match = pp.Match(table_game(table, {"won": 0, "lost": 1}, {"on": 1}))
    match.play("lose")
    lines = Coach(pp.solve(match.game)).review(match.record())
    assert (
        lines[2]
        == "Move 1, Player 1: lose threw away the win; 2 of 3 moves would have kept it: now and slow."
    )


@pytest.mark.parametrize(
    ("spec", "moves", "said"),
    [
        (
            "mirror-match:disqualify_after=1,shortest=4",
            ["99 E"],
            (
                "Player 1 was losing even before the disqualification.",
                "Player 2 had no critical decisions.",
                "The lead never changed: Player 2 was winning from the first move on.",
                "Move 1, Player 1 forfeited the turn and lost by disqualification.",
            ),
        ),
        (
            "mirror-match:disqualify_after=2,forfeit=move,digits=2",
            ["0", "1 E", "0"],
            (
                "Player 1's accuracy: 0 of 1 critical move.",
                "Player 2 had no critical decisions.",
                "Move 3, Player 1 forfeited the turn and lost endless play by disqualification;"
                " 1 of 5 moves would have kept it: pass.",
            ),
        ),
        (
            "mirror-match:disqualify_after=1,digits=1",
            ["99 E"],
            (
                "Player 1's accuracy: 0 of 1 critical move.",
                "Player 2 had no critical decisions.",
                "Move 1, Player 1 forfeited the turn and lost the win by disqualification;"
                " both moves would have kept it: 1 at the beginning and 1 at the end.",
            ),
        ),
    ],
)
def test_a_review_speaks_of_a_disqualification(spec: str, moves: list[str], said: tuple[str, ...]) -> None:
    match = pp.Match(pp.load(spec))
    for move in moves:
        match.play(move)
    assert match.result
    assert match.result.reason == "disqualification"
    assert Coach(pp.solve(match.game)).review(match.record()) == said


def test_the_coach_in_line_mode(run: Run) -> None:
    done = run("play", "bit-flip", typed="hint\nwhy\n4\nhint\n1\n7\n9\n")
    assert "A good move: 0. You win in 5 moves with best play.\n" in done.stdout
    assert "The free bits form one run of length 10, worth 3, with nim-sum 3." in done.stdout
    assert "A good move: 1. You win in 3 moves with best play.\n" in done.stdout
    end = done.stdout.split("the last to perform a valid move.\n")[1]
    assert "Player 1's accuracy: 0 of 1 critical move.\n" in end
    assert "Move 1, Player 1: 4 threw away the win; 4 of 10 moves would have kept it: 0, 2, 7 and 9.\n" in end


def test_the_coach_needs_no_graph_where_there_is_a_theory(run: Run) -> None:
    done = run("play", "bit-flip:bits=500", typed="hint\nwhy\n")
    assert re.search(
        r"(A good move|The best try): \d+\. You (win|lose) (with|against) best play\.\n", done.stdout
    )
    assert "one run of length 500, worth" in done.stdout


def test_a_review_speaks_of_a_resignation_that_was_not_called_for() -> None:
    match = pp.Match(pp.load("bit-flip"))
    match.resign()
    lines = Coach(pp.solve(match.game)).review(match.record())
    assert lines == (
        "Player 1's accuracy: 0 of 1 critical move.",
        "Player 2 had no critical decisions.",
        "Player 1 resigned a won game.",
    )
    match.undo()
    match.resign(1)
    assert len(Coach(pp.solve(match.game)).review(match.record())) == 2


def test_what_the_hint_says_can_be_typed(run: Run) -> None:
    done = run("play", "mirror-match", typed="hint\n1\nB\nmoves\n")
    assert "A good move: 1 at the beginning." in done.stdout
    assert "Updated Sequence: 1\n" in done.stdout
    assert "Moves: 1 then B, 2 then B," in done.stdout


def test_a_forfeit_that_gains_is_not_blamed() -> None:
    match = pp.Match(pp.load("mirror-match"))
    for move in ("4 E", "0", "4 B"):
        match.play(move)
    lines = Coach(pp.solve(match.game)).review(match.record())
    assert not any("forfeited" in line for line in lines)


def test_a_game_too_large_for_the_coach_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def too_large(game: pp.Game[Any], *, limit: int) -> None:
        tried.append(limit)
        raise pp.TooLargeError(game.spec, limit)

    monkeypatch.setattr("perfectplay.solver.oracle_cache.solve", too_large)
    # A class of its own: what is remembered of it here is not remembered of any other game.
    game = table_game({"start": {"go": "end"}}, {"end": 0}, {})
    out = StringIO()
    console = Console(StringIO("hint\nwhy\nhint\n"), out)
    with pytest.raises(EndOfInput):
        LineMode(console, Session(Series(game))).run()
    assert out.getvalue().count("table is too large to solve: it has more than 2,000,000 positions") == 3
    assert len(tried) == 1
