"""Pages with exact answers: what a game, a position or a played game is worth."""

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import click

from perfectplay import saves
from perfectplay.core.errors import PerfectplayError, RecordError, UnknownGameError
from perfectplay.core.formatting import pluralize, quote
from perfectplay.core.game import Game
from perfectplay.core.limits import LARGEST_SOLVED
from perfectplay.core.outcome import other
from perfectplay.core.record import Record
from perfectplay.core.value import Value
from perfectplay.core.walks import move_texts
from perfectplay.games.registry import load, load_bounded
from perfectplay.output import is_standard_output
from perfectplay.render.charts import draw_strip, explain_strip, label_strip
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.judgement import Regret
from perfectplay.solver.oracle import Oracle, solve
from perfectplay.terminal.console import Console
from perfectplay.terminal.limits import MOST_JSON_MOVES, MOST_PRINTED_MOVES
from perfectplay.terminal.messages import own_command
from perfectplay.terminal.progress import waiting
from perfectplay.terminal.saved_games import file_error

_UNREACHABLE = {
    True: (),
    False: ("No play from the start leads to this position.",),
    None: ("Whether play from the start leads to this position is not known: the game is too large.",),
}


@contextmanager
def _advise_limit() -> Iterator[None]:
    """Name the option that raises the limit when a game has too many positions."""
    try:
        yield
    except TooLargeError as error:
        raise PerfectplayError(f"{error}; --limit and --memory change the limits") from error


@_advise_limit()
def show_solution(
    console: Console,
    game: str,
    *,
    exact_distance: bool,
    as_json: bool,
    save: Path | None = None,
    **bounds: Any,
) -> None:
    """Solve a game and print its value."""
    rules = load_bounded(game, LARGEST_SOLVED, "solve", environments=True)
    oracle = _solve(rules, exact_distance=exact_distance, save=save, **bounds)
    graph, start = oracle.graph, rules.initial()
    line = move_texts(rules, oracle.line(start))
    if as_json:
        facts = {
            "game": rules.spec,
            "source": oracle.source,
            "states": oracle.counts.get("positions") if graph is None else len(graph.states),
            "edges": None if graph is None else graph.edges,
            "cyclic": None if oracle.solution is None else oracle.solution.cyclic,
            "dead_ends": None if graph is None else oracle.dead_ends(start),
            **_value_facts(oracle, start),
            "line": list(line),
            **_moves_facts(oracle, start),
        }
        return console.say(json.dumps(facts))
    console.say(f"{rules.title}: {rules.spec}", *_size(oracle), *_describe_stuck(oracle, start, **bounds))
    more = f", ... ({len(line):,} moves)" if len(line) > MOST_PRINTED_MOVES else ""
    shown = f"Best line: {', '.join(line[:MOST_PRINTED_MOVES])}{more}"
    console.say(_worth(oracle, start), *([shown] if line else []))
    console.say("", "First moves:", *_table(oracle, start))


def analyze(console: Console, game: str, position: str | None, record: Path | None, **settings: Any) -> None:
    """Print what the moves of a position are worth or, with `record`, judge those of a played game."""
    if record is None:
        show_position(console, game, position, **settings)
    else:
        show_analysis(console, game, record, **settings)


@_advise_limit()
def show_position(console: Console, spec: str, position: str | None, *, as_json: bool, **bounds: Any) -> None:
    """Print every legal move of a position with its value, and whether play can reach the position."""
    try:
        game = load_bounded(spec, LARGEST_SOLVED, "solve", environments=True)
    except UnknownGameError:
        with suppress(OSError, RecordError):  # what is not a record either is an unknown game
            given = shlex.quote(saves.read(Path(spec))[0].spec)
            command = f"{own_command()} analyze {given} --record {shlex.quote(spec)}"
            problem = f"{quote(spec, 100)} is a record; to judge its moves: {command}"
            raise PerfectplayError(problem) from None
        raise
    state = game.initial() if position is None else game.parse_state(position)
    oracle = _solve(game, **bounds)
    reachable = oracle.reachable(state)
    if as_json:
        facts = {
            "game": game.spec,
            "position": game.state_text(state),
            "reachable": reachable,
            "dead_ends": oracle.dead_ends(state),
            **_value_facts(oracle, state),
            **_moves_facts(oracle, state),
        }
        return console.say(json.dumps(facts))
    board = game.dialogue().fold_to(console.width).board(state)
    console.say(*board, *_UNREACHABLE[reachable], *_describe_stuck(oracle, state, **bounds))
    console.say(_worth(oracle, state), *_table(oracle, state))


@_advise_limit()
def show_analysis(console: Console, spec: str, path: Path, *, as_json: bool, **bounds: Any) -> None:
    """Compare every move of a played game with the best move."""
    game = load_bounded(spec, LARGEST_SOLVED, "solve", environments=True)
    found: list[tuple[Record, Regret, list[str]]] = []
    try:
        for record in saves.read(path):
            played = _same_game(game, record)
            oracle = _solve(played, **bounds)
            found.append((record, oracle.regret(record), _describe_stuck(oracle, played.initial(), **bounds)))
    except RecordError as error:
        raise file_error(path, error) from error
    if as_json:
        return console.say(json.dumps([_regret_facts(game, record, regret) for record, regret, _ in found]))
    for record, regret, stuck in found:
        console.say(f"{game.title}: {record.spec}", *stuck, *_describe_plies(game, regret), "")
        console.say(*_draw_chart(console, game, regret))
        for side, name in enumerate(game.side_names):
            share = regret.accuracy[side]
            console.say(f"Accuracy of {name}: {'no critical moves' if share is None else f'{share:.0%}'}")
    console.say(
        "",
        "Accuracy: the share of critical moves that kept the result. A move is critical if another",
        "legal move changes the result. A forfeit that loses it counts too, and so does resigning a",
        "game that was not lost.",
    )


def write_dataset(console: Console, game: str, out: Path, plies: int | None) -> None:
    """Write every position of a game to a file, with its best moves."""
    from perfectplay.simulate.dataset import write

    rules = load(game, environments=True)
    # Rows that scroll by show progress, and a spinner would appear among them.
    with nullcontext() if is_standard_output(out) else waiting(f"Solving and writing {rules.spec}"):
        count = write(rules, out, plies=plies)
    where = "went to standard output" if is_standard_output(out) else f"are in {out}"
    click.echo(f"{count:,} positions of {rules.spec} {where}", err=is_standard_output(out))


def _same_game(game: Game[Any], record: Record) -> Game[Any]:
    """The game of a record. It may differ from `game` only in the side that starts."""
    if record.spec == game.spec:
        return game
    for start in (game.starting(0), game.starting(1)):
        if start is not None and start.spec == record.spec:
            return start
    given = quote(record.spec, 100)
    raise RecordError(record.lines[0], f"this is a game of {given}, not of {quote(game.spec, 100)}")


def _solve(
    game: Game[Any],
    *,
    limit: int | None = None,
    memory: int | None = None,
    processes: int | None = None,
    exact_distance: bool = False,
    save: Path | None = None,
    on: str | None = None,
) -> Oracle[Any]:
    """Solve a game. `memory` is in MiB; what is None depends on the machine."""
    allowed = None if memory is None else memory << 20
    with waiting(f"Solving {game.title}") as progress:
        if save is not None:
            from perfectplay.solver.tablebase.oracle import save_table

            try:
                return save_table(game, save, limit=limit, memory=allowed, on=on, progress=progress)
            except TooLargeError as error:
                problem = f"{error.problem}; the same command with more or no"
                raise PerfectplayError(f"{problem} --limit and --memory continues {save}") from error
            except KeyboardInterrupt:
                click.echo(f"The same command continues from what is in {save}.", err=True)
                raise
        return solve(
            game,
            exact_distance=exact_distance,
            limit=limit,
            memory=allowed,
            processes=processes or os.cpu_count() or 1,
            on=on,
            progress=progress,
        )


def _size(oracle: Oracle[Any]) -> list[str]:
    if oracle.counts:
        counts = oracle.counts
        stored = counts["stored"] * (counts["positions"] > counts["stored"])
        halved = f" ({stored:,} stored: one of those equal by symmetry)" if stored else ""
        source = "solved by rules on arrays"
        if oracle.folder is not None:
            size = f"{counts['bytes'] / counts['stored']:.1f} bytes for each stored"
            source = f"from the table base in {oracle.folder}, {size}"
        return [f"{pluralize(counts['positions'], 'position', 'positions')}{halved}, {source}."]
    if oracle.graph is None or oracle.solution is None:
        return ["Known from theory; the positions were not counted."]
    loops = "with loops" if oracle.solution.cyclic else "without loops"
    known = "; also known from theory" if oracle.source == "theory" else ""
    positions = pluralize(len(oracle.graph.states), "position", "positions")
    return [f"{positions}, {pluralize(oracle.graph.edges, 'move', 'moves')}, {loops}{known}."]


def _describe_stuck(oracle: Oracle[Any], state: Any, limit: int | None = None, **bounds: Any) -> list[str]:
    count = oracle.dead_ends(state)
    if not count:
        return []
    has = pluralize(count, "position has", "positions have")
    checked = "check-game" if limit is None else f"check-game --limit {limit}"
    return [
        f"Dead ends: {has} no legal move and no result. The rules do not say what they are worth:",
        "where play can reach one, only forced wins are decided.",
        f"Run {checked} for the moves that lead to one.",
    ]


def _worth(oracle: Oracle[Any], state: Any) -> str:
    game, value = oracle.game, oracle.value(state)
    if game.outcome(state) is not None:
        return "The game is over here."
    mover = game.side_names[game.side_to_move(state)]
    if value.kind == "undecided":
        return f"{mover} is to move; who wins is undecided."
    plies = "" if value.plies is None else f" in {pluralize(value.plies, 'ply', 'plies')}"
    winner = _winner(game, state, value)
    if winner is not None:
        return f"{mover} is to move; {winner} wins{plies}."
    if value.kind == "tie":
        return f"{mover} is to move; perfect play ends in a tie{plies}."
    return f"{mover} is to move; nobody can force an end."


def _winner(game: Game[Any], state: Any, value: Value) -> str | None:
    side = game.side_to_move(state)
    if value.kind in ("win", "loss"):
        return game.side_names[side if value.kind == "win" else other(side)]
    return None


def _table(oracle: Oracle[Any], state: Any) -> list[str]:
    moves = oracle.moves(state)
    # Best first; equal ones in the order of their actions.
    shown = sorted(moves, key=lambda move: move.value.rank, reverse=True)[:MOST_PRINTED_MOVES]
    width = max((len(move.text) for move in shown), default=0)
    rows = [f"  {move.text:<{width}}  {move.value}" for move in shown]
    return rows if len(moves) == len(shown) else [*rows, f"  ... and {len(moves) - len(shown):,} more"]


def _describe_plies(game: Game[Any], regret: Regret) -> list[str]:
    rows = [f"  Start: {point.describe(game.side_names)}" for point in regret.chart[:1]]
    for each, point in zip(regret.plies, regret.chart[1:], strict=False):  # a resignation has a point too
        # A forfeit can change the value either way.
        shown = each.mark == "forfeit" or not each.kept
        change = f" ({each.best} before, {each.played} after)" if shown else ""
        move = each.mark if each.mark == "forfeit" else f"{each.text}  {each.mark}"
        now = point.describe(game.side_names)
        rows.append(f"  {each.ply}. {game.side_names[each.side]}: {move}{change}; {now}")
    if regret.resigned is not None:
        side, value = regret.resigned
        rows.append(f"  {game.side_names[side]}: resigned a game that was not lost ({value} before)")
    return rows


def _draw_chart(console: Console, game: Game[Any], regret: Regret) -> list[str]:
    """The chart of a game in blocks; nothing where they cannot be printed, as the rows say the same."""
    names = game.side_names
    width = max(10, min(console.width or 80, 80) - 4 - len(label_strip(names)[0]))
    parts = [regret.chart[start : start + width] for start in range(0, len(regret.chart), width)]
    drawn = [line for part in parts for line in draw_strip(part, names)]
    lines = [f"  {line}" for line in (*drawn, explain_strip(regret.chart)) if line]
    try:
        "".join(lines).encode(console.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return [*lines, ""] if lines else []


def _value_facts(oracle: Oracle[Any], state: Any) -> dict[str, Any]:
    value = oracle.value(state)
    return {"value": value.kind, "winner": _winner(oracle.game, state, value), "plies": value.plies}


def _moves_facts(oracle: Oracle[Any], state: Any) -> dict[str, Any]:
    moves = oracle.moves(state)
    return {
        "moves": [{"move": move.text, **_serialize(move.value)} for move in moves[:MOST_JSON_MOVES]],
        "moves_total": len(moves),
    }


def _serialize(value: Value) -> dict[str, Any]:
    return {"value": value.kind, "plies": value.plies}


def _regret_facts(game: Game[Any], record: Record, regret: Regret) -> dict[str, Any]:
    return {
        "game": record.spec,
        "plies": [
            {
                "ply": each.ply,
                "side": game.side_names[each.side],
                "move": each.text,
                "mark": each.mark,
                "best": _serialize(each.best),
                "played": _serialize(each.played),
            }
            for each in regret.plies
        ],
        "accuracy": dict(zip(game.side_names, regret.accuracy, strict=True)),
        "resigned": regret.resigned and game.side_names[regret.resigned[0]],
        "chart": [point._asdict() for point in regret.chart],
    }
