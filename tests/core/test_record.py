"""The text of a played game: what it says, and what is found when it is wrong."""

import io
import re
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.core.record import RecordLine
from perfectplay.terminal.commands.show import replay
from perfectplay.terminal.console import Console
from tests.conftest import Run
from tests.core.matches import error_of, played
from tests.terminal.terminals import Terminal

GOOD = """\
perfectplay record 1
game: bit-flip
p1: human
p2: random
seed: 7

1. Player 1: 4 -> 0000100000 2
2. Player 2: 1 -> 0100100000 1
3. Player 1: 7 -> 0100100100 2
4. Player 2: 9 -> 0100100101 1
result: Player 2 wins: last flip
"""


def test_a_record_says_everything_and_replays_to_itself() -> None:
    match = pp.Match(
        pp.load("mirror-match:forfeit=move"),
        players=("human", "random"),
        seed=3,
        max_plies=9,
        forgiving=False,
    )
    for move in ("4 E", "10", "pass", "4 B"):
        match.play(move)
    match.resign(0)
    text = str(match.record())
    assert text == (
        "perfectplay record 1\n"
        "game: mirror-match:forfeit=move\n"
        "p1: human\n"
        "p2: random\n"
        "seed: 3\n"
        "max-plies: 9\n"
        "\n"
        "1. Player 1: 4 E -> 4 2\n"
        "2. Player 2: forfeit -> 4 1\n"
        "3. Player 1: pass -> 4 2 {pass}\n"
        "4. Player 2: 4 B -> 4-4 1\n"
        "Player 1: resign\n"
        "result: Player 2 wins: resignation"
    )
    [record] = pp.read_records(text)
    assert str(pp.Match.replay(record, match.game).record()) == text


def test_a_record_keeps_an_agreement_to_abandon() -> None:
    match = pp.Match(pp.load("dual-direction"))
    for move in ("left", "right", "left", "right"):
        match.play(move)
    match.abandon(0)
    match.abandon(1)
    [record] = pp.read_records(str(match.record()))
    assert record.result == "unfinished: abandoned"
    assert str(pp.Match.replay(record, match.game).record()) == str(match.record())


def test_a_long_position_is_left_out_of_a_record() -> None:
    match = pp.Match(pp.load("bit-flip:bits=300"))
    match.play("7")
    text = str(match.record())
    assert "1. Player 1: 7\n" in text
    assert pp.Match.replay(pp.read_records(text)[0], match.game).plies == 1


def test_a_series_is_its_records_one_after_another() -> None:
    series = pp.Series(
        pp.load("race-to-the-center"), games=3, players=("human", "random"), seed=5, alternate=True
    )
    for move in ("2", "1", "2", "2", "1"):
        (series.current or series.begin()).play(move)
    series.begin().play("1")
    text = "\n\n".join(str(record) for record in series.records())
    assert "series: game 2 of 3\nseats: swapped\n" in text
    again = pp.Series.from_records(pp.read_records(text), pp.load)
    assert again.records() == series.records()
    assert again.score == (1, 0)
    assert again.current is not None
    assert again.current.players == ("random", "human")


def test_a_record_without_its_events_is_refused() -> None:
    match = pp.Match(pp.load("inversion-race"))
    for move in ("right", "left", "right"):
        match.play(move)
    text = str(match.record())
    assert "3. Player A: right -> 7 4 1 B {inversion}\n" in text
    [record] = pp.read_records(text.replace(" {inversion}", ""))
    with pytest.raises(
        pp.RecordError, match=r'^line 9: the events are given as "none", the rules give "inversion"$'
    ):
        pp.Match.replay(record, match.game)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        (
            "perfectplay record 1",
            "perfectplay record 3",
            1,
            "format 3 is not supported, only format 1",
        ),
        ("perfectplay record 1", "once upon a time", 1, 'must start with "perfectplay record 1"'),
        ("game: bit-flip", "game: bitflip", 2, 'unknown game "bitflip" (did you mean bit-flip?)'),
        ("game: bit-flip", "game: bit-flip:bits=0", 2, "bits=0: must be a whole number, at least 1"),
        ("game: bit-flip", "game: ./evil.py", 2, "a game file is not allowed here"),
        ("seed: 7", "seed: x", 5, 'seed cannot be "x"'),
        ("p2: random", "p2:  random", 4, 'p2 cannot be " random"'),
        ("p2: random", "p2: ran\tdom", 4, "p2 cannot be"),
        ("seed: 7", "color: red", 5, "is not a valid header line"),
        ("seed: 7", "p1: human", 5, "or repeats one"),
        ("p2: random\n", "", 5, 'the header is missing the line "p2: ..."'),
        ("1. Player 1: 4 -> 0000100000 2", "1. Player 1: 5 -> 0000100000 2", 7, "the rules give"),
        ("2. Player 2: 1 -> 0100100000 1", "2. Player 2: 5", 8, "Bit 5 is next to bit 4"),
        ("2. Player 2: 1 -> 0100100000 1", "2. Player 2: x", 8, '"x" is not a move here'),
        ("2. Player 2: 1", "2. Player 1: 1", 8, "it is Player 2's turn"),
        ("2. Player 2: 1", "2. Player 3: 1", 8, 'there is no side "Player 3"'),
        ("2. Player 2: 1", "3. Player 2: 1", 8, "ply 2 was expected here"),
        ("2. Player 2: 1", "2. Player 2: forfeit", 8, "turns cannot be forfeited in Bit Flip"),
        ("2. Player 2: 1 -> 0100100000 1", "2. Player 2: resign", 8, "resign is not a ply"),
        ("2. Player 2: 1 -> 0100100000 1", "nonsense", 8, '"nonsense" is not a move'),
        (
            "0100100000 1",
            "0100100000 1 {inversion}",
            8,
            'the events are given as "inversion", the rules give "none"',
        ),
        ("result: Player 2", "result: Player 1", 11, 'given as "Player 1 wins: last flip", the rules give'),
        ("Player 2 wins: last flip", "in progress", 11, 'given as "in progress"'),
        ("result: Player 2 wins: last flip\n", "", 11, "the record is cut off"),
        ("4. Player 2: 9 -> 0100100101 1\n", "", 10, 'the rules give "in progress"'),
        ("result:", "5. Player 1: 3\nresult:", 11, "the match is over"),
    ],
)
def test_the_first_wrong_line_of_a_record_is_named(
    old: str, new: str, line: int, says: str, tmp_path: Path, run: Run
) -> None:
    assert GOOD.count(old) == 1 or old in ("2. Player 2: 1", "0100100000 1")
    file = tmp_path / "game.txt"
    file.write_text(GOOD.replace(old, new, 1))
    done = run("replay", str(file), "--verify")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f'perfectplay: "{file}", line {line}: ')
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert file.read_text() == GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"", 1, "this is not a record"),
        (b"\n\n", 1, "this is not a record"),
        (b"\xff\xfe\n", 1, "not UTF-8"),
        (b"perfectplay record 1\ngame: " + b"x" * 20_000, 2, "longer than 10,000 bytes"),
        (b"\x00" * 100, 1, "must start with"),
        (GOOD.encode() + b"\nperfectplay record 1\n", 14, "the header is missing the line"),
        (GOOD.encode() + b"more\n", 12, "must start with"),
    ],
)
def test_an_invalid_record_file_is_refused(
    content: bytes, line: int, says: str, tmp_path: Path, run: Run
) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(content)
    for command in (("replay", str(file)), ("resume", str(file))):
        done = run(*command)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"line {line}: " in done.stderr
        assert says in done.stderr
    assert file.read_bytes() == content


def test_a_record_cut_anywhere_is_never_taken_for_a_good_one(tmp_path: Path) -> None:
    game = pp.load("bit-flip")
    for length in range(len(GOOD.rstrip())):
        with pytest.raises(pp.RecordError):
            _ = [pp.Match.replay(record, game) for record in pp.read_records(GOOD[:length])]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, run: Run) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        done = run("replay", str(path))
        assert done.returncode == 2
        assert str(path) in done.stderr
        assert done.stderr.count("\n") == 1


def test_verify_accepts_a_good_record(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GOOD)
    done = run("replay", str(file), "--verify")
    assert (done.returncode, done.stdout) == (0, f"{file}: 1 game, 4 plies, every line is correct.\n")
    file.write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert run("replay", str(file), "--verify").returncode == 0


def test_replay_shows_every_position(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GOOD)
    done = run("replay", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("Bit Flip: bit-flip, human against random\nPositions: [0]")
    assert done.stdout.count("Positions:") == 5
    assert "3. Player 1: 7\nPositions:" in done.stdout
    assert done.stdout.endswith("Result: Player 2 wins: last flip\n\n")


@pytest.mark.parametrize(
    ("moves", "texts"),
    [
        ("1 E, forfeit", ["1 E", "forfeit"]),
        ("10 E", ["forfeit"]),
        ("10", ["forfeit"]),
        ("0 B, 4 B", ["forfeit", "4 B"]),
        ("-1 E", ["forfeit"]),
        ("010 E", ["forfeit"]),
        ("99 nowhere at all", ["forfeit"]),
        (f"{'9' * 5000} E", ["forfeit"]),
        ("Forfeit,forfeit", ["forfeit", "forfeit"]),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_moves_forfeit_by_name_or_by_a_number_out_of_range(moves: str, texts: list[str]) -> None:
    console = Console(None, io.StringIO())
    replay(console, "mirror-match", moves)
    said = console.stdout
    assert isinstance(said, io.StringIO)
    assert re.findall(r"^\d+\. Player \d: (.*)$", said.getvalue(), re.MULTILINE) == texts


@pytest.mark.parametrize("moves", ["x E", "1 E,", "03 E", "3 X", "3", "pass", "1.5 E", "ten", "E 3"])
def test_other_moves_that_cannot_be_read_are_refused(moves: str) -> None:
    with pytest.raises(pp.ParseError):
        replay(Console(None, io.StringIO()), "mirror-match", moves)


def test_replay_of_moves_answers_bad_ones_with_exit_2(run: Run) -> None:
    done = run("replay", "mirror-match", "--moves", "1 E, x E")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'perfectplay: "x E" must begin with a number from 1 to 9, as a word of its own\n'
    done = run("replay", "bit-flip", "--moves", "1, forfeit")
    assert (done.returncode, done.stderr) == (2, "perfectplay: turns cannot be forfeited in Bit Flip\n")
    done = run("replay", "mirror-match", "--moves", "1 E, 10 E", "--verify")
    assert done.stdout == "mirror-match: 2 plies, 1 turn forfeited, every move is legal.\n"


def test_on_a_terminal_replay_waits_for_each_move(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GOOD)
    with Terminal("replay", str(file)) as terminal:
        for _ in range(2):
            terminal.type("")
        terminal.type("q")
        screen = terminal.until_end()
        assert terminal.child.exitstatus == 0
    assert "2. Player 2: 1" in screen
    assert "3. Player 1: 7" not in screen


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("series: game 2 of 3", "series: game 3 of 3"),
        ("series: game 2 of 3", "series: game 2 of 4"),
        ("seats: swapped\n", ""),
        ("p2: random", "p2: human"),
        ("game: race-to-the-center", "game: race-to-the-center:positions=13"),
    ],
)
def test_a_game_that_does_not_belong_to_its_series_is_refused(old: str, new: str) -> None:
    series = pp.Series(pp.load("race-to-the-center"), games=3, players=("human", "random"), seed=5)
    for move in ("2", "1", "2", "2", "1"):
        (series.current or series.begin()).play(move)
    series.begin()
    first, second = (str(record) for record in series.records())
    assert old in second
    text = f"{first}\n\n{second.replace(old, new)}\n"
    with pytest.raises(pp.RecordError, match="not game 2 of the series"):
        pp.Series.from_records(pp.read_records(text), pp.load)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("record 1", "record 3", "line 1: format 3 is not supported, only format 1"),
        (
            "perfectplay record 1",
            "once",
            'line 1: a record must start with "perfectplay record 1", not "once"',
        ),
        ("seed: 7", "seed: x", 'line 5: seed cannot be "x"'),
        ("seed: 7", "sed: 7", 'line 5: "sed: 7" is not a valid header line, or repeats one'),
        ("seed: 7", "seed", 'line 5: "seed" is not a valid header line, or repeats one'),
        ("seed: 7", "p1: human", 'line 5: "p1: human" is not a valid header line, or repeats one'),
        ("p2: random\n", "", 'line 5: the header is missing the line "p2: ..."'),
        (
            "1. Player 1: 4 ->",
            "1. Player 1: 5 ->",
            'line 7: the position is given as "0000100000 2", the rules give "0000010000 2"',
        ),
        (
            "2. Player 2: 1 -> 0100100000 1",
            "2. Player 2: 5",
            'line 8: "5" at "0000100000 2": Bit 5 is next to bit 4, already 1.'
            " Allowed: 0, 1, 2, 6, 7, 8 or 9.",
        ),
        ("2. Player 2: 1", "2. Player 1: 1", "line 8: it is Player 2's turn"),
        (
            "2. Player 2: 1",
            "2. Player 3: 1",
            'line 8: there is no side "Player 3", only Player 1 and Player 2',
        ),
        ("2. Player 2: 1", "3. Player 2: 1", "line 8: ply 2 was expected here"),
        ("2. Player 2: 1", "2. Player 2: resign", "line 8: resign is not a ply and must not have a number"),
        (
            "2. Player 2: 1 -> 0100100000 1",
            "nonsense",
            'line 8: "nonsense" is not a move; a move looks like "1. Player 1: left"',
        ),
        (
            "0100100000 1",
            "0100100000 1 {leap, pass}",
            'line 8: the events are given as "leap, pass", the rules give "none"',
        ),
        (
            "result: Player 2 wins: last flip",
            "result: in progress",
            'line 11: the result is given as "in progress", the rules give "Player 2 wins: last flip"',
        ),
        (
            "result: Player 2 wins: last flip",
            "",
            "line 13: the record is cut off: it must end with a result line",
        ),
        ("result: Player 2 wins: last flip", "result: ", "line 11: the result line is empty"),
    ],
)
def test_a_wrong_line_of_a_record_is_named_with_what_is_wrong(old: str, new: str, says: str) -> None:
    assert (
        error_of(lambda: pp.Match.replay(pp.read_records(GOOD.replace(old, new, 1))[0], pp.load("bit-flip")))
        == says
    )


def test_an_empty_text_is_not_a_record() -> None:
    with pytest.raises(pp.RecordError) as caught:
        pp.read_records("\n")
    assert caught.value.line == 1
    assert caught.value.problem == 'this is not a record: it must start with "perfectplay record 1"'


def test_a_game_line_may_stand_anywhere_in_the_header_and_is_remembered() -> None:
    text = GOOD.replace("game: bit-flip\n", "").replace("seed: 7\n", "seed: 7\ngame: bit-flip\n")
    [record] = pp.read_records(text)
    assert record.lines == (5, 11)
    assert [move.line for move in record.moves] == [7, 8, 9, 10]


def test_a_value_in_the_header_may_hold_a_colon() -> None:
    [record] = pp.read_records(GOOD.replace("p1: human", "p1: program:say: hi"))
    assert record.players == ("program:say: hi", "random")


def test_records_are_read_from_lines_with_any_ends() -> None:
    lines = [f"{line}\r\n" for line in GOOD.split("\n")]
    assert pp.read_records(lines) == pp.read_records(GOOD)


def test_blanks_at_the_end_of_a_line_belong_to_it() -> None:
    with pytest.raises(pp.RecordError, match='p1 cannot be "human  "'):
        pp.read_records(GOOD.replace("p1: human", "p1: human  "))
    [record] = pp.read_records(GOOD.replace("p2: random", "p2: program:MAX"))
    assert record.players == ("human", "program:MAX")


def test_events_are_read_and_written_with_commas() -> None:
    line = "1. Player A: left -> 4 5 0 B {inversion, leap}"
    [move] = pp.read_records(GOOD.replace("1. Player 1: 4 -> 0000100000 2", line))[0].moves[:1]
    assert move == RecordLine(1, "Player A", "left", "4 5 0 B", ("inversion", "leap"), 7)
    assert str(move) == line


def test_the_longest_position_that_is_written() -> None:
    assert str(RecordLine(1, "A", "x", "0" * 200)) == f"1. A: x -> {'0' * 200}"
    assert str(RecordLine(1, "A", "x", "0" * 201)) == "1. A: x"


def test_a_wrong_position_is_shown_up_to_a_hundred_characters() -> None:
    def says(bits: int) -> str:
        match = played(f"bit-flip:bits={bits}", "0")
        [record] = pp.read_records(str(match.record()).replace("0 2\n", "0 1\n"))
        return error_of(lambda: pp.Match.replay(record, match.game))

    row, more = "1" + "0" * 97, '..." (101 characters)'
    assert says(98) == f'line 7: the position is given as "{row} 1", the rules give "{row} 2"'
    assert says(99) == f'line 7: the position is given as "{row}0 {more}, the rules give "{row}0 {more}'


@pytest.mark.parametrize(("length", "end"), [(100, '"'), (101, '..." (101 characters)')])
def test_a_wrong_result_is_shown_up_to_a_hundred_characters(length: int, end: str) -> None:
    [record] = pp.read_records(GOOD.replace("Player 2 wins: last flip", "x" * length))
    assert f'given as "{"x" * 100}{end}, the rules' in error_of(
        lambda: pp.Match.replay(record, pp.load("bit-flip"))
    )
