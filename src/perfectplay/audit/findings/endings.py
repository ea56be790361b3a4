"""How games end, and how they cannot."""

from collections.abc import Iterator

from perfectplay.audit.case import Case
from perfectplay.audit.findings.finding import Finding, finds, prove_or_note
from perfectplay.audit.findings.laws import witness_moves
from perfectplay.audit.readings import plural
from perfectplay.core.formatting import none_of
from perfectplay.core.laws.conformance import by_problem
from perfectplay.core.match import Result
from perfectplay.core.outcome import SIDES, other


@finds("over-at-start", "the game is over before the first move")
def over_at_start(case: Case) -> Iterator[Finding]:
    outcome = case.game.outcome(case.graph.states[0])
    if outcome is not None:
        result = Result(*outcome).text(case.game.side_names)
        yield Finding("over-at-start", "problem", f"The game is over before the first move: {result}.")


@finds("one-winner", "a side can never win")
def one_winner(case: Case) -> Iterator[Finding]:
    if not case.wins:
        return
    winners = {winner for winner, _ in case.wins}
    endings = sum(count for count, _ in case.wins.values())
    for side in SIDES:
        if side not in winners:
            who, none = case.game.side_names[side], none_of(endings, "move that ends", "moves that end")
            never = f"{who} can never win: {none} the game wins for them."
            seen = f"{who} was not seen to win in the {case.scope}; nothing beyond them is proved."
            yield prove_or_note(case, "one-winner", "problem", never, seen)


@finds(
    "wins-only-by-blunder",
    "a side can win only by a move that its opponent need not make; the witness ends with one",
)
def wins_only_by_blunder(case: Case) -> Iterator[Finding]:
    # Where whoever makes the last move loses, that move is forced.
    _, forced = _suicides(case)
    driven = {case.game.side_to_move(case.graph.states[number]) for number in forced}
    for side in SIDES:
        if (side, other(side)) in case.wins and (side, side) not in case.wins and other(side) not in driven:
            count, path = case.wins[side, other(side)]
            who, opponent = case.game.side_names[side], case.game.side_names[other(side)]
            moves = "the one move that does it is" if count == 1 else f"all {count:,} moves that do it are"
            only = f"{who} can win only by a move of {opponent}: {moves} theirs."
            seen = f"{who} was seen to win only by moves of {opponent} in the {case.scope}."
            yield prove_or_note(case, "wins-only-by-blunder", "problem", only, seen, case.texts(path))


@finds("forced-suicide", "a position where every move loses at once; the witness ends with one")
def forced_suicide(case: Case) -> Iterator[Finding]:
    _, forced = _suicides(case)
    if forced:
        text = (
            f"A side can be forced to hand over the win: in {len(forced):,} of the {case.scope}, every move"
            " loses at once."
        )
        path = (*case.path(forced[0]), case.graph.moves(forced[0])[0][0])
        yield Finding("forced-suicide", "note", text, case.texts(path))


@finds("suicide-never-forced", "some moves lose at once, but there is always another")
def suicide_never_forced(case: Case) -> Iterator[Finding]:
    handing, forced = _suicides(case)
    if handing and not forced and case.whole:
        text = (
            f"Nobody is ever forced to hand over the win: in {len(handing):,} of the {case.scope}, a move"
            " loses at once, but there is always another."
        )
        yield Finding("suicide-never-forced", "note", text)


def _suicides(case: Case) -> tuple[list[int], list[int]]:
    """Return the positions where some move loses at once, and those where every move does."""
    handing, forced = [], []
    for number in range(case.visited):
        opponent = other(case.game.side_to_move(case.graph.states[number]))
        ends = [case.game.outcome(case.graph.states[target]) for _, target in case.graph.moves(number)]
        given = [end is not None and end.winner == opponent for end in ends]
        if any(given):
            handing.append(number)
            if all(given):
                forced.append(number)
    return handing, forced


@finds("dead-end", "a position without a legal move and without an outcome; the witness leads there")
def dead_end(case: Case) -> Iterator[Finding]:
    stuck = case.stuck
    if stuck:
        count = "1 has" if len(stuck) == 1 else f"{len(stuck):,} have"
        text = f"Play can get stuck: of the {case.scope}, {count} no legal move and no outcome."
        yield Finding("dead-end", "problem", text, case.texts(case.path(min(stuck))))
        return
    ends = []
    for path in case.games:
        *_, state = case.along(path)
        if not case.game.legal_actions(state) and case.game.outcome(state) is None:
            ends.append((len(path), case.texts(path)))
    # If other laws are broken by the same problem, the cause is an error and not a dead end.
    deep = [each for laws, each in by_problem(case.broken) if laws == ("dead-end",)]
    ends += [(len(each.path), witness_moves(case.game, each)) for each in deep]
    if ends:
        plies, moves = min(ends)
        text = f"Play can get stuck: after {plural(plies)} there is no legal move and no outcome."
        yield Finding("dead-end", "problem", text, moves)
