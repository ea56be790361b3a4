"""Pages to read: the list of games, the rules of a game, puzzles, a record move by move."""

import json
import re
import shlex
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfectplay import saves
from perfectplay.core.errors import ForfeitError, ParseError, PerfectplayError, RecordError
from perfectplay.core.formatting import pluralize
from perfectplay.core.match import Match
from perfectplay.core.record import Record
from perfectplay.core.texts import summary
from perfectplay.games.registry import ENVIRONMENT, game_class, load, load_any, names
from perfectplay.output import writing
from perfectplay.render.notebook import match_svg
from perfectplay.terminal.console import JOINED, Console, EndOfInput
from perfectplay.terminal.markdown import show_rulebook
from perfectplay.terminal.messages import history, own_command
from perfectplay.terminal.saved_games import file_error
from perfectplay.validation import validate_game

if TYPE_CHECKING:
    from perfectplay.coach.puzzles import Attempt, Puzzle


def show_games(console: Console, *, as_json: bool = False) -> None:
    """List the games with their parameters."""
    if as_json:
        facts = [
            {
                "name": name,
                "title": game_class(name).title,
                "summary": summary(game_class(name)),
                "parameters": [each._asdict() for each in game_class(name).parameter_help()],
                "presets": [each._asdict() for each in game_class(name)().texts().presets],
            }
            for name in names()
        ]
        return console.say(json.dumps(facts))
    for name in names():
        game = game_class(name)
        console.say(f"{name}: {summary(game)}")
        for each in game.parameter_help():
            console.say(f"    {each.name}: {each.doc} ({each.allowed}; default {each.default})")
        texts = game().texts()
        for preset in texts.presets:
            # The name stands above; with it, the longest would not fit on a narrow terminal.
            console.say(f"    Try {preset.spec.removeprefix(f'{name}:')}: {preset.why}")
        if texts.puzzle:
            console.say(f"    {texts.puzzle}")
    command = own_command()
    console.say("", f"{command} rules GAME prints the rules, {command} play GAME starts a game.")


def show_rules(console: Console, game: str, *, as_json: bool = False) -> None:
    """Print the rules of a game."""
    rules = load_any(game)
    if not as_json:
        return show_rulebook(console, rules)
    facts = {"game": rules.spec, "title": rules.title, "rulebook": rules.texts().rulebook()}
    console.say(json.dumps(facts))


def replay(
    console: Console,
    file: str,
    moves: str | None,
    *,
    verify: bool = False,
    game_file: str | None = None,
    picture: Path | None = None,
) -> None:
    """Step through the games in a file or, with `moves`, through moves of a game.

    With `verify`, only check them; with `picture`, draw the last position instead.
    """
    played = _read_games(Path(file), game_file) if moves is None else [_play_moves(file, moves)]
    if picture is not None:
        write_picture(played[-1][1], picture)
        return console.say(f"The last position is in {picture}.")
    if verify:
        plies = pluralize(sum(match.plies for _, match in played), "ply", "plies")
        if moves is None:
            games = pluralize(len(played), "game", "games")
            return console.say(f"{file}: {games}, {plies}, every line is correct.")
        match = played[0][1]
        forfeits = sum(entry.kind == "forfeit" for entry in match.history)
        lost = f", {pluralize(forfeits, 'turn', 'turns')} forfeited" if forfeits else ""
        return console.say(f"{match.game.spec}: {plies}{lost}, every move is legal.")
    for record, match in played:
        if not _step_through(console, record, match):
            return


def write_picture(match: Match[Any], path: Path) -> None:
    """Write a picture of the last position: SVG or, if the name says so, PNG."""
    if path.suffix.lower() == ".png":
        from perfectplay.render.png import Picture, png

        one, other = match.game.side_names
        view, title = match.game.view(match.state), match.game.title
        content = png(Picture(view, tuple(match.cell_owners()), title, match.status, (one, other)))
    elif path.suffix.lower() == ".svg":
        content = match_svg(match, said=True).encode()
    else:
        raise PerfectplayError(f"{path}: a picture is written to a file that ends in .svg or .png")
    with writing(path) as file:
        file.write(content)


def _read_games(path: Path, game_file: str | None) -> list[tuple[Record, Match[Any]]]:
    try:
        return [(record, _replay(record, game_file)) for record in saves.read(path)]
    except FileNotFoundError:
        if str(path).partition(":")[0] not in names():
            raise
        problem = f"there is no file {path}; to play moves of the game, add --moves"
        raise PerfectplayError(problem) from None
    except RecordError as error:
        raise file_error(path, error) from error


def _play_moves(spec: str, moves: str) -> tuple[Record, Match[Any]]:
    match: Match[Any] = Match(load_any(spec))
    for move in moves.split(",") if moves.strip() else ():
        _play(match, move.strip())
    return match.record(), match


def _play(match: Match[Any], text: str) -> None:
    """Play a move in the notation of records. A number out of range forfeits where the rules say so."""
    if text.casefold() == "forfeit":
        return match.forfeit()
    try:
        match.play(match.game.parse_action(match.state, text))
    except ForfeitError:
        if not _is_out_of_range(match, text):
            raise  # nobody types here: an unreadable move is a mistake in the list, not an invalid turn
        match.forfeit()


def _is_out_of_range(match: Match[Any], text: str) -> bool:
    """Whether a text that forfeits the turn begins with a whole number, and not one spelled 03."""
    word, *rest = text.split() or [""]
    if not re.fullmatch(r"-?[0-9]+", word):
        return False
    try:
        match.game.parse_action(match.state, " ".join((word.lstrip("0") or "0", *rest)))
    except ParseError as error:
        return isinstance(error, ForfeitError)
    return False


def _replay(record: Record, game_file: str | None) -> Match[Any]:
    name, _, rest = record.spec.rpartition(".py")
    spec = f"{game_file}{rest}" if game_file and name else record.spec
    try:
        game = load(spec) if game_file and name else validate_game(spec)
    except PerfectplayError as error:
        is_file = name and not record.spec.startswith(f"{ENVIRONMENT}:")
        hint = "; if you trust it, name it with --game FILE" if is_file and not game_file else ""
        raise RecordError(record.lines[0], f"{error}{hint}") from error
    return Match.replay(record, game)


def _step_through(console: Console, record: Record, match: Match[Any]) -> bool:
    """Show a match move by move; False if the reader stops."""
    game, dialogue = match.game, match.game.dialogue().fold_to(console.width)
    series = f" (game {record.place.number} of {record.place.games})" if record.place.games > 1 else ""
    console.say(f"{game.title}{series}: {game.spec}, {match.players[0]} against {match.players[1]}")
    console.say(*dialogue.board(match.positions[0]))
    for entry in match.history:
        if console.interactive:
            try:
                answer = console.ask("Enter for the next move, q to stop: ")
            except EndOfInput:
                console.say("")
                return False
            if answer.strip().casefold() in ("q", "quit"):
                return False
        console.say(*history([match.line(entry)]))
        if entry.is_ply:
            console.say(*dialogue.board(match.positions[entry.ply + 1]))
    console.say(f"Result: {record.result or 'in progress'}", "")
    return True


def show_puzzles(
    console: Console, game: str | None, day: str | None, moves: Sequence[str], *, answer: bool, as_json: bool
) -> int:
    """Print the puzzle of a game, or of every game, and what became of the moves that were tried.

    Returns the exit code: 1 for a wrong move.
    """
    if moves and game is None:
        raise ParseError("--try needs the name of a game, as in puzzle GAME --try MOVE")
    from perfectplay.coach.puzzles import day_of, puzzles

    when = date.today() if day is None else day_of(day)
    found = puzzles(when, game)
    tried = [each.attempt(moves) for each in found]
    code = 0 if all(each.right for each in tried) else 1
    if as_json:
        facts = [puzzle_facts(each, attempt) for each, attempt in zip(found, tried, strict=True)]
        console.say(json.dumps(facts[0] if game is not None else facts))
        return code
    blocks = [_lines(console, each, attempt, answer) for each, attempt in zip(found, tried, strict=True)]
    if not answer and not tried[0].solved:
        again = moves if tried[0].right else ()  # after a wrong move the puzzle starts again
        blocks.append(_how_to_go_on(game, found[0].game.name, day, again))
    for number, block in enumerate(blocks):
        console.say(*([""] if number else []), *block)
    return code


def puzzle_facts(puzzle: "Puzzle", attempt: "Attempt") -> dict[str, Any]:
    """A puzzle and an attempt at it, as data for JSON."""
    game = puzzle.game
    return {
        "date": puzzle.day.isoformat(),
        "game": game.spec,
        "position": game.state_text(puzzle.state),
        "question": puzzle.question,
        "difficulty": puzzle.difficulty,
        "value": puzzle.value.kind,
        "plies": puzzle.value.plies,
        "moves": list(puzzle.attempt(()).match.legal()),
        "answer": list(puzzle.answer),
        "right": attempt.right if attempt.words else None,
        "solved": attempt.solved,
        "words": list(attempt.words),
    }


def _lines(console: Console, puzzle: "Puzzle", attempt: "Attempt", answer: bool) -> list[str]:
    game = puzzle.game
    dialogue = game.dialogue().fold_to(console.width)
    lines = [f"{game.title}: {game.spec}, {puzzle.day.isoformat()}, {puzzle.difficulty}"]
    if attempt.words:
        lines += ["Solved." if attempt.solved else "Right so far." if attempt.right else "Wrong."]
        lines += attempt.words
    if not attempt.solved:
        shown = attempt.match if attempt.right else puzzle.attempt(()).match
        lines += [*dialogue.board(shown.state), puzzle.question, f"Moves: {_whole(shown.legal())}"]
    if answer:
        tempting = puzzle.attempt(puzzle.answer[:1]).words[-1]
        lines += [f"Answer: {_whole(puzzle.answer)}", *([] if attempt.solved else [tempting])]
    return lines


def _whole(moves: Sequence[str]) -> str:
    """Moves in a line that may be broken between them, and not within one."""
    return ", ".join(move.replace(" ", JOINED) for move in moves)


def _how_to_go_on(name: str | None, example: str, day: str | None, moves: Sequence[str]) -> list[str]:
    """The commands to answer and to see the answer, with an `example` where no game was named."""
    on = [] if day is None else ["--date", day]
    tried = [word for move in moves for word in ("--try", move)]
    same = shlex.join(["puzzle", example, *on, *tried])
    seen = shlex.join(["puzzle", *([] if name is None else [name]), *on, "--answer"])
    return [
        f'To answer{"" if name else ", for example"}: {own_command()} {same} --try "MOVE"',
        f"To see the {'answer' if name else 'answers'}: {own_command()} {seen}",
        f"To read the rules: {own_command()} rules {name or 'GAME'}",
    ]
